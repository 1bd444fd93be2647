"""The workspace of expectiminimax and max^n: that of all searches, then the team and the role of every seat."""

from __future__ import annotations

from typing import Self

from zermelo.core.game import CHANCE
from zermelo.kernel import U64, Numbers, Reals, Record, Words, array, inline
from zermelo.kernel.records import CELL
from zermelo.search.expectiminimax.habits import Habits
from zermelo.search.expectiminimax.maxn_table import PayoffTable, PayoffTableView
from zermelo.search.runtime.move_stack import ENTRY
from zermelo.search.runtime.ordering import RING
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.workspace import Entries, Workspace

(
    MAX,  # maximises the team's payoff
    MIN,  # minimises the team's payoff
    RANDOM,  # moves at random
    SKILLED,  # plays what its own shallow search finds, with some reliability
    HABITUAL,  # moves as often as it did in saved games
    DICE,  # chance itself
    OWN,  # maximises its own payoff
    AGAINST,  # minimises another player's payoff
) = range(8)
NO_PLAYER = -1
"""Stands for a player or a role if there is none."""
MOST_SEATS = 64
SEAT = MOST_SEATS - 1
"""Mask of a seat's number: compiled code checks no index."""
OUTCOME = 2
"""Entries of the move stack per outcome."""


class Outcome(Record):
    """An outcome of a roll, or a move of a modelled player, on the move stack."""

    action: int
    probability: float
    spare: int
    floor: float
    """The value is at least this; the least payoff if unknown. Set by Star2."""
    ceiling: float
    """The value is at most this; the greatest payoff if unknown. Set by Star2."""
    is_proved: bool
    """Whether floor and ceiling hold whatever lies beyond the horizon. Set by Star2."""

    def narrow(self, floor: float, ceiling: float, is_proved: bool) -> None:
        """Set the interval of the value."""
        self.floor = floor
        self.ceiling = ceiling
        self.is_proved = is_proved


assert Outcome.cells == OUTCOME * ENTRY
PLACE_BYTES, ROW_BYTES = CELL * ENTRY, CELL * MOST_SEATS


class ExpectiminimaxWorkspace(Workspace):
    payoff_table: PayoffTableView = inline(PayoffTableView)
    """The table of max^n."""
    habits: Habits = inline(Habits)
    lowest: float
    """The least payoff of the team."""
    highest: float
    """The greatest payoff of the team."""
    width: int
    """Maximum number of moves searched in each position (`narrow`)."""
    improbable: float
    """Outcomes with a smaller probability are left out (`narrow`)."""
    has_replied: bool
    """Best-reply search: whether an opponent has replied to the team's last move."""
    max_payoff_sum: float
    """Upper bound of the sum of all payoffs."""
    min_rest_sum: float
    """Lower bound of the sum of the payoffs of all but two players."""
    rounded: float
    """Maximum rounding error of sums of payoffs."""
    payoff_rows: Reals = array(Reals, RING * MOST_SEATS)
    """Max^n: for each ply the last payoffs of all players found there."""
    team_size: int
    team: Numbers = array(Numbers, MOST_SEATS)
    """The seats that the search is for; the value is the sum of their payoffs."""
    roles: Numbers = array(Numbers, MOST_SEATS)
    """The role of each seat."""
    depths: Numbers = array(Numbers, MOST_SEATS)
    """How deep a skilled seat searches."""
    reliabilities: Reals = array(Reals, MOST_SEATS)
    """The probability that a skilled seat plays the move it finds."""
    payoff_weights: Reals = array(Reals, MOST_SEATS * MOST_SEATS)
    """The weight of each player's payoff for each seat."""

    @classmethod
    def create(cls, table: Entries | PayoffTable | None, nodes: int | None = None) -> Self:
        """A workspace that uses this table, of expectiminimax or of max^n."""
        if not isinstance(table, PayoffTable):
            return super().create(table, nodes)
        found = super().create(None, nodes)
        found.keeps_alive += [table, table.memory]
        found.payoff_table.entries = Words(table.memory.address)
        found.payoff_table.clusters, found.payoff_table.age = U64(table.clusters), table.age
        return found

    def role_of(self, mover: int) -> int:
        return DICE if mover == CHANCE else self.roles[mover & SEAT]

    def reliability(self, seat: int) -> float:
        return self.reliabilities[seat & SEAT]

    def skill(self, seat: int) -> int:
        """How deep a skilled seat searches."""
        return self.depths[seat & SEAT]

    def payoff_weight(self, seat: int, player: int) -> float:
        """The weight of a player's payoff for a seat."""
        return self.payoff_weights[self.weight_place(seat, player)]

    def weight_place(self, seat: int, player: int) -> int:
        return MOST_SEATS * (seat & SEAT) + player

    def payoffs(self, ply: Ply) -> Reals:
        """The last payoffs of all players that max^n found at a ply."""
        return Reals(self.payoff_rows.address + ROW_BYTES * (ply & (RING - 1)))

    def read_payoffs(self, ply: Ply, players: int) -> tuple[float, ...]:
        """The same as a tuple."""
        return tuple(self.payoffs(ply)[player] for player in range(players))

    def outcome(self, place: int) -> Outcome:
        """The outcome at a place of the stack; it takes two entries."""
        return Outcome(self.moves.entries.address + PLACE_BYTES * place)

    def push_outcome(self, place: int, action: int, probability: float) -> None:
        outcome = self.outcome(place)
        outcome.action = action
        outcome.probability = probability
