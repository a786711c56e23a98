#include "topology/permissions.h"

#include "base/pattern.h"
#include "base/text.h"

/* What the broker calls the exchange without a name in permissions. */
#define DEFAULT_EXCHANGE "amq.default"

const char *lq_user_role_word(enum lilyq_role role)
{
    static const char *const words[] = {[LILYQ_DEPLOYER] = "deployer",
                                        [LILYQ_PUBLISHER] = "publisher",
                                        [LILYQ_CONSUMER] = "consumer",
                                        [LILYQ_OPERATOR] = "operator"};

    return words[role];
}

/* Write on the default exchange would reach every queue of the vhost. */
static enum lq_status check_names(const struct lq_grants *grants,
                                  struct lq_diags *diags)
{
    const char *const *const names = grants->names[LQ_WRITE].items;

    for (size_t i = 0; i < grants->names[LQ_WRITE].count; ++i) {
        if (lq_str_equal(names[i], DEFAULT_EXCHANGE)) {
            return lq_error(diags, NULL,
                            "no permission can name '" DEFAULT_EXCHANGE
                            "': to the broker it is the default exchange, "
                            "which reaches every queue");
        }
    }
    return LQ_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static enum lq_status check_size(const struct lq_pattern *pattern,
                                 enum lilyq_role role, struct lq_diags *diags)
{
    const char *const who = lq_user_role_word(role);

    if (pattern->compiled_bytes > LQ_PATTERN_MAX_COMPILED) {
        return lq_error(diags, NULL,
                        "a pattern of the %s has %zu bytes, which is more than "
                        "any broker takes: give the entries to several users, "
                        "from files of their own",
                        who, pattern->length);
    }
    if (pattern->length > LQ_PATTERN_MAX_LENGTH) {
        return lq_warning(diags, NULL,
                          "a pattern of the %s has %zu bytes, but RabbitMQ 4.3 "
                          "takes %zu at most: give the entries to several "
                          "users, from files of their own",
                          who, pattern->length, LQ_PATTERN_MAX_LENGTH);
    }
    return LQ_OK;
}

/* A pattern, copied from memory of which building it takes much more. */
static enum lq_status write_pattern(const struct lq_array *names,
                                    enum lq_pattern_style style,
                                    struct lq_arena *arena,
                                    struct lq_pattern *out)
{
    struct lq_arena scratch;

    lq_arena_init(&scratch);
    *out = lq_pattern_of(names->items, names->count, style, &scratch);
    if (out->text) {
        out->text = lq_strndup(arena, out->text, out->length);
    }
    lq_arena_free(&scratch);
    return out->text ? LQ_OK : LQ_NOMEM;
}

/* The easier one to read, if every broker takes it. */
static enum lq_status find_pattern(const struct lq_array *names,
                                   struct lq_arena *arena,
                                   struct lq_pattern *out)
{
    enum lq_status status = write_pattern(names, LQ_PATTERN_PLAIN, arena, out);

    if (status == LQ_OK && out->length > LQ_PATTERN_MAX_LENGTH) {
        status = write_pattern(names, LQ_PATTERN_SHORT, arena, out);
    }
    return status;
}

enum lq_status lq_permissions_build(const struct lq_topology *topology,
                                    enum lilyq_role role,
                                    struct lq_diags *diags,
                                    struct lq_permissions *out)
{
    struct lq_grants grants;
    struct lq_pattern pattern = {0};
    struct lq_pattern worst = {0};
    enum lq_status status =
        lq_grants_collect(topology, role, diags->arena, &grants);

    if (status == LQ_OK) {
        status = check_names(&grants, diags);
    }
    for (unsigned i = 0; i < LQ_ACCESS_COUNT && status == LQ_OK; ++i) {
        status = find_pattern(&grants.names[i], diags->arena, &pattern);
        out->patterns[i] = pattern.text;
        worst.length = larger(worst.length, pattern.length);
        worst.compiled_bytes =
            larger(worst.compiled_bytes, pattern.compiled_bytes);
    }
    return status == LQ_OK ? check_size(&worst, role, diags) : status;
}
