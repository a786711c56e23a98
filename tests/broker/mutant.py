"""A broker as in peer.py, some of whose bytes are changed on their way out.

    mutant.py SEED

What happens to the Nth connection depends on SEED and N alone. Each is told on
standard error.
"""

import random
import socket
import sys
import threading

import peer

# Answers of a run that lilyq.ini with one entry and two buckets makes.
ANSWERS = 40


def flip(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def set_byte(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + bytes([chance.choice((0, 1, 127, 128, 255))]) + data[at + 1 :]


def drop(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 9) :]


def insert(data, chance):
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.randrange(1, 9)) + data[at:]


def double(data, _):
    return data + data


def nothing(_data, _chance):
    return b""


def another(data, chance):
    """The same frame with another method, and perhaps on another channel."""
    method = bytes([0, chance.choice((10, 20, 40, 50, 60, 85, 90))])
    method += bytes([0, chance.randrange(1, 82)])
    return data[:2] + bytes([chance.choice((data[2], 0, 1, 2, 16))]) + data[3:7] + (
        method + data[11:]
    )


CHANGES = (flip, flip, set_byte, set_byte, drop, insert, double, nothing, another)


class Mutant(peer.Broker):
    def __init__(self, connection, chance):
        super().__init__(connection, "broker", 0)
        self.chance = chance
        self.places = {chance.randrange(ANSWERS) for _ in range(chance.randrange(1, 4))}
        self.count = 0

    def send(self, data):
        if self.count in self.places:
            change = self.chance.choice(CHANGES)
            print(self.count, change.__name__, file=sys.stderr, flush=True)
            data = change(data, self.chance)
        self.count += 1
        super().send(data)


def serve(connection, chance):
    broker = Mutant(connection, chance)
    try:
        broker.serve()
    except (OSError, IndexError, ValueError):
        pass
    finally:
        broker.stream.close()
        connection.close()


def main(seed):
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    number = 0
    while True:
        connection, _ = listener.accept()
        chance = random.Random(f"{seed}:{number}")
        number += 1
        threading.Thread(
            target=serve, args=(connection, chance), daemon=True
        ).start()


main(sys.argv[1])
