"""Inside the search, in a real browser: the stepper, the exercises, large trees, and who can use them."""

import math
import os
import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect
from reading import violations
from serving import address_of, start_server

pytestmark = pytest.mark.plain

LECTURE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


@pytest.fixture
def look(chromium, served):
    """Open the page that looks inside; what goes wrong in it, or goes elsewhere, fails the test."""
    yield from looking(chromium, served)


def looking(chromium, served):
    contexts, faults = [], []

    def opened(fragment="", *, width=1280, height=900, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: request.url.startswith(served.address) or faults.append(request.url))
        page.goto(served.address + "inside" + fragment)
        expect(page.locator("#tree .node").first).to_be_visible(timeout=60_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def node(page, place):
    return page.locator(f'#tree .node[data-place="{place}"]')


def words(page):
    return page.locator(".narration").inner_text()


def press(page, key, times=1):
    for _ in range(times):
        before = page.locator(".stepper .count").inner_text()
        page.keyboard.press(key)
        expect(page.locator(".stepper .count")).not_to_have_text(before)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def typed(page):
    return page.get_by_role("textbox", name="The tree")


# -- the stepper -----------------------------------------------------------------------------------


def test_the_stepper_shows_exactly_the_prunings_of_the_lecture(look):
    """Alpha-beta skips 4 and 6, then looks at 14, 5 and 2; the value is 3."""
    page = look()
    page.keyboard.press("Home")
    severed = page.locator("#tree .severed")
    expect(page.locator(".stepper .count")).to_have_text("0 / 15")
    expect(severed).to_have_count(0)
    looked_at, cut_after = [], None
    for step in range(1, 16):
        press(page, "ArrowRight")
        if found := re.match(r"Leaf (\S+) is worth (\d+)", words(page)):
            looked_at.append(int(found[2]))
        if cut_after is None and severed.count():
            cut_after = step
            assert words(page).startswith(
                "Node b is worth at most 2. 2 ≤ α = 3: Min already has 2 here, and Max has 3 elsewhere, "
                "so Max will not come here. Branches b and c are cut."
            )
    assert looked_at == [3, 12, 8, 2, 14, 5, 2]
    expect(severed).to_have_count(2)
    expect(node(page, "b.b")).to_have_class(re.compile("cut"))
    expect(node(page, "b.c")).to_have_class(re.compile("cut"))
    expect(node(page, "root").locator(".value")).to_have_text("3")
    expect(node(page, "b").locator(".value")).to_have_text("≤ 2")
    expect(page.locator("#tree .reason")).to_have_text(["2 ≤ α = 3"])
    assert page.locator("#tree text.window").all_text_contents().count("[3, ∞]") == 4  # b, c, and their first leaves
    press(page, "ArrowLeft", 15)
    expect(severed).to_have_count(0)
    assert words(page).startswith("Nothing has been searched yet")


def test_windows_and_values_narrow_step_by_step(look):
    page = look()
    page.keyboard.press("Home")
    press(page, "ArrowRight", 4)
    expect(node(page, "a").locator(".value")).to_have_text("≤ 3")
    assert words(page) == "Leaf a.b is worth 12. Min keeps 3."
    press(page, "ArrowRight", 2)
    expect(node(page, "root").locator(".value")).to_have_text("≥ 3")
    page.get_by_role("slider", name="Step").fill("7")
    assert words(page) == "Min chooses at node b. 3 branches. The window is [3, ∞]: only values between these matter."


def test_it_plays_by_itself_and_pauses(look):
    page = look()
    page.locator(".pace select").select_option("racing")
    button(page, "Play").click()
    expect(page.locator(".stepper .count")).to_have_text("15 / 15")
    expect(button(page, "Play")).to_be_visible()


def test_minimax_stands_beside_alpha_beta_with_the_counts_of_both(look):
    page = look()
    rows = page.locator(".counts tbody tr")
    expect(rows).to_have_text([re.compile(r"Alpha-beta\s*11\s*7\s*2\s*3"), re.compile(r"Minimax\s*13\s*9\s*0\s*3")])
    button(page, "Side by side").click()
    page.keyboard.press("Escape")
    button(page, "Last step").click()
    expect(page.locator("#plain .node")).to_have_count(13)
    expect(page.locator("#plain .severed")).to_have_count(0)
    expect(page.locator("figcaption")).to_have_text(["Alpha-beta: 11 nodes", "Minimax: 13 nodes"])


def test_a_mistake_in_the_text_is_reported_in_a_sentence_and_the_tree_stays(look):
    page = look()
    typed(page).fill("max(min(3 12")
    button(page, "Show").click()
    expect(page.get_by_role("alert")).to_have_text("line 1, column 8: this bracket is never closed")
    expect(page.locator("#tree .node")).to_have_count(13)
    typed(page).fill("max(left:min(-8 -5) right:min(-10 8))")
    page.keyboard.press("Enter")
    expect(page.locator("#tree .node")).to_have_count(7)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator(".slider").focus()
    page.keyboard.press("End")
    expect(node(page, "root").locator(".value")).to_have_text("−8")
    page.reload()
    expect(page.locator("#tree .node")).to_have_count(7)


def test_dice_are_round_with_chances_and_bounds_of_the_mean(look):
    """A die with utilities from -10 to 10: after -10 the mean is between -10 and 6.667."""
    page = look("#tree=max(2 chance(-10 -10 -10 10 10 10))&algorithm=star1")
    button(page, "Last step").click()
    button(page, "First step").click()
    press(page, "ArrowRight", 4)
    die = node(page, "b")
    expect(die.locator("circle")).to_have_count(1)
    expect(die.locator(".value")).to_have_text("−10 … 6.667")
    assert words(page) == "Leaf b.a is worth −10. The mean is now between −10 and 6.667."
    expect(page.locator("#tree text.move", has_text="a · 1/6")).to_have_count(1)
    press(page, "ArrowRight", 3)
    assert "whatever the other outcomes are, the mean here is at most 0, and Max has 2 elsewhere" in words(page)
    expect(page.locator("#tree .severed")).to_have_count(3)


def test_star2_probes_and_says_why_it_cuts(look):
    tree = "max(5 chance(1/2:min(1 9) 1/2:min(2 8)) chance(min(3 4) min(0 9) min(8 9)))"
    page = look(f"#tree={tree}&algorithm=star2")
    button(page, "Last step").click()
    expect(node(page, "root").locator(".value")).to_have_text("5")
    expect(page.locator("#tree .severed")).not_to_have_count(0)
    expect(page.locator("#tree .reason").first).to_contain_text("≤ α = 5")


def test_a_probe_and_standing_pat_are_steps_of_their_own(look):
    tree = "max(5 chance(1/2:min(4 9) 1/2:min(8 9)) chance(min(3 4) min(0 9) min(8 9)))"
    page = look(f"#tree={tree}&algorithm=star2")
    slider, narration = page.get_by_role("slider", name="Step"), page.locator(".narration")
    slider.fill("4")
    expect(narration).to_have_text(re.compile("^Star2 probes node b.a by one reply: since Min chooses there"))
    slider.fill("6")
    expect(narration).to_have_text(
        "The probe of node b.a is done: it is worth at most 4. The mean is now between −9 and 6.5."
    )
    expect(node(page, "b.a").locator(".value")).to_have_text("≤ 4")
    slider.fill("10")
    expect(narration).to_have_text(re.compile("^Now all of node b.a is searched. The probe has found ≤ 4"))
    page.goto(page.url.split("#")[0] + "#game=chess&algorithm=quiescence&depth=1&moves=e4 d5")
    expect(page.locator(".head .title")).to_contain_text("quiescence")
    slider.fill("3")
    expect(narration).to_have_text(re.compile(r"^Black \(Min\) may stand pat at the position after Ke2: "))


def test_many_players_have_tuples(look):
    page = look("#tree=p1(p2(p3(<1,6,6> <7,1,2>) p3(<6,1,2> <7,2,1>)) p2(p3(<5,1,7> <1,5,2>) p3(<7,7,1> <5,2,5>)))")
    button(page, "Last step").click()
    expect(node(page, "root").locator(".value")).to_have_text("(5, 2, 5)")
    expect(page.locator(".counts tbody th")).to_have_text(["Max^n"])


def test_a_search_that_does_not_fit_is_replaced_and_says_why(look):
    page = look("#tree=max(chance(3 12 9) chance(2 4 6) chance(15 6 0))&algorithm=alphabeta")
    expect(page.locator(".note", has_text="alpha-beta needs")).to_be_visible()
    button(page, "Last step").click()
    expect(node(page, "root").locator(".value")).to_have_text("8")


def test_max_n_with_pruning_says_what_is_left(look):
    page = look("#tree=p1(p2(<5,4,1> <4,2,4>) p2(<2,8,0> <5,3,2>) p2(<3,5,2> <1,6,3>))&algorithm=maxn-shallow")
    expect(page.locator(".counts tbody th")).to_have_text(["Max^n with pruning", "Max^n"])
    page.get_by_role("slider", name="Step").fill("8")
    expect(page.locator(".narration")).to_have_text(
        "Node b is worth at least (2, 8, 0). 2 left ≤ 5: player 2 already has 8 here, so of the total "
        "at most 2 is left for player 1, who has 5 elsewhere and will not come here. Branch b is cut. "
        "Player 1 keeps (5, 4, 1)."
    )
    button(page, "Mark cuts").click()
    for place in ("b.b", "c.b"):
        node(page, place).click()
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("All correct.")


def test_a_tree_is_typed_in_several_lines_and_shown_with_enter(look):
    page = look()
    page.keyboard.press("/")
    expect(typed(page)).to_be_focused()
    typed(page).fill("max(min(1 2)")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("min(3 4))")
    page.keyboard.press("Enter")
    expect(page.locator("#tree .node")).to_have_count(7)
    assert typed(page).input_value() == "max(min(1 2)\nmin(3 4))"


def test_trees_of_the_lectures_and_games_are_chosen_from_one_list(look):
    page = look()
    chooser = page.get_by_role("combobox", name="Look into")
    chooser.select_option(label="Two ghosts")
    expect(typed(page)).to_have_value("max(left:min(-8 -5) right:min(-10 8))")
    chooser.select_option(label="Nim")
    expect(page.locator(".board svg")).to_be_visible()
    chooser.select_option(label="Type a tree")
    expect(typed(page)).to_be_focused()


# -- how it looks ----------------------------------------------------------------------------------

TOUCHING = """() => {
    const words = [...document.querySelectorAll('#tree text')].map((text) => text.getBoundingClientRect());
    const lines = [...document.querySelectorAll('#tree path.line')];
    const found = [];
    for (const line of lines) {
        const [length, matrix] = [line.getTotalLength(), line.getScreenCTM()];
        for (let nth = 1; nth < 60; nth++) {
            const {x, y} = line.getPointAtLength(length * nth / 60).matrixTransform(matrix);
            if (words.some((one) => one.left + 2 < x && x < one.right - 2 && one.top + 4 < y && y < one.bottom - 5)) {
                found.push([line.getAttribute('class'), Math.round(x), Math.round(y)]);
                break;
            }
        }
    }
    return [lines.length, found];
}"""


@pytest.mark.parametrize(
    "fragment", ["", "#tree=max(chance(1/2:min(3 7) 1/2:min(1 4)) chance(9/10:-5 1/10:8))", "#game=hexapawn&depth=3"]
)
def test_no_line_runs_through_words(look, fragment):
    page = look(fragment, reduced_motion="reduce")
    button(page, "Last step").click()
    expect(page.locator("#tree .best")).not_to_have_count(0)
    lines, touching = page.evaluate(TOUCHING)
    assert lines > 5
    assert touching == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_game_opens_with_the_top_of_its_tree_in_full_and_legible(look, width):
    page = look("#game=connect-four&algorithm=alphabeta&depth=3", width=width, height=844, reduced_motion="reduce")
    button(page, "Last step").click()
    expect(node(page, "root").locator(".value")).to_have_text("~ 0.038")
    canvas = page.locator("#tree").bounding_box()
    shapes = page.locator('#tree .node[aria-level="1"] .shape, #tree .node[aria-level="2"] .shape')
    assert shapes.count() == 8 if width > 1000 else shapes.count() >= 4
    for box in shapes.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())"):
        assert canvas["x"] <= box["x"] < box["x"] + box["width"] <= canvas["x"] + canvas["width"]
        assert 1.05 < box["width"] / box["height"] < 1.3  # triangles stay triangles
    scale = page.evaluate("document.querySelector('#tree g').getScreenCTM().a")
    assert 12 * scale > 9  # pixels


