"""What search processes send and the server passes on: the shapes that have no model in `messages`.

The server does not check these messages again. `tools/page_types.py` makes types of them for the page, and tests
compare them with what is sent.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NotRequired, TypeAlias

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from zermelo.textbook.pseudocode import Step
from zermelo.textbook.trace import CutKind
from zermelo.web.messages import Board, ClockState, Judged, Moved, Seated, SessionState, Went

Value: TypeAlias = list[float | None]
"""One number for each player, or one in all; null for infinity and for what is unknown."""
Proof: TypeAlias = Literal["exact", "lower", "upper", "estimate"]
NodeProof: TypeAlias = Literal["exact", "lower", "upper", "estimate", "lower estimate", "upper estimate"]

# -- events ----------------------------------------------------------------------------------------


class MoveView(TypedDict):
    """A move of an analysis."""

    move: str
    value: Value
    kind: Proof
    depth: int | None
    visits: NotRequired[int]
    nodes: NotRequired[int | None]
    line: list[str]
    distance: NotRequired[int]
    distance_kind: NotRequired[str]
    text: str
    short: str
    chance: float | None
    probability: NotRequired[float]
    """How often to play it, where something is hidden."""


class AnalysisView(TypedDict):
    """An analysis of a node, with texts."""

    node: int
    game: str
    position: str
    to_move: int
    agent: str
    seed: int | None
    value: Value
    kind: Proof
    best: str | None
    line: list[str]
    distance: int | None
    distance_kind: NotRequired[str]
    error: NotRequired[float]
    moves: list[MoveView]
    stats: dict[str, Any]
    limit: dict[str, Any]
    stopped: str
    notes: list[str]
    headline: str
    about: str
    why: str
    """Why the best move is good, in a few words that follow it."""
    chance: float | None
    first: str
    short: str


class Progress(TypedDict):
    """How far a search is that an agent or an analysis waits for."""

    node: int
    state: Literal["waiting", "preparing", "thinking", "failed", "done", "stopped"]
    ahead: NotRequired[int]
    """The number of jobs before it, if it waits."""
    text: NotRequired[str]
    """What is prepared, or why it failed."""


class Running(TypedDict):
    """Whether agents and dice move by themselves, and the milliseconds between two of their moves."""

    is_paused: bool
    pace: int


class ReviewProgress(TypedDict):
    """How far a review is."""

    done: int
    total: int


class Whole(Running):
    """Everything: the content of a snapshot."""

    session: SessionState
    review: ReviewProgress | None
    answering: Progress | None
    compiling: str | None
    """A sentence while the game is being compiled."""


class Accepted(TypedDict):
    """An order was obeyed."""

    id: int | None


class Refused(Accepted):
    """An order was not obeyed, for this reason."""

    error: str


EVENTS: dict[str, Any] = {
    "snapshot": Whole,
    "moved": Moved,
    "went": Went,
    "seated": Seated,
    "judged": Judged,
    "clock": ClockState,
    "running": Running,
    "review": ReviewProgress | None,
    "answering": Progress | None,
    "thinking": Progress,
    "compiling": str | None,
    "analysis": AnalysisView,
    "accepted": Accepted,
    "refused": Refused,
}
"""The content of each event."""

# -- inside the search -----------------------------------------------------------------------------


class AlgorithmTitle(TypedDict):
    """A search that can be looked into."""

    name: str
    title: str


class CodeLine(TypedDict):
    """A line of pseudocode, and the steps in which it is the current one."""

    text: str
    steps: list[Step]


class NodeSteps(TypedDict):
    """The steps in which a node or a probe is entered and left, and in which it waits for a child."""

    enter: NotRequired[Step]
    call: NotRequired[Step]
    leave: Step


class Probe(TypedDict):
    """How Star2 bounded an outcome by one reply, before its search."""

    entered: int
    left: int | None
    value: Value | None
    proof: NodeProof
    steps: NodeSteps


class StandPat(TypedDict):
    """The evaluation that counts in a quiescence search if no noisy move is better."""

    moment: int | None
    value: Value


class CutReason(TypedDict):
    """Why a branch is cut: a value and the bound that it meets, if there are any."""

    kind: CutKind
    value: float | None
    bound: float | None


class TreeItem(TypedDict):
    """A node or a cut branch of a recorded search, or a node of a growing tree, which has visits."""

    number: int | None
    parent: int
    index: int
    kind: Literal["max", "min", "chance", "terminal", "horizon", "cut"]
    shape: NotRequired[str]
    """The kind that a cut branch would have."""
    player: int | None
    move: str
    probability: float | None
    window: NotRequired[Value | None]
    value: Value | None
    proof: NodeProof
    reason: NotRequired[CutReason]
    entered: NotRequired[int | None]
    left: NotRequired[int | None]
    children: int
    below: NotRequired[int]
    visits: NotRequired[int]
    branches: NotRequired[int]
    probe: NotRequired[Probe]
    stand_pat: NotRequired[StandPat]
    steps: NotRequired[NodeSteps]


class LookFacts(TypedDict):
    """A search that was recorded, or will grow."""

    game: str
    algorithm: str
    is_tree: bool
    seats: list[str]
    range: Value
    unit: float
    unit_name: str
    algorithms: list[AlgorithmTitle]
    pseudocode: list[CodeLine]


class RecordingFacts(LookFacts):
    """A recorded search, with the top of its tree."""

    nodes: int
    leaves: int
    cuts: int
    moments: int
    value: Value | None
    kind: Proof
    line: list[str]
    end: str
    items: list[TreeItem]


class GrowthFacts(LookFacts):
    """A Monte Carlo tree search, which grows."""

    most: int
    exploration: float


class TreeItems(TypedDict):
    """A part of a recorded tree."""

    items: list[TreeItem]


class GrownTree(TreeItems):
    """The tree after a number of simulations."""

    simulations: int
    size: int
    way: list[int]
    payoffs: Value | None
    steps: list[Step]
    """What the last simulation did."""
    is_compiling: bool


class InsideBoard(TypedDict):
    """The position after a line of the tree."""

    line: list[str]
    node: int
    to_move: int
    mover: str
    is_over: bool
    outcome: str
    text: str
    board: Board


ANSWERS: dict[str, Any] = {
    "open": RecordingFacts | GrowthFacts,
    "children": TreeItems,
    "moment": TreeItems,
    "board": InsideBoard,
    "grow": GrownTree,
}
"""The answer to each question about a recorded search."""


# -- equilibria ------------------------------------------------------------------------------------


class SolvingCurve(TypedDict):
    """How exploitable the strategies were after some iterations."""

    points: list[list[float]]
    """Pairs of iterations and exploitability."""
    chart: str
    """The curve as SVG; empty without points."""


class MoveShare(TypedDict):
    """A move at an information set."""

    move: str
    probability: float
    text: str
    """The probability as a fraction if it is proved, otherwise in percent."""
    worth: float | None
    """What the player wins after it on average; null if the game is too large to show it."""
    is_bluff: bool


class SetRow(TypedDict):
    """An information set in the table of a strategy."""

    player: int
    view: str
    reach: float
    """The probability that play comes here."""
    moves: list[MoveShare]


class SolutionView(SolvingCurve):
    """A solved game."""

    game: str
    title: str
    seats: list[str]
    method: str
    kind: Literal["exact", "estimate"]
    value: str
    about: str
    exploitability: float
    iterations: int
    seconds: float
    sets: int
    """How many information sets there are; the table may have fewer rows."""
    rows: list[SetRow]
    sentences: list[str]
    """The bluffs in words."""


class LearningSet(TypedDict):
    """An information set at which a player learns."""

    player: int
    view: str
    moves: list[str]


class LearningStep(TypedDict):
    """What one iteration has changed at one information set; an entry for each move."""

    iteration: int
    set: int
    before: list[float]
    """The regrets before it."""
    regrets: list[float]
    strategy: list[float]
    """What regret matching plays next."""
    average: list[float]


class LearningRecord(TypedDict):
    """Counterfactual regret minimisation, step by step."""

    game: str
    title: str
    seats: list[str]
    sets: list[LearningSet]
    steps: list[LearningStep]
    exploitability: list[float]
    """Of the average strategies after each iteration."""
    pseudocode: list[CodeLine]


class DecisionCost(TypedDict):
    """A decision of a finished game."""

    ply: int
    """The number of the move, from 0."""
    player: int
    seat: str
    view: str
    """What the player knew."""
    move: str
    probability: float
    """How often the equilibrium plays the move."""
    cost: float
    best: str
    words: str


class Costs(TypedDict):
    """What the decisions of a finished game cost."""

    about: str
    unit: str
    totals: list[float]
    """By player."""
    decisions: list[DecisionCost]


class SolvingNews(TypedDict):
    """A line of the answer to a request to solve a game."""

    waiting: NotRequired[int]
    preparing: NotRequired[str]
    analysis: NotRequired[SolvingCurve]
    done: NotRequired[SolutionView | None]
    error: NotRequired[str]


@cache
def adapter(shape: Any) -> TypeAdapter[Any]:
    """Checks that data has a shape."""
    return TypeAdapter(shape)
