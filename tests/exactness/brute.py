"""What a position is worth, by brute force with the referee; nothing here is shared with the searches.

Games that always end: everything that can happen is played and taken back. The first of a mover's best moves is played,
so payoffs for all players are well defined; of equal values, who is ahead of zero hurries and who is behind delays.

Games whose positions recur, without a rule for it: play that never ends pays 0 to both opponents of a zero-sum game,
and the middle of the scale to everybody else.
Two opponents without dice: who can force what, by attractors. With dice: all pairs of strategies, each a system of
linear equations in fractions; for these payoffs strategies without memory are enough [Liggett & Lippman 1969].

A position whose rules fail (an error, or a payoff that is not a number) is poisoned: a claim must hold whatever it
pays.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

from exactness.graph import built
from zermelo.core.errors import RulesError
from zermelo.core.frozen import thaw
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition

MOST_POSITIONS = 20_000
MOST_STRATEGIES = 600
OVER = -2
FAILURES = (ArithmeticError, RulesError)
"""The ways in which rules fail: by an exception, or by a check of their results."""


class TooLarge(Exception):
    """Brute force would take too long."""


@dataclass(frozen=True)
class Worth:
    """One payoff per player, and how many plies are left if that is a question."""

    payoffs: tuple[float, ...]
    distance: int | None = None


class Truth:
    """Values of one game; `poison` is what player 0 gets where the rules fail."""

    def __init__(self, game: Game, poison: float | None = None) -> None:
        self.game, self.poison, self.is_poisoned = game, poison, False
        self.players = range(game.players)
        self.known: dict = {}
        self.budget = MOST_POSITIONS
        self.explored: set = set()
        self.is_circular = False
        self._look_for_circles(game.initial())
        self.is_plain = game.players <= 2 and (game.players == 1 or game.zero_sum) and not game.chance

    def worth(self, referee: Referee) -> Worth:
        try:
            self._look_for_circles(referee.state)
            return self._recurring(referee.state) if self.is_circular else self._played(referee)
        except RecursionError:
            raise TooLarge from None

    def _look_for_circles(self, state) -> None:
        """A position after an outcome of probability 0 has parts of its own, which may lead in circles."""
        if self.game.repetition is not Repetition.NOTHING or self.is_circular or state in self.explored:
            return
        try:
            nodes = _explored(self.game, state, self)
        except FAILURES:
            self.explored.add(state)
            return
        self.explored |= nodes.keys()
        self.is_circular = _has_circle(nodes)

    def values(self, referee: Referee) -> tuple[float, ...]:
        return self.worth(referee).payoffs

    def moves(self, referee: Referee) -> dict[str, Worth]:
        """What each legal move is worth, by its notation."""
        found = {}
        for action in referee.legal():
            name = self.game.format_action(referee.state, action)
            referee.play(action)
            found[name] = self.worth(referee)
            referee.undo()
        return found

    def at_depth(self, referee: Referee, depth: int) -> float:
        """The value for player 0 of a search to this depth, in a game with one value."""
        is_stuck = self.game.repetition is Repetition.FORBIDDEN and not self.game.is_terminal(referee.state)
        if referee.is_over and not (is_stuck and depth <= 0):  # at the horizon nobody looks for moves
            return float(referee.utilities()[0])
        if depth <= 0:
            return float(self.game.evaluate(referee.state, 0))
        places = sorted(map(repr, (turn.place for turn in referee.turns))) if self.game.repetition else ()
        key = (referee.state, tuple(places), depth)
        if key not in self.known:
            self._count()
            mover, below = referee.to_move, []
            for action in referee.legal():
                referee.play(action)
                below.append(self.at_depth(referee, depth - 1))
                referee.undo()
            chances = [chance for _, chance in self.game.outcomes(referee.state)] if mover == CHANCE else []
            self.known[key] = (
                math.fsum(chance * value for chance, value in zip(chances, below, strict=True))
                if mover == CHANCE
                else max(below)
                if mover == 0
                else min(below)
            )
        return self.known[key]

    # -- games that end ------------------------------------------------------------------------------

    def _played(self, referee: Referee) -> Worth:
        places = sorted(map(repr, (turn.place for turn in referee.turns))) if self.game.repetition else ()
        key = (referee.state, tuple(places))
        if key not in self.known:
            self._count()
            self.known[key] = self._ended(referee) if referee.is_over else self._chosen(referee)
        return self.known[key]

    def _chosen(self, referee: Referee) -> Worth:
        mover, below = referee.to_move, []
        chances = dict(self.game.outcomes(referee.state)) if mover == CHANCE else {}
        legal = [action for action in referee.legal() if chances.get(action, 1) > 0]  # the others may lead in circles
        for action in legal:
            try:
                referee.play(action)
            except FAILURES:
                below.append(Worth(self._poisoned()))
                continue
            below.append(self._played(referee))
            referee.undo()
        if mover == CHANCE:
            total = math.fsum(chances[action] for action in legal)  # below 1 if superko forbids some
            shares = [chances[action] / total if total < 0.999 else chances[action] for action in legal]
            return Worth(
                tuple(
                    math.fsum(share * worth.payoffs[player] for share, worth in zip(shares, below, strict=True))
                    for player in self.players
                )
            )
        return self._best(mover, below)

    def _best(self, mover: int, below: list[Worth]) -> Worth:
        highest = max(worth.payoffs[mover] for worth in below)
        equals = [worth for worth in below if worth.payoffs[mover] == highest]
        plies = [worth.distance for worth in equals if worth.distance is not None]
        if not self.is_plain or highest == 0 or len(plies) < len(equals):
            return Worth(equals[0].payoffs)
        return Worth(equals[0].payoffs, 1 + (min(plies) if highest > 0 else max(plies)))

    def _ended(self, referee: Referee) -> Worth:
        try:
            payoffs = referee.utilities()
        except FAILURES:
            payoffs = (math.nan,)
        if any(not math.isfinite(payoff) for payoff in payoffs):
            return Worth(self._poisoned())
        return Worth(tuple(0.0 + payoff for payoff in payoffs), 0)

    def _poisoned(self) -> tuple[float, ...]:
        self.is_poisoned = True
        if self.poison is None:
            return (0.0,) * len(self.players)
        return (self.poison, *(-self.poison for _ in self.players))[: len(self.players)]

    def _count(self) -> None:
        self.budget -= 1
        if self.budget < 0:
            raise TooLarge

    # -- games whose positions recur -----------------------------------------------------------------

    def _recurring(self, state) -> Worth:
        if state not in self.known:
            if not (self.game.players == 1 or (self.game.players == 2 and self.game.zero_sum)):
                raise TooLarge
            nodes = _explored(self.game, state, self)
            values = _by_strategies(nodes, self.game) if self.game.chance else _by_attractors(nodes, self.game)
            distances = {} if self.game.chance else _distances(nodes, values)
            for place, value in values.items():
                payoffs = (0.0 + float(value), 0.0 - float(value))[: self.game.players]
                self.known[place] = Worth(payoffs, distances.get(place))
        return self.known[state]


class Underlying(Truth):
    """Of a game whose states can change: the values of the same graph with numbers for states.

    Nothing that freezes or compares states is trusted, not even for repetition.
    """

    def __init__(self, game: Game, poison: float | None = None) -> None:
        self.naive = game
        super().__init__(built(game.described.changed(shape="number", history=())), poison)

    def worth(self, referee: Referee) -> Worth:
        return super().worth(self._plain(referee))

    def moves(self, referee: Referee) -> dict[str, Worth]:
        plain = self._plain(referee)
        names = {
            self.game.format_action(plain.state, place): self.naive.format_action(referee.state, self.naive.move(place))
            for place in plain.legal()
        }
        return {names[name]: worth for name, worth in super().moves(plain).items()}

    def at_depth(self, referee: Referee, depth: int) -> float:
        return super().at_depth(self._plain(referee), depth)

    def _plain(self, referee: Referee) -> Referee:
        if referee.game is self.game:
            return referee
        plain = Referee(self.game, self.naive.number(thaw(referee.start)))
        for turn in referee.turns:
            plain.play(self.naive.place(thaw(turn.action)))
        return plain


def truth_of(game: Game, poison: float | None = None) -> Truth:
    """Brute force, of the game itself or of the numbers behind it."""
    return Underlying(game, poison) if game.described.shape.startswith("naive") else Truth(game, poison)


@dataclass(frozen=True)
class _Node:
    owner: int
    below: tuple
    chances: tuple
    payoff: Fraction


def _explored(game: Game, start, truth: Truth) -> dict:
    """All states that can be reached."""
    found, waiting = {}, [start]
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        truth._count()
        if game.is_terminal(state):
            payoff = float(game.utility(state, 0))
            found[state] = _Node(OVER, (), (), Fraction(payoff) if math.isfinite(payoff) else Fraction(0))
            continue
        mover = game.to_move(state)
        pairs = list(game.outcomes(state)) if mover == CHANCE else [(action, 1) for action in game.actions(state)]
        pairs = [(action, chance) for action, chance in pairs if chance > 0]
        total = sum(Fraction(chance) for _, chance in pairs)
        below = tuple(game.result(state, action) for action, _ in pairs)
        found[state] = _Node(mover, below, tuple(Fraction(chance) / total for _, chance in pairs), Fraction(0))
        waiting += below
    return found


def _has_circle(nodes: dict) -> bool:
    left = {state: len(node.below) for state, node in nodes.items()}
    above: dict = {state: [] for state in nodes}
    for state, node in nodes.items():
        for child in node.below:
            above[child].append(state)
    waiting, done = [state for state, count in left.items() if count == 0], 0
    while waiting:
        done += 1
        for state in above[waiting.pop()]:
            left[state] -= 1
            if left[state] == 0:
                waiting.append(state)
    return done < len(nodes)


def _middle(game: Game) -> Fraction:
    low, high = game.utility_range
    if game.zero_sum and game.players > 1:
        return Fraction(0)
    if math.isinf(low) or math.isinf(high):
        return Fraction(min(max(0.0, low), high))
    return (Fraction(low) + Fraction(high)) / 2


def _by_attractors(nodes: dict, game: Game) -> dict:
    """For each payoff: who can force the first player to get at least, or less than, so much?"""
    middle = _middle(game)
    steps = sorted({node.payoff for node in nodes.values() if node.owner == OVER} | {middle})
    values = dict.fromkeys(nodes, steps[0])
    for step in steps[1:]:
        if step > middle:
            reached = _attracted(
                nodes, 0, {s for s, node in nodes.items() if node.owner == OVER and node.payoff >= step}
            )
        else:
            low = {s for s, node in nodes.items() if node.owner == OVER and node.payoff < step}
            reached = set(nodes) - _attracted(nodes, 1, low)
        for state in reached:
            values[state] = step
    return values


def _attracted(nodes: dict, player: int, wanted: set) -> set:
    """From where the player can force the play into the wanted states."""
    reached = set(wanted)
    while True:
        more = {
            state
            for state, node in nodes.items()
            if node.owner != OVER
            and state not in reached
            and (any if node.owner == player else all)(child in reached for child in node.below)
        }
        if not more:
            return reached
        reached |= more


def _distances(nodes: dict, values: dict) -> dict:
    """Plies to the end; who is ahead of zero hurries, who is behind delays. States that need not end have none."""
    found = {state: 0 for state, node in nodes.items() if node.owner == OVER}
    for round_ in range(1, len(nodes) + 1):
        new = {}
        for state, node in nodes.items():
            if state in found or values[state] == 0:
                continue
            own = values[state] if node.owner == 0 else -values[state]
            plies = [found.get(child) for child in node.below if values[child] == values[state]]
            known = [number for number in plies if number is not None]
            if (own > 0 and known) or (own < 0 and len(known) == len(plies)):
                new[state] = round_
        found |= new
    return found


def _by_strategies(nodes: dict, game: Game) -> dict:
    """The most that the first player can be sure of, by trying everything."""
    movers = [[state for state, node in nodes.items() if node.owner == player] for player in (0, 1)]
    counts = [math.prod(len(set(nodes[state].below)) for state in states) for states in movers]
    if math.prod(counts) > MOST_STRATEGIES:
        raise TooLarge
    choices = [[sorted(set(nodes[state].below), key=repr) for state in states] for states in movers]
    middle, best = _middle(game), None
    for mine in itertools.product(*choices[0]):
        worst = None
        for theirs in itertools.product(*choices[1]):
            chosen = dict(zip([*movers[0], *movers[1]], [*mine, *theirs], strict=True))
            values = _of_chain(nodes, chosen, middle)
            worst = values if worst is None else {state: min(worst[state], values[state]) for state in nodes}
        best = worst if best is None else {state: max(best[state], worst[state]) for state in nodes}
    return best


def _of_chain(nodes: dict, chosen: dict, middle: Fraction) -> dict:
    """What each state is worth when everybody always does the same."""
    steps = {}
    for state, node in nodes.items():
        if node.owner == CHANCE:
            steps[state] = list(zip(node.below, node.chances, strict=True))
        elif node.owner != OVER:
            steps[state] = [(chosen[state], Fraction(1))]
    ending = {state for state, node in nodes.items() if node.owner == OVER}
    while more := {s for s, pairs in steps.items() if s not in ending and any(to in ending for to, _ in pairs)}:
        ending |= more
    values = {state: node.payoff if node.owner == OVER else middle for state, node in nodes.items()}
    inner = [state for state in steps if state in ending]
    rows = []
    for state in inner:
        row = {other: Fraction(0) for other in inner} | {None: Fraction(0)}
        row[state] += 1
        for to, chance in steps[state]:
            if to in row:
                row[to] -= chance
            else:
                row[None] += chance * values[to]
        rows.append([row[other] for other in [*inner, None]])
    return values | dict(zip(inner, _solved(rows), strict=True))


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, each row with its right side last."""
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [item / rows[column][column] for item in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]
