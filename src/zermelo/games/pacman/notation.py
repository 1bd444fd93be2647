"""Positions of Pac-Man as text.

    %%%%%%%/%__.o.%/%%%%%%% P2,1e G5,1w fright=0 score=-1 round=1 turn=P

The maze comes first, row by row from the top: % wall, . food, o capsule, _ empty. Then P and the ghosts in their
order, G or, scared, S: column and row, from 0 and from the lower left corner as courses do, and the direction of the
last step, n s e w, or - before the first. `fright` are the rounds for which scared ghosts stay so, `round` those that
are over, `turn` is P or the number of a ghost; at the end `caught` is added if Pac-Man was.
"""

from __future__ import annotations

import re

from zermelo.core.errors import BadPosition
from zermelo.games.pacman.maze import STOP, Maze
from zermelo.games.pacman.position import (
    CAUGHT,
    FOOD,
    FRIGHT,
    GHOST,
    SCARED,
    STEP,
    WON,
    Position,
    ghost_of,
    heading_of,
    is_scared,
    place_of,
    standing,
)
from zermelo.kernel import U64

HEADINGS = "nsew-"
FORM = re.compile(
    r"(?P<maze>\S+)(?P<movers>( [PGS]\d+,\d+[nsew-])+) fright=(?P<fright>\d+) score=(?P<score>-?\d+) "
    r"round=(?P<round>\d+) turn=(?P<turn>[P1-4])(?P<caught> caught)?",
    re.ASCII,
)


def write_position(maze: Maze, state: Position) -> str:
    count = maze.ghosts + 1
    ghosts = [ghost_of(state.ghosts, index) for index in range(maze.ghosts)]
    movers = [_mover("P", maze, state.pacman), *(_mover("S" if is_scared(one) else "G", maze, one) for one in ghosts)]
    turn = state.ply % count
    return (
        f"{'/'.join(maze_rows(maze, state.pellets))} {' '.join(movers)} fright={state.fright} score={state.score} "
        f"round={state.ply // count} turn={turn or 'P'}{' caught' if state.is_caught else ''}"
    )


def maze_rows(maze: Maze, pellets: tuple[U64, ...]) -> list[str]:
    """The maze from the top, with what is left to eat."""
    layout = maze.layout
    letters = ["%" if layout.is_wall(cell) else "_" for cell in range(layout.width * layout.height)]
    for number, cell in enumerate((*layout.capsules, *layout.food)):
        if pellets[number >> 6] >> (number & 63) & U64(1):
            letters[cell] = "o" if number < len(layout.capsules) else "."
    text = "".join(letters)
    return [text[start : start + layout.width] for start in range(0, len(text), layout.width)]


def _mover(letter: str, maze: Maze, mover: int) -> str:
    cell = maze.layout.squares[place_of(mover)]
    row, col = divmod(cell, maze.layout.width)
    return f"{letter}{col},{maze.layout.height - 1 - row}{HEADINGS[heading_of(mover)]}"


def read_position(maze: Maze, text: str, rounds: int) -> Position:
    """The inverse of `write_position`; BadPosition if the position is impossible in this many rounds."""
    match = FORM.fullmatch(" ".join(text.split()))
    if not match:
        example = write_position(maze, maze.start()).partition(" ")[2]
        raise BadPosition(
            f"{_short(text)} is not a position of Pac-Man; write the rows of the maze with / between them and then, as "
            f"at the start, {example}"
        )
    pellets = _pellets(maze, match["maze"])
    names = [mover[0] for mover in match["movers"].split()]
    if names[0] != "P" or "P" in names[1:] or len(names) != maze.ghosts + 1:
        raise BadPosition(f"{match['movers'].strip()!r} is not Pac-Man (P) and then {_ghosts(maze.ghosts)} (G or S)")
    pacman, *ghosts = (_read_mover(maze, mover) for mover in match["movers"].split())
    turn = 0 if match["turn"] == "P" else int(match["turn"])
    if turn > maze.ghosts:
        raise BadPosition(
            f"turn={turn} is impossible: there {'is' if maze.ghosts == 1 else 'are'} {_ghosts(maze.ghosts)}"
        )
    word = sum(ghost << 16 * index for index, ghost in enumerate(ghosts))
    ply = int(match["round"]) * (maze.ghosts + 1) + turn
    found = Position(pellets, pacman, U64(word), int(match["fright"]), int(match["score"]), ply, bool(match["caught"]))
    if ply > rounds * (maze.ghosts + 1):
        raise BadPosition(
            f"round={match['round']} turn={match['turn']} is impossible: the game ends after round {rounds}"
        )
    _check_fright(maze, found)
    _check_end(maze, found)
    _check_score(maze, found)
    return found


