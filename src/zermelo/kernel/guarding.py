"""Checks in the compiled code of rules from outside the package: what Python would refuse is refused too.

Division by zero and indices beyond an array raise errors as in Python. A whole number of more than 64 bits, which
Python supports, raises `Outgrown`, and the caller continues interpreted. Endless recursion of a kernel raises
EndlessRecursion. Zermelo's own code is compiled without these checks; tests compare it with its interpreted form.
"""

from __future__ import annotations

import contextlib
import copy
import math
import operator
from collections.abc import Hashable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core import ir as numba_ir
from numba.core.callconv import CPUCallConv, create_error_model
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.errors import LoweringError
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering, PreLowerStripPhis
from numba.core.untyped_passes import MakeFunctionToJitFunction
from numba.extending import overload, register_jitable

from zermelo.kernel import states, words
from zermelo.kernel.diagnostics import OWN_WORDS
from zermelo.kernel.digest import is_ours, is_standard
from zermelo.kernel.linking import KernelCompiler, PartCompiler
from zermelo.kernel.memory import EndlessRecursion, Outgrown, Refused
from zermelo.kernel.refusals import (
    COMPARISONS,
    WORD_OR_WHOLE,
    Reader,
    category,
    from_numpy,
    is_library,
    plain,
    prepare,
    whole,
)
from zermelo.kernel.unbound import assigned_variable, doubtful, read_variables

_WORD = ir.IntType(64)
_LEAST = -(1 << 63)
_EXACT = 1 << 53
_WITH_OVERFLOW = {operator.add: "sadd_with_overflow", operator.sub: "ssub_with_overflow"}
_WITH_OVERFLOW |= {operator.mul: "smul_with_overflow"}
_ROUNDING = (whole, round, math.floor, math.ceil, math.trunc)
_DIVISIONS = (operator.truediv, operator.floordiv, operator.mod)
_EXACT_FOR_WHOLE = (operator.add, operator.sub, operator.mul, operator.pow, *_DIVISIONS)
_SIGNS = {operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.le: "<=", operator.gt: ">"}
_SIGNS |= {operator.ge: ">="}
_ROUNDED = "gives a whole number that a real number cannot hold"
MOST_CALLS = 4000
"""Maximum number of open calls of one kernel, in all threads; the smallest stacks have 8 MB."""


def is_guarded(function: FunctionType) -> bool:
    """Whether a function comes from outside the package, so that its code is checked."""
    module = str(function.__module__)
    return not is_ours(module) and not is_standard(module)