def test_a_row_that_does_not_fit_counts_hidden_nodes_and_opens(look):
    page = look("#game=breakthrough&algorithm=alphabeta&depth=1", width=800, reduced_motion="reduce")
    branches = page.locator('#tree .node[aria-level="2"]:not(.more)')
    assert branches.count() < 22
    more = page.locator("#tree .node.more")
    left_out = int(more.text_content().strip().removeprefix("+"))
    assert left_out + branches.count() == 22
    node(page, "root").focus()
    page.keyboard.press("ArrowDown")
    for _ in range(branches.count()):
        page.keyboard.press("ArrowRight")
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    expect(more).to_have_count(0)
    expect(node(page, "root")).to_be_focused()


def test_a_closed_node_shows_the_number_of_nodes_below_it(look):
    page = look("#game=connect-four&algorithm=minimax&depth=4")
    expect(page.locator("#tree .node .more")).to_have_text(["+399"] * 7)  # (2,801 - 1) / 7 - 1
    node(page, "4").click()
    expect(page.locator("#tree .node .more")).to_have_text(["+399"] * 6 + ["+56"] * 7)


def test_a_click_on_an_open_node_chooses_it_and_closes_nothing_until_it_is_made_again(look):
    page = look()
    node(page, "a").click()
    expect(page.locator(".here h2")).to_have_text("Selected: node a")
    expect(page.locator("#tree .node")).to_have_count(13)
    node(page, "a").click()
    expect(page.locator("#tree .node")).to_have_count(10)
    expect(node(page, "a").locator(".more")).to_have_text("+3")
    page.keyboard.press("Escape")
    expect(page.locator(".here h2")).to_have_text("Current: the root")


