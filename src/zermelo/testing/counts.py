"""Exact counts: the number of lines of play of a given length, compared with the game's table."""

from __future__ import annotations

from zermelo.core.referee import Referee
from zermelo.testing.position import Position
from zermelo.testing.sample import Sample, count_noun
from zermelo.testing.violation import ContractViolation, OutOfTime, attempt


def perft_agrees_with_the_table(sample: Sample) -> str:
    """The number of lines of 1, 2, 3 ... moves agrees with `perft_table`, as deep as the time allows."""
    game = sample.game
    if not game.perft_table:
        return "nothing to check: the game has no perft_table"
    if game.spec() != game.name:
        return "nothing to check: perft_table is for the default options"
    agreed = 0
    for text, counts in game.perft_table.items():
        state = attempt(game, "parse_state", _state_at, sample, text)
        position = Position(game, state).observe()
        for depth, wanted in enumerate(counts, 1):
            try:
                found = _lines(sample, position, depth)
            except OutOfTime:
                break
            if found != wanted:
                place = f"position {text!r}" if text else "the start"
                raise ContractViolation(
                    f"perft of depth {depth} should be {wanted:,}, but it is {found:,} from {place}"
                )
            agreed += 1
    total = sum(map(len, game.perft_table.values()))
    return f"{agreed} of {count_noun(total, 'count')}"


def _state_at(sample: Sample, text: str) -> object:
    return Referee.at(sample.game, text).state


def _lines(sample: Sample, position: Position, depth: int) -> int:
    if sample.is_late():
        raise OutOfTime
    if depth == 1:
        return len(position.moves)
    return sum(_lines(sample, position.after(move), depth - 1) for move in position.moves)
