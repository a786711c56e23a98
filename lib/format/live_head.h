/* Reads what a document says about the broker and the virtual host. */
#ifndef LQ_FORMAT_LIVE_HEAD_H
#define LQ_FORMAT_LIVE_HEAD_H

#include "format/live_shape.h"

/* All of these: LQ_OK, LQ_INVALID (reported) or LQ_NOMEM. */

/* The version of the broker, if the object says it. */
enum lq_status lq_live_version(const struct lq_live_reader *reader,
                               const struct lq_node *object) LQ_CHECK;

/*
 * The version, and the default queue type of our virtual host. An error when
 * the document lists its virtual hosts, and ours is none of them.
 */
enum lq_status lq_live_head(struct lq_live_reader *reader,
                            const struct lq_node *document) LQ_CHECK;

/*
 * Finds the virtual host that a definitions document is about, when none was
 * chosen: its only one, or what it was exported from, or else "/". An error
 * when there are several.
 */
enum lq_status lq_live_choose_vhost(const struct lq_live_reader *reader,
                                    const struct lq_node *document) LQ_CHECK;

/* Reports that the document is not about our virtual host. */
enum lq_status lq_live_no_vhost(const struct lq_live_reader *reader) LQ_CHECK;

#endif
