"""The start page in a real browser: finding a game, going on with one, the way back, and the other entries."""

import re

import pytest
from playwright.sync_api import expect
from reading import violations
from serving import serving

pytestmark = pytest.mark.plain

OWN = """
from zermelo import Game
class Race(Game):
    "Whoever reaches ten wins."
    def initial(self): return (0, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(1, min(3, 10 - state[0]) + 1)
    def result(self, state, step): return (state[0] + step, 1 - state[1])
    def utility(self, state, player): return -1 if player == state[1] else 1
"""


def link(page, name):
    return page.locator(".start").get_by_role("link", name=name)


def test_every_game_has_a_picture_under_its_proper_name(visit):
    page = visit()
    expect(link(page, "Connect Four").locator("svg")).to_be_visible()
    titles = page.locator(".start h2").all_inner_texts()
    assert titles[1:3] == ["For two", "With dice and luck"]
    assert "" not in page.locator(".shelf b").all_inner_texts()
    expect(page.locator('.start[aria-busy="false"]')).to_be_visible()
    with_letters = page.locator(".thumb[data-letter]")
    assert page.locator(".thumb svg").count() == page.locator(".thumb").count() - with_letters.count() > 20


def test_one_click_starts_a_game_and_back_leads_to_the_games(visit):
    page = visit()
    link(page, "Connect Four").click()
    page.locator('.board [data-cell="3"]').click()
    expect(page.locator(".moves .played")).to_have_count(2)
    page.go_back()
    expect(page.get_by_role("heading", name="What would you like to play?")).to_be_visible()
    page.locator(".recent").get_by_role("link", name=re.compile("Connect Four")).click()
    expect(page.locator(".moves .played")).to_have_count(2)
    page.get_by_role("link", name="Zermelo").click()
    expect(link(page, "Chess")).to_be_visible()


def test_a_game_is_found_and_opened_by_keyboard(visit):
    page = visit()
    page.keyboard.press("/")
    page.keyboard.type("tic")
    expect(page.locator(".start .entry b")).to_have_text("Tic-Tac-Toe")
    page.keyboard.press("Enter")
    expect(page.locator(".title b")).to_have_text("Tic-Tac-Toe")
    expect(page.locator("main")).to_be_focused()
    page.get_by_role("link", name="Zermelo").press("Enter")
    expect(link(page, "Chess")).to_be_visible()  # what was searched for is forgotten
    expect(page.locator("main")).to_be_focused()


def test_a_search_without_a_result_leads_back_to_all_games(visit):
    page = visit()
    page.get_by_label("Search for a game").fill("ludo")
    page.get_by_role("button", name="Show all games").click()
    expect(link(page, "Chess")).to_be_visible()


def test_an_unknown_game_in_the_address_leads_to_the_start_page(visit):
    page = visit("#game=ludo")
    expect(page.get_by_role("alert")).to_contain_text("there is no game 'ludo' here")
    expect(link(page, "Chess")).to_be_visible()
    visit.faults.clear()  # the server refused it


def test_the_ways_to_look_inside_to_practise_and_to_make_a_game(visit):
    page = visit()
    assert link(page, re.compile("^Inside")).get_attribute("href") == "/inside"
    assert "mode=prune" in link(page, re.compile("^Exercises")).get_attribute("href")
    page.get_by_role("button", name=re.compile("^Your own game")).click()
    expect(page.get_by_role("textbox", name="The command")).to_have_value("zermelo serve mygame.py")


def test_the_rules_that_it_shows_are_a_game_that_works(visit, tmp_path):
    page = visit()
    page.get_by_role("button", name=re.compile("^Your own game")).click()
    file = tmp_path / "mygame.py"
    file.write_text(page.get_by_role("textbox", name="The rules").input_value())
    from zermelo import find
    from zermelo.testing import assert_conformant

    assert_conformant(find(str(file)))


def test_games_that_are_served_come_first(browser_of, tmp_path):
    (tmp_path / "race.py").write_text(OWN)
    with serving(tmp_path, str(tmp_path / "race.py")) as address:
        page = browser_of()
        page.goto(address)
        expect(page.locator(".title b")).to_have_text("Race")
        page.get_by_role("link", name="Zermelo").click()
        expect(page.locator(".start h2").nth(1)).to_have_text("Your own games")
        page.locator("section").first.get_by_role("link").click()
        expect(page.locator(".title b")).to_have_text("Race")


def test_the_options_of_the_last_game_are_remembered(visit):
    page = visit("#game=hexapawn")
    page.get_by_role("button", name="New game").click()
    page.get_by_label("columns").fill("4")
    page.get_by_text("Black", exact=True).last.click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".moves .played")).to_have_count(1)  # the computer begins
    page.get_by_role("link", name="Zermelo").click()
    link(page, "Hexapawn").last.click()
    expect(page.locator(".title b")).to_have_text("Hexapawn (columns 4)")
    expect(page.get_by_label("Who plays White")).to_have_value("auto")
    expect(page.get_by_label("Who plays Black")).to_have_value("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, scheme):
    page = visit(color_scheme=scheme)
    expect(page.locator(".thumb svg.zermelo").first).to_be_visible()
    assert violations(page) == []
    for name in ("Preferences", re.compile("^Your own game")):
        page.get_by_role("button", name=name).click()
        assert violations(page) == []
        page.keyboard.press("Escape")


def test_on_a_phone_nothing_is_cut_off(visit):
    page = visit(width=390, height=844)
    expect(page.locator(".thumb svg.zermelo").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


HELD = """() => {
    const [frame, timeout] = [window.requestAnimationFrame, window.setTimeout];
    window.requestAnimationFrame = (write) => { window.write = write; };
    window.goAway = () => {
        location.hash = "#game=nim";
        Object.assign(window, { requestAnimationFrame: frame, setTimeout: (write) => write() });
        window.write();
        window.setTimeout = timeout;
    };
}"""


def test_the_address_of_a_game_is_not_written_over_where_a_person_goes(visit):
    """Dice that rolled in the same moment as a click on a link kept the person in the old game."""
    page = visit("#game=hexapawn&moves=b1b2+a3b2")
    page.wait_for_timeout(200)  # the address is written
    page.evaluate(HELD)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".turn")).to_have_text("Black is thinking")
    page.evaluate("window.goAway()")
    expect(page.locator(".title b")).to_have_text("Nim")


def test_the_way_back_to_all_games_begins_at_the_top(visit):
    page = visit("#game=connect-four", height=500)
    page.get_by_role("link", name="Zermelo").click()
    expect(page.locator("main.start")).to_be_focused()
    assert page.evaluate("scrollY") == 0
