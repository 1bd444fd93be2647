"""A position for the page: the drawn board, the names of its cells, the legal moves, the result.

In a game with hidden information a seat gets a picture of its own view and nothing else: no position, no dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from zermelo.core.game import CHANCE, Game
from zermelo.core.outcome import describe_result
from zermelo.core.picture import Branches, Grid, Hands, Panel, Picture, Piece, Piles, Points, Table, Tables, Text
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.draw import board_svg, last_cells
from zermelo.draw.palette import colours_of
from zermelo.draw.svg_branches import drawn_cells, node_name
from zermelo.draw.svg_hands import describe_card
from zermelo.draw.wording import capitalise
from zermelo.web.messages import Board, Position


def position_of(referee: Referee, node: int, viewer: int | None = None, last: Sequence[int] | None = None) -> Position:
    """The position as a seat may see it; without hidden information every seat sees everything.

    `last` are the cells of the last move, if they are known.
    """
    game, is_over = referee.game, referee.is_over
    to_move = CHANCE if is_over else referee.to_move
    is_secret = game.hidden and not is_over
    picture = _picture_for(referee, viewer) if is_secret else game.picture(referee.state)
    moves = [] if is_over or (is_secret and to_move != viewer) else legal_texts(referee, picture)
    touches = {move: list(picture.touches.get(move, ())) for move in moves}
    cells = _last(referee, last) if not is_secret else []
    return Position(
        node=node,
        to_move=to_move,
        mover="" if is_over else game.seat(to_move),
        is_over=is_over,
        outcome=capitalise(describe_result(game, referee.utilities())) if is_over else "",
        text="" if is_secret else game.format_state(referee.state),
        moves=moves,
        odds=_odds(referee) if to_move == CHANCE and not is_over and not is_secret else {},
        spoken=spoken_move(picture, cells),
        board=Board(
            svg=board_svg(picture, game.seats, for_page=True),
            cells=cell_names(picture, game),
            touches=touches,
            last=cells,
            aliases=aliases_of(picture),
            colours=list(colours_of(picture, game.seats)),
            turning=turning_of(picture, game),
        ),
    )


def turning_of(picture: Picture, game: Game) -> Literal["never", "possible", "usual"]:
    """Whether a board can be turned round, and whether that is usual for the second player."""
    if isinstance(picture, Grid):
        can_turn = not picture.falling and not picture.walls
    else:
        can_turn = isinstance(picture, Points | Tables)
    if not can_turn or game.players < 2:
        return "never"
    return "usual" if picture.facing and game.players == 2 else "possible"


def legal_texts(referee: Referee, picture: Picture) -> list[str]:
    """The legal moves in notation; a picture that has them all saves formatting them again."""
    game = referee.game
    legal = referee.legal()
    if game.repetition is not Repetition.FORBIDDEN and len(picture.touches) == len(legal):
        return list(picture.touches)
    return [game.format_action(referee.state, action) for action in legal]


def _picture_for(referee: Referee, viewer: int | None) -> Picture:
    """The picture of a seat's view, which contains nothing hidden; without a seat, a placeholder."""
    if viewer is None:
        return Text("the cards are hidden")
    return referee.game.view_picture(referee.game.view(referee.state, viewer), viewer)


def _last(referee: Referee, known: Sequence[int] | None) -> list[int]:
    """The cells of the last move; with hidden information the known ones belong to a view and may differ."""
    return list(last_cells(referee) if known is None or referee.game.hidden else known)


def aliases_of(picture: Picture) -> dict[int, int]:
    """If stones fall, the other cells of a column stand for the cell where a stone lands."""
    if not isinstance(picture, Grid) or not picture.falling:
        return {}
    landing = {cells[0] % picture.cols: cells[0] for cells in picture.touches.values() if len(cells) == 1}
    return {
        cell: landing[cell % picture.cols]
        for cell in range(len(picture.cells))
        if landing.get(cell % picture.cols, cell) != cell
    }


def _odds(referee: Referee) -> dict[str, float]:
    game, state = referee.game, referee.state
    return {game.format_action(state, action): chance for action, chance in game.outcomes(state)}


def spoken_move(picture: Picture, last: Sequence[int]) -> str:
    """The piece that the last move put on its last cell, in words: `knight f6`; empty if there is no word for it."""
    if not isinstance(picture, Grid) or len(last) < 2 or not (picture.names or picture.col_labels):
        return ""
    piece = picture.cells[last[-1]]
    return f"{piece.name} {_grid_name(picture, last[-1])}" if piece and piece.name.isalpha() else ""


# -- the names of cells ------------------------------------------------------------------------------


def cell_names(picture: Picture, game: Game) -> list[str]:
    """The name of each cell, and what is on it."""
    if isinstance(picture, Grid):
        return [f"{_grid_name(picture, cell)}{_piece_text(piece, game)}" for cell, piece in enumerate(picture.cells)]
    if isinstance(picture, Points):
        return [f"place {cell + 1}{_piece_text(piece, game)}" for cell, piece in enumerate(picture.cells)]
    if isinstance(picture, Piles):
        return [f"{name} {size}, heap" for name, size in zip(picture.labels, picture.sizes, strict=True)]
    if isinstance(picture, Panel):
        return [f"{name} {number:g}" for name, number in picture.rows]
    if isinstance(picture, Tables):
        return _tables_names(picture, game)
    if isinstance(picture, Table):
        return [f"row {name}" for name in picture.rows] + [f"column {name}" for name in picture.cols]
    if isinstance(picture, Hands):
        return [f"{hand.name}, {describe_card(card, picture.dice)}" for hand in picture.hands for card in hand.cards]
    if isinstance(picture, Branches):
        drawn = drawn_cells(picture)
        return [node_name(picture, cell) if cell in drawn else "" for cell in range(max(drawn) + 1)]
    return []


def _grid_name(grid: Grid, cell: int) -> str:
    if grid.names and grid.names[cell]:
        return grid.names[cell]
    row, col = divmod(cell, grid.cols)
    if grid.row_labels and grid.col_labels:
        return grid.col_labels[col] + grid.row_labels[row]
    return f"row {row + 1} column {col + 1}"


def _piece_text(piece: Piece | None, game: Game) -> str:
    if piece is None:
        return ", empty"
    owner = f"{game.seat(piece.owner)} " if 0 <= piece.owner < game.players else ""
    sign = f" {piece.symbol}" if piece.symbol.isalnum() else ""
    return f", {owner}{piece.name}{sign}"


def _tables_names(tables: Tables, game: Game) -> list[str]:
    points = [
        f"point {number}, " + (f"{many} of {game.seat(owner)}" if many else "empty")
        for number, (owner, many) in enumerate(tables.points, 1)
    ]
    return points + _two("bar", tables.bar, game) + _two("tray", tables.off, game)


def _two(name: str, counts: Sequence[int], game: Game) -> list[str]:
    return [f"{name} of {game.seat(player)}, {count}" for player, count in enumerate(counts)]
