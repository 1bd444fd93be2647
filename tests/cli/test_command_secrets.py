"""No secret is printed: positions that a player cannot tell apart are the same to them in every answer.

Random games of every game with hidden information are grouped by what the player to move has seen and done. Two
different games of a group are put before the terminal, the agents and the searches; all that comes out is compared.
"""

import io
import json
import random
import sys

import pytest

from zermelo.arena import equilibrium_agent, level_agent
from zermelo.arena.agents import agent
from zermelo.arena.auto import AutoAgent
from zermelo.cli.play import Session
from zermelo.core.errors import Refused
from zermelo.core.game import CHANCE
from zermelo.core.guards import suitable_algorithms
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee, table_for_agent
from zermelo.games import find, names
from zermelo.search import analyse

pytestmark = pytest.mark.plain

GAMES = [
    *(name for name in names() if find(name).hidden),
    "kuhn:players=3",
    "tree:max(min{h}(1 -1) min{h}(-1 1))",
    "examples/kuhn.py",
]
TRIES, PLIES, PAIRS = 150, 14, 3
KEYS = "moves\nhint\neval\nposition\nsave {file}\nnonsense\nhelp\nquit\n"


def memory_of(referee):
    """What the player to move has seen and done."""
    game, player = referee.game, referee.to_move
    own = [(repr(game.view(turn.state, player)), turn.text) for turn in referee.turns if turn.player == player]
    return repr((player, own, game.view(referee.state, player)))


def pairs(game):
    """Pairs of different games that the player to move cannot tell apart; none is over."""
    luck, groups = random.Random(f"{game}"), {}
    for _ in range(TRIES):
        referee = Referee(game)
        while not referee.is_over and referee.ply < PLIES:
            if referee.to_move != CHANCE:
                line = tuple(turn.action for turn in referee.turns)
                groups.setdefault(memory_of(referee), {}).setdefault(line, None)
            referee.play(luck.choice(referee.legal()))
    found = [luck.sample(list(lines), 2) for _, lines in sorted(groups.items()) if len(lines) > 1]
    luck.shuffle(found)
    assert found
    return [[played(game, line) for line in pair] for pair in found[:PAIRS]]


def played(game, line):
    referee = Referee(game)
    for action in line:
        referee.play(action)
    return referee


@pytest.fixture(autouse=True)
def only_tiny_games_are_solved(monkeypatch):
    """Nothing is compiled here, and no answer depends on the clock."""
    monkeypatch.setattr(equilibrium_agent, "MOST_ENDS_AT_ONCE", 100)
    monkeypatch.setattr(level_agent, "MOST_SECONDS", 1e6)


@pytest.mark.parametrize("name", GAMES)
def test_the_terminal_prints_nothing_that_is_hidden(name, capsys, monkeypatch, tmp_path):
    def screen(referee):
        player, game = referee.to_move, referee.game
        opponents = [None if seat == player else agent("random") for seat in range(game.players)]
        file = tmp_path / "game.jsonl"
        monkeypatch.setattr(sys, "stdin", io.StringIO(KEYS.format(file=file)))
        Session(game, referee, opponents, AutoAgent(limit=Limit(nodes=30), seed=1), 7, name).run()
        assert not file.exists()
        said = capsys.readouterr()
        assert "Good-bye." in said.out
        return without_times(said.out), said.err

    for first, second in pairs(find(name)):
        assert screen(first) == screen(second)


@pytest.mark.parametrize("name", GAMES)
def test_answers_and_agents_depend_on_nothing_that_is_hidden(name):
    game = find(name)
    fit = [one for one in ("determinised:depth=1", "mcts:sims=20", "random", "auto:nodes=20", "auto:level=1")
           if one.partition(":")[0] in ("auto", *suitable_algorithms(game))]  # fmt: skip
    for first, second in pairs(game):
        one, other = table_for_agent(first), table_for_agent(second)
        assert one == other
        assert repr(one) == repr(other)
        for text in fit:
            player = agent(text, seed=5)
            try:
                player.require(game)
            except Refused:  # its moves are not whole numbers
                continue
            assert answer_of(player.for_game(3), one) == answer_of(player.for_game(3), other)
            assert answer_of(player.for_game(3), first) == answer_of(player.for_game(3), second)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice", "examples/kuhn.py"])
def test_the_function_analyse_uses_the_view_alone(name):
    game = find(name)
    for first, second in pairs(game):
        answers = [analyse(game, one, "determinised", seed=2, depth=1) for one in (first, second)]
        assert json.dumps(stripped(answers[0].to_json())) == json.dumps(stripped(answers[1].to_json()))


def answer_of(player, table):
    return json.dumps(stripped(player.choose(table).to_json()))


def stripped(answer):
    """Without times; NaN is null in JSON, so it equals itself."""
    answer["stats"] = {name: value for name, value in answer["stats"].items() if "second" not in name}
    return answer


def without_times(text):
    return [line for line in text.splitlines() if " s" not in line or "·" not in line]
