"""What `zermelo serve` prints: the addresses that people can open, and a QR code in a terminal."""

import io
import os
import re
import socket

import pytest

from zermelo.cli import qr, serve
from zermelo.web import addresses
from zermelo.web.addresses import Addresses, addresses_of, network_addresses

pytestmark = pytest.mark.plain

LAN = "http://192.168.178.40:8913/?token=7km2-x4pw-9rtf"


# -- addresses -------------------------------------------------------------------------------------


@pytest.fixture
def listening():
    """A socket at a free port of a host."""
    opened = []

    def listen(host, v6only=0):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        opened.append(socket.socket(family, socket.SOCK_STREAM))
        if family == socket.AF_INET6:
            opened[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, v6only)
        opened[-1].bind((host, 0))
        return opened[-1], opened[-1].getsockname()[1]

    yield listen
    for one in opened:
        one.close()


@pytest.fixture
def networks(monkeypatch):
    """This machine is in two networks with IPv4 and in one with IPv6."""
    found = {socket.AF_INET: ["192.168.178.40", "10.0.0.2"], socket.AF_INET6: ["2001:db8::7"]}
    monkeypatch.setattr(addresses, "network_addresses", found.get)


def test_a_server_on_loopback_has_no_address_for_others(listening):
    bound, port = listening("127.0.0.1")
    assert addresses_of("127.0.0.1", bound, "") == Addresses(f"http://127.0.0.1:{port}/")
    assert addresses_of("localhost", bound, "x").own == f"http://localhost:{port}/?token=x"


def test_a_wildcard_is_replaced_by_all_addresses_in_networks(listening, networks):
    bound, port = listening("0.0.0.0")
    shared = (f"http://192.168.178.40:{port}/?token=x", f"http://10.0.0.2:{port}/?token=x")
    assert addresses_of("0.0.0.0", bound, "x") == Addresses(f"http://127.0.0.1:{port}/?token=x", shared)


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_a_wildcard_of_ipv6_has_addresses_of_ipv4_if_the_socket_accepts_them(listening, networks):
    bound, port = listening("::")
    shared = [one.split("/?")[0] for one in addresses_of("::", bound, "x").shared]
    assert shared == [f"http://192.168.178.40:{port}", f"http://10.0.0.2:{port}", f"http://[2001:db8::7]:{port}"]
    bound, port = listening("::", v6only=1)
    only = addresses_of("::", bound, "x")
    assert only == Addresses(f"http://[::1]:{port}/?token=x", (f"http://[2001:db8::7]:{port}/?token=x",))


def test_an_address_or_a_name_that_was_given_is_the_address(listening):
    bound, port = listening("127.0.0.1")
    for host, shown in {"192.168.1.2": "192.168.1.2", "2001:db8::7": "[2001:db8::7]", "games.example": None}.items():
        address = f"http://{shown or host}:{port}/?token=x"
        assert addresses_of(host, bound, "x") == Addresses(address, (address,))


def test_without_a_network_the_address_has_the_machine_s_name(listening, monkeypatch):
    monkeypatch.setattr(addresses, "network_addresses", lambda family: [])
    bound, port = listening("0.0.0.0")
    assert addresses_of("0.0.0.0", bound, "x").shared == (f"http://{socket.gethostname()}:{port}/?token=x",)


def test_addresses_that_others_cannot_use_are_left_out_and_each_is_there_once(monkeypatch):
    monkeypatch.setattr(addresses, "_outgoing", lambda family: iter(["10.0.0.2"]))
    useless = ["127.0.1.1", "169.254.3.4", "0.0.0.0", "fe80::1%eth0", "fe80::1", "::1", "nonsense"]
    monkeypatch.setattr(addresses, "_named", lambda family: iter([*useless, "10.0.0.2", "192.168.1.5"]))
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: iter(["10.0.0.2", "172.16.0.1"]))
    monkeypatch.setattr("sys.platform", "linux")
    assert network_addresses(socket.AF_INET) == ["10.0.0.2", "192.168.1.5", "172.16.0.1"]


def test_this_machine_can_be_asked_for_its_addresses():
    for family in (socket.AF_INET, socket.AF_INET6):
        for one in network_addresses(family):
            with socket.socket(family, socket.SOCK_STREAM) as bound:
                bound.bind((one, 0))  # they are its own


# -- QR codes --------------------------------------------------------------------------------------


