#include "base/map.h"
#include "base/text.h"
#include "topology/draft.h"
#include "topology/field.h"

#include <string.h>

static const char *ownership_text(enum lq_ownership ownership)
{
    return ownership == LQ_EXTERNAL ? "external" : "framework_managed";
}

static const char *role_text(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "main exchange";
    case LQ_ROLE_RETRY:
        return "retry exchange";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "dead-letter exchange";
}

/* The field that an exchange's name comes from. */
static enum lq_field source_field(const struct lq_exchange *exchange)
{
    return exchange->role == LQ_ROLE_DEAD_LETTER &&
                   exchange->logical->entry->dead_letter_exchange
               ? LQ_DEAD_LETTER_EXCHANGE
               : LQ_EXCHANGE_NAME;
}

static enum lq_status report_conflict(struct lq_diags *diags,
                                      const struct lq_exchange *exchange,
                                      const struct lq_exchange *first)
{
    struct lq_arena *const arena = diags->arena;
    const struct lq_entry *const entry = first->logical->entry;
    const char *const shown =
        lq_printable(arena, exchange->name, strlen(exchange->name));
    const char *const label = lq_entry_label(arena, entry);
    struct lq_place place;
    const char *where = NULL;

    if (!shown || !label ||
        lq_field_place(entry, source_field(first), arena, &place) != LQ_OK) {
        return LQ_NOMEM;
    }
    where = lq_place_text(arena, &place);
    if (!where) {
        return LQ_NOMEM;
    }
    return lq_entry_error(
        diags, exchange->logical->entry, source_field(exchange),
        "%s '%s' cannot be %s: it is %s as the %s of %s%s%s",
        role_text(exchange->role), shown, ownership_text(exchange->ownership),
        ownership_text(first->ownership), role_text(first->role), label,
        *where ? " at " : "", where);
}

static enum lq_status add_exchange(struct lq_draft *draft, struct lq_map *names,
                                   const struct lq_exchange *exchange)
{
    struct lq_exchange *const next = &draft->exchanges[draft->exchange_count];
    const struct lq_exchange *first = NULL;
    void *held = NULL;

    if (!exchange->name) {
        return LQ_OK;
    }
    if (lq_map_add(names, exchange->name, next, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held == next) {
        *next = *exchange;
        ++draft->exchange_count;
        return LQ_OK;
    }
    first = held;
    return first->ownership == exchange->ownership
               ? LQ_OK
               : report_conflict(draft->diags, exchange, first);
}

static enum lq_status add_exchanges_of(struct lq_draft *draft,
                                       struct lq_map *names,
                                       const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    const bool named = lq_entry_sound(entry, lq_field_bit(LQ_EXCHANGE_NAME));
    const struct lq_exchange exchanges[] = {
        {named ? entry->exchange_name : NULL, lq_owner(logical), LQ_ROLE_MAIN,
         logical},
        {logical->retry_exchange, lq_owner(logical), LQ_ROLE_RETRY, logical},
        {logical->dead_letter_exchange, lq_owner(logical), LQ_ROLE_DEAD_LETTER,
         logical},
    };
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < sizeof(exchanges) / sizeof(exchanges[0]); ++i) {
        status = lq_worse(status, add_exchange(draft, names, &exchanges[i]));
    }
    return status;
}

enum lq_status lq_draft_exchanges(struct lq_draft *draft)
{
    const uint64_t ownership = lq_field_bit(LQ_TOPOLOGY_OWNERSHIP);
    enum lq_status status = LQ_OK;
    struct lq_map names;

    draft->exchanges = lq_alloc_array(draft->diags->arena, draft->logical_count,
                                      3 * sizeof(*draft->exchanges));
    if (!draft->exchanges) {
        return LQ_NOMEM;
    }
    lq_map_init(&names, draft->diags->arena);
    for (size_t i = 0; i < draft->logical_count && status != LQ_NOMEM; ++i) {
        const struct lq_logical *const logical = &draft->logicals[i];

        if (lq_entry_sound(logical->entry, ownership)) {
            status = lq_worse(status, add_exchanges_of(draft, &names, logical));
        }
    }
    return status;
}
