"""`games`, `best`, `solve`, `tree`, `perft` and `check`: the answer for people, and the keys for programs."""

import xml.etree.ElementTree as ElementTree

import pytest

from zermelo.core.guards import suitable_algorithms
from zermelo.games import all_games, find

ANALYSIS_KEYS = [
    "schema",
    "game",
    "position",
    "to_move",
    "agent",
    "seed",
    "value",
    "kind",
    "best",
    "line",
    "distance",
    "moves",
    "stats",
    "limit",
    "stopped",
    "notes",
]
MOVE_KEYS = ["move", "value", "kind", "depth", "nodes", "line"]


# -- games -----------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_all_games_are_listed_with_the_public_keys(zermelo):
    found = zermelo("games", "--json").json["games"]
    assert [game["name"] for game in found] == [game.name for game in all_games()]
    keys = ["name", "title", "players", "zero_sum", "chance", "hidden", "parameters", "algorithms"]
    assert all(list(game) == keys for game in found)
    hexapawn = next(game for game in found if game["name"] == "hexapawn")
    assert hexapawn["parameters"] == {"rows": 3, "cols": 3}
    assert hexapawn["algorithms"] == suitable_algorithms(find("hexapawn"))


@pytest.mark.plain
def test_the_table_says_kind_options_and_algorithms(zermelo):
    out = zermelo("games").out
    assert "pig               Pig               2        dice                target=100" in out.splitlines()
    assert "hexapawn          Hexapawn          2                            rows=3,cols=3" in out.splitlines()
    assert "trio, pacman: maxn paranoid bestreply expectimax mcts solve random" in out.splitlines()


@pytest.mark.plain
def test_one_game_is_reported_in_full(zermelo):
    out = zermelo("games", "hexapawn:rows=4").out
    assert out.startswith("Hexapawn (rows 4), hexapawn:rows=4\n")
    assert "Invented by Martin Gardner" in out
    assert "4 │ p  p  p │" in out
    assert "options     rows=4,cols=3" in out
    assert zermelo("games", "pig", "--json").json["games"][0]["chance"] is True


# -- best ------------------------------------------------------------------------------------------------


def test_best_answers_with_the_public_keys(zermelo):
    found = zermelo("best", "hexapawn", "--agent", "alphabeta", "--depth", "3", "--json").json
    assert list(found) == ANALYSIS_KEYS
    assert all(list(move) == MOVE_KEYS for move in found["moves"])
    assert list(found["limit"]) == ["time", "nodes", "depth"]
    assert found["limit"] == {"time": None, "nodes": None, "depth": 3}
    assert {"nodes", "seconds", "nodes_per_second", "depth"} <= set(found["stats"])
    assert found["agent"] == "alphabeta"


def test_best_searches_two_seconds_by_default(zermelo):
    found = zermelo("best", "hexapawn", "--agent", "alphabeta", "--json").json
    assert found["limit"] == {"time": 2.0, "nodes": None, "depth": None}
    assert found["stopped"] == "done"


def test_best_finds_the_winning_move(zermelo):
    """White steps through: c2 is free and nothing can stop the pawn on b2."""
    out = zermelo("best", "hexapawn", "p../.P./... w", "--agent", "alphabeta").out
    assert "best b2" in out
    assert "value = 1 for White, proved" in out


def test_a_position_may_be_moves_with_or_without_quotes(zermelo):
    quoted = zermelo("best", "hexapawn", "moves: b1b2 a3b2", "--agent", "minimax", "--depth", "2", "--json").json
    bare = zermelo("best", "hexapawn", "moves:", "b1b2", "a3b2", "--agent", "minimax", "--depth=2", "--json").json
    assert quoted["position"] == bare["position"] == ".pp/.p./P.P w"
    assert quoted["best"] == bare["best"]


def test_a_limit_in_nodes_and_a_seed_give_the_same_answer_twice(zermelo):
    def answer():
        found = zermelo("best", "connect-four", "--agent", "alphabeta", "--nodes", "2k", "--json").json
        return {**found, "stats": {**found["stats"], "seconds": 0, "nodes_per_second": 0}}

    assert answer() == answer()
    assert answer()["stopped"] == "nodes"


def test_three_players_have_three_values(zermelo):
    found = zermelo("best", "trio", "--agent", "maxn", "--depth", "2", "--json").json
    assert len(found["value"]) == 3


def test_auto_says_what_it_chose(zermelo):
    out = zermelo("best", "connect-four", "--depth", "2").out
    assert "\nauto chose alpha-beta for connect-four: two players" in out


# -- solve -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "verdict"),
    [
        ("hexapawn", "hexapawn: Black (second player) wins"),  # FACTS: 3 rows, s at 3 columns
        pytest.param(
            "hexapawn:rows=4,cols=4",
            "hexapawn:rows=4,cols=4: White (first player) wins",  # FACTS: F
            marks=pytest.mark.plain,
        ),
        ("tic-tac-toe", "tic-tac-toe: a draw"),
        ("nim", "nim: player 1 wins"),  # 3 xor 4 xor 5 is not 0
        pytest.param("nim:heaps=1-2-3", "nim:heaps=1-2-3: player 2 wins", marks=pytest.mark.plain),
    ],
)
def test_solve_says_who_wins(zermelo, game, verdict):
    said = zermelo("solve", game)
    assert said.code == 0
    first = said.out.splitlines()[0]
    assert first.startswith(verdict)
    assert "with best play; proved with" in first


