"""The tree that a search visits, recorded by an observer.

trace("alphabeta", game, state, depth=3)                    an algorithm by its name
record(lambda: maxn_shallow(game, state, 12))               any call of a kernel
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from zermelo.core.analysis import Kind
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import CHANCE, Action, Game, State, suggest
from zermelo.core.guards import has_evaluation, require
from zermelo.core.notebook import HasFigure
from zermelo.core.numerals import number_text
from zermelo.core.referee import Referee
from zermelo.games.library.resolve import game_of, state_of
from zermelo.kernel import Kernel, observe
from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.cfr import counterfactual_value, present_strategy
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.layers import average, best_reply, maximise, minimise
from zermelo.textbook.maxn import maxn, maxn_shallow
from zermelo.textbook.minimax import UNLIMITED, minimax
from zermelo.textbook.opponents import Model, expectimax, uniform
from zermelo.textbook.quiescence import quiescent_alphabeta
from zermelo.textbook.star import ending, first_reply, star1, star2

NodeKind: TypeAlias = Literal["max", "min", "chance", "terminal", "horizon", "cut"]
"""`horizon` is a position that was evaluated instead of searched, `cut` one that was not visited.
In games of many players every player's node is `max`: each maximises their own entry of the tuple.
A player who moves at random, or by a model, has a `chance` node."""

SHALLOW = "maxn-shallow"
"""Max^n with shallow pruning; it fits where max^n does."""
ROUNDING = 1e-9
DEEPEST = 250
"""Maximum plies; a deeper tree counts as endless."""


@dataclass
class Probe:
    """Star2's look at an outcome: one reply bounds its value before the outcome itself is searched."""

    entered: int
    """The steps are numbered with those of the nodes; a node that is only probed has the same ones."""
    left: int = -1
    value: float | None = None
    side: Literal["lower", "upper"] = "lower"
    """Whether the value is a lower or an upper bound."""
    is_estimate: bool = False


@dataclass(frozen=True)
class StandPat:
    """The evaluation that the mover has for certain in a quiescence search, before any noisy move."""

    step: int
    value: float


CutKind: TypeAlias = Literal["alpha", "beta", "left", "never", "replied", "quiet", "unneeded"]
"""`alpha` and `beta`: the value is outside the window; `left`: what is left of the total payoff is too little; `never`:
probability 0; `replied`: another opponent has replied; `quiet`: below the depth limit."""
_CUT_WORDS: dict[CutKind, str] = {
    "alpha": "{} ≤ α = {}",
    "beta": "{} ≥ β = {}",
    "left": "{} left ≤ {}",
    "never": "never happens",
    "replied": "another replied",
    "quiet": "quiet",
    "unneeded": "not needed",
}


@dataclass(frozen=True)
class Cut:
    """Why a branch was cut: for `alpha`, `beta` and `left` a value and the bound that it meets."""

    kind: CutKind
    value: float | None = None
    bound: float | None = None

    @property
    def text(self) -> str:
        """`2 ≤ α = 3`, or a few words."""
        return _CUT_WORDS[self.kind].format(*(number_text(one) for one in (self.value, self.bound) if one is not None))


