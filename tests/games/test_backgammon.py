"""Backgammon's rules: against OpenSpiel, against a plain twin, and the rules that are special."""

import random
from collections import Counter
from math import fsum

import pytest

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, legal_actions
from zermelo.core.referee import Referee
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.board import BAR, CHECKERS, OFF, count_at, mirror, pips, side_of
from zermelo.games.backgammon.position import (
    BLACK,
    DOUBLING,
    NEITHER,
    OPENING,
    PLAYING,
    WHITE,
    Position,
    cube_of,
    is_crawford,
    larger_of,
    owner_of,
    phase_of,
    player_of,
    points_of,
    smaller_of,
    stakes_of,
    turn_of,
)
from zermelo.kernel import U64, Memory, bit, bits, kernel, load_word, popcount, store_word

pytestmark = pytest.mark.plain

GAME = Backgammon()


# -- a plain twin: every way to move the checkers, one after the other ---------------------------------------


def counts_of(side):
    return tuple(count_at(side, place) for place in range(BAR + 1))


def boards_of(state):
    """The checkers of the mover and of the other side."""
    return counts_of(state.mine), counts_of(state.theirs)


def moved(mine, theirs, source, die):
    """One checker goes on, if the rules allow it; else None."""
    target = max(source - die, OFF)
    if not mine[source] or (mine[BAR] and source != BAR):
        return None
    if target == OFF:
        if any(mine[7:]) or (source < die and any(mine[source + 1 :])):
            return None
    elif theirs[BAR - target] > 1:
        return None
    mine, theirs = list(mine), list(theirs)
    mine[source] -= 1
    mine[target] += 1
    if target != OFF and theirs[BAR - target]:
        theirs[BAR - target] -= 1
        theirs[BAR] += 1
    return tuple(mine), tuple(theirs)


def reached(mine, theirs, dice):
    """Where all ways to move these dice in this order lead, by the number of moves."""
    found = {(0, mine, theirs)}
    if dice:
        for source in range(1, BAR + 1):
            if (then := moved(mine, theirs, source, dice[0])) is not None:
                found |= {(moves + 1, *boards) for moves, *boards in reached(*then, dice[1:])}
    return found


def plain_results(state):
    """The positions that the rules allow, as sets of moves."""
    high, low = larger_of(state), smaller_of(state)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = set().union(*(reached(*boards_of(state), order) for order in orders))
    most = max(moves for moves, *_ in found)
    longest = {tuple(boards) for moves, *boards in found if moves == most}
    if most == 1 and high != low:
        larger = {tuple(boards) for moves, *boards in reached(*boards_of(state), (high,)) if moves == 1}
        longest = larger or longest
    return longest


def our_results(state):
    """The same by the game, as pairs of counts; nothing is given twice."""
    results = [GAME.result(state, action) for action in GAME.actions(state)]
    found = [tuple(reversed(boards_of(result))) for result in results]
    assert len(found) == len(set(found))
    return set(found)


def random_position(rng, dice):
    """Any position with these dice, mostly one where the special rules matter."""
    kind = rng.randrange(4)
    places = {
        0: [*range(1, BAR + 1)],
        1: [*range(1, 8), OFF],
        2: [BAR, *range(1, BAR), 20, 22, 24],
        3: [*range(1, 7), *range(1, 7), OFF, OFF, rng.randrange(7, 12)],
    }[kind]
    mine = Counter(rng.choice(places) for _ in range(CHECKERS))
    free = [place for place in range(1, BAR) if not mine[BAR - place]] + [OFF, BAR]
    strong = rng.sample(free, min(len(free), rng.randrange(3, 9)))
    theirs = Counter(rng.choice(strong) for _ in range(CHECKERS))
    if mine[OFF] == CHECKERS or theirs[OFF] == CHECKERS:
        return random_position(rng, dice)
    return Position(side_of(mine), side_of(theirs), turn_of(WHITE, PLAYING, *dice), stakes_of(0, NEITHER))


ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


@pytest.mark.parametrize("dice", ROLLS, ids=str)
def test_plays_lead_to_each_position_that_the_rules_allow_once(dice):
    rng = random.Random(str(dice))
    for _ in range(8 if dice != (1, 1) else 3):
        state = random_position(rng, dice)
        assert our_results(state) == plain_results(state), GAME.format_state(state)


# -- OpenSpiel -----------------------------------------------------------------------------------------------

THEIR_BAR = 100


@kernel
def write_results(game: Backgammon, state: Position, memory: int) -> int:
    """The four words of the board after each play, mover first, and the play."""
    cell = 0
    for action in game.actions(state):
        then = game.result(state, action)
        store_word(memory, cell, then.theirs.few)
        store_word(memory, cell + 1, then.theirs.many)
        store_word(memory, cell + 2, then.mine.few)
        store_word(memory, cell + 3, then.mine.many)
        store_word(memory, cell + 4, U64(action))
        cell += 5
    return cell