def test_solve_answers_with_the_public_keys(zermelo):
    found = zermelo("solve", "hexapawn", "--json").json
    assert [key for key in found if key != "distance_kind"] == ANALYSIS_KEYS
    assert found["distance_kind"] == "exact"
    assert found["kind"] == "exact"
    assert found["value"] == [-1, 1]
    assert isinstance(found["distance"], int)


def test_solve_gives_up_within_its_budget(zermelo):
    said = zermelo("solve", "connect-four", "--time", "300ms")
    assert said.code == 1
    assert "connect-four" in said.err.splitlines()[-1]


# -- tree ------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_lecture_tree_shows_what_alpha_beta_skips(zermelo):
    """Max of three min nodes over (3,12,8) (2,4,6) (14,5,2): value 3; 4 and 6 are cut."""
    said = zermelo("tree", "tree")
    assert said.code == 0
    assert said.out.startswith("▲ 3")
    assert said.out.count("✂ 2 ≤ α = 3") == 2
    assert said.err == ""


@pytest.mark.plain
def test_the_tree_for_programs(zermelo):
    found = zermelo("tree", "tree", "--json").json
    assert list(found) == ["schema", "game", "position", "algorithm", "depth", "nodes", "cut", "tree"]
    assert (found["algorithm"], found["depth"], found["nodes"], found["cut"]) == ("alphabeta", None, 11, 2)
    root = found["tree"]
    assert root["value"] == 3
    assert root["window"] == [None, None]
    assert [child["value"] for child in root["children"]] == [3, 2, 2]
    assert root["children"][1]["children"][1]["kind"] == "cut"


@pytest.mark.plain
def test_minimax_looks_at_everything(zermelo):
    found = zermelo("tree", "tree", "--algorithm", "minimax", "--json").json
    assert (found["nodes"], found["cut"]) == (13, 0)


@pytest.mark.plain
def test_your_own_tree_is_solved(zermelo):
    """½·8 + ⅓·24 + ⅙·(-12) = 10."""
    found = zermelo("tree", "tree:chance(0.5:8 1/3:24 1/6:-12)", "--algorithm", "expectiminimax", "--json")
    assert found.json["tree"]["value"] == pytest.approx(10)


@pytest.mark.plain
def test_the_drawing_is_well_formed(zermelo, tmp_path):
    path = tmp_path / "tree.svg"
    said = zermelo("tree", "tree", "--svg", path)
    assert said.out == f"{path}: 11 nodes, 2 branches cut\n"
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


@pytest.mark.plain
def test_a_large_tree_is_drawn_to_three_plies_and_says_so(zermelo):
    said = zermelo("tree", "connect-four", "--most", "10")
    assert said.code == 0
    assert said.err == "note: the tree is too large to draw in full; these are its first 3 plies (see --depth)\n"


# -- perft -----------------------------------------------------------------------------------------------


def test_perft_agrees_with_the_known_counts(zermelo):
    found = zermelo("perft", "connect-four", "--depth", "6", "--json").json
    assert list(found) == ["schema", "game", "position", "depth", "leaves", "seconds"]
    assert (found["depth"], found["leaves"]) == (6, 117_649)


def test_perft_shows_every_depth(zermelo):
    lines = zermelo("perft", "tic-tac-toe", "--depth", "5").out.splitlines()
    assert [line.split()[2] for line in lines[1:]] == ["9", "72", "504", "3,024", "15,120"]


def test_divide_adds_up(zermelo):
    found = zermelo("perft", "hexapawn", "--depth", "3", "--divide", "--json").json
    assert sum(found["divide"].values()) == found["leaves"] == 28
    lines = zermelo("perft", "hexapawn", "--depth", "3", "--divide").out.splitlines()
    assert len(lines) == 4


# -- check -----------------------------------------------------------------------------------------------

BROKEN = """
from zermelo.core.game import Game

class Broken(Game):
    def initial(self):
        return 3

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield from range(1, state + 1)

    def result(self, state, action):
        return state - action

    def utility(self, state, player):
        return 1
"""


def test_our_games_keep_the_contract(zermelo):
    said = zermelo("check", "nim", "--games", "3")
    assert said.code == 0
    assert "✗" not in said.out
    assert said.out.rstrip().endswith("checks passed.")


@pytest.mark.plain
def test_check_has_the_public_keys(zermelo):
    found = zermelo("check", "nim", "--games", "3", "--json").json
    assert list(found) == ["schema", "game", "conformant", "checks"]
    assert all(list(check) == ["name", "passed", "detail"] for check in found["checks"])


def test_a_broken_game_fails_with_code_1_and_says_where(zermelo, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    said = zermelo("check", f"{path}:Broken", "--games", "3")
    assert said.code == 1
    assert "✗ zero sum" in said.out
    assert "should sum to 0" in " ".join(said.out.split())
    assert zermelo("check", path, "--games", "3", "--json").code == 1
