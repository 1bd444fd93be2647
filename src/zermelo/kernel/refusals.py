"""Refusals: code in rules from outside that numba would compile to something other than Python's result.

Each `of_...` returns one sentence, or None if the code may compile. Checks that depend on run-time values are in
`guarding`.
"""

from __future__ import annotations

import dis
import math
import operator
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.core import ir
from numba.core.errors import LoweringError

from zermelo.kernel import states, words
from zermelo.kernel.diagnostics import OWN_WORDS, kind_of
from zermelo.kernel.digest import is_standard
from zermelo.kernel.words import U64

Sentence = str | None

COMPARISONS = {operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge}
_IDENTITIES = {operator.is_, operator.is_not}
_SHIFTS = {operator.lshift, operator.rshift}
_BITWISE = {operator.and_, operator.or_, operator.xor}
_OF_WORDS = {operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod} | _BITWISE
_OF_ARRAYS = {operator.add, operator.sub, operator.mul}

_OTHER = "a number of numpy that is not int64, uint64, float64 or bool"
NARROW = f"{_OTHER} does not compile here, write int(...) around it or use 64-bit arrays"
_MIXED = "a 64-bit word meets a plain number, write U64(...)"
_REAL_WORD = "a real number does not become a 64-bit word, write U64(int(...))"
_TRY = "this `try` does not compile, test the condition with `if`"
_INSTANCE = "`isinstance` does not compile here, a variable keeps one type in compiled code"
_DIFFERENT = "numbers of different kinds do not compare here as items, compare them one by one"
_TRUTHS = "truth values of numpy do not add up as Python's do, write int(...) around them"
_NUMPY_WORD = "a 64-bit word meets a number of numpy, write U64(...) or int(...) around it"
_CLOSURE = "a function inside a function does not compile, write it at the top of the file"


def _names(text: str) -> set[str]:
    return set(text.split())


def whole(value: Any) -> int:
    """Replaces the built-in `int` in rules from outside: the result is a plain number of 64 bits."""
    return int(value)


_NUMBERS = ("whole", "word", "real", "truth")
_SIGNED = ("whole", "truth")
_FOR_NARROW = {float, bool, isinstance, len, enumerate, zip, iter, reversed, list, tuple, str, print}
_NOT_FOR_WORDS = {round, divmod, pow, range, sum, chr, enumerate, hash}
_MAKE_PLAIN = {int, whole, float, bool, len, str, range, isinstance, print}
_ANY_ORDER = {len, isinstance, set, bool}
_MATH = _names("sqrt fabs copysign exp expm1 log log1p log2 log10 pow fmod degrees radians isnan isinf isfinite")
_MATH |= _names("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh")
_ROUNDING = (math.floor, math.ceil, math.trunc)
_WHOLE_MATH = {"floor", "ceil", "trunc", "gcd"}
_MAKERS = _names("zeros ones empty full zeros_like ones_like empty_like full_like array asarray copy eye identity")
_MAKERS |= _names("arange where reshape ravel transpose concatenate array_equal")
_REDUCTIONS = _names("sum prod min max amin amax argmin argmax any all count_nonzero")
_OF_ONE_ARRAY = _REDUCTIONS | {"sort", "unique", "flip", "flipud", "fliplr"}
_ELEMENTWISE = _names("sqrt floor ceil trunc rint fabs abs absolute minimum maximum sign isnan isinf isfinite")
_ELEMENTWISE |= {"logical_and", "logical_or", "logical_not"}
_ATTRIBUTES = _names("shape size ndim T dtype copy fill ravel flatten reshape transpose sort item astype")
_METHODS = _REDUCTIONS - {"amin", "amax", "count_nonzero"}

WORD_FIRST = {words.rotl, words.mix, words.draw_below, words.nth_bit}
"""Helpers whose first argument is a word and nothing else."""
WORD_OR_WHOLE = {words.popcount, words.lsb, words.msb, words.number, words.bswap, words.drop, words.bits, words.real_of}
"""Helpers that take a plain number as well, unless it is negative."""


# -- kinds ---------------------------------------------------------------------------------------------


