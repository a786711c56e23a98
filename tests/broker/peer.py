"""A peer that misbehaves, on a free loopback port, which is printed.
The environment may name one, PEER_PORT, and an address, PEER_HOST. It speaks
TLS when the environment names files for that: PEER_CERT and PEER_KEY.

    peer.py silent         accepts and says nothing
    peer.py hangup         accepts and hangs up
    peer.py http           answers like a web server
    peer.py garbage        answers with bytes that mean nothing
    peer.py version        wants AMQP 1.0
    peer.py longframe      announces a frame of 2 GB
    peer.py dribble        says hello a byte at a time, for ever too slowly

The rest log in like RabbitMQ; checks find nothing, all else is granted.

    peer.py broker         ... and that is all
    peer.py hangup AFTER   hangs up at the request after so many
    peer.py mute AFTER     says no more from there on
    peer.py blocked AFTER  says connection.blocked, and then no more
    peer.py close AFTER    closes the connection with 541 there
    peer.py wrong AFTER    answers that request with what nobody asked for
    peer.py alarm AFTER    says connection.blocked there, takes nothing for a
                           second, and goes on
    peer.py window         answers only once nothing more comes in; its errors
                           end with the most requests that ever waited
"""

import os
import select
import socket
import ssl
import struct
import sys
import threading
import time

CONNECTION_START = (10, 10)
CONNECTION_START_OK = (10, 11)
CONNECTION_TUNE = (10, 30)
CONNECTION_OPEN = (10, 40)
CONNECTION_OPEN_OK = (10, 41)
CONNECTION_CLOSE = (10, 50)
CONNECTION_CLOSE_OK = (10, 51)
CONNECTION_BLOCKED = (10, 60)
CONNECTION_UNBLOCKED = (10, 61)
CHANNEL_OPEN = (20, 10)
CHANNEL_OPEN_OK = (20, 11)
CHANNEL_CLOSE = (20, 40)
CHANNEL_CLOSE_OK = (20, 41)
EXCHANGE_DECLARE = (40, 10)
EXCHANGE_DECLARE_OK = (40, 11)
QUEUE_DECLARE = (50, 10)
QUEUE_DECLARE_OK = (50, 11)
QUEUE_BIND = (50, 20)
QUEUE_BIND_OK = (50, 21)
TX_SELECT_OK = (90, 11)

REQUESTS = (EXCHANGE_DECLARE, QUEUE_DECLARE, QUEUE_BIND)


def short(text):
    return bytes([len(text)]) + text


def long(text):
    return struct.pack(">I", len(text)) + text


def frame(channel, method, arguments=b""):
    payload = struct.pack(">HH", *method) + arguments
    return struct.pack(">BHI", 1, channel, len(payload)) + payload + b"\xce"


def hello():
    arguments = b"\x00\x09" + long(b"") + long(b"PLAIN") + long(b"en_US")
    return frame(0, CONNECTION_START, arguments)


def closing(channel, code, text, method):
    arguments = struct.pack(">H", code) + short(text) + struct.pack(">HH", *method)
    return frame(channel, CHANNEL_CLOSE if channel else CONNECTION_CLOSE, arguments)


def names(method, arguments):
    """The name that a request is about, and whether it is passive."""
    length = arguments[2]
    name = arguments[3 : 3 + length]
    rest = arguments[3 + length :]
    if method == EXCHANGE_DECLARE:
        rest = rest[1 + rest[0] :]
    return name, method != QUEUE_BIND and bool(rest[0] & 1)


