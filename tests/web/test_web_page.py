"""The page in a real browser: games by mouse, by keyboard and by typing; what survives a reload; who can read it."""

import json
import re

import pytest
from playwright.sync_api import expect
from reading import violations

pytestmark = pytest.mark.plain


def cell(page, number):
    return page.locator(f'.board [data-cell="{number}"]')


def played(page):
    return page.locator(".moves > li:not(.branches) .played")


def seat_people(page, seats=2):
    """Give every seat to a person."""
    for seat in range(seats):
        page.locator(".seat").nth(seat).locator("select").first.select_option("")
        expect(page.locator(".seat").nth(seat).locator("select")).to_have_count(1)


def wait_for_moves(page, count):
    expect(played(page)).to_have_count(count)


# -- playing ---------------------------------------------------------------------------------------


def test_a_game_by_mouse_with_clicks_and_drags(visit):
    page = visit("#game=hexapawn")
    seat_people(page)
    cell(page, 7).click()
    expect(cell(page, 7)).to_have_attribute("aria-pressed", "true")
    cell(page, 4).click()
    wait_for_moves(page, 1)
    cell(page, 0).drag_to(cell(page, 4))
    wait_for_moves(page, 2)
    cell(page, 6).drag_to(cell(page, 4))
    wait_for_moves(page, 3)
    cell(page, 2).click()
    cell(page, 5).click()
    wait_for_moves(page, 4)
    cell(page, 4).click(force=True)
    cell(page, 1).click(force=True)  # blocked: that is where a pawn stands
    wait_for_moves(page, 4)
    cell(page, 8).click(force=True)
    expect(page.locator(".overlay .target")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".turn")).to_have_text("Black to move")
    cell(page, 2).click()
    cell(page, 4).click()
    expect(played(page).nth(3)).to_have_text("c3b2")
    expect(page.locator(".branches")).to_have_count(1)


def test_a_whole_game_by_mouse_against_the_computer(visit):
    page = visit("#game=tic-tac-toe")
    page.locator(".seat").nth(1).locator("select").first.select_option("random")
    for _ in range(5):
        free = page.locator(".board .useful")
        if not free.count():
            break
        before = played(page).count()
        free.first.click()
        expect(played(page).nth(before)).to_be_visible()
        expect(page.locator(".turn")).to_have_text(re.compile(r"Your turn|wins|draw"))
    expect(page.locator(".turn.over")).to_have_text(re.compile(r"wins|draw"))


def test_a_stone_falls_wherever_its_column_is_clicked(visit):
    page = visit("#game=connect-four")
    seat_people(page)
    cell(page, 3).click()
    wait_for_moves(page, 1)
    cell(page, 3).click()
    wait_for_moves(page, 2)
    expect(played(page)).to_have_text(["4", "4"])
    expect(cell(page, 31)).to_have_attribute("aria-label", re.compile("O "))


def test_redo_restores_undone_moves(visit):
    page = visit("#game=tic-tac-toe")
    seat_people(page)
    field = page.get_by_label("Type a move")
    for count, move in enumerate(("b2", "a1"), 1):
        field.fill(move)
        field.press("Enter")
        wait_for_moves(page, count)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('.moves [aria-current="true"]')).to_have_text("b2")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator('.moves [aria-current="true"]')).to_have_text("a1")


def test_a_whole_game_by_keyboard_alone(visit):
    page = visit("#game=tic-tac-toe")
    seat_people(page)
    page.get_by_role("button", name="Keys").focus()
    while page.evaluate("document.activeElement.dataset.cell === undefined"):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.cell") == "0"
    count = 0
    for key in ["Enter", "Down", "Enter", "Up", "Right", "Enter", "Down", "Space", "Up", "Right", "Enter"]:
        page.keyboard.press(key if key in ("Enter", "Space") else f"Arrow{key}")
        if key in ("Enter", "Space"):
            count += 1
            wait_for_moves(page, count)
    expect(page.locator(".turn.over")).to_have_text("X wins.")


