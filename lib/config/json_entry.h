#ifndef LQ_CONFIG_JSON_ENTRY_H
#define LQ_CONFIG_JSON_ENTRY_H

#include "config/keys.h"
#include "config/load.h"
#include "config/value.h"

#include <jansson.h>

/* What the readers of one document share. */
struct lq_json_reader {
    struct lq_config *config;
    struct lq_diags *diags;
    const char *file;
    struct lq_entry blank;    /* has the schema's defaults only */
    struct lq_keys fields;    /* of a queue, the nested ones included */
    struct lq_keys retention; /* by their names in the object `retention` */
};

/* A value with the strings that json/scan.h marks taken back. */
struct lq_value lq_json_value(const json_t *json);

/*
 * Adds the error "must be WANTED, not FOUND" at a path; NULL is the document.
 * Returns LQ_INVALID, or LQ_NOMEM.
 */
enum lq_status lq_json_error(const struct lq_json_reader *reader,
                             const char *path, const char *wanted,
                             const json_t *json) LQ_CHECK;

/*
 * Adds an entry of `queues`. `path` says where it stands and is kept; NULL is
 * out of memory. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_entry(const struct lq_json_reader *reader,
                             const char *path, json_t *json) LQ_CHECK;

#endif
