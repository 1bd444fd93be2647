"""Diagnostics: turn the compiler's error text into one sentence that names the user's file and line.

    mygame.py, line 12: `any(...)` over a generator does not compile, write a for loop; MyGame runs interpreted,
    which is slower

The compiler reports the innermost cause first, so the first place outside Zermelo and numba is the one to name.
"""

from __future__ import annotations

import dis
import linecache
import os
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from zermelo.kernel.digest import is_ours
from zermelo.kernel.memory import Refused
from zermelo.kernel.static import Static
from zermelo.kernel.words import U64

OWN_WORDS = "zermelo says:"
"""Marks our own sentences in the compiler's text."""

_PACKAGE = str(Path(__file__).resolve().parent.parent)
_PLACE = re.compile(
    r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)|(?:at|location:|from) (?P<file2>[^\s(]+) \((?P<line2>\d+)\)'
)


class Place(NamedTuple):
    file: str
    line: int

    def __str__(self) -> str:
        return f"{Path(self.file).name}, line {self.line}"

    @property
    def source(self) -> str:
        return linecache.getline(self.file, self.line).strip()


def explain_refusal(error: BaseException, statics: Sequence[Static]) -> str:
    """The reason for a refusal by the compiler, in one sentence."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if isinstance(error, RecursionError):
        text = "re-entrant to the same function signature"
    user = _user_object(statics)
    places = list(_places(text))
    place = next((place for place in places if not place.file.startswith(_PACKAGE)), None)
    reason = _reason(text, place, user)
    if place is None:
        place = _guessed_place(text, places, user)
    return _sentence(place, reason, user)


def explain_not_plain(value: Any, statics: Sequence[Static]) -> str:
    """The sentence for a value that is not made of numbers, so that the game does not compile."""
    user = _user_object(statics)
    where, culprit = next(_culprits(value, ""), ("", value))
    field = f"field {where} of the state" if where else "the state (or an argument)"
    if isinstance(culprit, int):
        reason = f"{field} is {culprit}, which does not fit into 64 bits"
    else:
        kind = type(culprit).__name__
        reason = f"{field} is a {kind}, which does not compile, make states of numbers, U64 words and tuples of them"
    initial = getattr(type(user), "initial", None)
    return _sentence(_place_of(initial) if isinstance(initial, FunctionType) else None, reason, user)


def _culprits(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """The parts of a value without a compiled type, each with its path: `board.3`."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        for name, item in zip(names, value, strict=True):
            yield from _culprits(item, f"{where}.{name}" if where else str(name))
    elif isinstance(value, int):
        if not isinstance(value, U64) and not -(1 << 63) < value < 1 << 63:
            yield where, value
    elif not isinstance(value, float | Static):
        yield where, value


def explain_outgrown(error: BaseException, statics: Sequence[Static]) -> str:
    """The sentence for a number of the rules that became too large for compiled code."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [Place(frame.filename, frame.lineno or 0) for frame in frames]
    place = next((place for place in reversed(places) if not place.file.startswith(_PACKAGE)), None)
    source = place.source if place else ""
    what = str(error) if isinstance(error, Refused) else "gives a whole number of more than 64 bits"
    reason = f"`{source}` {what}" if source else str(error)
    return _sentence(place, reason, _user_object(statics))


def _sentence(place: Place | None, reason: str, user: Static | None) -> str:
    name = type(user).__name__ if user is not None else "it"
    begin = f"{place}: {reason}" if place is not None else f"{name} does not compile: {reason}"
    return f"{begin}; {name} runs interpreted, which is slower"


# -- places --------------------------------------------------------------------------------------------


def _user_object(statics: Sequence[Static]) -> Static | None:
    """The object to name: the first that is not Zermelo's own, inside wrappers too."""
    waiting = list(statics)
    for static in waiting:  # it grows in the loop
        if not is_ours(type(static).__module__):
            return static
        waiting += [value for value in static.constants().values() if isinstance(value, Static)]
    return waiting[-1] if waiting else None


def _places(text: str) -> Iterator[Place]:
    for found in _PLACE.finditer(text):
        file = found["file"] or found["file2"]
        name = file[file.index("<") :] if "<" in file else os.path.abspath(file)
        if not {"numba", "llvmlite"} & set(Path(name).parts) and not name.startswith(os.path.dirname(__file__)):
            yield Place(name, int(found["line"] or found["line2"]))


def _place_of(function: FunctionType) -> Place:
    return Place(function.__code__.co_filename, function.__code__.co_firstlineno)


def _methods(user: Static | None) -> dict[str, FunctionType]:
    """The user's own methods by name."""
    return {
        name: getattr(value, "unchecked", value)
        for cls in reversed(type(user).__mro__)
        if not is_ours(cls.__module__)
        for name, value in vars(cls).items()
        if isinstance(value, FunctionType)
    }


