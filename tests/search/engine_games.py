"""Little games for the engine's tests: rooms and doors, in which everything turns on repetition."""

import math

from zermelo.core.game import Game
from zermelo.core.repetition import Repetition
from zermelo.search.alphabeta.negamax import negamax
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.table import Table

WON, LOST, DRAWN, BEHIND = 90, 91, 92, 93
"""Where the game is over, as player 0 sees it."""
MOST_DOORS = 40


class Rooms(Game):
    """Walk through doors; in even rooms player 0 moves, in odd ones player 1. Every room below 90 has two doors.

    The estimate is the same everywhere, so that what happens is decided by repetition and by the ends. The plan of the
    rooms is told at run time, so that each rule of repetition is compiled once.
    """

    runtime = ("doors", "start", "lead")

    def __init__(self, *doors, start=0, lead=0.0):
        self.doors = doors + (DRAWN,) * (MOST_DOORS - len(doors))
        self.start, self.lead = start, lead

    def initial(self):
        return self.start

    def to_move(self, state):
        return state % 2 if state < WON else 0

    def actions(self, state):
        if state < WON:
            yield 0
            if self.doors[2 * state + 1] != self.doors[2 * state]:
                yield 1

    def result(self, state, action):
        return self.doors[2 * state + action]

    def is_terminal(self, state):
        return state >= WON

    def utility(self, state, player):
        own = 1.0 if state == WON else -1.0 if state == LOST else 0.0 if state == DRAWN else -0.5
        return own if player == 0 else -own

    def evaluate(self, state, player):
        return self.lead if player == 0 else -self.lead


class DrawnAtTwo(Rooms):
    repetition = Repetition.DRAW_AT_TWO


class DrawnAtThree(Rooms):
    repetition = Repetition.DRAW_AT_THREE


class Superko(Rooms):
    repetition = Repetition.FORBIDDEN


def searched(game, how, state, depth, workspace=None):
    """The value to this depth for the side to move, by the interpreted kernel."""
    return negamax(game, how, state, -math.inf, math.inf, depth, 0, 0, workspace or plain_workspace())


def plain_workspace():
    """A workspace with a table of its own, for values without a ply cost."""
    workspace = AlphaBetaWorkspace.create(Table(0.1))
    workspace.null_window, workspace.win_threshold = 2.0**-40, math.inf
    return workspace
