"""Agents by name, with limits and seeds; what they choose, and what they refuse."""

import math

import pytest

from zermelo.arena.agents import (
    DEFAULT_LIMIT,
    RandomAgent,
    SolveAgent,
    agent,
    agent_names,
)
from zermelo.arena.auto import AutoAgent, positions_below, tree_size
from zermelo.arena.equilibrium_agent import EquilibriumAgent
from zermelo.arena.records import Record, write_record
from zermelo.arena.search_agent import SearchAgent
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game
from zermelo.core.guards import ALGORITHMS
from zermelo.core.limit import Limit, most_threads
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.search import SEARCHES

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("alphabeta:depth=6", Limit(depth=6)),
        ("alphabeta:time=500ms", Limit(time=0.5)),
        ("minimax:nodes=10k", Limit(nodes=10_000)),
        ("alphabeta:depth=6,time=3min", Limit(time=180, depth=6)),
        ("alphabeta", DEFAULT_LIMIT),
        ("auto", DEFAULT_LIMIT),
        ("solve", Limit()),
    ],
)
def test_a_text_carries_its_own_limit(text, limit):
    assert agent(text).limit == limit


def test_limits_of_the_text_come_before_limits_of_the_command():
    assert agent("alphabeta:depth=6", Limit(depth=2, nodes=7)).limit == Limit(depth=6, nodes=7)
    assert agent("alphabeta", Limit(nodes=7)).limit == Limit(nodes=7)
    assert agent("alphabeta", Limit(), default=Limit(time=2)).limit == Limit(time=2)


def test_names_make_the_agents_they_say():
    kinds = {name: type(agent(name)) for name in agent_names()}
    assert kinds.pop("auto") is AutoAgent
    assert kinds.pop("random") is RandomAgent
    assert kinds.pop("solve") is SolveAgent
    assert kinds.pop("equilibrium") is EquilibriumAgent
    assert set(kinds) == set(SEARCHES)
    assert set(kinds.values()) == {SearchAgent}


def test_alphabeta_takes_the_engine_s_options():
    found = agent("alphabeta:depth=2,lines=3,threads=2,memory=16")
    assert (found.limit, found.lines, found.threads, found.memory_mb) == (Limit(depth=2), 3, 2, 16)
    with pytest.raises(UsageError, match="threads=0 is too small; it must be 1 or more"):
        agent("alphabeta:threads=0")


@pytest.mark.parametrize("text", ["mcts:threads=100000", "alphabeta:threads=3000"])
def test_the_most_threads_are_reported(text):
    with pytest.raises(UsageError, match=rf"is too much; this machine allows at most {most_threads()}"):
        agent(text)
    agent(f"{text.partition('=')[0]}={most_threads()}")


def test_an_agent_refuses_to_choose_for_the_dice_before_anything_is_compiled(monkeypatch):
    monkeypatch.setattr("zermelo.search.dispatcher.Dispatcher._create", lambda *_: pytest.fail("a search was made"))
    with pytest.raises(Refused, match=r'the dice are to be rolled here.*; give the roll: "moves: 12"'):
        agent("expectiminimax").choose(Referee(find("backgammon")))


def test_mcts_takes_simulations_instead_of_nodes():
    found = agent("mcts:sims=2k,threads=2,memory=16,seed=5")
    assert (found.limit, found.threads, found.memory_mb, found.seed) == (Limit(nodes=2000), 2, 16, 5)
    with pytest.raises(UsageError, match="mcts has no option 'depth'"):
        agent("mcts:depth=3")


def test_mcts_keeps_its_tree_for_a_game_and_starts_the_next_one_without():
    player, referee = agent("mcts:sims=300,memory=1,seed=2"), Referee(find("tic-tac-toe"))
    player.choose(referee)
    again, fresh = player.choose(referee), player.for_game(1).choose(referee)
    assert again.stats["known_before"] == 300
    assert fresh.stats["known_before"] == 0


