"""Words and flat memory as machine instructions: the compiled form of the functions of `words` and `memory`.

`bridge` passes `IMPLEMENTATIONS` to the compiler; the other functions of those modules are compiled as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from zermelo.kernel import memory, words
from zermelo.kernel.diagnostics import OWN_WORDS

# -- words ---------------------------------------------------------------------------------------------


def _unary(name: str, result: Any) -> Callable[[Any], Any]:
    """An LLVM instruction on one word."""

    @intrinsic
    def instruction(typing: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            extra = (cgutils.false_bit,) if name in ("cttz", "ctlz") else ()
            return getattr(builder, name)(args[0], *extra)

        return result(types.uint64), codegen

    return instruction


_ctpop, _cttz, _ctlz = (_unary(name, types.int64) for name in ("ctpop", "cttz", "ctlz"))
_bswap = _unary("bswap", types.uint64)


@intrinsic
def real_bits(typing: Any, real: Any) -> Any:
    """The 64 bits of a floating-point number."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(types.uint64))

    return types.uint64(types.float64), codegen


@intrinsic
def _real_from(typing: Any, word: Any) -> Any:
    """The floating-point number with these 64 bits."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(types.float64))

    return types.float64(types.uint64), codegen


# -- flat memory ---------------------------------------------------------------------------------------


def _cell(context: Any, builder: Any, address: Any, index: Any, typ: Any) -> Any:
    pointer = builder.inttoptr(address, context.get_value_type(typ).as_pointer())
    return builder.gep(pointer, [index])


def _loader(typ: Any) -> Any:
    @intrinsic
    def instruction(typing: Any, address: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.load(_cell(context, builder, args[0], args[1], typ))

        return typ(types.int64, types.int64), codegen

    return instruction


def _storer(typ: Any) -> Any:
    @intrinsic
    def instruction(typing: Any, address: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            builder.store(args[2], _cell(context, builder, args[0], args[1], typ))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, typ), codegen

    return instruction


@intrinsic
def _store(typing: Any, address: Any, index: Any, value: Any) -> Any:
    """A signed number; others are refused, which the compiler would truncate silently."""
    if not isinstance(types.unliteral(value), types.Boolean) and not (
        isinstance(value, types.Integer) and value.signed
    ):
        raise TypingError(f"{OWN_WORDS} a cell of memory takes a whole number; are all moves whole numbers?")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _cell(context, builder, args[0], args[1], types.int64))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


def _atomic_loader(ordering: str) -> Any:
    """A signed number, loaded every time, because another thread may change it during a loop."""

    @intrinsic
    def instruction(typing: Any, address: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.load_atomic(_cell(context, builder, args[0], args[1], types.int64), ordering, 8)

        return types.int64(types.int64, types.int64), codegen

    return instruction


@intrinsic
def _store_release(typing: Any, address: Any, index: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _cell(context, builder, args[0], args[1], types.int64), "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


@intrinsic
def _add(typing: Any, address: Any, index: Any, amount: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        cell = _cell(context, builder, args[0], args[1], types.int64)
        return builder.atomic_rmw("add", cell, args[2], "monotonic")

    return types.int64(types.int64, types.int64, types.int64), codegen


@intrinsic
def _claim(typing: Any, address: Any, index: Any, before: Any, after: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        cell = _cell(context, builder, args[0], args[1], types.int64)
        found = builder.cmpxchg(cell, args[2], args[3], "acq_rel", "acquire")
        return builder.extract_value(found, 1)

    return types.boolean(types.int64, types.int64, types.int64, types.int64), codegen


@intrinsic
def _prefetch(typing: Any, address: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        cell = builder.bitcast(_cell(context, builder, args[0], args[1], types.int64), byte)
        builder.call(function, [cell, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def _stack_pointer(typing: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(cgutils.alloca_once(builder, ir.IntType(8)), ir.IntType(64))

    return types.int64(), codegen


_load, _load_acquire = map(_atomic_loader, ("monotonic", "acquire"))
_load_word, _load_real = map(_loader, (types.uint64, types.float64))
_store_word, _store_real = map(_storer, (types.uint64, types.float64))


IMPLEMENTATIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    words.popcount: lambda word: _ctpop(np.uint64(word)),
    words.lsb: lambda word: _cttz(np.uint64(word)),
    words.number: lambda word: np.int64(word),
    words.msb: lambda word: np.int64(63) - _ctlz(np.uint64(word)),
    words.bswap: lambda word: _bswap(np.uint64(word)),
    words.bit: lambda index: np.uint64(1) << np.uint64(index),
    words.drop: lambda word: np.uint64(word) & (np.uint64(word) - np.uint64(1)),
    words.rotl: lambda word, count: (word << np.uint64(count)) | (word >> (np.uint64(64 - count) & np.uint64(63))),
    words.word_of: lambda real: real_bits(np.float64(real)),
    words.real_of: lambda word: _real_from(np.uint64(word)),
    memory.load: lambda address, index: _load(address, index),
    memory.load_acquire: lambda address, index: _load_acquire(address, index),
    memory.store_release: lambda address, index, value: _store_release(address, index, value),
    memory.add: lambda address, index, amount: _add(address, index, amount),
    memory.claim: lambda address, index, before, after: _claim(address, index, before, after),
    memory.prefetch: lambda address, index: _prefetch(address, index),
    memory.stack_pointer: lambda: _stack_pointer(),
    memory.load_word: lambda address, index: _load_word(address, index),
    memory.load_real: lambda address, index: _load_real(address, index),
    memory.store: lambda address, index, value: _store(address, index, value),
    memory.store_word: lambda address, index, value: _store_word(address, index, value),
    memory.store_real: lambda address, index, value: _store_real(address, index, value),
}
"""The implementation of each function in compiled code, with the same arguments."""
