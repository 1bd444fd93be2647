"""Games in which positions may repeat are solved by what both players can force; known values and brute force agree."""

import json
import random
import re

import pytest
from mazes import LABYRINTHS, HalfPoints, Labyrinth, Maze, Rooms, TimedRooms, TooLarge, brute_force

from zermelo.arena.agents import SolveAgent
from zermelo.cli.answers import show_solution
from zermelo.core.errors import NotProved, Refused
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games.go import Go
from zermelo.kernel import U64, is_enabled, mix
from zermelo.search.runtime import Request
from zermelo.solve import solve
from zermelo.solve.by_forcing import ByForcing, payoffs
from zermelo.solve.forcing import Forcing
from zermelo.solve.ranks import UNRANKED

RULES = [Repetition.FORBIDDEN, Repetition.DRAW_AT_TWO, Repetition.DRAW_AT_THREE]
interpreted = pytest.mark.filterwarnings("ignore:.*runs interpreted")

# -- brute force ------------------------------------------------------------------------------------------------------


def labyrinths(kind, seeds, largest):
    """Random mazes after a few random moves, with the first player's value."""
    game = kind()
    for seed in seeds:
        rng = random.Random(seed)
        referee = Referee(game, game.start(seed))
        for _ in range(rng.choice([0, 0, 1, 2, 4])):
            if len(referee.legal()) > 0:
                referee.play(rng.choice(referee.legal()))
        if not referee.is_over:
            try:
                yield seed, referee, brute_force(referee, largest)
            except TooLarge:
                continue


def must_be_true(referee, truth, limit):
    """Nothing that `solve` claims contradicts brute force; whether the value is proved."""
    game, mover = referee.game, referee.to_move
    try:
        found = solve(game, referee, limit, memory_mb=1)
    except NotProved as error:
        low, high = re.search(r"lies in \[(\S+), (\S+)\]", str(error)).groups()
        assert float(low) <= truth <= float(high)
        return False
    assert (found.kind, found.value) == ("exact", (truth, -truth))
    assert sorted(move.move for move in found.moves) == sorted(str(action) for action in referee.legal())
    assert found.best == found.moves[0].move
    for move in found.moves:
        referee.play_text(move.move)
        value = brute_force(referee)
        referee.undo()
        assert move.value[0] == value if move.kind == "exact" else (move.value[0] - value) * (-1) ** mover >= 0
    return True


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.both if kind in (Labyrinth, LABYRINTHS[2]) else pytest.mark.plain)
        for kind in LABYRINTHS
    ],
    ids=lambda kind: kind.name,
)
def test_brute_force_agrees_on_small_mazes(kind):
    """Whatever repetition means, with moves played before, clocks, and rooms where the same player moves again."""
    proved = tried = 0
    for _, referee, truth in labyrinths(kind, [*range(60 if is_enabled() else 50), 158, 228], 120):
        tried += 1
        proved += must_be_true(referee, truth, Limit(nodes=2_000))
    assert tried > 20
    assert proved >= 0.8 * tried


@pytest.mark.long
@pytest.mark.parametrize("kind", LABYRINTHS, ids=lambda kind: kind.name)
def test_brute_force_agrees_on_many_mazes(kind):
    for _, referee, truth in labyrinths(kind, range(1000, 3000), 1500):
        must_be_true(referee, truth, Limit(nodes=5_000))


@pytest.mark.plain
@interpreted
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_brute_force_agrees_on_large_mazes(rule):
    """Seed 258 was wrong under superko: an answer was remembered that a path with more positions contradicts."""
    for seed in [*range(6), 258]:
        game = Maze(seed, rule)
        try:
            truth = brute_force(Referee(game), 3_000)
        except TooLarge:
            continue
        assert must_be_true(Referee(game), truth, Limit(nodes=20_000)), seed