def _guessed_place(text: str, places: Sequence[Place], user: Static | None) -> Place | None:
    """The method that the compiler was working on, if it names no line of the user's code."""
    methods = _methods(user)
    if name := re.search(r"name '(\w+)' is not defined", text):
        return _line_with(methods, lambda step: step.argval == name[1])
    if changed := re.search(r"No definition for lowering [^\n]*\.(\w+) =", text):
        return _line_with(methods, lambda step: step.opname == "STORE_ATTR" and step.argval == changed[1])
    if "'with " in text:
        return _line_with(methods, lambda step: step.opname == "BEFORE_WITH")
    if keyword := re.search(r"(\w+)\(\) got an unexpected keyword argument", text):
        return _line_with(methods, lambda step: step.opname.startswith("LOAD") and step.argval == keyword[1])
    for method in re.findall(r"Function\(<function \w+\.(\w+) at", text)[::-1]:
        if method in methods:
            return _place_of(methods[method])
    for place in places:  # lines of our kernels: `game.utility(state, player)`
        for method in re.findall(r"\bgame\.(\w+)\(", place.source):
            if method in methods:
                return _place_of(methods[method])
    return None


def _line_with(methods: dict[str, FunctionType], fits: Callable[[dis.Instruction], bool]) -> Place | None:
    for function in methods.values():
        line = function.__code__.co_firstlineno
        for step in dis.get_instructions(function):
            line = step.starts_line or line
            if fits(step):
                return Place(function.__code__.co_filename, line)
    return None


# -- reasons -------------------------------------------------------------------------------------------


def _reason(text: str, place: Place | None, user: Static | None) -> str:
    """The reason, and the remedy."""
    for pattern, explain in _REASONS:
        if found := re.search(pattern, text):
            return explain(found, place.source if place else "", user)
    return _innermost(text)


def _generator(found: re.Match[str], source: str, user: Static | None) -> str:
    name = re.search(r"\b(any|all|sum|min|max|sorted|tuple|list|set|dict|len|next)\(", source)
    what = f"`{name[1]}(...)` over a generator" if name else "a generator expression"
    return f"{what} does not compile, write a for loop"


def _opcode(found: re.Match[str], source: str, user: Static | None) -> str:
    return {
        "GET_YIELD_FROM_ITER": "`yield from` does not compile, write a for loop with `yield`",
        "STORE_GLOBAL": "the rules cannot change a global variable, keep it in the state",
        "IMPORT_NAME": "`import` inside a method does not compile, import at the top of the file",
    }.get(found[1], f"this statement does not compile ({found[1].lower().replace('_', ' ')})")


def _attribute(found: re.Match[str], source: str, user: Static | None) -> str:
    name, owner = found[1], found[2]
    if name == "_replace":
        return f"`_replace` does not compile, build the state anew: {kind_of(owner)}(...)"
    if re.fullmatch(r"\w+\[\w{16}\]", owner):
        return f"{kind_of(owner)} has no attribute or method {name!r}"
    if owner.startswith("range_iter") and " for " in source:
        return "this comprehension does not compile, write a for loop"
    return f"{kind_of(owner)} has no {name!r}" + ("" if re.search(r"\[\w{8}\]", owner) else " that compiles")


def _global(found: re.Match[str], source: str, user: Static | None) -> str:
    name, kind = found[1], found[2] or ""
    parent = re.search(rf"\b{name}(?:\(\))?\.(\w+)\(", source)
    if parent and kind in ("", "type"):
        method, owner = parent[1], "Parent" if name == "super" else name
        return (
            f"`{name}` does not compile here, write `parent_{method} = {owner}.{method}` in the class "
            f"and call self.parent_{method}(...)"
        )
    return explain_unreadable(name, kind) if kind else f"`{name}` does not compile"


def explain_unreadable(name: str, kind: str) -> str:
    """The sentence for a value of this kind that the rules name."""
    remedy = {
        "list": "make it a tuple",
        "set": "make it a tuple",
        "frozenset": "make it a tuple",
        "dict": "make it a tuple that is indexed by number",
        "type": "write what you need of the class at the top of the file",
    }
    return f"{name} is a {kind}, {remedy.get(kind, 'which does not compile')}"


def _returns(found: re.Match[str], source: str, user: Static | None) -> str:
    kinds = sorted(set(map(kind_of, _split(found[1]))))
    return f"the function returns {' here and '.join(kinds)} there, let it return one kind"


def _variable(found: re.Match[str], source: str, user: Static | None) -> str:
    one, other, name = kind_of(found[1]), kind_of(found[2]), found[3].partition(".")[0]
    what = f"{name} is" if name.isidentifier() else "one branch gives"
    return f"{what} {one} here and {other} there, keep it of one kind"


def _itself(found: re.Match[str], source: str, user: Static | None) -> str:
    name = re.search(r"(\w+)\(", source)
    what = f"`{name[1]}`" if name else "a function"
    return f"{what} calls itself, which does not compile here; write a loop, or make it a function with @kernel"


def _cast(found: re.Match[str], source: str, user: Static | None) -> str:
    return f"{kind_of(found[1])} stands where {kind_of(found[2])} should be"