class _GuardedLower(Lower):  # type: ignore[misc]
    """Lowers a function as numba does, with a check before every operation that can exceed 64 bits."""

    context: Any
    is_in_library = False
    """Whether code of numba's own is being called, whose errors carry no line of the rules."""

    def lower(self) -> None:
        self.context = copy.copy(self.context)
        self.context.__class__ = _LocatedContext
        self.context.lower = self
        self.context.error_model = create_error_model("python", self.context)
        self.is_bound: dict[str, Any] = {}
        self.doubtful = doubtful(self.func_ir.blocks)
        if self.func_ir.is_generator and self.doubtful:  # assignments are forgotten at a `yield`
            text = f"{min(self.doubtful)} may have no value here, give it one at the beginning"
            raise LoweringError(f"{OWN_WORDS} {text}", loc=self.func_ir.loc)
        self.from_numpy = from_numpy(self.func_ir.blocks, self.fndesc.typemap)
        super().lower()

    # -- statements

    def lower_inst(self, inst: Any) -> None:
        for name in self.doubtful.intersection(read_variables(inst)):
            with cgutils.if_unlikely(self.builder, self.builder.not_(self.builder.load(self._flag(name)))):
                text = f"cannot access local variable '{name}' where it is not associated with a value"
                self.context.call_conv.return_user_exc(self.builder, UnboundLocalError, (text,))
        if isinstance(inst, numba_ir.SetItem | numba_ir.StaticSetItem) and not self._is_array(inst.target):
            self._refuse_rounding(inst.value, getattr(self._kind(inst.target), "dtype", types.none))
        with self._in_library(isinstance(inst, numba_ir.SetItem | numba_ir.StaticSetItem | numba_ir.DelItem)):
            super().lower_inst(inst)
        if (assigned := assigned_variable(inst)) in self.doubtful:
            self.builder.store(cgutils.true_bit, self._flag(assigned))

    def _flag(self, name: str | None) -> Any:
        """Whether the variable has been assigned."""
        assert name is not None
        if name not in self.is_bound:
            self.is_bound[name] = cgutils.alloca_once(self.builder, cgutils.bool_t, zfill=True)
        return self.is_bound[name]

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        if isinstance(inst.value, numba_ir.Var):
            self._refuse_rounding(inst.value, ty)
        return super().lower_assign(ty, inst)

    def lower_yield(self, retty: Any, inst: Any) -> Any:
        self._refuse_rounding(inst.value, self.gentype.yield_type)
        return super().lower_yield(retty, inst)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "cast":
            self._refuse_rounding(expr.value, resty)
        if expr.op in ("build_list", "build_set"):
            for item in expr.items:
                self._refuse_rounding(item, resty.dtype)
        if expr.op == "unary" and expr.fn is operator.neg:
            kind = self._kind(expr.value)
            if _are_signed(kind):
                number = self._number(expr.value, kind)
                self._refuse_if(self.builder.icmp_signed("==", number, _WORD(_LEAST)))
        with self._in_library(expr.op not in ("call", "iternext", "getiter", "exhaust_iter", "cast")):
            return super().lower_expr(resty, expr)

    @contextlib.contextmanager
    def _in_library(self, is_in_library: bool) -> Iterator[None]:
        before, self.is_in_library = self.is_in_library, is_in_library
        yield
        self.is_in_library = before

    # -- operators

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        sides = expr.lhs, expr.rhs
        left, right = map(self._kind, sides)
        if op in (operator.lshift, operator.rshift) and _are_whole(left, right):
            return self._shift(resty, expr, op, left, right)
        if op in COMPARISONS and _are_whole(left, right) and _is_word(left) != _is_word(right):
            return self._compare(op, sides, left)
        if op in COMPARISONS and {category(left), category(right)} == {"whole", "real"}:
            self._refuse_large(sides)
        if op in COMPARISONS or op is operator.contains:
            self._refuse_identical(sides)
        if op in _DIVISIONS and not self.from_numpy.isdisjoint(side.name for side in sides):
            self._refuse_zero(expr.rhs)
        if _are_signed(left, right):
            if op in _WITH_OVERFLOW:
                return self._compute_checked(resty, op, sides)
            self._refuse_signed(op, sides)
        is_power = op is operator.pow and resty == types.float64
        found = self._power(sides) if is_power else super().lower_binop(resty, expr, op)
        if resty == types.float64 and op in _EXACT_FOR_WHOLE:
            self._refuse_growth(sides, found)
        return found

    def _compare(self, op: Any, sides: Any, left: Any) -> Any:
        """Refuse a word with a whole number, both of which numba would convert to real numbers."""
        numbers = self._numbers(sides)
        found = self.builder.icmp_unsigned(_SIGNS[op], *numbers)
        signed = numbers[1] if _is_word(left) else numbers[0]
        if_negative = op(0, -1) if _is_word(left) else op(-1, 0)
        is_negative = self.builder.icmp_signed("<", signed, _WORD(0))
        return self.builder.select(is_negative, cgutils.bool_t(int(if_negative)), found)

    def _power(self, sides: Any) -> Any:
        """A power of real numbers by the function that Python calls; LLVM would use squares and roots."""
        real = ir.DoubleType()
        power = cgutils.get_or_insert_function(self.module, ir.FunctionType(real, [real, real]), "pow")
        power.attributes.add("nobuiltin")
        return self._finite(self.builder.call(power, [self._real(side) for side in sides]))

    def _refuse_growth(self, sides: Any, found: Any = None) -> None:
        """Refuse whole numbers that are real numbers here, but not in Python, and so large that they are rounded.

        A real number that may be whole in Python is at most 2^53, because larger ones do not become real numbers.
        """
        reals = [self._real(side) for side in sides if category(self._kind(side)) == "real"]
        if not reals or any(map(self._is_surely_real, sides)):
            return
        is_rounded = cgutils.false_bit if found is None else self.builder.not_(self._is_below(found, _EXACT))
        for side in sides:
            if category(kind := self._kind(side)) == "whole":
                is_rounded = self.builder.or_(is_rounded, self._is_large(self._number(side, kind)))
        with cgutils.if_unlikely(self.builder, is_rounded):
            is_whole = cgutils.true_bit
            for value in reals:
                floor = self.builder.call(self.builder.module.declare_intrinsic("llvm.floor", [value.type]), [value])
                is_same = self.builder.fcmp_ordered("==", value, floor)
                is_whole = self.builder.and_(is_whole, self.builder.and_(is_same, self._is_at_most(value, _EXACT)))
            self._refuse_if(is_whole, _ROUNDED)

    def _is_surely_real(self, variable: Any) -> bool:
        """Whether the value is certainly a real number in Python too."""
        found = self.func_ir._definitions.get(variable.name, [])
        if self._kind(variable) != types.float64 or len(found) != 1:
            return False
        if isinstance(found[0], numba_ir.Const | numba_ir.Global | numba_ir.FreeVar):
            return True
        match getattr(found[0], "op", ""):
            case "binop":
                return found[0].fn is operator.truediv
            case "getitem" | "static_getitem":
                return self._is_array(found[0].value) or self._keeps_types(found[0].value)
            case "getattr":
                return self._keeps_types(variable)
            case "call":
                key = getattr(self.typeof(found[0].func.name), "typing_key", None)
                return key is float or getattr(key, "__module__", "") == "math"
        return False

    def _keeps_types(self, variable: Any) -> bool:
        """Whether it is a constant, or an attribute that has the same types in Python."""
        found = self.func_ir._definitions.get(variable.name, [])
        if len(found) != 1 or isinstance(found[0], numba_ir.Const | numba_ir.Global | numba_ir.FreeVar):
            return len(found) == 1
        if getattr(found[0], "op", "") != "getattr":
            return False
        owner = self._kind(found[0].value)
        return not isinstance(owner, types.BaseTuple) or states.is_state(getattr(owner, "instance_class", tuple))

    def _refuse_identical(self, sides: Any) -> None:
        """In tuples and lists, Python treats NaN as equal to itself."""
        for side in sides:
            if "other" in (category(self._kind(side)), category(self._kind(sides[0]))):
                self._refuse_nan(side)

    def _refuse_nan(self, variable: Any) -> None:
        for value in self._reals(self.loadvar(variable.name), types.unliteral(self.typeof(variable.name))):
            self._refuse_if(self.builder.fcmp_unordered("uno", value, value), "compares what is not a number")

    def _refuse_zero(self, divisor: Any) -> None:
        """Numbers of numpy can be divided by zero."""
        kind = self.typeof(divisor.name)
        is_zero = self.builder.not_(self.context.cast(self.builder, self.loadvar(divisor.name), kind, types.boolean))
        self._refuse_if(is_zero, "divides by zero")

    def _refuse_signed(self, op: Any, sides: Any) -> None:
        """Refuse divisions and powers of whole numbers that need more than 64 bits."""
        if op in (operator.floordiv, operator.mod):
            self._refuse_if(self._is_large_quotient(*self._numbers(sides)))
        elif op is operator.pow:
            self._refuse_if(self._is_large_power(*self._numbers(sides)))
        elif op is operator.truediv:
            self._refuse_large(sides)

    def _refuse_rounding(self, variable: Any, wanted: Any) -> None:
        """Refuse a number that changes its value because it gets another type here, but not in Python."""
        for value, given, other in self._parts(variable, wanted):
            if (category(given), category(other)) == ("whole", "real"):
                self._refuse_if(self._is_large(value), _ROUNDED)
            elif (category(given), category(other)) == ("whole", "truth"):
                is_other = self.builder.icmp_unsigned(">", value, _WORD(1))
                self._refuse_if(is_other, "has a whole number where a truth value should be")

    def _refuse_field(self, variable: Any, wanted: Any) -> None:
        """Refuse a number that does not fit a field of a `@state` class."""
        for value, given, other in self._parts(variable, wanted):
            if category(given) == "real" and category(other) in ("whole", "word"):
                self._refuse_if(self.builder.not_(self._is_below(value, 2.0**63)))
                if category(other) == "word":
                    self._refuse_if(self.builder.fcmp_ordered("<", value, value.type(0.0)))
            elif (category(given), category(other)) == ("word", "whole"):
                self._refuse_if(self.builder.icmp_signed("<", value, _WORD(0)))

    def _parts(self, variable: Any, wanted: Any) -> Iterator[tuple[Any, Any, Any]]:
        """The numbers in a value, such as a tuple, that get other types, each with both types."""
        kind = self.typeof(variable.name)
        if plain(kind) != plain(wanted) and isinstance(plain(kind), types.Number | types.BaseTuple):
            yield from self._parts_of(self.loadvar(variable.name), kind, wanted)

    def _parts_of(self, value: Any, given: Any, wanted: Any) -> Iterator[tuple[Any, Any, Any]]:
        if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
            for index, kinds in enumerate(zip(given.types, wanted.types, strict=False)):
                yield from self._parts_of(self.builder.extract_value(value, index), *kinds)
        elif category(plain(given)) in ("whole", "word", "real") and plain(given) != plain(wanted):
            yield self.context.cast(self.builder, value, given, plain(given)), plain(given), plain(wanted)

    def _reals(self, value: Any, kind: Any) -> Iterator[Any]:
        """The real numbers in a value."""
        if isinstance(kind, types.BaseTuple):
            for index, inner in enumerate(kind.types):
                yield from self._reals(self.builder.extract_value(value, index), inner)
        elif kind == types.float64:
            yield value

    def _is_large(self, number: Any) -> Any:
        """Whether a real number may not hold it."""
        shifted = self.builder.add(number, _WORD(_EXACT))
        return self.builder.icmp_unsigned(">", shifted, _WORD(2 * _EXACT))

    def _refuse_large(self, variables: Any) -> None:
        """Whole numbers that a real number cannot hold."""
        for variable in variables:
            if category(kind := self._kind(variable)) == "whole":
                self._refuse_if(self._is_large(self._number(variable, kind)), _ROUNDED)

    def _finite(self, real: Any) -> Any:
        """Refuse a real number that is not finite, for which Python may raise an error or return a complex number."""
        self._refuse_if(self.builder.not_(self._is_below(real, math.inf)), "gives a real number that is not finite")
        return real

    # -- calls

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        variables = [*expr.args, *(variable for _, variable in expr.kws)]
        called = getattr(fnty, "typing_key", None)
        kinds = list(map(self._kind, variables))
        if called is sum and _are_signed(signature.return_type):
            return self._sum_checked(variables, signature)
        if called in _ROUNDING and _are_signed(*kinds):
            return self.context.cast(self.builder, *self._numbers(variables), types.int64, signature.return_type)
        if called in (pow, math.pow) and signature.return_type == types.float64:
            found = self._power(variables)
            if called is pow:
                self._refuse_growth(variables, found)
            return found
        if isinstance(called, type) and states.is_state(called):
            names = list(signature.pysig.parameters)
            places = [*range(len(expr.args)), *(names.index(name) for name, _ in expr.kws)]
            for variable, place in zip(variables, places, strict=True):
                self._refuse_field(variable, signature.args[place])
        elif isinstance(fnty, types.NumberClass):
            self._refuse_conversion(variables, fnty.instance_type)
        elif isinstance(fnty, types.Dispatcher) or isinstance(getattr(fnty, "this", None), types.List):
            for variable, wanted in zip(expr.args, signature.args, strict=False):
                self._refuse_rounding(variable, wanted)
                if not isinstance(fnty, types.Dispatcher):
                    self._refuse_nan(variable)
        elif isinstance(called, Hashable):
            self._refuse_arguments(called, variables)
        with self._in_library(is_library(fnty)):
            found = super()._lower_call_normal(fnty, expr, signature)
        is_of_math = getattr(called, "__module__", "") == "math"
        return self._finite(found) if is_of_math and signature.return_type == types.float64 else found

    def _refuse_arguments(self, called: Any, variables: list[Any]) -> None:
        """Refuse arguments for which a function gives another result than in Python."""
        kinds = list(map(self._kind, variables))
        if called is divmod and not self.from_numpy.isdisjoint(variable.name for variable in variables):
            self._refuse_zero(variables[-1])
        if called in _ROUNDING and len(variables) == 1:
            self._refuse_conversion(variables, types.int64)
        elif called in (words.bit, words.rotl):
            self._refuse_distance(self._numbers(variables[-1:])[0])
        elif called in WORD_OR_WHOLE and _are_signed(kinds[0]):
            self._refuse_if(self.builder.icmp_signed("<", self._numbers(variables)[0], _WORD(0)))
        elif called in (min, max) and "real" in map(category, kinds):
            self._refuse_large(variables)
        elif called is divmod and "real" in map(category, kinds):
            self._refuse_growth(variables)
        elif called in (math.copysign, math.atan2):
            self._refuse_zero_sign(variables)
        elif called is states.replace_item and hasattr(kinds[0], "dtype"):
            self._refuse_item(self._numbers(variables[1:2])[0], len(kinds[0]))
            self._refuse_rounding(variables[-1], kinds[0].dtype)
        elif _are_signed(*kinds):
            self._refuse_whole_arguments(called, variables)

    def _refuse_whole_arguments(self, called: Any, variables: list[Any]) -> None:
        if called in (pow, divmod) and len(variables) == 2:
            is_large = self._is_large_power if called is pow else self._is_large_quotient
            self._refuse_if(is_large(*self._numbers(variables)))
        elif called in (abs, math.gcd):
            for number in self._numbers(variables):
                self._refuse_if(self.builder.icmp_signed("==", number, _WORD(_LEAST)))
        elif called is range:
            for number in self._numbers(variables):
                shifted = self.builder.add(number, _WORD(1 << 61))
                self._refuse_if(self.builder.icmp_unsigned(">", shifted, _WORD(1 << 62)))

    def _refuse_conversion(self, variables: list[Any], wanted: Any) -> None:
        """Refuse a number that does not fit the type it is converted to."""
        given = self._kind(variables[0])
        if isinstance(given, types.Float) and wanted == types.int64:
            self._refuse_if(self.builder.not_(self._is_below(self._real(variables[0]), 2.0**63)))
        elif {category(given), category(wanted)} == {"whole", "word"}:
            self._refuse_if(self.builder.icmp_signed("<", self._number(variables[0], given), _WORD(0)))

    def _refuse_zero_sign(self, variables: list[Any]) -> None:
        """Refuse the sign of a zero, which in Python may be a whole number without a sign."""
        for variable in variables:
            is_zero = self.builder.fcmp_ordered("==", self._real(variable), ir.DoubleType()(0.0))
            self._refuse_if(is_zero, "asks for the sign of zero")

    def _sum_checked(self, variables: list[Any], signature: Any) -> Any:
        """The built-in `sum` of whole numbers with a check; numba's own does not detect overflow."""
        if isinstance(self._kind(variables[0]), types.Tuple):
            raise LoweringError(f"{OWN_WORDS} `sum` of whole numbers and others, write a loop", loc=self.loc)
        given = [self.loadvar(variable.name) for variable in variables]
        kinds = [self.typeof(variable.name) for variable in variables]
        wanted = types.Tuple((types.int64, types.boolean))(*kinds)
        add_up = _sum if len(given) == 1 else _sum_from
        both = self.context.compile_internal(self.builder, add_up, wanted, given)
        total, is_lost = cgutils.unpack_tuple(self.builder, both, 2)
        self._refuse_if(cgutils.is_true(self.builder, is_lost))
        return self.context.cast(self.builder, total, types.int64, signature.return_type)

    def _compute_checked(self, resty: Any, op: Any, sides: Any) -> Any:
        """Addition, subtraction or multiplication, refused if the result needs more than 64 bits."""
        both = getattr(self.builder, _WITH_OVERFLOW[op])(*self._numbers(sides))
        self._refuse_if(self.builder.extract_value(both, 1))
        return self.context.cast(self.builder, self.builder.extract_value(both, 0), types.int64, resty)

    def _shift(self, resty: Any, expr: Any, op: Any, left: Any, right: Any) -> Any:
        """A shift by any count, as Python does it; words are shifted by 0 to 63 only."""
        builder = self.builder
        number, count = self._number(expr.lhs, left), self._number(expr.rhs, right)
        is_far = builder.icmp_unsigned(">", count, _WORD(63))  # or negative
        if _is_word(left):
            if expr.lhs.name in self.from_numpy:
                self._refuse_if(is_far, "shifts by a number outside 0 to 63")
            self._refuse_distance(count)
            shift = builder.shl if op is operator.lshift else builder.lshr
            return self.context.cast(builder, shift(number, count), types.uint64, resty)
        self._refuse_if(builder.icmp_signed("<", count, _WORD(0)))
        near = builder.select(is_far, _WORD(63), count)
        if op is operator.rshift:
            return self.context.cast(builder, builder.ashr(number, near), types.int64, resty)
        found = builder.shl(number, near)
        is_lost = builder.icmp_signed("!=", builder.ashr(found, near), number)
        is_lost = builder.or_(is_lost, builder.and_(is_far, builder.icmp_signed("!=", number, _WORD(0))))
        self._refuse_if(is_lost)
        return self.context.cast(builder, found, types.int64, resty)

    def _refuse_distance(self, count: Any) -> None:
        """Refuse a shift of a word by a number outside 0 to 63."""
        with cgutils.if_unlikely(self.builder, self.builder.icmp_unsigned(">", count, _WORD(63))):
            text = "a 64-bit word is shifted by a number outside 0 to 63"
            self.context.call_conv.return_user_exc(self.builder, ValueError, (text,))

    def _refuse_item(self, index: Any, count: int) -> None:
        """Refuse an index from the front that is out of range."""
        with cgutils.if_unlikely(self.builder, self.builder.icmp_unsigned(">=", index, _WORD(count))):
            text = "there is no such item to replace"
            self.context.call_conv.return_user_exc(self.builder, IndexError, (text,))

    def _is_large_quotient(self, number: Any, divisor: Any) -> Any:
        """Whether the least number is divided by -1."""
        is_least = self.builder.icmp_signed("==", number, _WORD(_LEAST))
        return self.builder.and_(is_least, self.builder.icmp_signed("==", divisor, _WORD(-1)))

    def _is_large_power(self, base: Any, exponent: Any) -> Any:
        """Whether a power may need more than 63 bits, or is a fraction; decided by floating-point numbers."""
        real = ir.DoubleType()
        power = self.builder.module.declare_intrinsic("llvm.pow", [real])
        found = self.builder.call(power, [self.builder.sitofp(base, real), self.builder.sitofp(exponent, real)])
        is_far = self.builder.icmp_unsigned(">", exponent, _WORD(_EXACT))  # or negative
        return self.builder.or_(is_far, self.builder.not_(self._is_below(found, 2.0**62)))

    def _is_below(self, value: Any, most: float) -> Any:
        """Whether a floating-point number is not NaN and its absolute value is below this."""
        real = ir.DoubleType()
        is_above = self.builder.fcmp_ordered(">", value, real(-most))
        return self.builder.and_(is_above, self.builder.fcmp_ordered("<", value, real(most)))

    def _is_at_most(self, value: Any, most: float) -> Any:
        """The same, or equal to it."""
        real = ir.DoubleType()
        is_above = self.builder.fcmp_ordered(">=", value, real(-most))
        return self.builder.and_(is_above, self.builder.fcmp_ordered("<=", value, real(most)))

    def _kind(self, variable: Any) -> Any:
        return plain(self.typeof(variable.name))

    def _is_array(self, variable: Any) -> bool:
        return isinstance(self._kind(variable), types.Array)

    def _real(self, variable: Any) -> Any:
        """A number as a real one."""
        return self.context.cast(self.builder, self.loadvar(variable.name), self.typeof(variable.name), types.float64)

    def _numbers(self, variables: Any) -> list[Any]:
        return [self._number(variable, self._kind(variable)) for variable in variables]

    def _number(self, variable: Any, kind: Any) -> Any:
        wanted = types.uint64 if _is_word(kind) else types.int64
        return self.context.cast(self.builder, self.loadvar(variable.name), self.typeof(variable.name), wanted)

    def _refuse_if(self, condition: Any, sentence: str = "") -> None:
        with cgutils.if_unlikely(self.builder, condition):
            error, arguments = (Refused, (sentence,)) if sentence else (Outgrown, ())
            self.context.call_conv.return_user_exc(self.builder, error, arguments)