class Screen(io.StringIO):
    """A terminal of some size."""

    encoding = "utf-8"

    def __init__(self, columns=80, lines=24, encoding="utf-8"):
        super().__init__()
        self.size, self.encoding = os.terminal_size((columns, lines)), encoding

    def isatty(self):
        return True

    def fileno(self):
        return -1


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    """Streams are what they say, and the variables of this terminal have no influence."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    screens = []
    monkeypatch.setattr("os.get_terminal_size", lambda fd: screens[-1].size)
    return screens


def drawn(terminal, text=LAN, **about):
    terminal.append(Screen(**about))
    return qr.qr_lines(text, terminal[-1])


def without_colour(line):
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def modules_of(lines):
    """What a scanner sees of a light code on a dark ground: the dark modules."""
    rows = []
    for line in lines:
        rows.append([letter not in "█▀" for letter in line])
        rows.append([letter not in "█▄" for letter in line])
    return rows


@pytest.mark.parametrize("text", ["http://10.0.0.2:1/", LAN, LAN + "x" * 40])
def test_the_lines_show_the_modules_of_the_code(terminal, text):
    modules = qr.dark_modules(text)
    lines = drawn(terminal, text, columns=100, lines=60)
    seen = modules_of(map(without_colour, lines))
    assert seen[: len(modules)] == modules
    assert not any(map(any, seen[len(modules) :]))


def test_the_code_has_its_three_corners_and_a_border():
    corner = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    modules = qr.dark_modules(LAN)
    size = len(modules) - 2 * qr.QUIET
    rows = ["".join(".#"[module] for module in row[qr.QUIET : -qr.QUIET]) for row in modules[qr.QUIET : -qr.QUIET]]
    assert [row[:7] for row in rows[:7]] == corner
    assert [row[-7:] for row in rows[:7]] == corner
    assert [row[:7] for row in rows[-7:]] == corner
    assert sum(map(sum, modules)) == sum(row.count("#") for row in rows)
    assert (size - 17) % 4 == 0


def test_the_code_of_a_usual_address_fits_a_usual_terminal(terminal):
    assert 0 < len(drawn(terminal)) <= 20


def test_colours_do_not_depend_on_the_terminal_s_and_no_color_has_none(terminal, monkeypatch):
    assert all(line.startswith("\x1b[38;5;231;48;5;16m") and line.endswith("\x1b[0m") for line in drawn(terminal))
    monkeypatch.setenv("NO_COLOR", "1")
    lines = drawn(terminal)
    assert set("".join(lines)) == set("█▀▄ ")


@pytest.mark.parametrize("about", [{"columns": 36}, {"lines": 18}, {"encoding": "ascii"}, {"encoding": "latin-1"}])
def test_there_is_no_code_where_it_does_not_fit(terminal, about):
    assert drawn(terminal, **about) == []


@pytest.mark.parametrize(("addresses_shown", "lines", "has_code"), [(1, 22, True), (1, 21, False), (3, 24, True)])
def test_a_code_leaves_room_for_the_addresses(terminal, monkeypatch, addresses_shown, lines, has_code):
    terminal.append(Screen(lines=lines))
    monkeypatch.setattr("sys.stdout", terminal[-1])
    serve.show_addresses(Addresses("http://127.0.0.1:1/", (LAN,) * addresses_shown))
    text = terminal[-1].getvalue()
    assert ("█" in text) == has_code
    assert text.count("\n") < lines  # nothing has left the screen at the top


def test_there_is_no_code_in_pipes_and_simple_terminals(terminal, monkeypatch):
    assert qr.qr_lines(LAN, io.StringIO()) == []
    monkeypatch.setenv("TERM", "dumb")
    assert drawn(terminal) == []


def test_without_the_package_there_is_no_code(terminal, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "qrcode.main", None)
    assert drawn(terminal) == []


# -- the command -----------------------------------------------------------------------------------


def test_the_addresses_are_printed_one_per_line(capsys):
    serve.show_addresses(Addresses("http://127.0.0.1:1/", ("http://10.0.0.2:1/", "http://[2001:db8::7]:1/")))
    assert capsys.readouterr().out.splitlines() == [
        "The page is at http://10.0.0.2:1/",
        "       also at http://[2001:db8::7]:1/",
        "Press Ctrl-C to stop the server.",
    ]


@pytest.mark.parametrize(("shared", "has_code"), [((), False), ((LAN,), True)])
def test_a_terminal_shows_a_code_if_others_can_open_the_address(terminal, monkeypatch, shared, has_code):
    terminal.append(Screen())
    monkeypatch.setattr("sys.stdout", terminal[-1])
    serve.show_addresses(Addresses("http://127.0.0.1:1/", shared))
    assert ("█" in terminal[-1].getvalue()) == has_code


@pytest.fixture
def served(monkeypatch):
    """What would be served."""
    calls = []
    monkeypatch.setattr("zermelo.web.server.serve", lambda *arguments, **options: calls.append(options))
    return calls


def test_the_token_comes_from_the_option_or_the_environment(zermelo, served, monkeypatch):
    zermelo("serve")
    monkeypatch.setenv("ZERMELO_SERVE_TOKEN", "from-the-environment")
    zermelo("serve")
    zermelo("serve", "--token", "from-the-option")
    assert [one["token"] for one in served] == ["", "from-the-environment", "from-the-option"]


def test_the_first_game_is_the_page_s(zermelo, served):
    zermelo("serve", "hexapawn:rows=4", "nim")
    zermelo("serve")
    assert [one["first"] for one in served] == ["game=hexapawn&o.rows=4", ""]


def test_the_browser_of_this_machine_opens_its_own_address(zermelo, served, monkeypatch):
    opened = []
    monkeypatch.setattr(serve, "has_browser", lambda: True)
    monkeypatch.setattr(serve, "open_browser", opened.append)
    zermelo("serve", "nim", "--host", "0.0.0.0")
    served[0]["on_start"](Addresses("http://127.0.0.1:1/?token=x", (LAN,)))
    assert opened == ["http://127.0.0.1:1/?token=x#game=nim"]


@pytest.mark.parametrize("token", ["short", "has a blank", "ümlaute-sind-schön"])
def test_a_token_that_is_not_good_is_one_sentence_before_anything_is_served(zermelo, token):
    said = zermelo("serve", "--no-browser", "--token", token)
    assert said.code == 2
    assert re.match("a token (has 8 to 200|may have only)", said.sentence)
