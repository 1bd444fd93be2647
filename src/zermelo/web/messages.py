"""The messages between page and server; the API's schema is generated from them.

All input is validated: unknown fields are refused, and every text and list has a maximum length. Search processes load
this module too, so it needs pydantic but not fastapi, which takes 0.2 s of processor time.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from zermelo.arena.levels import HIGHEST_LEVEL, USUAL_LEVEL

LONGEST_THOUGHT = 300.0
"""The longest search that can be requested, in seconds."""
DEEPEST_THOUGHT = 100
LONGEST_TEXT = 20_000
MOST_MOVES = 2_000

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
Options: TypeAlias = Annotated[dict[Name, Annotated[str, Field(max_length=LONGEST_TEXT)]], Field(max_length=30)]
Dice: TypeAlias = Literal["rolled", "chosen"]
SessionName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
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


class ClockSettings(Strict):
    """The time of each side for the whole game, and what every move adds to it, in seconds."""

    seconds: Annotated[int, Field(ge=10, le=24 * 3600)]
    increment: Annotated[int, Field(ge=0, le=600)] = 0


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
    people: Literal["all"] | Annotated[list[Annotated[int, Field(ge=0, le=63)]], Field(max_length=64)] = [0]
    """If no players are given: the seats of people; the computer plays the others. None of them: it plays alone."""
    agent: Annotated[str, Field(max_length=40)] = "auto"
    """If no players are given: the agent that plays for the computer, at this level."""
    level: Annotated[int, Field(ge=1, le=HIGHEST_LEVEL)] = USUAL_LEVEL
    dice: Dice = "rolled"
    clock: ClockSettings | None = None
    """Only in games for two."""


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
    dice: Dice = "rolled"


# -- orders on the socket --------------------------------------------------------------------------


class Command(Strict):
    """An order on the socket. The reply names its `id`, if it has one."""

    id: NodeNumber | None = None


class Play(Command, Move):
    """Play a move."""

    do: Literal["play"]


class Go(Command, GoTo):
    """Go to a node."""

    do: Literal["go"]


class Sit(Command, Seating):
    """Set the players."""

    do: Literal["sit"]


class Undo(Command):
    """Go back to the last turn of a person."""

    do: Literal["undo"]


class Redo(Command):
    """Go forward to the next turn of a person."""

    do: Literal["redo"]


class Analyse(Command):
    """Analyse a node once and report progress to this client."""

    do: Literal["analyse"]
    node: NodeNumber
    seconds: Annotated[float, Field(gt=0, le=LONGEST_THOUGHT, allow_inf_nan=False)] = 5.0
    depth: Annotated[int, Field(ge=1, le=DEEPEST_THOUGHT)] | None = None
    lines: Annotated[int, Field(ge=1, le=500)] | None = None
    """How many of the best moves get a value; by default all."""


class Follow(Command):
    """Analyse every position that the game comes to for this client, from now on or no longer."""

    do: Literal["follow"]
    is_on: bool


class Stop(Command):
    """Stop this client's analysis, the review, and the agent, which plays the best move found so far."""

    do: Literal["stop"]


class Pause(Command):
    """Let neither agents nor dice move by themselves."""

    do: Literal["pause"]


class Resume(Command):
    """End a pause; at the node, the agent or the dice move although moves follow already."""

    do: Literal["resume"]
    node: NodeNumber | None = None


class SetPace(Command):
    """The time between two moves if only agents play."""

    do: Literal["set_pace"]
    milliseconds: Annotated[int, Field(ge=0, le=60_000)]


class Review(Command):
    """Analyse every position of the current line that has no judgement."""

    do: Literal["review"]


class Lift(Command):
    """Lift the curtain for this client: the player of the seat to move looks at it, and nobody else."""

    do: Literal["lift"]
    seat: Annotated[int, Field(ge=0, le=63)]


class Snapshot(Command):
    """Send the whole state again: this client has missed an event."""

    do: Literal["snapshot"]


Change: TypeAlias = Play | Go | Sit | Undo | Redo
"""Orders that change the game."""
AnyOrder: TypeAlias = Change | Analyse | Follow | Stop | Pause | Resume | SetPace | Review | Lift | Snapshot
ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="do")])


# -- output ----------------------------------------------------------------------------------------


class Parameter(BaseModel):
    """An option of a game."""

    name: str
    label: str
    """The option in words."""
    kind: Literal["whole", "number", "switch", "text"]
    value: str


class GameFacts(BaseModel):
    """The declarations of a game."""

    key: str
    name: str
    title: str
    """The proper name that people read."""
    summary: str
    group: str
    """Where it is on the start page: own, two, dice, hidden, many, alone, trees."""
    players: int
    seats: list[str]
    begins: int | None
    """The seat with the first move; null if the dice decide."""
    zero_sum: bool
    chance: bool
    hidden: bool
    parameters: list[Parameter]
    agents: list[str]
    agent_titles: dict[str, str]
    """The names of the agents that people read."""
    levels: list[str]
    """The names of the agents' levels, from 1."""
    scoresheet: str
    """The notation of whole games, such as PGN; empty if there is none."""


class Thumbnail(BaseModel):
    """A small picture of a game."""

    svg: str
    colours: list[str]
    """The colours of the players, by name."""


class Board(BaseModel):
    """A picture with cells that can be touched."""

    svg: str
    cells: list[str]
    """The name of each cell and what is on it, for screen readers."""
    touches: dict[str, list[int]]
    last: list[int]
    aliases: dict[int, int]
    """Cells that stand for another one: a whole column for the cell where a stone lands."""
    colours: list[str]
    """The colours of the players, by name."""
    turning: Literal["never", "possible", "usual"]
    """Whether the board can be turned round; "usual" if it is turned for a person in the second seat."""


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
    spoken: str
    """The last move in words for screen readers, such as `knight f6`; empty if its notation is as good."""
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
    line: list[str] = []
    """How the game could go on, beginning with the best move."""


class Slip(BaseModel):
    """How bad a move is if it loses at least this share of the winning chances."""

    least: float
    sign: str
    word: str


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


class ClockState(BaseModel):
    """The clock of a game when this was sent."""

    seconds: int
    increment: int
    left: list[int]
    """The milliseconds that each side has left."""
    running: int | None
    """The seat whose time runs."""
    loser: int | None
    """The seat whose time is up."""


class SessionState(BaseModel):
    """A session with its current position."""

    id: str
    game: GameFacts
    title: str
    """The game's title, with the options that differ from the defaults in words."""
    options: dict[str, str]
    start: str
    players: list[Player]
    dice: Dice
    levels: list[str]
    """The names of the agents' levels, from 1."""
    nodes: list[TreeNode]
    current: int
    position: Position
    slips: list[Slip]
    """The worst first."""
    clock: ClockState | None
    curtain: int | None = None
    """The seat to move, if several people share what is hidden and this page has not lifted its curtain."""
    note: str = ""
    """What was left out of an imported scoresheet, or that the rules were reloaded, in one sentence."""


class Went(BaseModel):
    """Event: another node is the current one."""

    visited: list[int]
    """The nodes that were reached one after the other: each is now the `next` of its parent."""
    current: int
    position: Position


class Moved(Went):
    """Event: a new move."""

    node: TreeNode


class Seated(BaseModel):
    """Event: the players or the dice have changed."""

    players: list[Player]
    dice: Dice
    position: Position


class Judged(BaseModel):
    """Event: a node has a new judgement."""

    node: int
    judgement: Judgement


class Refusal(BaseModel):
    """The reason for a refusal, in one sentence."""

    error: str


Json: TypeAlias = dict[str, Any]
