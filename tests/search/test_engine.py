"""The engine: sound techniques keep minimax's values, proofs are proofs, and a search can be stopped at any moment."""

import gc
import random
import threading

import pytest
from engine_games import BEHIND, DRAWN, LOST, WON, DrawnAtThree, DrawnAtTwo, Superko, plain_workspace, searched
from hypothesis import given, settings
from hypothesis import strategies as st
from search_games import Merry, random_states

from sizes import some
from trees import Inner, plain_values, random_tree, text_of, trees
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import legal_actions
from zermelo.core.guards import suitable_algorithms
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter
from zermelo.core.referee import Referee
from zermelo.games import find, names
from zermelo.games.tree import Tree
from zermelo.kernel import Memory, is_enabled
from zermelo.search import analyse
from zermelo.search.alphabeta import Clock, Engine, Techniques, exact, sound, strong
from zermelo.search.alphabeta.clock import doubt
from zermelo.search.alphabeta.techniques import BETS, MEANING, SOUND
from zermelo.solve import solve
from zermelo.solve.plain import PlainInduction
from zermelo.textbook import minimax

SECONDS = 20
"""Far more than any of this takes, on any machine."""


def must_be_legal(game, state, answer):
    """The line can be played, and starts with the best move."""
    Referee(game, state).play_line(answer.line)
    assert answer.line[0] == answer.best == answer.moves[0].move


def without_times(answer):
    found = answer.to_json()
    found["stats"].pop("seconds")
    found["stats"].pop("nodes_per_second")
    return found


# -- sound techniques keep the value ----------------------------------------------------------------------------------

QUICK = {"tree", "connect-four"}
"""Whose rules are compiled soon; the others are compared by `make check-long`."""
DEPTHS = {"chess": 3, "checkers": 4, "othello": 3, "tree": 4, "chinese-checkers": 2}
PLIES = {"tree": 1, "hexapawn": 4, "tic-tac-toe": 6, "nim": 5}
OPPOSED = [name for name in names() if "minimax" in suitable_algorithms(find(name))]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in OPPOSED]
)
def test_sound_techniques_find_minimax_values(name):
    """In chess no position can repeat within three plies, and minimax knows nothing of repetition."""
    game = find(name)
    engine = Engine(game, 1, techniques=sound(game))
    for state in random_states(
        game, name, (0, 1) if name == "tree" else (0, 14 if game.spec() != "hexapawn" else 4), 6
    ):
        for depth in range(1, DEPTHS.get(name, 4) + 1):
            answer = engine.think(state, Limit(depth=depth))
            player = game.to_move(state)
            assert answer.value[player] == minimax.run(game, state, player, depth), (game.format_state(state), depth)
            must_be_legal(game, state, answer)


def with_estimates(tree, rng):
    """The same tree, where inner nodes are judged somehow; judgements are no better than the payoffs."""
    if not isinstance(tree, Inner):
        return tree
    estimate = rng.randint(-3, 3)
    return Inner(f"{tree.kind}@{estimate}", tuple(with_estimates(child, rng) for child in tree.children))


def estimated_trees(seed, count, **options):
    rng = random.Random(seed)
    for _ in range(count):
        tree = Inner(rng.choice(("max", "min")), (random_tree(rng, chance=False, **options), rng.randint(-4, 4)))
        yield Tree(text_of(with_estimates(tree, rng)))


SUBSETS = [
    (),
    ("cutoffs",),
    ("table",),
    ("pvs", "cutoffs"),
    ("cutoffs", "bounds"),
    ("cutoffs", "killers", "history", "order"),
    ("cutoffs", "table", "etc"),
    ("cutoffs", "table", "pvs", "killers", "history", "etc"),
    SOUND,
]


