"""The API: games, sessions with branches, agents that answer, refusals in one sentence."""

import posixpath
import re

import pytest
from fastapi.testclient import TestClient

from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.store import NotSaved, Store

pytestmark = pytest.mark.plain


def play(api, session, move, node=None):
    answer = api.post(f"/api/sessions/{session['id']}/moves", json={"move": move, "node": node})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_registered_game_is_on_offer_with_its_options_and_agents(api):
    from zermelo.games import names

    games = {game["key"]: game for game in api.get("/api/games").json()}
    assert list(games) == names()
    hexapawn = games["hexapawn"]
    assert [(one["name"], one["kind"], one["value"]) for one in hexapawn["parameters"]] == [
        ("rows", "whole", "3"),
        ("cols", "whole", "3"),
    ]
    assert hexapawn["seats"] == ["White", "Black"]
    assert {"auto", "alphabeta", "mcts", "random"} <= set(hexapawn["agents"])


@pytest.mark.parametrize("game", ["tic-tac-toe", "pig", "trio", "nim", "kalah", "backgammon", "2048", "pacman", "tree"])
def test_every_kind_of_game_can_be_begun_and_shown(begun, game):
    session = begun(game, players=[])
    position = session["position"]
    assert position["board"]["svg"].startswith("<svg")
    assert "<style" not in position["board"]["svg"]
    assert position["moves"]
    assert set(position["board"]["touches"]) == set(position["moves"])


def test_every_switch_and_every_size_of_every_game_gives_a_game_or_a_sentence(api, begun):
    """An exception would be raised here, where the server answers with 500."""
    for game in api.get("/api/games").json():
        for parameter in game["parameters"]:
            values = ("true", "false") if parameter["kind"] == "switch" else ("2", "x")
            for value in values:
                wanted = {"game": game["key"], "options": {parameter["name"]: value}}
                answer = api.post("/api/sessions", json=wanted)
                assert answer.status_code in (201, 400, 422), (wanted, answer.text)
                if answer.status_code == 201 and answer.json()["position"]["moves"]:
                    play(api, answer.json(), answer.json()["position"]["moves"][0])


def test_cells_are_called_by_their_names_and_by_what_stands_there(begun):
    cells = begun("hexapawn")["position"]["board"]["cells"]
    assert cells[0] == "a3, Black pawn p"
    assert cells[4] == "b2, empty"


def test_a_move_is_played_and_another_one_at_the_same_place_begins_a_branch(api, begun):
    session = begun()
    session = play(api, session, "b1b2")
    session = play(api, session, "a1a2", node=0)
    assert session["current"] == 2
    assert [(node["parent"], node["move"]) for node in session["nodes"]] == [(None, ""), (0, "b1b2"), (0, "a1a2")]
    session = play(api, session, "b1b2", node=0)
    assert session["current"] == 1
    assert len(session["nodes"]) == 3


def test_a_move_may_be_typed_as_people_type(api, begun):
    session = play(api, begun("chess"), "E4")
    assert session["nodes"][1]["move"] == "e4"


def test_an_illegal_move_is_refused_and_nothing_changes(api, begun):
    session = begun()
    answer = api.post(f"/api/sessions/{session['id']}/moves", json={"move": "b1b3"})
    assert answer.status_code == 400
    assert "not a move here" in answer.json()["error"]
    assert api.get(f"/api/sessions/{session['id']}").json() == session


def test_a_game_can_begin_with_options_a_position_and_moves(begun):
    session = begun("hexapawn", options={"cols": "4"}, moves=["b1b2", "a3b2"])
    assert session["title"] == "Hexapawn (columns 4)"
    assert session["current"] == 2
    assert begun("hexapawn", position=session["position"]["text"], options={"cols": "4"})["position"]["moves"]


def test_a_game_begins_at_the_requested_level(begun):
    assert [player["level"] for player in begun("hexapawn", players=[], level=2)["players"]][1] == 2


def test_the_disk_is_full_and_the_page_hears_so(api, begun, monkeypatch):
    session = begun()

    def refuse(*_values):
        raise NotSaved("the games cannot be read or saved now: disk is full; nothing was changed")

    with monkeypatch.context() as full:
        full.setattr(Store, "add", refuse)
        answer = api.post(f"/api/sessions/{session['id']}/moves", json={"move": "b1b2"})
    assert (answer.status_code, answer.json()["error"].count("disk is full")) == (503, 1)
    assert play(api, session, "b1b2")["current"] == 1


