"""Starting the server as a person does."""

import re
import subprocess
import sys


def start_server(environment, *arguments):
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def address_of(process):
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line
    return found[0]
