"""Records: flat memory with named fields.

    class Path(Record):
        length: int                     # one cell
        keys: Words = array(Words, 64)  # 64 cells

    path = Path.allocate()              # owns its memory
    path.length += 1                    # a load and a store at the path's address, interpreted and compiled
    path.keys[path.length] = key

A record's only run-time member is its address, so that a kernel can carry it through recursion at the cost of one
number. Its fields follow one another in 64-bit cells, those of its base classes first. A field is `int`, `float`, `U64`
or `bool`; an array of fixed size (`array`); another record in place (`inline`); or an array or a
record elsewhere, of which the field holds the address (`pointer`). Its methods are compiled like those of any `Static`.
Compiled code checks no index.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, ClassVar, NoReturn, Self, TypeVar, get_origin

from zermelo.kernel.memory import (
    Memory,
    add,
    claim,
    fit_cell,
    load,
    load_real,
    load_word,
    store,
    store_real,
    store_word,
)
from zermelo.kernel.static import Static
from zermelo.kernel.words import U64

CELL = 8
"""Bytes of a cell."""
Place = TypeVar("Place", bound="Located")


class Located(Static):
    """An array of cells or a record, represented by its address."""

    runtime = ("address",)
    not_compiled = ("keeps_alive", "parts")
    address: int
    keeps_alive: list[object]
    """The memory itself, and the owners of what its pointers refer to; shared by a record and its parts."""
    parts: dict[str, Located]
    """The arrays and records of a record that have been asked for."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._digest = None

    def __init__(self, address: int, keeps_alive: list[object] | None = None) -> None:
        self.address, self.parts = address, {}
        self.keeps_alive = [] if keeps_alive is None else keeps_alive

    def constants(self) -> dict[str, Any]:
        """No constants: all objects of a class are alike to the compiler."""
        return {}

    def freeze(self) -> None:
        """Nothing to do: compiled code relies on the class only."""

    __setattr__ = object.__setattr__  # type: ignore[assignment]

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} is an address of this process; it cannot be copied or saved")


class Array(Located):
    """Cells of one kind, one after another."""

    @classmethod
    def allocate(cls, count: int) -> Self:
        """A zeroed array that owns its memory; it lives as long as the object does."""
        memory = Memory(count)
        return cls(memory.address, [memory])

    def copy_from(self, memory: Memory, count: int) -> None:
        """Copy the first `count` cells."""
        ctypes.memmove(self.address, memory.address, CELL * count)


class Numbers(Array):
    """An array of signed whole numbers. Other threads may change them, so each access loads them anew."""

    def __getitem__(self, index: int) -> int:
        return load(self.address, index)

    def __setitem__(self, index: int, value: int) -> None:
        store(self.address, index, value)

    def add(self, index: int, amount: int) -> int:
        """Add atomically; returns the number before."""
        return add(self.address, index, amount)

    def claim(self, index: int, before: int, after: int) -> bool:
        """Compare and swap: replace `before` by `after` atomically; False if the cell holds another number."""
        return claim(self.address, index, before, after)


class Reals(Array):
    """An array of floating-point numbers."""

    def __getitem__(self, index: int) -> float:
        return load_real(self.address, index)

    def __setitem__(self, index: int, value: float) -> None:
        store_real(self.address, index, value)


class Words(Array):
    """An array of 64-bit words."""

    def __getitem__(self, index: int) -> U64:
        return load_word(self.address, index)

    def __setitem__(self, index: int, value: U64) -> None:
        store_word(self.address, index, value)


class Field:
    """A field of a record: its offset, its number of cells and its kind."""

    def __init__(self, kind: type, cells: int, is_far: bool = False) -> None:
        self.kind, self.cells, self.is_far = kind, cells, is_far
        self.name, self.offset = "", 0
        self.is_scalar, self.is_plain = not issubclass(kind, Located), kind in (int, float)
        self.cell_at: Any = {float: ctypes.c_double, U64: ctypes.c_uint64}.get(kind, ctypes.c_int64).from_address

    def __repr__(self) -> str:
        """The text of the field in the keys of compiled code."""
        far = "pointer to " if self.is_far else ""
        return f"<{far}{self.kind.__qualname__} {self.name!r} at {self.offset}, {self.cells} cells>"

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:
        if record is None:
            return self
        address = record.address
        if address == 0:  # an example of its type
            raise AttributeError(f"{type(record).__name__}.{self.name} cannot be read: the record has no memory")
        if self.is_plain:
            return self.cell_at(address + CELL * self.offset).value
        if self.is_scalar:
            return self.kind(self.cell_at(address + CELL * self.offset).value)
        place = load(address, self.offset) if self.is_far else address + CELL * self.offset
        part = record.parts.get(self.name)
        if part is None or part.address != place:
            part = record.parts[self.name] = self.kind(place, record.keeps_alive)
        return part

    def __set__(self, record: Record, value: Any) -> None:
        if not self.is_scalar:
            if not self.is_far:
                raise AttributeError(f"{type(record).__name__}.{self.name} is part of the record; set its items")
            value = value.address
        elif self.kind is int:
            value = fit_cell(value)
        self.cell_at(record.address + CELL * self.offset).value = value


def array(kind: type[Place], count: int) -> Place:
    """A field of `count` items: `Numbers`, `Reals` or `Words`."""
    return Field(kind, count)  # type: ignore[return-value]


def inline(kind: type[Place]) -> Place:
    """A field that is another record, in place."""
    assert issubclass(kind, Record)
    return Field(kind, kind.cells)  # type: ignore[return-value]


def pointer(kind: type[Place]) -> Place:
    """A field that holds the address of an array or record elsewhere; its owner must keep that alive."""
    return Field(kind, 1, is_far=True)  # type: ignore[return-value]


class Record(Located):
    """Base of records; see the module."""

    cells: ClassVar[int] = 0
    """The size of the record."""
    fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.fields, left_out = dict(cls.fields), {*cls.not_compiled, *cls.runtime}
        scope = vars(sys.modules[cls.__module__])
        for name, annotation in vars(cls).get("__annotations__", {}).items():
            kind = eval(annotation, scope) if isinstance(annotation, str) else annotation
            if name in left_out or get_origin(kind) is ClassVar:
                continue
            field = vars(cls).get(name)
            if not isinstance(field, Field):
                field = Field(getattr(kind, "__supertype__", kind), 1)
                if field.kind not in (int, float, bool, U64):
                    raise TypeError(f"{cls.__name__}.{name} is {kind}; a field is int, float, bool, U64 or an array")
                setattr(cls, name, field)
            field.name, field.offset = name, cls.cells
            cls.fields[name] = field
            cls.cells += field.cells

    def copy_from(self, other: Self) -> None:
        """Copy all fields."""
        ctypes.memmove(self.address, other.address, CELL * type(self).cells)

    @classmethod
    def allocate(cls) -> Self:
        """Create a zeroed record that owns its memory."""
        memory = Memory(cls.cells)
        return cls(memory.address, [memory])
