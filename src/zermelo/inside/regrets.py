"""Counterfactual regret minimisation, step by step: what is learned at each information set in each iteration.

The textbook's `cfr` runs; a step is one information set of one iteration, in the order in which players learn.
"""

from __future__ import annotations

from typing import Any

from zermelo.core.errors import Refused
from zermelo.core.game import Game, legal_actions
from zermelo.draw.wording import capitalise
from zermelo.textbook.best_response import exploitability
from zermelo.textbook.cfr import Learned, Table, average_strategies, cfr
from zermelo.textbook.information_sets import InformationSet, information_set, no_memories, remember
from zermelo.textbook.pseudocode import LEARNING

MOST_HISTORIES = 600
"""Games with more histories are too large to be looked into set by set."""
MOST_ITERATIONS = 100


def record_regrets(game: Game, iterations: int, plus: bool) -> dict[str, Any]:
    """The information sets, and the steps of all iterations."""
    if not game.hidden:
        raise Refused(f"in {game.title} nothing is hidden, so there are no information sets to learn at")
    moves = moves_by_set(game)
    number = {here: at for at, here in enumerate(moves)}
    steps: list[dict[str, Any]] = []
    gains: list[float] = []
    before: Table = {}
    for iteration, table in enumerate(cfr(game, min(iterations, MOST_ITERATIONS), plus), 1):
        order = sorted(moves, key=lambda one: (one.player, number[one]))
        steps += [step(iteration, number[here], before.get(here), table[here]) for here in order]
        gains.append(exploitability(game, average_strategies(table)))
        before = table
    lines = LEARNING["cfr"].lines
    return {
        "game": game.spec(),
        "title": game.full_title(),
        "seats": [capitalise(game.seat(player)) for player in range(game.players)],
        "sets": [{"player": here.player, "view": here.text(game), "moves": names} for here, names in moves.items()],
        "steps": steps,
        "exploitability": gains,
        "pseudocode": [{"text": line.text, "steps": list(line.steps)} for line in lines],
    }


def step(iteration: int, place: int, before: Learned | None, after: Learned) -> dict[str, Any]:
    """What one iteration has changed at one information set."""
    old = (0.0,) * len(after.regrets) if before is None else before.regrets
    return {
        "iteration": iteration,
        "set": place,
        "before": list(old),
        "regrets": list(after.regrets),
        "strategy": list(after.strategy),
        "average": list(after.average),
    }


def moves_by_set(game: Game) -> dict[InformationSet, list[str]]:
    """The moves of each information set as text, the sets in the order of play, level by level."""
    found: dict[InformationSet, list[str]] = {}
    level, visited = [(game.initial(), no_memories(game))], 0
    while level:
        visited += len(level)
        if visited > MOST_HISTORIES:
            raise Refused(f"{game.title} has too many positions to look at each information set; kuhn has 12 sets")
        below = []
        for state, memories in level:
            if game.is_terminal(state):
                continue
            is_choice = game.to_move(state) >= 0
            here = information_set(game, state, memories) if is_choice else None
            for action in legal_actions(game, state):
                after = memories if here is None else remember(memories, here, action)
                below.append((game.result(state, action), after))
            if here is not None and here not in found:
                found[here] = [game.format_action(state, action) for action in legal_actions(game, state)]
        level = below
    return found