def test_the_result_is_reported_in_words_and_judged(api, begun):
    session = begun("nim", options={"heaps": "1"})
    session = play(api, session, session["position"]["moves"][0])
    assert session["position"]["is_over"]
    assert session["position"]["outcome"] == "Player 1 wins"
    assert session["nodes"][1]["judgement"]["chance"] == 1
    assert session["nodes"][1]["judgement"]["short"] == "win"


def test_an_agent_answers_when_it_is_its_turn_and_only_then(api, begun):
    session = begun(players=[{}, {"agent": "alphabeta", "level": 4}])
    name = session["id"]
    assert api.post(f"/api/sessions/{name}/answer", json={"node": 0}).json()["current"] == 0
    play(api, session, "b1b2")
    session = api.post(f"/api/sessions/{name}/answer", json={"node": 1}).json()
    assert session["current"] == 2
    assert session["nodes"][2]["player"] == 1
    assert session["nodes"][1]["judgement"] is None, "an agent's answer at a level is not a judgement"


def test_dice_roll_by_themselves_and_the_same_way_again(api, begun):
    session = begun("pig")
    name = session["id"]
    play(api, session, "roll")
    first = api.post(f"/api/sessions/{name}/answer", json={"node": 1}).json()
    assert first["nodes"][2]["player"] == -1
    api.put(f"/api/sessions/{name}/current", json={"node": 1})
    again = api.post(f"/api/sessions/{name}/answer", json={"node": 1}).json()
    assert again["current"] == 2
    assert len(again["nodes"]) == 3


def test_dice_can_be_chosen_by_hand(api, begun):
    session = play(api, begun("pig", dice="chosen"), "roll")
    assert session["position"]["odds"] == pytest.approx({str(face): 1 / 6 for face in range(1, 7)})
    assert play(api, session, "5")["position"]["mover"] == "player 1"


def test_a_line_is_shown_ahead_without_being_played(api, begun):
    session = begun()
    answer = api.post(f"/api/sessions/{session['id']}/preview", json={"node": 0, "moves": ["b1b2", "a3b2"]}).json()
    assert answer["text"] == ".pp/.p./P.P w"
    assert api.get(f"/api/sessions/{session['id']}").json()["current"] == 0


def test_a_game_is_written_as_its_players_do_and_taken_over_again(api, begun):
    session = begun("chess", moves=["f3", "e5", "g4", "Qh4"])
    sheet = api.get(f"/api/sessions/{session['id']}/scoresheet").json()
    assert sheet["name"] == session["game"]["scoresheet"] == "PGN"
    assert "1. f3 e5 2. g4 Qh4# 0-1" in sheet["text"]
    again = begun("chess", scoresheet=sheet["text"])
    assert again["position"] == {**session["position"], "node": 4}
    assert [node["player"] for node in again["nodes"]] == [-1, 0, 1, 0, 1]


PGN = """[Event "Casual game"]
[White "Adolf Anderssen"]
[Black "Jean Dufresne"]
[Result "1-0"]
[ECO "C52"]

1. e4 {best by test} e5 2. Nf3 1-0

[White "Somebody else"]

1. d4 *
"""


def test_an_imported_game_keeps_its_headers_and_its_result(api, begun):
    session = begun("chess", scoresheet=PGN)
    assert session["note"] == "Imported text: only the first of 2 games is read; comments and marks are left out."
    address = f"/api/sessions/{session['id']}"

    def sheet():
        return api.get(f"{address}/scoresheet").json()["text"]

    for header in ('[White "Adolf Anderssen"]', '[Black "Jean Dufresne"]', '[ECO "C52"]', '[Result "1-0"]'):
        assert header in sheet()
    api.post(f"{address}/moves", json={"move": "Nc6"})
    assert '[White "Adolf Anderssen"]' in sheet()
    assert '[Result "*"]' in sheet()  # it was not resigned in this line
    assert begun("chess")["note"] == ""


