"""The algorithms in the notation of the lectures, with the step of a search that each line belongs to.

A row has three columns: the line, the steps in which it is the current one, and a part of the line of the textbook's
function that it stands for. `⏎` joins two lines of that function if the second one alone could be another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

from zermelo.kernel import Kernel
from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.cfr import counterfactual_value
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.fictitious_play import fictitious_play
from zermelo.textbook.layers import best_reply
from zermelo.textbook.maxn import maxn, maxn_shallow
from zermelo.textbook.mcts import mcts
from zermelo.textbook.minimax import minimax
from zermelo.textbook.opponents import expectimax
from zermelo.textbook.quiescence import quiescent_alphabeta
from zermelo.textbook.regret_matching import regret_matching
from zermelo.textbook.star import star1, star2

Step: TypeAlias = Literal[
    "begin",
    "terminal",
    "horizon",
    "stand pat",
    "enter max",
    "enter min",
    "enter chance",
    "call max",
    "call min",
    "call chance",
    "known outcome",
    "probe max",
    "probe min",
    "probe low",
    "probe high",
    "cut max",
    "cut min",
    "cut low",
    "cut high",
    "return",
    "return chance",
    "roll",
    "select",
    "expand",
    "simulate",
    "back up",
    "enter set",
    "call own",
    "call other",
    "mean",
    "regret",
    "match",
    "answer",
]
"""What a search does in a step: it enters a node of Max, of Min or of chance, calls itself for a child, returns.
`low` and `high` are cuts at chance nodes. `select` to `back up` belong to Monte Carlo tree search; the rest, to the
algorithms that learn mixed strategies: a player's information set, a move of that player or of another, the mean of the
strategy, the regrets, regret matching, a best response."""


class Line(NamedTuple):
    """A line of pseudocode."""

    text: str
    """Indented by two spaces per level."""
    steps: tuple[Step, ...]
    source: str
    """The line, or two joined lines, of the textbook that this one stands for; empty for the head."""


class Pseudocode(NamedTuple):
    """An algorithm as the lecture writes it."""

    source: Callable[..., Any] | Kernel[..., Any]
    """The function of the textbook; Monte Carlo tree search has one for each of its steps in the same module."""
    lines: tuple[Line, ...]


def _written(source: Callable[..., Any] | Kernel[..., Any], rows: str) -> Pseudocode:
    lines = []
    for row in rows.strip("\n").splitlines():
        text, steps, line = (part.rstrip() for part in row.split("|"))
        names = tuple(name.strip() for name in steps.split(","))
        unknown = set(names) - set(get_args(Step))
        assert not unknown, f"there is no step {unknown}"
        lines.append(Line(text, cast(tuple[Step, ...], names), line.strip()))
    return Pseudocode(source, tuple(lines))


_MINIMAX = """
minimax(s, depth):                              | begin     |
  if s is terminal: return utility(s)           | terminal  | return float(game.utility(state, player))
  if depth = 0: return evaluation(s)            | horizon   | return float(game.evaluate(state, player))
  if Max moves:                                 | enter max | best = -INFINITY
    v ← −∞                                      | enter max | best = -INFINITY
    for each action a:                          | call max  | best = max(best, minimax(
      v ← max(v, minimax(result(s, a), depth−1))| call max  | best = max(best, minimax(
  if Min moves:                                 | enter min | best = INFINITY
    v ← ∞                                       | enter min | best = INFINITY
    for each action a:                          | call min  | best = min(best, minimax(
      v ← min(v, minimax(result(s, a), depth−1))| call min  | best = min(best, minimax(
  return v                                      | return    | return best
"""

_ALPHABETA = """
alphabeta(s, depth, α, β):                      | begin     |
  if s is terminal: return utility(s)           | terminal  | return float(game.utility(state, player))
  if depth = 0: return evaluation(s)            | horizon   | return float(game.evaluate(state, player))
  if Max moves:                                 | enter max | best = -INFINITY
    v ← −∞                                      | enter max | best = -INFINITY
    for each action a:                          | call max  | best = max(best, alphabeta(
      v ← max(v, alphabeta(result(s, a), depth−1, max(α, v), β)) | call max | best = max(best, alphabeta(
      if v ≥ β: return v                        | cut max   | if best >= beta: ⏎ break
  if Min moves:                                 | enter min | best = INFINITY
    v ← ∞                                       | enter min | best = INFINITY
    for each action a:                          | call min  | best = min(best, alphabeta(
      v ← min(v, alphabeta(result(s, a), depth−1, α, min(β, v))) | call min | best = min(best, alphabeta(
      if v ≤ α: return v                        | cut min   | if best <= alpha: ⏎ break
  return v                                      | return    | return best
"""

_QUIESCENCE = """
quiescence(s, depth, α, β):                     | begin     |
  if s is terminal: return utility(s)           | terminal  | return float(game.utility(state, player))
  v ← −∞ if Max moves, ∞ if Min moves           | enter max, enter min | best = -INFINITY if is_max else INFINITY
  if depth ≤ 0: v ← evaluation(s)               | stand pat | best = float(game.evaluate(state, player))
  for each action a, if depth ≤ 0 only noisy ones: | call max, call min | child = game.result(state, action)
    if v ≥ β and Max moves: return v            | cut max   | if best >= beta if is_max else best <= alpha: ⏎ break
    if v ≤ α and Min moves: return v            | cut min   | if best >= beta if is_max else best <= alpha: ⏎ break
    if Max moves:                               | call max  | best = max(best, quiescent_alphabeta(
      v ← max(v, quiescence(result(s, a), depth−1, max(α, v), β)) | call max | best = max(best, quiescent_alphabeta(
    if Min moves:                               | call min  | best = min(best, quiescent_alphabeta(
      v ← min(v, quiescence(result(s, a), depth−1, α, min(β, v))) | call min | best = min(best, quiescent_alphabeta(
  return v                                      | return    | return best
"""

_EXPECTIMINIMAX = """
expectiminimax(s, depth):                       | begin     |
  if s is terminal: return utility(s)           | terminal  | return float(game.utility(state, player))
  if depth = 0: return evaluation(s)            | horizon   | return float(game.evaluate(state, player))
  if the dice are rolled:                       | enter chance | best = 0.0
    v ← 0                                       | enter chance | best = 0.0
    for each outcome a with probability p:      | call chance  | best += probability * expectiminimax(
      v ← v + p · expectiminimax(result(s, a), depth−1) | call chance | best += probability * expectiminimax(
  if Max moves:                                 | enter max | best = -INFINITY
    v ← −∞                                      | enter max | best = -INFINITY
    for each action a:                          | call max  | best = max(best, expectiminimax(
      v ← max(v, expectiminimax(result(s, a), depth−1)) | call max | best = max(best, expectiminimax(
  if Min moves:                                 | enter min | best = INFINITY
    v ← ∞                                       | enter min | best = INFINITY
    for each action a:                          | call min  | best = min(best, expectiminimax(
      v ← min(v, expectiminimax(result(s, a), depth−1)) | call min | best = min(best, expectiminimax(
  return v                                      | return, return chance | return best
"""

_PARANOID = """
paranoid(s, depth):                             | begin     |
  if s is terminal: return utility(s, me)       | terminal  | return float(game.utility(state, player))
  if depth = 0: return evaluation(s, me)        | horizon   | return float(game.evaluate(state, player))
  if the dice are rolled:                       | enter chance | best = 0.0
    v ← 0                                       | enter chance | best = 0.0
    for each outcome a with probability p:      | call chance  | best += probability * expectiminimax(
      v ← v + p · paranoid(result(s, a), depth−1) | call chance | best += probability * expectiminimax(
  if I move:                                    | enter max | best = -INFINITY
    v ← −∞                                      | enter max | best = -INFINITY
    for each action a:                          | call max  | best = max(best, expectiminimax(
      v ← max(v, paranoid(result(s, a), depth−1)) | call max | best = max(best, expectiminimax(
  if any other player moves:                    | enter min | best = INFINITY
    v ← ∞                                       | enter min | best = INFINITY
    for each action a:                          | call min  | best = min(best, expectiminimax(
      v ← min(v, paranoid(result(s, a), depth−1)) | call min | best = min(best, expectiminimax(
  return v                                      | return, return chance | return best
"""

_STAR1_CHANCE = """
  if the dice are rolled:                       | enter chance | total, unseen = 0.0, 1.0
    outcomes not yet seen lie in [L, U]         | enter chance | total, unseen = 0.0, 1.0
    for each outcome a with probability p:      | call chance  | value = star1(
      α′, β′ ← what this outcome must be worth for the mean to leave (α, β) | call chance | value = star1(
      v ← star1(result(s, a), depth−1, α′, β′)  | call chance  | value = star1(
      if v ≤ α′: return the most the mean can be  | cut low   | return min(alpha, total + unseen * high)
      if v ≥ β′: return the least the mean can be | cut high  | return max(beta, total + unseen * low)
    return the mean                             | return chance | return total
"""

_STAR1 = f"""
star1(s, depth, α, β):                          | begin     |
  if s is terminal: return utility(s)           | terminal  | return float(game.utility(state, player))
  if depth = 0: return evaluation(s)            | horizon   | return float(game.evaluate(state, player))
{_STAR1_CHANCE.strip(chr(10))}
  if Max moves:                                 | enter max | best = -INFINITY
    v ← −∞                                      | enter max | best = -INFINITY
    for each action a:                          | call max  | best = max(best, star1(
      v ← max(v, star1(result(s, a), depth−1, max(α, v), β)) | call max | best = max(best, star1(
      if v ≥ β: return v                        | cut max   | if best >= beta: ⏎ break
  if Min moves:                                 | enter min | best = INFINITY
    v ← ∞                                       | enter min | best = INFINITY
    for each action a:                          | call min  | best = min(best, star1(
      v ← min(v, star1(result(s, a), depth−1, α, min(β, v))) | call min | best = min(best, star1(
      if v ≤ α: return v                        | cut min   | if best <= alpha: ⏎ break
  return v                                      | return    | return best
"""

_STAR2 = """
star2(s, depth, α, β):                          | begin     |
  if s is terminal: return utility(s)           | terminal  | return float(game.utility(state, player))
  if depth = 0: return evaluation(s)            | horizon   | return float(game.evaluate(state, player))
  if the dice are rolled:                       | enter chance | least, most = low, high
    each outcome lies in [L, U], and so does the mean | enter chance | least, most = low, high
    a terminal outcome: its value is its utility | known outcome | floor = ceiling = ending(
    for each other outcome a, probe its first reply r: | probe max, probe min | reply = star2(
      Max moves there: its value is at least star2(r, depth−2, …) | probe max | floor = reply = star2(
      Min moves there: its value is at most star2(r, depth−2, …) | probe min | ceiling = reply = star2(
      if the mean is at least β: return its lower bound | probe high | return least
      if the mean is at most α: return its upper bound  | probe low  | return most
    for each outcome a:                         | call chance  | need_beta, replies[index])
      α′, β′ ← what this outcome must be worth for the mean to leave (α, β) | call chance | need_alpha = max(floor
      v ← star2(result(s, a), depth−1, α′, β′)  | call chance  | need_beta, replies[index])
      if v ≤ α′: return the most the mean can be  | cut low   | return min(alpha, total + most)
      if v ≥ β′: return the least the mean can be | cut high  | return max(beta, total + least)
    return the mean                             | return chance | return total
  v ← −∞ if Max moves, ∞ if Min moves           | enter max, enter min | best = -INFINITY if is_max else INFINITY
  for each action a; the first is known if it was probed: | call max, call min | best = max(best, value) if is_max
    if Max moves:                               | call max  | value = star2(game, child, player, depth - 1, max(alpha
      v ← max(v, star2(result(s, a), depth−1, max(α, v), β)) | call max | depth - 1, max(alpha, best), beta)
    if Min moves:                               | call min  | value = star2(game, child, player, depth - 1, alpha
      v ← min(v, star2(result(s, a), depth−1, α, min(β, v))) | call min | depth - 1, alpha, min(beta, best))
    if v ≥ β and Max moves: return v            | cut max   | if best >= beta if is_max else best <= alpha: ⏎ break
    if v ≤ α and Min moves: return v            | cut min   | if best >= beta if is_max else best <= alpha: ⏎ break
  return v                                      | return    | return best
"""

_MAXN = """
maxn(s, depth):                                 | begin     |
  if s is terminal: return utilities(s)         | terminal  | return game.utilities(state)
  if depth = 0: return evaluations(s)           | horizon   | return game.evaluations(state)
  if the dice are rolled:                       | enter chance | if mover == CHANCE: ⏎ for action, probability in
    v ← (0, …, 0)                               | enter chance | if mover == CHANCE: ⏎ for action, probability in
    for each outcome a with probability p:      | call chance  | best = replace_item(
      v ← v + p · maxn(result(s, a), depth−1)   | call chance  | best = replace_item(
  if player i moves:                            | enter max | is_first = True
    for each action a:                          | call max  | is_first = True ⏎ for action in ⏎ value = maxn(
      u ← maxn(result(s, a), depth−1)           | call max  | is_first = True ⏎ for action in ⏎ value = maxn(
      if uᵢ > vᵢ, or it is the first: v ← u     | call max  | best, is_first = value, False
  return v                                      | return, return chance | return best
"""

_SHALLOW = """
shallow(s, depth, bound):                       | begin     |
  if s is terminal: return utilities(s)         | terminal  | return game.utilities(state)
  if depth = 0: return evaluations(s)           | horizon   | return game.evaluations(state)
  if the dice are rolled:                       | enter chance | if mover == CHANCE: ⏎ for action, probability in
    for each outcome a with probability p:      | call chance  | best = replace_item(
      v ← v + p · shallow(result(s, a), depth−1, −∞) | call chance | best = replace_item(
    return v                                    | return chance | best = replace_item( ⏎ return best
  if player i moves:                            | enter max | is_first, own = True, -INFINITY
    for each action a:                          | call max  | depth - 1, mover, own)
      u ← shallow(result(s, a), depth−1, vᵢ)    | call max  | depth - 1, mover, own)
      if uᵢ > vᵢ, or it is the first: v ← u     | call max  | best, is_first, own = value, False
      if what vᵢ leaves of the total is at most the bound: return v | cut max | - reserved <= bound: ⏎ break
  return v                                      | return    | break ⏎ return best
"""

_BEST_REPLY = """
bestreply(s, depth, replied):                   | begin     |
  if s is terminal: return utility(s, me)       | terminal  | return game.utility(state, player)
  if depth = 0: return evaluation(s, me)        | horizon   | return game.evaluate(state, player)
  if the dice are rolled:                       | enter chance | total = 0.0
    for each outcome a with probability p:      | call chance  | total += probability * best_reply(
      v ← v + p · bestreply(result(s, a), depth−1, replied) | call chance | total += probability * best_reply(
    return v                                    | return chance | return total
  if I move:                                    | enter max | best = -INFINITY
    v ← −∞                                      | enter max | best = -INFINITY
    for each action a:                          | call max  | best = max(best, best_reply(
      v ← max(v, bestreply(result(s, a), depth−1, no)) | call max | best = max(best, best_reply(
  if another player moves:                      | enter min | worst = INFINITY
    v ← ∞                                       | enter min | worst = INFINITY
    for each action a; after a reply only the first one: | call min | worst = min(worst, best_reply(
      v ← min(v, bestreply(result(s, a), depth−1, yes or no)) | call min | worst = min(worst, best_reply(
  return v                                      | return    | return worst
"""

_EXPECTIMAX = """
expectimax(s, depth):                           | begin     |
  if s is terminal: return utility(s, me)       | terminal  | return game.utility(state, player)
  if depth = 0: return evaluation(s, me)        | horizon   | return game.evaluate(state, player)
  if I move:                                    | enter max | if mover == player: ⏎ return max(
    return the largest of                       | return    | if mover == player: ⏎ return max(
      expectimax(result(s, a), depth−1) over the actions a | call max | if mover == player: ⏎ return max(
  p ← the chances of the dice or of the other player's moves | enter chance | chances = game.outcomes(state)
  return the sum of                             | return chance | return sum(
    p(a) · expectimax(result(s, a), depth−1) over the moves a | call chance | return sum(
"""

_MCTS = """
mcts(s), as often as there is time:             | begin     |
  n ← root                                      | select, roll, expand, simulate, back up | way = [node]
  while n is not over and all its actions are tried: | select, roll | while not node.untried and node.children:
    if the dice are rolled: n ← an outcome at random | roll | node = rng.choices(node.children
    else: n ← the child with the largest UCB1 = U/N + C √(ln N(parent) / N) | select | node = max(node.children
  if n has an untried action: n ← a new child   | expand    | node.children.append(make_node(
  u ← the payoffs of a random game from n       | simulate  | state = game.result(state, rng.choice(
  for each node on the path: N ← N + 1, U ← U + u | back up | node.visits += 1
"""

_CFR = """
cfr(s, i, πᵢ, π₋ᵢ), for each player i in turn:  | begin     |
  if s is terminal: return utility(s, i)        | terminal  | return float(game.utility(state, player))
  if chance moves:                              | enter chance | value = 0.0
    for each outcome a with probability p:      | call chance  | value += chance * counterfactual_value(
      v ← v + p · cfr(result(s, a), i, πᵢ, p · π₋ᵢ) | call chance | value += chance * counterfactual_value(
    return v                                    | return chance | value += ⏎ return value
  h ← all that the player to move has seen and done | enter set | here = information_set(game, state, memories)
  for each action a, played with probability σ(h, a): | call own, call other | for action, share in zip(
    if i moves:                                 | call own  | player, own * share, others, after, table))
      vₐ ← cfr(result(s, a), i, σ(h, a) · πᵢ, π₋ᵢ) | call own | player, own * share, others, after, table))
    if another player moves:                    | call other | player, own, others * share, after, table))
      vₐ ← cfr(result(s, a), i, πᵢ, σ(h, a) · π₋ᵢ) | call other | player, own, others * share, after, table))
  v ← the sum of σ(h, a) · vₐ                   | mean      | value = mean(learned.strategy, values)
  if i moves:                                   | regret    | regrets = [others * (each - value)
    regret(h, a) ← regret(h, a) + π₋ᵢ · (vₐ − v) | regret   | regrets = [others * (each - value)
    total(h, a) ← total(h, a) + πᵢ · σ(h, a)    | regret    | table[here] = add_up(
  return v                                      | return    | return float(value)
then, at each h of player i:                    | match     | table[here] = next_strategy(learned, plus)
  σ(h, a) ← max(regret(h, a), 0) / their sum; all equal if that is 0 | match | table[here] = next_strategy(
"""

_REGRET_MATCHING = """
regretmatching, each round:                     | begin     |
  for each player:                              | match     | strategies = [match_regrets(own) for own in regrets]
    σ(a) ← max(regret(a), 0) / their sum; all equal if that is 0 | match | strategies = [match_regrets(own)
  for each player:                              | regret    | for player in (0, 1):
    uₐ ← what action a wins against the other's σ | regret  | values = action_values(
    u ← the sum of σ(a) · uₐ                    | mean      | value = mean(strategies[player], values)
    regret(a) ← regret(a) + uₐ − u              | regret    | regrets[player] = [regret + each - value
    total(a) ← total(a) + σ(a)                  | regret    | totals[player] = [total + share
"""

_FICTITIOUS_PLAY = """
fictitiousplay, each round:                     | begin     |
  for each player: N(a) ← N(a) + 1 for the action a that was chosen | back up | counts[player][actions[player]] += 1
  for each player: choose the best action against the other's N | answer | actions = (values[0].index(best[0])
"""

LEARNING: dict[str, Pseudocode] = {
    "cfr": _written(counterfactual_value, _CFR),
    "regret-matching": _written(regret_matching, _REGRET_MATCHING),
    "fictitious-play": _written(fictitious_play, _FICTITIOUS_PLAY),
}
"""The pseudocode of the algorithms that learn mixed strategies; their steps are those of one iteration."""

PSEUDOCODE: dict[str, Pseudocode] = {
    "minimax": _written(minimax, _MINIMAX),
    "alphabeta": _written(alphabeta, _ALPHABETA),
    "quiescence": _written(quiescent_alphabeta, _QUIESCENCE),
    "expectiminimax": _written(expectiminimax, _EXPECTIMINIMAX),
    "star1": _written(star1, _STAR1),
    "star2": _written(star2, _STAR2),
    "maxn": _written(maxn, _MAXN),
    "maxn-shallow": _written(maxn_shallow, _SHALLOW),
    "paranoid": _written(expectiminimax, _PARANOID),
    "bestreply": _written(best_reply, _BEST_REPLY),
    "expectimax": _written(expectimax, _EXPECTIMAX),
    "mcts": _written(mcts, _MCTS),
}
"""The pseudocode of every search that can be looked into."""
