"""The bridge to numba: the compiled form of kernels, static objects, states and words.

Only this module, `cache`, `guarding`, `instructions` and `linking` import numba; `compiler` loads them when a kernel is
first compiled.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import operator
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NewType

import numpy as np
from llvmlite import ir
from numba import njit, typeof, types
from numba.core import cgutils, typed_passes
from numba.core.boxing import box_tuple
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel.models import TupleModel, UniTupleModel
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant, lower_getattr_generic, lower_setattr_generic
from numba.core.registry import cpu_target
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    _OverloadFunctionTemplate,
    infer_getattr,
    make_overload_template,
    signature,
)
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_builtin,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from zermelo.kernel import states, words
from zermelo.kernel.cache import KernelCache
from zermelo.kernel.compiler import CannotCompile, Kernel
from zermelo.kernel.diagnostics import OWN_WORDS, explain_refusal, explain_unreadable, kind_of
from zermelo.kernel.digest import code_digest, digest, is_ours, is_standard
from zermelo.kernel.guarding import GUARDED, GuardedCompiler, GuardedPartCompiler, is_guarded
from zermelo.kernel.instructions import IMPLEMENTATIONS, real_bits
from zermelo.kernel.linking import KernelCompiler, PartCompiler, register_constants
from zermelo.kernel.move_buffers import make_fill_twin
from zermelo.kernel.records import Field, Located, Record
from zermelo.kernel.specialisation import specialise
from zermelo.kernel.static import Static, Switches, not_compiled_names
from zermelo.kernel.words import U64

KERNEL = {"error_model": "numpy", "nogil": True, "forceinline": False, "pipeline_class": KernelCompiler}
CALLED = {**KERNEL, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": PartCompiler}
INLINED = {**CALLED, "forceinline": True}
WITH_CHECKS = {**GUARDED, "pipeline_class": GuardedPartCompiler}
"""`forceinline` gives a speed-up of 1.2 to 2.8; numba's own `inline="always"` breaks generators."""


# -- kernels -------------------------------------------------------------------------------------------

_dispatchers: dict[Kernel[Any, Any], Any] = {}


def dispatcher(kernel: Kernel[Any, Any]) -> Any:
    """The numba dispatcher of a kernel, with the disk cache of ours."""
    with global_compiler_lock:
        if kernel not in _dispatchers:
            function = kernel.function
            assert isinstance(function, FunctionType)
            options = {**KERNEL, **GUARDED, "pipeline_class": GuardedCompiler} if is_guarded(function) else KERNEL
            made = njit(**options)(_in_a_module(function))
            if kernel.result_cast in _SCALARS:
                _results[made.py_func] = _SCALARS[kernel.result_cast]
            made._cache = KernelCache(f"{function.__module__}.{function.__qualname__}", code_digest(function), _statics)
            made._compiler.fold_argument_types = _fold_with_casts(made._compiler.fold_argument_types, kernel.casts)
            _dispatchers[kernel] = made
        return _dispatchers[kernel]


_results: dict[FunctionType, Any] = {}
_result_from_part = TypeInferer.return_types_from_partial


def _declared_result(inference: TypeInferer) -> Any:
    """The annotated return type of a recursive kernel; to infer it, numba would type the kernel many times."""
    return _results.get(inference.func_id.func) or _result_from_part(inference)


TypeInferer.return_types_from_partial = _declared_result


def _in_a_module(function: FunctionType) -> FunctionType:
    """The function, or a twin in this module: numba cannot handle recursive functions without a module."""
    if function.__module__ in sys.modules:
        return function
    parts = function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    twin = FunctionType(*parts)
    twin.__module__ = __name__
    return twin


def _fold_with_casts(plain: Callable[..., Any], casts: list[Any]) -> Callable[..., Any]:
    """Cast numbers in calls between kernels to the annotations, so that a recursion needs only one signature."""

    def fold(args: Any, kws: Any) -> Any:
        python_signature, kinds = plain(args, kws)
        return python_signature, tuple(map(_apply_annotation, kinds, casts))

    return fold