def test_a_game_by_typed_moves(visit):
    page = visit("#game=connect-four")
    seat_people(page)
    field = page.get_by_label("Type a move")
    for count, move in enumerate("1213141", 1):
        field.fill(move)
        field.press("Enter")
        wait_for_moves(page, count)
    expect(page.locator(".turn.over")).to_have_text("X wins.")


def test_typing_offers_the_legal_moves(visit):
    page = visit("#game=hexapawn")
    expect(page.locator("#legal option")).to_have_count(0)
    page.get_by_label("Type a move").focus()
    expect(page.locator("#legal option")).to_have_count(3)


def test_a_move_draws_only_the_cells_that_it_changes(visit):
    page = visit("#game=hexapawn")
    seat_people(page)
    cells = page.locator(".board [data-cell]")
    cells.evaluate_all("cells => cells.forEach((cell) => (cell.wasHere = true))")
    cell(page, 7).drag_to(cell(page, 4))
    wait_for_moves(page, 1)
    kept = "cells => cells.filter((cell) => cell.wasHere).map((cell) => cell.dataset.cell)"
    assert cells.evaluate_all(kept) == ["0", "1", "2", "3", "5", "6", "8"]
    expect(cell(page, 4)).to_have_attribute("aria-label", re.compile("White"))
    expect(cell(page, 7)).to_have_attribute("aria-label", re.compile("empty"))


def test_a_wrong_move_gets_a_sentence(visit):
    page = visit("#game=hexapawn")
    page.get_by_label("Type a move").fill("z9")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("z9 is not a move here")


def test_moves_without_a_place_are_buttons_and_arrows_push(visit):
    page = visit("#game=2048")
    expect(page.get_by_role("group", name="Moves", exact=True).get_by_role("button")).not_to_have_count(0)
    before = played(page).count()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    expect(played(page).nth(before)).to_be_visible()


def test_where_arrows_play_they_never_take_back(visit):
    """In this position nothing moves to the left."""
    page = visit("#game=2048&position=2,4,2,4/4,2,4,2/2,4,2,4/.,.,.,.&moves=down+2@a4")
    expect(played(page)).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(500)
    expect(page.locator('.moves [aria-current="true"]')).to_have_text("2@a4")


def test_a_die_that_was_thrown_is_shown(visit):
    page = visit("#game=pig&moves=roll+5")
    expect(page.get_by_role("img", name="Rolled a 5")).to_have_text("⚄")
    expect(page.locator(".overlay .badge, .overlay .target")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".die")).to_have_count(0)


def test_ambiguous_touches_offer_the_moves(visit):
    page = visit("#game=nim")
    seat_people(page)
    cell(page, 1).click()
    offered = page.get_by_role("group", name="Moves", exact=True)
    expect(offered.get_by_role("button")).to_have_text(["b1", "b2", "b3", "b4", "Cancel"])
    offered.get_by_role("button", name="b3").click()
    wait_for_moves(page, 1)


def test_agents_play_each_other_and_can_be_paused(visit):
    page = visit("#game=hexapawn")
    page.evaluate("localStorage.setItem('zermelo.pace', '1500')")
    page.reload()
    for seat in range(2):
        page.locator(".seat").nth(seat).locator("select").first.select_option("random")
    wait_for_moves(page, 1)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(2500)
    wait_for_moves(page, 1)
    page.get_by_label("Pace").fill("3000")
    page.get_by_role("button", name="Play", exact=True).first.click()
    expect(page.locator(".turn.over")).to_be_visible()
    assert played(page).count() >= 3


# -- keeping ---------------------------------------------------------------------------------------


