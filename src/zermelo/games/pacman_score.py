"""What everything is worth in Pac-Man, as in the courses."""

STEP, FOOD, GHOST, WON, CAUGHT = -1, 10, 200, 500, -500
FRIGHT = 40
"""Rounds for which a capsule scares the ghosts."""