def _apply_annotation(kind: Any, cast: Any) -> Any:
    given = typeof(kind.value) if isinstance(kind, types.Omitted) and kind.value is not None else types.unliteral(kind)
    wanted = _SCALARS.get(cast)
    is_lossy = isinstance(given, types.Float) and wanted != types.float64
    return wanted if wanted and isinstance(given, types.Number | types.Boolean) and not is_lossy else kind


def _statics(args: Any) -> tuple[str, ...]:
    """The static objects among the types of a signature."""
    return tuple(str(arg) for arg in args if isinstance(arg, StaticType))


def compile_for(kernel: Kernel[Any, Any], arguments: list[Any]) -> Callable[..., Any]:
    """The machine code of a kernel for arguments of these types, compiled or loaded; CannotCompile if that fails."""
    statics = [argument for argument in arguments if isinstance(argument, Static)]
    switches = {
        name: value for name, value in zip(kernel.parameters, arguments, strict=True) if isinstance(value, Switches)
    }
    try:
        if switches:
            kernel = specialise(kernel, switches)
        made = _dispatchers.get(kernel) or dispatcher(kernel)  # no waiting while another thread compiles
        kinds = tuple(map(typeof, arguments))
        if kinds not in made.overloads:
            with _without_collection():
                made.compile(kinds)
            register_constants(made.overloads[kinds])
        entry: Callable[..., Any] = made.overloads[kinds].entry_point
    except Exception as error:  # the interpreter may run what the compiler fails on
        raise CannotCompile(explain_refusal(error, statics)) from error
    for static in statics:
        static.freeze()
    return entry


@contextlib.contextmanager
def _without_collection() -> Iterator[None]:
    """Switch garbage collection off: the compiler creates a million objects, and keeps most of them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@typeof_impl.register(Kernel)
def _typeof_kernel(kernel: Kernel[Any, Any], context: Any) -> Any:
    return types.Dispatcher(dispatcher(kernel))


# -- plain functions that a game or a kernel names -----------------------------------------------------

_functions: dict[tuple[FunctionType, str], Any] = {}


@typeof_impl.register(FunctionType)
def _typeof_function(function: FunctionType, context: Any) -> Any:
    """Let compiled code call a plain function, which is compiled again if its constants have changed."""
    if is_standard(str(function.__module__)) or cpu_target.typing_context._lookup_global(function) is not None:
        return None  # numba knows it already
    key = function, "" if is_ours(function.__module__) else code_digest(function)
    if key not in _functions:
        options = _with_checks(INLINED, function)
        template = make_overload_template(function, _chooser(function, function), options, strict=False, inline="never")
        _functions[key] = types.Function(template)
    return _functions[key]


def _with_checks(options: dict[str, Any], function: FunctionType) -> dict[str, Any]:
    """The options for compiling a function: one from outside is not trusted."""
    return {**options, **WITH_CHECKS} if is_guarded(function) else options


def implement(function: Any, implementation: Any) -> None:
    """Let compiled code run `implementation` where the source names `function`."""
    implementation.__qualname__ = f"compiled_{function.__qualname__}"  # numba distinguishes symbols by it
    overload(function, strict=False, jit_options=INLINED)(_chooser(function, implementation))


def _chooser(function: FunctionType, implementation: FunctionType) -> Callable[..., Any]:
    """An overload that always chooses `implementation`, under the signature of `function`."""

    python_signature = inspect.signature(function)
    strange = [p for p in python_signature.parameters.values() if p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]

    def choose(*args: Any, **kwargs: Any) -> Any:
        if strange:
            raise TypingError(f"{OWN_WORDS} `{function.__name__}` has keyword-only parameters, which do not compile")
        return implementation

    choose.__signature__ = python_signature  # type: ignore[attr-defined]
    choose.__qualname__ = function.__qualname__
    if not is_guarded(function):
        _compiled_once.add(choose)
    return choose


_compiled_once: set[Callable[..., Any]] = set()
"""The functions of ours, which are compiled with the same options whoever calls them."""
_implementation_for_flags = _OverloadFunctionTemplate._get_impl


def _implementation(template: Any, args: Any, kws: Any) -> Any:
    """The compiled function, one for all callers; numba would compile it again for each set of caller options."""
    if template._overload_func not in _compiled_once:
        return _implementation_for_flags(template, args, kws)
    key = tuple(args), tuple(kws.items())
    if key not in template._impl_cache:
        template._impl_cache[key] = _implementation_for_flags(template, args, kws)
    return template._impl_cache[key]


_OverloadFunctionTemplate._get_impl = _implementation


# -- static objects ------------------------------------------------------------------------------------


class StaticType(types.Type):
    """The numba type of a static object. Its name is unique; its members are the run-time attributes."""

    cls: type[Static]

    def __init__(self, digest: str, members: tuple[tuple[str, Any], ...]) -> None:
        self.digest, self.members = digest, members
        suffix = "".join(f", {name}: {member}" for name, member in members)
        super().__init__(name=f"{self.cls.__name__}[{digest}{suffix}]")

    @property
    def key(self) -> Any:
        return self.digest, self.members

    def __reduce__(self) -> Any:
        return _restore, (self.digest, self.members)


_refuse_unsupported = typed_passes.raise_on_unsupported_feature
_AN_ARRAY = types.Array(types.int64, 1, "C")


def _refuse_unsupported_except_views(func_ir: Any, typemap: dict[str, Any]) -> None:
    """numba's check of supported features, which refuses every method `view` but that of arrays."""
    kinds = {name: _AN_ARRAY if isinstance(kind, StaticType) else kind for name, kind in typemap.items()}
    _refuse_unsupported(func_ir, kinds)


