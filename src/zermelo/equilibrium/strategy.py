"""Strategies: the probability of each move at each information set, as an object and as a file.

An information set is found by its key, a hash of the player's own views and moves. `Recall` keeps it during a game, so
nothing but what the player has seen is needed to look a strategy up.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Action, Game, State, View
from zermelo.core.seat import Seat
from zermelo.equilibrium.flatten import SequenceForm, first_chain, next_chain
from zermelo.equilibrium.treeplex import Figures
from zermelo.kernel import U64, hash_numbers, mix
from zermelo.kernel.digest import digest

SCHEMA = 1
MOST_PLAYERS = 64
ROUNDING = 1e-6
"""Of a sum of probabilities in a file."""
OTHER_MOVES = "the strategy for {} has another number of moves at an information set than the game"


class Recall:
    """What a player remembers: the chain of their own views and moves, or nothing if the past does not matter."""

    def __init__(self, player: int, forgets: bool = False) -> None:
        self.player, self.chain, self.forgets = player, first_chain(player), forgets

    @classmethod
    def key_of(cls, seat: Seat) -> int:
        """The key of the information set at a seat, whose memories go back to the start."""
        if not seat.is_whole:
            raise UsageError(
                f"an information set of {seat.game.name} includes what the player has seen and done before; "
                "give the position as moves from the start, as in 'moves: ...'"
            )
        recall = cls(seat.player)
        for memory in seat.memories:
            recall.move(memory.view, memory.index)
        return int(recall.key(seat.view))

    def key(self, view: View) -> int:
        """The key of the information set at the player's turn."""
        return mix(hash_numbers(view) ^ self.chain) | U64(1)

    def move(self, view: View, index: int) -> None:
        """Remember the move with this index among the legal ones."""
        if not self.forgets:
            self.chain = next_chain(U64(self.key(view)), index)


@dataclass(frozen=True)
class Row:
    """A line of the table of a strategy."""

    player: int
    view: str
    moves: tuple[str, ...]
    probabilities: tuple[float, ...]
    reach: float
    """The probability that play comes here, if all play by the strategy."""
    key: int


