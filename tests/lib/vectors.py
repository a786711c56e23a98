#!/usr/bin/python3
"""Runs `lilyq plan` over vector files and prints a line for each vector:
"ok<TAB>name" or "not ok<TAB>name<TAB>what is wrong".

usage: vectors.py LILYQ STEP FILE...    (STEP 10 takes every tenth vector)
"""

import json
import subprocess
import sys

# Our words for what the framework calls so; one of them must be there.
FIELD_WORDS = {
    "retry_backoff": ["retry_backoff_millis", "max_retry_backoff_millis"],
    "retry_exchange_name": ["retry exchange"],
    "retry_bucket.queue_name": ["retry bucket"],
    "dead_letter_queue_name": ["dead-letter queue"],
}

COMPARED = {
    "logical_queues": ["name", "delays_millis"],
    "exchanges": ["name", "type", "durable", "auto_delete", "internal",
                  "arguments", "ownership"],
    "queues": ["name", "durable", "auto_delete", "arguments", "ownership",
               "role", "logical_queue"],
    "bindings": ["source", "destination", "destination_type", "routing_key",
                 "arguments", "ownership"],
}


def plan(lilyq, document):
    return subprocess.run(
        [lilyq, "plan", "-i", "json", "-o", "json", "-"], check=False,
        input=document.encode(), capture_output=True, timeout=300)


def plan_fault(want, got):
    """What differs first between the declarations, or None."""
    for kind, keys in COMPARED.items():
        if len(got[kind]) != len(want[kind]):
            return f"{len(got[kind])} {kind}, expected {len(want[kind])}"
        for ours, theirs in zip(got[kind], want[kind]):
            for key in keys:
                # as text: order and type of arguments count, too
                if json.dumps(ours[key]) != json.dumps(theirs[key]):
                    return (f"{kind}: {key} of {theirs.get('name')} is "
                            f"{ours[key]}, expected {theirs[key]}")
    return None


def printable(text):
    """As lilyq shows it: control characters escaped byte by byte."""
    def show(char):
        if char < " " or "\x7f" <= char < "\xa0":
            return "".join(f"\\x{byte:02x}" for byte in char.encode())
        return char
    return "".join(map(show, text))


def error_fault(error, messages):
    """Why no line of the messages is the error of the vector, or None."""
    wanted = []
    field = error.get("field")
    if field:
        wanted.append(FIELD_WORDS.get(field, [field]))
    if "queue" in error and field != "name":
        wanted.append([f"[queue:{printable(error['queue'])}]"])
    if "name" in error:
        wanted.append([f"'{printable(error['name'])}'"])
    if "count" in error:
        wanted.append([f" {error['count']} "])
    for line in messages.split("\n"):
        if all(any(word in line for word in words) for words in wanted):
            return None
    return f"no message has all of {wanted}: {messages[:300]}"


def fault(lilyq, line):
    """What is wrong with the outcome of a vector, or None."""
    vector = json.loads(line)
    # the bytes as they are: numbers over 64 bits must stay what they are
    start = line.index('"queues": ')
    document = "{" + line[start:line.index(', "expect": ')] + "}"
    expect = vector["expect"]
    result = plan(lilyq, document)
    messages = result.stderr.decode()
    if "ok" in expect:
        if result.returncode != 0:
            return f"exit status {result.returncode}: {messages[:300]}"
        return plan_fault(expect["ok"], json.loads(result.stdout))
    if result.returncode != 2:
        return f"exit status {result.returncode}, expected 2"
    if result.stdout:
        return "something on stdout in spite of an error"
    return error_fault(expect["error"], messages)


def main(lilyq, step, files):
    for name in files:
        with open(name, encoding="utf-8") as file:
            lines = list(file)[::int(step)]
        for line in lines:
            title = json.loads(line)["name"]
            problem = fault(lilyq, line)
            if problem is None:
                print("ok", title, sep="\t")
            else:
                print("not ok", title, problem.replace("\n", " "), sep="\t")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