@pytest.mark.plain
@pytest.mark.parametrize("techniques", SUBSETS, ids=lambda names: "+".join(names) or "none")
def test_every_set_of_sound_techniques_finds_minimax_values_of_trees(techniques):
    """Interpreted, so that no set has to be compiled; players move once or several times in a row."""
    how = Techniques(*techniques, strict=True)
    for game in estimated_trees(str(techniques), 10, depth=5, branching=3):
        workspace = plain_workspace()
        for depth in range(1, 7):
            player = game.to_move(0)
            assert searched(game, how, 0, depth, workspace) == minimax(game, 0, player, depth), (game.text, depth)


@pytest.mark.plain
@pytest.mark.parametrize("techniques", SUBSETS, ids=lambda names: "+".join(names) or "none")
def test_without_a_horizon_every_set_finds_the_value_of_the_game(techniques):
    how = Techniques(*techniques, to_the_end=True)
    for game in estimated_trees(str(techniques), 10, depth=6, branching=3):
        assert searched(game, how, 0, 0) == minimax(game, 0, game.to_move(0)), game.text


@pytest.mark.plain
def test_bets_and_sound_techniques_are_all_there_are():
    assert set(MEANING) == {*SOUND, *BETS}
    game = find("connect-four")
    assert set(sound(game).names()) <= set(SOUND)
    assert set(exact(game).names()) <= set(SOUND)
    assert set(strong(game).names()) - set(SOUND) <= set(BETS)


@pytest.mark.plain
def test_cutoffs_save_nodes_and_change_nothing():
    game = find("hexapawn")
    nodes = []
    for techniques in ((), ("cutoffs",), ("cutoffs", "table")):
        workspace = plain_workspace()
        assert searched(game, Techniques(*techniques, strict=True), game.initial(), 5, workspace) == minimax(
            game, game.initial(), 0, 5
        )
        nodes.append(workspace.nodes)
    assert nodes[0] > nodes[1] >= nodes[2]


# -- proofs -----------------------------------------------------------------------------------------------------------


@pytest.mark.both
@settings(max_examples=some(60))
@given(trees(chance=False), st.integers(1, 5), st.integers(1, 3))
def test_exact_lines_are_exact(tree, depth, lines):
    if not isinstance(tree, Inner):
        return
    game = Tree(text_of(tree))
    answer = Engine(game, 0.1).think(0, Limit(depth=depth), lines=lines)
    must_be_legal(game, 0, answer)
    for move in answer.moves:
        if move.kind == "exact":
            assert move.value == plain_values(tree.children["abcd".index(move.move)])
        else:
            assert move.distance is None or move.value[0] in (min(game.utility_range), max(game.utility_range))


@pytest.mark.both
def test_a_sure_win_or_defeat_is_proved_whatever_the_other_moves_are():
    """Little was proved of all lines together, and a mate in one was reported as an estimate in pawns."""
    game = find("connect-four")
    answer = Engine(game, 1).think(game.parse_state("414141"), Limit(depth=3), lines=7)
    assert (answer.best, answer.value, answer.kind, answer.distance) == ("4", (1, -1), "exact", 1)
    kinds = {move.move: (move.kind, move.value[0]) for move in answer.moves}
    assert kinds.pop("4") == ("exact", 1)
    assert kinds.pop("1")[0] == "estimate", "it stops the other side, and the game goes on"
    assert set(kinds.values()) == {("exact", -1)}


@pytest.mark.both
@pytest.mark.parametrize(("spec", "plies"), [("tic-tac-toe", (3, 7)), ("hexapawn", (0, 4))])
def test_distances_of_wins_and_defeats_hold(spec, plies):
    game = find(spec)
    solution, engine = PlainInduction(game, Meter.allocate()), Engine(game, 1)
    distances = set()
    for state in random_states(game, f"{spec} again", plies, 30):
        answer, expected = engine.think(state), solution.solve(state)
        assert (answer.value, answer.kind) == (expected.payoffs, "exact"), game.format_state(state)
        assert answer.distance == (expected.distance if any(expected.payoffs) else None), game.format_state(state)
        distances.add(answer.distance)
    assert len(distances) > 3


