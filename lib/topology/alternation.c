#include "topology/alternation.h"

#include "base/map.h"

#include <string.h>

/* A place where names part: those that share their first `at` bytes. */
struct fork {
    size_t at;
    size_t serial; /* no other has it */
    bool ends;     /* one of the names goes no further */
    struct lq_branch *first;
    struct lq_branch *last;
};

/*
 * Names are taken in their order. The forks on the way of the latest one are
 * open, the outermost first; what lies behind a fork is settled once a name
 * comes that does not pass it.
 */
struct builder {
    struct lq_arena *arena;
    const struct lq_alternation *how;
    struct lq_array forks; /* struct fork */
    size_t serial;
    struct lq_map branches; /* struct lq_branch by fork and tail */
    const char *latest;
};

static struct fork *innermost(const struct builder *builder)
{
    return (struct fork *)builder->forks.items + builder->forks.count - 1;
}

static struct fork *open_fork(struct builder *builder, size_t at)
{
    struct fork *const fork = lq_array_push(&builder->forks, builder->arena);

    if (fork) {
        *fork = (struct fork){.at = at, .serial = builder->serial++};
    }
    return fork;
}

/* The branch of a fork with this tail; NULL when out of memory. */
static struct lq_branch *branch_with(struct builder *builder, struct fork *fork,
                                     const char *tail)
{
    struct lq_branch *const fresh = lq_alloc(builder->arena, sizeof(*fresh));
    const char *const key =
        lq_format(builder->arena, "%zu %s", fork->serial, tail);
    void *held = NULL;

    if (!fresh || !key ||
        lq_map_add(&builder->branches, key, fresh, &held) != LQ_OK) {
        return NULL;
    }
    if (held == fresh) {
        lq_array_init(&fresh->heads, sizeof(const char *));
        fresh->tail = tail;
        *(fork->last ? &fork->last->next : &fork->first) = fresh;
        fork->last = fresh;
    }
    return held;
}

/*
 * Adds the way of the latest name to the innermost fork. The pattern `rest`
 * stands for what follows its first `to` bytes.
 */
static enum lq_status add_way(struct builder *builder, size_t to,
                              const char *rest)
{
    struct fork *const fork = innermost(builder);
    const char *const way = builder->latest + fork->at;
    const size_t length = lq_token_length(way, builder->how->grain);
    const char *const head = lq_strndup(builder->arena, way, length);
    struct lq_branch *branch = NULL;
    const char **slot = NULL;
    struct lq_buffer tail;

    if (length == 0) {
        fork->ends = true;
        return LQ_OK;
    }
    lq_buffer_init(&tail, builder->arena);
    lq_token_escape(&tail, way + length, to - fork->at - length);
    lq_buffer_add(&tail, rest);
    if (head && lq_buffer_text(&tail)) {
        branch = branch_with(builder, fork, lq_buffer_text(&tail));
    }
    slot = branch ? lq_array_push(&branch->heads, builder->arena) : NULL;
    if (!slot) {
        return LQ_NOMEM;
    }
    *slot = head;
    return LQ_OK;
}

static void add_branch(const struct builder *builder, struct lq_buffer *buffer,
                       const struct lq_branch *branch, bool grouped)
{
    const char *const *const heads = branch->heads.items;

    if (branch->heads.count > 1) {
        builder->how->add_heads(buffer, branch, grouped || *branch->tail);
    } else {
        lq_token_escape(buffer, heads[0], strlen(heads[0]));
    }
    lq_buffer_add(buffer, branch->tail);
}

/* Adds all that may follow at a fork, with bars between. */
static void add_branches(const struct builder *builder,
                         struct lq_buffer *buffer, const struct fork *fork)
{
    for (const struct lq_branch *at = fork->first; at; at = at->next) {
        lq_buffer_add(buffer, at == fork->first ? "" : "|");
        add_branch(builder, buffer, at, false);
    }
}

/* The pattern of what follows at a fork; NULL when out of memory. */
static const char *settle(const struct builder *builder,
                          const struct fork *fork)
{
    const bool grouped = fork->ends || fork->first != fork->last;
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, builder->arena);
    if (grouped) {
        lq_buffer_add(&buffer, "(");
        add_branches(builder, &buffer, fork);
        lq_buffer_add(&buffer, fork->ends ? ")?" : ")");
    } else {
        add_branch(builder, &buffer, fork->first, true);
    }
    return lq_buffer_text(&buffer);
}

/*
 * Brings in the way of the latest name, and settles the forks on it that lie
 * behind its first `shared` bytes, which the next name has too.
 */
static enum lq_status end_way(struct builder *builder, size_t shared)
{
    const char *rest = "";
    size_t to = strlen(builder->latest);

    while (innermost(builder)->at > shared) {
        const struct fork *const fork = innermost(builder);

        if (add_way(builder, to, rest) != LQ_OK) {
            return LQ_NOMEM;
        }
        to = fork->at;
        rest = settle(builder, fork);
        --builder->forks.count;
        if (!rest) {
            return LQ_NOMEM;
        }
    }
    if (innermost(builder)->at < shared && !open_fork(builder, shared)) {
        return LQ_NOMEM;
    }
    return add_way(builder, to, rest);
}

static enum lq_status take_names(struct builder *builder, const char **names,
                                 size_t count)
{
    const enum lq_grain grain = builder->how->grain;
    enum lq_status status = open_fork(builder, 0) ? LQ_OK : LQ_NOMEM;

    builder->latest = names[0];
    for (size_t i = 1; i < count && status == LQ_OK; ++i) {
        if (strcmp(names[i], builder->latest) != 0) {
            status = end_way(builder,
                             lq_token_common(builder->latest, names[i], grain));
            builder->latest = names[i];
        }
    }
    return status == LQ_OK ? end_way(builder, 0) : LQ_NOMEM;
}

void lq_alternation_add(struct lq_buffer *buffer, const char **names,
                        size_t count, const struct lq_alternation *how)
{
    struct builder builder = {.arena = buffer->arena, .how = how};

    lq_token_sort(names, count, how->grain);
    lq_array_init(&builder.forks, sizeof(struct fork));
    lq_map_init(&builder.branches, buffer->arena);
    if (take_names(&builder, names, count) == LQ_OK) {
        add_branches(&builder, buffer, innermost(&builder));
    } else {
        buffer->failed = true;
    }
}
