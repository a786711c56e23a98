#!/usr/bin/python3
"""A proxy that runs a command before a word passes for the first time.

    gate.py PORT WORD COMMAND...    forwards to 127.0.0.1:PORT

Prints its own port. WORD is looked for in what the client sends; nothing more
is forwarded until the command has ended.
"""

import socket
import subprocess
import sys
import threading


def forward(source, target, word, command):
    last = b""
    while True:
        data = source.recv(65536)
        if not data:
            break
        if command and word in last + data:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            command = None
        last = data[-len(word):]
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
        threading.Thread(target=forward, args=(broker, client, b"", None),
                         daemon=True).start()


main()
