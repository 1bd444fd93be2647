"""The desk of a search in layers: the engine's desk, and behind it who is searched for and how everybody behaves.

HEROES ...   how many seats the search is for, and which; what they get together is the value
ROLES ...    what each seat does: one of the roles
SKILLS ...   for a seat with skill, how deep it looks and how reliably it plays what it finds
HABITS       where the table of habits is, and how large
"""

from __future__ import annotations

from zermelo.search.engine.desk import CELLS

MAX, MIN, RANDOM, SKILLED, HABITUAL, DICE = range(6)
"""Roles: to look for what is best for the heroes, or worst; to move at random, mostly as a search of one's own says, or
by habit; and chance itself."""
MOST_SEATS = 64
LOWEST, HIGHEST, WIDTH, IMPROBABLE, HABITS, HABIT_MASK, HEROES = range(CELLS, CELLS + 7)
"""The least and the most that the heroes can get; how many moves are looked at, and which outcomes are not."""
HERO = CELLS + 7
ROLES = HERO + MOST_SEATS
DEPTHS = ROLES + MOST_SEATS
RELIABILITIES = DEPTHS + MOST_SEATS
LAYER_CELLS = RELIABILITIES + MOST_SEATS
