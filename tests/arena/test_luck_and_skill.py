"""Luck and skill are measured separately."""

import pytest

from zermelo.arena.luck_and_skill import luck_and_skill
from zermelo.core.errors import Refused
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee
from zermelo.games.backgammon import Backgammon
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.pig import Pig

pytestmark = pytest.mark.plain


class Coin(Game):
    """Choose a fair coin or a bad one; then it falls. Estimates are exact."""

    name = "coin"
    chance = True
    CHANCES = (0.5, 0.25)

    def initial(self):
        return 0

    def to_move(self, state):
        return 0 if state in (0, 3, 4) else CHANCE

    def actions(self, state):
        yield from ((1, 2) if state == 0 else (5, 6) if state in (1, 2) else (state + 4,))

    def outcomes(self, state):
        yield 3, self.CHANCES[state - 1]
        yield 4, 1 - self.CHANCES[state - 1]

    def result(self, state, action):
        return action

    def is_terminal(self, state):
        return state > 4

    def utility(self, state, player):
        won = 1 if state == 7 else -1
        return won if player == 0 else -won

    def evaluate(self, state, player):
        value = {0: 0.0, 1: 0.0, 2: -0.5, 3: 1.0, 4: -1.0}[state]
        return value if player == 0 else -value


@pytest.fixture
def _interpreted(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.mark.usefixtures("_interpreted")
def test_with_exact_estimates_luck_and_skill_add_up_to_the_result():
    game = Coin()
    referee = Referee(game)
    for action in (2, 3, 7):
        referee.play(action)
    account = luck_and_skill(referee)
    assert account.skill(0) == -0.5
    assert account.luck(0) == 1.5
    assert account.skill(0) + account.luck(0) == referee.utilities()[0]
    assert [(entry.text, entry.best) for entry in account.mistakes(0, 0.1)] == [("2", "1")]


@pytest.mark.compiled
@pytest.mark.long
def test_a_game_of_backgammon_is_judged():
    referee = Referee.at(Backgammon(), "moves: 31 8/5+6/5 66 24/18(2)+13/7(2) 21 13/11+24/23")
    account = luck_and_skill(referee)
    good, lucky, poor = (next(e for e in account.entries if e.number == number) for number in (1, 2, 4))
    assert (good.is_roll, good.amount, good.best) == (False, 0.0, "")
    assert (lucky.is_roll, lucky.player, lucky.text) == (True, 1, "66")
    assert lucky.amount > 0.2
    assert poor.amount < 0
    assert account.luck(1) == lucky.amount
    assert account.luck(0) == pytest.approx(sum(e.amount for e in account.entries if e.is_roll and e.player == 0))


@pytest.mark.compiled
def test_rolls_are_lucky_and_unlucky_in_the_same_measure():
    game = Pig(20)
    start = "11-15 6 1 rolling"
    amounts = []
    for face in "123456":
        referee = Referee.at(game, start)
        referee.play_text(face)
        amounts.append(luck_and_skill(referee).entries[0])
    signed = [entry.amount if entry.player == 0 else -entry.amount for entry in amounts]
    assert sum(signed) == pytest.approx(0)
    assert signed[0] == min(signed)


def test_games_without_dice_are_refused():
    with pytest.raises(Refused, match="luck and skill need a game for two players with dice"):
        luck_and_skill(Referee(Hexapawn()))
