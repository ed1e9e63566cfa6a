"""Tests cannot reach another machine, even by accident."""

import socket

import pytest

from tests.offline import REFUSAL


def test_a_connection_to_another_machine_is_refused():
    # 192.0.2.1 is kept for documentation: no machine has it.
    with socket.socket() as one, pytest.raises(ConnectionRefusedError, match=REFUSAL):
        one.connect(("192.0.2.1", 9))


def test_a_look_up_of_another_machine_is_refused():
    with pytest.raises(ConnectionRefusedError, match=REFUSAL):
        socket.getaddrinfo("glanceback.invalid", 80)


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
