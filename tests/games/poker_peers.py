"""Random games of OpenSpiel played along here: moves, payoffs, and who knows what."""

import random

import pyspiel
import pytest

from zermelo.core.game import CHANCE, legal_actions


class Partition:
    """Pairs of our views and their information states; each may have one partner."""

    def __init__(self):
        self.theirs, self.ours = {}, {}

    def must_match(self, player, view, text):
        assert self.theirs.setdefault((player, view), text) == text
        assert self.ours.setdefault((player, text), view) == view


def play_along(game, spec, games, their_move=lambda state, action: action, *, their_view=None):
    """Play random games on both sides, and compare the chains of views and moves with the information states.

    `their_move` translates one of our moves; `their_view` is what OpenSpiel's state shows a player, by default its
    information state string, which remembers all.
    """
    rng, partition, there = random.Random(0), Partition(), pyspiel.load_game(spec)
    for _ in range(games):
        here, other = game.initial(), there.new_initial_state()
        ours, theirs = [()] * game.players, [()] * game.players
        while not game.is_terminal(here):
            assert not other.is_terminal()
            moves = list(legal_actions(game, here))
            assert sorted(their_move(here, move) for move in moves) == other.legal_actions()
            mover = game.to_move(here)
            if mover == CHANCE:
                assert other.is_chance_node()
                chances = {their_move(here, move): chance for move, chance in game.outcomes(here)}
                assert chances == dict(other.chance_outcomes())
            else:
                assert mover == other.current_player()
                ours[mover] += (game.view(here, mover),)
                if their_view is None:
                    theirs[mover] = other.information_state_string(mover)
                else:
                    theirs[mover] += (their_view(other, mover),)
                partition.must_match(mover, ours[mover], theirs[mover])
            move = rng.choice(moves)
            if mover != CHANCE:
                ours[mover] += (move,)
                if their_view is not None:
                    theirs[mover] += (move,)
            other.apply_action(their_move(here, move))
            here = game.result(here, move)
        assert other.is_terminal()
        assert [game.utility(here, player) for player in range(game.players)] == pytest.approx(other.returns())
    return partition