def _pellets(maze: Maze, text: str) -> tuple[U64, ...]:
    rows, layout = text.split("/"), maze.layout
    if len(rows) != layout.height or any(len(row) != layout.width for row in rows):
        raise BadPosition(f"{_short(text)} is not a maze of this layout; it has {layout.height} rows of {layout.width}")
    full, found = "".join(maze_rows(maze, maze.pellets())), "".join(rows)
    for cell, (there, letter) in enumerate(zip(full, found, strict=True)):
        if letter != there and (letter != "_" or there == "%"):
            row, col = divmod(cell, layout.width)
            could = f"{there} or _" if there in ".o" else there
            raise BadPosition(
                f"row {row + 1}, column {col + 1} of the maze is {letter!r}; this layout has {could} there"
            )
    pellets = (*layout.capsules, *layout.food)
    word = sum(1 << number for number, cell in enumerate(pellets) if found[cell] != "_")
    return tuple(U64(word >> 64 * i) for i in range(maze.words))


def _read_mover(maze: Maze, text: str) -> int:
    layout = maze.layout
    col, row = map(int, text[1:-1].split(","))
    cell = (layout.height - 1 - row) * layout.width + col
    if col >= layout.width or row >= layout.height or cell not in maze.places:
        raise BadPosition(
            f"{text} is impossible: it is not a square of the maze; 0,0 is the lower left corner of the maze"
        )
    place, heading = maze.places[cell], HEADINGS.index(text[-1])
    if heading != STOP and not maze.ways(place) >> (heading ^ 1) & U64(1):
        raise BadPosition(f"{text} is impossible: behind it is a wall")
    return standing(place, heading) | (SCARED if text[0] == "S" else 0)


def _check_fright(maze: Maze, state: Position) -> None:
    scared = any(is_scared(ghost_of(state.ghosts, index)) for index in range(maze.ghosts))
    if scared != (state.fright > 0) or state.fright > FRIGHT:
        raise BadPosition(
            f"fright={state.fright} is impossible: it is 1 to {FRIGHT} if a ghost is scared (S) and 0 otherwise"
        )
    if scared and maze.capsules_in(state.pellets) == len(maze.layout.capsules):
        raise BadPosition("a ghost cannot be scared as long as no capsule is eaten")


def _check_end(maze: Maze, state: Position) -> None:
    beside = [ghost_of(state.ghosts, index) for index in range(maze.ghosts)]
    if state.is_caught and not any(place_of(g) == place_of(state.pacman) and not is_scared(g) for g in beside):
        raise BadPosition("Pac-Man cannot be caught where no ghost is")
    if state.is_caught and not maze.has_food(state.pellets):
        raise BadPosition("Pac-Man cannot be caught when all the food is eaten; the game is won")


def _check_score(maze: Maze, state: Position) -> None:
    """Refuse an impossible score; only the number of eaten ghosts does not follow from the board."""
    moves = -(-state.ply // (maze.ghosts + 1))
    eaten = len(maze.layout.food) - maze.food_in(state.pellets)
    sure = STEP * moves + FOOD * eaten
    sure += CAUGHT if state.is_caught else 0 if maze.has_food(state.pellets) else WON
    most = maze.ghosts * (len(maze.layout.capsules) - maze.capsules_in(state.pellets))
    ghosts, odd = divmod(state.score - sure, GHOST)
    if odd or not 0 <= ghosts <= most:
        more = f", and {GHOST} more for each ghost eaten, at most {most}" if most else ""
        raise BadPosition(f"score={state.score} is impossible: after {moves} moves and {eaten} food it is {sure}{more}")


def _ghosts(count: int) -> str:
    return f"{count or 'no'} ghost{'' if count == 1 else 's'}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
