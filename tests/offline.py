"""Keeps a Python process on this machine: a connection to any other is refused, and the refusal is loud."""

import ipaddress
import sys

REFUSAL = "a connection that leaves this machine was tried"


def stay_on_this_machine():
    """Refuse, from here to the end of the process, every connection and name look-up that is not for this machine."""
    sys.addaudithook(_refuse)


def _refuse(event, arguments):
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else "localhost"
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if not is_this_machine(host):
        raise ConnectionRefusedError(f"{REFUSAL}: {host!r}")


def is_this_machine(host):
    """True for a name or address of the machine itself; None and the empty string mean any of its own addresses."""
    host = host.decode() if isinstance(host, bytes) else host
    if host in (None, "", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
