#ifndef LQ_CONFIG_INI_DOCUMENT_H
#define LQ_CONFIG_INI_DOCUMENT_H

#include "base/diag.h"
#include "base/map.h"
#include "config/ini_lines.h"
#include "config/load.h"
#include "model/entry.h"
#include "model/schema.h"

/* Which section the lines belong to. */
enum lq_ini_section {
    LQ_INI_OUTSIDE, /* no header yet */
    LQ_INI_SKIPPED, /* its header was reported; its keys are skipped */
    LQ_INI_BROKER,
    LQ_INI_DEFAULTS,
    LQ_INI_QUEUE
};

/* One INI file while it is read: headers and keys in, entries out. */
struct lq_ini {
    struct lq_config *config;
    struct lq_diags *diags;
    const char *file;
    const struct lq_line *line; /* being read */
    enum lq_ini_section section;
    size_t first_entry;                /* of this file, in the config */
    struct lq_entry blank;             /* the schema's defaults */
    struct lq_entry defaults;          /* [defaults] */
    unsigned defaults_line;            /* of its header; 0: none so far */
    unsigned broker_line;              /* of its header; 0: none so far */
    struct lq_broker_settings *broker; /* where its values go */
    struct lq_broker_settings spare;   /* ... in a second [broker] */
    struct lq_keys broker_keys;
    struct lq_keys queue_keys;
    struct lq_keys retention_keys;
    struct lq_map ignored; /* transactional_inbox keys of the section */
    size_t open_remarks;   /* those from here on wait for their line */
};

/* `file` is kept: LQ_OK or LQ_NOMEM. */
enum lq_status lq_ini_init(struct lq_ini *ini, struct lq_config *config,
                           const char *file, struct lq_diags *diags) LQ_CHECK;

/* The entry whose fields the section's keys set, or NULL. */
struct lq_entry *lq_ini_entry(struct lq_ini *ini);

/*
 * Adds the error "[SECTION] text" at the line being read; returns LQ_INVALID,
 * or LQ_NOMEM, also for a `text` of NULL.
 */
enum lq_status lq_ini_error(struct lq_ini *ini, const char *text) LQ_CHECK;

/*
 * The following take `ini->line`, report what is wrong with it and return
 * LQ_OK, LQ_INVALID or LQ_NOMEM; only the last ends the reading.
 */

/* A line that begins with '['. */
enum lq_status lq_ini_header(struct lq_ini *ini) LQ_CHECK;

/* A key and its value, trimmed. */
enum lq_status lq_ini_key(struct lq_ini *ini, const char *name,
                          const char *value) LQ_CHECK;

/* A line that cannot be read, for the reason that `text` gives. */
enum lq_status lq_ini_unreadable(struct lq_ini *ini, const char *text) LQ_CHECK;

/*
 * Any line, before it is interpreted: keeps a comment that begins with
 * "lilyq:ignore", and ties those above to the line that they are about.
 */
enum lq_status lq_ini_remark(struct lq_ini *ini) LQ_CHECK;

/*
 * After the last line: hands [defaults] down and reports missing required keys.
 */
enum lq_status lq_ini_end(struct lq_ini *ini) LQ_CHECK;

#endif