def test_the_nearest_win_at_connect_four_is_found():
    """Late positions. Bets may overlook a nearer win, so a distance is what it takes at most; mostly it is right."""
    game = find("connect-four")
    engine, distances = Engine(game, 4), []
    for state in random_states(game, "mates", (24, 36), 25):
        answer, expected = engine.think(state), solve(game, state, memory_mb=4)
        assert (answer.value, answer.kind) == (expected.value, "exact"), game.format_state(state)
        assert (answer.distance is None) == (expected.distance is None)
        if answer.distance is not None:
            assert answer.distance_kind == ("exact" if answer.distance == 1 else "upper")
            assert expected.distance_kind == "exact"
            distances.append((answer.distance, expected.distance))
    assert len(distances) > 10
    assert all(found >= least and (found - least) % 2 == 0 for found, least in distances)
    assert sum(found == least for found, least in distances) >= 0.8 * len(distances)


@pytest.mark.both
@pytest.mark.parametrize(
    ("spec", "position", "best", "distance"),
    [
        ("tic-tac-toe", "XX./OO./... x", "c3", 1),
        ("tic-tac-toe", "X.O/.../..X o", "a1", 1),
        ("hexapawn", "p.p/.P./... w", None, 1),
    ],
)
def test_a_win_in_one_is_played(spec, position, best, distance):
    game = find(spec)
    state = game.parse_state(position)
    expected = PlainInduction(game, Meter.allocate()).solve(state)
    answer = Engine(game, 1).think(state)
    assert answer.value == expected.payoffs
    if expected.distance == 1:
        assert answer.distance == distance
        assert game.is_terminal(game.result(state, game.parse_action(state, answer.best)))
        assert best in (None, answer.best)


@pytest.mark.both
def test_a_proof_may_know_more_than_its_depth():
    """A bet that is decided: with two plies left the value is a proof, and the search does not go on."""
    answer = analyse(Tree("max(min(1 2) min(3 max(4 5)))"), limit=Limit(depth=9))
    assert (answer.value, answer.kind, answer.best, answer.stopped) == ((3, -3), "exact", "b", "done")
    assert answer.stats["depth"] < 9


@pytest.mark.both
@pytest.mark.parametrize("size", [0.001, 1, 1000, 10**6, 10**9])
def test_payoffs_of_any_size_come_out_as_they_are(size):
    answer = analyse(Tree(f"max(min(max(min(max({size} {size / 2}))) {size}) -{size})"), megabytes=1)
    assert (answer.value, answer.distance) == ((size, -size), 5)


def test_margins_are_exact():
    """Kalah counts seeds, and a player who ends in the store moves again."""
    game = find("kalah")
    engine, repeated = Engine(game, 4), 0
    for state in random_states(game, "kalah", (40, 60), 12):
        player = game.to_move(state)
        answer = engine.think(state, Limit(nodes=2_000_000))
        repeated += any(game.to_move(game.result(state, action)) == player for action in game.actions(state))
        if answer.kind == "exact":
            assert answer.value == solve(game, state, memory_mb=4).value, game.format_state(state)
        assert answer.distance is None
    assert repeated > 0


# -- the same answer twice --------------------------------------------------------------------------------------------

again = pytest.mark.parametrize("limit", [Limit(depth=4), Limit(nodes=700)], ids=["depth", "nodes"])


@pytest.mark.both
@again
def test_the_same_search_has_the_same_answer(limit):
    game, other = find("tic-tac-toe"), find("hexapawn")
    one = Engine(game, 1).think(None, limit)
    Engine(other, 1).think(None, limit)
    two = Engine(game, 1).think(None, limit)
    assert without_times(one) == without_times(two)


