"""Checks of notation: moves and positions as text, errors for bad input, the picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from zermelo.core.errors import ZermeloError
from zermelo.core.game import knows
from zermelo.core.picture import Branches, Card, Grid, Hands, Panel, Picture, Piece, Piles, Points, Table, Tables, Text
from zermelo.testing.position import Position
from zermelo.testing.sample import Sample
from zermelo.testing.violation import describe_error

NONSENSE = "no-such-thing-?!"


def moves_survive_notation(sample: Sample) -> str:
    """Every legal move has a unique text without blanks or commas, which `parse_action` reads back."""
    for position in sample.all():
        written: dict[str, Any] = {}
        for move in position.moves:
            text = position.ask("format_action", move)
            if not isinstance(text, str) or not text or set(text) & set(" \t\n,"):
                raise position.violation(
                    "format_action should give a text without blanks and commas", f"that of {move!r} is {text!r}"
                )
            if text in written:
                raise position.violation(
                    "two moves should have two notations", f"{written[text]!r} and {move!r} are both {text!r}"
                )
            written[text] = move
        for text, move in written.items():
            if sample.is_late():  # by default it tries all moves for each text
                break
            back = position.ask("parse_action", text)
            if back != move:
                raise position.violation(
                    "parse_action should undo format_action", f"{move!r} is written {text!r} and read as {back!r}"
                )
    return sample.summary()


def positions_survive_notation(sample: Sample) -> str:
    """`parse_state` is the inverse of `format_state`; only the start may be an empty text."""
    for position in sample.all():
        text = position.ask("format_state")
        if not isinstance(text, str) or text != text.strip() or text.startswith("moves:"):
            raise position.violation(
                "format_state should give a text without blanks at its ends that does not begin with 'moves:'",
                f"it is {text!r}",
            )
        if not text and position.before:
            raise position.violation("format_state should be empty only at the start", "it is empty")
        back = position.attempt("parse_state", sample.game.parse_state, text)
        if back != position.state:
            raise position.violation("parse_state should undo format_state", f"{text!r} is read as {back!r}")
    return sample.summary()


def bad_input_is_refused(sample: Sample) -> str:
    """Text that is not a move or a position is refused with one of zermelo's errors and a sentence."""
    for position in sample.decisions():
        found = _try_nonsense(position, "parse_action", "IllegalMove", position.fresh_state(), NONSENSE)
        if found is not None and found not in position.moves:
            raise position.violation(
                "parse_action should refuse what is not legal", f"it reads {NONSENSE!r} as {found!r}"
            )
    _try_nonsense(sample.positions[0], "parse_state", "BadPosition", NONSENSE)
    return sample.summary()


def _try_nonsense(position: Position, method: str, right: str, *args: Any) -> Any:
    """The method's result for nonsense; None if it refuses it."""
    try:
        return getattr(position.game, method)(*args)
    except ZermeloError:
        return None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        found = describe_error(method, error, getattr(type(position.game), method))
        raise position.violation(f"{method} should raise {right} for text like {NONSENSE!r}", found) from error


def the_picture_shows_the_moves(sample: Sample) -> str:
    """The picture can be drawn, its cells exist, and `touches` has exactly the legal moves.

    A text or a panel, and any picture while the dice roll, may leave `touches` empty.
    """
    if not knows(sample.game, "picture"):
        return "nothing to check: the game keeps the inherited one"
    for position in sample.all():
        cells = _count_cells(position, "picture", picture := position.ask("picture"))
        if picture.touches or not position.is_chance:
            _must_have_the_moves(position, picture, cells)
    return sample.summary()


def the_view_s_picture_shows_the_moves(sample: Sample) -> str:
    """The picture of a view can be drawn for every player, and at the player's turn `touches` has their moves.

    It is made from the view alone, so it shows no more than that.
    """
    game = sample.game
    if not game.hidden or not knows(game, "view_picture"):
        return "nothing to check: nothing is hidden" if not game.hidden else "nothing to check: the inherited one"
    for position in sample.all():
        for player in range(game.players):
            view = position.ask("view", player)
            picture = position.attempt("view_picture", game.view_picture, view, player)
            cells = _count_cells(position, "view_picture", picture)
            if position.is_decision and position.player == player:
                _must_have_the_moves(position, picture, cells)
    return sample.summary()


def _count_cells(position: Position, method: str, picture: Any) -> int:
    """The number of cells of the picture; ContractViolation if it is not a picture or is inconsistent."""
    if not isinstance(picture, Picture):
        kinds = [kind.__name__ for kind in get_args(Picture)]
        raise position.violation(
            f"{method} should give a {', '.join(kinds[:-1])} or {kinds[-1]}", f"it gives {picture!r}"
        )
    cells = position.attempt(method, _cells, picture, position.game.players)
    if isinstance(cells, str):
        raise position.violation("the picture should hold together", cells)
    return cells


