#include "base/writer.h"
#include "render/plan.h"
#include "render/text.h"

static void write_line(struct lq_writer *writer, const char *lead,
                       const char *name, const char *rest)
{
    lq_write_text(writer, lead);
    lq_write_shown(writer, name);
    lq_write_texts(writer, rest, "\n", NULL);
}

static void write_retries(struct lq_writer *writer,
                          const struct lq_logical *logical)
{
    write_line(writer, "  -> ", logical->retry_exchange, "");
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        write_line(writer, "     -> ", logical->buckets[i].queue_name, "");
    }
}

static void write_logical(struct lq_writer *writer,
                          const struct lq_logical *logical)
{
    const bool external = lq_owner(logical) == LQ_EXTERNAL;

    write_line(writer, "", logical->entry->name, external ? " (external)" : "");
    if (logical->retry_exchange) {
        write_retries(writer, logical);
    }
    write_line(writer, "  -> ", logical->dead_letter_exchange, "");
    write_line(writer, "     -> ", logical->dead_letter_queue, "");
}

enum lq_status lq_tree_render(const struct lq_topology *topology,
                              const struct lilyq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < topology->logical_count; ++i) {
        write_logical(&writer, &topology->logicals[i]);
    }
    return lq_writer_end(&writer);
}
