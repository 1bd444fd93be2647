"""Inside the search: the recorded tree over the API, and the stepper and the exercise in a browser."""

import re

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.once


def tree_of(api, session, algorithm, depth=None, node=0):
    wanted = {"node": node, "algorithm": algorithm, "depth": depth}
    return api.post(f"/api/sessions/{session['id']}/inside", json=wanted)


def test_the_lecture_s_tree_is_told_with_its_windows_and_prunings(api, begun):
    """Alpha-beta skips 4 and 6, and looks at 14, 5 and 2."""
    found = tree_of(api, begun("tree"), "alphabeta").json()
    leaves = [node["value"] for node in found["tree"] if node["kind"] == "terminal"]
    assert leaves == ["3", "12", "8", "2", "14", "5", "2"]
    assert [node["reason"] for node in found["tree"] if node["kind"] == "cut"] == ["2 ≤ α = 3"] * 2
    assert (found["nodes"], found["cut"], found["plain"]["nodes"]) == (11, 2, 13)
    assert found["tree"][0]["value"] == "3"
    assert found["tree"][0]["window"] == [None, None]


def test_max_n_and_chance_have_trees_too(api, begun):
    many = begun("trio", players=[{}, {}, {}])
    assert re.fullmatch(r"~ \(.*, .*, .*\)", tree_of(api, many, "maxn", 1).json()["tree"][0]["value"])
    dice = tree_of(api, begun("pig"), "expectiminimax", 2).json()["tree"]
    assert {node["chance"] for node in dice if node["chance"]} == {"1/6"}


def test_the_growth_of_a_monte_carlo_tree_is_told_simulation_by_simulation(api, begun):
    session = begun("tic-tac-toe", moves=["a1", "b2", "c3"])
    wanted = {"node": 3, "algorithm": "mcts", "simulations": 60}
    found = api.post(f"/api/sessions/{session['id']}/inside", json=wanted).json()
    tree, simulations = found["tree"], found["simulations"]
    assert len(simulations) == 60
    assert tree[0]["kind"] == "min"  # the second player is to move
    assert {node["move"] for node in tree if node["parent"] == 0} == set(session["position"]["moves"])
    assert sum(one["is_new"] for one in simulations) == len(tree) - 1
    assert all(sum(one["paid"]) == 0 for one in simulations)
    again = api.post(f"/api/sessions/{session['id']}/inside", json=wanted).json()
    assert again == found


@pytest.mark.parametrize(
    ("algorithm", "depth", "sentence"),
    [
        ("random", 2, "random has no tree to show"),
        ("alphabeta", 30, "more than 5,000 nodes"),
        ("alphabeta", -1, "depth"),
    ],
)
def test_what_cannot_be_shown_is_refused(api, begun, algorithm, depth, sentence):
    answer = tree_of(api, begun("connect-four"), algorithm, depth)
    assert answer.status_code in (400, 422)
    assert sentence in answer.json()["error"]


# -- in the browser --------------------------------------------------------------------------------


@pytest.fixture
def opened(visit):
    page = visit("#game=tree")
    page.get_by_role("button", name="Inside the search").click()
    expect(page.locator(".tree .node")).to_have_count(13)
    return page


def shown(page, path):
    return page.locator(f'.tree .node[data-path="{path}"] text').first


def step(page, name):
    page.get_by_role("button", name=name).click()


def test_the_stepper_shows_exactly_the_prunings_of_the_lecture(opened):
    page = opened
    expect(page.locator(".tree .edge.severed")).to_have_count(2)
    expect(page.locator('.tree .node[data-kind="cut"]')).to_have_text(["2 ≤ α = 3"] * 2)
    expect(page.get_by_text("alpha-beta looks at 11 nodes, minimax at 13")).to_be_visible()
    step(page, "To the beginning of the search")
    expect(page.locator(".tree .node.ghost")).to_have_count(13)
    expect(page.locator(".tree .edge.severed")).to_have_count(0)
    sentences = []
    for _ in range(15):
        step(page, "One step on")
        sentences.append(page.locator(".inside .sentence").inner_text())
    assert sentences[:3] == [
        "Enter the root: Max to choose, window [−∞, ∞].",
        "Enter a: Min to choose, window [−∞, ∞].",
        "Look at a a: 3.",
    ]
    assert sentences[8] == "Leave b with ≤ 2: 2 ≤ α = 3, so b, c need not be looked at."
    assert sentences[-1] == "Leave the root with 3."
    for _ in range(6):
        step(page, "One step back")
    expect(shown(page, "")).to_have_text("≥ 3")
    expect(page.locator('.tree .node[data-path=""]')).to_contain_text("[3, ∞]")
    expect(page.locator(".board.preview")).to_have_attribute("data-note", "after b")


def test_the_exercise_checks_and_explains(opened):
    page = opened
    page.get_by_role("button", name="what is cut").click()
    page.locator('.tree .node[data-path="b b"]').click()
    page.locator('.tree .node[data-path="c b"]').click()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("1 of 2 found, 1 too many.")).to_be_visible()
    expect(page.locator(".remarks li")).to_contain_text(["b c is not looked at: 2 ≤ α = 3.", "c b is looked at"])
    page.locator('.tree .node[data-path="c b"]').click()
    page.locator('.tree .node[data-path="b c"]').click()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("All correct.")).to_be_visible()


def test_values_can_be_backed_up_by_hand(opened):
    page = opened
    page.get_by_role("button", name="Exercise: values").click()
    for asked, typed in (("a", "3"), ("b", "4"), ("c", "2"), ("the root", "3")):
        field = page.get_by_label(f"The value of {asked}", exact=True)
        field.fill(typed)
        field.press("Enter")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("3 of 4 correct.")).to_be_visible()
    expect(page.locator(".remarks li")).to_have_text(["b: Min takes the least of 2, 4, 6, which is 2."])
    page.locator('.tree .node[data-path="b"]').click()
    page.get_by_label("The value of b", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("All correct.")).to_be_visible()


def test_axe_finds_nothing_inside_the_search(opened):
    assert violations(opened) == []
    step(opened, "To the beginning of the search")
    for _ in range(4):
        step(opened, "One step on")
    assert violations(opened) == []
    opened.get_by_role("button", name="Exercise: values").click()
    assert violations(opened) == []


def test_any_tree_can_be_typed_in(opened):
    page = opened
    page.get_by_label("The tree as text").fill("max(min(-8 -5) min(-10 8))")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator(".tree .node")).to_have_count(7)
    expect(shown(page, "")).to_have_text("−8")  # the ghost example


def test_a_monte_carlo_tree_grows_step_by_step(visit):
    page = visit("#game=nim")
    page.get_by_role("button", name="Inside the search").click()
    page.get_by_label("Algorithm").select_option("mcts")
    expect(page.get_by_text("200 simulations")).to_be_visible()
    step(page, "To the beginning of the search")
    expect(page.locator(".tree .node")).to_have_count(1)
    for _ in range(3):
        step(page, "One step on")
    expect(page.locator(".tree .node")).to_have_count(4)
    expect(page.locator(".inside .sentence")).to_contain_text("Simulation 3: begin at the root, add")
