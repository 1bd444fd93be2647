"""What a player's moves are worth in a game with hidden information, from what this player has seen.

The orders are those of `seat_orders`: they hold nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from zermelo.arena.agents import agent
from zermelo.core.analysis import Analysis
from zermelo.core.errors import Refused
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.numerals import number_text
from zermelo.core.referee import Referee
from zermelo.draw.numerals import share_text
from zermelo.draw.wording import capitalise
from zermelo.equilibrium.answers import Solution
from zermelo.equilibrium.decisions import Decision, Judge
from zermelo.web.solution_view import spoken

SLIGHT = 0.005
"""A decision that costs less, on the scale of payoffs, is as good as the best one."""
Found = dict[str, Any]


def mixture_of(game: Game, order: dict[str, Any], judge: Callable[[], tuple[Judge, Solution]]) -> Found:
    """The probabilities of the seat's moves: those of an equilibrium if the game is small, otherwise of a search."""
    if order["key"] is not None:
        with suppress(Refused):  # the game is too large
            found, solution = judge()
            shares = found.strategy.at(order["seat"], int(order["key"]))
            about = "by an equilibrium of the whole game" if solution.kind == "exact" else "close to an equilibrium"
            return _described(game, order, shares, "equilibrium", about, {})
    return searched(game, order)


def searched(game: Game, order: dict[str, Any]) -> Found:
    """How often information set MCTS has chosen each move, from a state that fits the seat's view."""
    if order["world"] is None:
        raise Refused(f"{game.title} is too large to solve, and has no method worlds for a search")
    referee = Referee(game, game.parse_state(order["world"]))
    searcher = agent("mcts")
    searcher.limit = Limit(order["time"], None, None)
    searcher.require(game)
    analysis: Analysis = searcher.choose(referee)
    visits = {game.format_action(referee.state, one.action): one.visits or 0 for one in analysis.moves}
    total = sum(visits.values()) or 1
    shares = tuple(visits.get(move, 0) / total for move in order["legal"])
    return _described(game, order, shares, "mcts", "by a search from what this seat has seen", analysis.stats)


def _described(
    game: Game, order: dict[str, Any], shares: tuple[float, ...], source: str, about: str, stats: Found
) -> Found:
    """The answer in the shape of an analysis; values are unknown, because a mixture has none for single moves."""
    ranked = sorted(zip(order["legal"], shares, strict=True), key=lambda one: -one[1])
    seat, best = order["seat"], ranked[0]
    unknown: list[None] = [None] * game.players
    moves = [
        {
            "move": move,
            "value": unknown,
            "kind": "estimate",
            "depth": None,
            "line": [move],
            "text": share_text(share, None),
            "short": share_text(share, None),
            "chance": None,
            "probability": share,
        }
        for move, share in ranked
    ]
    mixed = [(move, share) for move, share in ranked if share >= SLIGHT]
    headline = " or ".join(f"{move} {share_text(share, None)}" for move, share in mixed[:3])
    player = "an equilibrium" if source == "equilibrium" else "a search from what you have seen"
    often = f"plays it {share_text(best[1], None)} of the time" if len(mixed) > 1 else "always plays it"
    why = f"{player} {often} here"
    return {
        "game": game.spec(),
        "position": "",
        "to_move": seat,
        "agent": source,
        "seed": None,
        "value": unknown,
        "kind": "estimate",
        "best": best[0],
        "line": [best[0]],
        "distance": None,
        "moves": moves,
        "stats": {name: stats[name] for name in ("simulations", "seconds") if name in stats},
        "limit": {},
        "stopped": "done",
        "notes": [],
        "headline": headline,
        "about": f"for {game.seat(seat)}, {about}",
        "why": why,
        "chance": None,
        "first": "",
        "short": "",
    }


# -- after the game ----------------------------------------------------------------------------------------


def describe_costs(game: Game, moves: Sequence[str], judge: Judge, solution: Solution) -> Found:
    """What each decision of a finished game gave away, on average over what the player could not see."""
    referee = Referee(game)
    referee.play_line(moves)
    states, actions = [turn.state for turn in referee.turns], [turn.action for turn in referee.turns]
    found = []
    for player in range(game.players):
        for ply, index, decision in judge.decisions_of(states, actions, player):
            found.append(_cost(game, ply, index, decision))
    found.sort(key=lambda one: one["ply"])
    about = "an equilibrium" if solution.kind == "exact" else "a strategy close to an equilibrium"
    totals = [sum(one["cost"] for one in found if one["player"] == player) for player in range(game.players)]
    return {
        "about": f"Compared with {about}, on average over what the player could not see.",
        "unit": game.unit_name or "points",
        "totals": [round(total, 6) for total in totals],
        "decisions": found,
    }


def _cost(game: Game, ply: int, index: int, decision: Decision) -> Found:
    move, share = decision.moves[index], decision.probabilities[index]
    cost, unit = decision.cost(index), game.unit_name or "points"
    best = decision.moves[max(range(len(decision.moves)), key=lambda one: decision.worth[one])]
    usual = decision.moves[max(range(len(decision.moves)), key=lambda one: decision.probabilities[one])]
    if len(decision.moves) == 1:
        words = "the only move"
    elif cost >= SLIGHT:
        words = f"gives away {number_text(round(cost, 2))} {unit} on average; {best} is better"
    elif share >= SLIGHT:
        often = f"plays it {share_text(share, None)} of the time" if share < 1 - SLIGHT else "always plays it"
        words = f"costs nothing: the equilibrium {often}"
    else:
        words = f"costs nothing here, but the equilibrium plays {usual}"
    return {
        "ply": ply,
        "player": decision.player,
        "seat": capitalise(game.seat(decision.player)),
        "view": spoken(decision.view),
        "move": move,
        "probability": share,
        "cost": round(max(0.0, cost), 6),
        "best": best,
        "words": words,
    }
