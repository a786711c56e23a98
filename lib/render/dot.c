#include "base/text.h"
#include "base/writer.h"
#include "render/graph.h"
#include "render/plan.h"
#include "render/text.h"

#include <string.h>

static const char head[] =
    "digraph lilyq {\n"
    "  graph [rankdir=LR, ranksep=0.7, nodesep=0.15, style=rounded,"
    " color=\"#aaaaaa\", fontname=\"Helvetica\", fontsize=12]\n"
    "  node [style=filled, color=\"#555555\", fontname=\"Helvetica\","
    " fontsize=10]\n"
    "  edge [color=\"#555555\", fontcolor=\"#333333\","
    " fontname=\"Helvetica\", fontsize=8]\n";

/* Labels take \n and the like, and character entities such as &amp;. */
static const char *replace(uint32_t code)
{
    switch (code) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '&':
        return "&amp;";
    default:
        return NULL;
    }
}

/*
 * Writes a name, and \xNN for the bytes of what does not show as itself, since
 * an entity would be drawn as that. The backslash of \xNN is `backslash`.
 */
static void write_escaped(struct lq_writer *writer, const char *text,
                          const char *backslash)
{
    size_t left = strlen(text);
    size_t step = 0;

    for (; left > 0; text += step, left -= step) {
        uint32_t code = 0;
        const char *other = NULL;

        step = lq_utf8_decode(text, left, &code);
        other = replace(code);
        if (other) {
            lq_write_text(writer, other);
        } else if (lq_is_shown(code)) {
            lq_write_bytes(writer, text, step);
        } else {
            lq_write_hex(writer, text, step, backslash);
        }
    }
}

/*
 * An exchange and a queue may share a name. A backslash that is not the name's
 * own is an entity here: so two nodes never share an ID, and it still looks
 * like one where the ID is shown, as in the titles of an SVG.
 */
static void write_id(struct lq_writer *writer, const struct lq_graph_node *node)
{
    lq_write_text(writer, node->is_queue ? "\"queue " : "\"exchange ");
    write_escaped(writer, node->name, "&#92;");
    lq_write_text(writer, "\"");
}

static void write_label(struct lq_writer *writer, const char *text)
{
    lq_write_text(writer, "label=\"");
    write_escaped(writer, text, "\\\\");
    lq_write_text(writer, "\"");
}

static const char *node_fill(const struct lq_graph_node *node)
{
    static const char *const fills[] = {[LQ_ROLE_MAIN] = "#d5e8d4",
                                        [LQ_ROLE_RETRY] = "#fff2cc",
                                        [LQ_ROLE_DEAD_LETTER] = "#f8cecc"};

    return fills[node->role];
}

static void write_node(struct lq_writer *writer,
                       const struct lq_graph_node *node, const char *indent)
{
    lq_write_text(writer, indent);
    write_id(writer, node);
    lq_write_text(writer, " [");
    write_label(writer, node->name);
    lq_write_texts(writer, ", shape=", node->is_queue ? "box" : "ellipse",
                   ", fillcolor=\"", node_fill(node), "\"",
                   node->external ? ", style=\"filled,dashed\"" : "", "]\n",
                   NULL);
}

static void write_millis(struct lq_writer *writer, const char *before,
                         uint64_t millis)
{
    lq_write_text(writer, before);
    lq_write_number(writer, millis);
    lq_write_text(writer, " ms");
}

static void write_edge_label(struct lq_writer *writer,
                             const struct lq_edge *edge)
{
    switch (edge->kind) {
    case LQ_EDGE_BINDING:
        write_label(writer, edge->key);
        break;
    case LQ_EDGE_RETRY:
        lq_write_text(writer, "label=\"retry\", style=bold");
        break;
    case LQ_EDGE_RETURN:
        write_millis(writer, "label=\"after ", edge->millis);
        lq_write_text(writer, "\"");
        break;
    case LQ_EDGE_DEAD_LETTER:
        lq_write_text(writer, "label=\"rejected");
        if (edge->millis) {
            write_millis(writer, " or after ", edge->millis);
        }
        lq_write_text(writer, "\", style=dashed");
        break;
    }
}

static void write_edge(struct lq_writer *writer, const struct lq_edge *edge)
{
    lq_write_text(writer, "  ");
    write_id(writer, edge->from);
    lq_write_text(writer, " -> ");
    write_id(writer, edge->to);
    lq_write_text(writer, " [");
    write_edge_label(writer, edge);
    lq_write_text(writer, "]\n");
}

static void write_nodes(struct lq_writer *writer, const struct lq_graph *graph)
{
    const struct lq_logical *group = NULL;
    size_t groups = 0;

    for (size_t i = 0; i < graph->node_count; ++i) {
        const struct lq_graph_node *const node =
            &graph->nodes[graph->drawing[i]];

        if (node->logical != group) {
            lq_write_text(writer, group ? "  }\n" : "");
            lq_write_text(writer, "  subgraph cluster_");
            lq_write_number(writer, groups++);
            lq_write_text(writer, " {\n    ");
            write_label(writer, node->logical->entry->name);
            lq_write_text(writer, "\n");
            group = node->logical;
        }
        write_node(writer, node, group ? "    " : "  ");
    }
    lq_write_text(writer, group ? "  }\n" : "");
}

enum lq_status lq_dot_render(const struct lq_topology *topology,
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
        write_edge(&writer, &graph.edges[i]);
    }
    lq_write_text(&writer, "}\n");
    return lq_writer_end(&writer);
}