class Broker:
    """One connection, from the protocol header to its end."""

    def __init__(self, connection, mode, after):
        self.connection = connection
        self.stream = connection.makefile("rb")
        self.mode = mode
        self.left = after
        self.mute = False
        self.lock = threading.Lock()
        self.held = []
        self.last = 0
        self.most = 0

    def send(self, data):
        if not self.mute:
            self.connection.sendall(data)

    def read(self):
        header = self.stream.read(7)
        if len(header) < 7:
            return None
        kind, channel, size = struct.unpack(">BHI", header)
        payload = self.stream.read(size + 1)
        if kind != 1 or len(payload) < 5:
            return None
        return channel, struct.unpack(">HH", payload[:4]), payload[4:-1]

    def misbehave(self, channel, method):
        """Says whether the connection goes on."""
        if self.mode == "hangup":
            return False
        if self.mode == "close":
            self.send(closing(0, 541, b"INTERNAL_ERROR - on purpose", method))
        if self.mode == "blocked":
            self.send(frame(0, CONNECTION_BLOCKED, short(b"low on memory")))
        if self.mode == "wrong":
            self.send(frame(channel, TX_SELECT_OK))
        self.mute = True
        return True

    def alarm(self, channel, method, arguments):
        """Says whether nothing was sent during it, answers or not."""
        self.send(frame(0, CONNECTION_BLOCKED, short(b"low on memory")))
        time.sleep(0.2)
        self.request(channel, method, arguments)
        quiet = not select.select([self.connection], [], [], 0.5)[0]
        self.send(frame(0, CONNECTION_UNBLOCKED))
        self.mode = "broker"
        return quiet

    def hold(self, *request):
        with self.lock:
            self.held.append(request)
            self.last = time.monotonic()
            if len(self.held) > self.most:
                self.most = len(self.held)
                print(self.most, file=sys.stderr, flush=True)

    def answer_held(self):
        """Answers what is held once nothing more comes in."""
        while True:
            time.sleep(0.02)
            with self.lock:
                if time.monotonic() - self.last > 0.1:
                    held, self.held = self.held, []
                    for request in held:
                        self.request(*request)

    def request(self, channel, method, arguments):
        name, passive = names(method, arguments)
        if passive:
            kind = b"exchange" if method == EXCHANGE_DECLARE else b"queue"
            text = b"NOT_FOUND - no " + kind + b" '" + name + b"' in vhost '/'"
            self.send(closing(channel, 404, text[:255], method))
        elif method == EXCHANGE_DECLARE:
            self.send(frame(channel, EXCHANGE_DECLARE_OK))
        elif method == QUEUE_DECLARE:
            counts = struct.pack(">II", 0, 0)
            self.send(frame(channel, QUEUE_DECLARE_OK, short(name) + counts))
        else:
            self.send(frame(channel, QUEUE_BIND_OK))

    def serve(self):
        if self.mode == "window":
            threading.Thread(target=self.answer_held, daemon=True).start()
        self.stream.read(8)
        self.send(hello())
        while message := self.read():
            channel, method, arguments = message
            if method == CONNECTION_START_OK:
                self.send(frame(0, CONNECTION_TUNE, struct.pack(">HIH", 4, 0, 0)))
            elif method == CONNECTION_OPEN:
                self.send(frame(0, CONNECTION_OPEN_OK, short(b"")))
            elif method == CONNECTION_CLOSE:
                self.send(frame(0, CONNECTION_CLOSE_OK))
                return
            elif method == CONNECTION_CLOSE_OK:
                return
            elif method == CHANNEL_OPEN:
                self.send(frame(channel, CHANNEL_OPEN_OK, long(b"")))
            elif method in REQUESTS:
                self.left -= 1
                if self.mode == "window":
                    self.hold(channel, method, arguments)
                elif self.left < 0 and self.mode == "alarm":
                    if not self.alarm(channel, method, arguments):
                        return
                elif self.left < 0 and self.mode != "broker":
                    if not self.mute and not self.misbehave(channel, method):
                        return
                else:
                    self.request(channel, method, arguments)


def rudely(connection, mode):
    if mode == "hangup":
        return
    connection.recv(64)
    if mode == "http":
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n")
    if mode == "garbage":
        connection.sendall(bytes(range(256)) * 8)
    if mode == "version":
        connection.sendall(b"AMQP\x00\x01\x00\x00")
    if mode == "longframe":
        connection.sendall(struct.pack(">BHI", 1, 0, 0x7FFFFFF0) + b"x" * 64)
    if mode == "dribble":
        for byte in hello():
            connection.sendall(bytes([byte]))
            time.sleep(0.2)
    time.sleep(60)


def secured(connection):
    if "PEER_CERT" not in os.environ:
        return connection
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.environ["PEER_CERT"], os.environ["PEER_KEY"])
    return context.wrap_socket(connection, server_side=True)


def serve(connection, arguments):
    try:
        connection = secured(connection)
        if len(arguments) > 1 or arguments[0] in ("broker", "window"):
            after = int(arguments[1]) if len(arguments) > 1 else 0
            Broker(connection, arguments[0], after).serve()
        else:
            rudely(connection, arguments[0])
    except OSError:
        pass
    finally:
        connection.close()


def main(arguments):
    host = os.environ.get("PEER_HOST", "127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    address = (host, int(os.environ.get("PEER_PORT", 0)))
    listener = socket.create_server(address, family=family)
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, arguments), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1:])
