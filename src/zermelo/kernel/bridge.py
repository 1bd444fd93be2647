"""The bridge to numba: static objects, states, words and flat memory as the compiler sees them.

Only this module and `cache` import numba; `compiler` loads them when a kernel is first compiled.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit, typeof, types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, signature
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from zermelo.kernel import memory, states, words
from zermelo.kernel.cache import KernelCache
from zermelo.kernel.compiler import CannotCompile, Kernel, readable
from zermelo.kernel.digest import digest, named_values, nested_codes
from zermelo.kernel.static import Static
from zermelo.kernel.words import U64

KERNEL = {"error_model": "numpy", "nogil": True}
INLINED = {**KERNEL, "forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""`forceinline` is worth 1.2 to 2.8 times; numba's own `inline="always"` breaks generators."""

_lock = threading.RLock()


# -- kernels -------------------------------------------------------------------------------------------

_dispatchers: dict[Kernel[Any, Any], Any] = {}


def dispatcher(kernel: Kernel[Any, Any]) -> Any:
    """The numba dispatcher of a kernel, with the disk cache of ours."""
    with _lock:
        if kernel not in _dispatchers:
            function = kernel.function
            assert isinstance(function, FunctionType)
            adopt(function)
            made = njit(**KERNEL)(function)
            made._cache = KernelCache(
                f"{function.__module__}.{function.__qualname__}", function.__code__.co_code, _statics
            )
            _dispatchers[kernel] = made
        return _dispatchers[kernel]


def _statics(args: Any) -> tuple[str, ...]:
    """The static objects among the types of a signature."""
    return tuple(str(arg) for arg in args if isinstance(arg, StaticType))


def compile_for(kernel: Kernel[Any, Any], arguments: list[Any]) -> Any:
    """The dispatcher of a kernel, compiled (or loaded) for these arguments."""
    made = dispatcher(kernel)
    cls = next((type(argument) for argument in arguments if isinstance(argument, Static)), Static)
    try:
        wanted = tuple(map(typeof, arguments))
        with _lock:
            if wanted not in made.overloads:
                made.compile(wanted)
    except (NumbaError, NotImplementedError, AssertionError, KeyError, TypeError, ValueError) as error:
        raise CannotCompile(readable(error, cls)) from error
    return made


def call(kernel: Kernel[Any, Any], arguments: list[Any]) -> Any:
    """Run a kernel compiled."""
    return compile_for(kernel, arguments)(*arguments)


@typeof_impl.register(Kernel)
def _typeof_kernel(kernel: Kernel[Any, Any], context: Any) -> Any:
    return types.Dispatcher(dispatcher(kernel))


# -- plain functions that a game or a kernel names -----------------------------------------------------

_adopted: set[Any] = {states.replaced, states.hash_numbers}


def adopt(function: FunctionType) -> None:
    """Let compiled code call the plain functions this one names, and those they name."""
    for code in nested_codes(function.__code__):
        for value in named_values(function, code):
            if isinstance(value, FunctionType) and value not in _adopted and _is_adoptable(value):
                implement(value, value)
                adopt(value)


def implement(function: Any, implementation: Any) -> None:
    """Let compiled code run `implementation` where the source names `function`."""
    _adopted.add(function)
    overload(function, strict=False, jit_options=INLINED)(_chooser(function, implementation))


def _is_adoptable(function: FunctionType) -> bool:
    return function.__module__.partition(".")[0] not in ("numpy", "numba", "math", "builtins", "llvmlite")


def _chooser(function: FunctionType, implementation: FunctionType) -> Callable[..., Any]:
    """An overload that always chooses `implementation`, under the signature of `function`."""

    def choose(*args: Any) -> Any:
        return implementation

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    choose.__qualname__ = function.__qualname__
    return choose


# -- static objects ------------------------------------------------------------------------------------


class StaticType(types.Type):
    """The numba type of a static object. Its name holds the digest; its members are what is passed at run time."""

    cls: type[Static]

    def __init__(self, digest: str, members: tuple[tuple[str, Any], ...]) -> None:
        self.digest, self.members = digest, members
        super().__init__(name=f"{self.cls.__name__}[{digest}]")

    @property
    def key(self) -> Any:
        return self.digest, self.members

    def __reduce__(self) -> Any:
        return _restore, (self.digest,)


