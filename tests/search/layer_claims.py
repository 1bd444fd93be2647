"""Whether what an answer claims holds: every `exact`, `lower` and `upper`, of the position and of each move."""

import math

from layer_graphs import for_itself, payoffs_by_recursion


def is_near(one, other, slack=1e-9):
    return all(math.isnan(a) or abs(a - b) <= slack for a, b in zip(one, other, strict=True))


def true_payoffs(graph, state, known):
    """What everybody gets when all play for themselves."""
    return payoffs_by_recursion(graph, [for_itself(seat) for seat in range(graph.players)], state, known=known)


def wrong_claims(graph, state, answer, slack=1e-9, known=None):
    """The claims of an answer that do not hold, as sentences."""
    known = {} if known is None else known
    mover, found = graph.to_move(state), []
    value = true_payoffs(graph, state, known)
    after = {
        graph.format_action(state, action): true_payoffs(graph, graph.result(state, action), known)
        for action in graph.actions(state)
    }
    for what, kind, claimed, true in [
        ("the position", answer.kind, answer.value, value),
        *((f"move {move.move}", move.kind, move.value, after[move.move]) for move in answer.moves),
    ]:
        pairs = [(a, b) for a, b in zip(claimed, true, strict=True) if not math.isnan(a)]
        if kind == "exact" and not (is_near(claimed, true, slack) and not math.isnan(claimed[mover])):
            found.append(f"{what} is exactly {claimed}, says the search; it is {true}")
        if kind == "lower" and not (pairs and all(a <= b + slack for a, b in pairs)):
            found.append(f"{what} is at least {claimed}, says the search; it is {true}")
        if kind == "upper" and not claimed[mover] >= true[mover] - slack:
            found.append(f"{what} is at most {claimed}, says the search; it is {true}")
    if answer.kind == "exact" and not is_near(after[answer.best], value, slack):
        found.append(f"{answer.best} is best, says the search; it is worth {after[answer.best]}, the position {value}")
    return found