def test_a_chosen_node_is_watched_while_the_tree_grows(look):
    page = look("#game=tic-tac-toe&algorithm=mcts")
    press(page, "ArrowRight", 12)
    chosen = page.locator('#tree .node[aria-level="2"]').first
    chosen.click()
    expect(page.locator(".here h2")).to_contain_text("Selected: the position after")
    press(page, ".", 3)
    expect(page.locator(".here h2")).to_contain_text("Selected: the position after")


OUTSIDE = """() => [...document.querySelectorAll('#tree .node:is([data-kind=max], [data-kind=min])')]
    .flatMap((node) => {
    const [words, shape] = [node.querySelector('.value'), node.querySelector('.shape')];
    const [text, box] = [words?.getBBox(), shape.getBBox()];
    if (!text?.width || text.y > box.y + box.height - 6 || text.x > box.x + box.width) return [];  // below or beside
    const base = Number(words.getAttribute('y'));
    const share = node.dataset.kind === 'max' ? (base - 0.6 * text.height) / box.height : 1 - base / box.height;
    return text.width > box.width * share ? [words.textContent] : [];
})"""


@pytest.mark.parametrize("width", [1280, 390])
def test_negative_means_stay_in_their_triangles_and_counts_of_the_rest_in_the_picture(look, width):
    page = look("#game=connect-four&algorithm=mcts", width=width, height=844, reduced_motion="reduce")
    page.keyboard.press("End")
    expect(page.locator(".stepper .count")).to_have_text("100 / 100")
    assert page.locator("#tree .node .value", has_text="−").count() > 3
    assert page.evaluate(OUTSIDE) == []
    canvas = page.locator("#tree").bounding_box()
    counts = [one.bounding_box() for one in page.locator("#tree .node.more text").all()]
    assert counts
    assert all(canvas["x"] <= one["x"] < one["x"] + one["width"] <= canvas["x"] + canvas["width"] for one in counts)


