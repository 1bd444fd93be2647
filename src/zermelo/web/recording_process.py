"""A process that records searches and answers questions about them: `python -m zermelo.web.recording_process`.

It speaks the protocol of `zermelo.web.search_process`. An order has `ask` (open, children, moment, board or grow) and
`look`, which names the search to record. Recent recordings are kept; older ones are recorded again, which gives the
same result: a recording depends on its order alone.
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TextIO

from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, State
from zermelo.core.guards import ALGORITHMS, suitable_algorithms
from zermelo.inside.mcts_recording import MOST_SIMULATIONS, MctsRecording
from zermelo.inside.recordings import Recording, finite, record
from zermelo.textbook.pseudocode import PSEUDOCODE
from zermelo.textbook.trace import SHALLOW, payoff_limit
from zermelo.web.boards import position_of
from zermelo.web.search_process import SearchProcess, main

LOOKABLE = (
    "alphabeta",
    "minimax",
    "quiescence",
    "star1",
    "star2",
    "expectiminimax",
    "maxn",
    SHALLOW,
    "paranoid",
    "bestreply",
    "expectimax",
    "mcts",
)
"""The searches that can be recorded; `auto` takes the first that fits."""
FOR_DICE, FOR_MANY = ("star1", "star2", "expectiminimax"), (SHALLOW, "paranoid", "bestreply")
RECORDINGS_KEPT, MCTS_RECORDINGS_KEPT = 8, 3
BYTES_KEPT = 200_000_000
"""Approximate size of all recordings; the latest is kept whatever its size."""
SENT_AT_ONCE = 600
"""A tree of at most this many nodes is sent whole."""
SENT_OF_MORE = 150
GROWN_SHOWN = 120
GROW_SECONDS = 0.15
"""Per request, so that the page shows the tree while it grows."""


class RecordingProcess(SearchProcess):
    """Records searches, one job at a time."""

    def __init__(self, answers: TextIO, files: list[str]) -> None:
        super().__init__(answers, files)
        self._recordings: OrderedDict[str, Recording] = OrderedDict()
        self._mcts_recordings: OrderedDict[str, MctsRecording] = OrderedDict()

    def _answer(self, order: dict[str, Any]) -> dict[str, Any]:
        referee = self._referee(order)
        game = referee.game
        if game.hidden:
            raise Refused(f"{game.name} has hidden information, which a search tree would reveal; choose another game")
        if referee.is_over:
            raise Refused("the game is over here, so there is nothing to search; go back a move")
        asks: dict[str, Callable[..., dict[str, Any]]] = {
            "open": self._open,
            "children": self._children,
            "moment": self._moment,
            "board": self._board,
            "grow": self._grow,
        }
        return asks[order["ask"]](order, game, referee.state)

    # -- recordings --------------------------------------------------------------------------------------

    def _open(self, order: dict[str, Any], game: Game, state: State) -> dict[str, Any]:
        fits = lookable(game)
        if order["look"]["algorithm"] == "auto":
            order["look"]["algorithm"] = fits[0]
        lines = PSEUDOCODE[order["look"]["algorithm"]].lines
        facts = {
            "game": game.name,
            "algorithm": order["look"]["algorithm"],
            "is_tree": game.name == "tree",
            "seats": [game.seat(player) for player in range(game.players)],
            "range": [finite(bound) for bound in game.utility_range],
            "unit": game.unit if game.unit_name else 1,
            "unit_name": game.unit_name if game.unit != 1 else "",
            "pseudocode": [{"text": line.text, "steps": list(line.steps)} for line in lines],
            "algorithms": [{"name": name, "title": title(name)} for name in fits],
        }
        if order["look"]["algorithm"] == "mcts":
            return {
                **facts,
                "most": MOST_SIMULATIONS,
                "exploration": self._mcts_recording(order, game, state).exploration,
            }
        found = self._recording(order, game, state)
        most = SENT_AT_ONCE if found.size <= SENT_AT_ONCE else SENT_OF_MORE
        return {**facts, **found.summary(), "items": found.top(most)}

    def _children(self, order: dict[str, Any], game: Game, state: State) -> dict[str, Any]:
        found = self._recording(order, game, state)
        return {"items": found.children(_within(order["node"], found.size))}

    def _moment(self, order: dict[str, Any], game: Game, state: State) -> dict[str, Any]:
        return {"items": self._recording(order, game, state).at(order["moment"])}

    def _recording(self, order: dict[str, Any], game: Game, state: State) -> Recording:
        algorithm, depth = order["look"]["algorithm"], order["look"]["depth"]
        if algorithm == "mcts":
            raise UsageError("Monte Carlo tree search has no recording; ask for the grown tree")
        name = _name(order)
        found = self._recordings.pop(name, None)
        if found is None:
            found = record(algorithm, game, state, depth)
        self._recordings[name] = found
        while len(self._recordings) > 1 and (
            len(self._recordings) > RECORDINGS_KEPT or sum(one.weight for one in self._recordings.values()) > BYTES_KEPT
        ):
            self._recordings.popitem(last=False)
        return found

    # -- boards ------------------------------------------------------------------------------------------

    def _board(self, order: dict[str, Any], _game: Game, _state: State) -> dict[str, Any]:
        """The position after a line of the tree."""
        referee = self._referee({**order, "moves": [*order["moves"], *order["line"]]})
        return {"line": order["line"], **position_of(referee, 0).model_dump(exclude={"moves", "odds"})}

    # -- growing trees ----------------------------------------------------------------------------------

    def _grow(self, order: dict[str, Any], game: Game, state: State) -> dict[str, Any]:
        recording = self._mcts_recording(order, game, state)
        recording.grow(order["simulations"], GROW_SECONDS)
        return recording.describe(order["simulations"], GROWN_SHOWN)

    def _mcts_recording(self, order: dict[str, Any], game: Game, state: State) -> MctsRecording:
        name = _name(order)
        found = self._mcts_recordings.pop(name, None) or MctsRecording(game, state, order["look"]["seed"])
        self._mcts_recordings[name] = found
        while len(self._mcts_recordings) > MCTS_RECORDINGS_KEPT:
            self._mcts_recordings.popitem(last=False)
        return found


def lookable(game: Game) -> list[str]:
    """The searches that are worth recording in this game."""
    fits = suitable_algorithms(game)
    fits += [SHALLOW] if "maxn" in fits and math.isfinite(payoff_limit(game)) else []
    idle = (() if game.chance else FOR_DICE) + (() if game.players > 2 or not game.zero_sum else FOR_MANY)
    return [name for name in LOOKABLE if name in fits and name not in idle]


def title(algorithm: str) -> str:
    """The name of an algorithm for the page."""
    return "max^n with pruning" if algorithm == SHALLOW else ALGORITHMS[algorithm].title


def _name(order: dict[str, Any]) -> str:
    return json.dumps([order["game"], order["options"], order["start"], order["moves"], order["look"]])


def _within(number: int, size: int) -> int:
    if number >= size:
        raise UsageError(f"the tree has no node {number:,}; its last one is {size - 1:,}")
    return number


if __name__ == "__main__":
    main(RecordingProcess)
