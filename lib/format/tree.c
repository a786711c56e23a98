#include "format/tree.h"

#include "format/writer.h"

static void write_retries(struct lq_writer *writer,
                          const struct lq_logical *logical)
{
    lq_write_texts(writer, "  -> ", logical->retry_exchange, "\n", NULL);
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        lq_write_texts(writer, "     -> ", logical->buckets[i].queue_name, "\n",
                       NULL);
    }
}

static void write_logical(struct lq_writer *writer,
                          const struct lq_logical *logical)
{
    const bool external = lq_owner(logical) == LQ_EXTERNAL;

    lq_write_texts(writer, logical->entry->name, external ? " (external)" : "",
                   "\n", NULL);
    if (logical->retry_exchange) {
        write_retries(writer, logical);
    }
    lq_write_texts(writer, "  -> ", logical->dead_letter_exchange, "\n     -> ",
                   logical->dead_letter_queue, "\n", NULL);
}

enum lq_status lq_tree_render(const struct lq_topology *topology,
                              const struct lq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < topology->logical_count; ++i) {
        write_logical(&writer, &topology->logicals[i]);
    }
    return lq_writer_end(&writer);
}
