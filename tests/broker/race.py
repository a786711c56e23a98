#!/usr/bin/python3
"""Deletes queues and exchanges and creates them anew, over and over.

    race.py PORT USER PASSWORD VHOST TYPE/NAME...   through 127.0.0.1:PORT

TYPE is queues or exchanges. What it creates carries the argument x-racer.
Prints a line when it has created all of them, and then one for each thing that it finds without,
which somebody else created.
"""

import base64
import http.client
import itertools
import json
import sys

QUEUE = {"durable": True, "arguments": {"x-racer": "yes"}}
EXCHANGE = {"type": "direct", **QUEUE}


class Api:
    def __init__(self, port, user, password):
        self.connection = http.client.HTTPConnection("127.0.0.1", int(port))
        login = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.headers = {"authorization": f"Basic {login}",
                        "content-type": "application/json"}

    def ask(self, method, path, body=None):
        self.connection.request(method, f"/api/{path}",
                                json.dumps(body) if body else None,
                                self.headers)
        response = self.connection.getresponse()
        return response.status, response.read()


def main(port, user, password, vhost, *things):
    api = Api(port, user, password)
    for turn in itertools.count():
        for thing in things:
            kind, name = thing.split("/")
            path = f"{kind}/{vhost}/{name}"
            status, body = api.ask("GET", path)
            if turn > 0 and status == 200 and "x-racer" not in json.loads(body)["arguments"]:
                print("somebody else created", name, flush=True)
            api.ask("DELETE", path)
            api.ask("PUT", path, QUEUE if kind == "queues" else EXCHANGE)
        if turn == 0:
            print("begun", flush=True)


main(*sys.argv[1:])