@pytest.mark.plain
@interpreted
@pytest.mark.parametrize("first", ["NQ", "QN"])
def test_an_answer_is_not_used_on_a_path_that_forbids_its_moves(first):
    """From N the first player wins by way of P, unless play has come through P."""
    doors = {"R": first, "N": "PD", "Q": "P", "P": "NC", "C": 1, "D": -1}
    game = Rooms(doors, {"R": 1, "N": 0, "Q": 0, "P": 1}, Repetition.FORBIDDEN)
    assert brute_force(Referee(game)) == -1
    assert solve(game, memory_mb=1).value == (-1, 1)


@pytest.mark.plain
@interpreted
@pytest.mark.parametrize("first", ["AX", "XA"])
@pytest.mark.parametrize("still", [0, 3])
def test_a_last_position_counts_as_repeated_too(first, still):
    """At S the first player wins by ending the game in X, unless play has come through X."""
    doors = {"R": first, "A": "S", "X": "S", "S": "XY", "Y": "R"}
    movers, pays = {"R": 1, "A": 0, "X": 0, "S": 0, "Y": 0}, {"R": 0, "A": 0, "X": 1, "S": 0, "Y": -1}
    game = TimedRooms(doors, movers, pays, 3, still, Repetition.FORBIDDEN)
    assert brute_force(Referee(game)) == -1
    assert solve(game, memory_mb=1).value == (-1, 1)


@pytest.mark.plain
@interpreted
def test_a_position_of_the_game_so_far_is_not_yet_drawn():
    """At its second occurrence of three, play goes on: from L the first player loses."""
    doors = {"L": "AX", "A": "L", "X": -1}
    game = Rooms(doors, {"L": 1, "A": 0}, Repetition.DRAW_AT_THREE)
    referee = Referee(game)
    referee.play(0)
    assert brute_force(referee) == -1
    assert solve(game, referee, memory_mb=1).value == (-1, 1)


@pytest.mark.both
@pytest.mark.no_cover
@pytest.mark.parametrize("kind", [Labyrinth, LABYRINTHS[2]], ids=lambda kind: kind.name)
def test_whatever_the_limit_the_interval_holds_the_value(kind):
    for _, referee, truth in list(labyrinths(kind, range(40), 100))[:3]:
        for nodes in range(1, 60):
            must_be_true(referee, truth, Limit(nodes=nodes))


# -- the questions ----------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_half_points_are_distinguished():
    """The question for -0.5 and that for +0.5 share no answers."""
    forcing = Forcing(HalfPoints(), 1)
    salts = set()
    for forcer in (0, 1):
        for wanted in payoffs(forcing.game):
            forcing.is_forced(forcing.game.initial(), forcer, wanted, 0)
            salts.add(forcing.salt)
    assert len(salts) == 10


@pytest.mark.plain
def test_the_ends_of_the_scale_and_a_draw_are_among_the_payoffs():
    """Otherwise the highest payoff asked for would pass for the highest there is."""

    class Skewed(HalfPoints):
        utility_range = (-1, 1.5)

    assert payoffs(Skewed()) == [-1, 0, 1, 1.5]
    assert payoffs(HalfPoints()) == [-1.5, -0.5, 0, 0.5, 1.5]


@pytest.mark.plain
@interpreted
def test_a_best_move_with_the_number_zero_is_kept():
    """The move that forced the most, not one that forced less before, although nothing is asked after the value."""

    class Late(ByForcing):
        def allow_more(self):
            self.watch.out_of_time = True
            self.halt()

    game = Rooms({"S": "FD", "F": "W", "D": 0, "W": 1}, {"S": 0, "F": 1}, Repetition.FORBIDDEN)
    method = Late(Request(Referee(game)), Forcing(game, 1))
    assert method.answer().best == "0"


@pytest.mark.plain
@interpreted
def test_moves_need_not_be_numbers():
    class Named(Rooms):
        def actions(self, state):
            yield from self.doors[state] if not self.is_terminal(state) else ""

        def result(self, state, action):
            return action

    game = Named({"S": "LAW", "A": "S", "L": -1, "W": 1}, {"S": 0, "A": 1}, Repetition.FORBIDDEN)
    found = solve(game, memory_mb=1)
    assert (found.value, found.best) == ((1, -1), "W")


