import random
import re

import pyspiel
import pytest

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.chinesecheckers.rules import ChineseCheckers, Position
from zermelo.games.chinesecheckers.star import corners, hole_names, holes_of, links, places
from zermelo.kernel import U64
from zermelo.search.perft import perft
from zermelo.solve import solve

pytestmark = pytest.mark.plain


class PlainStar:
    """The twin: holes are cube coordinates (q, r, s) with q + r + s = 0, pegs a dictionary, hops a recursion.

    A hole belongs to the star if at most one coordinate is greater than the size, or at most one is less than minus
    the size: the union of two triangles. q grows to the right, r downwards.
    """

    STEPS = ((1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1))
    SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: range(6)}

    def __init__(self, players, size, trespass=True, leave=False):
        self.players, self.size, self.trespass, self.leave = players, size, trespass, leave
        span = range(-2 * size, 2 * size + 1)
        cubes = [(q, r, -q - r) for q in span for r in span]
        self.holes = {c for c in cubes if max(c) <= size or min(c) >= -size}
        self.names = {}
        for row, r in enumerate(sorted({r for _, r, _ in self.holes}, reverse=True)):
            for number, hole in enumerate(sorted(hole for hole in self.holes if hole[1] == r)):
                self.names[hole] = f"{'abcdefghijklmnopq'[row]}{number + 1}"

    def corner(self, seat):
        """South is where r is great; each corner clockwise, a turn of the three axes."""
        axis, sign = ((1, 1), (0, -1), (2, 1), (1, -1), (0, 1), (2, -1))[seat % 6]
        return {hole for hole in self.holes if sign * hole[axis] > self.size}

    def start(self):
        return {hole: player for player, seat in enumerate(self.SEATS[self.players]) for hole in self.corner(seat)}

    def goal(self, player):
        return self.corner(self.SEATS[self.players][player] + 3)

    def moves(self, pegs, player):
        """Pairs of names."""
        seat = self.SEATS[self.players][player]
        closed = set() if self.trespass else {h for k in (1, 2, 4, 5) for h in self.corner(seat + k)}
        found = set()
        for hole in [hole for hole, owner in pegs.items() if owner == player]:
            others = set(pegs) - {hole}
            ends = {plus(hole, step) for step in self.STEPS} - others
            self.hop(hole, others, landed := {hole})
            ends = ((ends & self.holes) | landed) - {hole} - closed
            if hole in self.goal(player) and not self.leave:
                ends &= self.goal(player)
            found |= {(hole, end) for end in ends}
        return found

    def hop(self, hole, others, landed):
        for step in self.STEPS:
            over = plus(hole, step)
            beyond = plus(over, step)
            if over in others and beyond in self.holes - others - landed:
                landed.add(beyond)
                self.hop(beyond, others, landed)

    def winner(self, pegs):
        for player in range(self.players):
            owners = [pegs.get(hole) for hole in self.goal(player)]
            if None not in owners and player in owners:
                return player
        return None

    def text(self, move):
        return f"{self.names[move[0]]}-{self.names[move[1]]}"


def plus(hole, step):
    return tuple(a + b for a, b in zip(hole, step, strict=True))


def inclined(game, state, moves, rng):
    """Often the move that leads furthest towards the goal, so that games end."""
    x, y = (sum(coordinate) for coordinate in zip(*goal_places(game, state.player), strict=True))
    if rng.random() < 0.15:
        return rng.choice(moves)

    def progress(move):
        (a, b), (c, d) = (places(game.size)[hole] for hole in divmod(move, game.holes))
        return (c - a) * x + 3 * (d - b) * y + rng.random()

    return max(moves, key=progress) if moves != [game.pass_move] else game.pass_move


def goal_places(game, player):
    seat = PlainStar.SEATS[game.players][player]
    return [places(game.size)[hole] for hole in corners(game.size)[(seat + 3) % 6]]


# -- the board -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "holes", "pegs"), [(1, 13, 1), (2, 37, 3), (3, 73, 6), (4, 121, 10)])
def test_the_star_has_the_known_number_of_holes(size, holes, pegs):
    twin = PlainStar(2, size)
    assert len(places(size)) == len(twin.holes) == holes
    assert [len(corner) for corner in corners(size)] == [pegs] * 6
    assert set(hole_names(size)) == set(twin.names.values())
    names = dict(zip(twin.names.values(), twin.names, strict=True))
    holes = [names[name] for name in hole_names(size)]
    neighbours = {frozenset((hole, plus(hole, step))) for hole in holes for step in twin.STEPS}
    assert {frozenset((holes[a], holes[b])) for a, b in links(size)} == {
        pair for pair in neighbours if pair <= twin.holes
    }


