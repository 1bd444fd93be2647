"""The evaluation of a Pac-Man position, in points of the score.

To the score come the prize of a won game, a little for the food that is left, and more for scared ghosts that can be
reached; from it go the way to the nearest food and capsule, the nearness of ghosts, and the want of a way out. A way
costs less and less with its length, so that eating a pellet is always better than staying near it. The weights were
found by playing: two layouts, two rounds ahead, against ghosts that move at random and ghosts that mostly hunt.
"""

from __future__ import annotations

from zermelo.games.pacman.maze import NEIGHBOURHOOD, STOP, Maze
from zermelo.games.pacman.position import WON, Position, ghost_of, is_scared, place_of
from zermelo.kernel import U64, bit, bits

PULL, HALF = 10.0, 5.0
"""The largest cost of a way, and the number of steps after which half of it is reached."""
FOOD_LEFT = 1.0
PREY, CHASE = 150.0, 5.0
"""A scared ghost that can be reached in time, and what each step to it costs."""
DANGER, SHYNESS = 20.0, 3.0
ALARM, TRAPPED = 8, 40.0
"""The distance of a ghost from which on a way out counts, and the cost of having none."""


def estimate(maze: Maze, state: Position, ghosts: int) -> float:
    """An estimate of the final score with this many ghosts."""
    place = place_of(state.pacman)
    value = float(state.score + WON) + FOOD_LEFT * maze.food_in(state.pellets)
    value -= cost(nearest_food(maze, state.pellets, place))
    nearest, is_hunting = maze.squares(), False
    for index in range(ghosts):
        ghost = ghost_of(state.ghosts, index)
        steps = maze.distance(place, place_of(ghost))
        if not is_scared(ghost):
            value -= DANGER / (1.0 + SHYNESS * (steps * steps) * (steps * steps))
            nearest = min(nearest, steps)
        elif steps <= state.fright:
            value += PREY - CHASE * steps
            is_hunting = True
    if nearest <= ALARM:
        value -= TRAPPED * (1.0 - way_out(maze, state, ghosts))
    capsules = state.pellets[0] & maze.capsule_bits()
    if capsules and not is_hunting:
        value -= cost(nearest_capsule(maze, capsules, place))
    return value


def cost(steps: int) -> float:
    """The cost of a distance from something to eat."""
    return PULL * steps / (steps + HALF)


def nearest_food(maze: Maze, pellets: tuple[U64, ...], place: int) -> int:
    """The distance to the nearest food; there must be some."""
    rank = 0
    food = maze.nearest_food(place, rank)
    while not is_left(maze, pellets, food):
        rank += 1
        food = maze.nearest_food(place, rank)
    return maze.distance(place, food)


def is_left(maze: Maze, pellets: tuple[U64, ...], place: int) -> bool:
    """Whether the pellet is still there on a square that had one."""
    pellet = maze.pellet(place)
    return pellets[pellet >> 6] & bit(pellet & 63) != U64(0)


def nearest_capsule(maze: Maze, capsules: U64, place: int) -> int:
    """The distance to the nearest of these capsules; there must be one."""
    nearest = maze.squares()
    for capsule in bits(capsules):
        nearest = min(nearest, maze.distance(place, maze.capsule(capsule)))
    return nearest


def way_out(maze: Maze, state: Position, ghosts: int) -> float:
    """The distance that Pac-Man gets before any ghost that is not scared, as a share of the neighbourhood's radius."""
    place, rank = place_of(state.pacman), NEIGHBOURHOOD - 1
    radius = maze.distance(place, maze.neighbour(place, rank))
    steps = radius
    while steps > 0 and is_barred(maze, state.ghosts, ghosts, maze.neighbour(place, rank), steps):
        rank -= 1
        steps = maze.distance(place, maze.neighbour(place, rank))
    return steps / radius


def is_barred(maze: Maze, movers: U64, ghosts: int, square: int, steps: int) -> bool:
    """Whether a ghost that is not scared can be on a square after this many steps."""
    found = False
    for index in range(ghosts):
        ghost = ghost_of(movers, index)
        found = found or (not is_scared(ghost) and maze.distance(place_of(ghost), square) <= steps)
    return found


def promise(maze: Maze, state: Position, ghosts: int, action: int) -> float:
    """The prior of a step of Pac-Man: near to food and prey, and away from ghosts."""
    place = place_of(state.pacman)
    if action != STOP:
        place = maze.step(place, action)
    found = -cost(nearest_food(maze, state.pellets, place))
    for index in range(ghosts):
        ghost = ghost_of(state.ghosts, index)
        steps = maze.distance(place, place_of(ghost))
        if is_scared(ghost):
            found -= CHASE * steps
        elif steps <= 1:
            found -= PREY
    return found
