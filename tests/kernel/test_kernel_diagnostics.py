"""A game that does not compile: one sentence with the file and the line, and the right answer all the same."""

import re
import textwrap
import warnings

import pytest
from little_rules import Take, lines
from processes import write
from styles import STYLES, Talkative

from zermelo.core.wrapped import Wrapped
from zermelo.games.library.files import module_of
from zermelo.kernel import CompileWarning, Static, compiler, kernel
from zermelo.kernel.compiler import CannotCompile, why_interpreted
from zermelo.kernel.diagnostics import explain_refusal
from zermelo.textbook.minimax import minimax

HEAD = """
import random
from typing import NamedTuple
from little_rules import Heap, Take
from zermelo.core.game import Game
from zermelo.kernel import U64, state

WORTH = {1: 1, 2: 2, 3: 3}
STEPS = [0, 1, 2, 3]

class Thing:
    one = 1

def ways(number):
    return 1 if number < 2 else ways(number - 1) + ways(number - 2)

def named(**names):
    return names["one"]
"""

MISTAKES = {
    # the class body, with the line to be named marked by #!, and what the sentence says
    "any": (
        """
        def is_terminal(self, state):
            return not any(stones <= state.left for stones in (1, 2, 3))  #!
        """,
        "`any(...)` over a generator does not compile, write a for loop",
    ),
    "sum": (
        """
        def utility(self, state, player):
            one = sum(stones for stones in (1, 0))  #!
            return -one if player == state.player else one
        """,
        "`sum(...)` over a generator does not compile, write a for loop",
    ),
    "dict attribute": (
        """
        def __init__(self):
            super().__init__()
            self.worth = {1: 1, 2: 2, 3: 3}

        def result(self, state, action):
            return Heap(state.left - self.worth[action], 1 - state.player)  #!
        """,
        "self.worth is a dict, make it a tuple that is indexed by number",
    ),
    "list attribute": (
        """
        def __init__(self):
            super().__init__()
            self.steps = [0, 1, 2, 3]

        def result(self, state, action):
            return Heap(state.left - self.steps[action], 1 - state.player)  #!
        """,
        "self.steps is a list, make it a tuple",
    ),
    "object attribute": (
        """
        def __init__(self):
            super().__init__()
            self.luck = random.Random(1)

        def result(self, state, action):
            if self.luck.random() > 2:  #!
                return state
            return Heap(state.left - action, 1 - state.player)
        """,
        "self.luck is a Random, which does not compile",
    ),
    "dict constant": (
        """
        def result(self, state, action):
            return Heap(state.left - WORTH[action], 1 - state.player)  #!
        """,
        "WORTH is a dict, make it a tuple that is indexed by number",
    ),
    "list constant": (
        """
        def result(self, state, action):
            return Heap(state.left - STEPS[action], 1 - state.player)  #!
        """,
        "STEPS is not a constant, make it a tuple",
    ),
    "class constant": (
        """
        def result(self, state, action):
            return Heap(state.left - action, Thing.one - state.player)  #!
        """,
        "Thing is a type",
    ),
    "unknown attribute": (
        """
        def result(self, state, action):
            if action > 3:
                return Heap(self.limit, 0)  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "Mine has no attribute or method 'limit'",
    ),
    "unknown field": (
        """
        def to_move(self, state):
            return state.player if state.left >= 0 else state.mover  #!
        """,
        "Heap has no 'mover'",
    ),
    "unknown name": (
        """
        def to_move(self, state):
            if state.left < 0:
                return nobody  #!
            return state.player
        """,
        "the name nobody is not defined",
    ),
    "mixed results": (
        """
        def score(self, state):
            if state.left > 100:
                return "much"  #!
            return 1  #!

        def utility(self, state, player):
            return self.score(state) * (-1 if player == state.player else 1)
        """,
        "the function returns a text here and a whole number there, let it return one kind",
    ),
    "mixed variable": (
        """
        def result(self, state, action):
            left = state.left - action
            if left > 100:
                left = (left, 0)
            return Heap(left, 1 - state.player)  #!
        """,
        "left is a whole number here and a tuple there, keep it of one kind",
    ),
    "nothing returned": (
        """
        def utility(self, state, player):  #!
            if player == state.player:
                return -1
            elif player == 1 - state.player:
                return 1
        """,
        "the function returns a number on one path and None on another",
    ),
    "text and number": (
        """
        def result(self, state, action):
            if action > 3:
                print("too many: " + action)  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "`+` does not go with a text and a whole number",
    ),
    "try": (
        """
        def result(self, state, action):
            try:
                left = state.left - action
            except ValueError:  #!
                left = 0
            return Heap(left, 1 - state.player)
        """,
        "this `try` does not compile, test the condition with `if`",
    ),
    "with": (
        """
        def result(self, state, action):
            with open(__file__):  #!
                pass
            return Heap(state.left - action, 1 - state.player)
        """,
        "`with` does not compile",
    ),
    "yield from": (
        """
        def actions(self, state):
            yield from range(1, min(3, state.left) + 1)  #!
        """,
        "`yield from` does not compile, write a for loop with `yield`",
    ),
    "import": (
        """
        def result(self, state, action):
            import math  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "`import` inside a method does not compile",
    ),
    "walrus": (
        """
        def result(self, state, action):
            if (left := state.left - action) < 0:  #!
                return state
            return Heap(left, 1 - state.player)
        """,
        "`:=` does not compile, write the assignment on a separate line",
    ),
    "recursive helper": (
        """
        def utility(self, state, player):
            return ways(1) * (-1 if player == state.player else 1)
        """,
        "`ways` calls itself",
    ),
    "recursive method": (
        """
        def ways(self, number):
            return 1 if number < 2 else self.ways(number - 1) + self.ways(number - 2)  #!

        def utility(self, state, player):
            return self.ways(1) * (-1 if player == state.player else 1)
        """,
        "`ways` calls itself",
    ),
    "keyword arguments": (
        """
        def result(self, state, action):
            return Heap(state.left - action, named(one=1) - state.player)  #!
        """,
        "`named` has keyword-only parameters, which do not compile",
    ),
    "too few arguments": (
        """
        def result(self, state, action):
            if action > 3:
                return self.result(state)  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "missing a required argument: 'action'",
    ),
    "too few fields": (
        """
        def result(self, state, action):
            if action > 3:
                return Heap(state.left)  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "Heap(left, player): missing a required argument: 'player'",
    ),
    "replace": (
        """
        def result(self, state, action):
            return state._replace(left=state.left - action, player=1 - state.player)  #!
        """,
        "`_replace` does not compile, build the state anew: Heap(...)",
    ),
    "super": (
        """
        def result(self, state, action):
            return super().result(state, action)  #!
        """,
        "write `parent_result = Parent.result` in the class and call self.parent_result(...)",
    ),
    "parent": (
        """
        def result(self, state, action):
            return Take.result(self, state, action)  #!
        """,
        "write `parent_result = Take.result` in the class and call self.parent_result(...)",
    ),
    "isinstance": (
        """
        def to_move(self, state):
            return state.player if isinstance(state, Heap) else 0  #!
        """,
        "`isinstance` does not compile here",
    ),
    "changed attribute": (
        """
        def result(self, state, action):
            self.last = action  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "the rules cannot change self.last, keep it in the state",
    ),
    "changed global": (
        """
        def result(self, state, action):
            global LAST
            LAST = action  #!
            return Heap(state.left - action, 1 - state.player)
        """,
        "the rules cannot change a global variable, keep it in the state",
    ),
    "text as a state": (
        """
        def initial(self):  #!
            return "ooooooo"

        def to_move(self, state):
            return (7 - len(state)) % 2 * 0

        def actions(self, state):
            for stones in range(1, 4):
                if stones <= len(state):
                    yield stones

        def result(self, state, action):
            return state[action:]

        def utility(self, state, player):
            return 1
        """,
        "the state (or an argument) is a str, which does not compile",
    ),
    "text in a state": (
        """
        def initial(self):  #!
            return (7, ("", 0))

        def to_move(self, state):
            return state[1][1]

        def actions(self, state):
            for stones in range(1, 4):
                if stones <= state[0]:
                    yield stones

        def result(self, state, action):
            return (state[0] - action, ("", 1 - state[1][1]))

        def utility(self, state, player):
            return -1 if player == state[1][1] else 1
        """,
        "field 1.0 of the state is a str, which does not compile",
    ),
}


