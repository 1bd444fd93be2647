"""The desk of a search in layers: the engine's desk, and behind it who is searched for and how everybody behaves.

HEROES ...   how many seats the search is for, and which; what they get together is the value
ROLES ...    what each seat does: one of the roles
SKILLS ...   for a seat with skill, how deep it looks and how reliably it plays what it finds
WISHES ...   for each seat what a point of each player is worth to it
HABITS       where the table of habits is, and how large
"""

from __future__ import annotations

from zermelo.search.engine.desk import CELLS

MAX, MIN, RANDOM, SKILLED, HABITUAL, DICE, OWN, AGAINST = range(8)
"""Roles: to look for what is best for the heroes, or worst; to move at random, mostly as a search of one's own says, or
by habit; chance itself; to look for what is best for oneself, or worst for somebody."""
NOBODY = -1
"""Stands where a player or a role would, if there is none."""
MOST_SEATS = 64
LOWEST, HIGHEST, WIDTH, IMPROBABLE, HABITS, HABIT_MASK, HEROES, HAS_REPLIED, TOGETHER, SPARED, ROUNDED, IS_CUT = range(
    CELLS, CELLS + 12
)
"""The least and the most that the heroes can get; how many moves are looked at, and which outcomes are not; whether one
of the opponents has replied to the heroes' last move; the most that all can get together, and the least that all but
two must get, and how far sums of payoffs may be rounded; whether the last position was left because it will not be
chosen."""
HERO = CELLS + 12
ROLES = HERO + MOST_SEATS
DEPTHS = ROLES + MOST_SEATS
RELIABILITIES = DEPTHS + MOST_SEATS
WISHES = RELIABILITIES + MOST_SEATS
LAYER_CELLS = WISHES + MOST_SEATS * MOST_SEATS