@pytest.mark.compiled
def test_the_engine_keeps_its_table_for_a_game_and_starts_the_next_one_without():
    player, referee = agent("alphabeta:depth=3,memory=1"), Referee(find("hexapawn"))
    first = player.choose(referee)
    again = player.choose(referee)
    fresh = player.for_game(1).choose(referee)
    assert again.stats["table_hits"] > first.stats["table_hits"] == fresh.stats["table_hits"]
    assert first.best == fresh.best


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("alphabet", "did you mean alphabeta"),
        ("alpha-beta:depth=3", "did you mean alphabeta"),
        ("stockfish-of-the-north", "try auto, random, minimax"),
        ("", "try auto, random, minimax"),
        ("human", "zermelo play"),
        ("alphabeta:width=3", "has no option 'width'; try time, nodes, depth, level, seed, lines, threads or memory"),
        ("random:depth=3", "random has no option 'depth'; try seed"),
        ("alphabeta:depth", "needs a value, as in alphabeta:depth=6"),
        ("alphabeta:depth=", "needs a value"),
        ("alphabeta:time=soon", "'soon' is not a duration; write 2s"),
        ("alphabeta:nodes=-5", "is not a count"),
        ("alphabeta:depth=0", "above zero"),
        ("random:seed=x", "the seed must be a whole number, not 'x'"),
    ],
)
def test_a_mistaken_text_is_answered_with_what_exists(text, sentence):
    with pytest.raises(UsageError) as caught:
        agent(text)
    assert sentence in str(caught.value)


def test_random_play_repeats_with_its_seed_and_differs_without():
    def played(one):
        referee = Referee(find("tic-tac-toe"))
        while not referee.is_over:
            referee.play_text(one.choose(referee).best)
        return [turn.text for turn in referee.turns]

    assert played(agent("random:seed=3")) == played(agent("random:seed=3"))
    assert len({tuple(played(agent("random", seed=seed))) for seed in range(10)}) > 1
    assert len({tuple(played(agent("random:seed=3").for_game(luck))) for luck in range(10)}) > 1


def test_random_play_does_not_pretend_to_know_a_value():
    answer = agent("random").choose(Referee(find("nim")))
    assert all(map(math.isnan, answer.value))
    assert answer.to_json()["value"] == [None, None]
    assert answer.kind == "estimate"


def test_a_search_agent_answers_under_the_name_it_was_given():
    answer = agent("minimax:depth=2").choose(Referee(find("hexapawn")))
    assert answer.agent == "minimax:depth=2"
    assert answer.best in ("a1a2", "b1b2", "c1c2")
    assert answer.limit == Limit(depth=2)


def test_agents_refuse_games_they_do_not_fit():
    with pytest.raises(Refused, match="pig has dice: use expectiminimax"):
        agent("alphabeta").require(find("pig"))
    agent("random").require(find("pig"))
    agent("auto").require(find("trio"))


def test_auto_solves_what_is_small_and_says_so():
    hexapawn = find("hexapawn")
    referee = Referee.at(hexapawn, "moves: a1a2 b3a2 b1a2")
    answer = agent("auto").choose(referee)
    assert answer.kind == "exact"
    left = positions_below(hexapawn, referee.state, 500)
    assert answer.notes[0] == f"auto solved the game from here: only {left} positions are left"


def test_auto_searches_what_is_large_and_says_which_way():
    answer = agent("auto:depth=2").choose(Referee(find("connect-four")))
    assert answer.notes[0].startswith("auto chose alpha-beta for connect-four: two players, no dice")
    assert agent("auto:depth=1").choose(Referee(find("pig"))).notes[0].endswith("it has dice and an evaluation")


@pytest.mark.compiled
def test_auto_proves_what_is_not_too_large():
    answer = agent("auto:time=2s").choose(Referee(find("tic-tac-toe")))
    assert (answer.kind, answer.value[0]) == ("exact", 0)
    assert answer.notes[0] == "auto solved the game from here: its tree has about 10^5 nodes"


def test_a_game_that_cannot_judge_a_position_is_played_by_simulations():
    game = Subtraction()
    answer = agent("auto:time=200ms").choose(Referee(game))
    assert answer.notes[0].startswith("auto chose Monte Carlo tree search for subtraction: it has no evaluation")
    assert answer.moves[0].visits > 0
    assert agent("auto:depth=3").choose(Referee(game)).notes[0].endswith("it can search to a depth")


