"""What a new session begins with: a position and moves, or a whole game in its standard notation."""

from __future__ import annotations

import secrets

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.core.typed_moves import read_move
from zermelo.games.library.scoresheets import form_of, has_own_form
from zermelo.web.branches import nodes_of
from zermelo.web.messages import MOST_MOVES, NewSession, Player
from zermelo.web.store import StoredClock, StoredSession, StoredSheet


def set_up(game: Game, wanted: NewSession) -> tuple[StoredSession, str]:
    """The session as it is stored, and a sentence about what was left out of a scoresheet."""
    options, start = dict(wanted.options), wanted.position.strip()
    sheet, note = None, ""
    if wanted.scoresheet.strip():
        read, note = _read_scoresheet(game, wanted)
        referee, note = read.replay(), f"Imported text: {note}." if note else ""
        options, start = referee.game.chosen_options(), _start_of(referee)
        sheet = StoredSheet(len(referee.turns), dict(read.headers), read.result)
        nodes = nodes_of(referee, read.line)
    else:
        referee = _replay(game, wanted)
        nodes = nodes_of(referee, Line())
    players = wanted.players or _seat(game, wanted)
    stored = StoredSession(
        secrets.token_urlsafe(12),
        wanted.game,
        options,
        start,
        secrets.randbelow(1 << 30),
        [player.model_dump() for player in players],
        wanted.dice,
        len(referee.turns),
        nodes,
        sheet,
        _wind_up(game, wanted),
    )
    return stored, note


def _wind_up(game: Game, wanted: NewSession) -> StoredClock | None:
    """The clock at its start."""
    if wanted.clock is None:
        return None
    if game.players != 2:
        raise UsageError(f"a clock is for two players, and {game.name} has {game.players}; leave it out")
    return StoredClock(wanted.clock.seconds, wanted.clock.increment, [float(wanted.clock.seconds)] * 2)


def _replay(game: Game, wanted: NewSession) -> Referee:
    """Set up the position and play the moves."""
    if wanted.position.strip().startswith("moves:"):
        raise UsageError("send moves in the field `moves`; a position is the game's own text")
    referee = Referee.at(game, wanted.position)
    for number, move in enumerate(wanted.moves, 1):
        try:
            referee.play_text(_parse_typed_move(referee, move))
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return referee


def _read_scoresheet(game: Game, wanted: NewSession) -> tuple[Scoresheet, str]:
    """The first game of a scoresheet, and a sentence about what was left out."""
    form = form_of(game)
    if not has_own_form(game):
        raise UsageError(f"{game.name} has no notation for whole games; give a position or moves")
    if wanted.position.strip() or wanted.moves:
        raise UsageError("a scoresheet has its own position and moves; leave out the others")
    sheets = form.read(game, wanted.scoresheet)
    sheet = form.check(sheets[0])
    if (count := len(sheet.line.moves)) > MOST_MOVES:
        raise UsageError(f"this game has {count} moves; the page accepts at most {MOST_MOVES}")
    others = [f"only the first of {len(sheets)} games is read"] if len(sheets) > 1 else []
    comments = ["comments and marks are left out"] if sheet.line.is_commented else []
    return sheet, "; ".join([*others, *comments, *sheet.notes])


def _start_of(referee: Referee) -> str:
    """The start of the game as text; "" for the usual start."""
    game = referee.game
    return "" if referee.start == game.initial() else game.format_state(referee.start)


def _parse_typed_move(referee: Referee, text: str) -> str:
    """Return the move in the game's notation; most texts are in it already, which is quick to check."""
    try:
        referee.game.parse_action(referee.state, text)
    except IllegalMove:
        return read_move(referee, text)
    return text


def _seat(game: Game, wanted: NewSession) -> list[Player]:
    """People at the wanted seats, or at the first if there are no such seats here; the computer at the others."""
    seats = range(game.players)
    people = set(seats if wanted.people == "all" else wanted.people)
    if people and people.isdisjoint(seats):
        people = {0}
    agent = Player(agent=wanted.agent, level=wanted.level)
    return [Player() if seat in people else agent for seat in seats]
