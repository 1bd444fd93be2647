"""Zermelo: write the rules of a game once; play it, solve it, explain it, draw it."""
