"""The server under a real client: python-chess starts it, sets options, plays, analyses, ponders and stops."""

import sys

import pytest

from zermelo.arena.levels import ELOS

chess = pytest.importorskip("chess")
engine = pytest.importorskip("chess.engine")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"


@pytest.fixture(scope="module")
def server():
    """One process for all tests; getting ready for the first time may compile."""
    command = [sys.executable, "-m", "zermelo.cli", "uci", "chess"]
    with engine.SimpleEngine.popen_uci(command, timeout=300) as found:
        found.ping()
        yield found


def test_it_says_who_it_is_and_takes_its_options(server):
    assert server.id["name"] == "Zermelo"
    server.configure({"Hash": 16, "Threads": 1, "Move Overhead": 10, "Clear Hash": None})
    assert {"MultiPV", "Ponder", "UCI_AnalyseMode"} <= set(server.options)
    with pytest.raises(engine.EngineError):
        server.configure({"Hash": 0})


@pytest.mark.parametrize(
    "limit",
    [
        {"depth": 4},
        {"nodes": 5000},
        {"time": 0.1},
        {"white_clock": 5.0, "black_clock": 5.0, "white_inc": 0.1, "black_inc": 0.1, "remaining_moves": 30},
        {"mate": 1, "depth": 3},
    ],
    ids=str,
)
def test_it_plays_a_legal_move_within_every_kind_of_limit(server, limit):
    board = chess.Board(KIWIPETE)
    played = server.play(board, engine.Limit(**limit), info=engine.INFO_ALL)
    assert played.move in board.legal_moves
    assert played.info["depth"] >= 1
    assert played.info["nodes"] > 0
    assert played.info["pv"][0] == played.move


def test_threads_can_be_added_and_taken_away(server):
    for threads in (2, 1):
        server.configure({"Threads": threads})
        assert server.play(chess.Board(), engine.Limit(depth=4)).move in chess.Board().legal_moves


def test_it_mates(server):
    board = chess.Board(BACK_RANK)
    played = server.play(board, engine.Limit(depth=4), info=engine.INFO_SCORE)
    assert board.san(played.move) == "Ra8#"
    assert played.info["score"] == engine.PovScore(engine.Mate(1), chess.WHITE)


def test_the_mated_side_is_reported(server):
    """A mated king has no move, and one move earlier he sees it coming."""
    board = chess.Board("8/8/8/8/8/5K2/6Q1/7k b - - 0 1")
    assert server.play(board, engine.Limit(depth=2)).move is None
    board = chess.Board("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1")
    found = server.analyse(board, engine.Limit(depth=6))
    assert found["score"].pov(chess.BLACK) == engine.Mate(-1)


def test_it_analyses_several_lines_best_first(server):
    board = chess.Board(KIWIPETE)
    found = server.analyse(board, engine.Limit(depth=5), multipv=4)
    assert [one["multipv"] for one in found] == [1, 2, 3, 4]
    assert len({one["pv"][0] for one in found}) == 4
    scores = [one["score"].pov(chess.WHITE).score(mate_score=100_000) for one in found]
    assert scores == sorted(scores, reverse=True)
    for one in found:
        end = board.copy()
        for move in one["pv"]:
            assert move in end.legal_moves
            end.push(move)


def test_it_looks_only_at_the_moves_it_is_given(server):
    board = chess.Board()
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert server.play(board, engine.Limit(depth=3), root_moves=wanted).move in wanted


def test_endless_analysis_continues_until_it_is_stopped(server):
    board = chess.Board()
    with server.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4:
                break
        analysis.stop()
        best = analysis.wait()
    assert best.move in board.legal_moves
    assert best.ponder is not None


def test_it_ponders_on_the_move_it_expects(server):
    """python-chess starts `go ponder` after our move; the next position is a hit, then a miss."""
    board = chess.Board()
    limit = engine.Limit(white_clock=2, black_clock=2, white_inc=0, black_inc=0)
    first = server.play(board, limit, ponder=True)
    assert first.ponder is not None
    board.push(first.move)
    board.push(first.ponder)
    second = server.play(board, limit, ponder=True)
    assert second.move in board.legal_moves
    board.push(second.move)
    other = next(move for move in board.legal_moves if move != second.ponder)
    board.push(other)
    third = server.play(board, limit)
    assert third.move in board.legal_moves


def test_a_short_game_against_itself_keeps_to_the_rules(server):
    """Promotions, castling and en passant captures are written as python-chess reads them."""
    board = chess.Board("r3k2r/1P4P1/8/2pP4/8/8/1p4p1/R3K2R w KQkq c6 0 1")
    for _ in range(16):
        if board.is_game_over(claim_draw=True):
            break
        played = server.play(board, engine.Limit(nodes=1000), game="short")
        assert played.move in board.legal_moves
        board.push(played.move)


def test_positions_that_are_drawn_by_repetition_can_still_be_analysed(server):
    board = chess.Board()
    for move in 3 * ["g1f3", "g8f6", "f3g1", "f6g8"]:
        board.push_uci(move)
    assert board.can_claim_threefold_repetition()
    assert server.play(board, engine.Limit(depth=2)).move in board.legal_moves


def test_a_position_we_do_not_know_gets_no_crash(server):
    """Five kings: python-chess sends it if asked to; the server keeps its last position and stays alive."""
    board = chess.Board("kk6/8/8/8/8/8/8/KK6 w - - 0 1")
    with pytest.raises(engine.EngineError):
        server.play(board, engine.Limit(depth=1))
    server.ping()
    assert server.play(chess.Board(), engine.Limit(depth=2)).move in chess.Board().legal_moves


def test_its_strength_can_be_limited(server):
    limited = server.options["UCI_Elo"]
    assert (limited.min, limited.max) == (ELOS["chess"][0], ELOS["chess"][-1])
    server.configure({"UCI_LimitStrength": True, "UCI_Elo": limited.min})
    board = chess.Board()
    played = {server.play(board, engine.Limit(time=5)).move for _ in range(12)}
    assert played <= set(board.legal_moves)
    assert len(played) > 1, "a weak player has no favourite"
    server.configure({"UCI_LimitStrength": False})
    with pytest.raises(engine.EngineError):
        server.configure({"UCI_Elo": limited.max + 1})