@dataclass
class Node(HasFigure):
    """A position that the algorithm visited, or a branch that it cut."""

    state: State
    kind: NodeKind
    player: int | None = None
    """The player to move; CHANCE (-1) for dice, None at the end of the game."""
    move: str = ""
    """The move that led here, in notation; empty at the root."""
    probability: float | None = None
    """Of the outcome that led here, if dice or a model did."""
    window: tuple[float, float] | None = None
    """Alpha and beta on entry, for algorithms that have them."""
    value: float | tuple[float, ...] | None = None
    """The returned value; None for a cut branch."""
    value_kind: Kind = "exact"
    """The kind of the value: inside the window exact, outside a bound; `estimate` if it depends on a horizon, or if the
    game has a rule for repetition, which these algorithms do not know.
    Of a tuple, a bound is one for the player who moves."""
    reason: str = ""
    """For a cut branch, the inequality that cut it: `2 ≤ α = 3`."""
    cut: Cut | None = None
    """For a cut branch, its reason as data."""
    entered: int = -1
    """Steps are numbered in the order in which the search enters and leaves nodes, from 0."""
    left: int = -1
    probe: Probe | None = None
    """In Star2, the probe of this outcome."""
    stand_pat: StandPat | None = None
    """In quiescence search, below the depth limit."""
    information_set: Any = None
    """In the tree of a game with hidden information: what identifies the nodes that the player cannot tell apart."""
    view: str = ""
    """What the player sees there, in notation."""
    children: list[Node] = field(default_factory=list)
    """The children in the order of the actions, cut branches included."""

    def nodes(self) -> Iterator[Node]:
        """This node and all its descendants, parents first, in the order of the moves."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def count(self) -> int:
        """The number of visited nodes; cut branches do not count."""
        return sum(node.kind != "cut" for node in self.nodes())

    def leaves(self) -> list[Node]:
        """The visited terminal and horizon nodes, in order."""
        return [node for node in self.nodes() if node.kind in ("terminal", "horizon")]

    def cuts(self) -> list[Node]:
        """The cut branches, in order."""
        return [node for node in self.nodes() if node.kind == "cut"]


def trace(
    algorithm: str,
    game: Game | str,
    state: Referee | State | str | None = None,
    *,
    depth: int | None = None,
    window: tuple[float, float] | None = None,
    model: Model | None = None,
    most: int = 100_000,
    observer: TreeObserver | None = None,
) -> Node:
    """The tree that an algorithm visits from a state. Game and position may be texts, as in the command.

    If two players oppose each other, values are the first player's, who is Max; in paranoid search, best-reply search
    and expectimax, they are those of the player to move.
    """
    game = game_of(game)
    require(game, "maxn" if algorithm == SHALLOW else algorithm)
    start = state_of(game, state)
    takes_sides = algorithm in ("paranoid", "bestreply", "expectimax") and not game.is_terminal(start)
    player = max(game.to_move(start), 0) if takes_sides else 0
    plies = UNLIMITED if depth is None else depth
    if plies < 0:
        raise UsageError(f"a depth is 0 or more, not {depth}")
    if window is not None and algorithm not in _WINDOWED:
        raise UsageError(f"{algorithm} has no window; {suggest(_WINDOWED, '')}")
    if window is not None and not window[0] < window[1]:
        raise UsageError(f"alpha is below beta in a window, unlike {window[0]} and {window[1]}")
    if model is not None and algorithm != "expectimax":
        raise UsageError(f"{algorithm} has no model of an opponent; try expectimax")
    if algorithm in _WINDOWED:
        return record(lambda: _WINDOWED[algorithm](game, start, player, plies, *(window or ())), most, observer)
    if algorithm in _PLAIN:
        return record(lambda: _PLAIN[algorithm](game, start, player, plies), most, observer)
    if algorithm == "maxn":
        return record(lambda: maxn(game, start, plies), most, observer)
    if algorithm == SHALLOW:
        return record(lambda: maxn_shallow(game, start, payoff_limit(game), plies), most, observer)
    if algorithm == "expectimax":
        return record(lambda: expectimax(game, start, player, model or uniform, plies), most, observer)
    names = [*_PLAIN, *_WINDOWED, "maxn", SHALLOW, "expectimax"]
    raise UsageError(f"there is no tree of {algorithm}; {suggest(names, '')}")


_WINDOWED: dict[str, Kernel[..., float]] = {
    "alphabeta": alphabeta,
    "star1": star1,
    "star2": star2,
    "quiescence": quiescent_alphabeta,
}
_PLAIN: dict[str, Kernel[..., float]] = {
    "minimax": minimax,
    "expectiminimax": expectiminimax,
    "paranoid": expectiminimax,
    "bestreply": best_reply,
}


def payoff_limit(game: Game) -> float:
    """Upper limit of the sum of all payoffs or estimates, for shallow pruning; a little more if they are rounded."""
    low, high = game.utility_range
    most = min(game.max_payoff_sum, 0.0 if game.zero_sum else game.players * high)
    is_exact = not game.chance and (math.isfinite(game.max_payoff_sum) or not has_evaluation(game))
    return most if is_exact else most + ROUNDING * (high - low)


def record(search: Callable[[], object], most: int = 100_000, observer: TreeObserver | None = None) -> Node:
    """The tree of the first kernel that `search()` calls."""
    observer = observer or TreeObserver(most)
    with observe(observer):
        search()
    if observer.root is None:
        raise UsageError("no kernel was called, so there is no tree; compiled runs leave none")
    return observer.root


# -- the observer --------------------------------------------------------------------------------------


class TreeObserver:
    """Records the tree of one search, without any code in the algorithm.

    Calls of other kernels, such as those of a modelled opponent that searches, are not part of the tree.
    """

    def __init__(self, most: int = 100_000) -> None:
        self.root: Node | None = None
        self._most = most
        self._size = self._clock = 0
        self._calls: list[_Call] = []
        self._others = 0

    def enter(self, name: str, arguments: dict[str, Any]) -> None:
        if self._others or (self._calls and name not in (self._calls[0].name, ending.__name__)):
            self._others += 1
            return
        probed = self._find_probed(name, arguments)
        place = self._place(arguments, probed)
        place.node.window = (arguments["alpha"], arguments["beta"]) if "alpha" in arguments else None
        self._calls.append(_Call(name, arguments, place, probed))
        if _stands_pat(self._calls[-1]) and place.node.kind != "terminal":
            place.node.stand_pat = StandPat(self._tick(), self._evaluate(arguments))
        if len(self._calls) > DEEPEST:
            raise RulesError(f"{arguments['game']} does not end within {DEEPEST} plies; give a smaller depth")

    def leave(self, result: Any) -> None:
        if self._others:
            self._others -= 1
            return
        call = self._calls.pop()
        self._close(call.place.node, result)
        _close_call(call)
        if call.probed is not None:
            outcome, reply = call.probed.node, call.place.node
            self._close(outcome, result)
            assert outcome.probe is not None
            outcome.probe.left, outcome.probe.value = outcome.left, result
            outcome.probe.side = "lower" if outcome.kind == "max" else "upper"
            outcome.probe.is_estimate = reply.value_kind == "estimate"
            outcome.value_kind = "estimate" if outcome.probe.is_estimate else outcome.probe.side

    def break_off(self) -> None:
        """Finish the tree of an aborted search: attach the visited nodes; unfinished nodes have no value.

        An outcome that was being probed is attached at its own place.
        """
        while self._calls:
            self._calls.pop().place.attach(None)

    def _find_probed(self, name: str, arguments: dict[str, Any]) -> _Place | None:
        """The outcome that Star2 probes with this call, which is two plies down."""
        if name != star2.__name__ or not self._calls or self._calls[-1].arguments["depth"] - arguments["depth"] != 2:
            return None
        game = arguments["game"]
        for way in self._calls[-1].place.ways():
            is_open = not way.places and not game.is_terminal(way.state) and game.to_move(way.state) != CHANCE
            if is_open and first_reply(game, way.state) == arguments["state"]:
                place = self._open(way.state, arguments, way)
                place.is_searched, place.node.probe = False, Probe(place.node.entered)
                return place
        raise AssertionError("Star2 probes a first reply")

    def _place(self, arguments: dict[str, Any], probed: _Place | None) -> _Place:
        """The place of the call: a new one, or one that a probe has opened."""
        state = arguments["state"]
        if not self._calls:
            place = self._open(state, arguments, None)
            self.root = self.root or place.node
            return place
        way = (probed or self._calls[-1].place).way_to(state)
        if way.places and not way.places[-1].is_searched:
            known = way.places[-1]
            known.is_searched, known.node.entered = True, self._tick()
            known.node.left, known.node.value = -1, None
            return known
        return self._open(state, arguments, way)

    def _open(self, state: State, arguments: dict[str, Any], way: _Branch | None) -> _Place:
        self._size += 1
        if self._size > self._most:
            raise Refused(f"the tree has more than {self._most:,} nodes; give a smaller depth")
        game = arguments["game"]
        place = _Place(Node(state, "terminal", entered=self._tick()), game)
        if not game.is_terminal(state):
            mover = game.to_move(state)
            place.node.kind, place.node.player = _kind(mover, arguments), mover
            model = _model(mover, arguments)
            if model is not None:
                self._others += 1
                place.chances = dict(model(game, state))
                self._others -= 1
        if way is not None:
            place.node.move, place.node.probability = way.move, way.probability
            way.places.append(place)
        return place

    def _evaluate(self, arguments: dict[str, Any]) -> float:
        """The evaluation of the position that was entered; the kernels that it calls are not part of the tree."""
        self._others += 1
        value = float(arguments["game"].evaluate(arguments["state"], arguments["player"]))
        self._others -= 1
        return value

    def _close(self, node: Node, result: Any) -> None:
        node.value, node.left = result, self._tick()

    def _tick(self) -> int:
        self._clock += 1
        return self._clock - 1


@dataclass
class _Call:
    """A call that has not returned."""

    name: str
    arguments: dict[str, Any]
    place: _Place
    probed: _Place | None = None
    """The outcome that this call probes by its first reply, before the outcome itself is searched."""


@dataclass
class _Place:
    """A node under search, and its branches."""

    node: Node
    game: Game
    chances: dict[Action, float] | None = None
    """The probabilities of the moves, if a model gives them."""
    is_searched: bool = True
    """Whether the node was searched, not only probed."""
    known: list[_Branch] = field(default_factory=list)
    by_state: dict[State, list[_Branch]] = field(default_factory=dict)

    def ways(self) -> list[_Branch]:
        """The moves or outcomes; listed when the first of them is taken."""
        if not self.known:
            game, state = self.game, self.node.state
            actions: Iterable[tuple[Action, float | None]] = ((action, None) for action in game.actions(state))
            if self.node.player == CHANCE:
                actions = game.outcomes(state)
            elif self.chances is not None:
                actions = ((action, self.chances.get(action, 0.0)) for action in game.actions(state))
            self.known = [_Branch(a, game.format_action(state, a), p, game.result(state, a)) for a, p in actions]
            for way in self.known:
                self.by_state.setdefault(way.state, []).append(way)
        return self.known

    def way_to(self, state: State) -> _Branch:
        """Of several branches to the same position, the first one not yet searched."""
        self.ways()
        found = self.by_state[state]
        return next((way for way in found if not way.places or not way.places[-1].is_searched), found[-1])

    def attach(self, reason: Callable[[_Branch], Cut] | None) -> None:
        """Attach the child nodes; branches that were not visited, for a reason, become cut branches in their places."""
        for way in self.known:
            if not way.places and reason is not None:
                cut = reason(way)
                branch = Node(way.state, "cut", None, way.move, way.probability, reason=cut.text, cut=cut)
                self.node.children.append(branch)
            for place in way.places:
                self.node.children.append(place.node)
                if not place.is_searched:
                    place.attach(reason)


@dataclass
class _Branch:
    """A move or outcome, and the places that it led to; none if it was not taken."""

    action: Action
    move: str
    probability: float | None
    state: State
    places: list[_Place] = field(default_factory=list)


def _kind(mover: int, arguments: dict[str, Any]) -> NodeKind:
    if mover == CHANCE or "table" in arguments:
        return "chance"
    if "behaviours" in arguments:
        behaviour = arguments["behaviours"][mover]
        return "max" if behaviour is maximise else "min" if behaviour is minimise else "chance"
    if arguments.get("player", mover) == mover:
        return "max"
    return "chance" if "model" in arguments else "min"


def _model(mover: int, arguments: dict[str, Any]) -> Model | None:
    """The assumed probabilities of the mover's moves, if the mover does not choose the best."""
    if mover == CHANCE:
        return None
    if "table" in arguments:
        return lambda game, state: present_strategy(game, state, arguments["memories"], arguments["table"])
    if "behaviours" in arguments:
        return uniform if arguments["behaviours"][mover] is average else None
    return arguments.get("model") if mover != arguments.get("player") else None


