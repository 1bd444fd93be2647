"""Several people at a game with hidden information: each view is behind a curtain that its player lifts."""

import pytest
from talking import found, quiet, talk

from zermelo.core.errors import Refused
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store

pytestmark = pytest.mark.plain

PEOPLE = [{}, {}]


@pytest.fixture
def begun(store):
    sessions = Sessions(Catalogue(), Store(store))

    def begin(game="phantom", players=PEOPLE, **wanted):
        return sessions.create(NewSession.model_validate({"game": game, "players": players, **wanted}))

    return begin


def moves_of(state):
    return [node["move"] for node in state["nodes"][1:]]


def test_nothing_is_seen_before_the_curtain_is_lifted_and_by_nobody_else(store):
    async def work(talk):
        name = talk.begin("kuhn", players=PEOPLE, moves=["K", "J"])
        tab, other = await talk.visit(name), await talk.visit(name)
        closed = tab.heard[0]["content"]["session"]
        assert (closed["curtain"], closed["position"]["moves"], moves_of(closed)) == (0, [], ["…", "…"])
        tab.order("lift", seat=0)
        lifted = (await tab.of("snapshot"))["session"]
        assert (lifted["curtain"], lifted["position"]["moves"]) == (None, ["check", "bet"])
        assert "K" in lifted["position"]["board"]["svg"]
        tab.order("play", move="bet")
        for page in (tab, other):
            state = (await page.of("snapshot"))["session"]
            assert (state["curtain"], state["position"]["moves"]) == (1, [])
            assert moves_of(state) == ["…", "…", "…"]
            assert "K" not in state["position"]["board"]["svg"]
            page.order("play", move="nonsense", id=1)
            assert "curtain" in (await page.of("refused", id=1))["error"]
        states = [news["content"]["session"] for news in other.heard if news["event"] == "snapshot"]
        assert [state["position"]["moves"] for state in states] == [[], []]

    talk(work, store)


def test_only_the_page_that_has_lifted_the_curtain_may_move(store):
    async def work(talk):
        tab = await talk.visit(talk.begin("kuhn", players=PEOPLE, moves=["K", "J"]))
        tab.order("play", move="bet", id=1)
        assert "the curtain is closed" in (await tab.of("refused", id=1))["error"]
        tab.order("lift", seat=1, id=2)
        assert "wait for their turn" in (await tab.of("refused", id=2))["error"]
        tab.order("analyse", node=2, id=3)
        assert "would reveal what is hidden" in (await tab.of("refused", id=3))["error"]
        tab.order("lift", seat=0)
        await tab.of("snapshot")
        tab.order("analyse", node=2)
        assert (await talk.solvers.job(0)).order["seat"] == 0
        tab.order("play", move="bet")
        await tab.of("snapshot")
        tab.order("play", move="call", id=4)
        assert "the curtain is closed" in (await tab.of("refused", id=4))["error"]

    talk(work, store)


def test_whoever_connects_again_finds_the_curtain_closed(store):
    async def work(talk):
        name = talk.begin("kuhn", players=PEOPLE, moves=["K", "J"])
        tab = await talk.visit(name)
        tab.order("lift", seat=0)
        assert (await tab.of("snapshot"))["session"]["curtain"] is None
        tab.leave()
        assert (await talk.visit(name)).heard[0]["content"]["session"]["curtain"] == 0

    talk(work, store)


@pytest.mark.parametrize("tries", [[], ["b2"], ["b2", "a3"]])
def test_the_tries_of_a_person_are_one_node_with_the_move_that_ends_the_turn(begun, tries):
    session = begun(moves=["b2", "a1", "a3"])
    for move in [*tries, "c1"]:
        session.play(move)
    assert [node.move for node in session.nodes[1:]] == ["b2", "a1", "a3", " ".join([*tries, "c1"])]
    assert session.moves_to(4) == ["b2", "a1", "a3", *tries, "c1"]


def test_the_others_cannot_count_the_tries_of_a_person(begun):
    sights = []
    for tries in ([], ["b2"], ["b2", "a3"]):
        session = begun(moves=["b2", "a1", "a3"])
        for move in tries:
            session.play(move)
        covered = session.state()
        session.play("c1")
        sights.append([state.model_dump(exclude={"id"}) for state in (covered, session.state(), session.state(0))])
    assert sights[0] == sights[1] == sights[2]


def test_the_person_who_tries_sees_the_stone_and_tries_again_after_an_undo(begun):
    session = begun(moves=["b2"])
    before = session.state(1).position
    session.play("b2")
    after = session.state(1).position
    assert "b2" in before.moves
    assert "b2" not in after.moves
    assert before.board.svg != after.board.svg
    session.undo()
    session.redo()
    assert session.state(1).position == before


def test_another_page_is_not_told_of_a_try(store):
    async def work(talk):
        name = talk.begin("phantom", players=PEOPLE, moves=["b2"])
        tab, other = await talk.visit(name), await talk.visit(name)
        tab.order("lift", seat=1)
        await tab.of("snapshot")
        tab.order("analyse", node=1)
        hint = await talk.solvers.job(0)
        count = len(other.heard)
        tab.order("play", move="b2")
        assert "b2" not in (await tab.of("snapshot"))["session"]["position"]["moves"]
        hint.settle({"done": found("b2")})
        await quiet()
        assert len(other.heard) == count
        assert "analysis" not in [news["event"] for news in tab.heard]

    talk(work, store)


def test_after_the_end_no_curtain_is_left_and_no_other_try_is_made(begun):
    session = begun(moves=["b2", "a1", "a3", "b1", "c1"])
    assert session.is_over
    assert session.state().curtain is None
    session.go(3)
    assert session.state().curtain is None
    assert "b1" in session.position().moves
    with pytest.raises(Refused, match="start a new game"):
        session.play("b2")


def test_one_person_against_agents_needs_no_curtain(begun):
    session = begun("kuhn", players=[{}, {"agent": "random"}], moves=["K", "J"])
    assert session.state().curtain is None
    assert session.position().moves == ["check", "bet"]
