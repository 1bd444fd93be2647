"""The addresses of the server: for the browser on this machine, and for other machines in its networks."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that are reserved for documentation."""
SIOCGIFADDR = 0x8915
"""Linux's number of the request for an interface's IPv4 address."""


@dataclass(frozen=True)
class Addresses:
    """Where the page can be opened."""

    own: str
    """For the browser on this machine."""
    shared: tuple[str, ...] = ()
    """For other machines, the most likely one first; none if only this machine can reach the server."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def addresses_of(host: str, listening: socket.socket, token: str | None) -> Addresses:
    """The addresses of a server that listens on this host; a wildcard stands for all of this machine's."""
    query = f"?token={token}" if token else ""
    port = listening.getsockname()[1]

    def address(of: str) -> str:
        return f"http://{f'[{of}]' if ':' in of else of}:{port}/{query}"

    name = host.strip("[]")
    if not _is_wildcard(name):
        return Addresses(address(name), () if is_loopback(name) else (address(name),))
    families = [listening.family]
    if listening.family == socket.AF_INET6 and not listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        families.insert(0, socket.AF_INET)
    own = "127.0.0.1" if socket.AF_INET in families else "::1"
    found = [one for family in families for one in network_addresses(family)] or [socket.gethostname()]
    return Addresses(address(own), tuple(map(address, found)))


def network_addresses(family: socket.AddressFamily) -> list[str]:
    """This machine's addresses in its networks; the one that other networks are reached from is the first."""
    found = [*_outgoing(family), *_named(family)]
    if family == socket.AF_INET and sys.platform == "linux":
        found += _of_interfaces()
    return [one for one in dict.fromkeys(found) if _is_reachable(one)]


def _is_wildcard(name: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(name).is_unspecified
    return False


def _is_reachable(address: str) -> bool:
    """Whether other machines can use the address without naming an interface."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return not (found.is_loopback or found.is_link_local or found.is_unspecified or found.is_multicast)


def _outgoing(family: socket.AddressFamily) -> Iterator[str]:
    """The address of the interface with the default route; connecting a datagram socket sends nothing."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((ELSEWHERE[family], 9))
        yield probe.getsockname()[0]


def _named(family: socket.AddressFamily) -> Iterator[str]:
    """The addresses of the machine's name; some systems list all interfaces here, others none."""
    with suppress(OSError, UnicodeError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM):
            yield str(place[0])


def _of_interfaces() -> Iterator[str]:
    """The IPv4 addresses of the interfaces that are not down; on Linux."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                if Path(f"/sys/class/net/{name}/operstate").read_text().strip() != "down":
                    answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                    yield socket.inet_ntoa(answer[20:24])
