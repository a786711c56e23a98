"""A broker as in peer.py that goes wrong at one step, and how.

    rude.py STEP:FAULT...   each connection meets the next one; the last stays
    rude.py full            never accepts, and has no room for one more
    rude.py handshake       begins TLS, a byte at a time

STEP is where: "start", "tune", "open", "channel" (channel.open-ok), "check" (the
first request) or "write" (the tenth); "write" is the only one behind which
something may have been declared. FAULT is what comes instead of the answer:

    silence    nothing
    dribble    the answer, a byte at a time, each well within any limit
    flood      heartbeats without end
    alarms     connection.blocked and connection.unblocked without end
    long_dribble  a frame of 100 KB at 150 bytes a second
    hangup     the end of the connection
    reset      the same, as TCP's RST
    garbage    bytes that mean nothing
    huge       a frame of 4 GB
    long       a frame longer than agreed upon
    end        the answer with another end of frame
    short      a method frame too short for its method's number
    cut        the answer without its last fields
    elsewhere  the answer on a channel that is not in use
    deliver    a message for a consumer
    content    the header of a message
    unknown    a method that does not exist
    again      connection.tune
    nested     a greeting with tables in tables in tables
    close      connection.close, 541
    version    the header of another version of the protocol
"""

import socket
import struct
import sys
import threading
import time

import peer

DELIVER = b"\x01c" + struct.pack(">Q", 1) + b"\0\0\0"
HEARTBEAT = struct.pack(">BHI", 8, 0, 0) + b"\xce"
BLOCKED = peer.frame(0, peer.CONNECTION_BLOCKED, peer.short(b"low on memory"))
UNBLOCKED = peer.frame(0, peer.CONNECTION_UNBLOCKED)
LINGER_ZERO = struct.pack("ii", 1, 0)


def nested(depth):
    value = b""
    for _ in range(depth):
        value = b"A" + struct.pack(">I", len(value)) + value
    return b"\x00\x09" + peer.long(b"\x01a" + value) + peer.long(b"PLAIN en_US")


def shortened(answer):
    """The frame with half of its arguments."""
    payload = answer[7:-1]
    payload = payload[: 4 + (len(payload) - 4) // 2]
    return answer[:3] + struct.pack(">I", len(payload)) + payload + b"\xce"


def lies(fault, answer):
    """What to send for a fault that is a matter of bytes."""
    channel = struct.unpack(">H", answer[1:3])[0]
    return {
        "garbage": bytes(range(255, -1, -1)) * 8,
        "huge": struct.pack(">BHI", 1, channel, 0xFFFFFFFF) + b"x" * 64,
        "long": struct.pack(">BHI", 1, channel, 131073) + b"x" * 64,
        "end": answer[:-1] + b"\xcd",
        "short": struct.pack(">BHI", 1, channel, 3) + b"\0\x32\0\xce",
        "cut": shortened(answer),
        "elsewhere": answer[:1] + struct.pack(">H", 60000) + answer[3:],
        "deliver": peer.frame(1, (60, 60), DELIVER),
        "content": struct.pack(">BHI", 2, 1, 14) + b"\0\x3c" + b"\0" * 12 + b"\xce",
        "unknown": peer.frame(channel, (85, 99), b"\0" * 16),
        "again": peer.frame(0, peer.CONNECTION_TUNE, struct.pack(">HIH", 4, 0, 0)),
        "nested": peer.frame(0, peer.CONNECTION_START, nested(13000)),
        "close": peer.closing(0, 541, b"INTERNAL_ERROR - on purpose", (0, 0)),
        "version": b"AMQP\x00\x01\x00\x00",
    }[fault]


class Rude(peer.Broker):
    steps = {
        (10, 10): "start",
        (10, 30): "tune",
        (10, 41): "open",
        (20, 11): "channel",
    }

    def __init__(self, connection, step, fault):
        super().__init__(connection, "broker", 0)
        self.step = step
        self.fault = fault
        self.answers = 0

    def here(self, method):
        if method in self.steps:
            return self.steps[method] == self.step
        if method[0] == 10:
            return False
        self.answers += 1
        return (self.step, self.answers) in (("check", 1), ("write", 10))

    def send(self, data):
        if self.mute:
            return
        if self.here(struct.unpack(">HH", data[7:11])):
            self.mute = True
            self.go_wrong(data)
        else:
            super().send(data)

    def go_wrong(self, answer):
        if self.fault == "silence":
            return
        if self.fault == "dribble":
            for byte in answer:
                self.connection.sendall(bytes([byte]))
                time.sleep(0.3)
        elif self.fault == "long_dribble":
            self.connection.sendall(answer[:3] + struct.pack(">I", 100000))
            while True:
                self.connection.sendall(b"x" * 15)
                time.sleep(0.1)
        elif self.fault == "alarms":
            while True:
                self.connection.sendall((BLOCKED + UNBLOCKED) * 4096)
        elif self.fault == "flood":
            while True:
                self.connection.sendall(HEARTBEAT * 8192)
        elif self.fault in ("hangup", "reset"):
            if self.fault == "reset":
                self.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO
                )
            raise OSError
        else:
            self.connection.sendall(lies(self.fault, answer))


def serve(connection, step, fault):
    broker = Rude(connection, step, fault)
    try:
        broker.serve()
    except OSError:
        pass
    finally:
        broker.stream.close()
        connection.close()


def full():
    """Fills a queue of its own, so that the next to connect waits for ever."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    waiting = []
    while True:
        waiting.append(socket.socket())
        waiting[-1].settimeout(0.3)
        try:
            waiting[-1].connect(listener.getsockname())
        except TimeoutError:
            break
    print(listener.getsockname()[1], flush=True)
    time.sleep(3600)


def handshake():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        try:
            connection.sendall(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03")
            while True:
                connection.sendall(b"x")
                time.sleep(0.1)
        except OSError:
            connection.close()


def main(*pairs):
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    at = 0
    while True:
        connection, _ = listener.accept()
        step, fault = pairs[min(at, len(pairs) - 1)].split(":")
        at += 1
        threading.Thread(
            target=serve, args=(connection, step, fault), daemon=True
        ).start()


if sys.argv[1:] == ["full"]:
    full()
if sys.argv[1:] == ["handshake"]:
    handshake()
main(*sys.argv[1:])
