"""`zermelo tree`: the tree that a search visits, as text, as a drawing, or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.cli.request import find_position, print_json
from zermelo.cli.terminal import note
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, State, legal_actions
from zermelo.core.guards import preferred_algorithm, require
from zermelo.textbook.trace import Node

WHOLE = 1000
"""Without a depth, a tree of at most this many nodes is drawn in full."""
DEPTH = 3


def show_tree(
    game: str, position: str, algorithm: str, depth: int | None, most: int, svg: Path | None, as_json: bool
) -> None:
    from zermelo.draw import tree_svg, tree_text
    from zermelo.draw.numerals import count_noun
    from zermelo.inside.game_trees import game_tree
    from zermelo.textbook import trace

    if most < 1:
        raise UsageError(f"--most {most} is too small; a drawing has at least one node")
    referee = find_position(game, position)
    is_hidden = referee.game.hidden
    if is_hidden and algorithm:
        raise Refused(
            f"{referee.game.name} has hidden information, so no search has a tree; "
            "without --algorithm, the game's own tree is drawn with its information sets"
        )
    name = "" if is_hidden else algorithm or preferred_algorithm(referee.game)
    if not is_hidden:
        require(referee.game, name)
    if depth is None and not is_small(referee.game, referee.state):
        depth = DEPTH
        note(f"the tree is too large to draw in full; these are its first {DEPTH} plies (see --depth)")
    if is_hidden:
        root = game_tree(referee.game, referee.state, depth)
    else:
        root = trace(name, referee.game, referee.state, depth=depth)
    if svg is not None:
        _write(svg, tree_svg(root, most=most))
    if as_json:
        start = referee.game.format_state(referee.state)
        counts = {"nodes": root.count(), "cut": len(root.cuts())}
        print_json(
            {"game": referee.game.spec(), "position": start, "algorithm": name, "depth": depth, **counts}
            | {"tree": node_json(root, referee.game)}
        )
    elif svg is not None:
        sets = len({node.information_set for node in root.nodes() if node.information_set is not None})
        cut = f"{count_noun(len(root.cuts()), 'branch', 'branches')} cut"
        about = count_noun(sets, "information set", "information sets") if is_hidden else cut
        print(f"{svg}: {count_noun(root.count(), 'node', 'nodes')}, {about}")
    else:
        print(tree_text(root, most=most))


def node_json(node: Node, game: Game) -> dict[str, Any]:
    """The recorded tree as JSON; infinite bounds are null."""
    found = {
        "move": node.move,
        "position": game.format_state(node.state),
        "kind": node.kind,
        "player": node.player,
        "probability": node.probability,
        "window": None if node.window is None else [_number(bound) for bound in node.window],
        "value": [_number(one) for one in node.value] if isinstance(node.value, tuple) else _number(node.value),
        "value_kind": node.value_kind,
        "reason": node.reason,
        **({"view": node.view} if node.view else {}),
    }
    return {**found, "children": [node_json(child, game) for child in node.children]}


def is_small(game: Game, state: State) -> bool:
    """Whether the whole tree has at most `WHOLE` nodes."""
    count, waiting = 1, [state]
    while waiting:
        here = waiting.pop()
        for action in legal_actions(game, here):
            count += 1
            if count > WHOLE:
                return False
            waiting.append(game.result(here, action))
    return True


def _number(value: float | None) -> float | int | None:
    if value is None or value != value or value in (float("inf"), float("-inf")):
        return None
    return int(value) if value == int(value) else value


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from None
