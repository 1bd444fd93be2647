import xml.etree.ElementTree as ET
from dataclasses import replace
from math import nan

import pytest

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.errors import UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.draw import analysis_html, analysis_text, show, show_analysis, show_tree
from zermelo.draw.analyses import sort_moves
from zermelo.games import find
from zermelo.games.hexapawn import Hexapawn
from zermelo.search import Mcts
from zermelo.textbook.trace import Node

pytestmark = pytest.mark.plain

GAME = Hexapawn()
MOVES = (
    MoveAnalysis("b1b2", (-1, 1), "upper", 3, 12345, None, ("b1b2", "a3b2")),
    MoveAnalysis("a1a2", (0.5, -0.5), "exact", 7, 500, None, ("a1a2", "b3a2")),
    MoveAnalysis("c1c2", (0.25, -0.25), "estimate", 7, 500),
)
STATS = {"nodes": 123456, "seconds": 0.31234, "nodes_per_second": 395260.3, "depth": 9, "table_hits": 3}
ANSWER = Analysis(
    game="hexapawn",
    position="ppp/.../PPP w",
    to_move=0,
    agent="alphabeta",
    value=(0.5, -0.5),
    kind="exact",
    action="a1a2",
    actions=("a1a2", "b3a2"),
    distance=8,
    moves=MOVES,
    stats=STATS,
    stopped="time",
    notes=("a note",),
)


def test_an_analysis_is_a_table_with_the_best_move_first():
    assert analysis_text(ANSWER, GAME) == (
        "hexapawn · ppp/.../PPP w · White to move\n"
        "alphabeta: best a1a2; value = 0.5 for White, proved; 8 plies to the end\n"
        "\n"
        "* a1a2  = 0.5      depth 7, 500 nodes  b3a2\n"
        "  c1c2  ~ 0.25     depth 7, 500 nodes\n"
        "  b1b2  ≤ −1    depth 3, 12,345 nodes  a3b2\n"
        "\n"
        "line: a1a2 b3a2\n"
        "\n"
        "123,456 nodes · 0.312 s · 395,260 nodes/s · depth 9 · stopped by time\n"
        "a note"
    )


def test_moves_with_the_most_simulations_come_first():
    """A single won game does not rank above a thousand games with some wins; proved losses come last."""
    tried = {"often": (0.1, 900), "most": (0.2, 1000), "once": (1.0, 1), "lost": (-1.0, 950), "never": (nan, 0)}
    moves = tuple(
        MoveAnalysis(name, (value, -value), "exact" if name == "lost" else "estimate", visits=visits)
        for name, (value, visits) in tried.items()
    )
    analysis = Analysis("hexapawn", "", 0, "mcts", (0.2, -0.2), "estimate", "most", moves=moves)
    assert [move.move for move in sort_moves(analysis)] == ["most", "often", "once", "never", "lost"]


def test_one_of_anything_is_not_called_many():
    moves = (
        MoveAnalysis("a1a2", (1, -1), "exact", 1, 1),
        MoveAnalysis("b1b2", (0, 0), "estimate", visits=1),
    )
    stats = {"nodes": 1, "simulations": 1, "nodes_per_second": 1.2}
    told = analysis_text(Analysis("", "", 0, "", (1, -1), "exact", distance=1, moves=moves, stats=stats), GAME)
    for one in ("1 ply to the end", "depth 1, 1 node\n", "1 visit\n", "\n1 node · 1 simulation · 1 node/s"):
        assert one in f"{told}\n"


def test_the_second_player_sees_their_own_value():
    theirs = Analysis("hexapawn", "", 1, "minimax", (1, -1), "exact")
    assert "value = −1 for Black, proved" in analysis_text(theirs, GAME)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("exact", "value = 1 for White, proved"),
        ("lower", "value ≥ 1 for White, proved to be at least this"),
        ("upper", "value ≤ 1 for White, proved to be at most this"),
        ("estimate", "value ~ 1 for White, an estimate"),
    ],
)
def test_a_proof_never_looks_like_a_guess(kind, told):
    answer = Analysis("hexapawn", "", 0, "alphabeta", (1, -1), kind)
    assert analysis_text(answer, GAME).split("\n")[1] == f"alphabeta: {told}"


def test_values_that_do_not_cancel_are_shown_for_every_player():
    answer = Analysis(
        "trio", "", 2, "maxn", (5, 2, 5), "exact", "a", moves=(MoveAnalysis("a", (5, 2, 5), "exact", visits=1500),)
    )
    text = analysis_text(answer, GAME)
    assert "value = (5, 2, 5), proved" in text
    assert "* a  = (5, 2, 5)  1,500 visits" in text


def test_one_move_that_does_not_cancel_makes_all_values_pairs():
    moves = (MoveAnalysis("a", (1, -1), "exact"), MoveAnalysis("b", (1, 1), "exact"))
    text = analysis_text(Analysis("dilemma", "", 0, "maxn", (1, -1), "exact", "a", moves=moves), GAME)
    assert "= (1, −1)" in text
    assert "= (1, 1)" in text


def test_before_a_roll_the_first_players_value_is_shown():
    text = analysis_text(Analysis("pig", "", -1, "expectiminimax", (0.25, -0.25), "estimate"), GAME)
    assert text.split("\n") == [
        "pig · chance to move",
        "expectiminimax: value ~ 0.25 for White, an estimate",
    ]