def _sum(items: Any) -> Any:
    return _sum_from(items, 0)


@register_jitable  # type: ignore[untyped-decorator]
def _sum_from(items: Any, start: Any) -> Any:
    """The sum, and whether it needs more than 64 bits."""
    total = int(start)
    for item in items:
        before = total
        total = before + int(item)
        if ((before ^ total) & (int(item) ^ total)) < 0:
            return total, True
    return total, False


@overload(whole, strict=False)  # type: ignore[untyped-decorator]
def _whole(value: Any) -> Any:
    if isinstance(plain(value), types.Integer | types.Boolean):
        return lambda value: np.int64(value)
    return lambda value: int(value)


class _GuardedKernelLower(_GuardedLower):
    """The same for kernels, which can call themselves: open calls are counted in a global variable of the module."""

    def pre_lower(self) -> None:
        super().pre_lower()
        name = self.module.get_unique_name("zermelo.open_calls")
        self.open_calls = ir.GlobalVariable(self.module, _WORD, name)
        self.open_calls.linkage, self.open_calls.initializer = "internal", _WORD(0)
        before = self.builder.atomic_rmw("add", self.open_calls, _WORD(1), "monotonic")
        with cgutils.if_unlikely(self.builder, self.builder.icmp_signed(">=", before, _WORD(MOST_CALLS))):
            text = f"{self.func_ir.func_id.func_name} is recursive and went more than {MOST_CALLS} levels deep"
            self.context.call_conv.return_user_exc(self.builder, EndlessRecursion, (text,), self.func_ir.loc)


