"""Hints, the end of a game, and the level that follows the results, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.plain

ONE_BEFORE = "#game=connect-four&moves=1+2+1+2+1+2"
"""A person wins in the first column."""


def cell(page, number):
    return page.locator(f'.board [data-cell="{number}"]')


def win(page):
    cell(page, 0).click()
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()


def record(page):
    return json.loads(page.evaluate("localStorage.getItem('zermelo.level.connect-four')") or "null")


def test_the_analysis_is_off_until_it_is_asked_for_and_stays_in_its_game(visit):
    page = visit(ONE_BEFORE)
    page.evaluate("localStorage.removeItem('zermelo.analysing')")
    page.reload()
    expect(page.get_by_role("switch", name="Analysis")).not_to_be_checked()
    expect(page.locator(".bar")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator(".bar")).to_be_visible()
    page.reload()
    expect(page.get_by_role("switch", name="Analysis")).to_be_checked()
    page.get_by_role("link", name="Zermelo").click()
    page.get_by_role("link", name="Hexapawn").click()
    expect(page.locator(".title b")).to_have_text("Hexapawn")
    expect(page.get_by_role("switch", name="Analysis")).not_to_be_checked()


def test_a_hint_shows_one_good_move_and_why(visit):
    page = visit(ONE_BEFORE)
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_have_text(re.compile(r"^Try 1: wins at once\."))
    expect(page.locator(".overlay .badge")).to_have_text("hint")
    expect(page.locator(".lines")).to_have_count(0)
    assert violations(page) == []
    win(page)
    expect(page.locator(".hint")).to_have_count(0)


def test_a_hint_can_be_clicked_for(visit):
    page = visit("#game=hexapawn&moves=b1b2+a3b2")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint b")).to_have_text(re.compile("^[ac]1b2$"))


def test_a_win_is_said_in_words_and_played_again(visit):
    page = visit(ONE_BEFORE, reduced_motion="no-preference")
    win(page)
    expect(page.locator(".ending")).to_contain_text("X wins, after 7 moves.")
    expect(page.locator(".celebration i").first).to_be_attached()
    assert violations(page) == []
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_text("No moves have been played yet.")).to_be_visible()
    expect(page.locator(".ending")).to_have_count(0)
    expect(page.get_by_label("Who plays X")).to_have_value("")


def test_sides_are_swapped_on_wish(visit):
    page = visit(ONE_BEFORE)
    win(page)
    page.get_by_role("button", name="Swap sides").click()
    expect(page.locator(".moves .played")).to_have_count(1)  # the computer begins
    expect(page.get_by_label("Who plays O")).to_have_value("")


def test_a_reload_does_not_celebrate_again_and_nothing_moves_if_that_is_preferred(visit):
    page = visit(ONE_BEFORE, reduced_motion="reduce")
    win(page)
    assert page.locator(".celebration i").first.evaluate("one => getComputedStyle(one).animationName") == "none"
    page.reload()
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(page.locator(".celebration")).to_have_count(0)


def test_the_celebration_can_be_switched_off(visit):
    page = visit(ONE_BEFORE)
    page.get_by_role("button", name="Preferences").click()
    page.get_by_role("switch", name=re.compile("Celebrate")).uncheck()
    page.get_by_role("button", name="Close").click()
    win(page)
    expect(page.locator(".celebration")).to_have_count(0)


def test_a_finished_game_can_be_reviewed(visit):
    page = visit("#game=tic-tac-toe&moves=a1+b1+a2+b2+a3")
    expect(page.locator(".ending")).to_contain_text("X wins, after 5 moves.")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".moves .slip")).not_to_have_count(0)


def test_two_wins_raise_the_level(visit):
    page = visit(ONE_BEFORE)
    page.get_by_label("Level of O").select_option("2")
    expect(page.locator(".error")).to_have_count(0)
    win(page)
    expect(page.locator(".ending")).not_to_contain_text("The next game")
    assert (record(page)["level"], record(page)["streak"]) == (2, 1)
    page.goto(page.url.partition("#")[0] + ONE_BEFORE)
    expect(page.locator(".turn")).to_have_text("Your turn")
    win(page)
    expect(page.locator(".ending")).to_contain_text("The next game is at level 3")
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_label("Level of O")).to_have_value("3")


def test_a_win_with_help_or_in_a_fixed_level_does_not_count(visit):
    page = visit(ONE_BEFORE)
    page.keyboard.press("h")
    expect(page.locator(".hint b")).to_be_visible()
    win(page)
    assert record(page) is None
    page.evaluate("localStorage.setItem('zermelo.adaptive', 'no')")
    page.goto(page.url.partition("#")[0] + ONE_BEFORE)
    expect(page.locator(".turn")).to_have_text("Your turn")
    win(page)
    assert record(page) is None


TEXT_AND_ROOM = """select => {
  const style = getComputedStyle(select), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const arrow = 16, text = pen.measureText(select.selectedOptions[0].text).width;
  return [text + arrow, select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)];
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_no_level_is_cut_off(visit, width):
    """In chess the levels have long names."""
    page = visit("#game=chess", width=width)
    level = page.get_by_label("Level of Black")
    for number in (4, 10):
        level.select_option(str(number))
        expect(level).to_have_value(str(number))
        for select in (page.get_by_label("Who plays Black"), level):
            needed, room = select.evaluate(TEXT_AND_ROOM)
            assert needed <= room + 1


def test_the_clock_of_the_side_to_move_runs_and_the_next_game_has_the_same_one(visit):
    page = visit("#game=hexapawn")
    page.get_by_role("button", name="New game").click()
    page.get_by_text("Two people").click()
    page.get_by_label("Time").select_option("1 minute each")
    page.get_by_role("button", name="Start").click()
    clocks = page.get_by_role("timer")
    expect(clocks).to_have_text([re.compile(r"^(1:00|0:5\d)$"), "1:00"])
    expect(clocks.first).to_have_class(re.compile("running"))
    cell(page, 7).click()
    cell(page, 4).click()
    expect(clocks.nth(1)).to_have_class(re.compile("running"))
    expect(clocks.first).not_to_have_class(re.compile("running"))
    assert violations(page) == []
    page.reload()
    expect(clocks).to_have_count(2)
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_label("Time").locator("option:checked")).to_have_text("1 minute each")
