"""`zermelo nash` prints equilibria for people and for programs."""

import pytest

pytestmark = pytest.mark.plain


def test_all_equilibria_of_chicken_are_listed_in_fractions(zermelo):
    assert zermelo("nash", "matrix:chicken").out.splitlines() == [
        "3 equilibria",
        "",
        "   Rows                  Columns               payoffs",
        "1  dare                  swerve                7, 2",
        "2  1/3 dare, 2/3 swerve  1/3 dare, 2/3 swerve  14/3, 14/3",
        "3  swerve                dare                  2, 7",
    ]


def test_a_zero_sum_game_has_a_value_and_dominated_actions_are_named(zermelo):
    assert "one equilibrium; the game is worth 0 to Rows" in zermelo("nash", "matrix").out
    out = zermelo("nash", "matrix:prisoners-dilemma").out
    assert "cooperate of Rows is dominated by defect" in out
    assert "1 x 1 actions are left" in out


def test_infinitely_many_equilibria_are_named_as_such(zermelo):
    assert "is dominated by c1" in zermelo("nash", "-1,1 -2,0").out, "a table may begin with a sign"
    out = zermelo("nash", "1,1 1,1; 0,0 1,1").out
    assert out.startswith("infinitely many equilibria: mixtures of these 3 extreme ones, in 1 component\n")


def test_other_notions_are_asked_for_by_name(zermelo):
    assert "5.25, 5.25" in zermelo("nash", "matrix:chicken", "--correlated").out
    assert "coarse correlated" in zermelo("nash", "matrix:chicken", "--coarse").out
    out = zermelo("nash", "2,1 4,0; 1,0 3,1", "--commitment").out
    assert out == "Rows commits to 0.5 r1, 0.5 r2\nColumns answers c2\n3.5, 0.5\n"
    assert "Columns: dare 0.5000" in zermelo("nash", "matrix:chicken", "--quantal", "--precision", "0").out


def test_programs_get_fractions_as_text(zermelo):
    found = zermelo("nash", "matrix:chicken", "--json").json
    assert found["equilibria"][1] == {
        "strategies": [{"dare": "1/3", "swerve": "2/3"}] * 2,
        "payoffs": ["14/3", "14/3"],
    }
    assert (found["is_finite"], found["value"], found["dominated"]) == (True, None, [])


def test_three_players_have_their_pure_equilibria(zermelo, tmp_path):
    file = tmp_path / "three.nfg"
    file.write_text('NFG 1 R "three" { "A" "B" "C" } { 2 1 1 } 1 1 1 2 2 2')
    out = zermelo("nash", str(file)).out
    assert out.splitlines() == [
        "1 equilibrium in pure actions; equilibria in mixed actions are found for two players",
        "  2, 1, 1: 2, 2, 2",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "nash needs a game in normal form: matrix:chicken, a table such as '3,3 0,5; 5,0 1,1'"),
        (("1 2; 3",), "all rows need the same number of cells, not 2, 1"),
        (("1e999999999 0",), "'1e999999999' is not a number; write 3, -0.5 or 1/3"),
        (("none.nfg",), "none.nfg cannot be read: No such file or directory"),
        (("matrix:lizard",), "'lizard' is not a number; write 3, -0.5 or 1/3"),
    ],
)
def test_what_is_not_a_table_is_refused_with_a_sentence(zermelo, arguments, sentence):
    said = zermelo("nash", *arguments)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