_types: dict[str, StaticType] = {}
_instances: dict[str, Static] = {}
_type_classes: dict[type[Static], type[StaticType]] = {}


def _restore(digest: str) -> StaticType:
    return _types[digest]


@typeof_impl.register(Static)
def _typeof_static(instance: Static, context: Any) -> StaticType:
    key = digest(instance)
    if key not in _types:
        with _lock:
            members = tuple((name, typeof(getattr(instance, name))) for name in instance.runtime)
            for name, value in instance.constants().items():
                if isinstance(value, Static) and typeof(value).members:
                    members += ((name, typeof(value)),)
            _instances[key] = instance
            _types[key] = _type_class(type(instance))(key, members)
    return _types[key]


def _type_class(cls: type[Static]) -> type[StaticType]:
    """One numba type class per class: numba looks methods up by it."""
    if cls not in _type_classes:
        made = _type_classes[cls] = type(cls.__name__, (StaticType,), {"cls": cls})
        methods = {
            name: function
            for name in dir(cls)
            if not name.startswith("__") and isinstance(function := getattr(cls, name), FunctionType)
        }
        for name, function in methods.items():
            adopt(function)
            overload_method(made, name, strict=False, jit_options=INLINED)(_chooser(function, function))
        register_model(made)(_StaticModel)
        unbox(made)(_unbox_static)
        lower_constant(made)(_constant_static)
        lower_getattr_generic(made)(_lower_attribute)
        infer_getattr(type(f"{cls.__name__}Attributes", (_Attributes,), {"key": made, "methods": methods}))
    return _type_classes[cls]


class _StaticModel(models.StructModel):
    def __init__(self, manager: Any, typ: StaticType) -> None:
        super().__init__(manager, typ, list(typ.members))


def _unbox_static(typ: StaticType, obj: Any, c: Any) -> NativeValue:
    struct = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for name, member in typ.members:
        value = c.pyapi.object_getattr_string(obj, name)
        setattr(struct, name, c.unbox(member, value).value)
        c.pyapi.decref(value)
    return NativeValue(struct._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


def _constant_static(context: Any, builder: Any, typ: StaticType, value: Static) -> Any:
    return context.get_value_type(typ)(None)


class _Attributes(AttributeTemplate):
    methods: dict[str, FunctionType]

    def generic_resolve(self, typ: StaticType, name: str) -> Any:
        if name in self.methods:
            return None
        for member, member_type in typ.members:
            if member == name:
                return member_type
        instance = _instances[typ.digest]
        if name in instance.hushed or not hasattr(instance, name):
            return None
        return typeof(getattr(instance, name))


def _lower_attribute(context: Any, builder: Any, typ: StaticType, value: Any, name: str) -> Any:
    if any(member == name for member, _ in typ.members):
        return getattr(cgutils.create_struct_proxy(typ)(context, builder, value=value), name)
    found = getattr(_instances[typ.digest], name)
    return context.get_constant_generic(builder, typeof(found), found)


# -- states: the compiled type follows the annotations, not the values -----------------------------------

_SCALARS = {U64: types.uint64, int: types.int64, float: types.float64, bool: types.boolean}
_constructors: dict[type, Any] = {}
_typeof_class = typeof_impl.dispatch(type)


def _field_type(annotation: Any, value: Any) -> Any:
    """The numba type of a field; `value` (a value or a numba type) tells the length of a tuple."""
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if states.is_state(annotation):
        return value if isinstance(value, types.Type) else typeof(value)
    item = _SCALARS[annotation.__args__[0]]
    return types.UniTuple(item, value.count if isinstance(value, types.Type) else len(value))


def _tuple_type(cls: type, values: Any) -> Any:
    fields = [_field_type(note, value) for note, value in zip(states.annotations_of(cls), values, strict=True)]
    if len(set(fields)) == 1:
        return types.NamedUniTuple(fields[0], len(fields), cls)
    return types.NamedTuple(fields, cls)


_typeof_tuple = typeof_impl.dispatch(tuple)


@typeof_impl.register(tuple)
def _typeof_state(value: tuple[Any, ...], context: Any) -> Any:
    cls = type(value)
    return _tuple_type(cls, value) if states.is_state(cls) else _typeof_tuple(value, context)


@typeof_impl.register(type)
def _typeof_constructor(cls: type, context: Any) -> Any:
    if not states.is_state(cls):
        return _typeof_class(cls, context)
    if cls not in _constructors:
        parameters = inspect.signature(cls.__new__.__wrapped__).parameters  # type: ignore[attr-defined]
        python_signature = inspect.Signature(list(parameters.values())[1:])
        names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]

        class Construct(AbstractTemplate):
            key = cls

            def generic(self, args: Any, kws: Any) -> Any:
                given = [*args, *(kws[name] for name in names[len(args) :] if name in kws)]
                if len(given) != len(names):
                    return None
                made = _tuple_type(cls, given)
                return signature(made, *made.types).replace(pysig=python_signature)

        lower_builtin(cls, types.VarArg(types.Any))(_lower_construct)
        _constructors[cls] = types.Function(Construct)
    return _constructors[cls]


