"""Rules from outside the package are compiled with checks: what Python would refuse, compiled code refuses too.

Division by zero and indices beyond an array raise as they do in Python. A whole number that leaves 64 bits, which
Python would let grow, raises `Outgrown`, and the caller goes on interpreted. A kernel that calls itself without end
raises EndlessRecursion. Zermelo's own code is compiled without these checks: it is tested against its interpreted twin
instead.
"""

from __future__ import annotations

import copy
import math
import operator
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callconv import CPUCallConv, create_error_model
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import CPUContext
from numba.core.errors import LoweringError
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.extending import register_jitable

from zermelo.kernel.complaints import OWN_WORDS
from zermelo.kernel.digest import is_ours, is_standard
from zermelo.kernel.memory import EndlessRecursion, Outgrown
from zermelo.kernel.parts import PartCompiler

_WORD = ir.IntType(64)
_LEAST = -(1 << 63)
_MIXED = {operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow, operator.truediv}
_MIXED |= {operator.and_, operator.or_, operator.xor}
_WITH_OVERFLOW = {operator.add: "sadd_with_overflow", operator.sub: "ssub_with_overflow"}
_WITH_OVERFLOW |= {operator.mul: "smul_with_overflow"}
_ROUNDING = (int, round, math.floor, math.ceil, math.trunc)
MOST_CALLS = 4000
"""Calls of one kernel that may be open at a time, in all threads; the smallest stacks have 8 MB."""


def is_guarded(function: FunctionType) -> bool:
    """Whether a function is somebody else's, so that compiled code must not trust it."""
    module = str(function.__module__)
    return not is_ours(module) and not is_standard(module)


class _GuardedLower(Lower):  # type: ignore[misc]
    """Translates a function as numba does, with a check before every operation that can leave 64 bits."""

    context: Any

    def lower(self) -> None:
        self.context = copy.copy(self.context)
        self.context.__class__ = _LocatedContext
        self.context.lower = self
        self.context.error_model = create_error_model("python", self.context)
        super().lower()

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        left_and_right = expr.lhs, expr.rhs
        left, right = map(self._kind, left_and_right)
        if op in _MIXED and {_is_word(left), _is_word(right)} == {True, False} and _are_whole(left, right):
            raise LoweringError(f"{OWN_WORDS} a 64-bit word meets a plain number, write U64(...)", loc=self.loc)
        if op in (operator.lshift, operator.rshift) and _are_whole(left, right):
            return self._shifted(resty, expr, op, left, right)
        if _are_signed(left, right):
            if op in _WITH_OVERFLOW:
                return self._checked(resty, op, left_and_right)
            if op in (operator.floordiv, operator.mod):
                self._refuse_if(self._is_large_quotient(*self._numbers(left_and_right)))
            elif op is operator.pow:
                self._refuse_if(self._is_large_power(*self._numbers(left_and_right)))
        return super().lower_binop(resty, expr, op)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "unary" and expr.fn is operator.neg:
            kind = types.unliteral(self.typeof(expr.value.name))
            if _are_signed(kind):
                number = self._number(expr.value, kind)
                self._refuse_if(self.builder.icmp_signed("==", number, _WORD(_LEAST)))
        return super().lower_expr(resty, expr)

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        kinds = [self._kind(argument) for argument in expr.args]
        called = getattr(fnty, "typing_key", None)
        if called is sum and _are_signed(signature.return_type):
            return self._summed(expr, signature)
        if called in (pow, divmod) and len(kinds) == 2 and _are_signed(*kinds):
            is_large = self._is_large_power if called is pow else self._is_large_quotient
            self._refuse_if(is_large(*self._numbers(expr.args)))
        if _are_signed(signature.return_type) and len(kinds) == 1 and not signature.recvr:
            if isinstance(kinds[0], types.Float) and (called in _ROUNDING or isinstance(fnty, types.NumberClass)):
                value = self.context.cast(
                    self.builder, self.loadvar(expr.args[0].name), self.typeof(expr.args[0].name), types.float64
                )
                self._refuse_if(self.builder.not_(self._is_below(value, 2.0**63)))
            if called is abs and _are_signed(kinds[0]):
                number = self._number(expr.args[0], kinds[0])
                self._refuse_if(self.builder.icmp_signed("==", number, _WORD(_LEAST)))
        return super()._lower_call_normal(fnty, expr, signature)

    def _summed(self, expr: Any, signature: Any) -> Any:
        """The built-in `sum` of whole numbers; numba's own does not look for overflow."""
        if isinstance(self._kind(expr.args[0]), types.Tuple):
            raise LoweringError(f"{OWN_WORDS} `sum` of whole numbers and others, write a loop", loc=self.loc)
        given = [self.loadvar(argument.name) for argument in expr.args]
        kinds = [self.typeof(argument.name) for argument in expr.args]
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
            with cgutils.if_unlikely(builder, is_far):
                text = "a 64-bit word is shifted by a number outside 0 to 63"
                self.context.call_conv.return_user_exc(builder, ValueError, (text,))
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
        return types.unliteral(self.typeof(variable.name))

    def _numbers(self, variables: Any) -> list[Any]:
        return [self._number(variable, self._kind(variable)) for variable in variables]

    def _number(self, variable: Any, kind: Any) -> Any:
        wanted = types.uint64 if _is_word(kind) else types.int64
        return self.context.cast(self.builder, self.loadvar(variable.name), self.typeof(variable.name), wanted)

    def _refuse_if(self, condition: Any) -> None:
        with cgutils.if_unlikely(self.builder, condition):
            self.context.call_conv.return_user_exc(self.builder, Outgrown, ())


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


def _guarded(pipelines: list[Any], lowering: type[BaseNativeLowering]) -> list[Any]:
    """The pipelines with the checked translation in the place of numba's."""
    for pipeline in pipelines:
        pipeline.passes = [(lowering if step is NativeLowering else step, text) for step, text in pipeline.passes]
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
