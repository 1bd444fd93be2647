"""The page: a server for games, analyses and recorded searches, and the files for the browser."""
