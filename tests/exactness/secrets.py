"""What mixed strategies are worth in a game with hidden information, in fractions; nothing here is shared with zermelo.

A player remembers what they saw and did at their own turns. Against fixed strategies of the others, a best response is
found set by set: all histories that a player cannot tell apart go on together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exactness.description import CHANCE, Description

Memory = tuple[tuple[int, int], ...]
"""What a player saw and did."""
Chances = Callable[[int, Memory, int], tuple[Fraction, ...]]
"""For a player, a memory and what is seen now: the probability of each move."""


@dataclass(frozen=True)
class History:
    """A way through the game: where it leads, what each player remembers of it, and its probability."""

    node: int
    memories: tuple[Memory, ...]
    weight: Fraction


class Table:
    """Judges strategies of one game."""

    def __init__(self, described: Description, chances: Chances) -> None:
        self.nodes, self.players, self.chances = described.nodes, described.players, chances
        self.start = History(0, ((),) * described.players, Fraction(1))

    def payoff(self, player: int) -> Fraction:
        """What a player gets if all play by the strategies."""
        return self._worth([self.start], player, None)

    def best(self, player: int) -> Fraction:
        """What a player gets at most against the others' strategies."""
        return self._worth([self.start], player, player)

    def _worth(self, histories: list[History], player: int, free: int | None) -> Fraction:
        """The sum over histories; the player who is free chooses the best move of each information set."""
        total, groups, waiting = Fraction(0), {}, list(histories)
        while waiting:
            history = waiting.pop()
            node = self.nodes[history.node]
            if not node.moves:
                total += history.weight * Fraction(node.payoffs[player])
            elif node.owner == CHANCE:
                weights = sum(move.weight for move in node.moves)
                shares = [Fraction(move.weight, weights) for move in node.moves]
                waiting += [self._after(history, place, share) for place, share in enumerate(shares) if share]
            elif node.owner == free:
                groups.setdefault((history.memories[free], node.seen), []).append(history)
            else:
                shares = self.chances(node.owner, history.memories[node.owner], node.seen)
                waiting += [self._after(history, place, share) for place, share in enumerate(shares) if share]
        for alike in groups.values():
            counts = range(len(self.nodes[alike[0].node].moves))
            total += max(
                self._worth([self._after(history, place) for history in alike], player, free) for place in counts
            )
        return total

    def _after(self, history: History, place: int, share: Fraction = Fraction(1)) -> History:
        node, memories = self.nodes[history.node], list(history.memories)
        if node.owner != CHANCE:
            memories[node.owner] += ((node.seen, place),)
        return History(node.moves[place].to, tuple(memories), history.weight * share)
