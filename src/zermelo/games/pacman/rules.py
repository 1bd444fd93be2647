"""Pac-Man: eat all the food and do not get caught; a capsule turns the tables for a while.

    %%%%%%%%%%%%%%%%%%%%      % wall   . food   o capsule   P Pac-Man   G ghost
    %........%%........%
    %.%%.%.%....%.%.%%.%      Pac-Man moves first, then each ghost; a round is over when all have moved.
    %.o%.%.%%GG%%.%.%o.%      A ghost neither stops nor turns back if there is another way.
    %.%%...%%  %%...%%.%      A capsule scares all ghosts for forty rounds: they rest every second turn,
    %.P..%........%....%      and can be eaten; then they start again, and are brave.
    %%%%%%%%%%%%%%%%%%%%

A move costs 1; food gives 10, a scared ghost 200, the last food 500 more, and getting caught costs 500. A move is a
number, 0 to 4: North, South, East, West, Stop.

Toru Iwatani's arcade game (Namco, 1980), with the rules and layouts that courses on artificial intelligence use since
John DeNero and Dan Klein ("Teaching Introductory Artificial Intelligence with Pac-Man", EAAI 2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions, suggest
from zermelo.core.picture import Grid, Piece
from zermelo.games.pacman.evaluation import estimate, promise
from zermelo.games.pacman.layout import find_layout
from zermelo.games.pacman.maze import NOTHING, STOP, Maze
from zermelo.games.pacman.notation import maze_rows, read_position, write_position
from zermelo.games.pacman.position import (
    ANY_SCARED,
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
    with_ghost,
)
from zermelo.kernel import U64, bit, bits, draw_below, hash_numbers, nth_bit, popcount, replace_item

MOVES = ("North", "South", "East", "West", "Stop")
PACMAN = 0
PELLETS = {".": Piece("·", -1, "food"), "o": Piece("o", -1, "capsule")}
PACMEN = tuple(
    Piece(symbol, PACMAN, f"pacman {way}")
    for symbol, way in zip("v^<><", ("north", "south", "east", "west", "east"), strict=True)
)
RANDOM = ("false", "true", "0", "1", "2", "3", "4")


class PacMan(Game):
    """Eat all the dots and keep away from the ghosts; a capsule turns the tables for a while.

    Pac-Man's payoff is the score; every ghost's is its opposite. With `random`, ghosts move by chance.
    """

    name = "pacman"
    title = "Pac-Man"
    option_labels = {
        "layout": "maze",
        "random": "ghosts that move by chance",
        "stop": "Pac-Man may stand still",
        "steps": "longest game in steps",
    }
    runtime = ("last_ply", "utility_range")
    not_compiled = ("layout", "ghosts", "random", "steps", "seats")
    file_options = ("layout",)
    unit_name = "points"
    margins = True
    perft_table = {"": (3, 9, 27, 81, 162, 324, 972, 1782, 3267, 10043)}

    def __init__(
        self, layout: str = "small", ghosts: int = 4, random: str = "false", stop: bool = True, steps: int = 1000
    ) -> None:
        if not 0 <= ghosts <= 4:
            raise UsageError(f"pacman has 0 to 4 ghosts, not {ghosts}")
        if (random := str(random).lower()) not in RANDOM:
            raise UsageError(f"pacman: random is true, false or how many ghosts move by chance, not {random}")
        if not 1 <= steps <= 1_000_000:
            raise UsageError(f"pacman ends after 1 to 1000000 steps of Pac-Man, not {steps}")
        self.layout, self.ghosts, self.random, self.stop, self.steps = layout, ghosts, random, stop, steps
        found = find_layout(layout)
        self.maze = Maze(found, ghosts)
        self.movers = 1 + self.maze.ghosts
        given = self.maze.ghosts if random == "true" else 0 if random == "false" else int(random)
        if given > self.maze.ghosts:
            raise UsageError(f"pacman: random={random}, but only {self.maze.ghosts} ghosts take part in this layout")
        self.players = self.movers - given
        self.chance = given > 0
        self.zero_sum = self.players == 2
        self.seats = ("Pac-Man", *(f"ghost {number}" for number in range(1, self.players)))
        self.last_ply = steps * self.movers
        most = FOOD * len(found.food) + WON + GHOST * len(found.capsules) * self.maze.ghosts + 1
        least = CAUGHT + STEP * steps - 1
        extreme = max(most, -least)
        self.utility_range = (float(least), float(most)) if self.players == 1 else (-float(extreme), float(extreme))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies get their own memory."""
        return type(self), (self.layout, self.ghosts, self.random, self.stop, self.steps)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return self.maze.start()

    def to_move(self, state: Position) -> int:
        turn = state.ply % self.movers
        return turn if turn < self.players else CHANCE

    def actions(self, state: Position) -> Iterator[int]:
        for direction in bits(self.ways(state)):  # noqa: UP028 - `yield from` does not compile
            yield direction

    def outcomes(self, state: Position) -> Iterator[tuple[int, float]]:
        """A ghost that moves by chance goes each way with the same probability."""
        ways = self.ways(state)
        for direction in bits(ways):
            yield direction, 1 / popcount(ways)

    def count(self, state: Position) -> int:
        return 0 if self.is_terminal(state) else popcount(self.ways(state))

    def ways(self, state: Position) -> U64:
        """The mover's directions as bits."""
        turn = state.ply % self.movers
        if turn == 0:
            ways = self.maze.ways(place_of(state.pacman))
            return ways | bit(STOP) if self.stop else ways
        ghost = ghost_of(state.ghosts, turn - 1)
        if is_scared(ghost) and state.fright % 2 == 0:
            return bit(STOP)
        ways = self.maze.ways(place_of(ghost))
        forward = ways & ~bit(heading_of(ghost) ^ 1)
        return forward if forward else ways

    def result(self, state: Position, action: int) -> Position:
        turn = state.ply % self.movers
        return self.move_pacman(state, action) if turn == 0 else self.move_ghost(state, turn - 1, action)

    def move_pacman(self, state: Position, action: int) -> Position:
        """Eat first, then meet ghosts: the last food wins, even if a ghost is there."""
        place, heading = place_of(state.pacman), heading_of(state.pacman)
        if action != STOP:
            place, heading = self.maze.step(place, action), action
        pellets, ghosts, fright, score = state.pellets, state.ghosts, state.fright, state.score + STEP
        is_won, is_caught = False, False
        pellet = self.maze.pellet(place)
        if pellet != NOTHING and pellets[pellet >> 6] & bit(pellet & 63):
            pellets = replace_item(pellets, pellet >> 6, pellets[pellet >> 6] ^ bit(pellet & 63))
            if pellet < self.maze.capsules():
                for index in range(self.maze.ghosts):
                    ghosts = with_ghost(ghosts, index, ghost_of(ghosts, index) | SCARED)
                fright = FRIGHT
            else:
                score += FOOD
                is_won = not self.maze.has_food(pellets)
                score += WON if is_won else 0
        for index in range(self.maze.ghosts):
            ghost = ghost_of(ghosts, index)
            if place_of(ghost) == place:
                if is_scared(ghost):
                    score += GHOST
                    ghosts = with_ghost(ghosts, index, ghost_of(self.maze.homes(), index))
                elif not (is_won or is_caught):
                    is_caught = True
                    score += CAUGHT
        fright = self.remaining_fright(fright, ghosts, state.ply + 1)
        return Position(pellets, standing(place, heading), ghosts, fright, score, state.ply + 1, is_caught)

    def move_ghost(self, state: Position, index: int, action: int) -> Position:
        """With its last scared move a ghost stops being scared, before it meets Pac-Man."""
        ghost = ghost_of(state.ghosts, index)
        score, is_caught = state.score, False
        if action != STOP:
            ghost = standing(self.maze.step(place_of(ghost), action), action) | ghost & SCARED
        if state.fright == 1:
            ghost &= ~SCARED
        if place_of(ghost) == place_of(state.pacman):
            if is_scared(ghost):
                score += GHOST
                ghost = ghost_of(self.maze.homes(), index)
            else:
                score += CAUGHT
                is_caught = True
        ghosts = with_ghost(state.ghosts, index, ghost)
        fright = self.remaining_fright(state.fright, ghosts, state.ply + 1)
        return Position(state.pellets, state.pacman, ghosts, fright, score, state.ply + 1, is_caught)

    def remaining_fright(self, fright: int, ghosts: U64, ply: int) -> int:
        """The fright that is left: a round is over when the last ghost has moved."""
        if not ghosts & ANY_SCARED:
            return 0
        return fright - 1 if ply % self.movers == 0 else fright

    def is_terminal(self, state: Position) -> bool:
        return state.is_caught or state.ply >= self.last_ply or not self.maze.has_food(state.pellets)

    def utility(self, state: Position, player: int) -> float:
        return float(state.score if player == PACMAN else -state.score)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: Position, player: int) -> float:
        """An estimate of the final score, within what is still possible."""
        low, high = self.reach(state)
        value = max(low, min(estimate(self.maze, state, self.maze.ghosts), high))
        return value if player == PACMAN else -value

    def bounds(self, state: Position, player: int) -> tuple[float, float]:
        low, high = self.reach(state)
        return (low, high) if player == PACMAN else (-high, -low)

    def reach(self, state: Position) -> tuple[float, float]:
        """The least and the greatest score that is still possible."""
        if self.is_terminal(state):
            return float(state.score), float(state.score)
        left = (self.last_ply - state.ply) // self.movers
        food = self.maze.food_in(state.pellets)
        prey = self.maze.ghosts * self.maze.capsules_in(state.pellets) + popcount(state.ghosts & ANY_SCARED)
        return float(state.score + CAUGHT - left), float(state.score + (FOOD - 1) * food + WON + GHOST * prey)

    def bank(self, state: Position, player: int) -> float:
        return self.utility(state, player)

    def without_bank(self, state: Position) -> Position:
        return Position(state.pellets, state.pacman, state.ghosts, state.fright, 0, state.ply, state.is_caught)

    def order(self, state: Position, action: int) -> float:
        """Pac-Man towards the food and away from ghosts; ghosts towards Pac-Man, or away if they are scared."""
        turn = state.ply % self.movers
        if turn == 0:
            return promise(self.maze, state, self.maze.ghosts, action)
        ghost = ghost_of(state.ghosts, turn - 1)
        if action == STOP:
            return 0.0
        steps = self.maze.distance(self.maze.step(place_of(ghost), action), place_of(state.pacman))
        return float(steps if is_scared(ghost) else -steps)

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """A random direction, all equally likely; Pac-Man neither stops nor turns back if there is another."""
        ways = self.ways(state)
        if state.ply % self.movers == 0:
            forward = ways & ~(bit(STOP) | bit(heading_of(state.pacman) ^ 1))
            ways = forward if forward else ways
        return nth_bit(ways, draw_below(luck, popcount(ways)))

    def repetition_key(self, state: Position) -> Position:
        """Without the direction in which Pac-Man looks, which changes nothing."""
        pacman = standing(place_of(state.pacman), STOP)
        return Position(state.pellets, pacman, state.ghosts, state.fright, state.score, state.ply, state.is_caught)

    def key(self, state: Position) -> U64:
        return hash_numbers(self.repetition_key(state))

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        return MOVES[action]

    def parse_action(self, state: Position, text: str) -> int:
        """The name of a direction or its first letter; s is South, and Stop is written out."""
        moves: dict[str, int] = {MOVES[action].lower(): action for action in legal_actions(self, state)}
        wanted = text.strip().lower()
        for name, action in moves.items():
            if wanted == name or (wanted == name[0] and action != STOP):
                return action
        names = [MOVES[action] for action in moves.values()]
        raise IllegalMove(f"{text.strip() or 'an empty move'} is not legal here; {suggest(names, 'the game is over')}")

    def format_state(self, state: Position) -> str:
        return write_position(self.maze, state)

    def parse_state(self, text: str) -> Position:
        return read_position(self.maze, text, self.steps)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        layout = self.maze.layout
        cells: list[Piece | None] = [PELLETS.get(letter) for letter in "".join(maze_rows(self.maze, state.pellets))]
        for index in reversed(range(self.maze.ghosts)):
            ghost = ghost_of(state.ghosts, index)
            owner = index + 1 if index + 1 < self.players else -1
            look = Piece("g", owner, "scared ghost") if is_scared(ghost) else Piece("G", owner, f"ghost {index + 1}")
            cells[layout.squares[place_of(ghost)]] = look
        here = layout.squares[place_of(state.pacman)]
        if not state.is_caught:
            cells[here] = PACMEN[heading_of(state.pacman)]
        return Grid(
            layout.height,
            layout.width,
            tuple(cells),
            touches={MOVES[action]: self.touched_cells(state, action) for action in legal_actions(self, state)},
            marked=(here,) if state.is_caught else (),
            walls=tuple(cell for cell in range(len(cells)) if layout.is_wall(cell)),
            caption=self.caption(state),
            colours=("gold", "red", "pink", "cyan", "orange")[: self.players],
        )

    def touched_cells(self, state: Position, action: int) -> tuple[int, ...]:
        """The cells that a move leaves and reaches."""
        turn, squares = state.ply % self.movers, self.maze.layout.squares
        place = place_of(ghost_of(state.ghosts, turn - 1) if turn else state.pacman)
        return (squares[place],) if action == STOP else (squares[place], squares[self.maze.step(place, action)])

    def caption(self, state: Position) -> str:
        words = [f"score {state.score}"]
        if self.is_terminal(state):
            ending = "caught" if state.is_caught else "out of time" if self.maze.has_food(state.pellets) else "won"
            return f"{words[0]}: {ending}"
        if state.fright:
            words.append(f"ghosts scared for {state.fright} round{'s' if state.fright > 1 else ''}")
        turn = state.ply % self.movers
        if turn:
            words.append(f"ghost {turn} moves")
        return ", ".join(words)
