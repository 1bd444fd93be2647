"""The Game contract, the result object, limits, errors, the referee."""
