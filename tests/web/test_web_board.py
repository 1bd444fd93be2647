"""The board in a real browser: turned, in motion, with values beside the pieces, heard, marked, swiped."""

import re

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.plain

HEARD = "document.querySelector('[role=log]').innerText.trim().split('\\n').filter(Boolean)"
COUNT_MOTIONS = """
const { animate } = Element.prototype;
window.motions = 0;
Element.prototype.animate = function (...rest) {
  window.motions += 1;
  return animate.apply(this, rest);
};
"""
COVERED = """
() => {
  const boxes = (selector) => Array.from(document.querySelectorAll(selector), (one) => one.getBoundingClientRect());
  const overlap = (a, b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 0 && high > 0 ? (wide * high) / (a.width * a.height) : 0;
  };
  const badges = boxes(".overlay .badge rect");
  const pieces = boxes(".board .cell > g, .board .cell > circle[class^=owner], .board .pile > circle");
  const worst = (all, one) => Math.max(0, ...all.filter((other) => other !== one).map((other) => overlap(one, other)));
  return {
    count: badges.length,
    pieces: Math.max(...badges.map((one) => worst(pieces, one))),
    badges: Math.max(...badges.map((one) => worst(badges, one))),
  };
}
"""


def cell(page, number):
    return page.locator(f'.board [data-cell="{number}"]')


def middle(page, number):
    """Where a cell is, in one step: the next move may draw it again."""
    where = """(number) => {
        const box = document.querySelector(`.board [data-cell="${number}"]`).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }"""
    return tuple(page.evaluate(where, number))


def seat(page, number, agent):
    """Give a seat to a person, "", or to an agent."""
    page.locator(".seat").nth(number).locator("select").first.select_option(agent)


def typed(page, *moves):
    field = page.get_by_label("Type a move")
    for move in moves:
        field.fill(move)
        field.press("Enter")
        expect(field).to_have_value("")


# -- turning ---------------------------------------------------------------------------------------


def test_the_board_is_turned_for_the_second_player_and_by_hand(visit):
    page = visit("#game=hexapawn")
    assert middle(page, 0)[1] < middle(page, 8)[1]
    seat(page, 0, "random")
    seat(page, 1, "")
    turn = page.get_by_role("button", name="Turn")
    expect(turn).to_have_attribute("aria-pressed", "true")
    assert middle(page, 0)[0] > middle(page, 8)[0]
    assert middle(page, 0)[1] > middle(page, 8)[1]
    page.keyboard.press("f")
    expect(turn).to_have_attribute("aria-pressed", "false")
    assert middle(page, 0)[1] < middle(page, 8)[1]
    seat(page, 0, "")
    expect(turn).to_have_attribute("aria-pressed", "true")  # it was turned by hand


def test_on_a_turned_board_arrows_clicks_and_names_follow(visit):
    page = visit("#game=hexapawn")
    seat(page, 1, "")
    page.get_by_role("button", name="Turn").click()
    files = page.locator(".board .file")
    lefts = [file.bounding_box()["x"] for file in files.all()]
    assert files.all_text_contents() == ["a", "b", "c"]
    assert lefts == sorted(lefts, reverse=True)
    cell(page, 7).click()
    cell(page, 4).click()
    expect(page.locator(".moves .played")).to_have_text(["b1b2"])
    cell(page, 0).focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.cell") == "3"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.cell") == "4"


@pytest.mark.parametrize(("game", "first", "last"), [("backgammon", 0, 23), ("chinese-checkers", 0, 120)])
def test_other_boards_turn_as_their_players_do(visit, game, first, last):
    """In backgammon the home stays on the right."""
    page = visit(f"#game={game}")
    before = middle(page, first)
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Turn")).to_have_attribute("aria-pressed", "true")
    assert middle(page, last) == pytest.approx(before, abs=1)


def test_a_rack_cannot_be_turned(visit):
    page = visit("#game=connect-four")
    expect(page.get_by_role("button", name="Turn")).to_have_count(0)


# -- motion ----------------------------------------------------------------------------------------


