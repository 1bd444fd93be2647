"""Every registered game is enrolled: counts, a golden playthrough, a page, and the whole contract.

A playthrough is written anew, on purpose, with ZERMELO_UPDATE_GOLDEN=1.
"""

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from zermelo.core.game import legal_actions
from zermelo.core.referee import Referee
from zermelo.games import find, names
from zermelo.games.library.registry import BUILT_IN
from zermelo.testing import assert_conformant

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[2]
MOST_PLIES = 40
MOST_LEAVES = 6000
VARIANTS = [
    "tree:max(left:chance(1/3:<1,2> 2/3:<3,0>) A=min@<1,1>(<0,0> <2,2>))",
    "tic-tac-toe:m=4",
    "hexapawn:rows=4,cols=4",
    "connect-four:cols=5,rows=4",
    "nim:heaps=1-2-3,misere=true",
    "pig:target=20",
    "trio:cols=5,rows=3",
    "chess:evaluation=material",
    "othello:size=6",
    "breakthrough:rows=6,cols=4",
    "checkers:evaluation=material",
    "kalah:holes=4,seeds=3,empty_capture=true",
    "oware:houses=4,seeds=3",
    "go:size=5,komi=0.5,ko=simple",
    "2048:rows=3,cols=2,target=32",
    "pacman:layout=tiny,random=true",
    "backgammon:cube=true,match=3",
    "chinese-checkers:players=3,size=2,trespass=false",
    "kuhn:players=3",
    "leduc:ranks=4,players=3",
    "liars-dice:dice=2-1,faces=3,wild=ones",
    "matrix:prisoners-dilemma",
    "goofspiel:cards=5,prizes=descending,hidden_bids=true,returns=difference",
    "oshi-zumo:coins=5,size=2,min_bid=0,horizon=6,alesia=true",
    "blotto:coins=4,fields=2,players=3",
    "hex:rows=4,cols=4,swap=true",
    "phantom:abrupt=true,game=hex:rows=2,cols=3",
]
GAMES = 2
SECONDS = 3
PLAN = ["## Rules", "## Options", "## Notation", "## What is known", "## Representation", "## Example"]

every_game = pytest.mark.parametrize("name", list(BUILT_IN))
every_variant = pytest.mark.parametrize("spec", [*BUILT_IN, *VARIANTS])


def random_play(game, seed, plies=MOST_PLIES):
    """The referee before each move of one random game, and at its end."""
    referee, rng = Referee(game), random.Random(seed)
    yield referee
    while not referee.is_over and len(referee.turns) < plies:
        moves = referee.legal()
        referee.play(moves[rng.randrange(len(moves))])
        yield referee


def test_the_list_of_variants_has_every_game():
    assert [spec.partition(":")[0] for spec in VARIANTS] == list(BUILT_IN)
    assert set(BUILT_IN) <= set(names())


# -- enrolment ----------------------------------------------------------------------------------------------


@every_game
def test_it_has_a_perft_table_and_the_rules_count_the_same(name):
    game = find(name)
    table = game.perft_table[""]
    layer = Counter([game.initial()])
    assert len(table) >= 3
    for leaves in table:
        if leaves > MOST_LEAVES:
            break
        after = Counter()
        for state, ways in layer.items():
            for action in legal_actions(game, state):
                after[game.result(state, action)] += ways
        layer = after
        assert sum(layer.values()) == leaves


@every_game
def test_it_plays_as_in_its_golden_playthrough(name):
    file = ROOT / "tests" / "golden" / f"{name}.txt"
    found = "\n\n".join("\n".join(told(referee)) for referee in random_play(find(name), seed=0)) + "\n"
    if os.environ.get("ZERMELO_UPDATE_GOLDEN") == "1":
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


def told(referee):
    game, state = referee.game, referee.state
    if referee.turns:
        yield f"{game.seat(referee.turns[-1].player)}: {referee.turns[-1].text}"
    yield f"position: {game.format_state(state)}"
    yield f"canonical: {game.format_state(game.canonical(state))}"
    players = range(game.players)
    if referee.is_over:
        yield f"utilities: {' '.join(f'{value:g}' for value in referee.utilities())}"
    else:
        moves = referee.legal()
        yield f"estimates: {' '.join(f'{game.evaluate(state, player) + 0:.4g}' for player in players)}"
        yield f"moves: {' '.join(game.format_action(state, action) for action in moves)}"
        yield f"order: {' '.join(f'{game.order(state, action) + 0:g}' for action in moves)}"


@every_game
def test_it_has_a_page_on_the_fixed_plan(name):
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("## ")] == PLAN
    assert ">>>" in page.partition("## Example")[2]
    assert f"({name}.md)" in (ROOT / "docs" / "games" / "README.md").read_text(encoding="utf-8")


# -- contract -----------------------------------------------------------------------------------------------


@every_variant
def test_it_keeps_the_contract(spec):
    """The conformance kit, interpreted; variants and games whose rules are slow are checked in fewer positions."""
    assert_conformant(find(spec), games=1 if spec in VARIANTS else GAMES, seconds=SECONDS)


@every_variant
def test_its_moves_keep_more_than_the_kit_asks(spec):
    """No colon, so that a move is never taken for an option; and outcomes of chance are in the picture, too."""
    game = find(spec)
    for referee in random_play(game, seed=0, plies=25):
        texts = {game.format_action(referee.state, action) for action in referee.legal()}
        assert not any(":" in text for text in texts)
        assert set(game.picture(referee.state).touches) == texts


@every_variant
def test_its_repr_and_its_spec_rebuild_it(spec):
    game = find(spec)
    assert game.spec() == spec
    assert find(game.spec()).options() == game.options()
    rebuilt = eval(repr(game), {type(game).__name__: type(game)})
    assert (type(rebuilt), rebuilt.options()) == (type(game), game.options())
