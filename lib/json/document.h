#ifndef LQ_JSON_DOCUMENT_H
#define LQ_JSON_DOCUMENT_H

#include "base/diag.h"
#include "json/source.h"

#include <jansson.h>

/*
 * Parses a text with jansson; a byte order mark may precede it. Numbers become
 * strings that begin with LQ_JSON_MARK, as json/scan.h says, so that none is
 * too large and no digit is lost. What is wrong is reported with line and
 * column. The value is the caller's: json_decref(). LQ_OK, LQ_INVALID or
 * LQ_NOMEM.
 */
enum lq_status lq_json_parse(const struct lq_json_source *source,
                             struct lq_diags *diags, json_t **out) LQ_CHECK;

#endif
