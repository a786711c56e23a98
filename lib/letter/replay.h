/* What is published for a dead letter. */
#ifndef LQ_LETTER_REPLAY_H
#define LQ_LETTER_REPLAY_H

#include "base/arena.h"
#include "model/message.h"

#include <stdbool.h>

/* Where replayed letters go, and by which run. */
struct lq_replay_how {
    const char *exchange;
    const char *routing_key;
    const char *run_id; /* the value of x-lilyq-replay-id */
    const char *user;   /* who publishes; NULL: not known */
};

/*
 * Makes a fresh event of a letter: as it came, but for what earlier failures
 * and the broker added to it. Headers that stay keep their order, type and
 * bytes. Gone are the framework's headers of a failure (x-retry-count among
 * them, or the next failure would be the last), those that a broker puts on
 * dead or returned letters (RabbitMQ 3.10 drops a letter whose x-death it takes
 * for a circle), CC and BCC, `expiration`, and a `user_id` that is not the
 * publisher's, for which the broker would close the channel. Set are
 * delivery_mode 2, x-lilyq-replay-id, and x-lilyq-replay-count, one higher.
 *
 * `out` points into the letter and the arena. False when the letter's
 * properties or headers are malformed: it cannot be replayed.
 */
bool lq_replay_message(const struct lq_replay_how *how,
                       const struct lq_message *letter, struct lq_arena *arena,
                       struct lq_message *out);

/* Whether a message was published by the run of that id. */
bool lq_replay_is_of_run(const struct lq_message *message, const char *run_id);

#endif
