"""Recordings of searches to step through, compiled if they are large; trees for exercises.

`textbook.trace` records a tree of objects; `search_log` and `mcts_tree` are compiled twins of the textbook's searches
that record up to a million nodes in flat memory. `recordings` and `mcts_recording` serve both to the page.
"""
