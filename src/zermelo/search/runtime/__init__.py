"""What all searches share: workspaces, the transposition table, the stack of moves, the path, the watch, the root."""