def test_two_trees_side_by_side_have_one_scale(look):
    page = look(reduced_motion="reduce")
    button(page, "Side by side").click()
    expect(page.locator("#plain .node")).to_have_count(13)
    scales = page.evaluate("['tree', 'plain'].map((id) => document.querySelector(`#${id} g`).getScreenCTM().a)")
    assert scales[0] == scales[1] > 0.6


def test_the_head_is_that_of_the_play_page(look, served, visit):
    """Title, summary, one way to the other page, and the signs."""
    inside, play = look("#game=hexapawn&depth=2"), visit("#game=hexapawn")
    expect(inside.locator(".head .title")).to_have_text("Inside the search alpha-beta in Hexapawn, 2 moves deep")
    signs = [page.locator(".head .icon").all_inner_texts() for page in (inside, play)]
    assert signs == [["⇄", "◐", "⚙", "?"]] * 2
    for name in ("Link, text and picture", "Preferences", "Signs and keys"):
        button(inside, name).click()
        expect(inside.locator("dialog[open]")).to_be_visible()
        assert violations(inside) == []
        inside.keyboard.press("Escape")
        expect(inside.locator("dialog[open]")).to_have_count(0)


def test_steps_by_keys_while_the_tree_has_the_focus(look):
    page = look()
    node(page, "root").focus()
    press(page, ".", 3)
    press(page, ",")
    expect(page.locator(".stepper .count")).to_have_text("3 / 15")


def test_chess_counts_in_pawns(look):
    page = look("#game=chess&algorithm=minimax&depth=1&position=4k3/8/8/8/8/8/4P3/4K3+w+-+-+0+1")
    button(page, "Last step").click()
    value = page.locator('#tree .node[data-place="root"] .value').text_content()
    assert 0.5 < float(value.removeprefix("~ ")) < 5
    expect(page.locator(".counts .note")).to_have_text("Values are in pawns; a win is worth 128.")
    assert all(len(text) < 9 for text in page.locator("#tree .value").all_text_contents())


# -- games -----------------------------------------------------------------------------------------


def test_from_the_play_page_to_the_inside_of_its_position(chromium, served, look):
    page = look("#game=hexapawn&moves=a1a2+b3a2&algorithm=alphabeta&depth=3")
    expect(page.locator(".board svg")).to_be_visible()
    expect(page.locator("summary", has_text="Position after a1a2 b3a2")).to_be_visible()
    before = page.locator(".board").inner_html()
    press(page, "ArrowRight", 3)
    expect(page.locator(".here h2")).to_contain_text("the position after")
    page.wait_for_function("(before) => document.querySelector('.board').innerHTML !== before", arg=before)
    page.get_by_role("link", name="Board").click()
    page.wait_for_selector(".board svg")
    expect(page.locator(".moves .played")).to_have_count(2)
    page.get_by_role("link", name="Look inside").click()
    expect(page.locator("summary", has_text="Position after a1a2 b3a2")).to_be_visible()