def _lower_construct(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.make_tuple(builder, sig.return_type, args)


@overload(states.replaced, strict=False)
def _replaced(items: Any, index: Any, item: Any) -> Any:
    kind = items.dtype

    def implementation(items: Any, index: Any, item: Any) -> Any:
        return tuple_setitem(items, index, _convert(item))

    _convert = njit(lambda item: item) if not isinstance(kind, types.Integer | types.Float) else _converters[kind]
    return implementation


_converters = {
    types.int64: njit(lambda item: np.int64(item)),
    types.uint64: njit(lambda item: np.uint64(item)),
    types.float64: njit(lambda item: np.float64(item)),
}


@overload(states.hash_numbers, strict=False, jit_options=INLINED)
def _hash_numbers(state: Any) -> Any:
    lines = ["def implementation(state):", " word = U64(0x9E3779B97F4A7C15)"]
    for path, typ in _leaves("state", state):
        number = f"real_bits({path})" if isinstance(typ, types.Float) else f"U64({path})"
        lines.append(f" word = mix(word ^ {number}) + U64(0x9E3779B97F4A7C15)")
    names: dict[str, Any] = {"U64": U64, "mix": words.mix, "real_bits": real_bits}
    exec("\n".join([*lines, " return word"]), names)
    adopt(names["implementation"])
    return names["implementation"]


def _leaves(path: str, typ: Any) -> list[tuple[str, Any]]:
    if isinstance(typ, types.BaseTuple):
        return [leaf for index, item in enumerate(typ.types) for leaf in _leaves(f"{path}[{index}]", item)]
    return [(path, typ)]


# -- words ---------------------------------------------------------------------------------------------


@typeof_impl.register(U64)
def _typeof_word(value: U64, context: Any) -> Any:
    return types.uint64


@overload(U64, strict=False, jit_options=INLINED)
def _word(value: Any) -> Any:
    return lambda value: np.uint64(value)


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


implement(words.popcount, lambda word: _ctpop(np.uint64(word)))
implement(words.lsb, lambda word: _cttz(np.uint64(word)))
implement(words.number, lambda word: np.int64(word))
implement(words.msb, lambda word: np.int64(63) - _ctlz(np.uint64(word)))
implement(words.bswap, lambda word: _bswap(np.uint64(word)))
implement(words.bit, lambda index: np.uint64(1) << np.uint64(index))
implement(words.drop, lambda word: np.uint64(word) & (np.uint64(word) - np.uint64(1)))
implement(
    words.rotl, lambda word, count: (word << np.uint64(count)) | (word >> (np.uint64(64 - count) & np.uint64(63)))
)


# -- flat memory ---------------------------------------------------------------------------------------


@intrinsic
def real_bits(typing: Any, real: Any) -> Any:
    """The 64 bits of a floating-point number."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(types.uint64))

    return types.uint64(types.float64), codegen


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


_load, _load_word, _load_real = map(_loader, (types.int64, types.uint64, types.float64))
_store, _store_word, _store_real = map(_storer, (types.int64, types.uint64, types.float64))

implement(memory.load, lambda address, index: _load(address, index))
implement(memory.load_word, lambda address, index: _load_word(address, index))
implement(memory.load_real, lambda address, index: _load_real(address, index))
implement(memory.store, lambda address, index, value: _store(address, index, value))
implement(memory.store_word, lambda address, index, value: _store_word(address, index, value))
implement(memory.store_real, lambda address, index, value: _store_real(address, index, value))
