"""Moves as the user types them: the notation, its beginning, or the number in the list."""

from __future__ import annotations

import contextlib

from zermelo.core.errors import IllegalMove
from zermelo.core.game import knows, suggest
from zermelo.core.move_text import tokens
from zermelo.core.referee import Referee


def format_moves(referee: Referee) -> list[str]:
    """The legal moves in notation, in the order of their numbers."""
    return [referee.game.format_action(referee.state, action) for action in referee.legal()]


def read_move(referee: Referee, text: str) -> str:
    """The notation of the legal move that the text means; IllegalMove if there is none or more than one.

    The order is: the notation, other texts that the game parses, the same words and numbers with other signs between
    them, the beginning of the notation, the number in the list. So if moves are numbers themselves, a number is always
    a move.
    """
    moves = format_moves(referee)
    if text in moves:
        return text
    if equal := [move for move in moves if move.lower() == text.lower()]:
        return _only(equal, text)
    with contextlib.suppress(IllegalMove):
        return referee.game.format_action(referee.state, referee.game.parse_action(referee.state, text))
    if not knows(referee.game, "format_action"):
        typed = tokens(text)
        if equal := [move for move in moves if typed and tokens(move) == typed]:
            return _only(equal, text)
    if begun := [move for move in moves if move.lower().startswith(text.lower())]:
        return _only(begun, text)
    if text.isdecimal() and 1 <= int(text) <= len(moves) and not any(move[0].isdigit() for move in moves):
        return moves[int(text) - 1]
    raise IllegalMove(f"{text} is not a move here; {suggest(moves, 'the game is over')}")


def _only(found: list[str], text: str) -> str:
    if len(found) > 1:
        raise IllegalMove(f"{text} can be {' or '.join(found[:6])}; type a little more")
    return found[0]