def test_a_tree_grows_live_with_visits_and_values_and_goes_back(look):
    page = look("#game=tic-tac-toe&algorithm=mcts")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stepper .count")).to_have_text("1 / 1")
    expect(page.locator("#tree .node")).to_have_count(2)
    button(page, "A hundred simulations").click()
    expect(page.locator(".stepper .count")).to_have_text("101 / 101")
    expect(page.locator("#tree text.move", has_text="×")).not_to_have_count(0)
    page.locator(".pace select").select_option("racing")
    button(page, "Play").click()
    expect(page.locator(".narration")).to_contain_text(re.compile(r"Simulation [2-9]\d\d "))
    button(page, "Pause").click()
    button(page, "First step").click()
    expect(page.locator("#tree .node")).to_have_count(1)


@pytest.mark.parametrize(
    ("name", "mover"), [("tic-tac-toe", "X"), ("pig", "Player 1"), ("trio", "X")], ids=["two", "dice", "three"]
)
def test_ucb1_stands_beside_visits_and_means(look, name, mover):
    """UCB1 = U/N + C √(ln N(parent) / N), for the player who chooses."""
    page = look(f"#game={name}&algorithm=mcts")
    for _ in range(14):
        press(page, "ArrowRight")
    expect(page.locator(".family caption")).to_have_text(f"{mover} at the root")
    c = float(re.search(r"U/N \+ ([\d.]+)", page.locator(".here .note").inner_text())[1])
    rows = [row.split("\t") for row in page.locator(".family tbody tr").all_inner_texts()]
    assert sum(int(visits) for _, visits, _, _ in rows) == 14 or len(rows) == 8
    for _, visits, mean, score in rows:
        number = float(mean.replace("−", "-"))
        assert float(score) == pytest.approx(number + c * math.sqrt(math.log(14) / int(visits)), abs=0.02)


def test_a_tree_that_takes_time_grows_until_it_is_there_or_is_stopped(look):
    page = look("#game=backgammon&algorithm=mcts")
    button(page, "A hundred simulations").click()
    expect(page.locator(".narration")).to_contain_text(re.compile(r"Simulation \d"))
    before = page.locator(".stepper .count").inner_text()
    expect(page.locator(".stepper .count")).not_to_have_text(before)
    button(page, "First step").click()
    expect(page.locator(".stepper .count")).to_have_text(re.compile("^0 /"))
    page.wait_for_timeout(1000)
    expect(page.locator(".stepper .count")).to_have_text(re.compile("^0 /"))


def test_a_bound_of_an_estimate_is_not_a_value(look):
    """The depth ends before -50 is seen: all that is known of b is that it is not above 2, if estimates are right."""
    page = look("#tree=max(min(max@3(0) max@12(0)) min(max@2(0) max@-50(0)))&algorithm=alphabeta&depth=2")
    press(page, "ArrowRight", 7)
    assert words(page).startswith("Node b is worth at most about 2. 2 ≤ α = 3: Min already has 2 here")
    expect(node(page, "b").locator(".value")).to_have_text("≤ ~2")


def test_below_dice_a_window_is_not_a_value_from_elsewhere(look):
    """Max has 2 elsewhere; 4.667 is what this outcome, one of 3/4, must be worth for the mean to come to that."""
    tree = "max(chance(1/2:min(3 7) 1/2:min(1 4)) chance(1/4:min(-6 2) 3/4:min(0 5)) chance(9/10:-5 1/10:8))"
    page = look(f"#tree={tree}&algorithm=star1")
    page.get_by_role("slider", name="Step").fill("19")
    expect(page.locator(".stepper .count")).to_have_text("19 / 24")
    assert "Min already has 0 here, and below the dice 4.667 or less is too little for Max" in words(page)
    page.get_by_role("slider", name="Step").fill("23")
    expect(page.locator(".stepper .count")).to_have_text("23 / 24")
    assert "the mean here is at most −3.7, and Max has 2 elsewhere" in words(page)


def test_more_levels_of_a_random_tree_reduce_its_branches(look):
    page = look("#seed=1&levels=2&branches=3&kind=max+and+min&algorithm=alphabeta")
    size = page.locator(".random")
    size.get_by_label("Levels").select_option("5")
    expect(size.get_by_label("Branches")).to_have_value("2")
    size.get_by_label("Branches").select_option("5")
    expect(size.get_by_label("Levels")).to_have_value("2")


# -- exercises -------------------------------------------------------------------------------------


