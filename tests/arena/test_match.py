"""Matches: every seat, fair luck, reproducible; faults lose, endless games are drawn."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest

from zermelo.arena.agents import Agent, agent
from zermelo.arena.match import MatchResult, play_match
from zermelo.arena.ratings import mean_error
from zermelo.arena.records import Record
from zermelo.core.analysis import Analysis
from zermelo.core.errors import NotProved, Refused, RulesError, UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.kernel import draw_below

pytestmark = pytest.mark.plain


def randoms(count=2):
    return [agent("random") for _ in range(count)]


class Bot(Agent):
    """Plays at random except where a test says otherwise."""

    name = "bot"

    def __init__(self, answer=None, seconds=None):
        self.answer, self.limit = answer, Limit(time=seconds)

    def choose(self, referee):
        honest = agent("random").choose(referee)
        return self.answer(honest, referee) if self.answer else honest


def test_both_seats_are_played_from_the_same_opening():
    records = play_match(find("tic-tac-toe"), randoms(), games=10).records
    assert [record.seats for record in records] == [(0, 1), (1, 0)] * 5
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert first.moves[:2] == second.moves[:2]
        assert first.opening == second.opening == 2
    assert len({record.moves[:2] for record in records}) == 5


def test_three_agents_take_turns_at_three_seats():
    result = play_match(find("trio"), randoms(3), games=6)
    assert [record.seats for record in result.records] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 2
    assert result.rating is None
    assert sum(result.score(number) for number in range(3)) == pytest.approx(1)
    assert result.to_json()["elo"] is None


def test_a_pair_of_games_sees_the_same_dice():
    """Two players who always roll meet the same outcomes from either seat."""

    def roll(honest, referee):
        return replace(honest, best="roll")

    first, second = play_match(find("pig:target=20"), [Bot(roll), Bot(roll)], games=2, seed=1).records
    assert first.moves == second.moves
    assert first.opening == 0


def test_a_seed_makes_a_match_reproducible():
    def moves(seed):
        return [record.moves for record in play_match(find("hexapawn"), randoms(), 8, seed).records]

    assert moves(4) == moves(4)
    assert moves(4) != moves(5)


@pytest.mark.compiled
def test_a_searching_match_is_reproducible_with_a_depth():
    agents = [agent("alphabeta:depth=2"), agent("random")]
    assert play_match(find("hexapawn"), agents, 4, 9).records == play_match(find("hexapawn"), agents, 4, 9).records


@pytest.mark.compiled
def test_search_beats_chance():
    result = play_match(find("tic-tac-toe"), [agent("alphabeta:depth=4"), agent("random")], games=20)
    assert result.wins >= 14
    assert result.losses <= 1
    assert result.rating.elo > 100


def test_wins_draws_and_losses_add_up():
    result = play_match(find("tic-tac-toe"), randoms(), games=30)
    assert result.wins + result.draws + result.losses == result.games == 30
    assert result.score() == pytest.approx((result.wins + result.draws / 2) / 30)
    by_seat = [result.tally(0, seat) for seat in (0, 1)]
    assert tuple(map(sum, zip(*by_seat, strict=True))) == result.tally(0)
    assert result.tally(1) == (result.losses, result.draws, result.wins)
    assert result.payoff(0) == pytest.approx((result.wins - result.losses) / 30)


def test_json_has_the_public_keys():
    found = play_match(find("nim"), randoms(), games=4).to_json()
    results = ["game", "agents", "games", "wins", "draws", "losses", "score"]
    assert list(found) == [*results, "elo", "elo_error", "payoff", "payoff_error", "duplicate"]


def test_a_clean_sweep_reports_a_bound():
    found = play_match(find("nim"), [Bot(lambda honest, referee: None), agent("random")], games=8).to_json()
    assert found["score"] == 0
    assert found["elo"] < 0
    assert found["elo_error"] is None


# -- faults ----------------------------------------------------------------------------------------------


def _raise(honest, referee):
    raise KeyError("lost my book")


def _give_up(honest, referee):
    raise NotProved("too hard")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            lambda honest, referee: replace(honest, action="z9"),
            "bot as White made an illegal move: 'z9' is not legal here",
        ),
        (lambda honest, referee: replace(honest, action=np.arange(3)), "bot as White made an illegal move: array("),
        (lambda honest, referee: replace(honest, action=None), "bot as White gave no move"),
        (lambda honest, referee: "a1a2", "bot as White gave no move"),
        (_raise, "bot as White raised KeyError: 'lost my book'"),
        (_give_up, "bot as White gave up: too hard"),
    ],
)
def test_a_fault_loses_the_game_and_the_record_says_why(answer, reason):
    record = play_match(find("hexapawn"), [Bot(answer), agent("random")], games=2).records[0]
    assert record.result == (-1, 1)
    assert record.ending == "forfeited"
    assert reason in record.reason


def test_a_bot_that_is_too_slow_loses():
    def dawdle(honest, referee):
        time.sleep(0.55)
        return honest

    slow = Bot(dawdle, 0.01)
    records = play_match(find("connect-four"), [slow, agent("random")], games=1, openings=0).records
    assert records[0].result == (-1, 1)
    assert re.fullmatch(r"bot as X took \d+\.\d+ s for a move, with a limit of 0.01 s", records[0].reason)
    assert len(records[0].moves) == 2  # the first move is not clocked


def test_a_bot_cannot_move_the_game_itself():
    def meddle(honest, referee):
        referee.play_text(honest.best)
        return honest

    records = play_match(find("hexapawn"), [Bot(meddle), agent("random")], games=2).records
    assert all(record.ending == "played" for record in records)


def test_control_c_ends_the_match_even_if_the_search_heard_it_first():
    def interrupted(honest, referee):
        return replace(honest, stopped="user")

    with pytest.raises(KeyboardInterrupt):
        play_match(find("hexapawn"), [Bot(interrupted), agent("random")], games=2)


class Endless(Game):
    """Nobody ever wins."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return state + 1

    def utility(self, state, player):
        return 0


