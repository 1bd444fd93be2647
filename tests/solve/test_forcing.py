"""Games in which positions may repeat are solved by what both players can force; known values and brute force agree."""

import contextlib
import random

import pytest

from zermelo.core.errors import NotProved, Refused
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games.go import Go
from zermelo.solve import solve


class Maze(Game):
    """Rooms with doors; both players move the same token, and some rooms end the game."""

    def __init__(self, seed, rule):
        rng = random.Random(seed)
        self.repetition = rule
        self.doors = {
            (room, player): sorted(rng.sample(range(9), rng.randint(1, 3))) for room in range(6) for player in (0, 1)
        }

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        if state[0] < 6:
            yield from self.doors[state]

    def result(self, state, action):
        return action, 1 - state[1]

    def is_terminal(self, state):
        return state[0] >= 6

    def utility(self, state, player):
        return (state[0] - 7) * (1 if player == 0 else -1)


def brute_force(game, referee):
    """Minimax over everything that can happen, with the referee's own idea of the rules."""
    if referee.is_over:
        return referee.utilities()[0]
    values = []
    for action in referee.legal():
        referee.play(action)
        values.append(brute_force(game, referee))
        referee.undo()
    return max(values) if referee.to_move == 0 else min(values)


@pytest.mark.filterwarnings("ignore:.*runs interpreted")
@pytest.mark.parametrize("rule", [Repetition.FORBIDDEN, Repetition.DRAW_AT_TWO])
def test_brute_force_agrees(rule):
    """On 12 mazes; a draw by repetition that nobody can avoid is not proved, and not claimed."""
    proved = 0
    for seed in range(12):
        game = Maze(seed, rule)
        truth = brute_force(game, Referee(game))
        with contextlib.suppress(NotProved):
            found = solve(game, limit=Limit(nodes=10_000), memory_mb=1)
            assert (found.kind, found.value[0]) == ("exact", truth)
            proved += 1
    assert proved >= 7


@pytest.mark.compiler
@pytest.mark.parametrize(("size", "margin", "best"), [(2, 1, None), pytest.param(3, 9, "B2", marks=pytest.mark.long)])
def test_small_boards_of_go(size, margin, best):
    """Black's margins by area, with superko: 2x2 +1, 3x3 +9 [van der Werf, 2003; Tromp]."""
    found = solve(Go(size, komi=0, margin=True), limit=Limit(time=60), memory_mb=16)
    assert (found.value, found.kind) == ((margin, -margin), "exact")
    assert best is None or found.best == best


@pytest.mark.long
@pytest.mark.compiler
def test_the_board_of_four_by_four():
    """Black wins by two points [van der Werf, 2003]."""
    found = solve(Go(4, komi=0, margin=True), limit=Limit(time=600))
    assert (found.value, found.kind) == ((2, -2), "exact")


@pytest.mark.filterwarnings("ignore:.*runs interpreted")
def test_a_limit_tells_what_is_proved_so_far():
    with pytest.raises(NotProved, match="its value lies in"):
        solve(Maze(3, Repetition.FORBIDDEN), limit=Limit(nodes=3), memory_mb=1)


def test_dice_and_repetition_together_are_refused():
    class Rolling(Maze):
        chance = True

    with pytest.raises(Refused, match="positions do not repeat"):
        solve(Rolling(1, Repetition.FORBIDDEN))
