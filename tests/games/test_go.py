import functools
import itertools
import random

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.limit import Limit
from zermelo.core.point_sets import common, is_any, nth_of, size_of, without
from zermelo.core.referee import Referee
from zermelo.games.go.board import Board
from zermelo.games.go.position import BLACK, WHITE, Position, stones_of
from zermelo.games.go.rules import ALIKE, Go
from zermelo.kernel import U64, Memory, kernel, load, mix, on_compile, store
from zermelo.search import Engine, perft

pytestmark = pytest.mark.plain

go5 = Go(5, komi=0)

# -- a plain twin: a dict of stones by (column, row) -------------------------------------------------------------------


def places(game, points):
    """A set of points as (column, row) pairs."""
    step, bits = game.board.step, sum(int(word) << 64 * i for i, word in enumerate(points))
    return {(place % step, place // step) for place in range(bits.bit_length()) if bits >> place & 1}


def twin_of(game, state):
    """The stones of the side to move (1) and of the other (-1)."""
    mine, theirs = places(game, state.mine), places(game, state.theirs)
    assert not mine & theirs
    return dict.fromkeys(mine, 1) | dict.fromkeys(theirs, -1)


def beside(size, point):
    col, row = point
    near = [(col - 1, row), (col + 1, row), (col, row - 1), (col, row + 1)]
    return [(col, row) for col, row in near if 0 <= col < size and 0 <= row < size]


def chain(stones, size, point):
    """The chain of the stone on a point, and its liberties."""
    found, wanted, liberties = {point}, [point], set()
    while wanted:
        for near in beside(size, wanted.pop()):
            if near not in stones:
                liberties.add(near)
            elif stones[near] == stones[point] and near not in found:
                found.add(near)
                wanted.append(near)
    return found, liberties


def twin_played(stones, size, point):
    """The stones after one of the side to move (1) is placed, and those that were taken, of both sides."""
    after, taken = {**stones, point: 1}, set()
    for near in beside(size, point):
        if after.get(near) == -1 and near not in taken:
            found, liberties = chain(after, size, near)
            taken |= found if not liberties else set()
    after = {where: side for where, side in after.items() if where not in taken}
    found, liberties = chain(after, size, point)
    dead = found if not liberties else set()
    return {where: side for where, side in after.items() if where not in dead}, taken, dead


def twin_lead(stones, size):
    """My area less theirs."""
    lead, seen = sum(stones.values()), set()
    for point in itertools.product(range(size), repeat=2):
        if point in stones or point in seen:
            continue
        region, sides, wanted = {point}, set(), [point]
        while wanted:
            for near in beside(size, wanted.pop()):
                if near in stones:
                    sides.add(stones[near])
                elif near not in region:
                    region.add(near)
                    wanted.append(near)
        seen |= region
        lead += sum(sides) * len(region) if len(sides) == 1 else 0
    return lead


def is_position(stones, size):
    return all(chain(stones, size, point)[1] for point in stones)


def crowded(game, rng, plies):
    """Moves of a random game in a corner of the board of its own, so that stones are taken soon; then two passes."""
    window = min(6, game.size)
    left, low = rng.randrange(game.size - window + 1), rng.randrange(game.size - window + 1)
    inside = {row * game.size + col for row in range(low, low + window) for col in range(left, left + window)}
    state = yield
    for _ in range(plies):
        moves = [action for action in game.actions(state) if action in inside]
        state = yield rng.choice(moves) if moves and rng.random() < 0.97 else game.squares
    while True:
        yield game.squares


@functools.cache
def pool(size, suicide):
    """Positions of a random game."""
    game = Go(size, suicide=suicide)
    moves, state, found = crowded(game, random.Random(size), 70), game.initial(), []
    next(moves)
    while not game.is_terminal(state):
        found.append((game, state))
        state = game.result(state, moves.send(state))
    return found


def played(sizes=(2, 3, 5, 7, 8, 9, 11, 13, 19), suicide=False):
    """A game and a state some random moves from its start."""
    return st.sampled_from(sizes).flatmap(lambda size: st.sampled_from(pool(size, suicide)))


# -- the rules --------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_perft():
    """The first three are counted by OpenSpiel as well."""
    assert tuple(perft(Go(), depth=depth) for depth in range(1, 5)) == Go.perft_table[""][:4]
    assert their_perft(pyspiel.load_game("go(board_size=9)").new_initial_state(), 3) == Go.perft_table[""][2]


def their_perft(state, depth):
    if depth == 1:
        return len(state.legal_actions())
    return sum(their_perft(state.child(action), depth - 1) for action in state.legal_actions())


@settings(max_examples=50)
@given(st.one_of(played(), played(suicide=True)))
def test_moves_and_taken_stones_are_those_of_the_twin(found):
    game, state = found
    stones = twin_of(game, state)
    allowed = []
    for action in range(game.squares):
        point = action % game.size, action // game.size
        if point in stones or game.place_of(action) == state.ko:
            continue
        after, taken, dead = twin_played(stones, game.size, point)
        if dead and (not game.suicide or len(dead) == 1):
            continue
        allowed.append(action)
        if not stones.keys() & set(beside(game.size, point)):
            continue
        state_after = game.result(state, action)
        assert twin_of(game, state_after) == {where: -side for where, side in after.items()}
        is_ko = len(taken) == 1 and chain(after, game.size, point) == ({point}, taken)
        assert (state_after.ko >= 0) == is_ko
        assert not is_ko or places(game, game.board.point(state_after.ko)) == taken
    assert list(game.actions(state)) == [*allowed, game.squares]
    assert game.count(state) == len(allowed) + 1


@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_openspiel_agrees_move_by_move(games):
    """OpenSpiel numbers the moves alike, knows the simple ko, and calls a game drawn that superko would forbid."""
    rng, repeated = random.Random(7), 0
    for number in range(games):
        size = 2 + number % 18
        ours, theirs = Go(size), pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length=9999)")
        state, their_state = ours.initial(), theirs.new_initial_state()
        seen, moves = {ours.repetition_key(state)}, crowded(ours, rng, 150)
        next(moves)
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            assert ours.to_move(state) == their_state.current_player()
            assert list(ours.actions(state)) == their_state.legal_actions()
            action = moves.send(state)
            state = ours.result(state, action)
            their_state.apply_action(action)
            is_repeated = ours.repetition_key(state) in seen
            seen.add(ours.repetition_key(state))
            repeated += is_repeated
            assert is_repeated <= their_state.is_terminal()
        if is_repeated:
            assert their_state.returns() == [0, 0]
        else:
            assert ours.is_terminal(state)
            assert [ours.utility(state, player) for player in (0, 1)] == their_state.returns()
    assert repeated > games // 20


def test_two_stones_are_taken_at_once():
    state = go5.parse_state("...../.XX../XOO../.XX../..... B")
    assert go5.format_state(go5.result(state, 13)) == "...../.XX../X..X./.XX../..... W"


def test_chains_on_both_sides_are_taken_at_once():
    state = go5.parse_state(".XOX./XO.OX/.XOX./..X../..... B")
    assert go5.format_state(play(go5, state, "C4")) == ".X.X./X.X.X/.X.X./..X../..... W"


def play(game, state, *moves):
    for move in moves:
        state = game.result(state, game.parse_action(state, move))
    return state


def test_a_snapback_takes_three_for_one():
    """White takes the stone at A1, and the three stones that are then in atari are taken by a stone at A1 again."""
    state = go5.parse_state("...../...../XX.../OOX../..X.. B")
    bait = play(go5, state, "A1")
    taken = play(go5, bait, "B1")
    assert go5.format_state(taken) == "...../...../XX.../OOX../.OX.. B"
    assert go5.format_state(play(go5, taken, "A1")) == "...../...../XX.../..X../X.X.. W"


def test_suicide_is_allowed_only_by_option_and_never_of_one_stone():
    board = "...../...../XX.../OOX../.OX.. W"
    state = go5.parse_state(board)
    assert 0 not in go5.actions(state)
    game = Go(5, suicide=True)
    assert go5.format_state(play(game, state, "A1")) == "...../...../XX.../..X../..X.. B"
    lonely = "...../...../...../X..../.X... W"
    assert 0 not in game.actions(game.parse_state(lonely))


KO = "...../...../.XO../XO.O./.XO.. B"


def test_a_ko_is_not_taken_back_at_once():
    state = play(go5, go5.parse_state(KO), "C2")
    assert go5.format_state(state) == "...../...../.XO../X.XO./.XO.. W B2"
    with pytest.raises(IllegalMove, match="B2 is not legal here"):
        go5.parse_action(state, "B2")
    later = play(go5, state, "E5", "A5")
    assert go5.format_state(play(go5, later, "B2")) == "X...O/...../.XO../XO.O./.XO.. B C2"


SENT = "...../...../...../XXO../.O.O. W"
"""White sends a second stone to A1, Black takes both from C1, and White could take that one back with B1."""


def test_sending_two_and_returning_one_repeats_the_board():
    referee = Referee.at(go5, SENT)
    referee.play_line(["A1", "C1"])
    assert go5.format_state(referee.state) == "...../...../...../XXO../..XO. W"
    assert 1 in go5.actions(referee.state)
    with pytest.raises(IllegalMove, match="1 is not legal here"):
        referee.play_text("B1")
    simple = Referee.at(Go(5, ko="simple"), SENT)
    simple.play_line(["A1", "C1", "B1"])
    assert simple.game.format_state(simple.state) == SENT.replace("W", "B")


def test_a_pass_repeats_nothing():
    referee = Referee.at(go5, SENT)
    referee.play_line(["pass", "E5", "pass", "pass"])
    assert referee.is_over


TRIPLE_KO = ".XO....../XO.O...../.XO....../.XO....../X.XO...../.XO....../.XO....../XO.O...../.XO...... B"


def test_a_triple_ko_is_forbidden_to_go_round_or_leads_to_a_draw():
    game = Go()
    referee = Referee.at(game, TRIPLE_KO)
    referee.play_line(["C8", "B5", "C2", "B8", "C5"])
    assert game.parse_action(referee.state, "B2") in game.actions(referee.state)
    with pytest.raises(IllegalMove):
        referee.play_text("B2")
    simple = Referee.at(Go(ko="simple"), TRIPLE_KO)
    simple.play_line(["C8", "B5", "C2", "B8", "C5", "B2", "C8"])
    assert simple.is_over
    assert simple.utilities() == (0, 0)


@pytest.mark.parametrize(("size", "positions"), [(2, 57), (3, 12675)])
def test_legal_positions_are_as_many_as_are_known(size, positions):
    """[John Tromp & Gunnar Farnebäck, "Combinatorics of Go", 2007]"""
    board = Board(size)
    places = [row * board.step + col for row in range(size) for col in range(size)]
    assert sum(is_legal(board, places, sides) for sides in itertools.product("XO.", repeat=size * size)) == positions


def is_legal(board, places, sides):
    black, white = (
        board.points(place for place, one in zip(places, sides, strict=True) if one == side) for side in "XO"
    )
    empty = board.empty(black, white)
    return not any(is_any(board.captured(stones, empty, stones)) for stones in (black, white))


# -- the end ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "lead"),
    [
        ("...../...../...../...../.....", 0),
        ("...../...../..X../...../.....", 25),
        ("..XO./..XO./..XO./..XO./..XO.", 5),
        ("..X.O/..X.O/..X.O/..X.O/..X.O", 10),
        (".X.XO/XXXXO/OOOOO/...../O.O.O", 8 - 17),
        (".XO../XXO../OOO../...../....X", 5 - 5),
    ],
)
def test_area_is_stones_and_what_they_alone_surround(rows, lead):
    game = Go(5, komi=0.5, margin=True)
    for side in "BW":
        end = game.parse_state(f"{rows} {side} - 2")
        assert (game.utility(end, BLACK), game.utility(end, WHITE)) == (lead - 0.5, 0.5 - lead)


