"""What each decision is worth at a strategy: by information set and move, for tables, bluffs and reviews.

The worth of a move is what its player wins on average over what the others may hold, if the others play by the strategy
and the player goes on with best responses. Where the others would never let play come, their strategy is mixed with a
little of the uniform one: the fewest slips that lead there are believed.   [trembling hand: Selten 1975]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.equilibrium.flatten import SequenceForm, first_chain, flatten, next_chain
from zermelo.equilibrium.programme import certify, scale_payoffs
from zermelo.equilibrium.strategy import Recall, Strategy
from zermelo.equilibrium.treeplex import Figures
from zermelo.kernel import U64

SLIP = 1e-5
"""The share of the uniform strategy in what the others are believed to play."""
RARE = 1e-3
"""Smaller probabilities, and gains, are not called a bluff."""
LARGEST_DENOMINATOR = 1000
ROUNDING = 1e-9


@dataclass(frozen=True)
class Decision:
    """An information set at a strategy."""

    player: int
    key: int
    view: str
    moves: tuple[str, ...]
    probabilities: tuple[float, ...]
    reach: float
    """The probability that play comes here, if all play by the strategy."""
    worth: tuple[float, ...]
    """What the player wins after each move; empty if not all histories of the set were visited."""
    bluffs: tuple[bool, ...]
    """Whether each move is a bluff; all False if it was not asked."""

    def cost(self, move: int) -> float:
        """What the player gives away with a move."""
        return max(self.worth) - self.worth[move]


@dataclass(frozen=True)
class History:
    """A way to play, with what each player remembers of it."""

    state: State
    chains: tuple[int, ...]
    reach: float
    others: tuple[float, ...]
    """For each player, the probability that chance and the others, slips included, play this way."""


class Judge:
    """The worth of all moves of a game at a strategy."""

    def __init__(self, game: Game, strategy: Strategy, form: SequenceForm | None = None) -> None:
        self.game, self.form = game, form or flatten(game)
        self.strategy = strategy.unfolded(game, self.form) if strategy.forgets else strategy
        self._sums = [self._values(player) for player in range(game.players)]
        self._sets = [{int(key): at for at, key in enumerate(tree.keys.tolist())} for tree in self.form.trees]

    def _values(self, player: int) -> Figures:
        """For each sequence of a player, what it wins with the best responses below, times the others' probability."""
        payoffs = self.form.payoffs[player] if player < len(self.form.payoffs) else -self.form.payoffs[0]
        worth = payoffs.copy()
        for other, (tree, strategy) in enumerate(
            zip(self.form.trees, self.strategy.by_sequence(self.form), strict=True)
        ):
            if other != player:
                worth = worth * tree.plan((1 - SLIP) * strategy + SLIP * tree.uniform())[self.form.sequences[other]]
        tree = self.form.trees[player]
        values = np.asarray(np.bincount(self.form.sequences[player], worth, tree.sequences), np.float64)
        for first, count, parent in reversed(list(zip(tree.first, tree.count, tree.parent, strict=True))):
            values[parent] += values[first : first + count].max()
        return values

    def worth(self, player: int, key: int, others: float) -> tuple[float, ...]:
        """What each move of an information set wins; `others` is the probability that the others let play come here."""
        place, tree = self._sets[player][int(key)], self.form.trees[player]
        first = tree.first[place]
        return tuple((self._sums[player][first : first + tree.count[place]] / others).tolist())

    # -- all decisions -----------------------------------------------------------------------------

    def decisions(self, most_histories: int, most_sets: int, with_bluffs: bool) -> list[Decision]:
        """The information sets in the order of play, level by level as far as these numbers go."""
        met: dict[tuple[int, int], list[History]] = {}
        level, visited = [self._start()], 0
        while level and visited + len(level) <= most_histories and len(met) <= most_sets:
            visited += len(level)
            below: list[History] = []
            for history in level:
                if self.game.is_terminal(history.state):
                    continue
                mover = self.game.to_move(history.state)
                if mover != CHANCE:
                    met.setdefault((mover, self._key(history, mover)), []).append(history)
                below.extend(self._after(history))
            level = below
        is_whole = not level
        return [self._decision(*place, histories, is_whole, with_bluffs and is_whole)
                for place, histories in list(met.items())[:most_sets]]  # fmt: skip

    def _decision(self, player: int, key: int, histories: list[History], is_whole: bool, with_bluffs: bool) -> Decision:
        game, state = self.game, histories[0].state
        moves = tuple(game.format_action(state, action) for action in game.actions(state))
        shares = self.strategy.at(player, key)
        others = sum(one.others[player] for one in histories)
        worth = self.worth(player, key, others) if is_whole and others > 0 else ()
        bluffs = (False,) * len(moves)
        if with_bluffs and worth and game.players == 2:
            bluffs = tuple(
                share > RARE and self._is_bluff(player, histories, move, worth[move])
                for move, share in enumerate(shares)
            )
        view = game.format_view(game.view(state, player), player)
        return Decision(player, key, view, moves, shares, sum(one.reach for one in histories), worth, bluffs)

    def _is_bluff(self, player: int, histories: list[History], move: int, worth: float) -> bool:
        """Whether a move lives on hiding something: it loses unless the opponent gives up, or if it is called at once.

        To give up is a reply that ends the game with the same gain whatever is hidden. A call is a reply that ends the
        game with a loss whatever the opponent holds, while another reply, which the opponent makes, is better.
        """
        total = sum(one.others[player] for one in histories)
        replies: dict[int, list[tuple[float, float | None]]] = {}
        """By reply: the probability of each history, and what it wins if it ends the game."""
        waiting = [(self._result(one, player, move, 1.0), one.others[player] / total) for one in histories]
        while waiting:
            history, weight = waiting.pop()
            state = history.state
            if self.game.is_terminal(state) or self.game.to_move(state) == player:
                return False
            if self.game.to_move(state) == CHANCE:
                waiting.extend((after, weight * share) for after, share in self._outcomes(history))
                continue
            shares = self.strategy.at(1 - player, self._key(history, 1 - player))
            for reply, share in enumerate(shares):
                after = self._result(history, 1 - player, reply, share).state
                gain = float(self.game.utility(after, player)) if self.game.is_terminal(after) else None
                replies.setdefault(reply, []).append((weight * share, gain))
        surrender = sum(share * gain for each in replies.values() if gives_up(each) for share, gain in each if gain)
        worst = [max(gain for _, gain in each if gain is not None) for each in replies.values() if all_end(each)]
        loses_if_not_believed = surrender > RARE and worth - surrender < -RARE
        loses_if_called = any(gain < 0 and worth > gain + RARE for gain in worst)
        return (loses_if_not_believed or loses_if_called) and self._is_noticed(player, histories, move)

    def _is_noticed(self, player: int, histories: list[History], move: int) -> bool:
        """Whether the opponent, who is to move next, sees that it was this move: not where both choose at once."""
        met: dict[int, set[int]] = {}
        for one in histories:
            for index in range(self.game.count(one.state)):
                after = self._result(one, player, index, 1.0)
                if not self.game.is_terminal(after.state) and self.game.to_move(after.state) == 1 - player:
                    met.setdefault(index, set()).add(self._key(after, 1 - player))
        return not any(met[move] & keys for index, keys in met.items() if index != move)

    # -- one player's decisions in one game -----------------------------------------------------------

    def decisions_of(
        self, states: list[State], actions: list[Action], player: int
    ) -> Iterator[tuple[int, int, Decision]]:
        """A player's decisions in a played game: the ply, the move's index and the decision."""
        recall, way = Recall(player), []
        for ply, (state, action) in enumerate(zip(states, actions, strict=True)):
            if self.game.to_move(state) != player:
                continue
            view, legal = self.game.view(state, player), list(self.game.actions(state))
            key, index = recall.key(view), legal.index(action)
            way.append((key, index))
            recall.move(view, index)
            histories = list(self._histories_of(player, way))
            yield ply, index, self._decision(player, key, histories, True, False)

    def _histories_of(self, player: int, way: list[tuple[int, int]]) -> Iterator[History]:
        """All histories in which a player has seen and done the same."""
        waiting = [(self._start(), 0)]
        while waiting:
            history, done = waiting.pop()
            if self.game.is_terminal(history.state):
                continue
            if self.game.to_move(history.state) != player:
                waiting.extend((after, done) for after in self._after(history))
            elif self._key(history, player) == way[done][0]:
                if done + 1 == len(way):
                    yield history
                else:
                    index = way[done][1]
                    share = self.strategy.at(player, way[done][0])[index]
                    waiting.append((self._result(history, player, index, share), done + 1))

    # -- walking --------------------------------------------------------------------------------------

    def _start(self) -> History:
        players = range(self.game.players)
        chains = tuple(int(first_chain(player)) for player in players)
        return History(self.game.initial(), chains, 1.0, (1.0,) * self.game.players)

    def _key(self, history: History, player: int) -> int:
        recall = Recall(player)
        recall.chain = U64(history.chains[player])
        return int(recall.key(self.game.view(history.state, player)))

    def _after(self, history: History) -> Iterator[History]:
        """The histories one ply on."""
        mover = self.game.to_move(history.state)
        if mover == CHANCE:
            yield from (after for after, _ in self._outcomes(history))
            return
        for index, share in enumerate(self.strategy.at(mover, self._key(history, mover))):
            yield self._result(history, mover, index, share)

    def _outcomes(self, history: History) -> Iterator[tuple[History, float]]:
        for action, share in self.game.outcomes(history.state):
            if share <= 0:
                continue
            state = self.game.result(history.state, action)
            others = tuple(one * share for one in history.others)
            yield History(state, history.chains, history.reach * share, others), share

    def _result(self, history: History, mover: int, index: int, share: float) -> History:
        """The history after the mover's move with this index, which they make with this probability."""
        actions = list(self.game.actions(history.state))
        key, state = self._key(history, mover), self.game.result(history.state, actions[index])
        chains = list(history.chains)
        chains[mover] = int(next_chain(U64(key), index))
        believed = (1 - SLIP) * share + SLIP / len(actions)
        others = tuple(one if player == mover else one * believed for player, one in enumerate(history.others))
        return History(state, tuple(chains), history.reach * share, others)


