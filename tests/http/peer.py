"""A management API that misbehaves, on a free loopback port, which is printed.

    peer.py MODE [CERTIFICATE KEY]

With a certificate it speaks TLS. Every request is noted in the file
`requests`: its first line, its headers, and its body. The modes are in ANSWERS,
those of documents that are put in PUTS.
"""

import gzip
import socket
import ssl
import sys
import threading
import time

DEFINITIONS = b"""{"rabbit_version":"3.10.8","policies":[],"parameters":[],
"queues":[{"name":"q","durable":true,"auto_delete":false,"arguments":{}}],
"exchanges":[],"bindings":[]}"""
EXCHANGES = b'[{"name":"x","vhost":"/","type":"direct","durable":true}]'
GOOD = {
    b"exchanges": EXCHANGES,
    b"definitions": DEFINITIONS,
    b"operator-policies": b"[]",
    b"policies": b"[]",
    b"bindings": b"[]",
    b"queues": b'[{"name":"q","messages":7,"consumers":2}]',
    b"overview": b'{"rabbitmq_version":"3.10.8"}',
}
EXCLUSIVE = b"""[{"name":"q","messages":7,"consumers":2},
{"name":"amq.gen-x","exclusive":true,"messages":1,"consumers":1}]"""
BOUND = b"""[{"source":"x","destination":"amq.gen-x",
"destination_type":"queue","routing_key":"k","arguments":{}}]"""
JSON = b"application/json"
HTML = b"<html><body>Welcome</body></html>"
NO_ADMIN = b'{"error":"not_authorised","reason":"Not administrator user"}'
NO_LOGIN = b'{"error":"not_authorised","reason":"Login failed\\u001b[31m"}'
NO_POLICYMAKER = b'{"error":"not_authorized","reason":"User not authorised to access policies"}'
NO_PATTERN = b'{"error":"bad_request","reason":"Validation failed\\n\\npattern is odd\\n"}'
NO_VHOST = b'{"error":"bad_request","reason":"vhost_not_found"}'
NO_OBJECT = b'{"error":"Object Not Found","reason":"Not Found"}'
NO_LUCK = b'{"error":"internal_server_error","reason":"it broke"}'


def answer(status, body=b"", kind=JSON, headers=b"", length=None):
    length = len(body) if length is None else length
    text = b"HTTP/1.1 %s\r\n%s" % (status, headers)
    if kind:
        text += b"Content-Type: %s\r\n" % kind
    return text + b"Content-Length: %d\r\n\r\n%s" % (length, body)


def chunked(*parts, end=True):
    text = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n" % JSON
    text += b"Transfer-Encoding: chunked\r\n\r\n"
    for part in parts:
        text += b"%x\r\n%s\r\n" % (len(part), part)
    return text + (b"0\r\n\r\n" if end else b"")


def redirect(status):
    return answer(status, headers=b"Location: http://127.0.0.1:1/else\x1bwhere\r\n")


ANSWERS = {
    "hangup": b"",
    "garbage": bytes(range(256)) * 8,
    "amqp": b"AMQP\x00\x00\x09\x01",
    "http09": b"[]",
    "redirect": redirect(b"301 Moved Permanently"),
    "redirect307": redirect(b"307 Temporary Redirect"),
    "html": answer(b"200 OK", HTML, b"text/html"),
    "gateway": answer(b"502 Bad Gateway", HTML, b"text/html"),
    "unavailable": answer(b"503 Service Unavailable", headers=b"Retry-After: 1\r\n"),
    "busy": answer(b"429 Too Many Requests", b"slow down", b"text/plain"),
    "gzip": answer(b"200 OK", gzip.compress(b"[]"), headers=b"Content-Encoding: gzip\r\n"),
    "html404": answer(b"404 Not Found", HTML, b"text/html"),
    "json404": answer(b"404 Not Found", NO_OBJECT),
    "vhost": answer(b"400 Bad Request", NO_VHOST),
    "login": answer(b"401 Unauthorized", NO_LOGIN),
    "forbidden": answer(b"403 Forbidden", b""),
    "broken": answer(b"500 Internal Server Error", NO_LUCK),
    "silent500": answer(b"500 Internal Server Error"),
    "teapot": answer(b"418 I'm a teapot", b'["no reason"]'),
    "created": answer(b"201 Created", b"[]"),
    "empty": answer(b"200 OK", b""),
    "cut": answer(b"200 OK", b'[{"name":', length=500),
    "cutchunk": chunked(b'[{"name":', end=False),
    "cutjson": chunked(b'[{"name":'),
    "shape": answer(b"200 OK", b'{"items":[]}'),
    "latin": answer(b"200 OK", b'[{"name":"\xe9"}]'),
    "nul": answer(b"200 OK", b"[]\x00"),
    "huge": answer(b"200 OK", b"[", length=300 << 20),
    "bighead": answer(b"200 OK", headers=b"X: " + b"x" * 400000 + b"\r\n"),
    "plain": answer(b"200 OK", b"[]", kind=b""),
}


