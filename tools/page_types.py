"""Write `src/zermelo/web/types/messages.ts`: what the page and the server send each other, as types for TypeScript.

    python tools/page_types.py

The types are made from the models of `zermelo.web.messages`, `zermelo.web.payloads`, `zermelo.web.inside` and
`zermelo.web.equilibria`. The page's modules name them in JSDoc, and `make types` checks them; a browser never loads
them.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema
from typing_extensions import is_typeddict

from zermelo.web import equilibria, inside, messages, payloads

FILE = Path(__file__).parents[1] / "src" / "zermelo" / "web" / "types" / "messages.ts"
HEAD = """\
// What the page and the server send each other. Written by tools/page_types.py from the server's models: do not edit.
"""
REFERENCE = "#/$defs/"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def page_types() -> str:
    """The whole module."""
    parts = [HEAD, *(declaration(name, schema) for name, schema in definitions().items())]
    parts.append(union("Order", "What the page orders on the socket.", orders()))
    parts.append(contents())
    return "\n".join(parts)


def definitions() -> dict[str, Schema]:
    """The schema of every model, by its name. In what the page sends, fields with defaults may be missing."""
    sent, received = [], []
    for module in (messages, payloads, inside, equilibria):
        for shape in own_shapes(module):
            is_input = isinstance(shape, type) and issubclass(shape, messages.Strict)
            (sent if is_input and shape is not messages.Player else received).append(shape)
    found = schemas(sent, "validation")
    for name, schema in schemas(received, "serialization").items():
        complete = {"required": [*schema["properties"]]} if has_defaults(name) else {}
        found[name] = {**schema, **complete}
    return {name: found[name] for name in sorted(found)}


def own_shapes(module: Any) -> list[Any]:
    """The models and typed dictionaries that a module defines."""
    found = [shape for shape in vars(module).values() if inspect.isclass(shape) and shape.__module__ == module.__name__]
    return [one for one in found if is_typeddict(one) or (issubclass(one, BaseModel) and one is not messages.Strict)]


def has_defaults(name: str) -> bool:
    """Whether the server sends all fields, also those that it need not set: in models, not in dictionaries."""
    return not is_typeddict(getattr(payloads, name, None))


def schemas(shapes: list[Any], mode: Any) -> dict[str, Schema]:
    models = [shape for shape in shapes if not is_typeddict(shape)]
    found: dict[str, Schema] = models_json_schema([(model, mode) for model in models])[1].get("$defs", {})
    for shape in shapes:
        if is_typeddict(shape):
            whole = TypeAdapter(shape).json_schema(mode=mode)
            found |= whole.pop("$defs", {})
            found[shape.__name__] = whole
    return found


def orders() -> list[str]:
    return [shape.__name__ for shape in get_args(messages.AnyOrder)]


def contents() -> str:
    """The content of each event."""
    rows = ["/** The content of each event. */", "export interface EventContents {"]
    for name, shape in payloads.EVENTS.items():
        schema = TypeAdapter(shape).json_schema(mode="serialization", ref_template=REFERENCE + "{model}")
        title = schema.get("title")
        content = title if title in definitions() else type_of(schema)
        rows.append(f"  {name}: {content};")
    return "\n".join([*rows, "}"]) + "\n"


# -- TypeScript ------------------------------------------------------------------------------------


def declaration(name: str, schema: Schema) -> str:
    rows = [comment(schema), f"export interface {name} {{"]
    required = schema.get("required", [])
    for field, kind in schema.get("properties", {}).items():
        rows.append(f"  {field}{'' if field in required else '?'}: {type_of(kind)};")
    return "\n".join([*filter(None, rows), "}"]) + "\n"


def union(name: str, description: str, members: list[str]) -> str:
    return "\n".join([f"/** {description} */", f"export type {name} =", *(f"  | {one}" for one in members)]) + ";\n"


def comment(schema: Schema) -> str:
    """The first sentences of the model's docstring."""
    text = " ".join(schema.get("description", "").split("\n\n")[0].split())
    return f"/** {text} */" if text else ""


def type_of(schema: Schema) -> str:
    """The type that a schema describes."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REFERENCE)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(type_of, schema["anyOf"])))
    if schema.get("type") == "array":
        inner = type_of(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties", True)
        return f"Record<string, {'any' if isinstance(values, bool) else type_of(values)}>"
    return PLAIN.get(schema.get("type", ""), "any")


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(f"{Path(__file__).name} takes no arguments; it writes {FILE.name}")
    FILE.write_text(page_types(), "utf-8")