def test_corners_are_named_and_numbered_clockwise_from_the_south():
    names = hole_names(4)
    first = [{names[hole] for hole in corner} for corner in corners(4)]
    assert first[0] == {"a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"}
    assert [names[corner[0]] for corner in corners(4)] == ["d1", "h1", "m1", "q1", "m10", "h10"]


# -- the rules -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_first_player_has_14_moves(players):
    game = ChineseCheckers(players)
    assert game.count(game.initial()) == len(list(game.actions(game.initial()))) == 14


VARIANTS = [
    (2, 4, True, False, 2),
    (2, 4, True, True, 1),
    (3, 4, False, False, 1),
    (4, 4, False, True, 1),
    (6, 4, True, False, 1),
    (2, 3, False, False, 2),
    (3, 3, True, False, 1),
    (6, 3, False, False, 1),
    (2, 2, True, False, 4),
    (3, 2, False, False, 2),
    (4, 2, True, True, 2),
    (6, 2, True, False, 2),
    (6, 1, True, False, 4),
]


@pytest.mark.parametrize(("players", "size", "trespass", "leave", "games"), VARIANTS)
def test_random_games_agree_with_the_plain_twin(players, size, trespass, leave, games):
    game, twin = ChineseCheckers(players, size, trespass, leave, rounds=60), PlainStar(players, size, trespass, leave)
    rng = random.Random(players * size)
    for _ in range(games):
        state, pegs = game.initial(), twin.start()
        while not game.is_terminal(state):
            assert twin.winner(pegs) is None
            moves = {twin.text(move): move for move in twin.moves(pegs, state.player)}
            actions = list(game.actions(state))
            assert sorted(game.format_action(state, action) for action in actions) == (sorted(moves) or ["pass"])
            assert len(set(actions)) == len(actions) == game.count(state)
            action = inclined(game, state, actions, rng)
            if moves:
                hole, end = moves[game.format_action(state, action)]
                pegs[end] = pegs.pop(hole)
            state = game.result(state, action)
            assert named(game, state) == {twin.names[hole]: owner for hole, owner in pegs.items()}
        winner = twin.winner(pegs)
        assert state.ply == 60 * players or winner is not None
        expected = [0] * players if winner is None else [players - 1 if p == winner else -1 for p in range(players)]
        assert [game.utility(state, player) for player in range(players)] == expected