def test_a_reload_keeps_the_game_with_its_branches(visit):
    page = visit("#game=hexapawn")
    seat_people(page)
    field = page.get_by_label("Type a move")
    for count, move in enumerate(("b1b2", "a3b2"), 1):
        field.fill(move)
        field.press("Enter")
        wait_for_moves(page, count)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back").click()
    field.fill("c3b2")
    field.press("Enter")
    expect(page.locator(".branches .played")).to_have_text("⑂ a3b2")
    page.reload()
    expect(played(page)).to_have_text(["b1b2", "c3b2"])
    expect(page.locator(".branches .played")).to_have_text("⑂ a3b2")


def test_the_address_alone_brings_the_game_back_elsewhere(visit):
    page = visit("#game=hexapawn&o.cols=4&moves=b1b2+a3b2")
    expect(page.locator(".title b")).to_have_text("Hexapawn (columns 4)")
    expect(played(page)).to_have_text(["b1b2", "a3b2"])


def test_a_new_game_takes_options_from_the_game_s_parameters(visit):
    page = visit("#game=hexapawn")
    page.get_by_role("button", name="New game").click()
    page.get_by_label("rows").fill("4")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".title b")).to_have_text("Hexapawn (rows 4)")
    expect(page.locator(".board [data-cell]")).to_have_count(12)


def test_a_new_game_has_the_requested_number_of_seats(visit):
    page = visit("#game=chinese-checkers")
    page.get_by_role("button", name="New game").click()
    page.get_by_label("players", exact=True).fill("3")
    page.get_by_label("The computer plays with").select_option("random")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".title b")).to_have_text("Chinese Checkers (players 3)")
    agents = page.locator(".seat").locator("select:first-of-type")
    assert [one.input_value() for one in agents.all()] == ["", "random", "random"]


def test_an_option_may_change_how_many_play(visit):
    page = visit("#game=pacman")
    page.get_by_role("button", name="New game").click()
    page.get_by_label("ghosts", exact=True).fill("1")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".seat")).to_have_count(2)


def test_a_game_can_be_taken_over_as_text(visit):
    page = visit("#game=hexapawn")
    page.get_by_role("button", name="Position and game as text").click()
    page.get_by_label(re.compile("Import")).fill("moves: b1b2 a3b2")
    page.get_by_role("button", name="Import").click()
    expect(played(page)).to_have_text(["b1b2", "a3b2"])


def test_a_game_of_chess_is_given_and_taken_as_pgn(visit):
    page = visit("#game=chess&moves=e4+e5")
    page.get_by_role("button", name="Position and game as text").click()
    expect(page.get_by_label("PGN", exact=True)).to_have_value(re.compile(r"1\. e4 e5 \*"))
    page.get_by_label(re.compile("Import")).fill('[White "me"]\n\n1. d4 {good} d5 2. c4 1-0')
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Imported text: comments and marks are left out.")).to_be_visible()
    expect(played(page)).to_have_text(["d4", "d5", "c4"])


def test_a_transcript_of_othello_is_taken_over_with_its_moves(visit):
    page = visit("#game=othello")
    page.get_by_role("button", name="Position and game as text").click()
    page.get_by_label(re.compile("Import")).fill("f5d6c3d3c4")
    page.get_by_role("button", name="Import").click()
    expect(played(page)).to_have_text(["f5", "d6", "c3", "d3", "c4"])
    visit.faults.clear()  # it is no list of moves, which was tried first


# -- thinking --------------------------------------------------------------------------------------


def test_every_legal_move_has_a_value_and_a_proof_looks_like_one(visit):
    page = visit("#game=hexapawn", analysing="yes")
    expect(page.locator(".overlay .badge")).to_have_count(3)
    expect(page.locator(".lines .variation")).to_have_count(3)
    expect(page.locator(".lines .kind.exact")).to_have_text(["loss"] * 3)
    expect(page.locator(".verdict")).to_contain_text("proved")
    expect(page.locator(".bar")).to_have_attribute("aria-label", re.compile("White: .*proved"))


