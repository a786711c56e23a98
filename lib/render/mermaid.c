#include "base/text.h"
#include "base/writer.h"
#include "render/graph.h"
#include "render/plan.h"
#include "render/text.h"

#include <string.h>

static const char head[] =
    "flowchart LR\n"
    "  classDef main fill:#d5e8d4,stroke:#555,color:#000\n"
    "  classDef retry fill:#fff2cc,stroke:#555,color:#000\n"
    "  classDef deadLetter fill:#f8cecc,stroke:#555,color:#000\n"
    "  classDef external stroke-dasharray:4 3\n";

static bool is_alphanumeric(uint32_t code)
{
    return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') ||
           (code >= 'a' && code <= 'z');
}

/*
 * Labels go through Mermaid's own entities, HTML and Markdown, so little ASCII
 * is safe, and some only inside a word: Markdown takes "1. " for a list, _a_
 * for emphasis and "www." for a link.
 */
static bool is_plain(uint32_t code, uint32_t before)
{
    switch (code) {
    case '.':
        return before != 'w';
    case '-':
    case '_':
        return is_alphanumeric(before);
    default:
        return code >= 0x80 || is_alphanumeric(code);
    }
}

/*
 * Writes a quoted label; what is not plain becomes an entity like #34; and what
 * does not show as itself \xNN, since the entity would be drawn as that.
 */
static void write_label(struct lq_writer *writer, const char *text)
{
    size_t left = strlen(text);
    uint32_t before = '\0';

    lq_write_text(writer, "\"");
    while (left > 0) {
        uint32_t code = 0;
        const size_t length = lq_utf8_decode(text, left, &code);

        if (lq_is_shown(code) && is_plain(code, before)) {
            lq_write_bytes(writer, text, length);
        } else if (!lq_is_shown(code)) {
            lq_write_hex(writer, text, length, "#92;");
        } else {
            lq_write_text(writer, "#");
            lq_write_number(writer, code);
            lq_write_text(writer, ";");
        }
        before = lq_is_shown(code) ? code : '\0';
        text += length;
        left -= length;
    }
    lq_write_text(writer, "\"");
}

static void write_id(struct lq_writer *writer, const struct lq_graph *graph,
                     const struct lq_graph_node *node)
{
    const size_t index = (size_t)(node - graph->nodes);

    lq_write_text(writer, node->is_queue ? "q" : "x");
    lq_write_number(writer,
                    node->is_queue ? index - graph->exchange_count : index);
}

static const char *node_class(const struct lq_graph_node *node)
{
    static const char *const classes[] = {[LQ_ROLE_MAIN] = "main",
                                          [LQ_ROLE_RETRY] = "retry",
                                          [LQ_ROLE_DEAD_LETTER] = "deadLetter"};

    return classes[node->role];
}

static void write_node(struct lq_writer *writer, const struct lq_graph *graph,
                       const struct lq_graph_node *node, const char *indent)
{
    lq_write_text(writer, indent);
    write_id(writer, graph, node);
    lq_write_text(writer, node->is_queue ? "[" : "([");
    write_label(writer, node->name);
    lq_write_texts(writer, node->is_queue ? "]" : "])", ":::", node_class(node),
                   "\n", NULL);
    if (node->external) {
        lq_write_texts(writer, indent, "class ", NULL);
        write_id(writer, graph, node);
        lq_write_text(writer, " external\n");
    }
}

static void write_millis(struct lq_writer *writer, const char *before,
                         uint64_t millis)
{
    lq_write_text(writer, before);
    lq_write_number(writer, millis);
    lq_write_text(writer, " ms");
}

static void write_arrow(struct lq_writer *writer, const struct lq_edge *edge)
{
    switch (edge->kind) {
    case LQ_EDGE_BINDING:
        lq_write_text(writer, "-->|");
        write_label(writer, edge->key);
        break;
    case LQ_EDGE_RETRY:
        lq_write_text(writer, "==>|\"retry\"");
        break;
    case LQ_EDGE_RETURN:
        write_millis(writer, "-->|\"after ", edge->millis);
        lq_write_text(writer, "\"");
        break;
    case LQ_EDGE_DEAD_LETTER:
        lq_write_text(writer, "-.->|\"rejected");
        if (edge->millis) {
            write_millis(writer, " or after ", edge->millis);
        }
        lq_write_text(writer, "\"");
        break;
    }
    lq_write_text(writer, "| ");
}

static void write_edge(struct lq_writer *writer, const struct lq_graph *graph,
                       const struct lq_edge *edge)
{
    lq_write_text(writer, "  ");
    write_id(writer, graph, edge->from);
    lq_write_text(writer, " ");
    write_arrow(writer, edge);
    write_id(writer, graph, edge->to);
    lq_write_text(writer, "\n");
}

static void write_nodes(struct lq_writer *writer, const struct lq_graph *graph)
{
    const struct lq_logical *group = NULL;
    size_t groups = 0;

    for (size_t i = 0; i < graph->node_count; ++i) {
        const struct lq_graph_node *const node =
            &graph->nodes[graph->drawing[i]];

        if (node->logical != group) {
            lq_write_text(writer, group ? "  end\n" : "");
            lq_write_text(writer, "  subgraph g");
            lq_write_number(writer, groups++);
            lq_write_text(writer, "[");
            write_label(writer, node->logical->entry->name);
            lq_write_text(writer, "]\n");
            group = node->logical;
        }
        write_node(writer, graph, node, group ? "    " : "  ");
    }
    lq_write_text(writer, group ? "  end\n" : "");
}

enum lq_status lq_mermaid_render(const struct lq_topology *topology,
                                 struct lq_arena *arena,
                                 const struct lilyq_sink *sink)
{
    struct lq_graph graph;
    struct lq_writer writer;

    if (lq_graph_build(topology, arena, &graph) != LQ_OK) {
        return LQ_NOMEM;
    }
    lq_writer_init(&writer, sink);
    lq_write_text(&writer, head);
    write_nodes(&writer, &graph);
    for (size_t i = 0; i < graph.edge_count; ++i) {
        write_edge(&writer, &graph, &graph.edges[i]);
    }
    return lq_writer_end(&writer);
}