@given(played())
def test_area_is_that_of_the_twin(found):
    game, state = found
    lead = twin_lead(twin_of(game, state), game.size)
    assert game.score(state) == (lead if state.player == BLACK else -lead) - 7.5


def test_a_win_counts_1_and_jigo_0():
    end = "..XO./..XO./..XO./..XO./..XO. B - 2"
    found = [Go(5, komi=komi).utility(Go(5).parse_state(end), BLACK) for komi in (4.5, 5, 5.5)]
    assert found == [1, 0, -1]


def test_white_gets_a_point_for_every_handicap_stone():
    """As under Chinese rules. OpenSpiel places the same stones."""
    game = Go(19, komi=0.5, handicap=4, margin=True)
    theirs = pyspiel.load_game("go(board_size=19,komi=0.5,handicap=4)").new_initial_state()
    state = game.initial()
    assert game.to_move(state) == theirs.current_player() == WHITE
    board = [line.split()[1] for line in str(theirs).splitlines() if line[:2].strip().isdigit()]
    assert "/".join(board).replace("+", ".") + " W" == game.format_state(state)
    end = play(game, state, "pass", "pass")
    assert game.utility(end, BLACK) == 361 - 4 - 0.5


@pytest.mark.parametrize(
    ("size", "stones", "names"),
    [
        (19, 9, "D4 K4 Q4 D10 K10 Q10 D16 K16 Q16"),
        (13, 5, "D4 K4 G7 D10 K10"),
        (9, 3, "C3 C7 G7"),
        (8, 4, "C3 F3 C6 F6"),
        (7, 2, "C3 E5"),
    ],
)
def test_handicap_stones_stand_where_gtp_puts_them(size, stones, names):
    """[Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2", 2002]"""
    game = Go(size, handicap=stones)
    found = places(game, game.initial().theirs)
    assert {game.format_action(None, row * size + col) for col, row in found} == set(names.split())


