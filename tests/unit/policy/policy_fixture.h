/* Policies of a broker, and a matcher that needs no library. */
#ifndef POLICY_FIXTURE_H
#define POLICY_FIXTURE_H

#include "live/live.h"
#include "policy/matcher.h"

#include <stdlib.h>

#include "../plan/fixture.h"

/*
 * Patterns of the fake: a text that the name holds, "^..." what it begins
 * with, "" any; "?..." is of unknown match, "(" invalid.
 */
static inline enum lq_status fake_compile(void *context, const char *pattern,
                                          void **out)
{
    const char **const copy = lq_alloc(context, sizeof(*copy));

    *out = NULL;
    if (!copy) {
        return LQ_NOMEM;
    }
    *copy = lq_strdup(context, pattern);
    *out = pattern[0] != '(' ? copy : NULL;
    return lq_arena_status(context, LQ_OK);
}

static inline enum lq_status fake_match(void *context, void *pattern,
                                        const char *name, enum lq_match *out)
{
    const char *const text = *(const char **)pattern;
    const char *at = NULL;

    (void)context;
    if (text[0] == '?') {
        *out = strstr(name, text + 1) ? LQ_MATCH_UNKNOWN : LQ_MATCH_NO;
        return LQ_OK;
    }
    at = strstr(name, text[0] == '^' ? text + 1 : text);
    *out = at && (text[0] != '^' || at == name) ? LQ_MATCH_YES : LQ_MATCH_NO;
    return LQ_OK;
}

static inline struct lq_matcher fake_matcher(struct lq_arena *arena)
{
    return (struct lq_matcher){arena, fake_compile, fake_match};
}

/* Adds "key=value" to a definition: an integer when it looks like one. */
static inline void define(struct lq_live_arguments *definition, char *text)
{
    struct lq_live_argument *const item =
        &definition->items[definition->count++];
    char *const value = strchr(text, '=') + 1;
    char *end = NULL;

    value[-1] = '\0';
    item->key = text;
    item->text = value;
    item->number = strtoll(value, &end, 10);
    item->type = *value && !*end ? LQ_LIVE_INTEGER : LQ_LIVE_STRING;
}

/* "key=value key=value ..." */
static inline struct lq_live_arguments definition_of(struct lq_arena *arena,
                                                     const char *text)
{
    struct lq_live_arguments definition = {.known = true};
    char *rest = lq_copy(arena, text, strlen(text));

    definition.items = lq_alloc_array(arena, 8, sizeof(*definition.items));
    assert_non_null(definition.items);
    for (char *at = strtok_r(rest, " ", &rest); at;
         at = strtok_r(NULL, " ", &rest)) {
        define(&definition, at);
    }
    return definition;
}

/* Adds a policy for queues, which may be changed afterwards. */
static inline struct lq_live_policy *add_policy_to(struct lq_live *live,
                                                   struct lq_array *policies,
                                                   const char *name_and_pattern,
                                                   double priority,
                                                   const char *definition)
{
    struct lq_live_policy *const item = lq_alloc(live->arena, sizeof(*item));
    char *const name =
        lq_copy(live->arena, name_and_pattern, strlen(name_and_pattern));

    assert_non_null(item);
    assert_non_null(name);
    *item = (struct lq_live_policy){.name = name,
                                    .scope = LQ_LIVE_QUEUES,
                                    .priority = priority,
                                    .definition =
                                        definition_of(live->arena, definition)};
    item->pattern = strchr(name, ' ') + 1;
    *strchr(name, ' ') = '\0';
    assert_int_equal(lq_live_add_policy(live, policies, item), LQ_OK);
    return item;
}

static inline struct lq_live_policy *add_policy(struct lq_live *live,
                                                const char *name_and_pattern,
                                                double priority,
                                                const char *definition)
{
    return add_policy_to(live, &live->policies, name_and_pattern, priority,
                         definition);
}

static inline struct lq_live_policy *
add_operator_policy(struct lq_live *live, const char *name_and_pattern,
                    double priority, const char *definition)
{
    return add_policy_to(live, &live->operator_policies, name_and_pattern,
                         priority, definition);
}

#endif