@pytest.mark.both
@again
def test_a_cleared_engine_repeats_its_first_answer(limit):
    game = find("tic-tac-toe")
    engine = Engine(game, 1)
    first = engine.think(None, limit)
    engine.think(Referee.at(game, "moves: b2 a1"), limit)
    engine.clear()
    assert without_times(engine.think(None, limit)) == without_times(first)


@pytest.mark.both
def test_an_engine_remembers_from_move_to_move():
    game = find("hexapawn")
    engine = Engine(game, 1)
    first, second = engine.think(), engine.think()
    assert second.stats["nodes"] < first.stats["nodes"]
    assert (second.value, second.distance) == (first.value, first.distance)


# -- stopped at any moment --------------------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize("spec", ["tic-tac-toe", "hexapawn", "connect-four"])
def test_a_search_stopped_after_any_number_of_nodes_has_a_legal_move(spec):
    game = find(spec)
    state = random_states(game, spec, (2, 3), 1)[0]
    for nodes in (1, 2, 3, 5, 8, 10, 13, 20, 50, 100, *((333, 1000) if is_enabled() else ())):
        for lines in (1, 3):
            answer = Engine(game, 0.1).think(state, Limit(nodes=nodes), lines=lines)
            assert answer.stats["nodes"] <= nodes
            assert answer.stopped in ("nodes", "done")
            for move in answer.moves:
                Referee(game, state).play_line(move.line)
            must_be_legal(game, state, answer)


@pytest.mark.both
def test_a_depth_that_was_not_finished_proves_only_wins():
    """The first move turned out to be worse than it seemed, and there was no time to look at the second again."""
    game = Tree("min@-2(3 min@-2(4))")
    for nodes in range(1, 12):
        answer = Engine(game, 0.1).think(0, Limit(nodes=nodes))
        assert answer.kind == "estimate" or answer.value == (3, -3)


@pytest.mark.both
def test_no_defeat_is_announced_because_the_search_was_stopped():
    """The first move turned out to lose, and there was no time to look at the second again."""
    game = Tree("max(min@2(-3 -3) min@1(3 3))")
    values = {Engine(game, 0.1).think(0, Limit(nodes=nodes)).value[0] for nodes in range(1, 12)}
    assert 3 in values
    assert -3 not in values


@pytest.mark.both
@pytest.mark.parametrize("lines", [1, 2])
def test_exact_values_hold_whenever_a_search_is_stopped(lines):
    rng = random.Random(17)
    for _ in range(12):
        tree = Inner(rng.choice(("max", "min")), (random_tree(rng, chance=False, depth=4), rng.randint(-4, 4)))
        game = Tree(text_of(with_estimates(tree, rng)))
        for nodes in range(3, 30, 4):
            answer = Engine(game, 0.1).think(0, Limit(nodes=nodes), lines=lines)
            for move in answer.moves:
                assert move.kind != "exact" or move.value == plain_values(tree.children["ab".index(move.move)])
            assert answer.kind != "exact" or answer.value == plain_values(tree)


@pytest.mark.both
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_is_stopped_from_elsewhere(threads):
    game, stop = find("connect-four"), threading.Event()
    engine = Engine(game, 1, threads)
    engine.think(None, Limit(depth=1))  # compiled before the clock starts
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    answer = engine.think(None, Limit(time=SECONDS), stop=stop)
    timer.join()
    assert answer.stopped == "user"
    must_be_legal(game, game.initial(), answer)


@pytest.mark.both
def test_a_search_that_is_stopped_before_it_begins_still_moves():
    game, stop = find("connect-four"), threading.Event()
    stop.set()
    must_be_legal(game, game.initial(), Engine(game, 1).think(None, Limit(time=SECONDS), stop=stop))


@pytest.mark.both
def test_progress_reports_every_depth():
    told = []
    game = find("connect-four")
    Engine(game, 1).think(None, Limit(depth=3), progress=told.append)
    assert [answer.stats["depth"] for answer in told] == [1, 2, 3]
    for answer in told:
        must_be_legal(game, game.initial(), answer)


