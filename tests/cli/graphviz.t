#!/bin/bash
#
# Graphviz draws every graph of the test data without a word, and the drawing
# shows each exchange, queue and binding key by its name.

. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

# texts CLASS: the texts in the SVG's groups of a class, as a sorted JSON array.
texts() {
    /usr/bin/python3 - "$1" drawing.svg <<'END' | jq -c sort
import json, sys
from xml.etree import ElementTree as tree

svg = "{http://www.w3.org/2000/svg}"
groups = tree.parse(sys.argv[2]).iter(svg + "g")
texts = [g.find(f".//{svg}text").text for g in groups if g.get("class") == sys.argv[1]]
# Graphviz draws a space as one that does not break.
print(json.dumps([text.replace("\u00a0", " ") for text in texts]))
END
}

for folder in "$root"/tests/data/plan/*; do
    case=${folder##*/}
    run dot -Tsvg -o drawing.svg "$folder/graph.dot"
    exits 0 "$case is drawn"
    is "$err" '' "$case is drawn without a word"
    is "$(texts node)" \
        "$(jq -c '[.exchanges[].name, .queues[].name] | sort' "$folder/plan.json")" \
        "$case shows every exchange and queue by its name"
    is "$(texts cluster)" \
        "$(jq -c '[.logical_queues[].name] | sort' "$folder/plan.json")" \
        "$case shows a group for each logical queue"
    is "$(texts edge)" \
        "$(jq -c '[.bindings[].routing_key,
            (.queues[] | select(.role == "retry_bucket")
                | "after \(.arguments["x-message-ttl"]) ms"),
            (.queues[] | select(.role == "main") | .arguments["x-message-ttl"]
                | if . then "rejected or after \(.) ms" else "rejected" end),
            (.logical_queues[] | select(.retry_exchange) | "retry")
            ] | sort' "$folder/plan.json")" \
        "$case shows every way that a message takes"
done

done_testing