typed_passes.raise_on_unsupported_feature = _refuse_unsupported_except_views


_types: dict[tuple[str, tuple[tuple[str, Any], ...]], StaticType] = {}
_located_types: dict[type[Static], StaticType] = {}
"""Records and arrays: all of one class have one type."""
_instances: dict[str, Static] = {}
_type_classes: dict[type[Static], type[StaticType]] = {}


def _restore(digest: str, members: tuple[tuple[str, Any], ...]) -> StaticType:
    return _types[digest, members]


@typeof_impl.register(Static)
def _typeof_static(instance: Static, context: Any) -> StaticType:
    if type(instance) in _located_types:
        return _located_types[type(instance)]
    members = tuple((name, _typeof_member(getattr(instance, name))) for name in instance.runtime)
    for name, value in instance.constants().items():
        if isinstance(value, Static) and (kind := typeof(value)).members:
            members += ((name, kind),)
    key = digest(instance), members
    found = _types.get(key)
    if found is None or found.cls is not type(instance):  # a class may be defined again, word for word
        with global_compiler_lock:
            _instances[key[0]] = instance
            found = _types[key] = _type_class(type(instance))(*key)
    if isinstance(instance, Located):
        _located_types[type(instance)] = found
    return found


def _typeof_member(value: Any) -> Any:
    return _located_types.get(type(value)) or typeof(value)