def test_the_best_moves_are_listed_and_the_others_on_demand(visit):
    page = visit("#game=breakthrough", analysing="yes")
    expect(page.locator(".lines .variation")).to_have_count(10)
    page.get_by_role("button", name="All 22 moves").click()
    expect(page.locator(".lines .variation")).to_have_count(22)
    page.get_by_role("button", name="Only the best 10").click()
    expect(page.locator(".lines .variation")).to_have_count(10)


def test_a_line_is_shown_when_it_is_pointed_at(visit):
    page = visit("#game=hexapawn", analysing="yes")
    page.locator(".lines .variation").first.hover()
    expect(page.locator(".board.preview")).to_be_visible()
    page.locator(".head h1").hover()
    expect(page.locator(".board.preview")).to_have_count(0)


def test_thinking_can_be_stopped(visit):
    page = visit("#game=connect-four", analysing="yes")
    stop = page.get_by_role("button", name="Stop")
    expect(page.locator(".lines .variation").first).to_be_visible()
    page.get_by_role("button", name="Deeper").click()
    stop.click()
    expect(stop).to_be_disabled(timeout=10_000)
    expect(page.locator(".lines .variation").first).to_be_visible()


def test_a_blunder_is_found_and_shown(visit):
    page = visit("#game=hexapawn&moves=a1a2+b3b2+c1c2")
    seat_people(page)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.locator(".moves .slip")).to_have_count(1)
    page.get_by_role("button", name="Next mistake").click()
    note = page.locator(".slip-note")
    expect(note).to_contain_text(
        re.compile(r"Blunder:\s+it gives away 100.% of the winning chances\. Better is b3a2\.")
    )
    note.get_by_role("button", name="It could go on with").focus()
    expect(page.locator(".board.preview")).to_be_visible()
    page.get_by_label("Type a move").focus()
    expect(page.locator(".board.preview")).to_have_count(0)
    expect(page.locator('.moves [aria-current="true"]')).to_have_text("b3b2??")
    expect(page.locator(".graph")).to_be_visible()


class Interrupter:
    """Stands between the page and the server's socket; `on_order` says what happens to the page's orders."""

    def __init__(self, on_order):
        self._on_order = on_order
        self.orders = []

    def __call__(self, socket):
        server = socket.connect_to_server()

        def order(text):
            self.orders.append(json.loads(text))
            if not self._on_order(socket, self.orders):
                server.send(text)

        socket.on_message(order)


def refuse(socket, order, error):
    socket.send(json.dumps({"event": "refused", "content": {"id": order.get("id"), "error": error}}))


def busy(socket, orders):
    if orders[-1]["do"] != "review":
        return False
    refuse(socket, orders[-1], "all workers are busy")
    return True


def test_a_review_that_is_refused_can_be_asked_for_again(visit):
    page = visit("#game=hexapawn&moves=a1a2+b3b2+c1c2", socket=Interrupter(busy))
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("all workers are busy")
    expect(page.get_by_role("button", name="Review", exact=True)).to_be_enabled()


def test_a_review_goes_on_while_the_page_is_away_and_all_tabs_see_it(visit):
    page = visit("#game=hexapawn&moves=a1a2+b3b2+c1c2")
    expect(page).to_have_url(re.compile("s="))
    other = visit("#" + page.url.partition("#")[2])
    page.get_by_role("button", name="Review", exact=True).click()
    page.reload()
    for tab in (page, other):
        expect(tab.get_by_role("button", name="Review", exact=True)).to_be_enabled()
        expect(tab.locator(".graph")).to_be_visible()
        expect(tab.locator(".moves .slip")).to_have_count(1)


# -- what the server refuses -----------------------------------------------------------------------


def seats_are_refused(socket, orders):
    if orders[-1]["do"] != "sit":
        return False
    refuse(socket, orders[-1], "a person at this seat would now see what is hidden")
    return True