def test_a_game_that_does_not_end_is_adjudicated_as_a_draw():
    record = play_match(Endless(), randoms(), games=1, most_moves=25).records[0]
    assert record.ending == "adjudicated"
    assert record.result == (0, 0)
    assert record.reason == "a draw by adjudication: 50 moves were made and the game was not over"


class Patience(Endless):
    """Alone, until a thousand moves are made."""

    players, zero_sum, utility_range = 1, False, (0, 9)

    def to_move(self, state):
        return 0

    def is_terminal(self, state):
        return state == 1000

    def utility(self, state, player):
        return 7


def test_a_game_for_one_player_may_last_long():
    """There is no opponent to draw with, and rolls are not moves."""
    record = play_match(Patience(), randoms()[:1], games=1).records[0]
    assert (record.ending, record.result, len(record.moves)) == ("played", (7,), 1000)


def test_the_error_of_the_mean_payoff_is_that_of_rounds():
    """Two agents, and games of a round with the same dice: the means of the rounds are 1, 0 and 2."""

    def record(number, payoff):
        seats = (0, 1) if number % 2 else (1, 0)
        return Record(
            "nim", ("a", "b"), seats, 0, number, 0, (), (payoff, -payoff) if number % 2 else (-payoff, payoff)
        )

    records = tuple(record(number, payoff) for number, payoff in enumerate((3, -1, 1, -1, 2, 2), 1))
    result = MatchResult("nim", ("a", "b"), 0, records)
    assert (result.payoff(0), result.payoff(1)) == (1, -1)
    assert result.payoff_error(0) == result.payoff_error(1) == pytest.approx(1.959964 * (1 / 3) ** 0.5)
    assert MatchResult("nim", ("a", "b"), 0, records[:2]).payoff_error() is None


