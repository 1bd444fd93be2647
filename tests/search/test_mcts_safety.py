"""Monte Carlo tree search with many threads, broken rules, and moves that no memory holds."""

import itertools
import math
import sys
import threading
import time

import pytest
from search_games import Secret, Showdown

from zermelo.arena.agents import agent
from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.search import Mcts, analyse
from zermelo.search.choices import moves_fit
from zermelo.search.mcts import sweep
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.tree import ROOT, Tree, first_of, pack_children

pytestmark = pytest.mark.plain


def test_no_report_reads_a_tree_that_is_swept(monkeypatch):
    """While nodes are moved about, what stands in a cell is anything: here the root's children are far outside."""
    sweeping, reports, sweeps = threading.Event(), [], []

    def slowly(tree):
        children = tree.children(ROOT)
        tree.set_children(ROOT, pack_children(1 << 40, 7))
        sweeping.set()
        time.sleep(0.1)
        sweeping.clear()
        tree.set_children(ROOT, children)
        sweeps.append(tree)
        sweep.make_room(tree)

    monkeypatch.setattr("zermelo.search.runtime.root_search.REPORT_SECONDS", 0)
    monkeypatch.setattr("zermelo.search.mcts.searcher.make_room", slowly)
    search = Mcts(find("connect-four"), 0.02, techniques=[])
    search.think(None, Limit(nodes=400), seed=1, progress=lambda _: reports.append(sweeping.is_set()))
    assert sweeps
    assert reports
    assert not any(reports)