def _undetermined(found: re.Match[str], source: str, user: Static | None) -> str:
    if ":=" in source:
        return "`:=` does not compile, write the assignment on a separate line"
    return "the compiler cannot determine what kind of value this is"


def _call(found: re.Match[str], source: str, user: Static | None) -> str:
    """The innermost call that has no implementation."""
    name, arguments = found[1], _split(found[2])
    shown = [kind_of(argument) for argument in arguments]
    if name == "isinstance":
        return "`isinstance` does not compile here, a variable keeps one type in compiled code"
    if name in _OPERATORS and len(shown) == 2:
        return f"`{_OPERATORS[name]}` does not go with {shown[0]} and {shown[1]}"
    return f"`{name}` does not compile for {' and '.join(shown)}" if shown else f"`{name}()` does not compile"


def _expand(sentence: str) -> Callable[[re.Match[str], str, Static | None], str]:
    return lambda found, source, user: found.expand(sentence)


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}
_OPERATORS |= {"and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "getitem": "[...]"}
_OPERATORS |= {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in"}
_OPERATORS |= {"iadd": "+=", "isub": "-=", "imul": "*=", "iand": "&=", "ior": "|=", "ixor": "^="}

_REASONS: list[tuple[str, Callable[[re.Match[str], str, Static | None], str]]] = [
    (rf"{OWN_WORDS} ([^\n]+)", _expand(r"\1")),
    (r"re-entrant to the same function signature", _itself),
    (r"use of yield in a closure", _generator),
    (r"unsupported opcode \((\w+)\)", _opcode),
    (r"assigned to variable '(\w+)' in globals", _expand(r"\1 is not a constant, make it a tuple")),
    (r"Illegal IR, del found", _expand("`del` does not compile")),
    (r"'with \(context manager\)|Unsupported context manager", _expand("`with` does not compile")),
    (
        r"Exception matching is limited|[Tt]ry.{0,40}(?:block|region)|exception_match",
        _expand("this `try` does not compile, test the condition with `if`"),
    ),
    (r"NameError: name '(\w+)' is not defined", _expand(r"the name \1 is not defined")),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", _attribute),
    (r"Untyped global name '(\w+)'(?:[^\n]*<class '([\w.]+)'>)?", _global),
    (r"Can't unify return type from the following types: ([^\n]+)", _returns),
    (r"Cannot unify ([^\n]+) and ([^\n]+) for '([^']+)'", _variable),
    (
        r"(?:Cannot resolve setattr:|No definition for lowering) [^\n]*\.(\w+) =",
        _expand(r"the rules cannot change self.\1, keep it in the state"),
    ),
    (r"wrong tuple length for [^\n]*expected (\d+), got (\d+)", _expand(r"\1 names for \2 values")),
    (r"got an unexpected keyword argument '(\w+)'", _expand(r"there is no parameter \1")),
    (r"(missing a required argument: '\w+'|too many positional arguments)", _expand(r"\1")),
    (r"OptionalType\(", _expand("the function returns a number on one path and None on another")),
    (r"Cannot cast (\S.*) to (\S+): ", _cast),
    (r"(?s)\A.*>>> (?!choose\(|\w+\(\w+\[\w{16}[,\]])(\w+)\(([^\n]*)\)\n", _call),
    (r"Cannot determine Numba type of <class '([\w.]+)'>", _expand(r"a value of type \1 does not compile")),
    (r"Type of variable '[^']*' cannot be determined", _undetermined),
]


def _innermost(text: str) -> str:
    """The line after the compiler's last headline."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    heads = [index for index, line in enumerate(lines) if "Failed in nopython mode" in line]
    following = lines[heads[-1] + 1 :] if heads else lines
    return (following or ["the compiler gives no reason"])[0][:160]


# -- the compiler's names of types as words ---------------------------------------------------------------

_KINDS = {
    "int64": "a whole number",
    "uint64": "a 64-bit word",
    "float64": "a real number",
    "bool": "a truth value",
    "boolean": "a truth value",
    "unicode_type": "a text",
    "none": "None",
    "Literal[int]": "a whole number",
    "Literal[bool]": "a truth value",
    "Literal[str]": "a text",
    "UniTuple": "a tuple",
    "Tuple": "a tuple",
    "list": "a list",
    "reflected list": "a list",
    "set": "a set",
    "reflected set": "a set",
    "DictType": "a dict",
    "OptionalType": "None",
    "array": "an array",
    "slice<a:b>": "a slice",
    "slice<a:b:c>": "a slice",
}


def kind_of(text: str) -> str:
    """`Literal[int](3)` is a whole number, `mygame.Heap[0123abcd](int64, int64)` a Heap."""
    name = text.strip().partition("(")[0]
    if name in _KINDS:
        return _KINDS[name]
    return name.partition("[")[0].rpartition(".")[2] or name


def _split(arguments: str) -> list[str]:
    """Split at the commas outside brackets."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
