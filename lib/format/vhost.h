#ifndef LQ_FORMAT_VHOST_H
#define LQ_FORMAT_VHOST_H

#include "base/diag.h"

/*
 * LQ_OK for what a virtual host can be called. LQ_NOMEM, or LQ_INVALID with an
 * error in `diags`: it is not UTF-8 of up to 255 bytes.
 */
enum lq_status lq_vhost_check(const char *vhost,
                              struct lq_diags *diags) LQ_CHECK;

#endif