def _type_class(cls: type[Static]) -> type[StaticType]:
    """One numba type class per class: numba looks methods up by it."""
    if cls not in _type_classes:
        made = _type_classes[cls] = type(cls.__name__, (StaticType,), {"cls": cls})
        methods = dict(_methods(cls))
        for name in cls.generators:
            if f"fill_{name}" in methods and name in methods:
                methods[f"fill_{name}"] = make_fill_twin(methods[name], cls.generators)
        for name, function in methods.items():
            options = _with_checks(CALLED if name in cls.not_inlined else INLINED, function)
            if name in cls.keeps_type:
                function = _keep_type(function)
            overload_method(made, name, strict=False, jit_options=options)(_chooser(function, function))
        register_model(made)(_StaticModel)
        unbox(made)(_unbox_static)
        lower_constant(made)(_constant_static)
        lower_getattr_generic(made)(_lower_attribute)
        if issubclass(cls, Located):
            _introduce_cells(made)
        infer_getattr(type(f"{cls.__name__}Attributes", (_Attributes,), {"key": made, "methods": methods}))
        cpu_target.typing_context.refresh()  # this may happen during a compilation
        cpu_target.target_context.refresh()
    return _type_classes[cls]


def _methods(cls: type[Static]) -> Iterator[tuple[str, FunctionType]]:
    for name in sorted(set(dir(cls)) - not_compiled_names(cls)):
        attribute = inspect.getattr_static(cls, name)
        if not name.startswith("__"):
            if isinstance(attribute, FunctionType):
                yield name, attribute
            elif isinstance(attribute, staticmethod):
                yield name, _with_self(attribute.__func__)


def _keep_type(method: FunctionType) -> FunctionType:
    """A method whose result is cast to the type of its first argument, so that a recursion has one signature."""
    own, first, *others = method.__code__.co_varnames[: method.__code__.co_argcount]
    parameters = ", ".join((own, first, *others))
    source = f"def {method.__name__}({parameters}): return as_type_of({first}, method({parameters}))"
    names: dict[str, Any] = {"as_type_of": as_type_of, "method": method}
    exec(compile(source, __file__, "exec"), names)
    made: FunctionType = names[method.__name__]
    made.__defaults__ = method.__defaults__
    return made


@intrinsic
def as_type_of(typing: Any, example: Any, value: Any) -> Any:
    """The value cast to the type of the example, if that loses nothing."""
    wanted = types.unliteral(example)
    if difference := _difference(wanted, value, ""):
        raise TypingError(f"{OWN_WORDS} {difference}")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, args[1], sig.args[1], sig.return_type)

    return wanted(example, value), codegen


def _difference(wanted: Any, given: Any, where: str) -> str:
    """The difference between a state's type and that of the state before, in words; "" if a cast is possible."""
    given = types.unliteral(given)
    if wanted == given or (isinstance(given, types.Boolean) and wanted == types.int64):
        return ""
    field = f"field {where} of the state" if where else "the state"
    if not (isinstance(wanted, types.BaseTuple) and isinstance(given, types.BaseTuple)):
        return f"{field} is {kind_of(str(wanted))} in one position and {kind_of(str(given))} in the next, keep one kind"
    if len(wanted.types) != len(given.types):
        return f"{field} has {len(wanted.types)} items in one position and {len(given.types)} in the next, keep one"
    inner = (
        (one, other, f"{where}.{index}" if where else str(index))
        for index, (one, other) in enumerate(zip(wanted.types, given.types, strict=True))
    )
    return next(filter(None, (_difference(*item) for item in inner)), "")


def _with_self(function: Callable[..., Any]) -> FunctionType:
    """A static method as a method that ignores its instance."""
    parameters = inspect.signature(function).parameters.values()
    plain = [parameter.replace(annotation=parameter.empty, default=parameter.empty) for parameter in parameters]
    names: dict[str, Any] = {"function": function}
    exec(f"def method(self, {', '.join(map(str, plain))}): return function({', '.join(p.name for p in plain)})", names)
    names["method"].__defaults__ = function.__defaults__
    return names["method"]


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
    if typ.members:
        raise TypingError(
            f"{OWN_WORDS} {typ.cls.__name__} has numbers that travel with the call, so it must be an attribute"
        )
    return context.get_value_type(typ)(None)