def plain(kind: Any) -> Any:
    """The type of a value, where numba distinguishes literals, numbers that may be None, and members of an IntEnum."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Optional):
        return plain(kind.type)
    return kind.dtype if isinstance(kind, types.IntEnumMember) else kind


def category(kind: Any) -> str:
    """The category of a number in Python: "whole", "word", "real" or "truth"; "narrow" for numpy's other types."""
    if isinstance(kind, types.Boolean):
        return "truth"
    if not isinstance(kind, types.Number):
        return "other"
    if isinstance(kind, types.Complex) or kind.bitwidth != 64:
        return "narrow"
    if isinstance(kind, types.Float):
        return "real"
    return "whole" if kind.signed else "word"


def _items(kind: Any) -> str:
    """The category of a number, or of the numbers in an array, a list or a tuple."""
    if isinstance(kind, types.BaseTuple):
        found = set(map(_items, map(plain, kind.types)))
        return found.pop() if len(found) == 1 else "other"
    inner = getattr(kind, "dtype", None)
    return _items(plain(inner)) if isinstance(inner, types.Type) else category(kind)


def is_library(callee: Any) -> bool:
    """Whether a function is numba's own implementation of a function of Python or numpy."""
    if isinstance(callee, types.BoundFunction):
        return type(callee.this).__module__.startswith("numba")
    key = getattr(callee, "typing_key", None)
    return isinstance(callee, types.NumberClass | types.Function) and not _is_written(key) and is_standard(_module(key))


def _module(key: Any) -> str:
    return "numpy" if isinstance(key, np.ufunc) else str(getattr(key, "__module__", ""))


def _is_written(key: Any) -> bool:
    """Whether it is a function of Zermelo or of the user, or a class of theirs."""
    return isinstance(key, FunctionType | type) and not is_standard(key.__module__)


def from_numpy(blocks: dict[int, Any], typemap: Any) -> set[str]:
    """The variables that in Python may hold numpy numbers, or containers of such numbers.

    Parameters are not among them, nor are results of functions that do not take such numbers.
    """
    statements = [one for block in blocks.values() for one in block.body if isinstance(one, ir.Assign)]
    found = {name for name, kind in typemap.items() if isinstance(kind, types.Array)}
    size = 0
    while size < len(found):
        size = len(found)
        found.update(one.target.name for one in statements if _is_from_numpy(one.value, found, typemap))
    return found


def _is_from_numpy(value: Any, found: set[str], typemap: Any) -> bool:
    if isinstance(value, ir.Var):
        return value.name in found
    if not isinstance(value, ir.Expr) or (value.op == "getattr" and value.attr in ("shape", "size", "ndim")):
        return False
    if value.op == "call":
        callee = typemap[value.func.name]
        key = getattr(callee, "typing_key", None)
        if isinstance(callee, types.NumberClass) or _module(key).partition(".")[0] == "numpy":
            return True
        is_class = isinstance(key, type) and states.is_state(key)
        is_clean = is_class or key in _MAKE_PLAIN or _module(key).startswith("zermelo.kernel")
        return not is_clean and not found.isdisjoint(variable.name for variable in value.list_vars())
    return not found.isdisjoint(variable.name for variable in value.list_vars())


# -- operators -----------------------------------------------------------------------------------------


def of_operation(op: Any, left: Any, right: Any, is_in_place: bool = False) -> Sentence:
    if isinstance(left, types.Array) or isinstance(right, types.Array):
        return _of_arrays(op, left, right, is_in_place)
    if op is operator.contains:
        return None if all(_are_alike(kind, right) for kind in _inner(left)) else _DIFFERENT
    if op in COMPARISONS and not _are_alike(left, right) and isinstance(left, types.BaseTuple):
        return _DIFFERENT
    if op in COMPARISONS and isinstance(left, types.List) and {*_inner(left), *_inner(right)} & {types.float64}:
        return "lists of real numbers do not compare here, use tuples"
    both = category(left), category(right)
    if "other" in both:
        return None
    if op in _IDENTITIES:
        return None if both == ("truth", "truth") else "`is` does not compile for numbers, write =="
    if op in COMPARISONS:
        return _of_comparison(both, left, right)
    if "narrow" in both:
        return NARROW
    return _of_words(op, both) if "word" in both else None


def _inner(owner: Any) -> tuple[Any, ...]:
    """The types of the items of a container."""
    if isinstance(owner, types.BaseTuple):
        return tuple(map(plain, owner.types))
    found = getattr(owner, "key_type", None) or getattr(owner, "dtype", None)
    return (plain(found),) if isinstance(found, types.Type) else ()


