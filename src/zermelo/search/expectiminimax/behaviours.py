"""Behaviours of the players in a search, one for each seat, and their text form.

max             maximises the payoff of the team that the search is for
min             minimises it
own             maximises its own payoff
against(1)      minimises the first player's payoff
random          moves uniformly at random
minimax(2)      searches two plies and plays the best move for itself, if all others are against it
minimax(2)@0.8  does so four times out of five, and moves at random otherwise
table(FILE)     moves as in saved games, with the frequencies found there
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, suggest
from zermelo.search.expectiminimax.workspace import AGAINST, HABITUAL, MAX, MIN, OWN, RANDOM, SKILLED

NAMES = {
    "max": MAX,
    "min": MIN,
    "own": OWN,
    "against": AGAINST,
    "random": RANDOM,
    "minimax": SKILLED,
    "table": HABITUAL,
}
DEEPEST_SKILL = 20


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of one seat."""

    role: int
    depth: int = 0
    reliability: float = 1.0
    file: str = ""
    victim: int = -1
    """The seat whose payoff it minimises."""

    def __str__(self) -> str:
        name = next(name for name, role in NAMES.items() if role == self.role)
        inside = f"({self.depth})" if self.depth else f"({self.file})" if self.file else ""
        inside = f"({self.victim + 1})" if self.role == AGAINST else inside
        return name + inside + (f"@{self.reliability:g}" if self.reliability < 1 else "")


MAXIMISE, MINIMISE, AT_RANDOM, SELFISH = Behaviour(MAX), Behaviour(MIN), Behaviour(RANDOM), Behaviour(OWN)


def against(seat: int) -> Behaviour:
    """The behaviour that minimises the payoff of a seat."""
    return Behaviour(AGAINST, victim=seat)


def skilled(depth: int, reliability: float = 1.0) -> Behaviour:
    """Plays the move of a minimax search to this depth with probability `reliability`, otherwise a random one."""
    if not 1 <= depth <= DEEPEST_SKILL:
        raise UsageError(f"a model cannot search {depth} plies ahead; give 1 to {DEEPEST_SKILL}")
    if not 0 <= reliability <= 1:
        raise UsageError(f"a reliability of {reliability:g} is not a probability; give a number from 0 to 1")
    return Behaviour(SKILLED, depth, reliability)


def parse_behaviour(text: str) -> Behaviour:
    """Parse a behaviour."""
    found = re.fullmatch(r"(\w+)(?:\(([^()]*)\))?(?:@([\d.]+)(%?))?", text.strip())
    if found is None or found[1] not in NAMES:
        raise UsageError(f"{text!r} is not a behaviour; {suggest(NAMES, '')}, as in random or minimax(2)@0.8")
    name, inside, chance, percent = found.groups()
    if name == "minimax":
        if not (inside or "").isdigit():
            raise UsageError(f"{text!r} does not say how far the player looks ahead; minimax(2) would")
        return skilled(int(inside), _probability(chance, percent) if chance else 1.0)
    if chance:
        raise UsageError(f"{text!r} has a reliability, and only minimax(...) can have one")
    if name == "table":
        if not inside or not Path(inside).is_file():
            raise UsageError(f"{text!r} needs a file of saved games, as `zermelo match --save FILE` writes it")
        return Behaviour(HABITUAL, file=inside)
    if name == "against":
        if not (inside or "").isdigit() or int(inside) < 1:
            raise UsageError(f"{text!r} does not say against whom; against(1) is against the first player")
        return against(int(inside) - 1)
    if inside:
        raise UsageError(f"{text!r} has something in brackets that {name} does not need")
    return Behaviour(NAMES[name])


def _probability(text: str, percent: str) -> float:
    try:
        return float(text) / (100 if percent else 1)
    except ValueError:
        raise UsageError(f"{text!r} is not a probability; write 0.8 or 80%") from None


@dataclass(frozen=True)
class Roles:
    """The team that a search maximises for, and the behaviour of every seat."""

    team: tuple[int, ...]
    behaviours: tuple[Behaviour, ...]
    one_replies: bool = False
    """Best-reply search: between two moves of the team only one opponent replies, the one that minimises most."""

    @property
    def is_selfish(self) -> bool:
        """Whether all players maximise their own payoffs."""
        return all(behaviour.role == OWN for behaviour in self.behaviours)

    @property
    def needs_maxn(self) -> bool:
        """Whether a player neither maximises nor minimises the team's payoff, so that the search needs max^n."""
        return any(behaviour.role in (OWN, AGAINST) for behaviour in self.behaviours)

    def payoff_weights(self, seat: int) -> list[float]:
        """The weights of all players' payoffs for a seat."""
        behaviour, seats = self.behaviours[seat], range(len(self.behaviours))
        if behaviour.role in (OWN, AGAINST):
            wanted = seat if behaviour.role == OWN else behaviour.victim
            sign = 1.0 if behaviour.role == OWN else -1.0
            return [sign if player == wanted else 0.0 for player in seats]
        sign = {MAX: 1.0, MIN: -1.0}.get(behaviour.role, 0.0)
        return [sign if player in self.team else 0.0 for player in seats]

    @property
    def is_one_against_all(self) -> bool:
        """Whether one player maximises and all others minimise that player's payoff."""
        roles = [MAX if seat in self.team else MIN for seat in range(len(self.behaviours))]
        return not self.one_replies and len(self.team) == 1 and [one.role for one in self.behaviours] == roles


def opposed(game: Game) -> Roles:
    """Roles for one player, or for two opponents; the search is for the first one."""
    return Roles((0,), (MAXIMISE, MINIMISE)[: game.players])


def each_alone(game: Game) -> Roles:
    """Roles for max^n: all players maximise their own payoffs."""
    return Roles((), (SELFISH,) * game.players)


def best_reply(game: Game, player: int) -> Roles:
    """Roles for best-reply search: one player against all others, of whom only one replies to each move."""
    return replace(against_all(game, player), one_replies=True)


def against_all(game: Game, *team: int) -> Roles:
    """Roles for a team against all others: paranoid search if the team is one player, otherwise a coalition."""
    for player in team:
        if not 0 <= player < game.players:
            raise UsageError(f"{game} has no seat {player}; it has {game.players}, from 0 on")
    return Roles(team, tuple(MAXIMISE if seat in team else MINIMISE for seat in range(game.players)))


def amid(game: Game, player: int, others: Mapping[int, Behaviour] | Sequence[Behaviour] | Behaviour) -> Roles:
    """Roles for one player among models: one for all others, one for each in order, or a mapping from seats."""
    seats = [seat for seat in range(game.players) if seat != player]
    if isinstance(others, Behaviour):
        others = dict.fromkeys(seats, others)
    elif not isinstance(others, Mapping):
        if len(others) != len(seats):
            raise UsageError(f"{game} has {len(seats)} others, not {len(others)}; say what each of them does")
        others = dict(zip(seats, others, strict=True))
    for seat in others:
        if seat not in seats:
            raise UsageError(f"seat {seat} is not one of the others; these are {', '.join(map(str, seats))}")
        if others[seat].victim >= game.players:
            raise UsageError(f"there is no player {others[seat].victim + 1} to be against; {game} has {game.players}")
    behaviours = [MAXIMISE if seat == player else others.get(seat, MINIMISE) for seat in range(game.players)]
    return Roles((player,), tuple(behaviours))
