"""The page's own tests, of the modules that need no browser: they run in Node.js."""

import json
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

import outside
from zermelo.core.numerals import number_text
from zermelo.draw.numerals import chance_text

pytestmark = pytest.mark.plain

STATIC = Path(__file__).parents[2] / "src" / "zermelo" / "web" / "static"
TESTS = sorted((Path(__file__).parent / "js").glob("*.test.mjs"))


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_the_modules_of_the_page_pass_their_tests(file):
    node = outside.require("nodejs")
    ran = subprocess.run([node, "--test", str(file)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]


def test_there_are_tests():
    assert TESTS


WRITE_NUMBERS = """
import { chanceText, numberText } from "./numerals.js";
const [numbers, chances] = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify([numbers.map(numberText), chances.map(chanceText)]));
"""


def test_the_page_and_the_terminal_write_the_same_numbers():
    node, rng = outside.require("nodejs"), random.Random(1)
    numbers = [20 / 3, 1 / 4, -1 / 3, 0.0625, -2.9375, 0.0004, 5e-8, 1e-31, -1e-300, 1e15, 1e16, 1234567.5, 1e22, -0.0]
    numbers += [rng.uniform(-1, 1) * 10 ** rng.randrange(-9, 9) for _ in range(500)]
    numbers += [rng.randrange(-4000, 4000) / 16 for _ in range(200)]
    chances = [float(Fraction(above, below)) for below in range(1, 40) for above in range(below + 1)]
    asked = json.dumps([numbers, chances])
    ran = subprocess.run(
        [node, "--input-type=module", "--eval", WRITE_NUMBERS],
        input=asked,
        cwd=STATIC,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == [[*map(number_text, numbers)], [*map(chance_text, chances)]]
