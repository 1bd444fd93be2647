"""The same memory for numpy and for kernels: arrays of 64-bit cells."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.kernel import Numbers, Reals, Record, Words
from zermelo.kernel.records import Array

KINDS = {np.dtype(np.int64): Numbers, np.dtype(np.float64): Reals, np.dtype(np.uint64): Words}


def shared(array: NDArray[Any]) -> Any:
    """A kernel's array on the memory of a contiguous array of numpy."""
    assert array.flags.c_contiguous
    return KINDS[array.dtype](array.ctypes.data, [array])


def contents(array: Array, count: int) -> NDArray[Any]:
    """A copy of the first cells."""
    kind = next(dtype for dtype, cls in KINDS.items() if isinstance(array, cls))
    return np.frombuffer(ctypes.string_at(array.address, 8 * count), dtype=kind).copy()


def keep(record: Record, **parts: NDArray[Any]) -> None:
    """Point the fields of a record at arrays."""
    for name, part in parts.items():
        place = shared(np.ascontiguousarray(part))
        setattr(record, name, place)
        record.keeps_alive.append(place)


def size(record: Record) -> int:
    """The bytes of the arrays that `keep` has given to a record."""
    return sum(array.nbytes for place in record.keeps_alive for array in getattr(place, "keeps_alive", ()))
