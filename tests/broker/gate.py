#!/usr/bin/python3
"""A proxy that runs a command before something passes for the first time.

    gate.py PORT WORD COMMAND...    forwards to 127.0.0.1:PORT

Prints its own port. WORD is looked for in what the client sends, or is
exchange.declare or queue.declare: then it is the method itself, unless it is
passive. Nothing more is forwarded until the command has ended.
"""

import socket
import struct
import subprocess
import sys
import threading

DECLARATIONS = {b"exchange.declare": (40, 10), b"queue.declare": (50, 10)}


class Words:
    """Looks for a word."""

    def __init__(self, word):
        self.word = word
        self.last = b""

    def find(self, data):
        data = self.last + data
        self.last = data[-len(self.word):]
        return self.word in data


def is_active(method, arguments):
    """Whether arguments of a declaration are those of one not passive."""
    at = 2
    for _ in range(2 if method == (40, 10) else 1):
        at += 1 + arguments[at]
    return not arguments[at] & 1


class Declarations:
    """Looks for a declaration that is not passive."""

    def __init__(self, word):
        self.method = DECLARATIONS[word]
        self.rest = b""
        self.begun = False

    def find(self, data):
        self.rest += data
        if not self.begun and len(self.rest) >= 8:
            self.begun = True
            self.rest = self.rest[8:]
        while self.begun and len(self.rest) >= 7:
            kind, _, size = struct.unpack(">BHI", self.rest[:7])
            if len(self.rest) < size + 8:
                break
            payload = self.rest[7:7 + size]
            self.rest = self.rest[size + 8:]
            if (kind == 1 and struct.unpack(">HH", payload[:4]) == self.method
                    and is_active(self.method, payload[4:])):
                return True
        return False


def forward(source, target, word, command):
    search = Declarations(word) if word in DECLARATIONS else Words(word)
    while True:
        data = source.recv(65536)
        if not data:
            break
        if command and search.find(data):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            command = None
        target.sendall(data)
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main():
    port, word, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        broker = socket.create_connection(("127.0.0.1", port))
        threading.Thread(target=forward, args=(client, broker, word, command),
                         daemon=True).start()
        threading.Thread(target=forward, args=(broker, client, b"\0", None),
                         daemon=True).start()


main()
