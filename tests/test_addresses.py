"""The address that the class types, and its code."""

import re
from types import SimpleNamespace
from urllib.parse import unquote

import psutil
import pytest
import segno

from app import addresses
from app.addresses import LONGEST_CODE, class_addresses, code_picture


@pytest.mark.parametrize("listening", ["localhost", "127.0.0.1", "::1", "", "169.254.1.1"])
def test_an_app_for_this_machine_alone_has_no_address_for_others(listening):
    assert class_addresses(listening, 8501) == ()


def test_by_default_the_app_is_for_this_machine_alone():
    assert class_addresses() == ()


@pytest.mark.parametrize(
    ("listening", "address"),
    [
        ("192.168.1.5", "http://192.168.1.5:8501/"),
        ("teacher.school", "http://teacher.school:8501/"),
        ("fd00::5", "http://[fd00::5]:8501/"),
    ],
)
def test_an_address_that_was_chosen_is_the_one_to_type(listening, address):
    assert class_addresses(listening, 8501) == (address,)


@pytest.mark.parametrize("listening", ["0.0.0.0", "::"])
def test_listening_everywhere_means_the_networks_of_the_room(monkeypatch, listening):
    def network(address):
        return [SimpleNamespace(family=addresses.socket.AF_INET, address=address)]

    def state(is_up):
        return SimpleNamespace(isup=is_up)

    hosts = {"lo": "127.0.0.1", "docker0": "172.17.0.1", "eth1": "8.1.2.3", "wlan0": "192.168.7.2", "eth9": "10.0.0.9"}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {name: network(host) for name, host in hosts.items()})
    monkeypatch.setattr(psutil, "net_if_stats", lambda: {name: state(name != "eth9") for name in hosts})
    assert class_addresses(listening, 80) == ("http://192.168.7.2:80/", "http://8.1.2.3:80/")


def test_the_code_is_that_of_the_link_with_a_white_margin():
    link = "http://192.168.7.2:8501/compare?sentence=I+like+cats."
    picture = code_picture(link)
    assert picture.startswith("data:image/svg+xml")
    wanted = segno.make(link, error="l", micro=False)
    dark = {(x + 4, y + 4) for y, row in enumerate(wanted.matrix) for x, bit in enumerate(row) if bit}
    assert dark_dots(unquote(picture)) == dark


def dark_dots(drawing):
    """The places of the dark dots of a code, from the lines that draw them: M x y, m dx dy and h length."""
    path = re.search(r"""d=.(M4 4[^"']+)""", drawing)
    x = y = 0.0
    dots = set()
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?", path[1]):
        if command == "h":
            dots |= {(int(x) + dot, int(y)) for dot in range(int(first))}
            x += int(first)
        else:
            x, y = (0.0, 0.0) if command == "M" else (x, y)
            x, y = x + float(first), y + float(second)
    return dots


def test_a_link_that_no_phone_could_read_has_no_code():
    assert code_picture("http://192.168.7.2:8501/?sentence=" + "a" * LONGEST_CODE) is None