def _are_alike(one: Any, other: Any) -> bool:
    """Whether two values, or all items of two tuples, compare in numba as in Python."""
    if isinstance(one, types.BaseTuple) and isinstance(other, types.BaseTuple):
        return all(map(_are_alike, _inner(one), _inner(other)))
    both = category(one), category(other)
    return both[0] == both[1] or "other" in both or set(both) == set(_SIGNED)


def of_numpy_operation(op: Any, left: Any, right: Any, of_both: tuple[bool, bool]) -> Sentence:
    """Refuse operations on two numbers of which at least one may be numpy's."""
    both = category(left), category(right)
    if both == ("truth", "truth") and op in (operator.add, operator.sub):
        return _TRUTHS
    is_mixed = both == ("word", "word") and op not in COMPARISONS and not all(of_both)
    is_count = both[0] == "word" and op in _SHIFTS and of_both[1] and not of_both[0]
    return _NUMPY_WORD if is_mixed or is_count else None


def _of_comparison(both: tuple[str, str], left: Any, right: Any) -> Sentence:
    if set(both) == {"word", "real"}:
        return "a 64-bit word meets a real number, which do not compare here"
    is_rounded = any(not isinstance(kind, types.Integer | types.Boolean) for kind in (left, right))
    return NARROW if "narrow" in both and is_rounded else None


def _of_words(op: Any, both: tuple[str, str]) -> Sentence:
    if op in _SHIFTS:
        return None if both[0] == "word" and both[1] != "real" else "a 64-bit word cannot count a shift here"
    if both != ("word", "word"):
        return _MIXED
    name = {operator.pow: "**", operator.truediv: "/"}.get(op, op.__name__)
    return None if op in _OF_WORDS else f"`{name}` does not compile for 64-bit words"


def _of_arrays(op: Any, left: Any, right: Any, is_in_place: bool) -> Sentence:
    both = {_items(left), _items(right)}
    if "narrow" in both:
        return NARROW
    if "other" in both or ("word" in both and len(both) > 1) or (is_in_place and len(both) > 1):
        return "this operation on arrays of different kinds does not compile here, write a for loop"
    is_fine = (
        op in COMPARISONS
        or (op in _OF_ARRAYS and "truth" not in both)
        or (op in _BITWISE and len(both) == 1 and "real" not in both)
    )
    return None if is_fine else "this operation on whole arrays does not compile here, write a for loop"


def of_unary(op: Any, kind: Any, result: Any) -> Sentence:
    if op is operator.not_:
        return None
    if _items(kind) == "narrow":
        return NARROW
    if category(kind) == "truth" and op is operator.invert:
        return "`~` of a truth value is a number in Python, write `not`"
    is_changed = category(kind) == "word" and category(result) != "word"
    return "the sign of a 64-bit word does not compile, write U64(0) - ..." if is_changed else None


def of_cast(given: Any, wanted: Any) -> Sentence:
    """Refuse conversions of a value to the type of a variable, an item or a parameter."""
    if given == wanted:
        return None
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        pairs = zip(map(plain, given.types), map(plain, wanted.types), strict=False)
        return next(filter(None, (of_cast(*pair) for pair in pairs)), None)
    both = category(given), category(wanted)
    if "other" in both:
        return None
    if "narrow" in both:
        return NARROW
    if "word" in both and both != ("word", "word"):
        return f"{kind_of(str(given))} stands where {kind_of(str(wanted))} should be, write U64(...) or number(...)"
    is_cut = both[0] == "real" and both[1] != "real"
    return "a real number stands where a whole number should be, write int(...)" if is_cut else None


def of_constant(value: Any) -> Sentence:
    """Refuse a plain number of 64 bits without a sign, which numba types as a word."""
    if isinstance(value, tuple):
        return next(filter(None, map(of_constant, value)), None)
    is_plain = isinstance(value, int) and not isinstance(value, U64)
    return f"{value} needs more than 63 bits, write U64({value})" if is_plain and value >= 1 << 63 else None


# -- calls ---------------------------------------------------------------------------------------------


def of_call(key: Any, kinds: list[Any], result: Any) -> Sentence:
    """A call of a function by its name."""
    if key is whole or (isinstance(key, type) and states.is_state(key)):
        return None
    if key is U64:
        return {"real": _REAL_WORD, "narrow": NARROW}.get(category(kinds[0])) if kinds else None
    if key in WORD_FIRST | WORD_OR_WHOLE or key in (words.bit, words.word_of):
        return _of_helper(key, list(map(category, kinds)))
    if not is_standard(_module(key)):
        return NARROW if str(_module(key)).startswith("zermelo") and "narrow" in map(category, kinds) else None
    if _items(result) == "narrow":
        return NARROW
    return _of_library(key, kinds, result)


