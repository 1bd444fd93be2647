"""Moves as a person types them: the notation, its beginning, or the number in the list."""

from __future__ import annotations

import contextlib

from zermelo.core.errors import IllegalMove
from zermelo.core.game import suggest
from zermelo.core.referee import Referee


def format_moves(referee: Referee) -> list[str]:
    """The legal moves in notation, in the order of their numbers."""
    return [referee.game.format_action(referee.state, action) for action in referee.legal()]


def read_move(referee: Referee, text: str) -> str:
    """The legal move that the text means, in notation; IllegalMove, with one sentence, if it means none or several.

    The notation comes first, then what else the game understands, then the start of the notation, then the number:
    where moves are numbers themselves, a number is always a move.
    """
    moves = format_moves(referee)
    if text in moves:
        return text
    if equal := [move for move in moves if move.lower() == text.lower()]:
        return _only(equal, text)
    with contextlib.suppress(IllegalMove):
        return referee.game.format_action(referee.state, referee.game.parse_action(referee.state, text))
    if begun := [move for move in moves if move.lower().startswith(text.lower())]:
        return _only(begun, text)
    if text.isdecimal() and 1 <= int(text) <= len(moves) and not any(move[0].isdigit() for move in moves):
        return moves[int(text) - 1]
    raise IllegalMove(f"{text} is not a move here; {suggest(moves, 'the game is over')}")


def _only(found: list[str], text: str) -> str:
    if len(found) > 1:
        raise IllegalMove(f"{text} can be {' or '.join(found[:6])}; type a little more")
    return found[0]
