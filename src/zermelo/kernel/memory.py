"""Flat memory by address: arrays of 64-bit cells that kernels share without carrying arrays through recursion.

A kernel gets one number, the address; `load` and `store` access a cell by its index. Compiled code checks nothing.
Interpreted code refuses a number that does not fit a cell, because truncation would make two moves equal.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import threading

from zermelo.kernel.words import U64

FILL_MASK = (1 << 16) - 1
"""Mask applied to every index that `fill_...` writes: a generator of too many moves cannot overrun its buffer."""
_one_at_a_time = threading.Lock()
"""Makes operations atomic in the interpreter that are one instruction in compiled code."""


class Outgrown(OverflowError):
    """A number of the rules does not fit its place in compiled code, for example because it needs more than 64 bits."""

    def __init__(self, sentence: str = "a whole number needs more than 64 bits") -> None:
        super().__init__(sentence)


class Refused(Outgrown):
    """Compiled code reached an operation that may differ from Python's; the sentence begins with a verb."""


class EndlessRecursion(RecursionError):
    """A compiled kernel of the user called itself, directly or not, until the stack was almost full."""


class Memory:
    """A zeroed block of 64-bit cells, which exists as long as this object.

    The system zeroes a page at its first use, so an unused large block costs nothing. Large pages are faster to
    access, but their first use costs more.
    """

    def __init__(self, cells: int, large_pages: bool = False) -> None:
        self._cells = (ctypes.c_int64 * cells).from_buffer(_block(8 * max(cells, 1), large_pages))
        self.address: int = ctypes.addressof(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __getitem__(self, index: int) -> int:
        return self._cells[index]

    def __setitem__(self, index: int, value: int) -> None:
        self._cells[index] = fit_cell(value)

    def copy(self, other: Memory, first: int, end: int) -> None:
        """Copy the cells from `first` to before `end`."""
        ctypes.memmove(self.address + 8 * first, other.address + 8 * first, 8 * (end - first))

    def clear(self) -> None:
        ctypes.memset(self.address, 0, 8 * len(self._cells))


def _block(size: int, large_pages: bool) -> mmap.mmap:
    """Memory from the system, in large pages if requested and available."""
    if not hasattr(mmap, "MAP_ANONYMOUS"):
        return mmap.mmap(-1, size)
    found = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if large_pages and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            found.madvise(mmap.MADV_HUGEPAGE)
    return found


def fits_cell(value: object) -> bool:
    """Whether it is a whole number that a cell can hold."""
    return isinstance(value, int) and -(1 << 63) <= value < 1 << 63


def fit_cell(value: int) -> int:
    """Return the value if a cell can hold it, otherwise raise Outgrown; ctypes would truncate it silently."""
    if not fits_cell(value):
        raise Outgrown(f"{value!r} does not fit a cell: it should be a whole number of 64 bits")
    return value


def load(address: int, index: int) -> int:
    """The signed number in a cell."""
    return ctypes.c_int64.from_address(address + 8 * index).value


def store(address: int, index: int, value: int) -> None:
    ctypes.c_int64.from_address(address + 8 * index).value = fit_cell(value)


def load_acquire(address: int, index: int) -> int:
    """`load` with acquire semantics: sees all writes before the `store_release` of this number by another thread."""
    return load(address, index)


def store_release(address: int, index: int, value: int) -> None:
    """`store` with release semantics: a thread that reads the number by `load_acquire` sees all writes before it."""
    store(address, index, value)


def add(address: int, index: int, amount: int) -> int:
    """Add to the number in a cell atomically; returns the number before."""
    with _one_at_a_time:
        before = load(address, index)
        store(address, index, before + amount)
    return before


def claim(address: int, index: int, before: int, after: int) -> bool:
    """Compare and swap: put `after` into a cell if it holds `before`, atomically; returns whether it did."""
    with _one_at_a_time:
        if load(address, index) != before:
            return False
        store(address, index, after)
    return True


def prefetch(address: int, index: int) -> None:
    """Prefetch a cell into the processor's cache."""


def stack_pointer() -> int:
    """The approximate stack pointer of the thread; the stack grows towards lower addresses.

    0 if interpreted, where Python limits the depth of calls.
    """
    return 0


def load_word(address: int, index: int) -> U64:
    """The 64-bit word in a cell."""
    return U64(ctypes.c_uint64.from_address(address + 8 * index).value)


def store_word(address: int, index: int, value: U64) -> None:
    ctypes.c_uint64.from_address(address + 8 * index).value = value


def load_real(address: int, index: int) -> float:
    """The floating-point number in a cell."""
    return ctypes.c_double.from_address(address + 8 * index).value


def store_real(address: int, index: int, value: float) -> None:
    ctypes.c_double.from_address(address + 8 * index).value = value