def _close_call(call: _Call) -> None:
    """Attach the branches and set the kind of the value, after the call has returned."""
    node, value = call.place.node, call.place.node.value
    if node.kind == "terminal":
        return
    if not call.place.known:
        node.kind, node.value_kind = "horizon", "estimate"
        return
    call.place.attach(lambda way: _reason(call, way))
    is_guess = _stands_pat(call) or call.place.game.repetition  # the tree does not see where positions repeat
    is_momentary = call.name == counterfactual_value.__name__  # the value under strategies that are still changing
    if is_guess or is_momentary or any(child.value_kind == "estimate" for child in node.children):
        node.value_kind = "estimate"
    elif isinstance(value, tuple):
        node.value_kind = "lower" if any(child.kind == "cut" for child in node.children) else "exact"
    elif node.window is not None and value is not None:
        node.value_kind = "upper" if value <= node.window[0] else "lower" if value >= node.window[1] else "exact"
        if node.probe is not None and node.probe.value == value and {node.probe.side, node.value_kind} == _BOTH_SIDES:
            node.value_kind = "exact"  # the bound of the probe meets that of the search


_BOTH_SIDES = {"lower", "upper"}


def _stands_pat(call: _Call) -> bool:
    """Whether the mover may stand pat on the evaluation."""
    return call.name == quiescent_alphabeta.__name__ and call.arguments["depth"] <= 0


def _reason(call: _Call, way: _Branch) -> Cut:
    """The reason for a cut, usually an inequality."""
    game, node, value = call.place.game, call.place.node, call.place.node.value
    if way.probability == 0:
        return Cut("never")
    if call.name == best_reply.__name__:
        return Cut("replied")
    if _stands_pat(call) and not game.is_noisy(node.state, way.action):
        return Cut("quiet")
    if node.window is not None and not isinstance(value, tuple) and value is not None:
        alpha, beta = node.window
        if value >= beta:
            return Cut("beta", value, beta)
        if value <= alpha:
            return Cut("alpha", value, alpha)
    if isinstance(value, tuple) and "total" in call.arguments and node.player is not None:
        rest = call.arguments["total"] - value[node.player] - (game.players - 2) * game.utility_range[0]
        return Cut("left", rest, call.arguments["bound"])
    return Cut("unneeded")
