"""The workspace of one thread: counters, the constants of the search, and the data of the current simulation."""

from __future__ import annotations

import math
from typing import Self

from zermelo.core.counters import Counters
from zermelo.kernel import FILL_MASK, GOLDEN, U64, Numbers, Reals, Record, array, inline, load_acquire, mix, number
from zermelo.kernel.records import CELL
from zermelo.search.mcts.payoff_scale import MOST_WHOLE, PayoffScale
from zermelo.search.mcts.techniques import Tuning
from zermelo.search.mcts.ucb_tables import UcbTables, ucb_tables
from zermelo.search.runtime.path import Path
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE

NOT_A_NUMBER = 10
"""Error code: a payoff or an estimate is not a number."""
MOST_PLAYERS = 64
MOST_PATH_NODES = 4096
LONGEST_TRAIL = 8192
MOVE_KINDS = 4096
"""Number of move classes: moves that differ by a multiple of it share table entries."""
SIDES = 4
"""Number of player classes."""
KINDS = SIDES * MOVE_KINDS
LEDGER_PAGES = 127
LIMIT_CELL = Counters.fields["limit"].offset


class LedgerPage(Record):
    """Visits and payoffs of one node that a thread has not yet added to the tree; none if the visits are 0."""

    node: int
    visits: int
    payoffs: Numbers = array(Numbers, MOST_PLAYERS)


PAGE_BYTES = CELL * LedgerPage.cells


class MctsWorkspace(Counters):
    """The memory of one thread.

    Payoffs are whole numbers, see `payoff_scale`; other values are on a scale from -1 to 1.
    """

    random_state: U64
    """The state of the random number generator."""
    deepest_ply: int

    # The payoff scale.
    magnitude: float
    """A payoff ..."""
    unity: float
    """... and the whole number it is stored as."""
    unit: float
    """Factor from stored payoffs to the scale from -1 to 1."""
    lowest: int
    """The least payoff, declared or measured, as a whole number."""
    highest: int
    middle: int
    """The payoff of a draw."""
    floor: float
    """The least payoff as declared, perhaps infinite."""
    ceiling: float

    # The numbers of `Tuning`.
    exploration: float
    expansion: int
    playout_plies: int
    urgency: float
    trust: float
    bias: float
    widening: float
    equivalence: float
    reference: int
    implicit: float

    # The current simulation.
    is_news: bool
    """Whether the simulation narrowed a proved bound, so that bounds above may follow."""
    trail_length: int
    stamp: int
    """The number of the simulation, for `marks`."""
    payoffs: Numbers = array(Numbers, MOST_PLAYERS)
    """The stored payoffs of the last simulation, by player."""
    path_nodes: Numbers = array(Numbers, MOST_PATH_NODES)
    """The nodes of the path, from the root to where the simulation left the tree."""
    movers: Numbers = array(Numbers, MOST_PATH_NODES)
    """The players who moved at these nodes."""
    trail: Numbers = array(Numbers, 2 * LONGEST_TRAIL)
    """All moves of the simulation, in the tree and in the playout, each with the player who made it."""

    # Statistics of techniques, by `kind_of` move.
    marks: Numbers = array(Numbers, KINDS)
    """RAVE: the last simulation in which the move was played."""
    tally_visits: Numbers = array(Numbers, KINDS)
    """MAST: how often the move was played ..."""
    tally_payoffs: Numbers = array(Numbers, KINDS)
    """... and the sum of the payoffs."""
    replies: Numbers = array(Numbers, KINDS)
    """Last good reply: the reply to the move that last won, see `policies`."""
    lookup: Numbers = array(Numbers, KINDS)
    """GRAVE: the child of the reference node with this move."""
    reference_nodes: Numbers = array(Numbers, SIDES)
    """GRAVE: the reference node of each player on the path."""

    path: Path = inline(Path)
    ucb: UcbTables = inline(UcbTables)
    ledger: Numbers = array(Numbers, LEDGER_PAGES * LedgerPage.cells)
    """Pages for `parallel`."""

    # Moves of one position.
    generated: Numbers = array(Numbers, FILL_MASK + 1)
    likelihoods: Reals = array(Reals, FILL_MASK + 1)
    """The probabilities of the generated moves at a chance node."""
    legal_count: int
    legal: Numbers = array(Numbers, FILL_MASK + 1)
    """The root's moves that the game's history does not forbid; used by open searches."""

    @classmethod
    def create(cls, nodes: int | None, scale: PayoffScale, draw: float, tuning: Tuning, imagined: float) -> Self:
        """A workspace for at most `nodes` simulations.

        `draw` is the payoff of a draw, `imagined` the visits that are added to those of a child.
        """
        work = cls.allocate(nodes)
        work.magnitude, work.unity, work.unit = scale.magnitude, float(scale.unity), 1 / scale.half
        work.lowest, work.highest = scale.to_stored(scale.low), scale.to_stored(scale.high)
        work.middle = scale.to_stored(draw)
        work.floor, work.ceiling = scale.floor, scale.ceiling
        for name, value in vars(tuning).items():
            setattr(work, name, value)
        work.equivalence = max(tuning.equivalence, 1e-9)
        work.ucb.copy_from(ucb_tables(imagined))
        return work

    def is_halted(self) -> bool:
        """Whether the search was stopped and the current simulation should end.

        A simulation that reaches the limit itself may finish.
        """
        return load_acquire(self.address, LIMIT_CELL) == 0

    def to_stored(self, value: float) -> int:
        """The stored form of a payoff; a NaN ends the search."""
        if math.isnan(value):
            self.give_up(NOT_A_NUMBER)
            return 0
        whole = value / self.magnitude * self.unity + 0.5
        return math.floor(min(max(whole, -float(MOST_WHOLE)), float(MOST_WHOLE)))

    # -- moves -----------------------------------------------------------------------------------------

    def buffer(self) -> int:
        """The address of the generated moves, for the game's `fill_...` methods."""
        return self.generated.address

    def usable(self, count: int) -> int:
        """The number of generated moves; if there are none or too many, stop the search and return 0."""
        if count <= 0 or count > FILL_MASK:
            self.give_up(STUCK if count <= 0 else TOO_WIDE)
            return 0
        return count

    def note_move(self, player: int, action: int) -> None:
        """Append a move to the trail."""
        length = self.trail_length
        if length < LONGEST_TRAIL:
            self.trail[2 * length] = action
            self.trail[2 * length + 1] = player
            self.trail_length = length + 1

    def trail_move(self, index: int) -> int:
        return self.trail[2 * index]

    def trail_player(self, index: int) -> int:
        return self.trail[2 * index + 1]

    def page(self, index: int) -> LedgerPage:
        return LedgerPage(self.ledger.address + PAGE_BYTES * index)

    # -- random numbers --------------------------------------------------------------------------------

    def draw(self) -> U64:
        """A random word: SplitMix64 [Steele, Lea & Flood 2014]."""
        word = self.random_state + GOLDEN
        self.random_state = word
        return mix(word)

    def below(self, count: int) -> int:
        """A random number from 0 to count - 1."""
        return number(((self.draw() >> 32) * U64(count)) >> 32)

    def fraction(self) -> float:
        """A random number from 0 to below 1."""
        return number(self.draw() >> 11) * 2.0**-53


def kind_of(player: int, action: int) -> int:
    """The table index of a player's move."""
    return (player & (SIDES - 1)) * MOVE_KINDS + (action & (MOVE_KINDS - 1))
