"""The named door to the compiler: the only package that knows numba.

Importing it is cheap; numba is loaded when something is compiled for the first time.
"""

from zermelo.kernel.compiler import CompileWarning, Kernel, Observer, is_enabled, kernel, observed_by, on_compile
from zermelo.kernel.memory import (
    FILL_MASK,
    Memory,
    add,
    claim,
    fetch,
    load,
    load_real,
    load_word,
    store,
    store_real,
    store_word,
)
from zermelo.kernel.states import hash_numbers, replaced, state
from zermelo.kernel.static import Static, Switches
from zermelo.kernel.words import (
    U64,
    bit,
    bits,
    bswap,
    drawn,
    drop,
    lsb,
    mix,
    msb,
    nth_bit,
    number,
    popcount,
    real_of,
    rotl,
    word_of,
)

__all__ = [
    "FILL_MASK",
    "U64",
    "CompileWarning",
    "Kernel",
    "Memory",
    "Observer",
    "Static",
    "Switches",
    "add",
    "bit",
    "bits",
    "bswap",
    "claim",
    "drawn",
    "drop",
    "fetch",
    "hash_numbers",
    "is_enabled",
    "kernel",
    "load",
    "load_real",
    "load_word",
    "lsb",
    "mix",
    "msb",
    "nth_bit",
    "number",
    "observed_by",
    "on_compile",
    "popcount",
    "real_of",
    "replaced",
    "rotl",
    "state",
    "store",
    "store_real",
    "store_word",
    "word_of",
]
