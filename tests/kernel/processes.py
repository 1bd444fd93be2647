"""Scripts in processes of their own, with a cache of compiled kernels of their own."""

import os
import subprocess
import sys
import textwrap


def environment(cache, **variables):
    """What a process of the test's own sees: no settings of this one that could change the answer."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NUMBA_DISABLE_JIT", "PYTHONPATH")}
    return {**kept, "ZERMELO_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **variables}


def write(folder, name, source):
    path = folder / name
    path.write_text(textwrap.dedent(source))
    return path


def run(script, cache, *arguments, **variables):
    """The lines a script prints; a crash or an error fails the test."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), *arguments],
        env=environment(cache, **variables),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{script} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout.splitlines()


def answers(script, cache, *arguments, **variables):
    """The `name value` lines a script prints, as a dictionary."""
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in run(script, cache, *arguments, **variables)}
