#ifndef LQ_CONFIG_INI_H
#define LQ_CONFIG_INI_H

#include "config/load.h"

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

#endif