def _of_helper(key: Any, kinds: list[str]) -> Sentence:
    first, *others = kinds
    if "narrow" in kinds:
        return NARROW
    if key in WORD_FIRST and first != "word":
        return f"`{key.__name__}` takes a 64-bit word, write U64(...)"
    if key in WORD_OR_WHOLE and first not in ("word", *_SIGNED):
        return f"`{key.__name__}` takes a 64-bit word, write U64(...)"
    takes_whole = key is not words.bit or first in ("word", *_SIGNED)
    return None if takes_whole and set(others) <= set(_SIGNED) else f"`{key.__name__}` takes a whole number"


def _of_library(key: Any, kinds: list[Any], result: Any) -> Sentence:
    name, module = getattr(key, "__name__", str(key)), _module(key).partition(".")[0]
    if module == "numpy":
        return _of_numpy(name, kinds, result)
    if any(isinstance(kind, types.Function) and is_library(kind) for kind in kinds) and key is not isinstance:
        return f"`{name}` of a function does not compile here, write a for loop"
    if module == "builtins":
        return _of_builtin(key, kinds)
    if module == "math":
        return _of_math(name, kinds)
    if module == "random" and name != "seed" and {_items(kind) for kind in kinds} <= {"whole", "real", "other"}:
        return None
    if module in ("operator", "_operator"):
        return f"`operator.{name}` does not compile here, write the operator itself"
    return f"`{name}` does not compile here"


def _of_builtin(key: Any, kinds: list[Any]) -> Sentence:
    found = {_items(kind) for kind in kinds}
    if any(isinstance(kind, types.Set) for kind in kinds) and key not in _ANY_ORDER:
        return "the order of a set does not compile, use a tuple"
    if "narrow" in found and key not in _FOR_NARROW:
        return NARROW
    if "word" in found and key in _NOT_FOR_WORDS:
        return f"`{key.__name__}` does not compile for 64-bit words, write number(...)"
    if "word" in found and key in (min, max) and len(found) > 1:
        return _MIXED
    if key in (min, max, sum) and any(not _are_alike(one, other) for one, other in pairwise(_inner(kinds[0]))):
        return f"`{key.__name__}` of different kinds of numbers does not compile here"
    if key is round and len(kinds) > 1:
        return "`round` to some digits does not compile, it rounds differently"
    if key is sum and "real" in found:  # from Python 3.12 on; and a list may have whole numbers in it
        return "`sum` of real numbers does not compile, it rounds differently; write a for loop"
    return None


def _of_math(name: str, kinds: list[Any]) -> Sentence:
    found = set(map(category, kinds))
    if "narrow" in found:
        return NARROW
    if name in _MATH or (name in _WHOLE_MATH and "word" not in found):
        return None
    return f"`math.{name}` does not compile here"


def _of_numpy(name: str, kinds: list[Any], result: Any) -> Sentence:
    found = [_items(kind) for kind in kinds if _items(kind) != "other"]
    if "narrow" in found:
        return NARROW
    if name in _ELEMENTWISE:
        return _of_elements(name, kinds, found)
    if name in _OF_ONE_ARRAY and len(kinds) == 1 and isinstance(kinds[0], types.Array):
        return _of_reduction(name, found[0] if found else "other")
    if name in _MAKERS:
        return _of_maker(name, kinds, found, result)
    return f"`np.{name}` does not compile here, write a for loop"


def _of_elements(name: str, kinds: list[Any], found: list[str]) -> Sentence:
    if any(category(kind) in ("whole", "word", "truth") for kind in kinds):
        return f"`np.{name}` of a whole number does not compile here, use Python's own functions"
    return None if len(set(found)) == 1 and found[0] != "word" else f"`np.{name}` of different kinds does not compile"


def _of_reduction(name: str, items: str) -> Sentence:
    if items in _SIGNED or (items == "real" and name not in ("sum", "prod")):
        return None
    return f"`{name}` of an array of {items} numbers does not compile here, write a for loop"