def test_a_seat_that_is_refused_is_taken_back(visit):
    page = visit("#game=hexapawn", socket=Interrupter(seats_are_refused))
    who, level = (page.locator(".seat").nth(1).locator("select").nth(one) for one in range(2))
    level.select_option("1")
    expect(page.get_by_role("alert")).to_contain_text("would now see what is hidden")
    expect(level).to_have_value("4")
    who.select_option("")
    expect(page.locator(".seat").nth(1).locator("select")).to_have_count(2)
    expect(who).to_have_value("auto")
    cell(page, 7).drag_to(cell(page, 4))
    wait_for_moves(page, 2)  # the computer still answers


@pytest.mark.parametrize(("is_allowed", "label"), [("true", "Copied"), ("false", "Copy")])
def test_without_a_clipboard_only_what_was_copied_is_called_copied(visit, is_allowed, label):
    """Without https the page has no clipboard."""
    page = visit("#game=hexapawn")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.evaluate(f"document.execCommand = (what) => what === 'copy' && {is_allowed}")
    page.get_by_role("button", name="Position and game as text").click()
    button = page.get_by_role("button", name="Copy: Position")
    button.click()
    expect(button).to_have_text(label)
    assert page.evaluate("document.activeElement.value") == "ppp/.../PPP w"


def test_the_level_is_kept_in_the_next_game(visit):
    page = visit("#game=hexapawn")
    level = page.get_by_label(re.compile("Level of"))
    level.select_option("1")
    page.get_by_role("button", name="New game").click()
    expect(page.locator("dialog select[name=level]")).to_have_value("1")
    page.get_by_role("button", name="Start").click()
    expect(level).to_have_value("1")
    page.get_by_role("link", name="Zermelo").click()
    page.get_by_role("link", name="Tic-Tac-Toe").click()
    expect(page.locator(".title b")).to_have_text("Tic-Tac-Toe")
    expect(level).to_have_value("1")


# -- reading ---------------------------------------------------------------------------------------


KINDS_OF_BOARD = {
    "2048": "2048",
    "backgammon": "Backgammon",
    "go": "Go",
    "kalah": "Kalah",
    "kuhn": "Kuhn",
    "liars-dice": "Liar's Dice",
    "matrix": "Matrix",
    "nim": "Nim",
    "pacman": "Pac-Man",
    "pig": "Pig",
    "tree": "Game Tree",
}


@pytest.mark.parametrize(
    ("scheme", "boards"),
    [
        ("light", slice(0, None, 2)),
        ("dark", slice(1, None, 2)),
        pytest.param("light", slice(1, None, 2), marks=pytest.mark.long),
        pytest.param("dark", slice(0, None, 2), marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing_on_any_kind_of_board_and_in_no_dialog(visit, scheme, boards):
    page = visit("#game=hexapawn", color_scheme=scheme, analysing="yes")
    expect(page.locator(".lines .variation")).to_have_count(3)
    assert violations(page) == []
    for name in ("New game", "Position and game as text", "Preferences", "Keys"):
        page.get_by_role("button", name=name, exact=True).click()
        assert violations(page) == [], name
        page.keyboard.press("Escape")
    for game, title in list(KINDS_OF_BOARD.items())[boards]:
        page.evaluate(f"location.hash = '#game={game}'")
        expect(page.locator(".title b")).to_contain_text(title)
        expect(page.locator(".board svg")).to_be_visible()
        assert violations(page) == [], game


@pytest.mark.parametrize("game", ["chess", "backgammon", "pacman", "nim"])
def test_on_a_phone_nothing_is_cut_off(visit, game):
    page = visit(f"#game={game}", width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator(".board svg").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_the_theme_can_be_chosen_and_is_remembered(visit):
    page = visit("#game=nim", color_scheme="light")
    page.get_by_role("button", name="Light or dark").click()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(14, 17, 20)"
    page.reload()
    page.wait_for_selector(".board svg")
    assert page.evaluate(ground) == "rgb(14, 17, 20)"