def test_blocks_of_children_never_overlap():
    """Many threads ask for room at once, some for more than is left."""
    how = Techniques(find("tic-tac-toe"), shared=True)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            tree, blocks = Tree(0.02, how), []

            def take(first, tree=tree, blocks=blocks):
                for number in range(300):
                    count = 1 + (first + number * 7) % 40
                    children = tree.new_block(ROOT, count)
                    if children:
                        place, columns = first_of(children), tree.columns
                        blocks.append((place - columns.header, place + count * columns.width))

            threads = [threading.Thread(target=take, args=(first,)) for first in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            blocks.sort()
            assert tree.header().is_full
            assert all(end <= start for (_, end), (start, _) in itertools.pairwise(blocks))
            assert blocks[0][0] == ROOT + tree.columns.width
            assert blocks[-1][1] == tree.header().top <= tree.header().capacity
    finally:
        sys.setswitchinterval(before)


def test_the_number_of_threads_has_a_limit():
    with pytest.raises(UsageError, match=r"a search has 1 to \d+ threads on this machine, not 100000"):
        Mcts(find("nim"), threads=100_000)


class Broken(Game):
    """Ten plies of three moves; the rules fail on request."""

    fails: list[bool] = []

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        return range(3) if state[0] < 10 else range(0)

    def result(self, state, action):
        if self.fails and threading.current_thread() is not threading.main_thread():
            self.fails.append(True)
            if len(self.fails) == 500:
                raise ValueError("the rules are broken")
        return state[0] + 1, state[1] * 3 + action

    def utility(self, state, player):
        return (state[1] % 3 - 1) * (1 - 2 * player)


@pytest.mark.parametrize("trees", [1, 3])
def test_an_error_in_one_thread_stops_all_and_spoils_nothing(trees):
    search = Mcts(Broken(), 1, threads=3, techniques=[], trees=trees)
    Broken.fails.append(True)
    started = time.monotonic()
    with pytest.raises(ValueError, match="the rules are broken"):
        search.think(None, Limit(time=20), seed=1)
    assert time.monotonic() - started < 10
    Broken.fails.clear()
    answer = search.think(None, Limit(nodes=90), seed=1)
    assert answer.stats["known_before"] == 0
    assert sum(move.visits for move in answer.moves) == 90


def test_an_error_of_a_report_spoils_nothing(monkeypatch):
    """The threads may still be at it when the next search begins."""

    def report(analysis):
        raise ValueError("nobody listens")

    monkeypatch.setattr("zermelo.search.runtime.root_search.REPORT_SECONDS", 0)
    search = Mcts(find("connect-four"), 1, techniques=[])
    with pytest.raises(ValueError, match="nobody listens"):
        search.think(None, Limit(time=5), seed=1, progress=report)
    answer = search.think(None, Limit(nodes=50), seed=1)
    assert answer.moves == Mcts(find("connect-four"), 1, techniques=[]).think(None, Limit(nodes=50), seed=1).moves


# -- moves that do not fit a cell ------------------------------------------------------------------------------


class Large(Game):
    """Four plies; the second move is about 2^62 first and later more than 64 bits long. Some ends are won."""

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        return (1, (1 << 62) + state[1] * (1 << 60)) if state[0] < 4 else ()

    def result(self, state, action):
        return state[0] + 1, state[1] * 5 + action % 7

    def utility(self, state, player):
        return (1 if state[1] % 3 == 0 else -1) * (1 - 2 * player)


def value_of(game, state):
    if game.is_terminal(state):
        return game.utility(state, 0)
    below = [value_of(game, game.result(state, action)) for action in game.actions(state)]
    return max(below) if game.to_move(state) == 0 else min(below)


def test_moves_beyond_64_bits_are_not_cut_off():
    """Cut off they were other moves, and the value of those was called exact."""
    game = Large()
    search, referee = Mcts(game, 1), Referee(game)
    assert moves_fit(game, referee.state)  # the first moves do
    while not referee.is_over:
        answer = search.think(referee, Limit(nodes=300), seed=1)
        state = referee.state
        for move in answer.moves:
            assert move.kind == "estimate"
        best = game.parse_action(state, answer.best)
        assert value_of(game, game.result(state, best)) == value_of(game, state)
        assert any("64 bits" in note for note in answer.notes)
        referee.play(best)


class Spoken(Showdown):
    """The moves are words."""

    FOLD, PLAY = "fold", "play"

    def format_action(self, state, action):
        return action


def test_moves_of_any_type_are_searched_in_hidden_worlds():
    """A three beats two of the four other cards, so playing is worth nothing and folding loses 1."""
    game = Spoken()
    referee = Referee(game, (3, 4, None))
    for answer in (
        analyse(game, referee, "mcts", Limit(nodes=400), seed=1),
        Mcts(game, 1).think(referee, Limit(nodes=400), seed=1),
        agent("mcts:sims=400,seed=1").choose(referee),
    ):
        assert answer.best == "play"
        assert answer.value[0] == pytest.approx(0, abs=0.4)
        assert {move.move: move.value for move in answer.moves}["fold"] == (-1, 1)


def test_hidden_worlds_of_words_keep_the_secret():
    class Silent(Spoken):
        def format_state(self, state):
            return str(state[0])

    answer = Mcts(Silent(), 1).think((1, Secret(), None), Limit(nodes=200), seed=1)
    assert answer.best == "fold"
    assert answer.kind == "estimate"


def test_words_can_be_stopped_from_outside():
    stop = threading.Event()
    stop.set()
    answer = Mcts(Spoken(), 1).think((3, 4, None), Limit(time=20), seed=1, stop=stop)
    assert answer.stopped == "user"
    assert answer.stats["seconds"] < 10


def test_an_open_search_has_a_move_however_little_time_there_is(monkeypatch):
    monkeypatch.setattr("zermelo.search.mcts.searcher.MctsSearch._initialise_roots", lambda search: search.halt())
    answer = Mcts(Showdown(), 1).think(None, Limit(time=1), seed=1)
    assert answer.best in ("fold", "play")


def test_nothing_is_reported_before_there_is_a_move(monkeypatch):
    class Slow(Showdown):
        def worlds(self, view, player, luck):
            time.sleep(0.1)
            return super().worlds(view, player, luck)

    monkeypatch.setattr("zermelo.search.runtime.root_search.REPORT_SECONDS", 0)
    reports = []
    Mcts(Slow(), 1).think(None, Limit(nodes=3), seed=1, progress=reports.append)
    assert all(report.moves for report in reports)


# -- games that do not end -------------------------------------------------------------------------------------


class Unending(Game):
    """A forced line without end, by slow rules: one playout would take ten seconds."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return range(1)

    def result(self, state, action):
        time.sleep(0.002)
        return state + 1

    def utility(self, state, player):
        return 0


class UnendingAndUnbounded(Unending):
    """What is usual here is measured in random games, before any simulation."""

    utility_range = (-math.inf, math.inf)


class UnendingSecret(Unending):
    hidden = True

    def view(self, state, player):
        return state

    def worlds(self, view, player, luck):
        return view


class UnendingDice(Unending):
    """Nobody moves any more once the dice roll."""

    chance = True

    def to_move(self, state):
        return 0 if state == 0 else CHANCE

    def outcomes(self, state):
        return ((0, 1.0),)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("game", "names"),
    [
        (Unending(), None),
        (Unending(), ["open"]),
        (UnendingAndUnbounded(), None),
        (UnendingSecret(), None),
        (UnendingDice(), None),
        (UnendingDice(), ["open"]),
    ],
)
def test_a_simulation_stops_when_the_time_is_up(game, names, threads):
    """It went on to its end, and after ten seconds the rules were blamed; an open search rolled dice for ever."""
    started = time.monotonic()
    answer = Mcts(game, 1, threads, techniques=names).think(None, Limit(time=0.2), seed=1)
    assert time.monotonic() - started < 5
    assert answer.stopped == "time"
    assert answer.best == "0"
    assert answer.kind == "estimate"


def test_dice_without_end_are_a_playout_that_is_too_long(monkeypatch):
    monkeypatch.setattr(UnendingDice, "result", lambda game, state, action: state + 1)
    answer = Mcts(UnendingDice(), 1, techniques=["open"]).think(None, Limit(nodes=2), seed=1)
    assert answer.stats["simulations"] == 2
    assert answer.value == (0, 0)


def test_too_many_moves_are_not_a_matter_of_memory():
    class Wide(Unending):
        def actions(self, state):
            return range(70_000)

    with pytest.raises(UsageError, match=r"70,000 moves here; the tree has room for 65,535 in a position"):
        Mcts(Wide()).think(None, Limit(nodes=1))
