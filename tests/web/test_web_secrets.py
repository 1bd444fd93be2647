"""No secret reaches another seat: positions that a seat cannot tell apart look the same to it, byte for byte.

For every game with hidden information, random games are grouped by what a seat has seen and done. Of each group two
different games are put before the server, and everything that it sends to the seat's page is compared.
"""

import json
import random
import re

import pytest

from zermelo.core.errors import Refused, ZermeloError
from zermelo.core.referee import Referee
from zermelo.games import find, names
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.publishing import state_json
from zermelo.web.search_orders import mixture_order
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store

pytestmark = pytest.mark.plain

HIDDEN = [name for name in names() if find(name).hidden]
FILES = ["examples/kuhn.py"]
AGENT, PERSON = {"agent": "random"}, {}
ONE_TURN = ("matrix", "blotto")
"""Games in which each player chooses once, so one group of positions looks the same."""
PAIRS = 4
"""Of positions, for each seat of each game."""
GAMES, PLIES = 120, 12


def memory_of(referee, seat):
    """What a seat has seen and done: its views and moves at its own turns, and what it sees now."""
    game = referee.game
    own = [(repr(game.view(turn.state, seat)), turn.text) for turn in referee.turns if turn.player == seat]
    return repr((own, game.view(referee.state, seat), referee.to_move == seat))


def pairs(game, seat):
    """Pairs of different lines that the seat cannot tell apart, none of them finished."""
    luck, groups = random.Random(f"{game} {seat}"), {}
    for _ in range(GAMES):
        referee = Referee(game)
        while not referee.is_over and len(referee.turns) < PLIES:
            line = tuple(turn.text for turn in referee.turns)
            groups.setdefault(memory_of(referee, seat), {}).setdefault(line, None)
            referee.play(luck.choice(referee.legal()))
    found = [luck.sample(list(lines), 2) for _, lines in sorted(groups.items()) if len(lines) > 1]
    luck.shuffle(found)
    return found[:PAIRS]


def session_of(sessions, game, seat, line, others=AGENT):
    """A game between a person at the seat and others, at the end of a line."""
    players = [{} if one == seat else others for one in range(find(game).players)]
    session = sessions.create(NewSession.model_validate({"game": game, "players": players}))
    for move in line:
        turn = session.standing().turn
        if turn is not None and turn.player is not None:
            session.answer(turn, {"best": move, "chance": None, "kind": "estimate"})
        else:
            session._play(move)
    assert tuple(session.moves_to(session.current)) == tuple(line)
    return session


def seen(session, seat=None):
    """Everything that the page of the seat can get: the state, and the answer to every question.

    With a seat, several people share the game, and the seat's player has lifted the curtain.
    """
    node = session.current
    questions = {
        "state": lambda: state_json(session),
        "lifted": lambda: session.state(seat).model_dump_json(),
        "order": lambda: json.dumps(mixture_order(session, node, 1.0, seat)),
        "analysis": lambda: session.moves_for_analysis(node),
        "preview": lambda: session.preview(node, ["x"]),
        "scoresheet": lambda: session.sheet().model_dump_json(),
        "costs": lambda: session.finished_line(node),
        "standing": lambda: session.standing(),
        "nonsense": lambda: session.play("nonsense"),
        "events": lambda: session.take_events(),
    }
    found = {}
    for name, ask in questions.items():
        try:
            found[name] = str(ask())
        except ZermeloError as error:
            found[name] = f"{type(error).__name__}: {error}"
    return {name: anonymous(text, session) for name, text in found.items()}


def anonymous(text, session):
    return re.sub(r'"id":"[\w-]+"', "", text.replace(session.id, "ID"))


@pytest.mark.parametrize("name", [*HIDDEN, *FILES])
def test_positions_that_a_seat_cannot_tell_apart_look_the_same_to_it(name, tmp_path):
    game = find(name)
    sessions = Sessions(Catalogue(FILES), Store(tmp_path / "store.sqlite"))
    compared = 0
    for seat in range(game.players):
        for one, other in pairs(game, seat):
            first, second = (session_of(sessions, name, seat, line) for line in (one, other))
            assert seen(first) == seen(second), (seat, one, other)
            compared += 1
            if first.referee.to_move == seat:
                move = first.position().moves[0]
                compared += same_after(first, second, seat, move)
    assert compared >= (1 if name in ONE_TURN else PAIRS)


@pytest.mark.parametrize("name", [*HIDDEN, *FILES])
def test_people_who_share_a_game_see_the_same_in_positions_that_they_cannot_tell_apart(name, tmp_path):
    """The curtain covers what the others see, so it does not matter whose turn it is."""
    game = find(name)
    sessions = Sessions(Catalogue(FILES), Store(tmp_path / "store.sqlite"))
    for seat in range(game.players):
        for one, other in pairs(game, seat):
            first, second = (session_of(sessions, name, seat, line, PERSON) for line in (one, other))
            if first.referee.to_move == second.referee.to_move:
                sights = [seen(session, seat) for session in (first, second)]
                for sight in sights:
                    del sight["standing"]  # the server counts the tries of people, and sends it to no page
                assert sights[0] == sights[1], (seat, one, other)