# -- repetition -------------------------------------------------------------------------------------------------------

SOUND_REPEATS = Techniques("cutoffs", "pvs", "killers", strict=True, repeats=True)
ROUND = (1, LOST, 2, WON, 3, LOST, 0, WON)
"""Four rooms in a ring; a player who leaves it loses."""
both_or_plain = pytest.mark.parametrize(
    "rules", [pytest.param(DrawnAtTwo, marks=pytest.mark.plain), pytest.param(DrawnAtThree, marks=pytest.mark.both)]
)


@both_or_plain
def test_the_player_behind_repeats_positions(rules):
    game = rules(*ROUND, lead=-0.5)
    assert searched(game, SOUND_REPEATS, 0, 6) == 0
    answer = Engine(game, 0.1).think(None, Limit(depth=8))
    assert (answer.value, answer.best) == ((0, 0), "0")


@both_or_plain
def test_the_player_ahead_does_not_repeat_positions(rules):
    """From the first room a long corridor leads to a win; in the ring the other player never leaves."""
    corridor = [number for room in range(4, 16) for number in (room + 1, room + 1)]
    game = rules(1, 4, 2, 2, 3, LOST, 0, 0, *corridor, WON, WON, lead=0.5)
    for depth in (6, 10, 20):
        answer = Engine(game, 0.1).think(None, Limit(depth=depth))
        assert answer.best == "1"
        assert answer.value[0] > 0
    assert (answer.value, answer.kind) == ((1, -1), "exact")


@pytest.mark.both
def test_positions_of_the_game_so_far_count():
    """Rooms 0 to 3 were walked through twice; a third time is a draw, so who is ahead leaves now."""
    game = DrawnAtThree(1, 4, 2, 2, 3, LOST, 0, 0, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, WON, WON, lead=0.5)
    referee = Referee(game)
    for door in (0, 0, 0, 0, 0, 0, 0, 0)[:6]:
        referee.play(door)
    assert referee.state == 2  # the mover goes on to room 3, or loses; room 0 comes for the third time after that
    answer = Engine(game, 0.1).think(referee, Limit(depth=3))
    assert (answer.best, answer.value) == ("0", (0, 0))
    assert Engine(game, 0.1).think(2, Limit(depth=3)).value[0] > 0  # without a history there is time


@pytest.mark.plain
def test_a_draw_by_repetition_is_not_called_proved():
    """Whether a position comes again depends on the way to it."""
    game = DrawnAtTwo(*ROUND, lead=-0.5)
    assert Engine(game, 0.1).think(None, Limit(depth=8)).kind == "estimate"


@pytest.mark.both
def test_superko_leaves_forbidden_moves_out():
    """Going back to room 0 would save player 1, but is forbidden; the other door loses."""
    game = Superko(1, DRAWN, 0, WON)
    assert searched(game, SOUND_REPEATS, 0, 1) == 0  # a horizon
    answer = Engine(game, 0.1).think(None, Limit(depth=5))
    assert (answer.value, answer.best, answer.line) == ((1, -1), "0", ("0", "1"))


@pytest.mark.both
def test_proofs_under_superko_do_not_transfer_between_paths():
    """From room 2 one comes to room 1 without having seen room 0: going there is allowed, and wins for player 1."""
    game = Superko(1, LOST, 0, WON, 1, 1, BEHIND, 2)
    engine = Engine(game, 0.1)
    engine.think(None, Limit(depth=6))
    found, fresh = engine.think(3, Limit(depth=6)), Engine(game, 0.1).think(3, Limit(depth=6))
    assert (fresh.value, fresh.best) == ((-1, 1), "1")
    assert found.kind == "estimate" or found.value == (-1, 1)


