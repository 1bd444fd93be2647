"""`zermelo play`: whole sessions, typed as a person would."""

import pytest

from zermelo.arena.records import read_records
from zermelo.games import find

pytestmark = pytest.mark.plain


def board(*rows):
    return "\n".join(f"{3 - number} │ {'  '.join(row)} │" for number, row in enumerate(rows))


def test_a_full_game_of_hexapawn_between_two_people(zermelo):
    """Gardner's shortest win for Black: the pawns trade, and the last one walks home."""
    said = zermelo("play", "hexapawn", "--vs", "human", keys="b1b2\nc3b2\na1b2\na3a2\nc1c2\na2a1\n")
    assert said.code == 0
    assert "White, your move:" in said.out
    assert "Black wins." in said.out
    assert "moves: b1b2 c3b2 a1b2 a3a2 c1c2 a2a1" in said.out
    assert board("·p·", "·PP", "p··") in said.out.replace("(", " ").replace(")", " ")


def test_the_rules_and_the_seats_are_reported_first(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "random", keys="quit\n").out
    assert out.startswith(
        "Hexapawn\nHexapawn: pawns only; reach the far side, or leave your opponent no move.\nPawns step"
    )
    assert "You are White.\nBlack is the computer (random).\n" in out
    assert out.index("Pawns step") < out.index("┌")


def test_the_level_of_the_computer_is_named(zermelo):
    out = zermelo("play", "hexapawn", "--level", "2", keys="b1b2\nquit\n").out
    assert "Black is the computer (level 2: beginner).\n" in out
    assert "Black plays" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--level", "11"], "there is no level 11; the levels are 1 to 10, the strongest"),
        (["--level", "hard"], "a level is a whole number from 1 to 10, not 'hard'"),
        (["--level", "2", "--vs", "human"], "human has no levels; leave out --level"),
    ],
)
def test_what_is_wrong_with_a_level_is_said(zermelo, words, sentence):
    said = zermelo("play", "hexapawn", *words)
    assert (said.code, sentence in said.err) == (2, True)


def test_the_other_seat_lets_the_engine_start(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "random", "--as", "2", keys="quit\n").out
    assert "White is the computer (random).\nYou are Black.\n" in out
    assert out.index("White plays") < out.index("Your move:")


def test_watching_two_engines(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "random", "--as", "0", "--seed", "1").out
    assert "your move" not in out.lower()
    assert "White plays" in out
    assert "Black plays" in out
    assert " wins." in out


@pytest.mark.parametrize("text", ["b1b2", "B1B2", "b", "b1", "2", " b1b2 "])
def test_a_move_by_notation_by_its_start_or_by_its_number(zermelo, text):
    out = zermelo("play", "hexapawn", "--vs", "human", keys=f"{text}\n").out
    assert "moves: b1b2\n" in out


def test_where_moves_are_numbers_a_number_is_a_move(zermelo):
    """Column 7 of Connect Four, not the seventh in a list that has lost its first column."""
    full = "moves: " + "1 " * 6
    out = zermelo("play", "connect-four", full, "--vs", "human", keys="moves\n7\n").out
    assert "moves: 1 1 1 1 1 1 7" in out
    assert "2  3  4  5  6  7" in out
    assert "number" not in out


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("z9", "z9 is not a move here; try a1a2, b1b2 or c1c2"),
        ("9", "9 is not a move here"),
        ("0", "0 is not a move here"),
        ("", "Type a move, as in a1a2, or help."),
        ("hnit", "hnit is not a move here"),
        ("undo", "You have no move to take back yet."),
    ],
)
def test_wrong_input_gets_one_sentence_and_the_question_again(zermelo, text, answer):
    out = zermelo("play", "hexapawn", "--vs", "human", keys=f"{text}\nb1b2\n").out
    assert answer in out
    assert "moves: b1b2" in out


def test_an_ambiguous_start_asks_for_more(zermelo):
    out = zermelo("play", "nim", "--vs", "human", keys="a\na2\n").out
    assert "a can be a1 or a2 or a3; type a little more" in out
    assert "moves: a2" in out


def test_moves_are_listed_with_their_numbers(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "human", keys="moves\n").out
    assert "1:a1a2  2:b1b2  3:c1c2" in out


def test_help_names_every_command(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "human", keys="help\n").out
    for word in ("moves", "hint", "undo", "eval", "position", "save", "resign", "quit"):
        assert f"\n  {word} " in out
    assert "Type a move, as in a1a2, and press Enter." in out


def test_the_board_shows_the_last_move_and_not_one_that_was_taken_back(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "human", keys="b1b2\nundo\n").out
    first, second, third = (part.split("└")[0] for part in out.split("┌")[1:])
    assert "(P)" in second
    assert "(·)" in second
    assert first == third
    assert "(" not in first


def test_squares_of_checkers_are_numbered_as_moves_are_written(zermelo):
    out = zermelo("play", "checkers", "--vs", "human", keys="11-15\n").out
    assert " 9-12 │     b       b      (11)     b  │\n13-16 │ 13      14     (b)      16     │" in out


def test_undo_goes_back_to_the_users_turn(zermelo):
    out = zermelo("play", "tic-tac-toe", "--vs", "random", "--seed", "1", keys="a1\nundo\nb2\n").out
    final = next(line for line in out.splitlines() if line.startswith("moves: "))
    assert final.split()[1] == "b2"
    assert len(final.split()) == 3


def test_undo_between_people_takes_back_one_move(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "human", keys="a1a2\nb3a2\nundo\nb3b2\n").out
    assert "moves: a1a2 b3b2" in out


