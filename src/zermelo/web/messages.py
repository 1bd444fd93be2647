"""The messages between page and server; the API's schema is generated from them.

All input is validated: unknown fields are refused, and every text and list has a maximum length.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from zermelo.web.levels import HIGHEST_LEVEL, USUAL_LEVEL

LONGEST_THOUGHT = 300.0
"""The longest search that can be requested, in seconds."""
DEEPEST_THOUGHT = 100
LONGEST_TEXT = 20_000
MOST_MOVES = 2_000

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
Options: TypeAlias = Annotated[dict[Name, Annotated[str, Field(max_length=LONGEST_TEXT)]], Field(max_length=30)]
NodeNumber: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000)]


class Strict(BaseModel):
    """No other fields, and no conversion of types: no text or boolean for a number."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


# -- input -----------------------------------------------------------------------------------------


class Player(Strict):
    """The player at a seat: a person, or an agent at a level."""

    agent: Annotated[str, Field(max_length=40)] | None = None
    """None means a person."""
    level: Annotated[int, Field(ge=1, le=HIGHEST_LEVEL)] = USUAL_LEVEL


class NewSession(Strict):
    """A new game, from its start or from a position, with moves that are played already."""

    game: Name
    options: Options = {}
    position: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    moves: Annotated[list[Name], Field(max_length=MOST_MOVES)] = []
    scoresheet: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    """Instead of a position and moves: a whole game in its standard notation, such as PGN."""
    players: Annotated[list[Player], Field(max_length=64)] = []
    """One for each seat; empty for a person against the computer."""
    level: Annotated[int, Field(ge=1, le=HIGHEST_LEVEL)] = USUAL_LEVEL
    """The computer's level, if no players are given."""
    dice: Literal["rolled", "chosen"] = "rolled"


class Move(Strict):
    """A move as text, played at a node of the session's tree; by default at the current node."""

    move: Name
    node: NodeNumber | None = None


class GoTo(Strict):
    """A node of the session's tree to go to."""

    node: NodeNumber


class Line(Strict):
    """Moves from a node that are shown but not played."""

    node: NodeNumber
    moves: Annotated[list[Name], Field(min_length=1, max_length=100)]


class Seating(Strict):
    """The players from now on."""

    players: Annotated[list[Player], Field(min_length=1, max_length=64)]
    dice: Literal["rolled", "chosen"] = "rolled"


class Analyse(Strict):
    """Analyse a node and report progress."""

    do: Literal["analyse"]
    node: NodeNumber
    seconds: Annotated[float, Field(gt=0, le=LONGEST_THOUGHT, allow_inf_nan=False)] = 5.0
    depth: Annotated[int, Field(ge=1, le=DEEPEST_THOUGHT)] | None = None
    lines: Annotated[int, Field(ge=1, le=500)] | None = None
    """How many of the best moves get a value; by default all."""


class Answer(Strict):
    """Let the agent to move play, or roll the dice."""

    do: Literal["answer"]
    node: NodeNumber


class Stop(Strict):
    """Stop the searches of this client."""

    do: Literal["stop"]


Order: TypeAlias = Annotated[Analyse | Answer | Stop, Field(discriminator="do")]
ORDERS: TypeAdapter[Analyse | Answer | Stop] = TypeAdapter(Order)


# -- output ----------------------------------------------------------------------------------------


class Parameter(BaseModel):
    """An option of a game."""

    name: str
    kind: Literal["whole", "number", "switch", "text"]
    value: str


class GameFacts(BaseModel):
    """The declarations of a game."""

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
    """The notation of whole games, such as PGN; empty if there is none."""


class Board(BaseModel):
    """A picture with cells that can be touched."""

    svg: str
    cells: list[str]
    """The name of each cell and what is on it, for screen readers."""
    touches: dict[str, list[int]]
    last: list[int]
    aliases: dict[int, int]
    """Cells that stand for another one: a whole column for the cell where a stone lands."""


class Position(BaseModel):
    """The board and the legal moves at a node."""

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
    """The value of a node by the last search."""

    value: list[float | None]
    kind: str
    text: str
    """The value for the first player."""
    short: str
    chance: float | None
    """The first player's winning chances from 0 to 1, if two players oppose each other."""
    best: str | None
    depth: int | None


class ScoresheetText(BaseModel):
    """A game in its standard notation: PGN, SGF …; both texts are empty if there is none."""

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
    """A session with its current position."""

    id: str
    version: int
    """Grows with every change: of two states the page keeps the later one."""
    game: GameFacts
    title: str
    options: dict[str, str]
    start: str
    players: list[Player]
    dice: str
    levels: list[str]
    """The names of the agents' levels, from 1."""
    nodes: list[TreeNode]
    current: int
    position: Position
    note: str = ""
    """What was left out of an imported scoresheet, in one sentence."""


class Refusal(BaseModel):
    """The reason for a refusal, in one sentence."""

    error: str


Json: TypeAlias = dict[str, Any]