@pytest.mark.long
def test_a_perpetual_check_saves_half_a_point_at_chess():
    """The queen checks on d8 and g5 for ever, against a queen and a rook that would mate."""
    game = find("chess")
    state = game.parse_state("7k/5p1p/8/6Q1/8/8/1qr3PP/7K w - - 0 1")
    answer = Engine(game, 16).think(state, Limit(depth=8))
    assert (answer.best, answer.value) == ("Qd8+", (0, 0))


# -- several lines ----------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_three_lines_are_the_three_best_moves():
    """Proved, so that they can be compared with plain backward induction."""
    game = find("tic-tac-toe")
    solution = PlainInduction(game, Meter.allocate())
    for state in random_states(game, "lines", (3, 5), 8):
        player = game.to_move(state)
        answer = Engine(game, 1).think(state, lines=3)
        values = {
            game.format_action(state, action): solution.solve(game.result(state, action)).payoffs
            for action in legal_actions(game, state)
        }
        best = sorted((value[player] for value in values.values()), reverse=True)[:3]
        assert [move.value[player] for move in answer.moves] == best
        assert all(move.value == values[move.move] for move in answer.moves)
        assert len({move.move for move in answer.moves}) == len(answer.moves)
        assert all(move.line[0] == move.move for move in answer.moves)
        assert answer.value == Engine(game, 1).think(state).value


@pytest.mark.both
def test_lines_at_a_horizon_are_in_order_and_the_first_is_the_best():
    game = find("connect-four")
    engine = Engine(game, 1, techniques=None)
    state = random_states(game, "in order", (4, 4), 1)[0]
    player = game.to_move(state)
    answer = engine.think(state, Limit(depth=3), lines=3)
    values = [move.value[player] for move in answer.moves]
    assert values == sorted(values, reverse=True)
    assert len({move.move for move in answer.moves}) == 3
    one = Engine(game, 1).think(state, Limit(depth=3))
    assert (one.best, one.value) == (answer.best, answer.value)


@pytest.mark.both
def test_more_lines_than_moves_are_all_moves():
    assert len(Engine(find("hexapawn"), 1).think(None, Limit(depth=3), lines=50).moves) == 3


@pytest.mark.both
def test_the_root_can_be_restricted():
    game = find("hexapawn")
    for action in game.actions(game.initial()):
        answer = Engine(game, 1).think(None, Limit(depth=4), only=[action], lines=3)
        assert [move.move for move in answer.moves] == [game.format_action(game.initial(), action)]


# -- threads and memory -----------------------------------------------------------------------------------------------


@pytest.mark.both
def test_two_threads_prove_the_same():
    game = find("hexapawn")
    for state in random_states(game, "threads", (0, 3), 5):
        one, two = (Engine(game, 1, threads).think(state) for threads in (1, 2))
        assert (one.value, one.kind, one.distance) == (two.value, two.kind, two.distance)
        must_be_legal(game, state, two)


def test_two_threads_at_connect_four_prove_the_same():
    game = find("connect-four")
    for state in random_states(game, "two threads", (24, 32), 5):
        one, two = (Engine(game, 4, threads).think(state) for threads in (1, 2))
        assert (one.value, one.kind) == (two.value, two.kind)
        must_be_legal(game, state, two)


@pytest.fixture
def _only_what_comes_now():
    """Hide from `alive` what was there before, a million objects of the compiler's."""
    gc.freeze()
    yield
    gc.unfreeze()


def alive():
    """How many blocks of flat memory there are, and how many objects; by type, as a weak proxy may be dead by now."""
    gc.collect()
    found = gc.get_objects()
    return sum(issubclass(type(one), Memory) for one in found), len(found)


@pytest.mark.both
@pytest.mark.usefixtures("_only_what_comes_now")
def test_thinking_leaves_nothing_behind():
    engine = Engine(find("hexapawn"), 0.1)
    for _ in range(5):
        engine.think(None, Limit(nodes=20))
    memories, objects = alive()
    for _ in range(200 if is_enabled() else 20):
        engine.think(None, Limit(nodes=20))
    memories_after, objects_after = alive()
    assert memories_after == memories
    assert objects_after < objects + 100


