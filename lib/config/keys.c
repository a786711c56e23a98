#include "config/keys.h"

#include "base/text.h"

#include <string.h>

/* What the map holds: it takes no pointers to what is constant. */
struct row {
    const struct lq_key *key;
};

/* The name without the prefix, or NULL when it does not begin so. */
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
