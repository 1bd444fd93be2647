"""Flat memory by address: arrays of 64-bit cells that kernels share without carrying arrays through recursion.

A kernel gets one number, the address; `load` and `store` reach a cell by its index. Nothing is checked.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap

from zermelo.kernel.words import U64

FILL_MASK = (1 << 16) - 1
"""What a generator's twin writes stays within so many cells, whatever it yields."""


class Memory:
    """A zeroed block of 64-bit cells; it lives as long as this object does.

    The system zeroes a page when it is first touched, so a large block costs nothing until it is used. In large pages
    cells are found faster, but the first touch costs more.
    """

    def __init__(self, cells: int, large_pages: bool = False) -> None:
        self._cells = (ctypes.c_int64 * cells).from_buffer(_block(8 * max(cells, 1), large_pages))
        self.address: int = ctypes.addressof(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __getitem__(self, index: int) -> int:
        return self._cells[index]

    def __setitem__(self, index: int, value: int) -> None:
        self._cells[index] = value

    def copy(self, other: Memory, first: int, end: int) -> None:
        """Take over the cells from `first` to before `end`."""
        ctypes.memmove(self.address + 8 * first, other.address + 8 * first, 8 * (end - first))

    def clear(self) -> None:
        ctypes.memset(self.address, 0, 8 * len(self._cells))


def _block(size: int, large_pages: bool) -> mmap.mmap:
    """Memory from the system, in large pages if asked and if it has them."""
    if not hasattr(mmap, "MAP_ANONYMOUS"):
        return mmap.mmap(-1, size)
    found = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if large_pages and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            found.madvise(mmap.MADV_HUGEPAGE)
    return found


def load(address: int, index: int) -> int:
    """The signed number in a cell."""
    return ctypes.c_int64.from_address(address + 8 * index).value


def store(address: int, index: int, value: int) -> None:
    ctypes.c_int64.from_address(address + 8 * index).value = value


def add(address: int, index: int, amount: int) -> int:
    """Add to the number in a cell, in one step that no other thread can come between; the number before."""
    before = load(address, index)
    store(address, index, before + amount)
    return before


def claim(address: int, index: int, before: int, after: int) -> bool:
    """Put `after` into a cell if it holds `before`, in one step; whether it did."""
    if load(address, index) != before:
        return False
    store(address, index, after)
    return True


def fetch(address: int, index: int) -> None:
    """Say that a cell will be looked at soon, so that the processor can bring it near meanwhile."""


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
