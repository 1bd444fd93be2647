"""Pac-Man on a ring: the assumed and the actual behaviour of the ghosts.

         0
      6     1           Pac-Man starts on 0, the pellet is on 3, ghosts start on 4 and 5.
     5       2          All step one cell left or right in turn. A move costs Pac-Man a point,
       4   3            the pellet pays ten and being caught costs ten; both end the game.

python examples/pacman.py
"""

from itertools import product
from typing import NamedTuple

from zermelo import Game
from zermelo.draw import tree_text
from zermelo.textbook import average, decide, maximise, minimise, mixed_layers, own, record

CELLS, PELLET = 7, 3


class Chase(NamedTuple):
    cells: tuple[int, ...]
    ply: int


class Ring(Game):
    zero_sum = False
    utility_range = (-20, 20)

    def __init__(self, ghosts: tuple[int, ...] = (4,), moves: int = 6):
        self.ghosts, self.moves = ghosts, moves
        self.players = 1 + len(ghosts)

    def initial(self):
        return Chase((0, *self.ghosts), 0)

    def to_move(self, state):
        return state.ply % self.players

    def actions(self, state):
        return (-1, 1)

    def result(self, state, step):
        cells = list(state.cells)
        cells[self.to_move(state)] = (cells[self.to_move(state)] + step) % CELLS
        return Chase(tuple(cells), state.ply + 1)

    def is_caught(self, state):
        return state.cells[0] in state.cells[1:]

    def is_terminal(self, state):
        return self.is_caught(state) or state.cells[0] == PELLET or state.ply == self.moves * self.players

    def utility(self, state, player):
        moves = -(-state.ply // self.players)
        score = -moves - 10 * self.is_caught(state) + 10 * (state.cells[0] == PELLET and not self.is_caught(state))
        return score if player == 0 else -score

    def format_action(self, state, step):
        return "left" if step < 0 else "right"


def score(game, state, believed, true):
    """Pac-Man's mean payoff if he assumes one behaviour of the ghosts and another is true."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    if game.to_move(state) == 0:
        step = decide(game, state, lambda child: mixed_layers(game, child, own(0), (maximise, *believed)))
        return score(game, game.result(state, step), believed, true)
    children = [game.result(state, step) for step in game.actions(state)]
    return true[game.to_move(state) - 1]([score(game, child, believed, true) for child in children])


def main():
    ghosts = {"perfect": minimise, "random": average}

    print("One ghost. Minimax believes in a perfect one, expectimax in a random one.\n")
    game = Ring(ghosts=(4,), moves=6)
    print(f"{'':12}" + "".join(f"{name + ' ghost':>15}" for name in ghosts))
    for player, believed in (("minimax", minimise), ("expectimax", average)):
        found = (score(game, game.initial(), (believed,), (true,)) for true in ghosts.values())
        print(f"{player:12}" + "".join(f"{value:15.2f}" for value in found))

    print("\nTwo ghosts, and Pac-Man knows each of them.\n")
    game = Ring(ghosts=(4, 5), moves=4)
    for first, second in product(ghosts, repeat=2):
        value = mixed_layers(game, game.initial(), own(0), (maximise, ghosts[first], ghosts[second]))
        print(f"{first:8} and {second:8} {value:8.2f}")

    print("\nOne round: Pac-Man, a perfect ghost, a random ghost.\n")
    game = Ring(ghosts=(2, 5), moves=1)
    print(tree_text(record(lambda: mixed_layers(game, game.initial(), own(0), (maximise, minimise, average)))))


if __name__ == "__main__":
    main()