def test_an_exercise_is_shown_when_it_is_ready(look):
    """Until the whole tree is there the search's own would give the cuts away, and clicks on it would mark nothing."""
    page = look(f"#tree={LECTURE}&algorithm=alphabeta")
    waiting = []

    def delay(route):
        if route.request.post_data_json["algorithm"] == "minimax":
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/api/inside", delay)
    page.reload()
    button(page, "Mark cuts").click()
    expect(page.get_by_text("the full tree is being recorded")).to_be_visible()
    expect(node(page, "b.b")).not_to_be_visible()
    waiting[0].continue_()
    node(page, "b.b").click()
    button(page, "Check").click()
    expect(page.locator(".blame")).to_have_text("1 mistake.")


def test_if_rounding_decides_both_answers_are_right(look):
    """(5 + 3 + 8) / 3 comes to exactly what Max has elsewhere, 16/3; in binary it is a last digit more."""
    tree = "max(chance(-3 -2 -3) chance(6 2 8) chance(5 3 -4))"
    page = look(f"#tree={tree}&algorithm=star1&mode=prune")
    expect(page.locator(".counts")).to_have_count(0)  # it would tell how much is cut
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("Correct: nothing is cut here.")
    node(page, "c.c").click()
    button(page, "Check").click()
    expect(page.locator(".verdicts li")).to_contain_text("equals the bound exactly")
    node(page, "c.b").click()
    button(page, "Check").click()
    expect(page.locator(".blame")).to_have_text("1 mistake.")
    expect(page.locator(".counts")).to_have_count(1)


def test_marking_the_cuts_is_checked_and_every_mistake_explained(look):
    page = look(f"#tree={LECTURE}&algorithm=alphabeta&mode=prune")
    expect(page.locator("#tree .value")).to_have_text(["3", "12", "8", "2", "4", "6", "14", "5", "2"])
    node(page, "b.b").click()
    node(page, "c.c").click()
    button(page, "Check").click()
    expect(page.locator(".blame")).to_have_text("2 mistakes.")
    told = page.locator(".verdicts li")
    expect(told.filter(has_text="Leaf b.b: yes. 2 ≤ α = 3")).to_have_count(1)
    expect(told.filter(has_text="Leaf b.c is cut, and you did not mark it. 2 ≤ α = 3")).to_have_count(1)
    wrong = "Leaf c.c is searched. Min has 5 there so far and Max has 3 elsewhere: 5 > 3, so Max might still come here."
    expect(told.filter(has_text=wrong)).to_have_count(1)
    node(page, "c.c").click()
    edge = page.locator("[data-edge]").nth(8)  # the edge to b.c, clicked on the edge itself
    page.evaluate(
        "(edge) => edge.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, pointerId: 1}))",
        edge.element_handle(),
    )
    page.evaluate(
        "(edge) => edge.dispatchEvent(new PointerEvent('pointerup', {bubbles: true, pointerId: 1}))",
        edge.element_handle(),
    )
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("All correct.")


def test_the_exercise_by_keyboard_alone(look):
    page = look(f"#tree={LECTURE}&algorithm=alphabeta&mode=prune")
    node(page, "root").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    button(page, "Check").press("Enter")
    expect(page.locator(".praise")).to_have_text("All correct.")


def test_backed_up_values_are_checked_and_explained(look):
    page = look("#tree=max(chance(3 12 9) chance(2 4 6) chance(15 6 0))&mode=values")
    for number, text in {"1": "8", "5": "4", "9": "7", "0": "4"}.items():
        page.locator(f'[data-answer="{number}"]').fill(text)
    button(page, "Check").click()
    expect(page.locator(".verdicts li")).to_have_text(
        ["The root is not 4. Max takes the largest of 8, 4, 7: 8. You took the smallest, but Max chooses here."]
    )
    page.locator('[data-answer="0"]').fill("24/3")
    page.locator('[data-answer="9"]').fill("x")
    button(page, "Check").click()
    expect(page.locator(".verdicts li")).to_contain_text(["“x” is not a number"])
    page.locator('[data-answer="9"]').fill("15")
    button(page, "Check").click()
    expect(page.locator(".verdicts li")).to_contain_text(["1/3 · 15 + 1/3 · 6 + 1/3 · 0 = 7"])
    page.locator('[data-answer="9"]').fill("7")
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("All correct.")


def test_a_random_tree_is_given_again_by_its_address(look):
    page = look("#mode=prune")
    page.locator(".random select").first.select_option("3")
    expect(page.locator(".note", has_text="Tree number")).to_be_visible()
    text = typed(page).input_value()
    fragment = "#" + page.url.partition("#")[2]
    assert "seed=" in fragment
    again = look(fragment)
    expect(typed(again)).to_have_value(text)
    expect(again.get_by_role("button", name="Mark cuts")).to_have_attribute("aria-pressed", "true")
    button(again, "New tree").click()
    expect(typed(again)).not_to_have_value(text)