def named(game, state):
    return {hole_names(game.size)[hole]: owner for hole, owner in enumerate(game.owners(state)) if owner >= 0}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_openspiel_agrees_move_by_move(players):
    """OpenSpiel plays hop by hop, lets pegs leave their goal, and has the star upside down."""
    game, rng = ChineseCheckers(players, leave=True), random.Random(players)
    state, theirs = game.initial(), pyspiel.load_game(f"chinese_checkers(players={players})").new_initial_state()
    for _ in range(24):
        assert (theirs.current_player(), theirs.is_terminal()) == (state.player, game.is_terminal(state))
        ways = dict(ways_of(theirs))
        moves = {(120 - action // 121, 120 - action % 121): action for action in game.actions(state)}
        assert set(ways) == set(moves)
        ends = rng.choice(sorted(ways))
        for hop in ways[ends]:
            theirs.apply_action(hop)
        state = game.result(state, moves[ends])


HOP_ENDS = 726


def ways_of(theirs):
    """Each pair of holes that a turn can lead from and to, with actions of OpenSpiel that do it."""
    mover, landed = theirs.current_player(), set()
    for first in theirs.legal_actions():
        front = [(theirs, [first])]
        while front:
            before, actions = front.pop()
            start, text = first // 6, before.action_to_string(mover, actions[-1])
            ends = start, int(text.rpartition(">")[2])
            if "->" not in text and ends in landed:
                continue
            after = before.child(actions[-1])
            if after.current_player() != mover:
                yield ends, actions
            else:
                yield ends, [*actions, HOP_ENDS]
                front += [(after, [*actions, hop]) for hop in after.legal_actions() if hop != HOP_ENDS]
            if "->" not in text:
                landed.add(ends)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("spec", "depth", "leaves"), [("", 4, 115600), pytest.param(":players=6", 4, 40189, marks=pytest.mark.long)]
)
def test_compiled_perft(spec, depth, leaves):
    assert perft(find(f"chinese-checkers{spec}"), depth=depth) == leaves


def test_perft_agrees_with_the_plain_twin():
    twin = PlainStar(2, 4)
    counts, layer = [], [twin.start()]
    for player in (0, 1, 0):
        moves = [(pegs, move) for pegs in layer for move in twin.moves(pegs, player)]
        counts.append(len(moves))
        layer = [{**{hole: pegs[hole] for hole in pegs if hole != a}, b: player} for pegs, (a, b) in moves]
    assert tuple(counts) == ChineseCheckers.perft_table[""][:3]


def with_pegs(game, *pegs, player=0):
    """A position by the names of holes, for each player."""
    names = {name: hole for hole, name in enumerate(hole_names(game.size))}
    words = [word for holes in pegs for word in holes_of(names[name] for name in holes.split())]
    return Position(tuple(words), player, player)


def moves_from(game, state, hole):
    texts = [game.format_action(state, action) for action in game.actions(state)]
    return {text.partition("-")[2] for text in texts if text.startswith(f"{hole}-")}


def test_hops_over_any_pegs_make_chains():
    game = ChineseCheckers(size=2)
    state = with_pegs(game, "a1 e3 b1", "d2 f3 i1")
    assert moves_from(game, state, "a1") == {"b2", "c3", "e1"}
    assert moves_from(game, state, "e3") == {"d3", "d4", "e2", "e4", "f4", "g3"}


def test_a_goal_that_is_full_is_won_by_one_peg():  # Sturtevant 2019
    game = ChineseCheckers(size=2)
    assert game.winner(with_pegs(game, "h1 e1 e2", "i1 h2 e4")) == 0
    assert game.winner(with_pegs(game, "e3 e1 e2", "i1 h1 h2")) == -1
    assert game.winner(with_pegs(game, "h1 e1 e2", "i1 e3 e4")) == -1
    blocked = with_pegs(game, "e3 c1 c2", "a1 b1 g7")
    assert game.winner(game.result(blocked, game.parse_action(blocked, "c1-c3"))) == -1


def test_filling_the_last_hole_of_anothers_goal_makes_them_win():
    game = ChineseCheckers(3, 2)
    state = with_pegs(game, "h1 e1 e2", "i1 d2 d3", "g5 d5 d6", player=2)
    after = game.result(state, game.parse_action(state, "g5-h2"))
    assert [game.utility(after, player) for player in range(3)] == [2, -1, -1]


def test_a_peg_may_not_leave_its_goal_unless_the_option_says_so():
    pegs = "h1 a1 b1", "e3 e2 e4"
    strict, loose = ChineseCheckers(size=2), ChineseCheckers(size=2, leave=True)
    assert moves_from(strict, with_pegs(strict, *pegs), "h1") == {"i1", "h2"}
    assert moves_from(loose, with_pegs(loose, *pegs), "h1") == {"i1", "h2", "g3", "g4"}


def test_a_peg_may_not_stop_in_a_strange_corner_if_the_option_says_so():
    pegs = "d2 a1 b1", "i1 h1 h2"
    free, closed = ChineseCheckers(size=2), ChineseCheckers(size=2, trespass=False)
    assert moves_from(free, with_pegs(free, *pegs), "d2") == {"d1", "d3", "c2", "c3", "e1", "e2"}
    assert moves_from(closed, with_pegs(closed, *pegs), "d2") == {"d3", "c3", "e1", "e2"}


def test_a_player_passes_only_without_a_move():
    game = ChineseCheckers(6, 2)
    blockers = []
    spare = ["e1", "e2", "e3", "e4", "e5", "f1", "f2", "f3", "f4", "f5", "f6", "g3", "g4", "g5"]
    while True:
        others = (blockers + [name for name in spare if name not in blockers])[:15]
        state = with_pegs(game, "a1 b1 b2", *(" ".join(others[3 * k : 3 * k + 3]) for k in range(5)))
        move = game.format_action(state, next(iter(game.actions(state))))
        if move == "pass":
            break
        blockers.append(move.partition("-")[2])
    assert 3 <= len(blockers) <= 15
    assert (list(game.actions(state)), game.count(state)) == ([game.pass_move], 1)
    assert game.result(state, game.pass_move) == Position(state.pegs, 1, 1)
    assert game.sample(state, 0, U64(5)) == game.pass_move


def test_a_game_that_is_too_long_is_a_draw():
    game = ChineseCheckers(3, 2, rounds=2)
    referee = Referee(game)
    while not referee.is_over:
        referee.play(referee.legal()[0])
    assert (len(referee.turns), referee.utilities()) == (6, (0, 0, 0))


def test_on_the_smallest_star_the_first_of_two_players_wins():  # as its page says
    assert solve(ChineseCheckers(size=1, rounds=6)).value == (1, -1)


# -- knowledge -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_estimates_sum_to_zero_and_like_progress(players):
    game, rng = ChineseCheckers(players, 3), random.Random(1)
    state = game.initial()
    for _ in range(40):
        estimates = game.evaluations(state)
        assert sum(estimates) == pytest.approx(0, abs=1e-9)
        assert all(-1 < estimate < players - 1 for estimate in estimates)
        assert estimates == tuple(game.evaluate(state, player) for player in range(players))
        moves = sorted(game.actions(state), key=lambda action: game.order(state, action))
        worst, best = (game.evaluate(game.result(state, move), state.player) for move in (moves[0], moves[-1]))
        assert best > worst
        state = game.result(state, rng.choice(moves[len(moves) // 2 :]))


def test_at_the_start_all_ways_are_equal_and_the_first_player_is_slightly_ahead():
    for players in (2, 3, 4, 6):
        game = ChineseCheckers(players)
        start = game.initial()
        assert len({game.race.way(p, start.pegs[2 * p], start.pegs[2 * p + 1]) for p in range(players)}) == 1
        assert 0.05 > game.evaluate(start, 0) > 0 > game.evaluate(start, players - 1) > -0.05


def test_at_home_no_way_remains():
    for size in (1, 2, 3, 4):
        game = ChineseCheckers(6, size)
        assert [game.race.way(p, game.goals[2 * p], game.goals[2 * p + 1]) for p in range(6)] == [0] * 6


def test_drawn_moves_are_legal_and_bring_pegs_home():
    game, rng = ChineseCheckers(2, 2), random.Random(3)
    state = game.initial()
    while not game.is_terminal(state):
        move = game.sample(state, 0, U64(rng.getrandbits(64)))
        assert move in list(game.actions(state))
        state = game.result(state, move)
    assert state.ply < 200
    assert game.winner(state) >= 0


# -- notation, picture, errors -------------------------------------------------------------------------------


def test_the_picture_has_all_holes_and_touches_from_and_to():
    game = ChineseCheckers(2, 2)
    picture = game.picture(game.initial())
    assert (len(picture.places), len(picture.links)) == (37, 84)
    assert [piece.owner for piece in picture.cells if piece] == [1, 1, 1, 0, 0, 0]
    assert picture.touches["a1-c3"] == (36, 29)
    assert picture.marked == ()
    assert game.picture(with_pegs(game, "i1 h1 h2", "e3 e1 e2")).marked == (0, 1, 2)


def test_a_move_that_is_none_is_refused():
    with pytest.raises(IllegalMove, match=r"a1-b1 is not legal here; try .*c3"):
        Referee(ChineseCheckers(2, 2)).play_text("a1-b1")


START = "2/22/......./....../...../....../......./11/1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", f"is not a position of chinese-checkers:size=2; write the rows .* the start is '{re.escape(START)} 1 0'"),
        (START, "is not a position of chinese-checkers:size=2"),
        (f"{START}1 1 0", "is not a position of chinese-checkers:size=2"),
        (START.replace("22", "2.", 1) + " 1 0", "is impossible: player 2 has 2 pegs, and it should be 3"),
        (START.replace("...../", "..3../", 1) + " 1 0", "is impossible: there are players 1 to 2"),
        (f"{START} 3 0", "is impossible: there are players 1 to 2"),
        (f"{START} 2 0", "is impossible: after 0 plies it is the turn of player 1"),
        (f"{START} 1 402", "and the game ends after 400"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        ChineseCheckers(2, 2).parse_state(text)


def test_the_number_of_plies_may_be_left_out():
    game = ChineseCheckers(2, 2)
    assert game.parse_state(f"{START} 1") == game.initial()
    assert game.parse_state(f"{START} 2") == Position(game.homes, 1, 1)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("players=5", "chinese-checkers is played by 2, 3, 4 or 6 players, not 5"),
        ("size=5", "the corners of chinese-checkers have a side of 1 to 4 holes, not 5"),
        ("rounds=0", "a game of chinese-checkers is broken off after 1 round or more, not 0"),
    ],
)
def test_options_that_make_no_game_are_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        find(f"chinese-checkers:{options}")