def same_after(first, second, seat, move):
    """Play a move in both; if the seat still cannot tell them apart, what is published is the same."""
    for session in (first, second):
        session.take_events()
        session.play(move)
    if first.referee.is_over or second.referee.is_over:
        return 0
    if memory_of(first.referee, seat) != memory_of(second.referee, seat):
        return 0
    events = [[(kind, event.model_dump_json()) for kind, event in session.take_events()] for session in (first, second)]
    assert events[0] == events[1]
    return 1


def told(api, seat, line):
    """What HTTP and the socket say about a game of Kuhn poker to the page of a seat; the agent does not move."""
    players = [{} if one == seat else {"agent": "random"} for one in (0, 1)]
    name = api.post("/api/sessions", json={"game": "kuhn", "players": players, "moves": list(line)}).json()["id"]
    found = [
        api.get(f"/api/sessions/{name}"),
        api.post(f"/api/sessions/{name}/moves", json={"move": "nonsense"}),
        api.post(f"/api/sessions/{name}/preview", json={"node": 2, "moves": ["bet"]}),
        api.post(f"/api/sessions/{name}/costs", json={"node": 2}),
        api.get(f"/api/sessions/{name}/scoresheet"),
        api.post("/api/inside", json={"game": "kuhn", "moves": list(line), "algorithm": "auto"}),
    ]
    texts = [f"{answer.status_code} {answer.text}" for answer in found]
    with api.websocket_connect(f"ws://localhost/api/sessions/{name}/stream") as socket:
        texts.append(socket.receive_text())
        for order in ({"do": "review"}, {"do": "analyse", "node": 0}, {"do": "sit", "players": [{}, {}]}):
            socket.send_json(order)
            while "refused" not in (text := socket.receive_text()):
                pass
            texts.append(text)
    return [text.replace(name, "ID") for text in texts]


@pytest.mark.parametrize(("seat", "deals"), [(0, ("K Q", "K J")), (1, ("J Q", "K Q"))])
def test_http_and_the_socket_say_the_same_whatever_the_other_holds(api, seat, deals):
    line = ["check"] if seat == 1 else []
    one, other = (told(api, seat, [*deal.split(), *line]) for deal in deals)
    assert one == other


def test_a_failed_try_of_an_agent_is_one_node_with_the_move_that_follows(tmp_path):
    sessions = Sessions(Catalogue(), Store(tmp_path / "store.sqlite"))
    session = session_of(sessions, "phantom", 0, ["b2", "b2"])
    assert (len(session.nodes), session.referee.to_move) == (2, 1)
    assert session.moves_to(1) == ["b2", "b2"]
    session.answer(session.standing().turn, {"best": "a1", "chance": None, "kind": "estimate"})
    assert [node.move for node in session.nodes] == ["", "b2", "b2 a1"]
    session.go(1)
    assert [turn.text for turn in session.referee.turns] == ["b2"]
    session.go(2)
    assert [turn.text for turn in session.referee.turns] == ["b2", "b2", "a1"]


@pytest.mark.parametrize("is_reopened", [False, True])
def test_after_the_end_of_a_hidden_game_no_other_moves_are_played(tmp_path, is_reopened):
    """The end has shown the cards, so whoever goes back would play on with the other's card known."""
    sessions = Sessions(Catalogue(), Store(tmp_path / "store.sqlite"))
    session = session_of(sessions, "kuhn", 0, ["Q", "J", "check", "check"])
    assert session.is_over
    session.undo()
    assert session.position().moves == ["check", "bet"]
    if is_reopened:
        session = Sessions(Catalogue(), Store(tmp_path / "store.sqlite")).get(session.id)
    with pytest.raises(Refused, match="start a new game"):
        session.play("bet")
    assert len(session.nodes) == 5
    session.play("check")
    session.redo()
    assert session.is_over


def test_before_the_end_of_a_hidden_game_a_move_may_be_taken_back(tmp_path):
    session = session_of(Sessions(Catalogue(), Store(tmp_path / "store.sqlite")), "kuhn", 0, ["Q", "J", "check", "bet"])
    session.undo()
    session.play("bet")
    assert session.moves_to(session.current) == ["Q", "J", "bet"]


def test_the_comparison_would_find_a_secret(tmp_path, monkeypatch):
    """If the page showed the position as text, or named the moves, the comparison fails."""
    sessions = Sessions(Catalogue(), Store(tmp_path / "store.sqlite"))
    one, other = next(iter(pairs(find("kuhn"), 0)))
    monkeypatch.setattr("zermelo.web.session._tree_node", lambda node, *_: node.__dict__)
    first, second = (session_of(sessions, "kuhn", 0, line) for line in (one, other))
    assert seen(first) != seen(second)
