"""The workspace of expectiminimax: that of alpha-beta, then the team that is searched for and every player's behaviour.

TEAM ...            the seats that the search is for; the value is the sum of their payoffs
ROLES ...           the role of each seat
DEPTHS ...          for a skilled seat, how deep it searches
RELIABILITIES ...   for a skilled seat, how often it plays what it finds
PAYOFF_WEIGHTS ...  for each seat, what a point of each player is worth to it
"""

from __future__ import annotations

from zermelo.search.legacy_workspace import CELLS

(
    MAX,  # maximises the team's payoff
    MIN,  # minimises the team's payoff
    RANDOM,  # moves at random
    SKILLED,  # plays what its own shallow search finds, with some reliability
    HABITUAL,  # moves as often as it did in saved games
    DICE,  # chance itself
    OWN,  # maximises its own payoff
    AGAINST,  # minimises another player's payoff
) = range(8)
NO_PLAYER = -1
"""Stands for a player or a role if there is none."""
MOST_SEATS = 64
(
    LOWEST,  # the least that the team can get
    HIGHEST,  # the most that the team can get
    WIDTH,  # moves considered in each position
    IMPROBABLE,  # outcomes with a smaller probability are left out
    HABITS,  # the address of the table of habits
    HABIT_MASK,  # its size minus 1
    TEAM_SIZE,
    HAS_REPLIED,  # best-reply search: one opponent has replied to the team's last move
    MAX_PAYOFF_SUM,  # the most that all payoffs sum to
    MIN_REST_SUM,  # the least that the payoffs of all but two players sum to
    ROUNDED,  # how far sums of payoffs may be rounded
    IS_CUT,  # the last call of the max^n kernel was cut off; its payoffs are not exact
) = range(CELLS, CELLS + 12)
TEAM = CELLS + 12
ROLES = TEAM + MOST_SEATS
DEPTHS = ROLES + MOST_SEATS
RELIABILITIES = DEPTHS + MOST_SEATS
PAYOFF_WEIGHTS = RELIABILITIES + MOST_SEATS
EXPECTIMINIMAX_CELLS = PAYOFF_WEIGHTS + MOST_SEATS * MOST_SEATS
