"""What a position of Pac-Man is worth, in points of the score.

To the score come the prize of a won game and a little for all that is left to eat; from it go the way to the nearest
food, the nearness of ghosts and the want of room to escape. All pulls level off with the distance, so that eating a
pellet is always better than staying near it. The weights were found by playing two layouts against ghosts that move at
random and against ghosts that mostly hunt.
"""

from __future__ import annotations

from zermelo.games.pacman_maze import NEIGHBOURHOOD, STOP, Maze
from zermelo.games.pacman_position import Position, ghost_of, is_scared, place_of
from zermelo.games.pacman_score import WON
from zermelo.kernel import U64, bit, bits

FOOD_PULL, FOOD_HALF = 12.0, 5.0
"""What the way to the nearest food costs at the most, and after how many steps half of it."""
FOOD_LEFT = 2.0
"""Food still to come is worth less than food eaten, and more than nothing."""
CAPSULE, CAPSULE_PULL, CAPSULE_HALF = 40.0, 5.0, 6.0
PREY, CHASE = 150.0, 4.0
"""A scared ghost that can be reached, and what each step to it costs."""
DANGER, SHYNESS = 60.0, 3.0
TIGHT = 50.0
"""What it costs to have no room at all."""
ALARM = 8
"""With a ghost so near, room counts."""


def estimate(maze: Maze, state: Position, ghosts: int) -> float:
    """What the score may come to, with so many ghosts about."""
    place = place_of(state.pacman)
    value = float(state.score + WON) + FOOD_LEFT * maze.food_in(state.pellets)
    value -= pull(FOOD_PULL, FOOD_HALF, nearest_food(maze, state.pellets, place))
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
        want = 1.0 - room(maze, state, ghosts) / NEIGHBOURHOOD
        value -= TIGHT * want * want
    capsules = state.pellets[0] & maze.capsule_bits()
    if capsules:
        value += CAPSULE * maze.capsules_in(state.pellets)
        if not is_hunting:
            value -= pull(CAPSULE_PULL, CAPSULE_HALF, nearest_capsule(maze, capsules, place))
    return value


def pull(most: float, half: float, steps: int) -> float:
    """What a way costs: nearly `most` if it is long, half of it after `half` steps."""
    return most * steps / (steps + half)


def nearest_food(maze: Maze, pellets: tuple[U64, ...], place: int) -> int:
    """How many steps it is to the nearest food; there must be some."""
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
    """How many steps it is to the nearest of these capsules; there must be one."""
    nearest = maze.squares()
    for capsule in bits(capsules):
        nearest = min(nearest, maze.distance(place, maze.capsule(capsule)))
    return nearest


def room(maze: Maze, state: Position, ghosts: int) -> int:
    """How many squares of the neighbourhood Pac-Man reaches before any ghost that is not scared."""
    place, found = place_of(state.pacman), 0
    for rank in range(NEIGHBOURHOOD):
        square = maze.neighbour(place, rank)
        steps, is_free = maze.distance(place, square), 1
        for index in range(ghosts):
            ghost = ghost_of(state.ghosts, index)
            if not is_scared(ghost) and maze.distance(place_of(ghost), square) <= steps:
                is_free = 0
        found += is_free
    return found


def promise(maze: Maze, state: Position, ghosts: int, action: int) -> float:
    """How good a step of Pac-Man looks: near to food and prey, and not to a ghost."""
    place = place_of(state.pacman)
    if action != STOP:
        place = maze.step(place, action)
    found = -pull(FOOD_PULL, FOOD_HALF, nearest_food(maze, state.pellets, place))
    for index in range(ghosts):
        ghost = ghost_of(state.ghosts, index)
        steps = maze.distance(place, place_of(ghost))
        if is_scared(ghost):
            found -= CHASE * steps
        elif steps <= 1:
            found -= PREY
    return found