# -- large trees -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiling(tmp_path_factory):
    """A server whose searches are compiled."""
    data = tmp_path_factory.mktemp("compiling")
    environment = {**os.environ, "ZERMELO_DATA_DIR": str(data), "PYTHONUNBUFFERED": "1"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    with start_server(environment) as process:
        yield SimpleNamespace(address=address_of(process))
        process.terminate()


@pytest.mark.compiled
def test_a_tree_of_half_a_million_nodes_opens_and_stays_usable(chromium, compiling):
    fragment = "#game=tic-tac-toe&algorithm=minimax&depth=9"
    for look in looking(chromium, compiling):
        look(fragment)
        page = look(fragment)  # the kernel is compiled now
        expect(page.locator(".counts tbody td").first).to_have_text("549,946")
        for share in (100_000, 400_000, 844_000):
            page.get_by_role("slider", name="Step").fill(str(share))
            expect(page.locator(".stepper .count")).to_have_text(f"{share:,} / 844,724")
        expect(node(page, "root")).to_be_attached()
        assert page.locator("#tree .node").count() < 200
        closed = page.locator('#tree .node[aria-expanded="false"]').first
        closed.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".here h2")).to_contain_text("Selected")


def test_a_tree_that_was_cut_off_says_so(look):
    page = look("#game=nim&algorithm=minimax&depth=12")
    expect(page.locator(".note.end")).to_contain_text("stopped")


# -- for everybody ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fragment", "scheme"),
    [
        ("", "light"),
        ("", "dark"),
        ("#mode=prune", "light"),
        ("#mode=values", "dark"),
        ("#mode=windows", "light"),
        ("#mode=order", "dark"),
        ("#game=hexapawn&algorithm=alphabeta&depth=2", "light"),
        ("#game=hexapawn&algorithm=mcts", "dark"),
    ],
)
def test_axe_finds_nothing_inside(look, fragment, scheme):
    page = look(fragment, color_scheme=scheme)
    if "mode" in fragment:
        button(page, "Check").click()
    else:
        press(page, "ArrowRight", 3)
    assert violations(page) == []


@pytest.mark.parametrize("fragment", ["", "#mode=values", "#game=chess&algorithm=alphabeta&depth=1"])
def test_on_a_phone_nothing_inside_is_cut_off(look, fragment):
    page = look(fragment, width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator("#tree").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_the_tree_can_be_dragged_and_zoomed(look):
    page = look()
    where = node(page, "root").bounding_box()
    box = page.locator("#tree").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + 130, box["y"] + 340, steps=4)
    page.mouse.up()
    expect(page.locator("#tree")).to_be_visible()
    page.wait_for_timeout(50)
    moved = node(page, "root").bounding_box()
    assert (round(moved["x"] - where["x"]), round(moved["y"] - where["y"])) == (100, 40)
    button(page, "Zoom in").click()
    assert node(page, "root").bounding_box()["width"] > 1.2 * where["width"]
    node(page, "root").focus()
    page.keyboard.press("0")
    assert node(page, "root").bounding_box()["width"] < 1.2 * where["width"]


# -- pseudocode ------------------------------------------------------------------------------------


def test_the_current_line_of_the_pseudocode_follows_the_search(look):
    page = look()
    now, waiting = page.locator(".code-lines .now"), page.locator(".code-lines .waiting")
    page.keyboard.press("Home")
    expect(now).to_have_text(["alphabeta(s, depth, α, β):"])
    press(page, "ArrowRight")
    expect(now).to_have_text(["if Max moves:", "v ← −∞"])
    press(page, "ArrowRight", 2)
    expect(now).to_have_text(["if s is terminal: return utility(s)"])
    expect(waiting).to_have_text(["for each action a:", "v ← min(v, alphabeta(result(s, a), depth−1, α, min(β, v)))"])
    page.get_by_role("slider", name="Step").fill("9")
    expect(now).to_have_text(["if v ≤ α: return v"])
    expect(now).to_have_attribute("aria-current", "step")
    button(page, "Last step").click()
    expect(now).to_have_text(["return v"])
    expect(waiting).to_have_count(0)


def test_the_pseudocode_of_monte_carlo_tree_search_shows_what_a_simulation_did(look):
    page = look("#game=tic-tac-toe&algorithm=mcts")
    now = page.locator(".code-lines .now")
    expect(now).to_have_count(1)
    button(page, "Forward").click()
    expect(now.nth(1)).to_contain_text("a new child")
    expect(page.locator(".code-lines li", has_text="UCB1")).not_to_have_class("now")
    button(page, "A hundred simulations").click()
    expect(page.locator(".code-lines li", has_text="UCB1")).to_have_class("now")


def test_a_closed_pseudocode_stays_closed(look):
    page = look()
    page.locator(".code summary").click()
    expect(page.locator(".code-lines")).to_be_hidden()
    page.reload()
    expect(page.locator("#tree .node").first).to_be_visible()
    expect(page.locator(".code-lines")).to_be_hidden()