class _Attributes(AttributeTemplate):
    methods: dict[str, FunctionType]

    def generic_resolve(self, typ: StaticType, name: str) -> Any:
        if name in self.methods:
            return None
        if field := _field(typ, name):
            return _SCALARS[field.kind] if field.is_scalar else _located_type(field.kind)
        for member, member_type in typ.members:
            if member == name:
                return member_type
        instance = _instances[typ.digest]
        if name in not_compiled_names(typ.cls):
            raise TypingError(
                f"{OWN_WORDS} {typ.cls.__name__}.{name} is listed in not_compiled, so compiled code cannot read it"
            )
        if not hasattr(instance, name):
            return None
        value = getattr(instance, name)
        with contextlib.suppress(ValueError):
            if not isinstance(value, list | set):  # these have types, but are not constants
                return typeof(value)
        raise TypingError(f"{OWN_WORDS} {explain_unreadable(f'self.{name}', type(value).__name__)}")


def _lower_attribute(context: Any, builder: Any, typ: StaticType, value: Any, name: str) -> Any:
    if field := _field(typ, name):
        return _load_field(context, builder, typ, value, field)
    if any(member == name for member, _ in typ.members):
        return getattr(cgutils.create_struct_proxy(typ)(context, builder, value=value), name)
    found = getattr(_instances[typ.digest], name)
    return context.get_constant_generic(builder, typeof(found), found)


# -- records: fields are loads and stores at the record's address ------------------------------------------


def _field(typ: StaticType, name: str) -> Field | None:
    return typ.cls.fields.get(name) if issubclass(typ.cls, Record) else None


def _located_type(cls: type[Located]) -> StaticType:
    found: StaticType = typeof(cls(0))
    return found


def _introduce_cells(made: type[StaticType]) -> None:
    """Let compiled code set fields of a record, and use the items of an array."""
    lower_setattr_generic(made)(_store_field)
    for operation, name in ((operator.getitem, "__getitem__"), (operator.setitem, "__setitem__")):
        if method := getattr(made.cls, name, None):
            overload(operation, strict=False, jit_options=INLINED)(_for_type(made, method))


def _for_type(made: type[StaticType], method: FunctionType) -> Callable[..., Any]:
    """An overload that chooses the method if the first argument is of this type."""

    def choose(*args: Any) -> Any:
        return method if isinstance(args[0], made) else None

    choose.__signature__ = inspect.signature(method)  # type: ignore[attr-defined]
    return choose


def _address(context: Any, builder: Any, typ: StaticType, value: Any, field: Field) -> Any:
    """The address of a field as a number."""
    address = cgutils.create_struct_proxy(typ)(context, builder, value=value).address
    return builder.add(address, context.get_constant(types.int64, 8 * field.offset))


def _load_field(context: Any, builder: Any, typ: StaticType, value: Any, field: Field) -> Any:
    address = _address(context, builder, typ, value, field)
    if field.is_scalar and field.kind not in (int, bool):
        kind = context.get_value_type(_SCALARS[field.kind])
        return builder.load(builder.inttoptr(address, kind.as_pointer()))
    number = ir.IntType(64)
    cell = builder.inttoptr(address, number.as_pointer())
    if field.is_scalar or field.is_far:
        found = builder.load_atomic(cell, "monotonic", 8)
        if field.is_scalar:
            return found if field.kind is int else builder.icmp_signed("!=", found, number(0))
        address = found
    located = cgutils.create_struct_proxy(_located_type(field.kind))(context, builder)
    located.address = address
    return located._getvalue()


def _store_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    field = _field(sig.args[0], name)
    assert field is not None
    if not (field.is_scalar or field.is_far):
        raise TypingError(f"{OWN_WORDS} {name} is part of the record; set its items")
    address, value = _address(context, builder, sig.args[0], args[0], field), args[1]
    if field.kind is bool:
        value = builder.zext(value, ir.IntType(64))
    elif field.is_far:
        value = cgutils.create_struct_proxy(sig.args[1])(context, builder, value=value).address
    builder.store(value, builder.inttoptr(address, value.type.as_pointer()))


