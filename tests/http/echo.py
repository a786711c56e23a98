"""A peer on a free loopback port, which is printed, that says back the password
that it is given.

    echo.py MODE [CERTIFICATE KEY]

With a certificate it speaks TLS. The modes are those of REPLIES, over HTTP, and
of CLOSES, over AMQP.
"""

import base64
import socket
import ssl
import struct
import sys
import threading
import urllib.parse


def encoded(text):
    return urllib.parse.quote(text, safe="")


def reply(status, headers="", body="", kind="application/json"):
    return (f"HTTP/1.1 {status}\r\n{headers}Content-Type: {kind}\r\n"
            f"Content-Length: {len(body.encode())}\r\n\r\n{body}").encode()


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def reason(status, text):
    return reply(status, body='{"error":"x","reason":"%s"}' % quoted(text))


# Each is made of user, password and the Base64 of both.
REPLIES = {
    "relative": lambda u, p, b: reply("302 Found", "Location: /login\r\n"),
    "absolute": lambda u, p, b: reply(
        "301 Moved", f"Location: http://{u}:{encoded(p)}@127.0.0.1:1/x\r\n"),
    "query": lambda u, p, b: reply(
        "302 Found", f"Location: /login?password={encoded(p).lower()}\r\n"),
    "reason": lambda u, p, b: reason("401 No", f"'{p}' is wrong for {u}"),
    "header": lambda u, p, b: reason("403 No", f"Authorization: Basic {b}"),
    "failed": lambda u, p, b: reason("500 Broken", f"{u}:{p}"),
    "kind": lambda u, p, b: reply("200 OK", kind=f"text/{encoded(p)}"),
    "page": lambda u, p, b: reply("200 OK", body=f"<p>{p}</p>", kind="text/html"),
    "text": lambda u, p, b: reply("200 OK", body=p),
    "broken": lambda u, p, b: reply("200 OK", body='{"a" "%s"}' % quoted(p)),
    "shape": lambda u, p, b: reply("200 OK", body='["%s"]' % quoted(p)),
    "status": lambda u, p, b: reply(f"418 {p}"),
    "garbage": lambda u, p, b: f"{u}:{p}\r\n".encode(),
}


def method(channel, ids, arguments):
    payload = struct.pack(">HH", *ids) + arguments
    return struct.pack(">BHI", 1, channel, len(payload)) + payload + b"\xce"


def text(value):
    return struct.pack(">B", len(value)) + value


def close(ids, code, words):
    return lambda password: method(
        0, (10, 50), struct.pack(">H", code) + text(words % password) +
        struct.pack(">HH", *ids))


CLOSES = {
    "amqp-login": close((10, 11), 403, b"ACCESS_REFUSED - '%s'"),
    "amqp-vhost": close((10, 40), 530, b"NOT_ALLOWED - not found: %s"),
    "amqp-error": close((0, 0), 541, b"INTERNAL_ERROR - %s"),
}


def receive(peer):
    head = b""
    while len(head) < 7:
        more = peer.recv(7 - len(head))
        if not more:
            return b""
        head += more
    left = struct.unpack(">BHI", head)[2] + 1
    body = b""
    while len(body) < left:
        body += peer.recv(left - len(body))
    return body


def speak_amqp(peer, mode):
    peer.recv(8)
    peer.sendall(method(0, (10, 10), b"\0\x09" + struct.pack(">I", 0) +
                        struct.pack(">I", 5) + b"PLAIN" +
                        struct.pack(">I", 5) + b"en_US"))
    # the response is "\0user\0password", before the locale
    response = receive(peer).split(b"\x05en_US")[0]
    peer.sendall(CLOSES[mode](response.rpartition(b"\0")[2]))
    receive(peer)


def speak_http(peer, mode):
    request = b""
    while b"\r\n\r\n" not in request:
        more = peer.recv(65536)
        if not more:
            return
        request += more
    token = ""
    for line in request.decode("latin-1").split("\r\n"):
        if line.lower().startswith("authorization: basic "):
            token = line.split()[2]
    user, _, password = base64.b64decode(token).decode().partition(":")
    peer.sendall(REPLIES[mode](user, password, token))


def serve(peer, mode):
    try:
        if encryption:
            peer = encryption.wrap_socket(peer, server_side=True)
        with peer:
            (speak_amqp if mode in CLOSES else speak_http)(peer, mode)
    except OSError:
        pass


encryption = None
if len(sys.argv) > 2:
    encryption = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    encryption.load_cert_chain(sys.argv[2], sys.argv[3])


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connected, _ = listener.accept()
    threading.Thread(target=serve, args=(connected, sys.argv[1]),
                     daemon=True).start()
