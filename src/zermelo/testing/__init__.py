"""The conformance kit: checks that a game fulfils its contract, and shows where it does not.

from zermelo.testing import assert_conformant

def test_my_game_keeps_the_contract():
    assert_conformant(MyGame())
"""

from zermelo.testing.kit import assert_conformant, check
from zermelo.testing.report import Check, Report

__all__ = ["Check", "Report", "assert_conformant", "check"]
