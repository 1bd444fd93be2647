"""A seat shows what its player has seen, and nothing else can be reached from it."""

import pickle
import random
from types import FunctionType, MethodType, ModuleType

import pytest

from zermelo.arena.agents import Agent, agent
from zermelo.arena.match import play_match
from zermelo.core.analysis import Analysis
from zermelo.core.errors import IllegalMove, Refused, UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee, open_table, table_for_agent
from zermelo.core.seat import Seat
from zermelo.games import find
from zermelo.kernel import draw_below

pytestmark = pytest.mark.plain


KUHN = find("kuhn")


def at(moves):
    return Referee.at(KUHN, f"moves: {moves}")


def test_a_seat_has_the_view_the_moves_and_the_memories():
    seat = at("K J check bet").seat()
    assert (seat.player, seat.to_move, seat.ply) == (0, 0, 1)
    assert seat.format_view() == "K check bet"
    assert [text for _, text in seat.moves] == ["fold", "call"]
    assert [(seat.game.format_view(one.view, 0), one.text, one.index) for one in seat.memories] == [("K -", "check", 0)]
    assert seat.format_action(1) == "call"
    assert seat.is_whole
    assert not Referee.at(find("kuhn"), "KJ check").seat().is_whole


def test_a_seat_off_turn_has_no_moves_and_does_not_say_who_moves():
    seat = at("K J check").seat(0)
    assert (seat.legal(), seat.to_move, seat.format_view()) == ([], CHANCE, "K check")
    with pytest.raises(UsageError, match="no player is to move now; say whose seat it is"):
        at("K").seat()
    with pytest.raises(UsageError, match="kuhn has players 0 to 1, not 2"):
        at("K J").seat(2)


def test_seats_of_positions_that_look_alike_are_equal():
    for first, second in (("K J", "K Q"), ("J Q bet", "K Q bet"), ("Q J check bet", "Q K check bet")):
        one, other = at(first).seat(), at(second).seat()
        assert one == other
        assert repr(one) == repr(other)
        assert pickle.dumps(one) == pickle.dumps(other)
    assert at("K J").seat() != at("Q J").seat()


def test_worlds_fit_the_view_and_depend_only_on_the_luck():
    seat = at("Q J check").seat()
    worlds = [seat.world(luck) for luck in range(20)]
    assert worlds == [at("Q J check").seat().world(luck) for luck in range(20)]
    assert {seat.game.format_state(world) for world in worlds} == {"QJ check", "KJ check"}
    assert all(seat.game.view(world, 1) == seat.view for world in worlds)
    assert seat.known_state == seat.known_state


def test_only_players_of_hidden_games_get_seats():
    open_game = Referee(find("nim"))
    assert table_for_agent(open_game) is open_game
    assert open_table(open_game) is open_game
    assert isinstance(table_for_agent(at("K")), Referee)  # a card is to be dealt
    assert isinstance(table_for_agent(at("K J")), Seat)
    with pytest.raises(Refused, match="a seat does not show the state"):
        open_table(at("K J").seat())


@pytest.mark.parametrize("name", ["state", "turns", "start"])
def test_a_bot_that_asks_for_more_gets_one_sentence(name):
    with pytest.raises(Refused, match=r"^kuhn has hidden information, so a seat does not show .* world\(luck\)$"):
        getattr(at("K J").seat(), name)


def test_illegal_moves_are_named():
    with pytest.raises(IllegalMove, match="7 is not legal here; try check or bet"):
        at("K J").seat().find_legal(7)


# -- bots that try to cheat ----------------------------------------------------------------------------------


def reachable(thing, seen=None):
    """Everything that attributes, items, closures and bound methods lead to, but for modules and classes."""
    seen = {} if seen is None else seen
    waiting = [thing]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, str | bytes | int | float | type | ModuleType | type(None)):
            continue
        seen[id(one)] = one
        parts = list(vars(one).values()) if hasattr(one, "__dict__") else []
        parts += [getattr(one, name) for name in getattr(type(one), "__slots__", ()) if hasattr(one, name)]
        if isinstance(one, dict):
            parts += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            parts += list(one)
        if isinstance(one, FunctionType):
            parts += [cell.cell_contents for cell in one.__closure__ or () if cell_is_full(cell)]
            parts += list(one.__defaults__ or ())
        if isinstance(one, MethodType):
            parts += [one.__self__, one.__func__]
        for name in dir(one) if isinstance(one, Seat) else ():
            try:
                parts.append(getattr(one, name))
            except Refused:
                continue
        waiting += parts
    return list(seen.values())


