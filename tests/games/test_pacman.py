"""Pac-Man's rules: hand-made positions, and a plain twin with coordinates and a timer for every ghost."""

import copy
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.cli.play import play_game
from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import CHANCE, legal_actions
from zermelo.core.guards import suitable_algorithms
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.typed_moves import read_move
from zermelo.games import find
from zermelo.games.pacman.layout import find_layout, layout_names
from zermelo.games.pacman.maze import EAST, NORTH, SOUTH
from zermelo.games.pacman.position import ghost_of, is_scared, place_of
from zermelo.games.pacman.rules import MOVES, PacMan
from zermelo.kernel.digest import digest
from zermelo.search import perft
from zermelo.solve import solve
from zermelo.testing import assert_conformant
from zermelo.textbook import expectiminimax, minimax

pytestmark = pytest.mark.plain

STEPS = {"North": (0, -1), "South": (0, 1), "East": (1, 0), "West": (-1, 0), "Stop": (0, 0)}
OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East", None: None}


class PlainPacMan:
    """The twin: sets of coordinates, and a timer for every ghost that it counts down itself."""

    def __init__(self, layout, ghosts=4):
        rows = layout.rows
        cells = {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}
        self.walls = {place for place, letter in cells.items() if letter == "%"}
        self.food = {place for place, letter in cells.items() if letter == "."}
        self.capsules = {place for place, letter in cells.items() if letter == "o"}
        (self.pacman,) = [place for place, letter in cells.items() if letter == "P"]
        self.homes = [(cell % layout.width, cell // layout.width) for cell in layout.ghosts[:ghosts]]
        self.ghosts = [{"at": home, "heading": None, "timer": 0} for home in self.homes]
        self.score, self.turn, self.is_caught = 0, 0, False

    def open_from(self, place):
        return [move for move in MOVES[:4] if moved(place, move) not in self.walls]

    def moves(self):
        if self.is_caught or not self.food:
            return []
        if self.turn == 0:
            return [*self.open_from(self.pacman), "Stop"]
        ghost = self.ghosts[self.turn - 1]
        if ghost["timer"] and ghost["timer"] % 2 == 0:
            return ["Stop"]
        ways = self.open_from(ghost["at"])
        back = OPPOSITE[ghost["heading"]]
        return ways if len(ways) == 1 else [way for way in ways if way != back]

    def play(self, move):
        if self.turn == 0:
            self.move_pacman(move)
        else:
            self.move_ghost(self.turn - 1, move)
        self.turn = (self.turn + 1) % (len(self.ghosts) + 1)

    def move_pacman(self, move):
        self.score -= 1
        self.pacman = moved(self.pacman, move)
        if self.pacman in self.capsules:
            self.capsules.remove(self.pacman)
            for ghost in self.ghosts:
                ghost["timer"] = 40
        if self.pacman in self.food:
            self.food.remove(self.pacman)
            self.score += 10 if self.food else 510
        for index in range(len(self.ghosts)):
            self.meet(index)

    def move_ghost(self, index, move):
        ghost = self.ghosts[index]
        ghost["at"] = moved(ghost["at"], move)
        ghost["heading"] = ghost["heading"] if move == "Stop" else move
        ghost["timer"] = max(0, ghost["timer"] - 1)
        self.meet(index)

    def meet(self, index):
        ghost = self.ghosts[index]
        if ghost["at"] != self.pacman:
            return
        if ghost["timer"]:
            self.score += 200
            self.ghosts[index] = {"at": self.homes[index], "heading": None, "timer": 0}
        elif self.food and not self.is_caught:
            self.score -= 500
            self.is_caught = True


def moved(place, move):
    return place[0] + STEPS[move][0], place[1] + STEPS[move][1]


def agrees(game, state, twin):
    layout = game.maze.layout

    def at(mover):
        cell = layout.squares[place_of(mover)]
        return cell % layout.width, cell // layout.width

    assert [MOVES[action] for action in legal_actions(game, state)] == twin.moves()
    assert (state.score, state.is_caught) == (twin.score, twin.is_caught)
    assert at(state.pacman) == twin.pacman
    assert state.ply % game.movers == twin.turn
    assert game.maze.food_in(state.pellets) == len(twin.food)
    assert game.maze.capsules_in(state.pellets) == len(twin.capsules)
    for index, ghost in enumerate(twin.ghosts):
        mine = ghost_of(state.ghosts, index)
        has_moved = 0 < index + 1 < twin.turn
        assert at(mine) == ghost["at"]
        assert (state.fright - has_moved if is_scared(mine) else 0) == ghost["timer"]


# -- the twin -------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.sampled_from(layout_names()), st.integers(0, 4), st.integers(0, 2**32))
def test_random_games_agree_with_the_plain_twin(name, ghosts, seed):
    game, twin, rng = PacMan(name, ghosts), PlainPacMan(find_layout(name), ghosts), random.Random(seed)
    state = game.initial()
    for _ in range(150):
        agrees(game, state, twin)
        if not (moves := list(legal_actions(game, state))):
            break
        action = rng.choice(moves)
        state = game.result(state, action)
        twin.play(MOVES[action])


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_greedy_games_with_many_scared_ghosts_agree_with_the_plain_twin(seed):
    """Moves that look good to Pac-Man and bad to the ghosts meet what random walks hardly ever do."""
    game, twin, rng = PacMan("medium"), PlainPacMan(find_layout("medium")), random.Random(seed)
    state = game.initial()
    for _ in range(400):
        agrees(game, state, twin)
        if not (moves := list(legal_actions(game, state))):
            break
        chosen = max(moves, key=lambda action: game.order(state, action) if state.ply % game.movers == 0 else 0)
        action = chosen if rng.random() < 0.8 else rng.choice(moves)
        state = game.result(state, action)
        twin.play(MOVES[action])


def test_perft_agrees_with_the_plain_twin():
    layer, counts = [PlainPacMan(find_layout("small"))], []
    for _ in PacMan.perft_table[""][:6]:
        after = []
        for twin in layer:
            for move in twin.moves():
                after.append(copy.deepcopy(twin))
                after[-1].play(move)
        layer = after
        counts.append(len(layer))
    assert tuple(counts) == PacMan.perft_table[""][:6]


@pytest.mark.compiled
@pytest.mark.long
def test_compiled_perft():
    for depth, leaves in enumerate(PacMan.perft_table[""], 1):
        assert perft(PacMan(), PacMan().initial(), depth) == leaves


# -- hand-made positions --------------------------------------------------------------------------------


@pytest.fixture
def maze(tmp_path):
    """A game on a layout that is written down here."""

    def made(*rows, **options):
        file = tmp_path / "own.lay"
        file.write_text("\n".join(rows) + "\n")
        return Referee(PacMan(str(file), **options))

    return made


def lines_of(referee):
    """The position without its maze."""
    return referee.game.format_state(referee.state).partition(" ")[2]


def test_a_move_costs_one_and_food_gives_ten(maze):
    referee = maze("%%%%%%", "%P. .%", "%%%%%%")
    scores = []
    for move in ("East", "East", "Stop"):
        referee.play_text(move)
        scores.append(referee.state.score)
    assert scores == [9, 8, 7]


def test_the_last_food_wins(maze):
    referee = maze("%%%%%", "%P. %", "%%%%%")
    referee.play_text("East")
    assert referee.is_over
    assert referee.utilities() == (509,)


def test_walking_into_a_ghost_is_fatal(maze):
    referee = maze("%%%%%%", "%.PG %", "%%%%%%")
    referee.play_text("East")
    assert referee.utilities() == (-501, 501)


def test_a_ghost_catches(maze):
    referee = maze("%%%%%%", "%.P G%", "%%%%%%")
    referee.play_line(["Stop", "West", "Stop", "West"])
    assert referee.utilities() == (-502, 502)


def test_the_last_food_wins_even_under_the_feet_of_a_ghost(maze):
    referee = maze("%%%%%%", "%P. G%", "%%%%%%")
    referee.play_line(["Stop", "West", "Stop", "West"])
    assert lines_of(referee) == "P1,1- G2,1w fright=0 score=-2 round=2 turn=P"
    referee.play_text("East")
    assert lines_of(referee) == "P2,1e G2,1w fright=0 score=507 round=2 turn=1"
    assert referee.utilities() == (507, -507)


def test_two_ghosts_on_one_square_catch_only_once(maze):
    referee = maze("%%%%%%%", "%. P G%", "%%%%2%%", "%%%%%%%")
    referee.play_line(["Stop", "West", "North"])
    assert lines_of(referee) == "P3,2- G4,2w G4,2n fright=0 score=-1 round=1 turn=P"
    referee.play_text("East")
    assert lines_of(referee) == "P4,2e G4,2w G4,2n fright=0 score=-502 round=1 turn=1 caught"


def test_a_ghost_turns_back_only_at_a_dead_end(maze):
    referee = maze("%%%%%%%", "%P.   %", "%.% %G%", "%.    %", "%%%%%%%")
    game = referee.game
    referee.play_text("Stop")
    assert names(referee) == ["North", "South"]  # as yet it has no heading
    referee.play_line(["North", "Stop"])
    assert names(referee) == ["West"]
    referee.play_line(["West", "Stop"])
    assert names(referee) == ["West"]
    referee.play_line(["West", "Stop"])
    assert names(referee) == ["South", "West"]
    dead_end = maze("%%%%%%", "%P..G%", "%%%%%%")
    dead_end.play_line(["Stop", "West", "Stop"])
    assert names(dead_end) == ["West"]
    assert game.players == 2


def names(referee):
    return [referee.game.format_action(referee.state, action) for action in referee.legal()]


def test_a_capsule_scares_the_ghosts_for_forty_rounds_and_they_rest_every_second_turn(maze):
    referee = maze("%%%%%%%%%%%", "%.Po      %", "%%%%% %%% %", "%%%%%   G %", "%%%%%%%%%%%")
    referee.play_text("East")
    frights, rests = [], []
    for _ in range(40):
        frights.append(referee.state.fright)
        rests.append(names(referee) == ["Stop"])
        referee.play(max(referee.legal(), key=lambda move: referee.game.order(referee.state, move)))
        referee.play_text("Stop")
    assert frights == list(range(40, 0, -1))
    assert rests == [True, False] * 20
    assert not is_scared(ghost_of(referee.state.ghosts, 0))
    assert names(referee) != ["Stop"]


def test_an_eaten_ghost_gives_200_and_starts_again_without_fear(maze):
    referee = maze("%%%%%%%%", "%.PoG 2%", "%%%%%%%%")
    referee.play_text("East")
    assert lines_of(referee) == "P3,1e S4,1- S6,1- fright=40 score=-1 round=0 turn=1"
    referee.play_line(["Stop", "Stop", "East"])
    assert lines_of(referee) == "P4,1e G4,1- S6,1- fright=39 score=198 round=1 turn=1"
    assert not referee.is_over  # it came back where Pac-Man stands, and nobody has moved since
    referee.play_line(["East", "West"])
    assert lines_of(referee) == "P4,1e G5,1e S5,1w fright=38 score=198 round=2 turn=P"


def test_a_scared_ghost_that_walks_into_pacman_is_eaten(maze):
    referee = maze("%%%%%%%%%", "%.Po G  %", "%%%%%%%%%")
    referee.play_line(["East", "Stop", "East"])
    assert lines_of(referee) == "P4,1e S5,1- fright=39 score=-2 round=1 turn=1"
    referee.play_text("West")
    assert lines_of(referee) == "P4,1e G5,1- fright=0 score=198 round=2 turn=P"


def test_with_its_last_scared_step_a_ghost_is_brave_again(maze):
    game = maze("%%%%%%%%", "%.Po  G%", "%%%%%%%%").game
    scared = "%%%%%%%%/%._____%/%%%%%%%% P3,1e S4,1w fright={} score=-6 round=5 turn=1"
    early, last = (Referee.at(game, scared.format(fright)) for fright in (3, 1))
    early.play_text("West")
    last.play_text("West")
    assert lines_of(early) == "P3,1e G6,1- fright=0 score=194 round=6 turn=P"
    assert lines_of(last) == "P3,1e G3,1w fright=0 score=-506 round=6 turn=P caught"


def test_the_game_ends_after_the_given_number_of_rounds(maze):
    referee = maze("%%%%%%", "%P  .%", "%%%%%%", steps=2)
    referee.play_line(["East", "West"])
    assert referee.utilities() == (-2,)
    assert "out of time" in referee.game.picture(referee.state).caption


# -- who plays ------------------------------------------------------------------------------------------


def test_one_ghost_makes_a_zero_sum_game_for_two_and_more_make_one_for_many():
    alone, duel, crowd = PacMan("small", 0), PacMan("small", 1), PacMan("small")
    assert [(game.players, game.zero_sum) for game in (alone, duel, crowd)] == [(1, False), (2, True), (3, False)]
    assert "alphabeta" in suitable_algorithms(duel)
    assert "alphabeta" not in suitable_algorithms(crowd)
    assert {"maxn", "paranoid"} <= set(suitable_algorithms(crowd))


def test_ghosts_that_move_by_chance_are_dice():
    game = PacMan(random="true")
    state = game.result(game.initial(), EAST)
    assert (game.players, game.chance, game.to_move(state)) == (1, True, CHANCE)
    assert list(game.outcomes(state)) == [(NORTH, 1 / 3), (SOUTH, 1 / 3), (EAST, 1 / 3)]
    half = PacMan(random="1")
    assert (half.players, half.zero_sum) == (2, True)
    states = [half.initial()]
    states.append(half.result(states[0], EAST))
    states.append(half.result(states[1], NORTH))
    assert [half.to_move(state) for state in states] == [0, 1, CHANCE]


def test_options_are_understood_and_refused():
    assert PacMan(random=True).spec() == "pacman:random=true"
    for spec, sentence in (
        ("pacman:ghosts=5", "pacman has 0 to 4 ghosts, not 5"),
        ("pacman:random=maybe", "random is true, false or how many ghosts move by chance, not maybe"),
        ("pacman:random=3", "random=3, but only 2 ghosts take part in this layout"),
        ("pacman:steps=0", "pacman ends after 1 to 1000000 steps of Pac-Man, not 0"),
        ("pacman:layout=nowhere", "there is no layout 'nowhere'; try corridor, trapped, tiny, "),
    ):
        with pytest.raises(UsageError, match=sentence.replace("(", r"\(")):
            find(spec)


def test_without_stop_pacman_keeps_moving():
    game = PacMan(stop=False)
    assert "Stop" not in names(Referee(game))


# -- values ---------------------------------------------------------------------------------------------


def test_the_lectures_pacman_alone_is_worth_eight_and_six_after_a_step_to_the_left():
    """10 points for the pellet two steps to the right, one lost per move; here the last pellet gives 500 more."""
    game = PacMan("corridor", steps=8)
    start = game.initial()
    assert minimax(game, start, 0) == 500 + 8
    assert minimax(game, game.result(start, MOVES.index("West")), 0) == 500 + 6


def test_a_trapped_pacman_gives_up_against_perfect_ghosts_and_dares_against_random_ones():
    perfect, chance = PacMan("trapped"), PacMan("trapped", random="true")
    doomed = values_of_moves(perfect, 8)
    assert max(doomed.values()) == doomed["East"] == -501  # to lose as few points as possible
    hopeful = values_of_moves(chance, 8)
    assert max(hopeful.values()) == hopeful["West"] > 0


@pytest.mark.compiled
@pytest.mark.long
def test_best_play_of_a_trapped_pacman_against_random_ghosts_is_worth_the_same_with_more_time():
    values = [solve(PacMan("trapped", random="true", steps=steps)).value for steps in (25, 30)]
    assert values == [(-79.5,), (-79.5,)]


def values_of_moves(game, depth):
    """The values of Pac-Man's first moves by a search to this depth."""
    start = game.initial()
    return {
        game.format_action(start, action): expectiminimax(game, game.result(start, action), 0, depth)
        for action in game.actions(start)
    }


@settings(max_examples=25)
@given(
    st.sampled_from(["pacman", "pacman:layout=medium,random=true", "pacman:layout=tiny,steps=40"]),
    st.integers(0, 2**32),
)
def test_the_score_stays_within_its_bounds_and_the_estimate_too(spec, seed):
    game, rng = find(spec), random.Random(seed)
    state, seen = game.initial(), []
    while not game.is_terminal(state) and len(seen) < 150:
        low, high = game.bounds(state, 0)
        assert low <= game.evaluate(state, 0) <= high
        seen.append((low, high))
        state = game.result(state, rng.choice(list(game.actions(state))))
    low, high = game.bounds(state, 0)
    assert all(least <= low <= high <= most for least, most in seen)
    if game.is_terminal(state):
        assert low == high == game.utility(state, 0)


@pytest.mark.compiled
def test_expectimax_two_rounds_deep_hardly_ever_loses_to_random_ghosts():
    game = PacMan(random="true")
    ends = [expectimax_end(game, seed) for seed in range(20)]
    assert sum(end.is_caught for end in ends) <= 2
    assert sum(end.score for end in ends) > 20 * 1000


@pytest.mark.compiled
@pytest.mark.long
def test_expectimax_two_rounds_deep_wins_95_of_100_games_with_1000_points_on_average():
    game = PacMan(random="true")
    ends = [expectimax_end(game, seed) for seed in range(100)]
    assert sum(not game.maze.has_food(end.pellets) for end in ends) >= 95
    assert sum(end.score for end in ends) > 100 * 1000


def expectimax_end(game, seed):
    """The end of a game in which Pac-Man looks two rounds ahead."""
    state, rng = game.initial(), random.Random(seed)
    while not game.is_terminal(state):
        moves = list(game.actions(state))
        if game.to_move(state) == CHANCE:
            action = rng.choice(moves)
        else:
            action = max(moves, key=lambda move: expectiminimax.run(game, game.result(state, move), 0, 5))
        state = game.result(state, action)
    return state


# -- the contract ---------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_it_keeps_the_contract_with_dice_and_a_short_end():
    assert_conformant(find("pacman:layout=tiny,random=true,steps=60"), games=6)


@pytest.mark.compiled
def test_another_layout_of_the_same_kind_needs_no_compiling():
    assert digest(PacMan("tiny")) == digest(PacMan("small", ghosts=1, steps=50))
    assert digest(PacMan("tiny")) != digest(PacMan("tiny", stop=False))


# -- notation -------------------------------------------------------------------------------------------


def test_directions_are_written_out_or_by_their_first_letter():
    game = PacMan()
    start = game.initial()
    assert [game.parse_action(start, text) for text in ("w", "E", "east", "Stop")] == [3, 2, 2, 4]
    with pytest.raises(IllegalMove, match="South is not legal here; try East, West or Stop"):
        game.parse_action(start, "South")
    with pytest.raises(IllegalMove, match="up is not legal here"):
        game.parse_action(start, "up")


def test_a_person_types_the_first_letter(maze):
    referee = maze("%%%%%", "%P. %", "% % %", "%   %", "%%%%%")
    assert [read_move(referee, text) for text in ("s", "e", "st", "So")] == ["South", "East", "Stop", "South"]


def test_spectators_see_the_maze_after_every_round_and_at_the_end(capsys):
    play_game("pacman:layout=trapped,random=true", "", "random", None, 0, Limit(), seed=3)
    shown = capsys.readouterr().out
    assert shown.count("score ") == shown.count("plays") + 1
    assert re.search(r"score -?\d+: (caught|won)\n", shown)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense", "'nonsense' is not a position of Pac-Man; write the rows of the maze"),
        ("%%% P1,1- G1,1- fright=0 score=0 round=0 turn=P", "'%%%' is not a maze of this layout; it has 6 rows of 10"),
        ("MAZE P1,1- fright=0 score=0 round=0 turn=P", "is not Pac-Man (P) and then 1 ghost (G or S)"),
        ("MAZE P0,0- G8,4- fright=0 score=0 round=0 turn=P", "P0,0- is impossible: it is not a square of the maze"),
        ("MAZE P99,1- G8,4- fright=0 score=0 round=0 turn=P", "P99,1- is impossible: it is not a square of the maze"),
        ("MAZE P1,1e G8,4- fright=0 score=0 round=0 turn=P", "P1,1e is impossible: behind it is a wall"),
        ("MAZE P1,1- G8,4- fright=0 score=0 round=0 turn=2", "turn=2 is impossible: there is 1 ghost"),
        ("MAZE P1,1- G8,4- fright=0 score=-1001 round=1001 turn=P", "the game ends after round 1000"),
        ("MAZE P1,1- S8,4- fright=3 score=0 round=0 turn=P", "a ghost cannot be scared as long as no capsule is eaten"),
        ("MAZE P1,1- G8,4- fright=3 score=0 round=0 turn=P", "fright=3 is impossible"),
        ("MAZE P1,1- G8,4- fright=0 score=7 round=0 turn=P", "score=7 is impossible: after 0 moves and 0 food it is 0"),
        ("MAZE P1,1- G8,4- fright=0 score=-500 round=0 turn=P caught", "cannot be caught where no ghost is"),
    ],
)
def test_positions_that_cannot_be_are_refused_with_one_sentence(text, sentence):
    game = find("pacman:layout=tiny")
    maze = game.format_state(game.initial()).partition(" ")[0]
    with pytest.raises(BadPosition) as caught:
        game.parse_state(text.replace("MAZE", maze))
    assert sentence in str(caught.value)


def test_pellets_lie_only_where_the_layout_has_them():
    game = find("pacman:layout=corridor")
    with pytest.raises(BadPosition, match=r"row 2, column 2 of the maze is '\.'; this layout has _ there"):
        game.parse_state("%%%%%%%/%.___.%/%%%%%%% P3,1- fright=0 score=0 round=0 turn=P")