# -- values -----------------------------------------------------------------------------------------------------------


def value(game, state, seen, alpha, beta):
    """Alpha-beta to the end under superko, for the side to move; exact between alpha and beta."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state))
    best, actions = -game.most, sorted(game.actions(state), key=lambda action: -game.order(state, action))
    if state.passes:
        actions.sort(key=lambda action: action != game.squares)  # first see what ending the game is worth
    for action in actions:
        after = game.result(state, action)
        place = game.repetition_key(after)
        if place not in seen:
            best = max(best, -value(game, after, seen | {place}, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def test_the_first_player_wins_2x2_by_one_point():
    game = Go(2, komi=0, margin=True)
    start = game.initial()
    assert value(game, start, {game.repetition_key(start)}, 0.5, 1.5) == 1


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize(("size", "lead", "depths"), [(3, 9, (14, 16, 40)), (4, 2, (18, 20, 22))])
def test_the_engine_finds_the_values_of_small_boards_and_keeps_to_them(size, lead, depths):
    """[Erik van der Werf, "Solving Go on small boards", 2003]; found, not proved."""
    game = Go(size, komi=0, margin=True)
    engine = Engine(game)
    for depth in depths:
        found = engine.think(game.initial(), Limit(depth=depth))
        assert found.value == (lead, -lead)
        assert found.best in ("B2", "B3", "C2", "C3")


def test_keys_distinguish_all_positions_of_the_smallest_board():
    game = Go(2)
    seen, waiting = {game.initial()}, [game.initial()]
    while waiting:
        state = waiting.pop()
        for action in game.actions(state) if not game.is_terminal(state) else ():
            if game.result(state, action) not in seen:
                seen.add(game.result(state, action))
                waiting.append(game.result(state, action))
    assert len({game.key(state) for state in seen}) == len(seen) > 200


# -- knowledge --------------------------------------------------------------------------------------------------------


def own_eyes(stones, size):
    """Empty points among stones of the side to move, without two diagonals (at the edge one) of the other side."""
    for point in itertools.product(range(size), repeat=2):
        col, row = point
        corners = [stones.get((col + across, row + up), 0) for across in (-1, 1) for up in (-1, 1)]
        worst = 0 if {col, row} & {0, size - 1} else 1
        is_mine = point not in stones and all(stones.get(near) == 1 for near in beside(size, point))
        if is_mine and corners.count(-1) <= worst:
            yield row * size + col


@given(played(), st.integers(0, 2**64 - 1))
def test_random_moves_are_legal_and_fill_no_eye(found, word):
    game, state = found
    allowed = set(game.actions(state)) - set(own_eyes(twin_of(game, state), game.size)) - {game.squares}
    assert game.draw_move(state, U64(word), 0) in (allowed or {game.squares})


def test_random_moves_are_all_alike():
    """81 words, evenly spread, draw every point once."""
    game = Go()
    words = [U64((number << 64) // 81 + (1 << 40)) for number in range(81)]
    assert [game.draw_move(game.initial(), word, 0) for word in words] == list(range(81))


@given(played())
def test_any_legal_move_may_be_drawn(found):
    """500 draws of 17 moves or fewer, each as likely as the others: one is missed once in a hundred billion times."""
    game, state = found
    actions = list(game.actions(state))
    if game.is_terminal(state):
        return
    words = [mix(U64(number)) for number in range(min(500, 30 * len(actions)))]
    drawn = {game.draw_legal_move(state, word) for word in words}
    assert drawn <= set(actions)
    assert len(actions) > 17 or drawn == set(actions)


@kernel
def playouts(game: Go, state: Position, games: int, memory: int) -> int:
    """Plies of random games; memory gets Black's wins."""
    plies, wins, word = 0, 0, U64(1)
    for _ in range(games):
        end = state
        while not game.is_terminal(end):
            word = mix(word + U64(0x9E3779B97F4A7C15))
            end = game.result(end, game.draw_move(end, word, 0))
            plies += 1
        wins += 1 if game.utility(end, BLACK) > 0 else 0
    store(memory, 0, wins)
    return plies


