/* A plan and its definitions, to be changed and compared again. */
#ifndef SCENE_H
#define SCENE_H

#include "base/diag.h"
#include "compare/compare.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define EXPECTED_MAX 16

struct scene {
    struct lq_arena arena;
    struct lq_diags diags;
    const struct lq_topology *plan;
    json_t *definitions;
    uint64_t random;
    const char *expected[EXPECTED_MAX]; /* "code name field" */
    size_t expected_count;
};

/* A comparison: lq_diff(), or the one below. */
typedef enum lq_status scene_compare(const struct lq_topology *plan,
                                     const struct lq_live *live,
                                     struct lq_arena *arena,
                                     struct lq_diff *out);

/* Everything that there is, with all that definitions leave out taken for none.
 */
enum lq_status scene_compare_all(const struct lq_topology *plan,
                                 const struct lq_live *live,
                                 struct lq_arena *arena, struct lq_diff *out);

/* False when the vector cannot be planned; scene_close() it all the same. */
bool scene_open(struct scene *scene, const struct vector *vector,
                uint64_t seed);

void scene_close(struct scene *scene);

/* A number below `limit`: the same ones in every run. */
size_t scene_draw(struct scene *scene, size_t limit);

/* Has the comparison find this too; `field` "": the whole. */
void scene_expect(struct scene *scene, const char *code, const char *name,
                  const char *field);

/*
 * Compares, and fails unless exactly what is expected is found. What is
 * external and missing is, as definitions never have it.
 */
void scene_check(struct scene *scene, scene_compare *compare);

/* A list of the definitions. */
json_t *scene_list(const struct scene *scene, const char *name);

/* The element of a list with this name, or NULL. */
json_t *scene_find(const struct scene *scene, const char *list,
                   const char *name);

const char *scene_text(const json_t *object, const char *key);

/* Steals the value. */
void scene_set(json_t *object, const char *key, json_t *value);

#endif
