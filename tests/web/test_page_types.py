"""The types that the page's modules are checked with say what the server sends."""

import sys
from pathlib import Path

import pytest

from zermelo.web.messages import AnyOrder
from zermelo.web.payloads import EVENTS

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import page_types  # noqa: E402

pytestmark = pytest.mark.plain


def test_the_types_of_the_page_are_those_of_the_servers_models():
    assert page_types.FILE.read_text("utf-8") == page_types.page_types(), "run: python tools/page_types.py"


def test_every_event_and_every_order_has_a_type():
    text = page_types.page_types()
    assert [name for name in EVENTS if f"\n  {name}: " not in text.partition("interface EventContents")[2]] == []
    assert [one.__name__ for one in AnyOrder.__args__ if f"interface {one.__name__} " not in text] == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "null"}]}}, "(number | null)[]"),
        (
            {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
            "Record<string, number[]>",
        ),
        ({"enum": ["rolled", "chosen"]}, '"rolled" | "chosen"'),
        ({"anyOf": [{"$ref": "#/$defs/Board"}, {"type": "null"}]}, "Board | null"),
        ({"type": "object"}, "Record<string, any>"),
    ],
)
def test_a_schema_becomes_a_type(schema, expected):
    assert page_types.type_of(schema) == expected