def _of_maker(name: str, kinds: list[Any], found: list[str], result: Any) -> Sentence:
    if name == "arange" and not set(found) <= {"whole"}:
        return "`np.arange` compiles for whole numbers only"
    if name in ("full", "full_like", "array", "asarray", "where", "concatenate"):
        given = {"full": found[1:2], "full_like": found[1:2], "where": found[1:]}.get(name, found)
        if set(given) - {_items(result)} - ({"whole"} if _items(result) == "real" else set()):
            return f"`np.{name}` of different kinds of numbers does not compile here"
    return None


def of_conversion(kinds: list[Any], wanted: Any) -> Sentence:
    """A call of a type of numpy: `np.int64(...)`."""
    given = category(kinds[0]) if len(kinds) == 1 else "other"
    if category(wanted) == "narrow" or given not in _NUMBERS:
        return NARROW
    return _REAL_WORD if category(wanted) == "word" and given == "real" else None


def of_method(owner: Any, name: str, kinds: list[Any], result: Any) -> Sentence:
    """A call of a method of an array, a list or a set."""
    if isinstance(owner, types.Set) and name == "pop":
        return "the order of a set does not compile, use a tuple"
    if not isinstance(owner, types.Array):
        if not all(map(_are_alike, _item_types(owner, name), kinds)):
            return _DIFFERENT
        return NARROW if "narrow" in map(_items, (owner, *kinds)) else None
    if name in _METHODS:
        return _of_reduction(name, _items(owner)) if not kinds else f"`{name}` of an axis does not compile here"
    if name == "fill":
        return of_cast(kinds[0], plain(owner.dtype))
    if name == "astype":
        return of_cast(plain(owner.dtype), plain(result.dtype)) if isinstance(result, types.Array) else NARROW
    return NARROW if _items(result) == "narrow" and isinstance(result, types.Array) else None


def instance_of(kind: Any) -> Any:
    """The static object of this type, if it is one."""
    from zermelo.kernel import bridge  # it imports this module

    return bridge._instances[kind.digest] if isinstance(kind, bridge.StaticType) else None


def _item_types(owner: Any, name: str) -> tuple[Any, ...]:
    """The types of the arguments of a method that looks for an item, or puts one in."""
    if isinstance(owner, types.DictType):
        return plain(owner.key_type), plain(owner.value_type)
    looks_for_item = isinstance(owner, types.Set) or name in ("index", "count", "remove")
    return _inner(owner)[:1] if looks_for_item else ()


def of_attribute(owner: Any, name: str) -> Sentence:
    if isinstance(owner, types.Array) and name not in _ATTRIBUTES | _METHODS:
        return f"`.{name}` of an array does not compile here"
    return None


def of_index(owner: Any, index: Any) -> Sentence:
    parts = index.types if isinstance(index, types.BaseTuple) else (index,)
    if isinstance(owner, types.Array) and any(isinstance(part, types.Array | types.List) for part in parts):
        return "an array as an index does not compile here, write a for loop"
    if isinstance(owner, types.DictType) and not _are_alike(plain(owner.key_type), index):
        return _DIFFERENT
    is_number = isinstance(index, types.Float) and isinstance(owner, types.Sequence | types.Buffer)
    return "a real number is not an index" if is_number else None


# -- a whole function ----------------------------------------------------------------------------------


def of_code(code: CodeType) -> tuple[str, int] | None:
    """A `try` in the code or in a function inside it, with its `except`: it could catch what compiled code raises."""
    is_caught, line = False, None
    for step in dis.get_instructions(code):
        is_caught |= step.opname == "PUSH_EXC_INFO"
        line = step.positions.lineno if step.positions else None
        if is_caught and line:
            return None if _has_with(code) else (_TRY, line)
    return next(filter(None, (of_code(part) for part in code.co_consts if isinstance(part, CodeType))), None)


def _has_with(code: CodeType) -> bool:
    """Whether there is a `with`, which numba refuses itself."""
    return any(step.opname == "BEFORE_WITH" for step in dis.get_instructions(code))