@dataclass(frozen=True)
class Strategy:
    """A probability for each move at each information set of all players."""

    spec: str
    """The game."""
    rules: str
    """The digest of its rules."""
    keys: tuple[Any, ...]
    """For each player, the keys of the information sets in ascending order."""
    starts: tuple[Any, ...]
    """For each player, where the probabilities of each information set begin, and the end."""
    probabilities: tuple[Figures, ...]
    notes: dict[str, Any] = field(default_factory=dict)
    """How it was found: method, value, exploitability."""

    @classmethod
    def of(cls, game: Game, form: SequenceForm, strategies: list[Figures], **notes: Any) -> Strategy:
        """The strategy from a probability for each sequence."""
        keys, starts, probabilities = [], [], []
        for tree, strategy in zip(form.trees, strategies, strict=True):
            order = np.argsort(tree.keys)
            count = tree.count[order]
            start = np.concatenate([[0], np.cumsum(count)])
            entries = np.repeat(tree.first[order] - start[:-1], count) + np.arange(start[-1])
            keys.append(tree.keys[order])
            starts.append(start.astype(np.int64))
            probabilities.append(np.asarray(strategy, float)[entries])
        return cls(game.spec(), digest(game), tuple(keys), tuple(starts), tuple(probabilities), notes)

    @classmethod
    def partial(cls, game: Game, parts: list[tuple[Any, Any, Figures]], **notes: Any) -> Strategy:
        """A strategy for some of the information sets: for each player their keys, starts and probabilities."""
        keys, starts, probabilities = zip(*parts, strict=True)
        return cls(game.spec(), digest(game), keys, starts, probabilities, {**notes, "is_partial": True})

    @property
    def is_partial(self) -> bool:
        """Whether there may be information sets that are left out, where all moves are equally likely."""
        return bool(self.notes.get("is_partial", False))

    @property
    def forgets(self) -> bool:
        """Whether the moves depend on what is seen now alone, as in games whose situations are seen whole."""
        return bool(self.notes.get("forgets", False))

    def recall(self, player: int) -> Recall:
        """What a player who follows the strategy has to remember, at the start."""
        return Recall(player, self.forgets)

    def at(self, player: int, key: int, moves: int = 0) -> tuple[float, ...]:
        """The probabilities of the moves at an information set, in the order of the legal moves.

        `moves` is their number, which a partial strategy needs where it has no probabilities.
        """
        keys = self.keys[player]
        place = int(np.searchsorted(keys, np.uint64(int(key))))
        if place == len(keys) or int(keys[place]) != int(key):
            if self.is_partial and moves:
                return (1 / moves,) * moves
            raise UsageError(f"the strategy for {self.spec} does not know this information set of player {player + 1}")
        begin, end = self.starts[player][place : place + 2]
        if moves and end - begin != moves:
            raise UsageError(OTHER_MOVES.format(self.spec))
        return tuple(self.probabilities[player][begin:end].tolist())

    def by_sequence(self, form: SequenceForm) -> list[Figures]:
        """A probability for each sequence of a form."""
        found = []
        for player, tree in enumerate(form.trees):
            place = np.searchsorted(self.keys[player], tree.keys)
            known = place < len(self.keys[player])
            known[known] = self.keys[player][place[known]] == tree.keys[known]
            if not known.all() and not self.is_partial:
                raise UsageError(f"the strategy for {self.spec} does not know all information sets of this game")
            begin, counts = self.starts[player][np.where(known, place, 0)], np.diff(self.starts[player])
            if not (counts[place[known]] == tree.count[known]).all():
                raise UsageError(OTHER_MOVES.format(self.spec))
            entries = np.repeat(begin - tree.first, tree.count) + np.arange(1, tree.sequences)
            strategy, known = tree.uniform(), np.repeat(known, tree.count)
            strategy[1:][known] = self.probabilities[player][entries[known]]
            found.append(strategy)
        return found

    def table(self, game: Game) -> Iterator[Row]:
        """The information sets of a small game in the order of play, each once."""
        self.check(game)
        rows: dict[tuple[int, int], list[Any]] = {}
        if self.forgets:
            visits = _layers(game, self)
        else:
            start = tuple(Recall(player) for player in range(game.players))
            visits = _visits(game, self, game.initial(), start, 1.0)
        for player, key, view, moves, reach in visits:
            row = rows.setdefault((player, key), [view, moves, 0.0])
            row[2] += reach
        for (player, key), (view, moves, reach) in rows.items():
            yield Row(player, view, moves, self.at(player, key, len(moves)), reach, int(key))

    def unfolded(self, game: Game, form: SequenceForm) -> Strategy:
        """The same strategy of a small game by information sets, if it forgets."""
        places = [dict(zip(tree.keys.tolist(), tree.first.tolist(), strict=True)) for tree in form.trees]
        strategies = [tree.uniform() for tree in form.trees]

        def visit(state: State, chains: tuple[U64, ...]) -> None:
            if game.is_terminal(state):
                return
            mover = game.to_move(state)
            if mover == CHANCE:
                for action, chance in game.outcomes(state):
                    if chance > 0:
                        visit(game.result(state, action), chains)
                return
            view, actions, recall = game.view(state, mover), list(game.actions(state)), Recall(mover)
            shares = self.at(mover, recall.key(view), len(actions))
            recall.chain = chains[mover]
            key = recall.key(view)
            first = places[mover][int(key)]
            strategies[mover][first : first + len(actions)] = shares
            for index, action in enumerate(actions):
                after = (*chains[:mover], next_chain(U64(key), index), *chains[mover + 1 :])
                visit(game.result(state, action), after)

        visit(game.initial(), tuple(first_chain(player) for player in range(game.players)))
        notes = {name: note for name, note in self.notes.items() if name not in ("is_partial", "forgets")}
        return Strategy.of(game, form, strategies, **notes)

    def check(self, game: Game) -> None:
        """Raise UsageError if the strategy was made for another game or other rules."""
        if self.spec != game.spec() or len(self.keys) != game.players:
            raise UsageError(f"this is a strategy for {self.spec}, not for {game.spec()}")
        if self.rules != digest(game):
            raise UsageError(f"the rules of {self.spec} have changed since this strategy was made; solve it again")

    # -- files -------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the strategy to a file, whole or not at all: as JSON if the name ends so, otherwise as npz."""
        path = Path(path)
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is not a file, so it cannot be replaced by a strategy")
        header = {"schema": SCHEMA, "game": self.spec, "rules": self.rules, "players": len(self.keys), **self.notes}
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                if path.suffix == ".json":
                    file.write(json.dumps({**header, "sets": list(self._sets())}, indent=1).encode())
                else:
                    np.savez_compressed(file, allow_pickle=False, **self._arrays(header))
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _sets(self) -> Iterator[dict[str, Any]]:
        for player, (keys, start, probabilities) in enumerate(
            zip(self.keys, self.starts, self.probabilities, strict=True)
        ):
            for number, key in enumerate(keys.tolist()):
                shares = probabilities[start[number] : start[number + 1]].tolist()
                yield {"player": player, "key": f"{key:016x}", "probabilities": shares}

    def _arrays(self, header: dict[str, Any]) -> dict[str, Any]:
        found = {"header": np.frombuffer(json.dumps(header).encode(), np.uint8)}
        for player, parts in enumerate(zip(self.keys, self.starts, self.probabilities, strict=True)):
            found |= {f"{name}{player}": part for name, part in zip(PARTS, parts, strict=True)}
        return found

    @classmethod
    def load(cls, path: str | Path) -> Strategy:
        """Read a file that `save` has written."""
        path = Path(path)
        try:
            return _read_json(path) if path.suffix == ".json" else _read_npz(path)
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
        except Exception as error:  # a damaged archive can raise anything
            what = str(error) or "it is not complete"
            raise UsageError(f"{path} is not a strategy: {what}") from None


