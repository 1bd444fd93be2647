"""UCI and GTP: our engine for other programs, and other engines as our opponents."""
