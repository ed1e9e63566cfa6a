"""Where the class finds this app on the local network: the address to type, and the same as a picture to point at.

Nothing here asks another machine. It knows no page.
"""

import ipaddress
import re
import socket

import psutil
import segno
import streamlit as st

EVERY_ADDRESS = ("0.0.0.0", "::")
"""What `server.address` says when the app listens on every network of this machine."""

_NOT_A_ROOM = re.compile(r"^(lo|docker|veth|br-|virbr|vmnet|vboxnet|tun|tap|utun|wg|cni|flannel)", re.IGNORECASE)
"""Networks inside this machine, and tunnels out of it: nobody in the room is in them."""

LONGEST_CODE = 1_200
"""In characters. A QR code of a longer link has dots too small for a phone at the back of the room."""


def class_addresses(listening: str | None = None, port: int | None = None) -> tuple[str, ...]:
    """The addresses that others on the local network can type, the likeliest first; none where only this machine may.

    listening, port: the options `server.address` and `server.port`, which are read where they are not given.
    """
    listening = st.get_option("server.address") if listening is None else listening
    port = st.get_option("server.port") if port is None else port
    hosts = _own_addresses() if listening in EVERY_ADDRESS else [listening]
    hosts = [host for host in hosts if not _is_this_machine(host)]
    return tuple(f"http://{_in_address(host)}:{port}/" for host in hosts)


def code_picture(link: str) -> str | None:
    """A QR code of the link, black on white with its margin, as a `data:` address; None where the link is too long."""
    if len(link) > LONGEST_CODE:
        return None
    code = segno.make(link, error="l", micro=False, boost_error=True)
    return code.svg_data_uri(border=4, light="#fff", dark="#000", omitsize=True)


def _own_addresses() -> list[str]:
    """The IPv4 addresses of this machine's networks that are up, private ones first."""
    states = psutil.net_if_stats()
    found = [
        address.address
        for name, addresses in psutil.net_if_addrs().items()
        for address in addresses
        if address.family == socket.AF_INET and name in states and states[name].isup and not _NOT_A_ROOM.match(name)
    ]
    return sorted(found, key=lambda host: (not host.startswith("192.168."), not ipaddress.ip_address(host).is_private))


def _is_this_machine(host: str | None) -> bool:
    if host in (None, "", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_link_local


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
