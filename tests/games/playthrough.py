"""Golden playthroughs: one game of each kind, written down turn by turn, so that a change of the rules shows.

To write one anew, on purpose: `python tests/games/playthrough.py hexapawn b1b2 a3b2 c1b2 ...`
"""

import sys
from pathlib import Path

from zermelo.core.referee import Referee
from zermelo.games import find

FOLDER = Path(__file__).parent / "playthroughs"


def golden(name):
    """The game as it was written down."""
    return (FOLDER / f"{name}.txt").read_text()


def retold(name):
    """The same moves, told by the rules as they are now."""
    lines = golden(name).splitlines()
    return told(name, [line.removeprefix("plays ") for line in lines if line.startswith("plays ")])


def told(name, moves):
    referee = Referee(find(name))
    lines = [name]
    for move in moves:
        lines += [*described(referee), f"plays {move}"]
        referee.play_text(move)
    return "\n".join([*lines, *described(referee)]) + "\n"


def described(referee):
    game, state = referee.game, referee.state
    yield ""
    yield f"position {game.format_state(state)}"
    yield f"same as {game.format_state(game.canonical(state))}"
    if referee.is_over:
        payoffs = zip(map(game.seat, range(game.players)), referee.utilities(), strict=True)
        yield "over: " + ", ".join(f"{seat} {payoff:g}" for seat, payoff in payoffs)
    else:
        yield f"{game.seat(referee.to_move)} to move, evaluation {game.evaluate(state, referee.to_move) + 0:.6f}"
        yield "moves " + " ".join(game.format_action(state, action) for action in referee.legal())


if __name__ == "__main__":
    (FOLDER / f"{sys.argv[1]}.txt").write_text(told(sys.argv[1], sys.argv[2:]))