PARTS = ("keys", "starts", "probabilities")


def _read_npz(path: Path) -> Strategy:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        header = json.loads(bytes(arrays["header"]))
        parts = [tuple(arrays[f"{name}{player}"] for player in range(_players(header))) for name in PARTS]
    return _made(header, parts)


def _read_json(path: Path) -> Strategy:
    header = json.loads(path.read_text(encoding="utf-8"))
    sets = header.pop("sets")
    keys, starts, probabilities = [], [], []
    for player in range(_players(header)):
        own = [each for each in sets if each["player"] == player]
        keys.append(np.array([int(each["key"], 16) for each in own], np.uint64))
        starts.append(np.cumsum([0, *(len(each["probabilities"]) for each in own)]))
        probabilities.append(np.array([float(share) for each in own for share in each["probabilities"]]))
    return _made(header, [tuple(keys), tuple(starts), tuple(probabilities)])


def _players(header: dict[str, Any]) -> int:
    """The number of players, which says what else the file has."""
    if header["schema"] != SCHEMA:
        raise ValueError("it was written by another version")
    players = header["players"]
    if not isinstance(players, int) or not 1 <= players <= MOST_PLAYERS:
        raise ValueError(f"it is for {players!r} players")
    return players


def _made(header: dict[str, Any], parts: list[tuple[Any, ...]]) -> Strategy:
    for player, (keys, starts, probabilities) in enumerate(zip(*parts, strict=True)):
        if not (_are_sets(keys, starts, probabilities) and _are_shares(starts, probabilities)):
            raise ValueError(f"the moves of player {player + 1} are damaged")
    gain = header.get("exploitability")
    if gain is not None and not (isinstance(gain, int | float) and gain >= 0):
        raise ValueError(f"it has an exploitability of {gain!r}")
    del header["schema"], header["players"]
    return Strategy(header.pop("game"), header.pop("rules"), parts[0], parts[1], parts[2], header)


def _are_sets(keys: Any, starts: Any, probabilities: Any) -> bool:
    """Whether the keys ascend, and each has a slice of the probabilities of its own, with one or more of them."""
    kinds = (keys.dtype, starts.dtype, probabilities.dtype)
    if kinds != (np.uint64, np.int64, np.float64) or any(part.ndim != 1 for part in (keys, starts, probabilities)):
        return False
    if len(starts) != len(keys) + 1 or starts[0] != 0 or starts[-1] != len(probabilities):
        return False
    return bool((keys[1:] > keys[:-1]).all() and (starts[1:] > starts[:-1]).all())


def _are_shares(starts: Any, probabilities: Any) -> bool:
    """Whether nothing is negative, and the probabilities of each set sum to 1, up to rounding."""
    if not ((probabilities >= 0) & (probabilities <= 1 + ROUNDING)).all():
        return False
    sums = np.add.reduceat(probabilities, starts[:-1]) if len(starts) > 1 else np.ones(0)
    return bool((np.abs(sums - 1) <= ROUNDING).all())


Visit = tuple[int, int, str, tuple[str, ...], float]
"""A decision: player, key, view and moves as text, and the probability of coming here."""


def _layers(game: Game, strategy: Strategy) -> Iterator[Visit]:
    """Every decision of a strategy that forgets, round by round; positions that are equal are visited once."""
    layer = {game.initial(): 1.0}
    while layer:
        after: dict[State, float] = {}
        for state, reach in layer.items():
            if game.is_terminal(state):
                continue
            mover = game.to_move(state)
            if mover == CHANCE:
                ways = list(game.outcomes(state))
            else:
                view, actions = game.view(state, mover), list(game.actions(state))
                key = Recall(mover).key(view)
                texts = tuple(game.format_action(state, action) for action in actions)
                yield mover, key, game.format_view(view, mover), texts, reach
                ways = list(zip(actions, strategy.at(mover, key, len(actions)), strict=True))
            for action, share in ways:
                child = game.result(state, action)
                after[child] = after.get(child, 0.0) + reach * share
        layer = after


def _visits(game: Game, strategy: Strategy, state: State, recalls: tuple[Recall, ...], reach: float) -> Iterator[Visit]:
    """Every decision below a state."""
    if game.is_terminal(state):
        return
    mover = game.to_move(state)
    if mover == CHANCE:
        for action, probability in game.outcomes(state):
            if probability > 0:
                yield from _visits(game, strategy, game.result(state, action), recalls, reach * probability)
        return
    view = game.view(state, mover)
    key = recalls[mover].key(view)
    actions: list[Action] = list(game.actions(state))
    texts = tuple(game.format_action(state, action) for action in actions)
    yield mover, key, game.format_view(view, mover), texts, reach
    for index, (action, share) in enumerate(zip(actions, strategy.at(mover, key, len(actions)), strict=True)):
        after = Recall(mover)
        after.chain = next_chain(U64(key), index)
        rest = (*recalls[:mover], after, *recalls[mover + 1 :])
        yield from _visits(game, strategy, game.result(state, action), rest, reach * share)