# -- further exercises -----------------------------------------------------------------------------


def verdicts(page):
    return page.locator(".verdicts li").all_inner_texts()


def test_alpha_and_beta_are_typed_and_every_mistake_is_explained(look):
    page = look()
    button(page, "Type α and β").click()
    assert page.url.endswith("mode=windows")
    fields = page.locator("#tree input")
    expect(fields).to_have_count(3)
    fields.nth(0).fill("-inf, inf")
    fields.nth(1).fill("∞, 3")
    fields.nth(2).fill("[−∞, ∞]")
    button(page, "Check").click()
    expect(page.locator(".blame")).to_have_text("2 mistakes.")
    assert verdicts(page) == [
        "Node b is entered with [3, ∞]. α = 3: Max has 3 so far at the root. "
        "β = ∞: Min has nothing above it yet. You wrote β first.",
        "Node c is entered with [3, ∞]. α = 3: Max has 3 so far at the root. "
        "β = ∞: Min has nothing above it yet. [−∞, ∞] was the window of the root when it was entered.",
    ]
    fields.nth(1).fill("3 inf")
    fields.nth(2).fill("three")
    button(page, "Check").click()
    assert verdicts(page) == ["Node c: “three” is not a window; write α and β, as in 3, ∞."]
    fields.nth(2).fill("(3, ∞)")
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("All correct.")


def test_windows_below_dice_are_explained_by_the_mean(look):
    tree = "max(2 chance(1/2:min(3 7) 1/2:min(1 4)))"
    page = look(f"#tree={tree}&algorithm=star1&mode=windows")
    fields = page.locator("#tree input")
    expect(fields).to_have_count(3)
    fields.nth(0).fill("2, ∞")
    fields.nth(1).fill("0, 0")
    button(page, "Check").click()
    assert "for the mean of the dice to leave their window [2, ∞]" in verdicts(page)[0]
    assert verdicts(page)[1] == "Node b.b has no window yet."


def test_a_search_without_a_window_has_no_such_exercise(look):
    page = look("#tree=max(min(3 12) min(2 4))&algorithm=minimax&mode=windows")
    expect(page.locator(".exercise .note").first).to_have_text(
        "This search has no window; choose alpha-beta, or Star1 for a tree with dice."
    )


def test_leaves_are_clicked_in_the_order_of_the_search(look):
    page = look("#mode=order")
    expect(page.locator("#tree .severed")).to_have_count(0)
    for place in ("a.a", "a.c", "a.b", "b.a", "b.b", "c.a", "c.b"):
        node(page, place).click()
    expect(node(page, "a.c").locator(".more")).to_have_text("2.")
    button(page, "Check").click()
    assert verdicts(page) == [
        "Leaf a.b is visited before leaf a.c: the search goes down to the leaves from left to right.",
        "Leaf b.b is never visited, because it is cut: 2 ≤ α = 3: Min already has 2 here, and Max has 3 elsewhere, "
        "so Max will not come here.",
        "Leaf c.c is visited after leaf c.b, and you left it out.",
    ]
    button(page, "Clear").click()
    for place in ("a.a", "a.b", "a.c", "b.a", "c.a", "c.b", "c.c"):
        node(page, place).click()
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("All correct: 7 leaves are visited, in this order.")


def test_leaves_are_put_in_order_with_the_keyboard(look):
    page = look("#tree=max(min(3 12) min(2 4))&algorithm=alphabeta&mode=order")
    node(page, "root").focus()
    for key in (
        "ArrowDown",
        "ArrowDown",
        "Enter",
        "ArrowRight",
        "Enter",
        "ArrowUp",
        "ArrowRight",
        "ArrowDown",
        "Enter",
    ):
        page.keyboard.press(key)
    expect(node(page, "b.a")).to_be_focused()
    button(page, "Check").click()
    expect(page.locator(".praise")).to_have_text("All correct: 3 leaves are visited, in this order.")


def test_star2_visits_the_replies_of_its_probes_first(look):
    tree = "max(5 chance(1/2:min(4 9) 1/2:min(8 9)))"
    page = look(f"#tree={tree}&algorithm=star2&mode=order")
    for place in ("a", "b.a.a", "b.a.b", "b.b.a", "b.b.b"):
        node(page, place).click()
    button(page, "Check").click()
    assert verdicts(page) == [
        "Leaf b.b.a is visited before leaf b.a.b: Star2 first probes one reply to each outcome, "
        "and then searches the outcomes."
    ]


def test_the_head_has_two_rows_on_a_small_phone(look):
    head = look(width=360, height=740).locator(".head")
    icons = [head.get_by_role("button", name=name) for name in ("Light or dark", "Signs and keys")]
    assert len({icon.bounding_box()["y"] for icon in icons}) == 1
