"""Your own game: five methods are enough; a sixth draws it.

python examples/mygame.py            the solution, and the tree of a search
zermelo serve examples/mygame.py     in the browser
zermelo play examples/mygame.py      in the terminal; also solve, tree, check, match
"""

import zermelo
from zermelo.draw import tree_text


class TwentyOne(zermelo.Game):
    """Take one, two or three matches; the player who takes the last one wins."""

    def __init__(self, matches: int = 21):
        self.matches = matches

    def initial(self):
        return (self.matches, 0)  # matches left, player to move

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, taken):
        return (state[0] - taken, 1 - state[1])

    def utility(self, state, player):
        return -1 if player == state[1] else 1

    def picture(self, state):
        moves = {str(taken): (0,) for taken in self.actions(state)}  # every move touches the only heap
        return zermelo.Piles((state[0],), ("matches",), moves)


def main():
    game = TwentyOne()
    answer = zermelo.solve(game)
    print(f"With 21 matches take {answer.best}; you win in {answer.distance} moves: {' '.join(answer.line)}")
    lost = [matches for matches in range(1, 22) if zermelo.solve(game, (matches, 0)).value[0] < 0]
    print(f"Lost for whoever is to move: {', '.join(map(str, lost))} matches\n")
    print(tree_text(zermelo.trace("alphabeta", TwentyOne(5))))


if __name__ == "__main__":
    main()
