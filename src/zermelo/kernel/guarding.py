"""Rules from outside the package are compiled with checks: what Python would refuse, compiled code refuses too.

Division by zero and indices beyond an array raise as they do in Python. A whole number that leaves 64 bits, which
Python would let grow, raises `Outgrown`, and the caller goes on interpreted. A kernel that calls itself without end
raises EndlessRecursion. Zermelo's own code is compiled without these checks: it is tested against its interpreted twin
instead.
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
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.errors import LoweringError
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering, PreLowerStripPhis
from numba.core.untyped_passes import MakeFunctionToJitFunction
from numba.extending import overload, register_jitable

from zermelo.kernel import words
from zermelo.kernel.complaints import OWN_WORDS
from zermelo.kernel.digest import is_ours, is_standard
from zermelo.kernel.memory import EndlessRecursion, Outgrown, Refused
from zermelo.kernel.parts import PartCompiler
from zermelo.kernel.refusals import COMPARISONS, WORD_OR_WHOLE, Reader, category, is_library, plain, prepare, whole
from zermelo.kernel.unbound import assigned_by, doubtful, read_by

_WORD = ir.IntType(64)
_LEAST = -(1 << 63)
_EXACT = 1 << 53
_WITH_OVERFLOW = {operator.add: "sadd_with_overflow", operator.sub: "ssub_with_overflow"}
_WITH_OVERFLOW |= {operator.mul: "smul_with_overflow"}
_ROUNDING = (whole, round, math.floor, math.ceil, math.trunc)
MOST_CALLS = 4000
"""Calls of one kernel that may be open at a time, in all threads; the smallest stacks have 8 MB."""


def is_guarded(function: FunctionType) -> bool:
    """Whether a function is somebody else's, so that compiled code must not trust it."""
    module = str(function.__module__)
    return not is_ours(module) and not is_standard(module)