class _Located(CPUCallConv):  # type: ignore[misc]
    """Adds the current line to errors that numba raises without one."""

    def return_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: str | None = None
    ) -> None:
        lower = self.context.lower
        if exc is TypeError and "got None" in str(exc_args):
            exc, exc_args = Refused, ("meets None",)
        super().return_user_exc(builder, exc, exc_args, loc or lower.loc, func_name or lower.func_ir.func_id.func_name)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Leave an error in numba's own code to Python, which names the line of the rules."""
        if self.context.lower.is_in_library:
            self.return_user_exc(builder, Refused, ("raises an error",))
        else:
            super().return_status_propagate(builder, status)

    def _return_errcode_raw(self, builder: Any, code: Any) -> None:
        """Count a call as finished at every exit of a kernel, errors included; numba also makes subroutines for it."""
        lower = self.context.lower
        if isinstance(lower, _GuardedKernelLower) and builder.function is lower.function:
            builder.atomic_rmw("sub", lower.open_calls, _WORD(1), "monotonic")
        super()._return_errcode_raw(builder, code)


class _LocatedContext(CPUContext):  # type: ignore[misc]
    lower: Lower

    @property
    def call_conv(self) -> CPUCallConv:
        return _Located(self)


def _is_word(kind: Any) -> bool:
    return isinstance(kind, types.Integer) and not kind.signed