def test_pieces_move_without_delaying_the_next_click(visit):
    page = visit("#game=hexapawn")
    seat(page, 1, "")
    page.evaluate(f"() => {{ {COUNT_MOTIONS} }}")
    for count, (start, end) in enumerate(((7, 4), (0, 4), (6, 4)), 1):
        cell(page, start).click(force=True)
        cell(page, end).click(force=True)
        expect(page.locator(".moves .played")).to_have_count(count)
    assert page.evaluate("window.motions") >= 6
    expect(page.locator(".board .overlay > g > g")).to_have_count(0)


def test_nothing_moves_for_who_asked_for_less_motion(visit):
    page = visit("#game=connect-four", reduced_motion="reduce")
    seat(page, 1, "")
    page.evaluate(f"() => {{ {COUNT_MOTIONS} }}")
    typed(page, "4", "4")
    expect(page.locator(".moves .played")).to_have_count(2)
    assert page.evaluate("window.motions") == 0


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fragment", "least"),
    [
        ("chess", 10),
        ("chinese-checkers", 5),
        ("connect-four&moves=4+4+3", 6),
        ("kalah", 6),
        ("nim", 3),
        ("pacman:ghosts=0", 2),
        ("backgammon&moves=62", 3),
    ],
)
def test_values_stand_beside_the_pieces_and_never_on_each_other(visit, fragment, least):
    fragment = fragment.replace(":ghosts=0", "&o.ghosts=0")
    page = visit(f"#game={fragment}", analysing="yes")
    expect(page.locator(".overlay .badge").nth(least - 1)).to_be_visible()
    found = page.evaluate(COVERED)
    assert found["badges"] == 0
    assert found["pieces"] <= 0.3


# -- room ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tic-tac-toe", "hexapawn", "chess"])
def test_boards_fill_the_room_that_is_there(visit, game):
    page = visit(f"#game={game}")
    assert page.locator(".board svg").bounding_box()["height"] > 0.7 * 900
    assert page.locator("div.tools").bounding_box()["y"] < 900


@pytest.mark.parametrize("game", ["chess", "pacman", "tic-tac-toe"])
def test_on_a_phone_the_board_has_the_full_width(visit, game):
    page = visit(f"#game={game}", width=390, height=844)
    assert page.locator(".board svg").bounding_box()["width"] == pytest.approx(390, abs=1)


# -- reading ---------------------------------------------------------------------------------------


def test_a_full_game_against_the_computer_can_be_heard(visit):
    """What the log says is what was played: each move once, whose turn it is, and the result."""
    page = visit("#game=tic-tac-toe")
    seat(page, 1, "random")
    for _ in range(5):
        before = page.locator(".moves .played").count()
        page.locator('.board [aria-disabled="false"]').first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".moves .played").nth(before)).to_be_visible()
        expect(page.locator(".turn")).to_have_text(re.compile("Your turn|wins|draw", re.IGNORECASE))
        if page.locator(".turn.over").count():
            break
    moves = page.locator(".moves .played").all_text_contents()
    outcome = page.locator(".turn").text_content()
    expected = [f"{'XO'[ply % 2]} plays {move}." for ply, move in enumerate(moves)]
    expected[1:-1:2] = [f"{text} X to move." for text in expected[1:-1:2]]
    expected[-1] += f" {outcome}"
    assert page.evaluate(HEARD) == expected
    expect(page.get_by_role("log")).not_to_have_attribute("aria-live", "off")


def test_a_knight_is_called_a_knight(visit):
    page = visit("#game=chess")
    seat(page, 1, "")
    typed(page, "e4", "Nf6")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".turn")).to_have_text("Black to move")
    assert page.evaluate(HEARD) == [
        "White plays pawn e4. Black to move.",
        "Black plays knight f6. White to move.",
        "After pawn e4. Black to move.",
    ]


def test_cells_say_whether_they_can_be_played(visit):
    page = visit("#game=hexapawn")
    states = [cell(page, number).get_attribute("aria-disabled") for number in range(9)]
    assert states == ["true"] * 6 + ["false"] * 3
    cell(page, 7).click()
    expect(cell(page, 4)).to_have_attribute("aria-disabled", "false")