class Reader:
    """Reads the typed statements of a function, and raises LoweringError at the first that may not compile."""

    def __init__(self, function: Any, typemap: Any, calltypes: Any, result: Any) -> None:
        self.function, self.typemap, self.calltypes, self.result = function, typemap, calltypes, result
        self.from_numpy = from_numpy(function.blocks, typemap)

    def read(self) -> None:
        self.as_words = set(self._used_as_words())
        for block in self.function.blocks.values():
            for statement in block.body:
                if found := self._of_statement(statement):
                    raise LoweringError(f"{OWN_WORDS} {found}", loc=statement.loc)

    def _kind(self, variable: Any) -> Any:
        return plain(self.typemap[variable.name])

    def _of_statement(self, statement: Any) -> Sentence:
        if isinstance(statement, ir.Assign):
            return self._of_value(statement.value, statement.target)
        if isinstance(statement, ir.SetItem | ir.StaticSetItem):
            return self._of_store(statement)
        if isinstance(statement, ir.SetAttr) and isinstance(self._kind(statement.target), types.Array):
            return f"`.{statement.attr}` of an array cannot change here"
        return None

    def _used_as_words(self) -> Iterator[str]:
        """The constants that U64(...) makes words of, or that are compared."""
        for block in self.function.blocks.values():
            for call in block.find_exprs("call"):
                if getattr(self.typemap[call.func.name], "typing_key", None) is U64:
                    yield from (variable.name for variable in call.args)
            for operation in block.find_exprs("binop"):
                if operation.fn in COMPARISONS:
                    yield from (operation.lhs.name, operation.rhs.name)

    def _of_value(self, value: Any, target: Any) -> Sentence:
        wanted = self._kind(target)
        if isinstance(value, ir.Var):
            return of_cast(self._kind(value), wanted)
        if isinstance(value, ir.Const | ir.Global | ir.FreeVar) and target.name not in self.as_words:
            return of_constant(value.value)
        if isinstance(value, ir.Yield) and isinstance(self.result, types.Generator):
            return of_cast(self._kind(value.value), plain(self.result.yield_type))
        return self._of_expression(value, wanted) if isinstance(value, ir.Expr) else None

    def _of_store(self, statement: Any) -> Sentence:
        owner, value = self._kind(statement.target), self._kind(statement.value)
        index = getattr(statement, "index_var", None) or statement.index
        found = of_index(owner, self._kind(index)) if isinstance(index, ir.Var) else None
        if found is None and isinstance(owner, types.Array | types.List):
            given = plain(value.dtype) if isinstance(value, types.Array) else value
            found = of_cast(given, plain(owner.dtype))
        if found is None and isinstance(owner, types.DictType):
            found = None if _are_alike(value, plain(owner.value_type)) else _DIFFERENT
        return found

    def _of_expression(self, value: Any, wanted: Any) -> Sentence:
        match value.op:
            case "binop":
                return self._of_operation(value, value.fn, False)
            case "inplace_binop":
                return self._of_operation(value, value.immutable_fn, True)
            case "unary":
                is_truth = value.fn is operator.neg and category(self._kind(value.value)) == "truth"
                found = _TRUTHS if is_truth and value.value.name in self.from_numpy else None
                return found or of_unary(value.fn, self._kind(value.value), wanted)
            case "call":
                return self._of_call(value)
            case "cast":
                return of_cast(self._kind(value.value), wanted)
            case "getattr":
                return self._of_attribute(value)
            case "getitem":
                return of_index(self._kind(value.value), self._kind(value.index))
            case "getiter" | "exhaust_iter" if isinstance(self._kind(value.value), types.Set):
                return "the order of a set does not compile, use a tuple"
            case "build_set" if category(plain(wanted.dtype)) == "real":
                return "a set of real numbers does not compile here, use a tuple"
            case "build_map":
                kinds = [tuple(map(self._kind, item)) for item in value.items]
                is_alike = all(all(map(_are_alike, *pair)) for pair in pairwise(kinds))
                return None if is_alike else "a dict of different kinds of numbers does not compile here"
            case "build_list" | "build_set":
                pairs = ((self._kind(item), plain(wanted.dtype)) for item in value.items)
                return next(filter(None, (of_cast(*pair) for pair in pairs)), None)
        return None

    def _of_attribute(self, value: Any) -> Sentence:
        owner = self._kind(value.value)
        if (instance := instance_of(owner)) is not None:
            return of_constant(getattr(instance, value.attr, None))
        return of_attribute(owner, value.attr)

    def _of_operation(self, value: Any, op: Any, is_in_place: bool) -> Sentence:
        sides = self._kind(value.lhs), self._kind(value.rhs)
        of_both = value.lhs.name in self.from_numpy, value.rhs.name in self.from_numpy
        found = of_numpy_operation(op, *sides, of_both) if any(of_both) else None
        return found or of_operation(op, *sides, is_in_place)

    def _of_call(self, call: Any) -> Sentence:
        callee, signature = self.typemap[call.func.name], self.calltypes[call]
        kinds, result = list(self._kinds(call)), plain(signature.return_type)
        if isinstance(callee, types.Dispatcher | types.RecursiveCall):
            return self._of_arguments(call, signature)
        if isinstance(callee, types.NumberClass):
            return of_conversion(kinds, callee.instance_type)
        if isinstance(callee, types.BoundFunction):
            if not is_library(callee):
                return None
            name = str(callee.typing_key[-1] if isinstance(callee.typing_key, tuple) else callee.typing_key)
            found = of_method(callee.this, name.rpartition(".")[2], kinds, result)
            return found or (self._of_arguments(call, signature) if _is_list(callee.this) else None)
        if not isinstance(callee, types.Function):
            return None
        key = callee.typing_key
        if isinstance(key, type) and states.is_state(key):
            return None  # Python casts the fields too
        is_tuple = bool(kinds) and isinstance(kinds[0], types.UniTuple | types.NamedUniTuple)
        if key is states.replace_item and len(kinds) == 3 and is_tuple:
            return of_cast(kinds[2], plain(kinds[0].dtype))
        if key is words.rotl and call.args[-1].name in self.from_numpy:
            return _NUMPY_WORD
        is_odd = (key in _ROUNDING and category(kinds[0]) in _SIGNED) or (
            key is round and category(kinds[0]) == "truth"
        )
        if is_odd and call.args[0].name in self.from_numpy:
            return f"`{key.__name__}` of a number of numpy does not compile here, write int(...)"
        return of_call(key, kinds, result)

    def _kinds(self, call: Any) -> Iterator[Any]:
        """The types of all arguments, those with keywords last."""
        yield from map(self._kind, call.args)
        if call.vararg is not None:
            yield from map(plain, self.typemap[call.vararg.name])
        for _, variable in call.kws:
            yield self._kind(variable)

    def _of_arguments(self, call: Any, signature: Any) -> Sentence:
        """What is wrong with the arguments of a function that casts them to its own types."""
        given = list(self._kinds(call))
        wanted = list(map(plain, signature.args))
        if call.kws and signature.pysig is not None:
            names = list(signature.pysig.parameters)
            places = [*range(len(given) - len(call.kws)), *(names.index(name) for name, _ in call.kws)]
            wanted = [wanted[place] for place in places]
        return next(filter(None, (of_cast(*pair) for pair in zip(given, wanted, strict=False))), None)


