"""Chess in one place for its tests: the game, surveys of positions, random games."""

import random

from zermelo.core.game import Game, State
from zermelo.games.chess import Chess
from zermelo.kernel import Memory, kernel, store

CHESS = Chess()
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

MOVES = 3


@kernel
def survey(game: Game, state: State, memory: int) -> int:
    """Whether it is over, how many moves are counted, White's payoff, and then the moves; their number is returned."""
    over = game.is_terminal(state)
    store(memory, 0, 1 if over else 0)
    store(memory, 1, game.count(state))
    store(memory, 2, game.utility(state, 0) if over else 0)
    found = 0
    for action in game.actions(state):
        store(memory, MOVES + found, action)
        found += 1
    return found


@kernel
def after(game: Game, state: State, action: int) -> State:
    return game.result(state, action)


CELLS = Memory(300)


def surveyed(state):
    """Over?, White's payoff, and the moves."""
    found = survey.run(CHESS, state, CELLS.address)
    over, counted, payoff = (CELLS[index] for index in range(3))
    actions = [CELLS[MOVES + index] for index in range(found)]
    assert counted == (0 if over else found)
    return bool(over), payoff, actions


def random_states(seed, plies):
    """The states of a random game, one after the other."""
    rng, state = random.Random(seed), CHESS.initial()
    for _ in range(plies):
        yield state
        over, _, actions = surveyed(state)
        if over:
            return
        state = after.run(CHESS, state, rng.choice(actions))


def moves_of(position):
    state = CHESS.parse_state(position)
    return {CHESS.format_action(state, action) for action in CHESS.actions(state)}