@pytest.mark.filterwarnings("ignore:.*runs interpreted")
def test_moves_that_are_not_numbers_are_simulated_too():
    answer = agent("mcts:sims=300,seed=1").choose(Referee(Words(8)))
    assert (answer.best, answer.stats["simulations"]) == ("two", 300)
    assert sum(move.visits for move in answer.moves) == 300
    auto = agent("auto:time=100ms").choose(Referee(Words(600)))
    assert "its moves are not whole numbers" in auto.notes[0]


def test_the_size_of_a_tree_is_guessed_well():
    """Tic-tac-toe has 255,168 games, 10^5.4 [a well-known count]; a game without an end has no size."""
    game = find("tic-tac-toe")
    assert tree_size(game, game.initial()) == pytest.approx(5.4, abs=0.2)
    assert tree_size(Round(), 0) == math.inf


def test_tic_tac_toe_has_5478_positions():
    """The number of positions of the whole game is well known; the count stops at its limit."""
    game = find("tic-tac-toe")
    assert positions_below(game, game.initial(), 10_000) == 5478
    assert positions_below(game, game.initial(), 5477) is None


def test_every_algorithm_has_an_agent():
    assert set(agent_names()) == {"auto", *ALGORITHMS}


class Subtraction(Game):
    """Take one to three; who takes the last one wins."""

    def __init__(self, heap=400):
        self.heap = heap

    def initial(self):
        return self.heap, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for count in range(1, min(3, state[0]) + 1):  # noqa: UP028 - `yield from` does not compile
            yield count

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def utility(self, state, player):
        return -1 if player == state[1] else 1


class Words(Subtraction):
    """The same with words for one and two."""

    def actions(self, state):
        return ("one", "two")[: state[0]]

    def result(self, state, action):
        return state[0] - (1 if action == "one" else 2), 1 - state[1]


class Round(Game):
    """Ten squares in a circle; play never ends."""

    name = "round"

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return (state + action) % 10

    def utility(self, state, player):
        return 0


def test_auto_knows_that_a_small_game_without_an_end_is_a_draw():
    found = agent("auto:depth=3").choose(Referee(Round()))
    assert (found.kind, found.value) == ("exact", (0, 0))
    assert found.best in ("1", "2")


# -- players who behave as said ----------------------------------------------------------------------------------------


def test_expectimax_takes_a_behaviour_for_every_seat():
    """Against a perfect player the safe move, against a random one the gamble, against a table what it says."""
    game = find("tree:max(min(3 4) min(0 20))")
    assert agent("expectimax:seat2=min").choose(Referee(game)).best == "a"
    assert agent("expectimax:others=random").choose(Referee(game)).best == "b"
    assert agent("expectimax").choose(Referee(game)).best == "b"
    assert agent("expectimax:seat2=minimax(1)@50%").choose(Referee(game)).value == (5, -5)


def test_a_player_is_learned_from_saved_games(tmp_path):
    """After b the second player went right nine times out of ten: half a time more counts for each move."""
    game, file = find("tree:max(min(3 4) min(0 20))"), tmp_path / "games.jsonl"
    for number in range(10):
        moves, result = (("b", "b"), (20.0, -20.0)) if number else (("b", "a"), (0.0, 0.0))
        write_record(file, Record(game.spec(), ("x", "y"), (0, 1), 1, number + 1, 0, moves, result))
    answer = agent(f"expectimax:seat2=table({file})").choose(Referee(game))
    assert (answer.best, answer.value[0]) == ("b", pytest.approx(20 * 9.5 / 11))
    with pytest.raises(UsageError, match="has no games of hexapawn"):
        agent(f"expectimax:seat2=table({file})").choose(Referee(find("hexapawn")))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("expectimax:seat9=random", "seat9=random names no seat: tree has 2 seats"),
        ("expectimax:seat2=clever", "is not a behaviour"),
        ("expectiminimax:seat2=random", "expectiminimax has no option 'seat2'"),
        ("expectimax:improbable=often", "is not a probability"),
    ],
)
def test_a_cast_that_makes_no_sense_is_refused(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        agent(text).choose(Referee(find("tree:max(min(3 4) min(0 20))")))
