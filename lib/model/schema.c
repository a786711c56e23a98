#include "model/schema.h"

#include "base/text.h"
#include "model/identity.h"

#include <string.h>

static const char *const exchange_kinds[] = {"direct", NULL};
static const char *const queue_types[] = {"classic", "quorum", NULL};
static const char *const ownerships[] = {"framework_managed", "external", NULL};
/* each second one means yes: lq_broker_has_policies() */
static const char *const answers[] = {"no", "yes", "false", "true", NULL};

const struct lq_key lq_keys[] = {
#define BROKER_KEY(ctype, member, ...)                                         \
    {.section = LQ_SECTION_BROKER,                                             \
     .name = #member,                                                          \
     .offset = offsetof(struct lq_broker_settings, member),                    \
     __VA_ARGS__},
#include "model/keys.def"
#define QUEUE_KEY(id, key, ctype, member, ...)                                 \
    {.section = LQ_SECTION_QUEUE,                                              \
     .field = (id),                                                            \
     .name = (key),                                                            \
     .offset = offsetof(struct lq_entry, member),                              \
     __VA_ARGS__},
#include "model/keys.def"
};

const size_t lq_key_count = sizeof(lq_keys) / sizeof(lq_keys[0]);

const struct lq_key *lq_key_find(enum lq_section section, const char *name)
{
    for (size_t i = 0; i < lq_key_count; ++i) {
        if (lq_keys[i].section == section &&
            lq_str_equal(lq_keys[i].name, name)) {
            return &lq_keys[i];
        }
    }
    return NULL;
}

const struct lq_key *lq_key_of(enum lq_field field)
{
    return &lq_keys[LQ_BROKER_KEY_COUNT + (size_t)field];
}

/* Holds a pointer to a constant, which a map cannot hold itself. */
struct row {
    const struct lq_key *key;
};

/* The name without the prefix, or NULL when it does not begin with it. */
static const char *short_name(const struct lq_keys *keys,
                              const struct lq_key *key)
{
    const size_t skip = strlen(keys->prefix);

    return key->section == keys->section &&
                   strncmp(key->name, keys->prefix, skip) == 0
               ? key->name + skip
               : NULL;
}

enum lq_status lq_keys_init(struct lq_keys *keys, enum lq_section section,
                            const char *prefix, struct lq_arena *arena)
{
    struct row *const rows = lq_alloc_array(arena, lq_key_count, sizeof(*rows));

    keys->section = section;
    keys->prefix = prefix;
    lq_map_init(&keys->rows, arena);
    for (size_t i = 0; rows && i < lq_key_count; ++i) {
        const char *const name = short_name(keys, &lq_keys[i]);
        void *held = NULL;

        rows[i].key = &lq_keys[i];
        if (name && lq_map_add(&keys->rows, name, &rows[i], &held) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return rows ? LQ_OK : LQ_NOMEM;
}

const struct lq_key *lq_keys_get(const struct lq_keys *keys, const char *name)
{
    const struct row *const row = lq_map_get(&keys->rows, name);

    return row ? row->key : NULL;
}

#define WORDS_MAX 64

const struct lq_key *lq_keys_suggest(const struct lq_keys *keys,
                                     const char *name)
{
    const char *words[WORDS_MAX];
    size_t count = 0;
    const char *word = NULL;

    for (size_t i = 0; i < lq_key_count && count + 1 < WORDS_MAX; ++i) {
        const char *const known = short_name(keys, &lq_keys[i]);

        if (known) {
            words[count++] = known;
        }
    }
    word = lq_suggest(name, words, count);
    return word ? lq_keys_get(keys, word) : NULL;
}
