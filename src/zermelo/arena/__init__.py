"""Agents, and matches between them: played, rated and recorded."""