# What becomes of the documents that are put, but for the first, which is taken.
PUTS = {
    "put400": answer(b"400 Bad Request", NO_PATTERN),
    "put401": answer(b"401 Unauthorized", NO_POLICYMAKER),
    "put500": answer(b"500 Internal Server Error", NO_LUCK),
    "puthangup": b"",
    "putcut": answer(b"200 OK", b"{", length=9),
    "put302": redirect(b"302 Found"),
}


def read_request(stream):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    body = b""
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            body = stream.read(int(line.split(b":")[1]))
    with open("requests", "ab") as log:
        log.write(head + body)
    return head.split(b" ")[:2]


def good(path, mode):
    kind = path.split(b"?")[0].split(b"/api/")[1].split(b"/")[0]
    if mode == "monitor" and kind == b"definitions":
        return answer(b"401 Unauthorized", NO_ADMIN)
    if mode == "outsider" and kind in (b"definitions", b"operator-policies"):
        return answer(b"403 Forbidden", NO_ADMIN)
    if mode == "bare" and kind == b"definitions":
        return answer(b"200 OK", DEFINITIONS.replace(b'"parameters":[],', b""))
    if mode == "blind" and kind in (b"definitions", b"policies"):
        return answer(b"401 Unauthorized", NO_POLICYMAKER)
    if mode == "halting" and kind == b"definitions":
        return chunked(DEFINITIONS[:90])
    if mode == "exclusive" and kind == b"queues":
        return answer(b"200 OK", EXCLUSIVE)
    if mode == "exclusive" and kind == b"bindings":
        return answer(b"200 OK", BOUND)
    if mode == "failing" and kind == b"definitions":
        return ANSWERS["silent500"]
    if mode == "stroll":
        return answer(b"200 OK", b" " * 20000 + GOOD[kind])
    return answer(b"200 OK", GOOD[kind])


puts = []


def put(path, mode):
    """The answer to a document; b"": hang up."""
    puts.append(path)
    if len(puts) > 1 and mode in PUTS:
        return PUTS[mode]
    return answer(b"201 Created" if len(puts) % 2 else b"204 No Content")


def dribble(connection):
    connection.sendall(answer(b"200 OK", b"[", length=5000))
    while True:
        time.sleep(0.1)
        connection.sendall(b" ")


def trickle(connection):
    """An answer that never ends, at 150 bytes a second."""
    connection.sendall(answer(b"200 OK", b"[", length=1 << 20))
    while True:
        time.sleep(0.1)
        connection.sendall(b" " * 15)


def creep(connection):
    """Headers without end."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        time.sleep(0.1)
        connection.sendall(b"X: x\r\n")


def stroll(connection, text):
    """A long answer by a slow link: some 8 KiB a second."""
    for at in range(0, len(text), 820):
        connection.sendall(text[at : at + 820])
        time.sleep(0.1)


def flood(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n[" % JSON)
    while True:
        connection.sendall(b" " * 1048576)


def serve(connection, mode, context):
    try:
        if mode == "mute":
            time.sleep(60)
        if mode == "rude":
            connection.sendall(answer(b"400 Bad Request"))
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        stream = connection.makefile("rb")
        while request := read_request(stream):
            method, path = request
            if method == b"PUT" and mode not in ANSWERS:
                text = put(path, mode)
                connection.sendall(text)
                if not text or mode == "putcut":
                    break
            elif mode == "silent":
                time.sleep(60)
            elif mode == "dribble":
                dribble(connection)
            elif mode == "trickle":
                trickle(connection)
            elif mode == "stroll":
                stroll(connection, good(path, mode))
            elif mode == "headers":
                creep(connection)
            elif mode == "flood":
                flood(connection)
            elif mode in ANSWERS:
                connection.sendall(ANSWERS[mode])
                break
            else:
                connection.sendall(good(path, mode))
    except OSError:
        pass
    finally:
        connection.close()


def main(mode, *pair):
    context = None
    if pair:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*pair)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(
            target=serve, args=(connection, mode, context), daemon=True
        ).start()


main(*sys.argv[1:])
