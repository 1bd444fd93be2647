"""The page: a server for games, analyses and the inside of searches, and the files a browser shows."""