# -- openings --------------------------------------------------------------------------------------------


def test_openings_never_finish_the_game():
    result = play_match(find("hexapawn"), randoms(), games=20, openings=30)
    assert all(0 < record.opening < len(record.moves) for record in result.records)


@pytest.mark.compiled
def test_without_openings_deterministic_bots_repeat_themselves():
    agents = [agent("minimax:depth=1"), agent("minimax:depth=1")]
    assert play_match(find("hexapawn"), agents, games=4, openings=0).different_games == 2
    assert play_match(find("hexapawn"), agents, games=4, openings=2).different_games == 4


# -- wrong usage -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "agents", "options", "sentence"),
    [
        ("hexapawn", ["random"], {}, "hexapawn needs 2 agents, one per seat, not 1"),
        ("trio", ["random", "random"], {}, "trio needs 3 agents, one per seat, not 2"),
        ("nim", ["random", "random"], {"games": 0}, "at least one game"),
        ("nim", ["random", "random"], {"openings": -1}, "at least zero plies"),
    ],
)
def test_wrong_numbers_are_refused(game, agents, options, sentence):
    with pytest.raises(UsageError, match=sentence):
        play_match(find(game), [agent(text) for text in agents], **options)


def test_agents_that_do_not_fit_are_refused_before_the_first_game():
    with pytest.raises(Refused, match="pig has dice"):
        play_match(find("pig"), [agent("random"), agent("alphabeta")])


def test_progress_sees_every_game():
    seen = []
    play_match(find("nim"), randoms(), 5, progress=lambda result: seen.append(result.games))
    assert seen == [1, 2, 3, 4, 5]


def test_your_own_bot_needs_a_name_and_choose():
    class First(Agent):
        name = "first"

        def choose(self, referee):
            return Analysis.of(referee, self.name, referee.legal()[0])

    result = play_match(find("hexapawn"), [First(), agent("random")], games=6)
    assert all(record.ending == "played" for record in result.records)


# -- agents that cannot play ---------------------------------------------------------------------------------


class Bluff(Game):
    """One hidden card, and moves that are words."""

    chance = hidden = True

    def initial(self):
        return (-1, "")

    def to_move(self, state):
        return CHANCE if state[0] < 0 else len(state[1]) % 2

    def actions(self, state):
        if state[0] < 0:
            yield from (0, 1)
        elif len(state[1]) < 2:
            yield from ("call", "trust") if state[1] else ("tax", "pass")

    def result(self, state, action):
        return (action, state[1]) if state[0] < 0 else (state[0], state[1] + action[0])

    def utility(self, state, player):
        is_won = state[0] == 1 if state[1][1] == "c" else state[1][0] == "t"
        return 1 if is_won == (player == 0) else -1

    def view(self, state, player):
        return state if player == 0 or state[0] < 0 else (-2, state[1])

    def worlds(self, view, player, luck):
        return view if view[0] != -2 else (draw_below(luck, 2), view[1])


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        (Bluff(), "mcts", "the moves of bluff are not whole numbers, so mcts cannot keep hidden worlds apart: use"),
        (find("hexapawn"), "mcts", "mcts does not search by depth; give it a time or a number of simulations"),
    ],
    ids=["moves", "limit"],
)
def test_an_agent_that_cannot_play_is_refused_before_the_first_game(game, text, sentence):
    told = []
    limit = Limit(depth=2) if "depth" in sentence else Limit(nodes=10)
    with pytest.raises((Refused, UsageError), match=sentence):
        play_match(game, [agent("random"), agent(text, limit)], games=4, progress=told.append)
    assert told == []
    assert play_match(Bluff(), [agent("random"), agent("determinised:depth=2")], games=2).games == 2


class Worldless(Bluff):
    """Nobody can guess what is hidden."""

    worlds = Game.worlds


