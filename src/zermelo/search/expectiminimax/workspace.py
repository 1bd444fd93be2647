"""The workspace of expectiminimax and max^n: what all searches have, then the team and the behaviour of every seat."""

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
"""Places of the move stack that an outcome takes."""


class Outcome(Record):
    """An outcome of a roll, or a move of a player who neither maximises nor minimises, on the stack."""

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
    """The least that the team can get."""
    highest: float
    """The most that the team can get."""
    width: int
    """Moves considered in each position."""
    improbable: float
    """Outcomes with a smaller probability are left out."""
    has_replied: bool
    """Best-reply search: one opponent has replied to the team's last move."""
    max_payoff_sum: float
    """The most that all payoffs sum to."""
    min_rest_sum: float
    """The least that the payoffs of all but two players sum to."""
    rounded: float
    """How far sums of payoffs may be rounded."""
    payoff_rows: Reals = array(Reals, RING * MOST_SEATS)
    """Max^n: for each ply the payoffs of all players that were found there last."""
    team_size: int
    team: Numbers = array(Numbers, MOST_SEATS)
    """The seats that the search is for; the value is the sum of their payoffs."""
    roles: Numbers = array(Numbers, MOST_SEATS)
    """The role of each seat."""
    depths: Numbers = array(Numbers, MOST_SEATS)
    """How deep a skilled seat searches."""
    reliabilities: Reals = array(Reals, MOST_SEATS)
    """How often a skilled seat plays what it finds."""
    payoff_weights: Reals = array(Reals, MOST_SEATS * MOST_SEATS)
    """What a point of each player is worth to each seat."""

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
        """What a point of a player is worth to a seat."""
        return self.payoff_weights[self.weight_place(seat, player)]

    def weight_place(self, seat: int, player: int) -> int:
        return MOST_SEATS * (seat & SEAT) + player

    def payoffs(self, ply: Ply) -> Reals:
        """The payoffs of all players that the max^n kernel found last at a ply."""
        return Reals(self.payoff_rows.address + ROW_BYTES * (ply & (RING - 1)))

    def read_payoffs(self, ply: Ply, players: int) -> tuple[float, ...]:
        """The same as a tuple."""
        return tuple(self.payoffs(ply)[player] for player in range(players))

    def outcome(self, place: int) -> Outcome:
        """The outcome at a place of the stack and the next one."""
        return Outcome(self.moves.entries.address + PLACE_BYTES * place)

    def push_outcome(self, place: int, action: int, probability: float) -> None:
        outcome = self.outcome(place)
        outcome.action = action
        outcome.probability = probability
