"""Your own bot in a match: it counts pips and runs home, while its opponent evaluates positions.

A bot needs a name and `choose`. This one takes the play that leaves it furthest ahead in the race, with random ties.

python examples/own_bot.py          two games of backgammon
python examples/own_bot.py 200      200 games
"""

import random
import sys

from zermelo.arena.agents import Agent, agent
from zermelo.arena.match import play_match
from zermelo.cli.match import match_text
from zermelo.core.analysis import Analysis
from zermelo.games import find
from zermelo.games.backgammon.board import pips


class Runner(Agent):
    name = "runner"

    def __init__(self, seed=0):
        self.luck = random.Random(seed)

    def for_game(self, seed):
        return Runner(seed)

    def choose(self, referee):
        game, state = referee.game, referee.state
        leads = {action: self.lead(game.result(state, action)) for action in referee.legal()}
        best = [action for action, lead in leads.items() if lead == max(leads.values())]
        return Analysis.of(referee, self.name, self.luck.choice(best))

    @staticmethod
    def lead(state):
        """The lead in pips of the player who has just moved; the state is seen by the other player, who is on roll."""
        return pips(state.mine) - pips(state.theirs)


def main():
    game = find("backgammon")
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    print(match_text(play_match(game, [agent("expectiminimax:depth=1"), Runner()], games), game))


if __name__ == "__main__":
    main()