@pytest.mark.parametrize("text", ["auto", "determinised", "mcts"])
def test_a_hidden_game_without_worlds_is_refused_and_no_agent_loses(text):
    with pytest.raises(RulesError, match="Worldless: a game with hidden = True should have the method worlds"):
        play_match(Worldless(), [agent(text, Limit(nodes=10)), agent("random")], games=2)
    assert play_match(Worldless(), [agent("random"), agent("random")], games=2).games == 2


def test_an_agent_that_is_refused_while_it_plays_ends_the_match():
    def refuse(honest, referee):
        raise Refused("no boards of this size")

    with pytest.raises(Refused, match="bot cannot play hexapawn: no boards of this size"):
        play_match(find("hexapawn"), [Bot(refuse), agent("random")], games=2)


def test_openings_have_a_longest_and_are_shorter_in_a_short_game():
    with pytest.raises(UsageError, match="an opening has at most 100 plies, not 99999999"):
        play_match(find("hexapawn"), randoms(), games=2, openings=99_999_999)
    assert 1 <= play_match(find("hexapawn"), randoms(), games=2, openings=100).records[0].opening < 8


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice", "kuhn:players=3"])
def test_a_deal_is_played_from_every_seat(game):
    """The same chance outcomes in the same order, public cards included, whatever the players do between them."""
    rules = find(game)
    records = play_match(rules, randoms(rules.players), games=12 * rules.players).records
    rolls = [[turn.text for turn in one.replay(rules).turns if turn.player == CHANCE] for one in records]
    for start in range(0, len(rolls), rules.players):
        shared = min(map(len, rolls[start : start + rules.players]))
        assert len({tuple(deal[:shared]) for deal in rolls[start : start + rules.players]}) == 1
    assert len({tuple(deal) for deal in rolls}) > 3
    alone = play_match(rules, randoms(rules.players), games=24, duplicate=False).records
    deals = [one.moves[: rules.players] for one in alone]
    assert sum(first == second for first, second in zip(deals[::2], deals[1::2], strict=True)) < 8


class Remembering(Agent):
    """Bets if the card that it held in the game before, which would be the opponent's in the same deal, is lower."""

    name = "remembering"

    def __init__(self):
        self.held, self.guesses = "", []

    def for_game(self, seed):
        self.before, self.held = self.held, ""
        return self

    def choose(self, seat):
        if not self.held:
            self.held = seat.format_view()[0]
            self.guesses.append(self.before)
        return Analysis.of(seat, self.name, seat.legal()["JQK".find(self.held) > "JQK".find(self.before)])


@pytest.mark.parametrize("game", ["kuhn", "phantom", "pig"])
def test_a_bot_of_yours_does_not_meet_the_same_cards_or_dice_again(game):
    """It could remember them from the game before, where it sat in the other seat."""
    assert not play_match(find(game), [Remembering(), agent("random")], games=1).duplicate
    assert play_match(find(game), randoms(), games=1).duplicate


def test_a_bot_that_remembers_the_game_before_does_not_know_the_other_card():
    bot = Remembering()
    records = play_match(find("kuhn"), [bot, agent("random")], games=60).records
    cards = [record.moves[1 - record.seats.index(0)] for record in records]
    known = sum(guess == card for guess, card in list(zip(bot.guesses, cards, strict=True))[1::2])
    assert known < 20
    same = play_match(find("kuhn"), [again := Remembering(), agent("random")], games=60, duplicate=True).records
    cards = [record.moves[1 - record.seats.index(0)] for record in same]
    assert again.guesses[1::2] == cards[1::2]


def test_errors_are_those_of_rounds_if_deals_are_shared():
    game = find("kuhn")
    apart = play_match(game, randoms(), games=100, duplicate=False)
    assert apart.payoff_error() == pytest.approx(mean_error(apart.payoffs(), 1))
    together = play_match(game, randoms(), games=100)
    assert together.payoff_error() == pytest.approx(mean_error(together.payoffs(), 2))
    assert together.payoff_error() < apart.payoff_error()