def test_undo_does_not_change_the_dice(zermelo):
    """The same roll comes again, so undo cannot be used to get a better one."""
    keys = "roll\nundo\nroll\nundo\nroll\n"
    out = zermelo("play", "pig", "--vs", "human", "--seed", "2", keys=keys).out
    rolls = [line for line in out.splitlines() if line.startswith("The dice:") or "The dice:" in line]
    assert len(rolls) == 3
    assert len({roll.split("The dice:")[1] for roll in rolls}) == 1


def test_dice_are_rolled_and_shown(zermelo):
    out = zermelo("play", "pig", "--vs", "human", "--seed", "2", keys="r\nh\n").out
    assert "The dice: " in out
    assert "turn total" in out


@pytest.mark.compiled
def test_the_hint_is_the_best_move_with_its_promise(zermelo):
    out = zermelo("play", "hexapawn", ".p./P../..P w", "--vs", "human", keys="hint\n").out
    assert "Hint: a2b3 - White wins in 1 ply" in out


@pytest.mark.compiled
def test_eval_shows_a_value_for_every_move(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "human", keys="eval\n").out
    for move in ("a1a2", "b1b2", "c1c2"):
        assert f"{move}  = −1" in out


@pytest.mark.compiled
def test_eval_shows_a_value_for_every_move_of_a_large_game(zermelo):
    out = zermelo("play", "connect-four", "--vs", "human", "--depth", "2", keys="eval\n").out
    for move in range(1, 8):
        assert f" {move}  ~ " in out


def test_position_prints_what_can_be_typed_again(zermelo):
    out = zermelo("play", "hexapawn", "--vs", "human", keys="a1a2\nposition\n").out
    assert "ppp/P../.PP b\nmoves: a1a2\n" in out


def test_save_writes_a_record_that_can_be_replayed(zermelo, tmp_path):
    path = tmp_path / "my game.jsonl"
    zermelo("play", "hexapawn", "--vs", "human", keys=f"a1a2\nb3a2\nsave {path}\n")
    record = read_records(path)[0]
    assert record.moves == ("a1a2", "b3a2")
    assert record.agents == ("human", "human")
    assert (record.ending, record.result) == ("unfinished", None)
    referee = record.replay(find(record.game))
    assert referee.game.format_state(referee.state) == "p.p/p../.PP w"


def test_a_game_saved_from_a_position_remembers_it(zermelo, tmp_path):
    path = tmp_path / "game.jsonl"
    zermelo("play", "hexapawn", ".p./P../..P w", "--vs", "human", keys=f"c1c2\nsave {path}\n")
    record = read_records(path)[0]
    assert record.start == ".p./P../..P w"
    assert len(record.replay(find("hexapawn")).turns) == 1


def test_a_file_that_cannot_be_written_does_not_end_the_game(zermelo, tmp_path):
    out = zermelo("play", "hexapawn", "--vs", "human", keys=f"save {tmp_path}/no/file\na1a2\n").out
    assert "cannot be written" in out
    assert "moves: a1a2" in out


def test_a_game_from_a_file_can_be_gone_on_with_as_it_was_begun(zermelo, tmp_path):
    path = tmp_path / "my game.py"
    path.write_text("from zermelo.games.hexapawn import Hexapawn\n\n\nclass Mine(Hexapawn):\n    pass\n")
    out = zermelo("play", path, "--vs", "human", keys="a1a2\n").out
    assert f"zermelo play '{path}' 'moves: a1a2'" in out


def test_resigning_ends_the_game(zermelo):
    said = zermelo("play", "hexapawn", "--vs", "human", keys="a1a2\nresign\n")
    assert said.code == 0
    assert "Black resigns." in said.out


@pytest.mark.parametrize("keys", ["quit\n", "q\n", "exit\n", ""])
def test_leaving_is_graceful(zermelo, keys):
    said = zermelo("play", "hexapawn", "--vs", "human", keys=keys)
    assert said.code == 0
    assert said.out.rstrip().endswith("Good-bye.")
    assert said.err == ""


def test_control_c_at_the_prompt_is_graceful(zermelo, monkeypatch):
    def interrupted(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    said = zermelo("play", "hexapawn", "--vs", "human")
    assert said.code == 0
    assert "Good-bye." in said.out


def test_winning_against_the_engine_is_praised(zermelo):
    out = zermelo("play", "hexapawn", ".p./P../..P w", "--vs", "random", keys="a2b3\n").out
    assert "White wins - well done!" in out


def test_losing_is_reported_without_praise(zermelo):
    out = zermelo("play", "hexapawn", "..p/p../..P w", "--vs", "random", "--seed", "3", keys="c1c2\n").out
    assert "Black wins." in out


def test_a_draw_is_a_draw(zermelo):
    keys = "b2\na1\na2\nc2\nb1\nb3\na3\nc1\nc3\n"
    assert "A draw." in zermelo("play", "tic-tac-toe", "--vs", "human", keys=keys).out


def test_three_people_share_a_table(zermelo):
    keys = "1\n2\n3\n1\n2\n4\n1\n"
    out = zermelo("play", "trio", "--vs", "human", keys=keys).out
    assert "T, your move:" in out
    assert "X wins (X 3, O 0, T 0)." in out


@pytest.mark.compiled
def test_the_strong_opponent_wins_the_game_it_has_won(zermelo):
    """The second player wins hexapawn; `auto` proves that and wins."""
    out = zermelo("play", "hexapawn", "--vs", "auto", keys="1\n" * 10).out
    assert "Black wins." in out