# -- the clock --------------------------------------------------------------------------------------------------------

seconds = st.floats(0.01, 10_000)


@pytest.mark.plain
@given(seconds, st.floats(0, 100), st.none() | st.integers(1, 80), st.floats(0, 0.2))
def test_a_move_never_takes_more_than_is_left(left, increment, moves, overhead):
    clock = Clock(left, increment, moves, overhead)
    assert 0 < clock.intended <= clock.left
    assert 0 < clock.most <= clock.left
    assert clock.intended <= 0.8 * clock.usable or clock.usable <= 0.01
    assert clock.most + overhead <= clock.left or left <= 2 * overhead or left < 0.02


@pytest.mark.plain
@given(st.floats(1, 10_000))
def test_a_game_of_forty_moves_can_be_played_on_one_clock(left):
    """Each takes what is intended."""
    for moves_to_go in range(40, 0, -1):
        before = left
        left -= Clock(left, 0, moves_to_go, 0).intended
        assert -1e-9 <= left < before
        left = max(left, 0.0)
    assert Clock(100, 0, None).intended < Clock(100, 5, None).intended
    assert Clock(100, 0, 40).intended < Clock(100, 0, 10).intended


@pytest.mark.plain
@given(st.integers(0, 200), st.floats(0, 1), st.floats(-50, 50))
def test_doubt_has_bounds(stable, effort, drop):
    assert 0.3 <= doubt(stable, effort, drop) <= 2.5
    assert doubt(stable + 1, effort, drop) <= doubt(stable, effort, drop)
    assert doubt(stable, effort, drop + 1) >= doubt(stable, effort, drop)


class Straight(Merry):
    """One move at every turn, for ever."""

    def actions(self, state):
        yield 1


@pytest.mark.plain
def test_a_single_move_is_played_at_once():
    answer = Engine(Straight(), 0.1).think(None, clock=Clock(1_000_000.0))
    assert (answer.best, answer.stopped) == ("1", "time")
    assert answer.stats["depth"] <= 8
    assert answer.stats["seconds"] < SECONDS


@pytest.mark.both
def test_a_clock_ends_a_search():
    game = find("connect-four")
    engine = Engine(game, 1)
    engine.think(None, Limit(depth=1))  # compiled before the clock starts
    answer = engine.think(None, clock=Clock(1.0))
    assert answer.stopped == "time"
    must_be_legal(game, game.initial(), answer)


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_invalid_arguments_are_refused_in_a_sentence():
    game = find("hexapawn")
    for wrong, sentence in (
        (lambda: Techniques("cutoffs", "scuot"), "there is no technique 'scuot'"),
        (lambda: Engine(game, threads=0), r"a search has 1 to \d+ threads on this machine, not 0"),
        (lambda: Engine(game, megabytes=0), "a table of 0 megabytes makes no sense"),
        (lambda: Engine(game, megabytes=-5), "a table of -5 megabytes makes no sense"),
        (lambda: Engine(game, megabytes=1e30), "megabytes makes no sense"),
        (lambda: Engine(game, megabytes=float("nan")), "megabytes makes no sense"),
        (lambda: Engine(game, megabytes=1e7), "there is no room for a table of"),
    ):
        with pytest.raises(UsageError, match=sentence) as caught:
            wrong()
        assert "\n" not in str(caught.value)


@pytest.mark.plain
def test_an_engine_is_for_two_players_without_dice():
    for name in ("pig", "trio"):
        with pytest.raises(Refused, match="alpha-beta needs"):
            Engine(find(name))


@pytest.mark.plain
def test_a_finished_game_is_not_searched():
    game = find("tic-tac-toe")
    with pytest.raises(Refused, match=r"the game is over in .*: X wins; give a position in which"):
        Engine(game, 1).think(game.parse_state("XXX/OO./... o"))
