"""Who plays, and how matches between players are run, rated and recorded."""
