"""One module a game, and the registry that finds them."""