def test_variations_are_branches_in_and_out(api, begun):
    session = begun("chess", scoresheet="1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... Nf6 2. -- g6) 2. Nf3 *")
    moves = [(node["parent"], node["move"]) for node in session["nodes"][1:]]
    assert moves[:3] == [(0, "e4"), (1, "e5"), (2, "Nf3")]
    assert moves[3:] == [(1, "c5"), (4, "Nf3"), (4, "c3"), (6, "d5"), (5, "d6"), (1, "Nf6")]
    assert session["current"] == 3
    assert session["note"] == ""
    text = api.get(f"/api/sessions/{session['id']}/scoresheet").json()["text"]
    assert text.endswith("\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... Nf6) 2. Nf3 *\n")


def test_a_scoresheet_brings_its_options_and_its_start(begun):
    session = begun("go", scoresheet="(;GM[1]SZ[5]KM[0.5]AB[cc]PL[W];W[bb])")
    assert session["title"] == "Go (board size 5, komi 0.5)"
    assert session["start"]
    assert len(session["nodes"]) == 2


def test_a_game_without_a_notation_has_an_empty_scoresheet(api, begun):
    assert api.get(f"/api/sessions/{begun('nim')['id']}/scoresheet").json() == {"name": "", "text": ""}


def test_every_game_with_a_board_has_a_picture_for_the_shelf(api):
    pictures = api.get("/api/pictures").json()
    assert {"chess", "pacman", "backgammon", "nim"} <= set(pictures)
    assert all(one["svg"].startswith("<svg") and "<style" not in one["svg"] for one in pictures.values())
    assert "owner-0" in pictures["connect-four"]["svg"]  # an empty board would tell nothing
    assert pictures["connect-four"]["colours"][:2] == ["red", "gold"]


@pytest.mark.parametrize(
    ("wanted", "agents"),
    [
        ({}, [None, "auto", "auto"]),
        ({"people": [1], "agent": "maxn", "level": 3}, ["maxn", None, "maxn"]),
        ({"people": "all"}, [None, None, None]),
        ({"people": []}, ["auto", "auto", "auto"]),
        ({"people": [5]}, [None, "auto", "auto"]),
    ],
)
def test_people_sit_where_they_want_and_the_computer_elsewhere(api, wanted, agents):
    players = api.post("/api/sessions", json={"game": "trio", **wanted}).json()["players"]
    assert [player["agent"] for player in players] == agents
    assert all(player["level"] == wanted.get("level", player["level"]) for player in players if player["agent"])


def test_the_page_hears_who_begins(api):
    begins = {game["key"]: game["begins"] for game in api.get("/api/games").json()}
    assert (begins["chess"], begins["backgammon"]) == (0, None)


def test_a_session_survives_the_server(api, begun, store):
    session = play(api, begun(), "b1b2")
    with TestClient(application(Catalogue(), Store(store), Pool(1))) as later:
        found = later.get(f"/api/sessions/{session['id']}").json()
    assert found == session


