#include "topology/capacity.h"

#include "topology/field.h"

static struct lq_sum known(uint64_t value)
{
    return value <= INT64_MAX ? (struct lq_sum){value, true}
                              : (struct lq_sum){0, false};
}

static struct lq_sum add(struct lq_sum a, struct lq_sum b)
{
    /* neither is over INT64_MAX: the sum cannot wrap */
    return a.known && b.known ? known(a.value + b.value)
                              : (struct lq_sum){0, false};
}

static struct lq_sum multiply(uint64_t value, size_t count)
{
    return count != 0 && value > INT64_MAX / count ? (struct lq_sum){0, false}
                                                   : known(value * count);
}

struct lq_capacity lq_capacity_of(const struct lq_entry *entry,
                                  size_t bucket_count)
{
    const struct lq_sum retry_messages =
        multiply(entry->retry_bucket_max_messages, bucket_count);
    const struct lq_sum retry_bytes =
        multiply(entry->retry_bucket_max_bytes, bucket_count);

    return (struct lq_capacity){
        .messages = add(add(known(entry->main_max_messages), retry_messages),
                        known(entry->dead_letter_max_messages)),
        .bytes = add(add(known(entry->main_max_bytes), retry_bytes),
                     known(entry->dead_letter_max_bytes)),
    };
}

static enum lq_status warn(struct lq_diags *diags, const struct lq_place *place,
                           const char *whose, const char *what)
{
    return lq_warning(diags, place,
                      "%s may hold more than 9223372036854775807 %s at worst: "
                      "the sum is not known",
                      whose, what);
}

static enum lq_status warn_both(struct lq_diags *diags,
                                const struct lq_place *place, const char *whose,
                                struct lq_capacity capacity)
{
    enum lq_status status = LQ_OK;

    if (!capacity.messages.known) {
        status = warn(diags, place, whose, "messages");
    }
    if (!capacity.bytes.known) {
        status = lq_worse(status, warn(diags, place, whose, "bytes"));
    }
    return status;
}

static enum lq_status warn_entry(struct lq_diags *diags,
                                 const struct lq_logical *logical)
{
    const struct lq_capacity capacity = logical->capacity;
    const char *label = NULL;

    if (capacity.messages.known && capacity.bytes.known) {
        return LQ_OK;
    }
    label = lq_entry_label(diags->arena, logical->entry);
    return label ? warn_both(diags, &logical->entry->place, label, capacity)
                 : LQ_NOMEM;
}

enum lq_status lq_capacity_total(const struct lq_logical *logicals,
                                 size_t count, struct lq_diags *diags,
                                 struct lq_capacity *out)
{
    enum lq_status status = LQ_OK;

    *out = (struct lq_capacity){{0, true}, {0, true}};
    for (size_t i = 0; i < count; ++i) {
        const struct lq_capacity part = logicals[i].capacity;

        out->messages = add(out->messages, part.messages);
        out->bytes = add(out->bytes, part.bytes);
        status = lq_worse(status, warn_entry(diags, &logicals[i]));
    }
    return lq_worse(status, warn_both(diags, NULL, "the topology", *out));
}
