#ifndef LQ_CONFIG_LOAD_H
#define LQ_CONFIG_LOAD_H

#include "base/diag.h"
#include "lilyq.h"
#include "model/schema.h"

#include <stddef.h>

/* What all files of a run say together. */
struct lq_config {
    struct lq_array entries; /* struct lq_entry, in input order */
    struct lq_array remarks; /* struct lq_remark, likewise */
    struct lq_broker_settings broker;
};

/* More is refused: of one document, and of entries of a run. */
#define LQ_ENTRIES_MAX_BYTES ((size_t)64 * 1024 * 1024)
#define LQ_ENTRIES_MAX ((size_t)65536)

void lq_config_init(struct lq_config *config);

/* A document in memory. */
struct lq_document {
    const char *name; /* what messages call it; copied */
    const char *text;
    size_t length; /* bytes */
    enum lilyq_input input;
};

/*
 * Adds one document. AUTO means JSON when the name ends in ".json", else INI.
 * [defaults] reaches the queues of its own document only. Reports every
 * problem in `diags`, whose arena keeps all that is loaded; LQ_INVALID leaves
 * the entries that could be read, so that the planner's checks can run on them
 * too. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_load_text(struct lq_config *config,
                            const struct lq_document *document,
                            struct lq_diags *diags) LQ_CHECK;

/* The same for a file; LQ_IO with the reason when it cannot be read. */
enum lq_status lq_load_file(struct lq_config *config, const char *path,
                            enum lilyq_input input,
                            struct lq_diags *diags) LQ_CHECK;

/*
 * Adds what an INI text says. `file` is what messages call it; both it and
 * the text live as long as the arena of `diags`. LQ_OK, LQ_INVALID or
 * LQ_NOMEM.
 *
 * Sets inih's process-wide options and leaves them set.
 */
enum lq_status lq_ini_load(struct lq_config *config, const char *file,
                           const char *text, size_t length,
                           struct lq_diags *diags) LQ_CHECK;

/*
 * Adds the queues of a JSON text: an array at `queues` or, in any document, at
 * `rabbitmq.topology.queues`. `file` is what messages call it and lives as
 * long as the arena of `diags`. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_load(struct lq_config *config, const char *file,
                            const char *text, size_t length,
                            struct lq_diags *diags) LQ_CHECK;

#endif