def _introduce_constructor(cls: type[Located]) -> Any:
    """Let compiled code construct a record or array from an address."""

    class Construct(AbstractTemplate):
        key = cls

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(_located_type(cls), types.int64)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        located = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        located.address = args[0]
        return located._getvalue()

    lower_builtin(cls, types.int64)(lower)
    return types.Function(Construct)


# -- states: the compiled type follows the annotations, not the values -----------------------------------

_SCALARS = {U64: types.uint64, int: types.int64, float: types.float64, bool: types.boolean}
_constructors: dict[type, Any] = {}
_typeof_class = typeof_impl.dispatch(type)


def _field_type(annotation: Any, value: Any) -> Any:
    """The numba type of a field; `value` (a value or a numba type) gives the length of a tuple."""
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    found = value if isinstance(value, types.Type) else typeof(value)
    if states.is_state(annotation):
        return found
    return types.UniTuple(_SCALARS[annotation.__args__[0]], found.count)


class _StateType(types.BaseNamedTuple):
    """Two classes of the same name and fields have one type, so that a cell of a notebook can be run again."""

    instance_class: type
    types: tuple[Any, ...]

    def name_it(self) -> None:
        self.identity = states.identity(self.instance_class)
        self.name = f"{self.identity}({', '.join(map(str, self.types))})"

    @property
    def key(self) -> Any:
        return self.identity, tuple(self.types)

    def __reduce__(self) -> Any:
        return _restore_state, (self.identity, tuple(self.types))


class _MixedState(_StateType, types.NamedTuple):
    def __init__(self, fields: list[Any], cls: type) -> None:
        types.NamedTuple.__init__(self, fields, cls)
        self.name_it()


class _EvenState(_StateType, types.NamedUniTuple):
    """All fields are of one type, so an index may be a variable."""

    def __init__(self, fields: list[Any], cls: type) -> None:
        types.NamedUniTuple.__init__(self, fields[0], len(fields), cls)
        self.name_it()


register_model(_MixedState)(TupleModel)
register_model(_EvenState)(UniTupleModel)


def _state_type(cls: type, fields: list[Any]) -> Any:
    return (_EvenState if len(set(fields)) == 1 else _MixedState)(fields, cls)


def _restore_state(identity: str, fields: tuple[Any, ...]) -> Any:
    return _state_type(states.class_of(identity), list(fields))


def _tuple_type(cls: type, values: Any) -> Any:
    annotations = states.annotations_of(cls)
    return _state_type(cls, [_field_type(note, value) for note, value in zip(annotations, values, strict=True)])


class _ClassOf:
    """A state class, found by its identity when compiled code is loaded."""

    def __init__(self, identity: str) -> None:
        self.identity = identity

    def __reduce__(self) -> Any:
        return states.class_of, (self.identity,)


@box(_StateType)
def _box_state(typ: Any, value: Any, c: Any) -> Any:
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(_ClassOf(typ.identity)))
    items = box_tuple(typ, value, c)
    made = c.pyapi.call(cls, items)
    c.pyapi.decref(cls)
    c.pyapi.decref(items)
    return made


_typeof_tuple = typeof_impl.dispatch(tuple)


@typeof_impl.register(tuple)
def _typeof_state(value: tuple[Any, ...], context: Any) -> Any:
    cls = type(value)
    return _tuple_type(cls, value) if states.is_state(cls) else _typeof_tuple(value, context)


@typeof_impl.register(NewType)
def _typeof_new_type(kind: NewType, context: Any) -> Any:
    """A distinct type for the type checker only: compiled code takes the value as it is."""
    return typeof(_unchanged)


def _unchanged(value: Any) -> Any:
    return value


