"""Starting the server as a person does, and running what is asynchronous in it."""

import asyncio
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


def run_async(work):
    """Run a coroutine in a thread of its own: the browser's tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()


def start_server(environment, *arguments):
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def address_of(process):
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line
    return found[0]


@contextmanager
def serving(folder, *arguments):
    """The address of a server that keeps its games in the folder."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "ZERMELO_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1"}
    with start_server(environment, *arguments) as process:
        try:
            yield address_of(process)
        finally:
            process.terminate()