def _are_whole(*kinds: Any) -> bool:
    return all(isinstance(kind, types.Integer | types.Boolean) for kind in kinds)


def _are_signed(*kinds: Any) -> bool:
    return _are_whole(*kinds) and not any(map(_is_word, kinds))


@register_pass(mutates_CFG=True, analysis_only=False)
class _GuardedLowering(BaseNativeLowering):  # type: ignore[misc]
    _name = "zermelo_guarded_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return _GuardedLower


@register_pass(mutates_CFG=True, analysis_only=False)
class _GuardedKernelLowering(BaseNativeLowering):  # type: ignore[misc]
    _name = "zermelo_guarded_kernel_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return _GuardedKernelLower


@register_pass(mutates_CFG=False, analysis_only=False)
class _Preparation(FunctionPass):  # type: ignore[misc]
    _name = "zermelo_preparation"

    def __init__(self) -> None:  # abstract in numba
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        prepare(state.func_ir)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class _Reading(AnalysisPass):  # type: ignore[misc]
    _name = "zermelo_reading"

    def __init__(self) -> None:  # abstract in numba
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        Reader(state.func_ir, state.typemap, state.calltypes, state.return_type).read()
        return False


def _add_guards(pipelines: list[Any], lowering: type[BaseNativeLowering]) -> list[Any]:
    """The compiler pipelines with checked lowering instead of numba's, after the refusals."""
    for pipeline in pipelines:
        steps = [(lowering if step is NativeLowering else step, text) for step, text in pipeline.passes]
        kinds = [step for step, _ in steps]
        steps.insert(kinds.index(PreLowerStripPhis) + 1, (_Reading, "refusals"))
        steps.insert(kinds.index(MakeFunctionToJitFunction), (_Preparation, "preparation"))
        pipeline.passes = steps
        pipeline.finalize()
    return pipelines


class GuardedCompiler(KernelCompiler):
    """numba's compiler with the checks, for kernels from outside."""

    def define_pipelines(self) -> Any:
        return _add_guards(super().define_pipelines(), _GuardedKernelLowering)


class GuardedPartCompiler(PartCompiler):
    """The same for methods and functions that are linked into kernels."""

    def define_pipelines(self) -> Any:
        return _add_guards(super().define_pipelines(), _GuardedLowering)


GUARDED = {"error_model": "python", "boundscheck": True}
"""The options that make numba check divisions and indices."""
