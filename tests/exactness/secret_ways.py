"""The ways to ask about games with hidden information: equilibria, best responses, and tables for `zermelo nash`."""

import contextlib
import io
import json
import random
from fractions import Fraction
from itertools import combinations
from unittest import mock

from exactness.claims import Contradiction
from exactness.description import CHANCE, Description
from exactness.graph import Graph
from exactness.secrets import Memory, Table
from exactness.tables import check_equilibria
from exactness.ways import Checked, way
from zermelo.equilibrium import Recall, Strategy, best_response, exploitability, programme, solve
from zermelo.games.matrix.rules import Matrix

METHODS = ("auto", "auto", "lp", "lp", "lp", "cfr", "cfr+", "lcfr", "dcfr", "pcfr+")
CLOSE = 1e-9


def is_secret(described: Description) -> bool:
    return described.is_hidden


def table_of(described: Description, strategy: Strategy | None) -> Table:
    """Judges a strategy by its probabilities as fractions; without one, all moves are equally likely."""

    def chances(player: int, memory: Memory, seen: int) -> tuple[Fraction, ...]:
        if strategy is None:
            alike = (node for node in described.nodes if node.moves and (node.owner, node.seen) == (player, seen))
            count = len(next(alike).moves)
            return (Fraction(1, count),) * count
        recall = Recall(player)
        for view, place in memory:
            recall.move(view, place)
        shares = [Fraction(share) for share in strategy.at(player, recall.key(seen))]
        total = sum(shares)
        return tuple(share / total for share in shares)

    return Table(described, chances)


def _solving_options(rng: random.Random, described: Description) -> dict:
    is_opposed = described.total is not None
    return {
        "method": rng.choice(METHODS) if is_opposed else rng.choice(("auto", "cfr", "cfr+", "dcfr")),
        "iterations": rng.choice((1, 10, 100)),
        "by_highs": rng.random() < 0.7,
    }


@way(is_secret, _solving_options, is_for_secrets=True)
def an_equilibrium(game: Graph, referee, options: dict):
    """The value lies between what best responses leave to both; an exact one is proved, and its strategies reach it."""
    described, method = game.described, options["method"]
    by_solver = method in ("auto", "lp")
    more = {} if by_solver and described.total is not None else {"iterations": options["iterations"]}
    with contextlib.ExitStack() as stack:
        if not options["by_highs"]:
            stack.enter_context(mock.patch.object(programme, "has_solver", return_value=False))
        solution = solve(game, method, **more)
    table, players = table_of(described, solution.strategy), range(described.players)
    values, best = [table.payoff(player) for player in players], [table.best(player) for player in players]
    size = max([1.0, *(abs(payoff) for node in described.nodes for payoff in node.payoffs)])
    yield Checked(solution.kind)
    gain = float(sum(best) - sum(values)) / described.players
    if abs(solution.exploitability - gain) > CLOSE * size:
        raise Contradiction(f"exploitability: {method} says {solution.exploitability!r}; it is {gain!r}")
    if solution.total not in (None, described.total):
        raise Contradiction(f"total: the payoffs sum to {described.total}, not to {solution.total}")
    if solution.kind == "estimate":
        for player, value in enumerate(solution.value):
            if abs(float(values[player]) - value) > CLOSE * size:
                raise Contradiction(
                    f"value: {method} says {solution.value}; for player {player} it is {values[player]}"
                )
        return
    if described.total is None:
        raise Contradiction("kind: only a game of two opponents has an exact value")
    low, high = described.total - best[1], best[0]
    if not low <= solution.value <= high:
        raise Contradiction(f"value: {method} says exactly {solution.value}; it is from {low} to {high}")
    if high - low > CLOSE * size:
        raise Contradiction(f"strategy: of the exact {solution.value}, best responses gain {float(high - low)!r}")


def _judging_options(rng: random.Random, described: Description) -> dict:
    return {"player": rng.randrange(described.players), "solves": rng.random() < 0.6, "iterations": rng.choice((1, 7))}


@way(is_secret, _judging_options, is_for_secrets=True)
def a_best_response(game: Graph, referee, options: dict):
    """What answers to a strategy gain, and the best one itself, which is pure and gets what it is said to get."""
    described, player = game.described, options["player"]
    strategy = solve(game, "cfr", iterations=options["iterations"]).strategy if options["solves"] else None
    table, players = table_of(described, strategy), range(described.players)
    gain = float(sum(table.best(one) - table.payoff(one) for one in players)) / described.players
    size = max([1.0, *(abs(payoff) for node in described.nodes for payoff in node.payoffs)])
    yield Checked("exact")
    said = exploitability(game, strategy)
    if abs(said - gain) > CLOSE * size:
        raise Contradiction(f"exploitability: it is said to be {said!r}; it is {gain!r}")
    worth, answer = best_response(game, strategy, player)
    if abs(worth - float(table.best(player))) > CLOSE * size:
        raise Contradiction(
            f"response: the best of player {player} is worth {float(table.best(player))!r}, not {worth!r}"
        )
    reached = float(table_of(described, answer).payoff(player))
    if abs(worth - reached) > CLOSE * size:
        raise Contradiction(f"response: player {player} gets {reached!r} by it, not {worth!r}")