def _must_have_the_moves(position: Position, picture: Picture, cells: int) -> None:
    """`touches` has exactly the legal moves; a text or a panel may leave them out."""
    if not picture.touches and isinstance(picture, Text | Panel):
        return
    legal = {position.ask("format_action", move) for move in position.moves}
    if set(picture.touches) != legal:
        raise position.violation(
            "touches should have exactly the legal moves", _difference(set(picture.touches), legal)
        )
    for move, touched in picture.touches.items():
        if not all(isinstance(cell, int) and 0 <= cell < cells for cell in touched):
            raise position.violation(f"a move should touch cells 0 to {cells - 1}", f"{move} touches {touched!r}")


def _cells(picture: Picture, players: int) -> int | str:
    """The number of cells of the picture, or what is wrong with it."""
    if isinstance(picture, Text):
        return len(picture.text)
    if isinstance(picture, Panel):
        return len(picture.rows)
    if isinstance(picture, Tables):
        return picture.cells
    if isinstance(picture, Piles):
        if len(picture.labels) != len(picture.sizes):
            return f"{len(picture.sizes)} piles have {len(picture.labels)} labels"
        return len(picture.sizes)
    if isinstance(picture, Points):
        return _point_cells(picture, players)
    if isinstance(picture, Table):
        return _table_cells(picture)
    if isinstance(picture, Hands):
        return _hand_cells(picture, players)
    if isinstance(picture, Branches):
        return _tree_cells(picture)
    return _grid_cells(picture, players)


def _point_cells(points: Points, players: int) -> int | str:
    number = len(points.places)
    if len(points.cells) != number:
        return f"{number} places have {len(points.cells)} cells"
    if not all(0 <= cell < number for link in (*points.links, points.marked) for cell in link):
        return "links and marks should be of places that exist"
    return _pieces_fault(points.cells, players) or number


def _table_cells(table: Table) -> int | str:
    rows, cols = len(table.rows), len(table.cols)
    if len(table.entries) != rows or any(len(entries) != cols for entries in table.entries):
        return f"a table of {rows} rows and {cols} columns should have an entry for each row and column"
    if not all(0 <= row < rows and 0 <= col < cols for row, col in table.marked):
        return "marks should be of entries that exist"
    return rows + cols


def _hand_cells(hands: Hands, players: int) -> int | str:
    for hand in hands.hands:
        if not -1 <= hand.owner < players:
            return f"the hand of {hand.name!r} belongs to none of the players"
    for card in hands.cards:
        if card is not None and not isinstance(card, Card):
            return f"a hand holds {card!r}, not a Card"
    if not all(0 <= cell < len(hands.cards) for cell in hands.marked):
        return f"marked cells {hands.marked!r} are not all cards"
    return len(hands.cards)


def _tree_cells(branches: Branches) -> int | str:
    number = len(branches.nodes)
    if not 0 <= branches.at < number:
        return f"the game is at node {branches.at} of {number}"
    for cell, node in enumerate(branches.nodes):
        if not (node.parent == -1 if cell == 0 else 0 <= node.parent < cell):
            return f"node {cell} hangs below node {node.parent}; parents come first, and only node 0 has none"
    return number


def _grid_cells(grid: Grid, players: int) -> int | str:
    number = grid.rows * grid.cols
    if len(grid.cells) != number:
        return f"a grid of {grid.rows} x {grid.cols} has {len(grid.cells)} cells"
    for labels, lines in ((grid.row_labels, grid.rows), (grid.col_labels, grid.cols)):
        if labels and len(labels) != lines:
            return f"{lines} lines of the grid have {len(labels)} labels"
    if grid.names and len(grid.names) != number:
        return f"{number} cells have {len(grid.names)} names"
    if not all(0 <= cell < number for cell in grid.marked):
        return f"marked cells {grid.marked!r} are not all on the grid"
    return _pieces_fault(grid.cells, players) or number


def _pieces_fault(cells: Iterable[Piece | None], players: int) -> str:
    """What is wrong with the pieces; "" for nothing."""
    for piece in cells:
        if piece is not None and not isinstance(piece, Piece):
            return f"a cell holds {piece!r}, not a Piece"
        if piece and len(piece.symbol) != 1 and not piece.symbol.isdecimal():
            return f"the symbol of {piece!r} is neither one character nor a number"
        if piece and not -1 <= piece.owner < players:
            return f"{piece!r} belongs to none of the players"
    return ""


def _difference(touched: set[str], legal: set[str]) -> str:
    missing, extra = sorted(legal - touched), sorted(touched - legal)
    return "it " + " and ".join(
        [f"lacks {' '.join(missing[:5])}"] * bool(missing) + [f"has {' '.join(extra[:5])} too"] * bool(extra)
    )
