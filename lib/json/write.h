#ifndef LQ_JSON_WRITE_H
#define LQ_JSON_WRITE_H

#include "base/buffer.h"
#include "base/writer.h"
#include "lilyq.h"
#include "json/tree.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Writes a JSON document as it goes, so that its size costs no memory. The
 * document is one object with a line for each member, and a line for each
 * element of an array begun with lq_json_lines_begin(). lq_json_end() reports
 * any failure.
 *
 * `key` is a constant without anything to escape, or NULL for an element of an
 * array. Texts are UTF-8 and survive a round trip: characters for which
 * lq_is_shown() is false are escaped. A byte that is not UTF-8 becomes \xNN.
 */
struct lq_json {
    struct lq_writer writer;
    unsigned depth; /* of what is open: 1 in the document's object */
    bool first;     /* nothing was written so far on this level */
    bool lines;     /* the second level is an array with a line an element */
};

void lq_json_begin(struct lq_json *json, const struct lilyq_sink *sink);

/* Ends the document: LQ_OK, LQ_IO (the sink refused) or LQ_NOMEM. */
enum lq_status lq_json_end(struct lq_json *json) LQ_CHECK;

/* An array as member of the document. */
void lq_json_lines_begin(struct lq_json *json, const char *key);
void lq_json_lines_end(struct lq_json *json);

void lq_json_object_begin(struct lq_json *json, const char *key);
void lq_json_object_end(struct lq_json *json);

void lq_json_array_begin(struct lq_json *json, const char *key);
void lq_json_array_end(struct lq_json *json);

void lq_json_text(struct lq_json *json, const char *key, const char *text);
void lq_json_integer(struct lq_json *json, const char *key, int64_t number);
void lq_json_count(struct lq_json *json, const char *key, uint64_t number);
/* A number, already in digits. */
void lq_json_number(struct lq_json *json, const char *key, const char *digits);

void lq_json_bool(struct lq_json *json, const char *key, bool value);
void lq_json_null(struct lq_json *json, const char *key);

/* null for a NULL text and for a count of 0. */
void lq_json_text_or_null(struct lq_json *json, const char *key,
                          const char *text);
void lq_json_count_or_null(struct lq_json *json, const char *key,
                           uint64_t number);

/* Adds the text as a JSON string, with its quotes; C0 80 becomes U+0000. */
void lq_json_quote(struct lq_buffer *buffer, const char *text);

/*
 * The value as JSON without blanks and with the keys of its tables in order:
 * equal values have equal texts, as long as their numbers are written alike.
 */
const char *lq_node_compact(const struct lq_node *node, struct lq_arena *arena);

#endif