def switch_letters(page):
    page.get_by_role("button", name="Preferences").click()
    dialog = page.locator("#dialog-preferences")
    dialog.get_by_label(re.compile("Single letters are keys")).click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_single_letters_can_be_switched_off(visit):
    page = visit("#game=hexapawn")
    switch_letters(page)
    page.keyboard.press("f")
    page.keyboard.press("n")
    turn = page.get_by_role("button", name="Turn")
    expect(turn).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#dialog-new")).to_be_hidden()
    switch_letters(page)
    page.keyboard.press("f")
    expect(turn).to_have_attribute("aria-pressed", "true")


def test_every_button_has_a_name_in_words(visit):
    page = visit("#game=2048", has_touch=True, is_mobile=True)
    names = page.get_by_role("button").evaluate_all("all => all.map((one) => one.ariaLabel ?? one.textContent.trim())")
    assert [name for name in names if not re.search("[A-Za-z]{2}", name)] == []


# -- arrows and marks ------------------------------------------------------------------------------


def drag_with_the_right_button(page, start, end):
    page.mouse.move(*middle(page, start))
    page.mouse.down(button="right")
    page.mouse.move(*middle(page, end))
    page.mouse.up(button="right")


def test_arrows_and_marks_are_drawn_kept_and_cleared(visit):
    page = visit("#game=hexapawn")
    seat(page, 1, "")
    typed(page, "b1b2")
    arrows, marks = page.locator(".overlay .arrow.drawn"), page.locator(".overlay .mark.drawn")
    drag_with_the_right_button(page, 0, 4)
    cell(page, 8).click(button="right", force=True)
    expect(arrows).to_have_count(1)
    expect(marks).to_have_count(1)
    page.get_by_role("button", name="Back").click()
    expect(arrows).to_have_count(0)
    page.get_by_role("button", name="Forward").click()
    expect(arrows).to_have_count(1)
    cell(page, 8).click(button="right", force=True)
    expect(marks).to_have_count(0)
    page.keyboard.press("Escape")
    expect(arrows).to_have_count(0)
    cell(page, 0).focus()
    page.keyboard.press("Shift+Enter")
    expect(marks).to_have_count(1)
    typed(page, "a3b2")
    expect(marks).to_have_count(0)
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".turn")).to_have_text("Black to move")
    expect(marks).to_have_count(0)


def test_the_line_that_is_pointed_at_begins_with_an_arrow(visit):
    page = visit("#game=hexapawn", analysing="yes")
    page.locator(".lines .variation").first.hover()
    expect(page.locator(".overlay .arrow.suggested")).to_have_count(1)
    page.locator(".head h1").hover()
    expect(page.locator(".overlay .arrow.suggested")).to_have_count(0)


# -- touching --------------------------------------------------------------------------------------


def swipe(page, right, down):
    """A finger that is moved over the board."""
    x, y = middle(page, 5)
    fire = """([x, y, right, down]) => {
      const send = (type, x, y) => document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(type,
        { bubbles: true, pointerType: "touch", clientX: x, clientY: y, pointerId: 7 }));
      send("pointerdown", x, y);
      send("pointermove", x + right, y + down);
      send("pointerup", x + right, y + down);
    }"""
    page.evaluate(fire, [x, y, right, down])


def test_a_swipe_and_a_pad_push_the_tiles(visit):
    page = visit(
        "#game=2048&position=2,4,2,4/4,2,4,2/2,4,2,./.,.,.,.", width=390, height=844, has_touch=True, is_mobile=True
    )
    moves = page.locator(".moves .played:not(.dice)")
    swipe(page, 60, 5)
    expect(moves).to_have_text(["right"])
    pad = page.get_by_role("group", name="Directions")
    way = pad.locator("button:enabled").first
    name = way.get_attribute("aria-label")
    way.tap()
    expect(moves).to_have_text(["right", name])
    assert violations(page) == []


def test_a_pad_is_only_for_touch_screens(visit):
    page = visit("#game=2048")
    expect(page.get_by_role("group", name="Directions")).to_have_count(0)


def test_where_one_piece_moves_its_neighbours_can_be_touched(visit):
    page = visit("#game=pacman&o.ghosts=0")
    page.locator(".board .useful:not(.movable)").first.click()
    expect(page.locator(".moves .played")).to_have_count(1)
