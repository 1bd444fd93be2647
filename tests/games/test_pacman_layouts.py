"""Layouts: the ones that come along, a student's own, and what is wrong with a broken one."""

import pytest

from zermelo.core.errors import RulesError, UsageError
from zermelo.games import find
from zermelo.games.pacman.layout import find_layout, layout_names, read_layout
from zermelo.games.pacman.maze import Maze

pytestmark = pytest.mark.plain

OWN = "%%%%%\n%P.G%\n%%%%%\n"


@pytest.mark.parametrize("name", layout_names())
def test_every_layout_that_comes_along_can_be_played(name):
    layout = find_layout(name)
    assert layout.food
    assert set(layout.food) | set(layout.capsules) | set(layout.ghosts) <= set(layout.squares)


def test_there_is_something_between_a_corridor_and_the_arcade():
    sizes = {name: (find_layout(name).width, find_layout(name).height) for name in layout_names()}
    assert list(sizes) == ["corridor", "trapped", "tiny", "open", "small", "medium", "large"]
    assert (sizes["small"], sizes["medium"], sizes["large"]) == ((20, 7), (20, 11), (28, 27))


def test_your_own_layout_loads_from_its_file(tmp_path):
    file = tmp_path / "my.lay"
    file.write_text("\n" + OWN.replace("\n", "  \r\n") + "\n")
    game = find(f"pacman:layout={file}")
    assert game.maze.layout.rows == ("%%%%%", "%P.G%", "%%%%%")
    assert find(game.spec()).options() == game.options()


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"there is no layout 'my\.lay'; try corridor, .* large, or a file such as"):
        find("pacman:layout=my.lay")
    (tmp_path / "binary.lay").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"is not a text; a layout is written with % \. o P G and blanks"):
        find(f"pacman:layout={tmp_path / 'binary.lay'}")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        find(f"pacman:layout={tmp_path}")


def test_the_file_is_named_before_the_line(tmp_path):
    file = tmp_path / "my.lay"
    file.write_text(OWN.replace("P", " "))
    with pytest.raises(RulesError, match=r"my\.lay, line 1: there is no Pac-Man in the layout; put one P"):
        find(f"pacman:layout={file}")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("", "line 1: the layout is empty; the smallest one has three rows of walls, food and Pac-Man"),
        ("%%%%/%. %/%%%%", "line 1: there is no Pac-Man in the layout; put one P"),
        ("%%%%%/%P.P%/%%%%%", "line 2, column 4: this is a second Pac-Man; a layout has one P"),
        ("%%%%/%P.%/%%%", "line 3: this row is 3 long and the first one 4; all rows must be equally long"),
        ("%%%%/%Px.%/%%%%", "line 2, column 3: 'x' means nothing in a layout; use % . o P G 1 2 3 4 and blanks"),
        ("%%%%/%P %/%%%%", "line 1: there is no food (.) in the layout, so the game would be over at once"),
        ("%%%%/%P. /%%%%", "line 2: this row is 3 long and the first one 4; all rows must be equally long"),
        ("%%%%/ P.%/%%%%", "line 2: the border is open here; a maze has walls (%) all round"),
        ("%%%%/%P.%/%%.%", "line 3: the border is open here; a maze has walls (%) all round"),
        ("%%%%%%/%P.%.%/%%%%%%", "line 2, column 5: Pac-Man cannot reach food here; open a way or take it out"),
        ("%%%%%%/%P.%o%/%%%%%%", "line 2, column 5: Pac-Man cannot reach a capsule here; open a way or take it out"),
        ("%%%%%%/%P.%G%/%%%%%%", "line 2, column 5: this ghost is walled in; leave it a way to Pac-Man"),
        ("%%%%%%%%%/%P.GGGGG%/%%%%%%%%%", "line 1: the layout has 5 ghosts; there is room for 4"),
    ],
)
def test_errors_in_a_layout_are_one_sentence_with_the_line(rows, sentence):
    with pytest.raises(RulesError) as caught:
        read_layout(rows.replace("/", "\n"))
    assert str(caught.value) == sentence


def test_numbers_say_which_ghost_moves_first():
    layout = read_layout("%%%%%%%\n%3.P.G%\n%2...1%\n%%%%%%%")
    assert [cell % 7 for cell in layout.ghosts] == [5, 5, 1, 1]
    assert [cell // 7 for cell in layout.ghosts] == [1, 2, 2, 1]


def test_unreachable_squares_count_as_walls():
    layout = read_layout("%%%%%%%\n%P.%  %\n%%%%%%%")
    assert len(layout.squares) == 2


def test_distances_go_through_the_maze():
    maze = Maze(read_layout("%%%%%%%\n%P.%..%\n%.%%.%%\n%.....%\n%%%%%%%"), 4)
    cells = maze.layout.squares
    assert maze.distance(cells.index(9), cells.index(12)) == 9
    assert [cells[maze.nearest_food(0, rank)] for rank in range(3)] == [9, 15, 22]
    assert cells[maze.neighbour(3, 0)] == cells[3]