def their_boards(state):
    """Each side as it counts places: x, which moves up, and o."""
    found = []
    for player in (0, 1):
        counts = [0] * (BAR + 1)
        for place in range(24):
            counts[24 - place if player == 0 else place + 1] = state.board(player, place)
        counts[BAR] = state.board(player, THEIR_BAR)
        counts[OFF] = CHECKERS - sum(counts)
        found.append(side_of(dict(enumerate(counts))))
    return tuple(found)


def their_results(state):
    """A double is played in two halves."""
    mover, found, halves = state.current_player(), {}, {}
    for action in state.legal_actions():
        then = state.child(action)
        is_half = not then.is_terminal() and then.current_player() == mover
        (halves if is_half else found).setdefault(their_boards(then), then)
    for half in halves.values():
        for action in half.legal_actions():
            then = half.child(action)
            found.setdefault(their_boards(then), then)
    return found


def their_roll(state, ours, rng):
    """Roll the dice there; the outcome here."""
    state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    shown = next(line for line in str(state).splitlines() if line.startswith("Dice"))
    high, low = sorted(map(int, shown.split()[1]), reverse=True)
    is_turned = phase_of(ours) == OPENING and state.current_player() == BLACK
    return 8 * low + high if is_turned else 8 * high + low


def compare_a_game(seed, memory):
    """A random game there, with all plays of each roll compared; returns how many."""
    import pyspiel

    rng = random.Random(seed)
    state = pyspiel.load_game("backgammon(scoring_type=full_scoring,hyper_backgammon=false)").new_initial_state()
    ours, compared = GAME.initial(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            ours = GAME.result(ours, their_roll(state, ours, rng))
            assert state.current_player() == player_of(ours)
            continue
        results = {}
        for cell in range(0, write_results.run(GAME, ours, memory.address), 5):
            few, many, other_few, other_many, action = (load_word(memory.address, cell + k) for k in range(5))
            mover, other = type(ours.mine)(few, many), type(ours.mine)(other_few, other_many)
            assert (mover, other) not in results, GAME.format_state(ours)
            results[mover, other] = int(action)
        found = {
            (boards if player_of(ours) == WHITE else boards[::-1]): then
            for boards, then in their_results(state).items()
        }
        assert set(found) == set(results), GAME.format_state(ours)
        chosen = rng.choice(sorted(found))
        state, ours = found[chosen], GAME.result(ours, results[chosen])
        compared += 1
    assert list(GAME.utilities(ours)) == state.returns()
    return compared


@pytest.mark.compiled
def test_plays_are_those_of_open_spiel():
    memory = Memory(5 * 20_000)
    assert sum(compare_a_game(seed, memory) for seed in (1, 2, 3)) > 100


@pytest.mark.compiled
@pytest.mark.long
def test_plays_are_those_of_open_spiel_in_a_thousand_games():
    memory = Memory(5 * 20_000)
    for seed in range(1000):
        compare_a_game(f"long {seed}", memory)


# -- special rules -------------------------------------------------------------------------------------------


def texts(mine, theirs, *dice):
    """The plays of a roll for White, with checkers on these places and the others borne off."""
    sides = [side_of({**side, OFF: CHECKERS - sum(side.values())}) for side in (mine, theirs)]
    state = Position(*sides, turn_of(WHITE, PLAYING, *dice), stakes_of(0, NEITHER))
    return {GAME.format_action(state, action) for action in GAME.actions(state)}


def test_both_numbers_must_be_played_if_they_can_be():
    assert texts({12: 1, 7: 1}, {BAR - 6: 2}, 6, 5) == {"12/1"}  # not 7/2, which would leave no six


def test_if_only_one_number_can_be_played_it_is_the_larger():
    assert texts({10: 1}, {BAR - 2: 2}, 6, 2) == {"10/4"}
    assert texts({10: 1}, {BAR - 2: 2, BAR - 4: 2}, 6, 2) == {"10/8"}


def test_a_checker_on_the_bar_enters_first():
    assert texts({BAR: 1, 13: 1}, {6: 2}, 6, 4) == {"bar/21+13/7", "bar/15"}
    assert texts({BAR: 2, 13: 1}, {6: 2}, 6, 4) == {"bar/21"}
    assert texts({BAR: 1, 13: 1}, dict.fromkeys(range(1, 7), 2), 6, 4) == {"no-play"}


def test_a_number_larger_than_needed_bears_off_the_furthest():
    assert texts({4: 2, 2: 1, 1: 2}, {BAR: 1}, 6, 5) == {"4/off(2)"}
    assert texts({7: 1, 4: 1}, {BAR: 1}, 5, 1) == {"7/1", "7/2+4/3"}  # 4 is not the furthest after 7/6


def test_dice_are_those_of_two_dice():
    game = Backgammon()
    rolls = dict(game.outcomes(game.parse_state("4HPwATDgc/ABMA")))
    assert len(rolls) == 21
    assert fsum(rolls.values()) == pytest.approx(1, abs=1e-15)
    assert {chance for roll, chance in rolls.items() if roll >> 3 == roll & 7} == {1 / 36}
    assert {chance for roll, chance in rolls.items() if roll >> 3 != roll & 7} == {1 / 18}
    opening = dict(game.outcomes(game.initial()))
    assert len(opening) == 30
    assert set(opening.values()) == {1 / 30}


@pytest.mark.parametrize(
    ("loser", "points"),
    [({OFF: 1, 3: 14}, 1), ({3: 15}, 2), ({3: 14, 18: 1}, 2), ({3: 14, 19: 1}, 3), ({3: 14, BAR: 1}, 3)],
)
def test_gammons_and_backgammons_count_two_and_three(loser, points):
    last = Position(side_of({OFF: 14, 1: 1}), side_of(loser), turn_of(BLACK, PLAYING, 2, 1), stakes_of(0, NEITHER))
    end = GAME.result(last, next(iter(GAME.actions(last))))
    assert GAME.is_terminal(end)
    assert GAME.utilities(end) == (-points, points)


def test_under_jacoby_gammons_count_once_the_cube_was_turned():
    game = Backgammon(cube=True, jacoby=True)
    sides = side_of({OFF: 14, 1: 1}), side_of({3: 15})
    for stakes, points in ((stakes_of(0, NEITHER), 1), (stakes_of(1, WHITE), 4)):
        last = Position(*sides, turn_of(WHITE, PLAYING, 2, 1), stakes)
        assert game.utilities(game.result(last, next(iter(game.actions(last))))) == (points, -points)


# -- the cube and matches --------------------------------------------------------------------------------------


def test_a_double_is_passed_or_taken():
    referee = Referee.at(Backgammon(cube=True), "moves: 31 8/5+6/5")
    assert (referee.to_move, phase_of(referee.state)) == (BLACK, DOUBLING)
    referee.play_text("double")
    assert referee.to_move == WHITE
    passed, taken = referee.copy(), referee
    passed.play_text("pass")
    assert passed.is_over
    assert passed.utilities() == (-1, 1)
    taken.play_text("take")
    assert (taken.to_move, cube_of(taken.state), owner_of(taken.state)) == (CHANCE, 1, WHITE)
    taken.play_line(["65", "24/13"])
    assert phase_of(taken.state) == DOUBLING  # White owns the cube
    taken.play_line(["roll", "21", "24/23+13/11"])
    assert taken.to_move == CHANCE  # Black may not double


def test_the_cube_stops_at_64():
    game = Backgammon(cube=True)
    referee = Referee.at(game, "moves: 31 8/5+6/5")
    while phase_of(referee.state) == DOUBLING:
        referee.play_line(["double", "take"])
        referee.roll(random.Random(len(referee.turns)))
        referee.play(referee.legal()[0])
    assert cube_of(referee.state) == 6
    assert referee.to_move == CHANCE


def test_a_match_continues_until_a_side_has_the_points():
    game = Backgammon(cube=True, match=3)
    referee = Referee.at(game, "moves: 31 8/5+6/5 double pass")
    assert phase_of(referee.state) == OPENING
    assert [points_of(referee.state, player) for player in (WHITE, BLACK)] == [0, 1]
    referee.play_line(["31", "8/5+6/5", "double", "pass"])
    assert points_of(referee.state, BLACK) == 2
    assert is_crawford(referee.state)
    referee.play_line(["31", "8/5+6/5"])
    assert referee.to_move == CHANCE  # nobody may double in the Crawford game


def test_there_is_only_one_crawford_game():
    game = Backgammon(cube=True, match=3)
    last = Position(
        side_of({OFF: 14, 1: 1}),
        side_of({OFF: 1, 3: 14}),
        turn_of(WHITE, PLAYING, 2, 1),
        stakes_of(0, NEITHER, True, 1, 2),
    )
    after = game.result(last, next(iter(game.actions(last))))
    assert [points_of(after, player) for player in (WHITE, BLACK)] == [2, 2]
    assert not is_crawford(after)


@pytest.mark.parametrize("options", [{"match": 3}, {"cube": True, "match": 5}, {"cube": True}], ids=str)
def test_random_games_and_matches_keep_their_books(options):
    game, rng = Backgammon(**options), random.Random(4)
    state = game.initial()
    while not game.is_terminal(state):
        assert sum(counts_of(state.mine)) == sum(counts_of(state.theirs)) == CHECKERS
        state = game.result(state, rng.choice(list(legal_actions(game, state))))
    won = abs(game.utility(state, WHITE))
    assert won == 1 if game.match else won == int(won) > 0


def test_planes_count_as_numbers_do():
    rng = random.Random(7)
    for _ in range(50):
        counts = Counter(rng.randrange(BAR + 1) for _ in range(CHECKERS))
        side = side_of(counts)
        assert {place: many for place, many in enumerate(counts_of(side)) if many} == dict(counts)
        assert pips(side) == sum(place * many for place, many in counts.items())
        places = U64(rng.getrandbits(26))
        assert set(bits(mirror(places))) == {BAR - place for place in bits(places)}
        assert popcount(places) == popcount(mirror(places))
        assert mirror(bit(OFF)) == bit(BAR)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"match": 65}, "a match of backgammon goes to 1 to 64 points"),
        ({"jacoby": True}, "the Jacoby rule is for single games with the cube"),
        ({"jacoby": True, "cube": True, "match": 5}, "the Jacoby rule is for single games with the cube"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        Backgammon(**options)