LIKE_ANOTHER = {
    "sum",
    "list attribute",
    "list constant",
    "class constant",
    "unknown field",
    "mixed variable",
    "with",
    "import",
    "walrus",
    "recursive helper",
    "too few fields",
    "parent",
    "changed global",
    "text in a state",
}
"""Found in the same way as a mistake that `make test` has."""


@pytest.fixture(autouse=True)
def _nothing_said_yet(monkeypatch):
    monkeypatch.setattr(compiler, "_warned", set())


def made(folder, body):
    """A game in a file of its own, with some rules changed."""
    rules = textwrap.indent(textwrap.dedent(body), "    ") or "    pass\n"
    return module_of(str(write(folder, "my_game.py", HEAD + "\nclass Mine(Take):\n" + rules))).Mine()


@pytest.mark.parametrize(
    "mistake",
    [pytest.param(mistake, marks=pytest.mark.long if mistake in LIKE_ANOTHER else []) for mistake in MISTAKES],
)
def test_one_sentence_names_the_line_and_the_answer_is_right(mistake, tmp_path):
    body, phrase = MISTAKES[mistake]
    game = made(tmp_path, body)
    source = (tmp_path / "my_game.py").read_text()
    with pytest.warns(CompileWarning) as told:
        assert [minimax.run(game, game.initial(), 0) for _ in range(2)] == [1, 1]  # seven stones, one to three a move
    [sentence] = [str(warning.message) for warning in told]
    marked = [number for number, line in enumerate(source.splitlines(), 1) if "#!" in line or "1 if number < 2" in line]
    assert re.match(rf"my_game\.py, line ({'|'.join(map(str, marked))}): ", sentence), sentence
    assert phrase in sentence
    assert sentence.endswith("; Mine runs interpreted, which is slower")
    assert len(sentence) < 240
    assert not re.search(r"numba|nopython|Literal|int64|Function|overload|choose|0x|\n|<", sentence), "no jargon"


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_more_of_python_compiles_than_one_would_think(style):
    game = style()
    assert lines.run_compiled(game, game.initial(), 9) == lines(Take(), Take().initial(), 9)


