"""Proofs: exact values, distances to the end, and how much work they took."""

from zermelo.solve.solver import solve

__all__ = ["solve"]