def _is_list(kind: Any) -> bool:
    return isinstance(kind, types.List)


def prepare(function: Any) -> None:
    """Refuse what can be seen before types are known, and let `int` stand for `whole`."""
    if found := of_code(function.func_id.func.__code__):
        raise LoweringError(f"{OWN_WORDS} {found[0]}", loc=ir.Loc(function.loc.filename, found[1]))
    statements = [one for block in function.blocks.values() for one in block.body if isinstance(one, ir.Assign)]
    called = {one.value.func.name for one in statements if isinstance(one.value, ir.Expr) and one.value.op == "call"}
    size = 0
    while size < len(called):  # after `int(x or y)`, `int` is a copy
        size = len(called)
        called.update(
            one.value.name for one in statements if isinstance(one.value, ir.Var) and one.target.name in called
        )
    for one in statements:
        value = one.value
        if isinstance(value, ir.Global | ir.FreeVar) and value.value is isinstance:
            raise LoweringError(f"{OWN_WORDS} {_INSTANCE}", loc=one.loc)
        if isinstance(value, ir.Global | ir.FreeVar) and value.value is int and one.target.name in called:
            one.value = ir.Global("int", whole, value.loc)
            function._definitions[one.target.name] = [one.value]
        is_inner = isinstance(value, ir.Expr) and value.op == "make_function"
        if is_inner and not _code_in(function, value).co_flags & 0x20:  # a generator has its own sentence
            raise LoweringError(f"{OWN_WORDS} {_CLOSURE}", loc=one.loc)


def _code_in(function: Any, made: Any) -> CodeType:
    code = made.code
    if isinstance(code, ir.Var):
        code = function.get_definition(code).value
    assert isinstance(code, CodeType)
    return code
