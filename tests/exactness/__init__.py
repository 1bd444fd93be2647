"""Random games of every kind the contract allows, and every claim about them checked by brute force.

description   a game as plain data: what is drawn at random, shrunk and printed
graph         a description as a `Game`: its tables are flat memory, so that one compilation serves thousands
kinds         how games are drawn
brute         what a game is worth, by the referee alone
ways          every public way to get an answer
secrets       what mixed strategies are worth if something is hidden, in fractions
secret_ways   every public way to get an equilibrium
tables        equilibria of a table by the definition, and by all supports
claims        what an answer claims, and whether it is so
shrinking     the smallest game with the same contradiction
running       all of it together; `python -m exactness --help`, with `tests` on the path
mutations     old bugs put back, one by one: the harness must find them
"""
