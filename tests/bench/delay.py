"""Passes connections on to a port and delays all bytes, in both directions.

    delay.py PORT MILLIS

Prints the port that it listens on; a byte arrives MILLIS after it was sent.
"""

import queue
import socket
import sys
import threading
import time


def read(source, chunks, delay):
    """Notes what comes in, and when it is due; b"" is the end."""
    data = b"."
    while data:
        try:
            data = source.recv(65536)
        except OSError:
            data = b""
        chunks.put((time.monotonic() + delay, data))


def write(target, chunks):
    """Sends what was noted, when it is due."""
    data = b"."
    while data:
        due, data = chunks.get()
        time.sleep(max(0, due - time.monotonic()))
        try:
            if data:
                target.sendall(data)
            else:
                target.shutdown(socket.SHUT_WR)
        except OSError:
            return


def join(one, other, delay):
    """Passes on what comes from one to the other."""
    chunks = queue.SimpleQueue()
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=read, args=(one, chunks, delay), daemon=True).start()
    threading.Thread(target=write, args=(other, chunks), daemon=True).start()


def main():
    """Listens until it is ended."""
    port, delay = int(sys.argv[1]), float(sys.argv[2]) / 1000
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            client, _ = server.accept()
            broker = socket.create_connection(("127.0.0.1", port))
            join(client, broker, delay)
            join(broker, client, delay)


if __name__ == "__main__":
    main()
