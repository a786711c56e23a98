"""Stands between a client and a broker and cuts them off.

    proxy.py PORT SPEC...

Listens on a free loopback port, which is printed, for the broker on PORT. Each
connection meets the next SPEC, the last one stays:

    pass                 goes through
    cut:client:N         the connection ends behind N bytes of the client
    cut:server:N         ... of the broker
    mute:client:N        the same, but silently: what follows is swallowed, and
    mute:server:N        nobody is told
    kill:server:N:PID    the process is killed (SIGKILL) there, and then it ends

When a connection is over, "CLIENT SERVER" is printed: the bytes that went
through.
"""

import os
import selectors
import signal
import socket
import sys

SIDES = ("client", "server")


class Cut(Exception):
    pass


class Link:
    """One connection: what comes from either side goes to the other."""

    def __init__(self, client, server, spec):
        self.ends = dict(zip(SIDES, (client, server)))
        self.counts = dict.fromkeys(SIDES, 0)
        self.action, *rest = spec.split(":")
        self.side = rest[0] if rest else None
        self.limit = int(rest[1]) if rest else None
        self.victim = int(rest[2]) if len(rest) > 2 else None
        self.muted = False

    def act(self):
        if self.action == "kill":
            os.kill(self.victim, signal.SIGKILL)
        if self.action == "mute":
            self.muted = True
        else:
            raise Cut

    def move(self, side):
        """Takes what has come from a side."""
        data = self.ends[side].recv(65536)
        if not data:
            raise Cut
        if self.muted:
            return
        left = len(data)
        if side == self.side:
            left = min(left, self.limit - self.counts[side])
        other = SIDES[side == SIDES[0]]
        self.ends[other].sendall(data[:left])
        self.counts[side] += left
        if side == self.side and self.counts[side] == self.limit:
            self.act()

    def run(self):
        selector = selectors.DefaultSelector()
        for side, end in self.ends.items():
            selector.register(end, selectors.EVENT_READ, side)
        try:
            if self.limit == 0:
                self.act()
            while True:
                for key, _ in selector.select():
                    self.move(key.data)
        except (Cut, OSError):
            pass
        for end in self.ends.values():
            end.close()


def main(port, *specs):
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    at = 0
    while True:
        client, _ = listener.accept()
        spec = specs[min(at, len(specs) - 1)]
        at += 1
        link = Link(client, socket.create_connection(("127.0.0.1", int(port))), spec)
        link.run()
        print(*link.counts.values(), flush=True)


main(*sys.argv[1:])