@typeof_impl.register(type)
def _typeof_constructor(cls: type, context: Any) -> Any:
    if issubclass(cls, Located):
        if cls not in _constructors:
            _constructors[cls] = _introduce_constructor(cls)
        return _constructors[cls]
    if not states.is_state(cls):
        return _typeof_class(cls, context)
    if cls not in _constructors:
        _constructors[cls] = types.Function(_constructor(cls))
        lower_builtin(cls, types.VarArg(types.Any))(_lower_construct)
    return _constructors[cls]


def _constructor(cls: type) -> Any:
    parameters = list(inspect.signature(cls.__new__.__wrapped__).parameters.values())[1:]  # type: ignore[attr-defined]
    python_signature = inspect.Signature([_with_typed_default(cls, parameter) for parameter in parameters])

    class Construct(AbstractTemplate):
        key = cls

        def generic(self, args: Any, kws: Any) -> Any:
            try:
                bound = python_signature.bind(*args, **kws)
            except TypeError as error:
                raise TypingError(f"{OWN_WORDS} {cls.__name__}({', '.join(cls._fields)}): {error}") from error  # type: ignore[attr-defined]
            bound.apply_defaults()
            made = _tuple_type(cls, bound.args)
            return signature(made, *made.types).replace(pysig=python_signature)

    return Construct


def _with_typed_default(cls: type, parameter: inspect.Parameter) -> inspect.Parameter:
    if parameter.default is parameter.empty:
        return parameter
    return parameter.replace(default=states.cast_of(cls, parameter.name)(parameter.default))


def _lower_construct(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.make_tuple(builder, sig.return_type, args)


@overload(states.replace_item, strict=False, jit_options=INLINED)
def _overload_replace_item(items: Any, index: Any, item: Any) -> Any:
    if not hasattr(items, "dtype"):
        raise TypingError(f"{OWN_WORDS} `replace_item` exchanges items of a tuple whose items are all of one kind")

    def implementation(items: Any, index: Any, item: Any) -> Any:
        if index < 0 or index >= len(items):
            raise IndexError("there is no such item to replace")
        return tuple_setitem(items, index, item)

    return implementation


@overload(states.hash_numbers, strict=False, jit_options=INLINED)
def _overload_hash_numbers(state: Any) -> Any:
    first = int(states.first_word(isinstance(state, types.BaseTuple)))
    lines = ["def implementation(state):", f" word = U64({first})"]
    lines += [f" word = mix(word ^ {number}) + GOLDEN" for number in _hash_expressions("state", state)]
    names: dict[str, Any] = {"GOLDEN": words.GOLDEN, "U64": U64, "mix": words.mix, "real_word": _real_word}
    exec("\n".join([*lines, " return word"]), names)
    return names["implementation"]


@njit(**INLINED)
def _real_word(real: float) -> Any:
    """The word of a floating-point number in a hash; a whole one counts as the whole number that it equals."""
    if abs(real) < 2.0**63 and real == np.floor(real):
        return np.uint64(np.int64(real))
    return real_bits(real)


def _hash_expressions(path: str, typ: Any) -> Iterator[str]:
    """The expressions of the words that `states.numbers_of` gives for a value of this type."""
    if isinstance(typ, types.BaseTuple):
        for index, item in enumerate(typ.types):
            yield from _hash_expressions(f"{path}[{index}]", item)
            if isinstance(item, types.BaseTuple):
                yield f"U64({int(states.end_of_tuple(len(item.types)))})"
    else:
        yield f"real_word({path})" if isinstance(typ, types.Float) else f"U64({path})"


# -- words and flat memory -----------------------------------------------------------------------------


@typeof_impl.register(U64)
def _typeof_word(value: U64, context: Any) -> Any:
    return types.uint64


@overload(U64, strict=False, jit_options=INLINED)
def _word(value: Any) -> Any:
    return lambda value: np.uint64(value)


for _function, _implementation in IMPLEMENTATIONS.items():
    implement(_function, _implementation)