@pytest.mark.compiled
def test_compiled_playouts_come_to_an_end():
    """A signature, measured here: 111 moves on average. Who moves first wins more than half of them without komi."""
    game, memory = Go(komi=0), Memory(1)
    plies = playouts.run(game, game.initial(), 2000, memory.address)
    assert 105 < plies / 2000 < 117
    assert 0.5 < load(memory.address, 0) / 2000 < 0.65


@given(played(sizes=(5, 9)))
def test_points_are_counted_and_found_by_their_number(found):
    game, state = found
    points = game.board.empty(state.mine, state.theirs)
    numbers = [nth_of(points, n) for n in range(size_of(points))]
    assert numbers == sorted(row * game.board.step + col for col, row in places(game, points))


@given(played(sizes=(5, 9)), st.integers(0, 7))
def test_mirror_images_have_one_canonical_state(found, turns):
    game, state = found
    image = state
    for turn in range(turns):
        mine, theirs = game.board.reflect(image.mine, turn), game.board.reflect(image.theirs, turn)
        image = Position(mine, theirs, image.ko, image.player, image.passes)
    if size_of(state.mine) + size_of(state.theirs) <= ALIKE and state.ko < 0:
        assert game.canonical(image) == game.canonical(state)


@given(played())
def test_the_estimate_sees_both_sides_alike(found):
    game, state = found
    others = Position(state.theirs, state.mine, -1, 1 - state.player, 0)
    assert game.evaluate(state, BLACK) == game.evaluate(others, BLACK) == -game.evaluate(state, WHITE)
    assert game.board.nearer(state.mine, state.theirs) == -game.board.nearer(state.theirs, state.mine)