def unjudged(game: Game, strategy: Strategy) -> Iterator[Decision]:
    """The decisions of a strategy in the order of play, without what they are worth."""
    for row in strategy.table(game):
        no_bluffs = (False,) * len(row.moves)
        yield Decision(row.player, row.key, row.view, row.moves, row.probabilities, row.reach, (), no_bluffs)


def gives_up(reply: list[tuple[float, float | None]]) -> bool:
    """Whether a reply ends the game with the same gain in all histories."""
    gains = {gain for _, gain in reply}
    return len(gains) == 1 and all(gain is not None and gain > 0 for gain in gains)


def all_end(reply: list[tuple[float, float | None]]) -> bool:
    return all(gain is not None for _, gain in reply)


def simple_fractions(form: SequenceForm, strategies: list[Figures], value: Fraction) -> list[list[Fraction]] | None:
    """The strategies of two players as simple fractions, if those are proved to be an equilibrium with this value."""
    scaled, found, plans = scale_payoffs(form), [], []
    if scaled is None:
        return None
    for tree, strategy in zip(form.trees, strategies, strict=True):
        near = [Fraction(share).limit_denominator(LARGEST_DENOMINATOR) for share in strategy.tolist()]
        if any(abs(one - share) > ROUNDING for one, share in zip(near, strategy.tolist(), strict=True)):
            return None
        plan = [Fraction(1)] * tree.sequences
        for first, count, parent in zip(tree.first.tolist(), tree.count.tolist(), tree.parent.tolist(), strict=True):
            for move in range(first, first + count):
                plan[move] = plan[parent] * near[move]
        denominator = np.lcm.reduce(np.array([one.denominator for one in plan], object))
        plans.append(([int(one * denominator) for one in plan], int(denominator)))
        found.append(near)
    proved = certify(form, None, scaled, (plans[0], plans[1]))
    return found if proved is not None and proved.value == value else None