# -- tables ------------------------------------------------------------------------------------------------------------


def is_table(described: Description) -> bool:
    """Two players who move once, at the same time."""
    nodes = described.nodes
    return (
        described.is_hidden
        and described.players == 2
        and nodes[0].owner == 0
        and all(
            nodes[move.to].owner == 1 and nodes[move.to].moves and nodes[move.to].seen == 0 for move in nodes[0].moves
        )
        and all(not nodes[end.to].moves for move in nodes[0].moves for end in nodes[move.to].moves)
        and len({len(nodes[move.to].moves) for move in nodes[0].moves}) == 1
        and CHANCE not in {node.owner for node in nodes if node.moves}
    )


def cells_of(described: Description) -> list[list[tuple[Fraction, Fraction]]]:
    nodes = described.nodes
    return [
        [tuple(Fraction(payoff) for payoff in nodes[end.to].payoffs) for end in nodes[move.to].moves]
        for move in nodes[0].moves
    ]


def is_opposed_table(described: Description) -> bool:
    return is_table(described) and described.is_opposed


@way(is_opposed_table, lambda rng, described: {"method": rng.choice(("auto", "stacked"))}, is_for_secrets=True)
def choices_at_once(game: Graph, referee, options: dict):
    """A table as a game of simultaneous moves: its value is between what the mixed choices leave to both."""
    cells = cells_of(game.described)
    table = Matrix("; ".join(" ".join(f"{one},{other}" for one, other in row) for row in cells))
    solution = solve(table, options["method"])
    yield Checked(solution.kind)
    if (solution.method, solution.kind) != ("stacked", "exact"):
        raise Contradiction(f"kind: {solution.method} says {solution.value} is an {solution.kind}")
    first, second = (
        [Fraction(share) for share in solution.strategy.at(player, Recall(player).key(table.view(state, player)))]
        for player, state in enumerate((table.initial(), table.result(table.initial(), 0)))
    )
    low = min(
        sum(share * row[column][0] for share, row in zip(first, cells, strict=True)) for column in range(len(second))
    )
    high = max(sum(share * cell[0] for share, cell in zip(second, row, strict=True)) for row in cells)
    size = max([1, *(abs(cell[0]) for row in cells for cell in row)])
    if not (low - CLOSE * size <= solution.value <= high + CLOSE * size and high - low <= CLOSE * size):
        raise Contradiction(f"value: stacked says exactly {solution.value}; it is from {low} to {high}")
    if solution.value != value_of(cells):
        raise Contradiction(f"value: stacked says exactly {solution.value}; it is {value_of(cells)}")


def value_of(cells: list[list[tuple[Fraction, Fraction]]]) -> Fraction:
    """The value of a table: the best of the first player's mixed choices where enough columns cost the same."""
    lines = [[-row[column][0] for row in cells] + [Fraction(1)] for column in range(len(cells[0]))]  # v <= a column
    lines += [[-Fraction(row == place) for row in range(len(cells))] + [Fraction(0)] for place in range(len(cells))]
    total = [Fraction(1)] * len(cells) + [Fraction(0), Fraction(1)]
    corners = (
        corner_of([total, *([*line, Fraction(0)] for line in chosen)]) for chosen in combinations(lines, len(cells))
    )
    return max(
        corner[-1]
        for corner in corners
        if corner is not None
        and all(sum(one * number for one, number in zip(line, corner, strict=True)) <= 0 for line in lines)
    )


def corner_of(equations: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of as many equations as unknowns; None if there is not exactly one."""
    for column in range(len(equations)):
        pivot = next((line for line in equations[column:] if line[column]), None)
        if pivot is None:
            return None
        equations.remove(pivot)
        pivot = [number / pivot[column] for number in pivot]
        equations = [
            [number - line[column] * head for number, head in zip(line, pivot, strict=True)] for line in equations
        ]
        equations.insert(column, pivot)
    return [line[-1] for line in equations]


@way(is_table, lambda rng, described: {}, is_for_secrets=True)
def the_command_nash(game: Graph, referee, options: dict):
    """`zermelo nash` with a table: every equilibrium is one, and none that is isolated is missing."""
    from zermelo.cli import main

    cells = cells_of(game.described)
    text = "; ".join(" ".join(f"{one},{other}" for one, other in row) for row in cells)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["nash", text, "--json"])
    if code != 0:
        raise Contradiction(f"refused: {err.getvalue().strip()}")
    yield Checked("exact")
    check_equilibria(cells, json.loads(out.getvalue()))
