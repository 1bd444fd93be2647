"""Orders to search processes: an agent's move, an analysis, and the preparation of their kernels."""

from __future__ import annotations

from typing import Any

from zermelo.web.messages import Analyse, Player
from zermelo.web.pool import WorkerMessage
from zermelo.web.session import Session, Turn

SOLVER = "equilibrium"
"""What orders to the pool of `equilibria` name as their agent."""


def answer_order(session: Session, turn: Turn) -> dict[str, Any] | None:
    """The order to a search process for the agent's move; None if it is not its turn."""
    with session.lock:
        player = turn.player
        if player is None or player.agent is None or not turn.is_same(session.standing().turn):
            return None
        place = place_of(session, session.moves_to(turn.node))
        seconds = session.clock and session.clock.thinking_time(session.referee.to_move)
        return {**move_order(place, player, player.agent, session.seed + turn.node), "time": seconds}


def move_order(place: dict[str, Any], player: Player, agent: str, seed: int) -> dict[str, Any]:
    return {
        **place,
        "agent": agent,
        "level": player.level,
        "time": None,
        "nodes": None,
        "depth": None,
        "lines": None,
        "seed": seed,
    }


def warmups(session: Session) -> list[dict[str, Any]]:
    """The orders whose kernels are prepared as soon as the session is opened: of its agents, and of an analysis."""
    place = place_of(session, [])
    agents = {player.agent: player for player in session.players if player.agent not in (None, "random", "auto")}
    orders = [move_order(place, player, agent, 0) for agent, player in agents.items() if agent is not None]
    return [warmup(place), *orders]


def warmup(place: dict[str, Any]) -> dict[str, Any]:
    """The order that prepares the analysis of a game, and so the usual opponent."""
    return analysis_order(place, Analyse.model_fields["seconds"].default, None, None)


def analysis_order(place: dict[str, Any], seconds: float, depth: int | None, lines: int | None) -> dict[str, Any]:
    return {
        **place,
        "agent": "auto",
        "level": None,
        "time": seconds,
        "nodes": None,
        "depth": depth,
        "lines": lines,
        "seed": 0,
    }


def mixture_order(session: Session, node: int, seconds: float, lifted: int | None = None) -> dict[str, Any]:
    """The order for the probabilities of a person's moves, from what this person has seen.

    `lifted` is the seat whose player has lifted the curtain.
    """
    return {**session.seat_order(node, lifted), "ask": "mixture", "agent": SOLVER, "time": seconds}


def costs_order(session: Session, node: int, seconds: float) -> dict[str, Any]:
    """The order for what each decision of a finished game cost."""
    line = session.finished_line(node)
    return {
        "ask": "costs",
        "agent": SOLVER,
        "game": session.key,
        "options": session.options,
        "moves": line,
        "time": seconds,
    }


def is_from_a_seat(session: Session) -> bool:
    """Whether something is hidden, so that an analysis is made from what a person has seen."""
    return session.game.hidden and not session.referee.is_over


def place_of(session: Session, moves: list[str]) -> dict[str, Any]:
    """The position as a worker needs it."""
    return {"game": session.key, "options": session.options, "start": session.start, "moves": moves}


def progress_of(message: WorkerMessage, node: int) -> dict[str, Any]:
    """The state of a job: waiting, preparing, thinking, done, stopped without a result, or failed."""
    if "waiting" in message:
        return {"node": node, "state": "waiting", "ahead": message["waiting"]}
    if "preparing" in message:
        return {"node": node, "state": "preparing", "text": message["preparing"]}
    if "error" in message:
        return {"node": node, "state": "failed", "text": message["error"]}
    if "done" in message:
        return {"node": node, "state": "done" if message["done"] is not None else "stopped"}
    return {"node": node, "state": "thinking"}
