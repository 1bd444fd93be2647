"""Games in normal form: every player chooses once, all at the same time."""

from zermelo.games.matrix.normal_form import NormalForm as NormalForm
from zermelo.games.matrix.rules import Matrix as Matrix
