"""Levels: the same seed gives the same move, a higher level is stronger, and every game has all levels."""

import random
from itertools import pairwise

import pytest

from zermelo.arena import level_agent
from zermelo.arena.agents import agent
from zermelo.arena.exploit import exploit
from zermelo.arena.level_agent import LevelAgent
from zermelo.arena.levels import CLOCKS, ELOS, HIGHEST_LEVEL, NAMES, SKILLS, Effort, levels, skill_for_elo
from zermelo.arena.match import play_match
from zermelo.core.errors import UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find, names

pytestmark = pytest.mark.plain
CLOCKLESS = HIGHEST_LEVEL - len(CLOCKS)


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch):
    """A search that the clock stops may differ; nodes end it anyway."""
    monkeypatch.setattr(level_agent, "MOST_SECONDS", 1e6)


def first_choice(name):
    referee = Referee(find(name))
    while referee.to_move < 0:
        referee.roll(random.Random(1))
    return referee


@pytest.mark.no_cover
@pytest.mark.parametrize("name", names())
def test_every_level_answers_in_every_game(name):
    referee = first_choice(name)
    player = LevelAgent(1, seed=1, limit=Limit(time=0.005))
    for player.number in range(1, HIGHEST_LEVEL + 1):
        assert player.choose(referee).action in referee.legal()


def test_the_same_seed_gives_the_same_moves():
    referee = Referee(find("connect-four"))
    moves = {seed: [LevelAgent(1, seed=seed).choose(referee).action for _ in range(2)] for seed in range(6)}
    assert all(first == again for first, again in moves.values())
    assert len({first for first, _ in moves.values()}) > 1


def test_what_was_searched_before_changes_nothing():
    referee, player = Referee(find("connect-four")), LevelAgent(2, seed=3)
    first = player.choose(referee)
    player.choose(Referee.at(referee.game, "moves: 4 4 3"))
    assert player.choose(referee).action == first.action


@pytest.mark.compiled
def test_a_higher_level_wins():
    found = play_match(find("connect-four"), [LevelAgent(5), LevelAgent(1)], games=20, seed=1)
    assert found.score() > 0.7


def test_more_skill_searches_more_and_doubts_less():
    weak, strong = Effort.of(1), Effort.of(3)
    assert strong.nodes == 4 * weak.nodes
    assert strong.doubt == weak.doubt / 2
    assert strong.simulations > weak.simulations


@pytest.mark.parametrize("name", names())
def test_levels_rise(name):
    skills = [level.skill for level in levels(find(name))[:CLOCKLESS]]
    assert skills == sorted(skills)
    assert [level.name for level in levels(find(name))] == list(NAMES)


def test_tables_name_games_and_have_a_number_for_each_level():
    known = {find(name).name for name in names()}
    for table in (SKILLS, ELOS):
        assert set(table) <= known
        assert all(len(row) == CLOCKLESS for row in table.values())


def test_an_elo_between_two_levels_has_a_skill_between_theirs():
    chess = find("chess")
    third, fourth = levels(chess)[2:4]
    assert skill_for_elo(chess, third.elo) == third.skill
    assert third.skill < skill_for_elo(chess, (third.elo + fourth.elo) / 2) < fourth.skill
    assert third.describe() == f"{third.name}, about {third.elo} Elo"


def test_a_text_makes_an_agent_at_a_level():
    found = agent("mcts:level=3,seed=7")
    assert (found.number, found.algorithm, found.seed) == (3, "mcts", 7)
    assert agent("auto:level=10", Limit(time=2)).limit == Limit(time=2)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("auto:level=0", "there is no level 0; the levels are 1 to 10, the strongest"),
        ("auto:level=11", "there is no level 11; the levels are 1 to 10, the strongest"),
        ("auto:level=high", "a level is a whole number from 1 to 10, not 'high'"),
        ("auto:level=4,depth=3", "auto: a level already says how hard to search; leave out depth"),
        ("random:level=4", "random has no option 'level'; try seed"),
    ],
)
def test_what_is_wrong_with_a_level_is_said_in_one_sentence(text, sentence):
    with pytest.raises(UsageError) as error:
        agent(text)
    assert str(error.value) == sentence


@pytest.mark.compiled
def test_levels_of_a_game_with_hidden_cards_are_harder_and_harder_to_exploit():
    """From a careless player to an equilibrium; a beginner still folds a jack more often than a king."""
    game = find("kuhn")
    gains = [exploit(game, agent(f"auto:level={number}")) for number in range(1, 11)]
    assert {found.kind for found in gains} == {"exact"}
    costs = [found.exploitability for found in gains]
    assert all(weaker > stronger for weaker, stronger in pairwise(costs[:9]))
    assert costs[8] == costs[9] == pytest.approx(0, abs=1e-12)
    beginner = agent("auto:level=1")
    folds = {card: beginner.policy(Referee.at(game, f"moves: {card} bet").seat())[0] for card in ("Q J", "J Q", "Q K")}
    assert folds["Q J"] > folds["J Q"] > folds["Q K"] > 0


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["auto:level=9", "equilibrium", "auto"])
def test_a_mixture_is_drawn_by_the_seed(name):
    table = Referee.at(find("kuhn"), "moves: Q J check").seat()  # a bluff with probability 1/3
    moves = [agent(name, seed=seed).choose(table).best for seed in range(300)]
    assert 70 < moves.count("bet") < 130
    assert moves == [agent(name, seed=seed).choose(table).best for seed in range(300)]
    games = [agent(name).for_game(seed).choose(table).best for seed in range(300)]
    assert 70 < games.count("bet") < 130
    assert len({agent(name).choose(table).best for _ in range(60)}) == 2  # without a seed, by chance


@pytest.mark.compiled
def test_a_careless_player_claims_no_equilibrium():
    table = Referee.at(find("kuhn"), "moves: Q J check").seat()
    assert agent("auto:level=3").choose(table).exploitability is None
    assert agent("auto:level=9").choose(table).exploitability == pytest.approx(0, abs=1e-12)
