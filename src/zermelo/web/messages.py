"""What the page and the server say to each other; the API's schema is made from it.

Whatever comes in is checked to the last field: a field nobody knows is refused, and every text and list has an end.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from zermelo.web.levels import HIGHEST_LEVEL, USUAL_LEVEL

LONGEST_THOUGHT = 300.0
"""Seconds that a search may be asked for."""
DEEPEST_THOUGHT = 100
LONGEST_TEXT = 20_000
MOST_MOVES = 2_000

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
Options: TypeAlias = Annotated[dict[Name, Annotated[str, Field(max_length=LONGEST_TEXT)]], Field(max_length=30)]
NodeNumber: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000)]


class Strict(BaseModel):
    """Nothing but what is written here: no other field, and no text or truth value where a number is asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


# -- what comes in ---------------------------------------------------------------------------------


class Player(Strict):
    """Who has a seat: a person, or an agent that plays at a level."""

    agent: Annotated[str, Field(max_length=40)] | None = None
    """None is a person."""
    level: Annotated[int, Field(ge=1, le=HIGHEST_LEVEL)] = USUAL_LEVEL


class NewSession(Strict):
    """A game to be played, from its start or from a position, with moves that were played already."""

    game: Name
    options: Options = {}
    position: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    moves: Annotated[list[Name], Field(max_length=MOST_MOVES)] = []
    scoresheet: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    """Instead of a position and moves: a whole game as its players write it, such as PGN."""
    players: Annotated[list[Player], Field(max_length=64)] = []
    """One for each seat; none for a person against the computer."""
    level: Annotated[int, Field(ge=1, le=HIGHEST_LEVEL)] = USUAL_LEVEL
    """The computer's, where no players are named."""
    dice: Literal["rolled", "chosen"] = "rolled"


class Move(Strict):
    """A move as text, played at a node of the session's tree; by default where the session is."""

    move: Name
    node: NodeNumber | None = None


class GoTo(Strict):
    """To a node of the session's tree."""

    node: NodeNumber


class Line(Strict):
    """Moves that could be played from a node on."""

    node: NodeNumber
    moves: Annotated[list[Name], Field(min_length=1, max_length=100)]


class Seating(Strict):
    """Who sits where from now on."""

    players: Annotated[list[Player], Field(min_length=1, max_length=64)]
    dice: Literal["rolled", "chosen"] = "rolled"


class Analyse(Strict):
    """Think about a node, and tell all the while."""

    do: Literal["analyse"]
    node: NodeNumber
    seconds: Annotated[float, Field(gt=0, le=LONGEST_THOUGHT, allow_inf_nan=False)] = 5.0
    depth: Annotated[int, Field(ge=1, le=DEEPEST_THOUGHT)] | None = None
    lines: Annotated[int, Field(ge=1, le=500)] | None = None
    """So many of the best moves get a value of their own; by default all."""


class Answer(Strict):
    """Let the agent whose turn it is move; dice are rolled."""

    do: Literal["answer"]
    node: NodeNumber


class Stop(Strict):
    """End whatever is being thought about for this client."""

    do: Literal["stop"]


Order: TypeAlias = Annotated[Analyse | Answer | Stop, Field(discriminator="do")]
ORDERS: TypeAdapter[Analyse | Answer | Stop] = TypeAdapter(Order)


# -- what goes out ---------------------------------------------------------------------------------


class Parameter(BaseModel):
    """An option of a game."""

    name: str
    kind: Literal["whole", "number", "switch", "text"]
    value: str


class GameFacts(BaseModel):
    """What a game declares."""

    key: str
    name: str
    summary: str
    players: int
    seats: list[str]
    zero_sum: bool
    chance: bool
    hidden: bool
    parameters: list[Parameter]
    agents: list[str]
    scoresheet: str
    """What whole games are written in, such as PGN; empty if there is no such form."""


class Board(BaseModel):
    """A picture with cells to be touched."""

    svg: str
    cells: list[str]
    """What each cell is called and what stands there, for those who listen."""
    touches: dict[str, list[int]]
    last: list[int]
    aliases: dict[int, int]
    """Cells that stand for another one when they are touched: a whole column for the place where a stone lands."""


class Position(BaseModel):
    """What can be seen and done at a node."""

    node: int
    to_move: int
    mover: str
    is_over: bool
    outcome: str
    text: str
    moves: list[str]
    odds: dict[str, float]
    board: Board


class Judgement(BaseModel):
    """What a search thought of a node when it was last asked."""

    value: list[float | None]
    kind: str
    text: str
    """For the first player, where two oppose each other."""
    short: str
    chance: float | None
    """The first player's prospects from 0 to 1, where two oppose each other."""
    best: str | None
    depth: int | None


class ScoresheetText(BaseModel):
    """A game as its players write it down: PGN, SGF …; both texts are empty if there is no such form."""

    name: str
    text: str


class TreeNode(BaseModel):
    """A move of the game or of one of its branches."""

    number: int
    parent: int | None
    move: str
    player: int
    next: int | None
    """The child that was visited last."""
    judgement: Judgement | None = None


class SessionState(BaseModel):
    """A session with the position it is at."""

    id: str
    version: int
    """Grows with every change: of two states the page believes the later one."""
    game: GameFacts
    title: str
    options: dict[str, str]
    start: str
    players: list[Player]
    dice: str
    levels: list[str]
    """What the levels of agents are called, from 1."""
    nodes: list[TreeNode]
    current: int
    position: Position
    note: str = ""
    """What of an imported scoresheet was left out, in one sentence."""


class Refusal(BaseModel):
    """Why something was not done, in one sentence."""

    error: str


Json: TypeAlias = dict[str, Any]