def test_the_estimate_counts_nearer_points():
    game = Go(5, komi=0, margin=True)
    assert game.evaluate(game.parse_state("...../...../X...O/...../..... B"), BLACK) == 0
    assert game.evaluate(game.parse_state("...../...../.X..O/...../..... B"), BLACK) == 5


def test_taking_is_ordered_first_and_filling_an_eye_last():
    state = go5.parse_state("XX..O/.X.XO/XXXXO/XXOO./.XO.. B")
    moves = sorted(go5.actions(state), key=lambda action: -go5.order(state, action))
    names = [go5.format_action(state, action) for action in moves]
    assert set(names[-2:]) == {"A4", "A1"}


# -- notation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a board of 5 rows and columns; the empty one is"),
        ("...../...../...../..... B", "is not a board of 5 rows and columns"),
        ("...../...../..#../...../..... B", "and stones are X and O"),
        ("...../...../...../...../.....", "after the rows comes B or W"),
        ("...../...../...../...../..... B - 3", "after the rows comes B or W"),
        ("...../...../...../...../..... B - 0 1", "after the rows comes B or W"),
        ("...../...../...../X..../OX... B", "the stones at A1 have no liberty"),
        ("...../...../...../...../..... B C3", "there is no ko to take back at C3"),
        ("...../...../...../...../..... B I3", "'I3' is not a point of this board; points are A1 to E5"),
    ],
)
def test_positions_that_cannot_be_are_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        go5.parse_state(text)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 1}, "boards of size 2 to 19, not 1"),
        ({"size": 20}, "boards of size 2 to 19, not 20"),
        ({"ko": "none"}, "no ko rule 'none'; use positional or simple"),
        ({"komi": float("nan")}, "komi of go is from -10000 to 10000 points, not nan"),
        ({"komi": float("-inf")}, "not -inf"),
        ({"komi": 1e308}, "not 1e"),
        ({"handicap": 1}, "a handicap of 1 cannot be given on a board of size 9; it allows 2 to 9 stones"),
        ({"size": 5, "handicap": 2}, "it allows none"),
        ({"size": 8, "handicap": 5}, "it allows 2 to 4 stones"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        Go(**options)


def test_there_is_no_column_i():
    game = Go()
    names = [game.format_action(None, action) for action in (0, 7, 8, 80, 81)]
    assert names == ["A1", "H1", "J1", "J9", "pass"]


def test_pictures_have_lines_and_stars():
    game = Go()
    picture = game.picture(game.parse_state("X......../" + "/".join(["........."] * 8) + " W"))
    assert picture.on_lines
    assert [divmod(cell, 9) for cell in picture.stars] == [(6, 2), (6, 6), (4, 4), (2, 2), (2, 6)]
    assert picture.cells[0].symbol == "X"
    assert picture.touches["A1"] == (72,)
    assert picture.touches["pass"] == ()


def test_stones_of_both_sides_are_distinguished():
    black, white = stones_of(go5.parse_state("X..../...../...../...../....O W"))
    assert (places(go5, black), places(go5, white)) == ({(0, 4)}, {(4, 0)})
    assert not is_any(common(without(black, white), white))


@pytest.mark.compiled
def test_another_komi_or_handicap_is_not_compiled_again():
    counted = []
    on_compile(lambda kernel, game: counted.append(game))
    for komi, handicap in ((7.5, 0), (0, 0), (6.5, 2)):
        game = Go(7, komi=komi, handicap=handicap)
        assert perft(game, game.initial(), 2) > 100
    assert len(counted) <= 1
