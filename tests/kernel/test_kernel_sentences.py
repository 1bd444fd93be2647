"""What is made of the compiler's texts, without the compiler: recorded texts, and the sentences they become."""

import inspect
import linecache
import re
from pathlib import Path

import pytest
from little_rules import Take, lines
from processes import write
from styles import Lists

from zermelo.core.wrapped import Wrapped
from zermelo.kernel.diagnostics import explain_not_plain, explain_refusal
from zermelo.textbook.minimax import minimax

pytestmark = pytest.mark.plain

HEADLINE = "Failed in nopython mode pipeline (step: nopython frontend)\n"
NESTED = f"""{HEADLINE}No implementation of function Function(<function Lists.actions at 0x7f1>) found for signature:

 >>> choose(Lists[0123456789abcdef], rules.Heap[01234567](int64, int64))

There are 2 candidate implementations:
  Rejected as the implementation raised a specific error:
    TypingError: {HEADLINE}  TEXT

  File "PLACE", line 2:
      <source elided>
      ^

  raised from /lib/site-packages/numba/core/typeinfer.py:1083

During: typing of call at {minimax.function.__code__.co_filename} (26)
"""

TEXTS = {
    "The use of yield in a closure is unsupported.": "`any(...)` over a generator does not compile, write a for loop",
    "Untyped global name 'TABLE': Cannot determine Numba type of <class 'dict'>": "TABLE is a dict, make it a tuple",
    "Untyped global name 'super': unknown": "`super` does not compile",
    "Unknown attribute 'mover' of type rules.Heap[01234567](int64, int64)": "Heap has no 'mover'",
    "Unknown attribute 'upper' of type unicode_type": "a text has no 'upper' that compiles",
    "Unknown attribute 'step' of type Lists[0123456789abcdef]": "Lists has no attribute or method 'step'",
    "Unknown attribute 'add' of type range_iter_int64": "this comprehension does not compile, write a for loop",
    "Can't unify return type from the following types: Literal[int](1), none": "the function returns None here",
    "Cannot unify UniTuple(int64, 2) and float64 for 'best.2', defined at": "best is a tuple here and a real number",
    "Cannot unify uint64 and list(int64)<iv=None> for '$phi', defined": "one branch gives a 64-bit word here",
    "Cannot resolve setattr: (Lists[0123456789abcdef]).last = int64": "the rules cannot change self.last",
    "('wrong tuple length for s: ', 'expected 3, got 2')": "3 names for 2 values",
    "Use of unsupported opcode (LOAD_CLASSDEREF) found": "this statement does not compile (load classderef)",
    "Illegal IR, del found at: del left": "`del` does not compile",
    "compiler re-entrant to the same function signature": "`any` calls itself",
    "Type of variable '$4' cannot be determined, operation: x": (
        "the compiler cannot determine what kind of value this is"
    ),
    "No implementation of Function\n\n >>> xor(uint64, int64)\n": "`^` does not go with a 64-bit word and a whole",
    "No implementation of function Function(<class 'set'>)\n\n >>> frozenset()\n": "`frozenset()` does not compile",
    "No implementation of Function\n\n >>> sorted(UniTuple(int64, 3), bool)\n": "`sorted` does not compile for a tuple",
    "Cannot cast bool to unicode_type: x": "a truth value stands where a text should be",
    "Cannot determine Numba type of <class 'random.Random'>": "a value of type random.Random does not compile",
    "the name of the game": "the name of the game",
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_recorded_text_becomes_a_sentence(text, tmp_path):
    place = write(tmp_path, "my_rules.py", "def actions(self, state):\n    return any(number for number in state)\n")
    told = NESTED.replace("TEXT", text).replace("PLACE", str(place))
    sentence = explain_refusal(Exception(told), [Wrapped(Lists())])
    assert sentence.startswith(f"my_rules.py, line 2: {TEXTS[text]}")
    assert sentence.endswith("; Lists runs interpreted, which is slower")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("NameError: name 'stones' is not defined", "stones"),
        ("Function(<function Lists.actions at 0x7f1>): something", "def actions"),
        (f"at {lines.function.__code__.co_filename} (1): something", '"""Little games'),
        (f"OptionalType(int64) at {minimax.function.__code__.co_filename} (LINE)", "def utility"),
        ("No definition for lowering Lists[0123456789abcdef].most = int64", "self.stones, self.most ="),
        ("minus() got an unexpected keyword argument 'by'", None),
    ],
)
def test_without_a_line_of_the_users_the_method_is_named(text, source):
    code, first = inspect.getsourcelines(minimax.function)
    [asked] = [first + index for index, line in enumerate(code) if "game.utility(" in line]
    sentence = explain_refusal(Exception(text.replace("LINE", str(asked))), [Lists()])
    found = re.match(r"(\w+\.py), line (\d+): ", sentence)
    if source is None:
        assert sentence.startswith("Lists does not compile: there is no parameter by")
    else:
        assert source in linecache.getline(str(Path(__file__).with_name(found[1])), int(found[2]))


def test_endless_recursion_of_the_compiler_is_a_function_that_calls_itself():
    assert "a function calls itself" in explain_refusal(RecursionError(), [Take()])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1 << 64, "the state (or an argument) is 18446744073709551616, which does not fit into 64 bits"),
        ("text", "the state (or an argument) is a str, which does not compile"),
        ((1, (2, [3])), "field 1.1 of the state is a list, which does not compile"),
        ((1, -(1 << 63)), "field 1 of the state is -9223372036854775808, which does not fit into 64 bits"),
    ],
)
def test_values_that_are_not_numbers_are_named(value, reason):
    sentence = explain_not_plain(value, [Wrapped(Take())])
    assert sentence.startswith(f"little_rules.py, line {Take.initial.__code__.co_firstlineno}: {reason}")
