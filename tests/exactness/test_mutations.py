"""Every old bug that is put back is found; and so is one that is as old as game search."""

import shutil

import pytest

from exactness.mutations import MUTATIONS, SOURCE, Mutation, NotApplicable, apply, hunt

pytestmark = pytest.mark.plain

CARELESS = Mutation(
    "alpha-beta that cuts off too soon",
    "textbook/alphabeta.py",
    "if best >= beta:",
    "if best >= beta - 0.75:",
    kinds=("trees", "transpositions"),
    ways=("the-textbook",),
)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.name for mutation in MUTATIONS])
def test_an_old_bug_is_found_again(mutation):
    outcome = hunt(mutation)
    assert outcome.is_found, outcome.text


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.name for mutation in MUTATIONS])
def test_an_old_bug_can_be_put_back(mutation, tmp_path):
    """Seen here, because the hunts take minutes: a line that has changed mutates nothing."""
    for file, _, _ in mutation.replacements():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SOURCE / file, tmp_path / file)
    apply(mutation, tmp_path)


def test_a_planted_bug_is_found():
    outcome = hunt(CARELESS, seconds=120)
    assert outcome.is_found, outcome.text


def test_a_mutation_must_fit(tmp_path):
    """A text that is not there any more would mutate nothing."""
    path = tmp_path / "textbook" / "alphabeta.py"
    path.parent.mkdir()
    path.write_text("nothing of the kind", encoding="utf-8")
    with pytest.raises(NotApplicable, match="occurs 0 times"):
        apply(CARELESS, tmp_path)