def cell_is_full(cell):
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("turns", [2, 3, 5])
@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice"])
def test_the_true_state_cannot_be_reached_from_a_seat(game, turns):
    """The only state that is reached is the world that the seat draws from the view."""
    referee, rng = Referee(find(game)), random.Random(turns)
    while not referee.is_over and (referee.to_move == CHANCE or referee.ply < turns):
        referee.play(rng.choice(referee.legal()))
    if referee.is_over:
        referee.undo()
    seat = referee.seat()
    found = reachable(seat)
    assert not any(isinstance(one, Referee) for one in found)
    assert not any(one is referee.state for one in found)
    states = [one for one in found if type(one) is type(referee.state)]
    assert states == [seat.known_state]


class Cheat(Agent):
    """Tries to see the opponent's card, by whatever means an author of a bot may think of."""

    name = "cheat"

    def __init__(self):
        self.loot = []

    def choose(self, table):
        for attempt in (
            lambda: table.state,
            lambda: table._state,
            lambda: table._referee.state,
            lambda: table.referee.state,
            lambda: table.turns[-1].state,
            lambda: table.start,
            lambda: vars(table)["state"],
            lambda: table.copy().state,
            lambda: table.game.state,
            lambda: table.game._state,
            lambda: table.game.picture(table.state),
            lambda: table.game.format_state(table.state),
            lambda: Referee.seat(table, 1 - table.player).view,
            lambda: next(one.state for one in reachable(table) if isinstance(one, Referee)),
            lambda: table.world.__self__.state,
            lambda: table.legal.__closure__[0].cell_contents.state,
            lambda: Analysis.of(table, self.name).notation._root.state,
        ):
            try:
                self.loot.append(attempt())
            except Exception:
                continue
        return Analysis.of(table, self.name, table.legal()[0])


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice"])
def test_a_bot_cannot_cheat(game):
    cheat = Cheat()
    result = play_match(find(game), [cheat, agent("random")], games=4)
    assert result.games == 4
    assert all(record.ending == "played" for record in result.records)
    assert cheat.loot == []


class Naive(Agent):
    """A bot for open games."""

    name = "naive"

    def choose(self, referee):
        return Analysis.of(referee, self.name, min(referee.game.actions(referee.state)))


def test_a_bot_for_open_games_is_told_what_to_use():
    with pytest.raises(Refused, match=r"^naive cannot play kuhn: kuhn has hidden information, so a seat does not show"):
        play_match(find("kuhn"), [Naive(), agent("random")], games=2)
    assert play_match(find("nim"), [Naive(), agent("random")], games=2).games == 2


def test_prepare_gets_a_seat_too():
    class Peeping(Naive):
        def prepare(self, table):
            self.seen = table

    from zermelo.cli.warmup import Warmup

    bot, warmup = Peeping(), Warmup()
    warmup.wait(bot, at("K J"), lambda: None)
    assert isinstance(bot.seen, Seat)


class Words(Game):
    """A hidden game whose views and moves are texts."""

    hidden = True

    def initial(self):
        return ("", "")

    def to_move(self, state):
        return 0 if not state[0] else 1

    def actions(self, state):
        return [] if state[1] else ["left", "right"]

    def result(self, state, action):
        return (action, "") if not state[0] else (state[0], action)

    def utility(self, state, player):
        return (1 if state[0] == state[1] else -1) * (1 if player == 0 else -1)

    def view(self, state, player):
        return state[player]

    def worlds(self, view, player, luck):
        return ("", "") if player == 0 else (["left", "right"][draw_below(luck, 2)], "")


def test_a_game_of_ones_own_hides_as_well():
    game = Words()
    one, other = (Referee.at(game, f"moves: {word}").seat() for word in ("left", "right"))
    assert one == other
    assert {one.world(luck)[0] for luck in range(9)} == {"left", "right"}