class _GuardedLower(Lower):  # type: ignore[misc]
    """Translates a function as numba does, with a check before every operation that can leave 64 bits."""

    context: Any
    is_in_library = False
    """Whether code of numba's own is being called, whose errors carry no line of the rules."""

    def lower(self) -> None:
        self.context = copy.copy(self.context)
        self.context.__class__ = _LocatedContext
        self.context.lower = self
        self.context.error_model = create_error_model("python", self.context)
        self.is_bound: dict[str, Any] = {}
        self.doubtful = set() if self.func_ir.is_generator else doubtful(self.func_ir.blocks)
        super().lower()

    # -- statements

    def lower_inst(self, inst: Any) -> None:
        for name in self.doubtful.intersection(read_by(inst)):
            with cgutils.if_unlikely(self.builder, self.builder.not_(self.builder.load(self._flag(name)))):
                text = f"cannot access local variable '{name}' where it is not associated with a value"
                self.context.call_conv.return_user_exc(self.builder, UnboundLocalError, (text,))
        with self._in_library(isinstance(inst, numba_ir.SetItem | numba_ir.StaticSetItem | numba_ir.DelItem)):
            super().lower_inst(inst)
        if (assigned := assigned_by(inst)) in self.doubtful:
            self.builder.store(cgutils.true_bit, self._flag(assigned))

    def _flag(self, name: str | None) -> Any:
        """Whether the variable has a value by now."""
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
            return self._shifted(resty, expr, op, left, right)
        if op in COMPARISONS and {category(left), category(right)} == {"whole", "real"}:
            self._refuse_large(sides)
        if _are_signed(left, right):
            if op in _WITH_OVERFLOW:
                return self._checked(resty, op, sides)
            self._refuse_signed(op, sides)
        found = super().lower_binop(resty, expr, op)
        return self._finite(found) if op is operator.pow and resty == types.float64 else found

    def _refuse_signed(self, op: Any, sides: Any) -> None:
        """What division and powers of whole numbers cannot do in 64 bits."""
        if op in (operator.floordiv, operator.mod):
            self._refuse_if(self._is_large_quotient(*self._numbers(sides)))
        elif op is operator.pow:
            self._refuse_if(self._is_large_power(*self._numbers(sides)))
        elif op is operator.truediv:
            self._refuse_large(sides)

    def _refuse_rounding(self, variable: Any, wanted: Any) -> None:
        """A whole number that becomes a real one here, where in Python it does not, must not change."""
        if plain(wanted) == types.float64:
            self._refuse_large([variable])

    def _refuse_large(self, variables: Any) -> None:
        """Whole numbers that a real number cannot hold."""
        for variable in variables:
            if category(kind := self._kind(variable)) == "whole":
                shifted = self.builder.add(self._number(variable, kind), _WORD(_EXACT))
                is_large = self.builder.icmp_unsigned(">", shifted, _WORD(2 * _EXACT))
                self._refuse_if(is_large, "gives a whole number that a real number cannot hold")

    def _finite(self, real: Any) -> Any:
        """A real number; where compiled code has infinity or none, Python may raise an error or have a complex one."""
        self._refuse_if(self.builder.not_(self._is_below(real, math.inf)), "gives a real number that is not finite")
        return real

    # -- calls

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        variables = [*expr.args, *(variable for _, variable in expr.kws)]
        called = getattr(fnty, "typing_key", None)
        if called is sum and _are_signed(signature.return_type):
            return self._summed(variables, signature)
        if isinstance(fnty, types.NumberClass):
            self._refuse_conversion(variables, fnty.instance_type)
        elif isinstance(fnty, types.Dispatcher):
            for variable, wanted in zip(expr.args, signature.args, strict=False):
                self._refuse_rounding(variable, wanted)
        elif isinstance(called, Hashable):
            self._refuse_arguments(called, variables)
        with self._in_library(is_library(fnty)):
            found = super()._lower_call_normal(fnty, expr, signature)
        is_of_math = called is pow or getattr(called, "__module__", "") == "math"
        return self._finite(found) if is_of_math and signature.return_type == types.float64 else found

    def _refuse_arguments(self, called: Any, variables: list[Any]) -> None:
        """Arguments for which a function gives something else than in Python."""
        kinds = list(map(self._kind, variables))
        if called in _ROUNDING and len(variables) == 1:
            self._refuse_conversion(variables, types.int64)
        elif called in (words.bit, words.rotl):
            self._refuse_distance(self._numbers(variables[-1:])[0])
        elif called in WORD_OR_WHOLE and _are_signed(kinds[0]):
            self._refuse_if(self.builder.icmp_signed("<", self._numbers(variables)[0], _WORD(0)))
        elif called in (min, max) and "real" in map(category, kinds):
            self._refuse_large(variables)
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
        """A number that does not fit the type that it is converted to."""
        given = self._kind(variables[0])
        if isinstance(given, types.Float) and wanted == types.int64:
            value = self.context.cast(
                self.builder, self.loadvar(variables[0].name), self.typeof(variables[0].name), types.float64
            )
            self._refuse_if(self.builder.not_(self._is_below(value, 2.0**63)))
        elif {category(given), category(wanted)} == {"whole", "word"}:
            self._refuse_if(self.builder.icmp_signed("<", self._number(variables[0], given), _WORD(0)))

    def _summed(self, variables: list[Any], signature: Any) -> Any:
        """The built-in `sum` of whole numbers; numba's own does not look for overflow."""
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

    def _checked(self, resty: Any, op: Any, sides: Any) -> Any:
        """Addition, subtraction or multiplication, refused if the result needs more than 64 bits."""
        both = getattr(self.builder, _WITH_OVERFLOW[op])(*self._numbers(sides))
        self._refuse_if(self.builder.extract_value(both, 1))
        return self.context.cast(self.builder, self.builder.extract_value(both, 0), types.int64, resty)

    def _shifted(self, resty: Any, expr: Any, op: Any, left: Any, right: Any) -> Any:
        """A shift by any count, as Python does it; words are shifted by 0 to 63 only."""
        builder = self.builder
        number, count = self._number(expr.lhs, left), self._number(expr.rhs, right)
        is_far = builder.icmp_unsigned(">", count, _WORD(63))  # or negative
        if _is_word(left):
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
        """A count of bits that a word cannot be shifted by."""
        with cgutils.if_unlikely(self.builder, self.builder.icmp_unsigned(">", count, _WORD(63))):
            text = "a 64-bit word is shifted by a number outside 0 to 63"
            self.context.call_conv.return_user_exc(self.builder, ValueError, (text,))

    def _is_large_quotient(self, number: Any, divisor: Any) -> Any:
        """Whether the least number is divided by -1."""
        is_least = self.builder.icmp_signed("==", number, _WORD(_LEAST))
        return self.builder.and_(is_least, self.builder.icmp_signed("==", divisor, _WORD(-1)))

    def _is_large_power(self, base: Any, exponent: Any) -> Any:
        """Whether a power may need more than 63 bits, or is a fraction; decided by floating-point numbers."""
        real = ir.DoubleType()
        power = self.builder.module.declare_intrinsic("llvm.pow", [real])
        found = self.builder.call(power, [self.builder.sitofp(base, real), self.builder.sitofp(exponent, real)])
        is_negative = self.builder.icmp_signed("<", exponent, _WORD(0))
        return self.builder.or_(is_negative, self.builder.not_(self._is_below(found, 2.0**62)))

    def _is_below(self, value: Any, most: float) -> Any:
        """Whether a floating-point number is a number, and smaller than this, whatever its sign."""
        real = ir.DoubleType()
        is_above = self.builder.fcmp_ordered(">", value, real(-most))
        return self.builder.and_(is_above, self.builder.fcmp_ordered("<", value, real(most)))

    def _kind(self, variable: Any) -> Any:
        return plain(self.typeof(variable.name))

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
    """Errors that numba raises without a place get the line that is being translated."""

    def return_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: str | None = None
    ) -> None:
        lower = self.context.lower
        super().return_user_exc(builder, exc, exc_args, loc or lower.loc, func_name or lower.func_ir.func_id.func_name)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """An error in numba's own code is left to Python, which names the line of the rules."""
        if self.context.lower.is_in_library:
            self.return_user_exc(builder, Refused, ("raises an error",))
        else:
            super().return_status_propagate(builder, status)

    def _return_errcode_raw(self, builder: Any, code: Any) -> None:
        """Every way out of a function, errors included; subroutines that numba makes for it are functions too."""
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


def _guarded(pipelines: list[Any], lowering: type[BaseNativeLowering]) -> list[Any]:
    """The pipelines with the checked translation in the place of numba's, and the refusals before it."""
    for pipeline in pipelines:
        steps = [(lowering if step is NativeLowering else step, text) for step, text in pipeline.passes]
        kinds = [step for step, _ in steps]
        steps.insert(kinds.index(PreLowerStripPhis) + 1, (_Reading, "refusals"))
        steps.insert(kinds.index(MakeFunctionToJitFunction), (_Preparation, "preparation"))
        pipeline.passes = steps
        pipeline.finalize()
    return pipelines


class GuardedCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler with the checks, for kernels from outside."""

    def define_pipelines(self) -> Any:
        return _guarded(super().define_pipelines(), _GuardedKernelLowering)


class GuardedPartCompiler(PartCompiler):
    """The same for methods and functions that are linked into kernels."""

    def define_pipelines(self) -> Any:
        return _guarded(super().define_pipelines(), _GuardedLowering)


GUARDED = {"error_model": "python", "boundscheck": True}
"""The options that make numba check divisions and indices."""