def test_one_game_one_warning_however_many_kernels_it_meets(tmp_path):
    game = made(tmp_path, MISTAKES["any"][0])
    with pytest.warns(CompileWarning) as told:
        assert [search.run(game, game.initial(), 1) for search in (minimax, lines, minimax)] == [-1, 3, -1]
    assert len(told) == 1


def test_print_works(capfd):
    game = Talkative(stones=1)
    assert minimax.run_compiled(game, game.initial(), 0) == 1
    assert capfd.readouterr().out == "end 0\n"


def test_the_game_is_named_and_not_its_wrapper(tmp_path):
    game = Wrapped(Wrapped(made(tmp_path, MISTAKES["any"][0])))
    with pytest.raises(CannotCompile, match=r"my_game\.py, line \d+: .*; Mine runs interpreted"):
        minimax.run_compiled(game, game.initial(), 0)


def test_a_mistake_that_is_mended_compiles(tmp_path):
    mistake = MISTAKES["any"][0]
    for rules, compiles in ((mistake, False), ("", True), (mistake, False)):
        game = made(tmp_path, rules)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert lines.prepare(game, game.initial(), 0) == compiles
        assert (why_interpreted(lines, [game, game.initial(), 0]) is None) == compiles


@kernel
def asks_too_much(static: Static) -> int:
    return static.answer()


def test_a_mistake_without_a_place_of_the_users_names_the_class():
    with pytest.raises(CannotCompile, match="Static has no attribute or method 'answer'"):
        asks_too_much.run_compiled(Static())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Static does not compile: the compiler gives no reason; Static runs interpreted, which is slower"),
        ("Something new\nand more", "Static does not compile: Something new; Static runs interpreted, which is slower"),
        (
            "Failed in nopython mode pipeline (step: x)\nOuter\n Failed in nopython mode pipeline (step: y)\n Inner\n",
            "Static does not compile: Inner; Static runs interpreted, which is slower",
        ),
    ],
)
def test_an_unforeseen_error_text_is_cut_to_its_core(text, sentence):
    assert explain_refusal(Exception(text), [Static()]) == sentence