@pytest.mark.parametrize(
    ("wanted", "status", "sentence"),
    [
        ({"game": "chequers"}, 422, "there is no game 'chequers' here"),
        ({"game": "hexapawn", "options": {"rows": "many"}}, 422, "rows=many is not understood"),
        ({"game": "hexapawn", "options": {"size": "4"}}, 422, "has no option 'size'"),
        ({"game": "hexapawn", "position": "xyz"}, 400, "xyz"),
        ({"game": "hexapawn", "moves": ["b1b2", "b1b2"]}, 400, "move 2"),
        ({"game": "hexapawn", "players": [{}]}, 422, "hexapawn needs 2 players, not 1"),
        ({"game": "hexapawn", "players": [{}, {"agent": "uci:sh"}]}, 422, "uci:sh cannot play hexapawn"),
        ({"game": "hexapawn", "players": [{}, {"agent": "auto", "level": 99}]}, 422, "less than or equal to 10"),
        ({"game": "hexapawn", "colour": "blue"}, 422, "colour"),
        ({"game": "nim", "scoresheet": "1. a1"}, 422, "nim has no notation for whole games"),
        ({"game": "chess", "scoresheet": "1. e4 Ke4"}, 400, "line 1, move 1...: Ke4 is not legal"),
        ({"game": "chess", "scoresheet": "1. e4", "moves": ["e4"]}, 422, "leave out the others"),
        ({"game": "/etc/passwd.py"}, 422, "there is no game"),
        ({"game": "tests/kernel/little_rules.py"}, 422, "there is no game"),
        ({"game": "pacman", "options": {"layout": "/etc/passwd"}}, 422, "could be a file"),
        ({"game": "pacman", "options": {"layout": "README.md"}}, 422, "could be a file"),
        ({"game": "pacman", "options": {"layout": "~/Downloads/notes (1).txt"}}, 422, "could be a file"),
        ({"game": "pacman", "options": {"layout": "notes(1)"}}, 422, "could be a file"),
        ({"game": "tree", "options": {"text": "~/secret.tree"}}, 422, "could be a file"),
        ({"game": "tree", "options": {"text": "~/secret(1).tree"}}, 422, "could be a file"),
        ({"game": "tree", "options": {"text": "/tmp/secret(1).tree"}}, 422, "could be a file"),
        ({"game": "phantom", "options": {"game": "mygame.py:MyGame"}}, 422, "could be a file"),
        ({"game": "phantom", "options": {"game": "mygame.py:MyGame(1)"}}, 422, "could be a file"),
        ({"game": "othello", "scoresheet": "(;GM[Othello]TY[8]BO[]B[d3];)"}, 400, "BO[] is not a board"),
    ],
)
def test_bad_requests_are_refused_with_one_sentence(api, wanted, status, sentence):
    answer = api.post("/api/sessions", json=wanted)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_an_option_may_be_a_registered_game_with_its_options(api):
    answer = api.post("/api/sessions", json={"game": "phantom", "options": {"game": "hex:rows=2,cols=3"}})
    assert answer.status_code < 300, answer.json()


def test_a_file_that_the_command_line_named_can_be_played(interpreted, tmp_path):
    file = tmp_path / "last_one.py"
    file.write_text(
        "from zermelo import Game\n"
        "class LastOne(Game):\n"
        "    'Take one or two; who takes the last one wins.'\n"
        "    def initial(self): return (5, 0)\n"
        "    def to_move(self, state): return state[1]\n"
        "    def actions(self, state): return [n for n in (1, 2) if n <= state[0]]\n"
        "    def result(self, state, action): return (state[0] - action, 1 - state[1])\n"
        "    def utility(self, state, player): return 1 if player != state[1] else -1\n"
    )
    key = f"{file}:LastOne"
    catalogue = Catalogue([key])
    with TestClient(application(catalogue, Store(":memory:"), Pool(1, [key]))) as api:
        assert api.get("/api/games").json()[0]["key"] == key
        session = api.post("/api/sessions", json={"game": key}).json()
        play(api, session, "1")
        answered = api.post(f"/api/sessions/{session['id']}/answer", json={"node": 1}).json()
        assert answered["current"] == 2


@pytest.mark.parametrize(("page", "start"), [("/", "main.js"), ("/inside", "inside-page.js")])
def test_a_page_preloads_every_module_that_it_needs(api, page, start):
    """Otherwise it would learn of them one after the other, from each other."""
    asked = set(re.findall(r'(?:modulepreload" href|module" src)="/static/([^"]+)"', api.get(page).text))
    needed, waiting = set(), [start]
    while waiting:
        module = waiting.pop()
        needed.add(module)
        code = re.sub(
            r"/\*.*?\*/", "", api.get(f"/static/{module}").text, flags=re.DOTALL
        )  # types are named in comments
        names = re.findall(r'from ?"(\.[^"]+)"', code)
        named = [posixpath.normpath(posixpath.join(posixpath.dirname(module), name)) for name in names]
        waiting += [name for name in named if name not in needed]
    assert asked == needed


def test_a_file_that_has_not_changed_is_not_sent_again(api):
    first = api.get("/static/main.js")
    assert first.headers["cache-control"] == "no-cache"
    again = api.get("/static/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_api_describes_itself_and_fetches_nothing_from_outside(api):
    schema = api.get("/api/openapi.json").json()
    assert "/api/sessions/{name}/moves" in schema["paths"]
    assert api.get("/docs").status_code == 404
