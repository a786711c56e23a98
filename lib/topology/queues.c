#include "base/map.h"
#include "base/text.h"
#include "topology/draft.h"
#include "topology/field.h"

#include <string.h>

static const char *role_text(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "main queue";
    case LQ_ROLE_RETRY:
        return "retry bucket";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "dead-letter queue";
}

/* " at lilyq.ini:3", or "" for an entry that is not from a file. */
static const char *name_place(struct lq_arena *arena,
                              const struct lq_entry *entry)
{
    struct lq_place place;
    const char *where = NULL;

    if (lq_field_place(entry, LQ_NAME, arena, &place) != LQ_OK) {
        return NULL;
    }
    where = lq_place_text(arena, &place);
    return where && *where ? lq_format(arena, " at %s", where) : where;
}

static enum lq_status report_duplicate(struct lq_diags *diags,
                                       const struct lq_entry *entry,
                                       const struct lq_entry *first)
{
    const char *const where = name_place(diags->arena, first);

    return where ? lq_entry_error(diags, entry, LQ_NAME, "is already defined%s",
                                  where)
                 : LQ_NOMEM;
}

static enum lq_status report_collision(struct lq_diags *diags,
                                       const struct lq_queue *queue,
                                       const struct lq_queue *first)
{
    const struct lq_entry *const entry = first->logical->entry;
    const char *const shown =
        lq_printable(diags->arena, queue->name, strlen(queue->name));
    const char *const label = lq_entry_label(diags->arena, entry);
    const char *const where = name_place(diags->arena, entry);

    if (!shown || !label || !where) {
        return LQ_NOMEM;
    }
    return lq_entry_error(diags, queue->logical->entry, LQ_NAME,
                          "%s '%s' has the name of the %s of %s%s",
                          role_text(queue->role), shown, role_text(first->role),
                          label, where);
}

static enum lq_status add_queue(struct lq_draft *draft, struct lq_map *names,
                                const struct lq_queue *queue)
{
    struct lq_queue *const next = &draft->queues[draft->queue_count];
    void *held = NULL;

    if (!queue->name) {
        return LQ_OK;
    }
    if (lq_map_add(names, queue->name, next, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held != next) {
        return report_collision(draft->diags, queue, held);
    }
    *next = *queue;
    ++draft->queue_count;
    return LQ_OK;
}

static enum lq_status add_queues_of(struct lq_draft *draft,
                                    struct lq_map *names,
                                    const struct lq_logical *logical)
{
    struct lq_queue queue = {
        .name = logical->entry->name, .role = LQ_ROLE_MAIN, .logical = logical};
    enum lq_status status = add_queue(draft, names, &queue);

    queue.role = LQ_ROLE_RETRY;
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        queue.name = logical->buckets[i].queue_name;
        status = lq_worse(status, add_queue(draft, names, &queue));
    }
    queue.role = LQ_ROLE_DEAD_LETTER;
    queue.name = logical->dead_letter_queue;
    return lq_worse(status, add_queue(draft, names, &queue));
}

static size_t count_queues(const struct lq_draft *draft)
{
    size_t count = 0;

    for (size_t i = 0; i < draft->logical_count; ++i) {
        count += draft->logicals[i].bucket_count + 2;
    }
    return count;
}

/* Adds the queues of an entry unless its name was met before. */
static enum lq_status add_logical(struct lq_draft *draft,
                                  struct lq_map *entries, struct lq_map *queues,
                                  struct lq_logical *logical)
{
    void *held = NULL;

    if (!lq_entry_sound(logical->entry, lq_field_bit(LQ_NAME))) {
        return LQ_OK;
    }
    if (lq_map_add(entries, logical->entry->name, logical, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held != logical) {
        const struct lq_logical *const first = held;
        return report_duplicate(draft->diags, logical->entry, first->entry);
    }
    return add_queues_of(draft, queues, logical);
}

enum lq_status lq_draft_queues(struct lq_draft *draft)
{
    struct lq_arena *const arena = draft->diags->arena;
    const size_t count = count_queues(draft);
    enum lq_status status = LQ_OK;
    struct lq_map entries;
    struct lq_map queues;

    lq_map_init(&entries, arena);
    lq_map_init(&queues, arena);
    draft->queues = lq_alloc_array(arena, count, sizeof(*draft->queues));
    if (!draft->queues ||
        lq_map_reserve(&entries, draft->logical_count) != LQ_OK ||
        lq_map_reserve(&queues, count) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < draft->logical_count && status != LQ_NOMEM; ++i) {
        status = lq_worse(
            status, add_logical(draft, &entries, &queues, &draft->logicals[i]));
    }
    return status;
}