def test_an_unknown_value_is_a_question_mark():
    assert "value ~ (?, ?), an estimate" in analysis_text(Analysis("pig", "", 0, "mcts", (nan, nan), "estimate"), GAME)


def test_long_lines_are_clipped_at_80_columns():
    answer = Analysis("g", "", 0, "a", (0, 0), "exact", "m", ("move",) * 50, moves=(
        MoveAnalysis("m", (0, 0), "exact", actions=("m",) + ("move",) * 50),
    ))  # fmt: skip
    rows = analysis_text(answer, GAME).split("\n")
    assert max(map(len, rows)) == 80
    assert sum(row.endswith("…") for row in rows) == 2


def test_the_html_has_a_row_for_each_move_and_marks_the_best():
    tree = ET.fromstring(analysis_html(ANSWER))
    rows = [[cell.text for cell in row] for row in tree.iter("tr")]
    assert rows == [
        ["move", "value", "effort", "then"],
        ["a1a2", "= 0.5", "depth 7, 500 nodes", "b3a2"],
        ["c1c2", "~ 0.25", "depth 7, 500 nodes", "–"],
        ["b1b2", "≤ −1", "depth 3, 12,345 nodes", "a3b2"],
    ]
    assert [row.get("class") for row in tree.iter("tr")] == [None, "best", None, None]
    assert "player 1 to move" in tree[1].text


def test_hostile_names_stay_text():
    hostile = "<script>alert(1)</script>&\"'\x1b[2J"
    moves = (MoveAnalysis(hostile, (0, 0), "exact", actions=(hostile,)),)
    answer = Analysis(hostile, hostile, 0, hostile, (0, 0), "exact", hostile, (hostile,), moves=moves, notes=(hostile,))
    html = analysis_html(answer)
    assert "<script" not in html
    assert next(cell.text for cell in ET.fromstring(html).iter("td")) == hostile.replace("\x1b", "�")
    assert "\x1b" not in analysis_text(answer, GAME)


# -- notebooks -------------------------------------------------------------------------------------


def test_a_notebook_shows_pictures_and_a_terminal_shows_text():
    board, tree = show(GAME), show_tree(Node(None, "max", 0, value=1))
    assert board._repr_svg_().startswith("<svg")
    assert tree._repr_svg_().startswith("<svg")
    assert board._repr_html_() is None
    assert repr(board).startswith("  ┌──")
    assert repr(tree).startswith("▲ 1")


def test_show_takes_any_state():
    after = GAME.result(GAME.initial(), next(iter(GAME.actions(GAME.initial()))))
    assert repr(show(GAME, after)) != repr(show(GAME))


def test_an_analysis_shows_as_html_with_the_names_of_the_players():
    figure = show_analysis(ANSWER, GAME)
    assert "White to move" in figure._repr_html_()
    assert figure._repr_svg_() is None
    assert repr(figure) == analysis_text(ANSWER, GAME)


def test_the_result_of_a_search_is_shown_in_a_notebook():
    """The last word of a cell is drawn, without being asked to."""
    assert "White to move" in ANSWER._repr_html_()
    assert Node(None, "max", 0, value=1)._repr_svg_() == show_tree(Node(None, "max", 0, value=1)).svg
    referee = Referee.at(GAME, "moves: b1b2")
    assert referee._repr_svg_() == show(GAME, referee.state).svg
    assert referee._repr_html_() is None


def test_an_answer_about_an_unknown_game_is_shown_too():
    unknown = replace(ANSWER, game="a-game-of-my-own")
    assert "player 1 to move" in unknown._repr_html_()


def test_win_rates_of_simulated_games_are_shown_in_per_cent():
    """A pawn or a point means nothing where games were played to the end; margins stay margins."""
    game = find("breakthrough")
    found = Mcts(game, 1, techniques=[]).think(None, Limit(nodes=30), seed=1)
    assert f"value ~ {50 + 50 * found.value[0]:.1f} % for " in analysis_text(found, game)
    margins = find("go:size=3,margin=true,komi=0")
    text = analysis_text(Mcts(margins, 1, techniques=[]).think(None, Limit(nodes=5), seed=1), margins)
    assert "%" not in text


def test_show_takes_texts_as_the_command_does():
    referee = Referee.at(find("tic-tac-toe"), "moves: a1 b2")
    wanted = repr(show(referee.game, referee.state))
    assert repr(show("tic-tac-toe", "moves: a1 b2")) == wanted
    assert repr(show(referee.game, referee.game.format_state(referee.state))) == wanted
    with pytest.raises(UsageError, match="a game is a Game"):
        show(7)


@pytest.mark.parametrize(
    ("distance", "kind", "words"),
    [
        (None, "exact", "proved\n"),
        (1, "exact", "proved; 1 ply to the end\n"),
        (8, "exact", "proved; 8 plies to the end\n"),
        (8, "upper", "proved; at most 8 plies to the end\n"),
    ],
)
def test_a_distance_that_is_an_upper_bound_is_shown_as_one(distance, kind, words):
    found = Analysis("", "", 0, "solve", (1, -1), "exact", distance=distance, distance_kind=kind)
    assert words in analysis_text(found, GAME) + "\n"