@pytest.mark.both
def test_it_says_whether_it_ran_compiled():
    game = Labyrinth()
    found = solve(game, game.start(3), memory_mb=1)
    assert found.stats["compiled"] == is_enabled()
    assert ("it ran interpreted" in found.notes) == (not is_enabled())


@pytest.mark.plain
def test_payoffs_without_limits_are_refused():
    class Endless(Labyrinth):
        utility_range = (float("-inf"), float("inf"))

    with pytest.raises(Refused, match="finite utility_range"):
        solve(Endless(), memory_mb=1)


@pytest.mark.plain
def test_a_rank_that_found_no_room_is_never_taken_for_a_higher_one():
    forcing, rng, least = Forcing(Labyrinth(), 1), random.Random(1), {}
    forcing.is_forced(forcing.game.initial(), 0, 1.0, 0)
    ranks = forcing.workspace.ranks
    ranks.groups = U64(2)
    for _ in range(500):
        spot, height = mix(U64(rng.randrange(40))), rng.randrange(60)
        ranks.lower(spot, height)
        least[spot] = min(height, least.get(spot, UNRANKED))
        assert all(ranks.rank_of(known) <= rank for known, rank in least.items())
    assert max(ranks.rank_of(known) - rank for known, rank in least.items()) == 0


# -- Go ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "margin", "best", "nodes"),
    [(2, 1, None, 13_000), pytest.param(3, 9, "B2", 20_000, marks=pytest.mark.long)],
)
def test_small_boards_of_go(size, margin, best, nodes):
    """Black's margins by area, with superko: 2x2 +1, 3x3 +9 [van der Werf, 2003; Tromp].

    With the move numbers of mirror images as table moves, 3x3 took 26,996 nodes.
    """
    found = solve(Go(size, komi=0, margin=True), limit=Limit(time=60), memory_mb=16)
    assert (found.value, found.kind) == ((margin, -margin), "exact")
    assert best is None or found.best == best
    assert found.stats["nodes"] < nodes


def test_komi_changes_the_margin_and_nothing_else():
    for halves in range(-4, 5):
        found = solve(Go(2, komi=halves / 2, margin=True), limit=Limit(time=60), memory_mb=1)
        assert found.value == (1 - halves / 2, halves / 2 - 1)


@pytest.mark.long
def test_the_board_of_four_by_four():
    """Black wins by two points [van der Werf, 2003]."""
    found = solve(Go(4, komi=0, margin=True), limit=Limit(time=1800))
    assert (found.value, found.kind) == ((2, -2), "exact")


# -- the history ------------------------------------------------------------------------------------------------------

LONG_KO = "moves: B2 A1 B1 A2 B1 B2 B1 A1 A2 pass B2"


def test_the_command_and_the_agent_know_the_moves_before(capsys):
    """White wins by four points, because Black may not take back; without the history Black would win."""
    game = Go(2, komi=0, margin=True)
    referee = Referee.at(game, LONG_KO)
    assert solve(game, referee, memory_mb=1).value == (-4, 4)
    assert SolveAgent(memory_mb=1).choose(referee).value == (-4, 4)
    show_solution("go:size=2,komi=0,margin=true", LONG_KO, Limit(), 1, {}, as_json=True)
    assert json.loads(capsys.readouterr().out)["value"] == [-4, 4]


def test_the_agent_plays_only_legal_moves():
    game, agent = Labyrinth(), SolveAgent(limit=Limit(nodes=3_000), memory_mb=1)
    moves = 0
    for seed in range(40):
        referee = Referee(game, game.start(seed))
        try:
            while not referee.is_over:
                referee.play_text(agent.choose(referee).best)
                moves += 1
        except NotProved:
            continue
    assert moves > 50


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.both
@interpreted
def test_a_limit_reports_the_proved_interval():
    with pytest.raises(NotProved, match="its value lies in"):
        solve(Maze(3, Repetition.FORBIDDEN), limit=Limit(nodes=3), memory_mb=1)


@pytest.mark.plain
def test_dice_and_repetition_together_are_refused():
    class Rolling(Maze):
        chance = True

    with pytest.raises(Refused, match="positions do not repeat"):
        solve(Rolling(1, Repetition.FORBIDDEN))
