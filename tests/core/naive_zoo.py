"""One little game, written with states and moves of every kind; nobody who writes like this read a manual.

A heap of five; take one or two; whoever takes the last one wins. The first player wins by taking two.
"""

import copy
import enum
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from zermelo import Game


class Heap(Game):
    """Subclasses say how a state is packed and unpacked."""

    def pack(self, left, player):
        raise NotImplementedError

    def unpack(self, state):
        raise NotImplementedError

    def move(self, count):
        return count

    def initial(self):
        return self.pack(5, 0)

    def to_move(self, state):
        return self.unpack(state)[1]

    def actions(self, state):
        return [self.move(count) for count in range(1, 1 + min(2, self.unpack(state)[0]))]

    def result(self, state, action):
        left, player = self.unpack(state)
        return self.pack(left - self.taken(action), 1 - player)

    def utility(self, state, player):
        return -1 if player == self.unpack(state)[1] else 1

    def taken(self, action):
        return action


class AsDict(Heap):
    def pack(self, left, player):
        return {"left": left, "player": player} if left % 2 else {"player": player, "left": left}

    def unpack(self, state):
        return state["left"], state["player"]


class AsList(Heap):
    def pack(self, left, player):
        return [left, player]

    def unpack(self, state):
        return state


class AsTupleOfLists(Heap):
    def pack(self, left, player):
        return (["x"] * left, player)

    def unpack(self, state):
        return len(state[0]), state[1]


class AsSet(Heap):
    def pack(self, left, player):
        return {*range(left), f"player {player}"}

    def unpack(self, state):
        return len(state) - 1, int("player 1" in state)


class AsArray(Heap):
    def pack(self, left, player):
        return np.array([left, player])

    def unpack(self, state):
        return state[0], int(state[1])


class AsDictOfArrays(Heap):
    def pack(self, left, player):
        return {"heap": np.ones(left), "player": np.int64(player)}

    def unpack(self, state):
        return len(state["heap"]), int(state["player"])


@dataclass
class Pile:
    left: int
    player: int
    counters: list = field(default_factory=list)


class AsDataclass(Heap):
    def pack(self, left, player):
        return Pile(left, player, [None] * left)

    def unpack(self, state):
        return len(state.counters), state.player


@dataclass(frozen=True)
class FrozenPile:
    left: int
    player: int


class AsFrozenDataclass(Heap):
    def pack(self, left, player):
        return FrozenPile(left, player)

    def unpack(self, state):
        return state.left, state.player


class Counters:
    def __init__(self, left, player):
        self.left, self.player = left, player


class AsObject(Heap):
    def pack(self, left, player):
        return Counters(left, player)

    def unpack(self, state):
        return state.left, state.player


class Slotted:
    __slots__ = ("left", "player")


class AsSlots(Heap):
    def pack(self, left, player):
        made = Slotted()
        made.left, made.player = left, player
        return made

    def unpack(self, state):
        return state.left, state.player


class Player(enum.Enum):
    ANNA = "A"
    BERT = "B"


class Mixed(NamedTuple):
    heap: list
    player: Player


class AsNamedTuple(Heap):
    def pack(self, left, player):
        return Mixed([None] * left, list(Player)[player])

    def unpack(self, state):
        return len(state.heap), list(Player).index(state.player)


class AsTupleOfWords(Heap):
    def pack(self, left, player):
        return ("x" * left or None, Player.ANNA if player == 0 else Player.BERT)

    def unpack(self, state):
        return len(state[0] or ""), int(state[1] is Player.BERT)


class AsCollections(Heap):
    def pack(self, left, player):
        return {"heap": deque([None] * left), "player": OrderedDict(number=player), "more": defaultdict(list, {1: []})}

    def unpack(self, state):
        return len(state["heap"]), state["player"]["number"]


class WithTupleMoves(AsDict):
    def move(self, count):
        return (0, count)

    def taken(self, action):
        return action[1]


class WithListMoves(Heap):
    """The states are tuples of numbers."""

    def pack(self, left, player):
        return (left, player)

    def unpack(self, state):
        return state

    def move(self, count):
        return ["take", count]

    def taken(self, action):
        return action[1]


class WithWordMoves(AsDict):
    def move(self, count):
        return f"take {count}, please"

    def taken(self, action):
        return int(action[5])


class Take(enum.Enum):
    ONE = 1
    TWO = 2


class WithEnumMoves(AsDict):
    def move(self, count):
        return Take(count)

    def taken(self, action):
        return action.value


@dataclass
class TakeMove:
    count: int


class WithDataclassMoves(AsDict):
    def move(self, count):
        return TakeMove(count)

    def taken(self, action):
        return action.count


class ChangesInPlace(AsDict):
    """Not a copy in sight."""

    start = {"left": 5, "player": 0}

    def initial(self):
        return self.start

    def result(self, state, action):
        state["left"] -= action
        state["player"] = 1 - state["player"]
        return state


class CopiesDeeply(AsDict):
    def result(self, state, action):
        after = copy.deepcopy(state)
        after["left"] -= action
        after["player"] = 1 - after["player"]
        return after


ZOO = [
    kind for kind in list(globals().values()) if isinstance(kind, type) and issubclass(kind, Heap) and kind is not Heap
]
