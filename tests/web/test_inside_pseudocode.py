"""The pseudocode beside a recorded search: every step has a line, every line a step, and both follow the textbook."""

import inspect
import sys
from pathlib import Path

import pytest

from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.inside.mcts_recording import MctsRecording
from zermelo.inside.recordings import record
from zermelo.textbook.mcts import mcts
from zermelo.textbook.pseudocode import PSEUDOCODE
from zermelo.web.recording_process import LOOKABLE

pytestmark = [pytest.mark.plain, pytest.mark.no_cover]

LECTURE = Tree("max(min(3 12 8) min(2 4 6) min(14 5 2) max(min(1 2 9) min(9 9)))")
DEEP = Tree("max(min(max(3 5) max(6 9 1)) min(max(1 2) max(0 -1)))")
DICE = Tree("max(5 chance(1/2:min(1 9) 1/2:min(2 8)) chance(min(3 4) min(0 9) min(8 9)) chance(max(9 1) max(9 2)))")
LUCK = Tree("min(2 chance(1/2:max(9 8) 1/2:max(9 8)) chance(1/2:min(9 8) 1/2:min(9 8)))")
ODDS = Tree("max(chance(9 chance(8 9)) chance(-9 chance(-8 -8)) chance(1 2))")
SHARED = Tree("p1(p2(<5,4,1> <4,2,4>) p2(<2,8,0> <5,3,2>) p2(<3,5,2> <1,6,3>) chance(<1,1,8> <2,2,6>))")
PIG, CHESS, TRIO, HEXAPAWN = find("pig"), find("chess"), find("trio"), find("hexapawn")
SEARCHES = {
    "minimax": [(LECTURE, None), (HEXAPAWN, 2)],
    "alphabeta": [(LECTURE, None), (DEEP, None), (HEXAPAWN, 2), (Tree("max(1 2)"), None)],
    "quiescence": [(LECTURE, None), (DEEP, None), (CHESS, 1), (find("othello"), 1)],
    "expectiminimax": [(DICE, None), (LECTURE, None), (PIG, 2)],
    "star1": [(DICE, None), (LUCK, None), (ODDS, None), (LECTURE, None), (PIG, 3)],
    "star2": [(DICE, None), (LUCK, None), (ODDS, None), (LECTURE, None), (DEEP, None), (PIG, 3)],
    "maxn": [(SHARED, None), (TRIO, 1), (LECTURE, None)],
    "maxn-shallow": [(SHARED, None), (TRIO, 1)],
    "paranoid": [(SHARED, None), (TRIO, 2)],
    "bestreply": [(SHARED, None), (TRIO, 2)],
    "expectimax": [(SHARED, None), (LECTURE, None), (HEXAPAWN, 2)],
}


def test_every_search_that_can_be_looked_into_has_pseudocode():
    assert sorted(PSEUDOCODE) == sorted(LOOKABLE)


def steps_of(found):
    """All steps of a recording: of entering, of leaving, and of waiting for a child."""
    steps = set()
    for number in range(found.size):
        node, below = found.node(number), found.children(number)
        steps |= {node["steps"]["leave"]} | ({node["steps"]["enter"]} if "enter" in node["steps"] else set())
        steps |= set(node.get("probe", {}).get("steps", {}).values())
        if "stand_pat" in node and node["children"]:
            steps.add("stand pat")
        if any(is_called(node, child) for child in below):
            steps.add(node["steps"]["call"])
    return steps


def is_called(node, child):
    """Whether a node has called the search for a child: not for the reply of its probe, nor before all of it."""
    if child["kind"] == "cut" or only_probed(node) or only_probed(child):
        return False
    return child["entered"] > node["entered"] and child["steps"]["leave"] != "known outcome"


def only_probed(node):
    return node.get("probe", {}).get("entered") == node["entered"]


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_every_line_is_reached_and_every_step_has_a_line(algorithm):
    steps = {"begin"}.union(*(steps_of(record(algorithm, *at(game), depth)) for game, depth in SEARCHES[algorithm]))
    lines = PSEUDOCODE[algorithm].lines
    assert [line.text for line in lines if not steps & set(line.steps)] == []
    assert steps - {step for line in lines for step in line.steps} == set()


def at(game):
    return game, game.initial()


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_a_line_is_reached_where_the_textbook_runs_the_line_that_it_stands_for(algorithm):
    """In each single tree: what the search has executed, and what the recording says, are the same."""
    source = PSEUDOCODE[algorithm].source
    for game, depth in SEARCHES[algorithm]:
        ran, found = executed(source, lambda: record(algorithm, *at(game), depth))  # noqa: B023
        steps = steps_of(found)
        for line in PSEUDOCODE[algorithm].lines[1:]:
            reached = {
                step for other in PSEUDOCODE[algorithm].lines if other.source == line.source for step in other.steps
            }
            assert bool(reached & steps) == bool(ran & numbers_of(source, line.source)), (game, line.text)


def test_lines_of_monte_carlo_tree_search_stand_for_lines_of_the_textbook():
    for line in PSEUDOCODE["mcts"].lines[1:]:
        assert numbers_of(inspect.getmodule(mcts), line.source), line.text


@pytest.mark.parametrize("game", [PIG, find("tic-tac-toe")], ids=["pig", "tic-tac-toe"])
def test_every_line_of_monte_carlo_tree_search_is_reached(game):
    recording = MctsRecording(game, game.initial(), seed=1)
    recording.grow(40, 60)
    steps = {step for done in range(41) for step in recording.describe(done, 10)["steps"]}
    missing = [line.text for line in PSEUDOCODE["mcts"].lines if not steps & set(line.steps)]
    assert missing == ([] if game.chance else [PSEUDOCODE["mcts"].lines[3].text])


def test_the_first_simulation_expands_and_the_last_one_of_a_finished_game_does_not():
    game = Tree("max(1 2)")
    recording = MctsRecording(game, game.initial(), seed=1)
    recording.grow(5, 60)
    assert recording.describe(0, 10)["steps"] == ["begin"]
    assert recording.describe(1, 10)["steps"] == ["expand", "back up"]
    assert recording.describe(4, 10)["steps"] == ["select", "back up"]


# -- the textbook's lines --------------------------------------------------------------------------


def numbers_of(source, fragments):
    """The numbers of the lines that contain a fragment; of joined ones, of the last."""
    rows, first = inspect.getsourcelines(source)
    parts = [part.strip() for part in fragments.split("⏎")]
    found = set()
    for number in range(len(rows) - len(parts) + 1):
        if all(part in row for part, row in zip(parts, rows[number : number + len(parts)], strict=True)):
            found.add(max(first, 1) + number + len(parts) - 1)
    assert found, f"the textbook has no line {fragments}"
    return found


def executed(source, search):
    """The lines of a function that a search runs, and the search's result."""
    function = inspect.unwrap(source)
    file, lines = Path(inspect.getsourcefile(function)), set()
    rows, first = inspect.getsourcelines(function)

    def trace_lines(frame, event, _argument):
        if event == "line":
            lines.add(frame.f_lineno)
        return trace_lines

    def trace_calls(frame, _event, _argument):
        code = frame.f_code
        is_inside = first <= code.co_firstlineno < first + len(rows) and Path(code.co_filename) == file
        return trace_lines if is_inside else None

    before = sys.gettrace()
    sys.settrace(trace_calls)
    try:
        result = search()
    finally:
        sys.settrace(before)
    return lines, result
