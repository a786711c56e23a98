/*
 * Carries messages to and from a broker, for the scripts here.
 *
 *     carry [-h SECONDS] [-w WINDOW] [-c FILE] URL VERB ARGUMENT...
 *
 *     fill EXCHANGE KEY COUNT SIZE   publishes numbered messages
 *     one EXCHANGE KEY BODY [USER]   publishes one, perhaps of a user_id
 *     mixed EXCHANGE KEY COUNT       every other one with the key "nowhere"
 *     twins EXCHANGE KEY COUNT       the same, alike but for a header
 *     look QUEUE COUNT               takes messages and puts them back
 *     drain QUEUE COUNT              takes and acknowledges them
 *     abandon QUEUE COUNT            the same, and is killed at once
 *     bodies QUEUE                   bodies of every size, there and back
 *     fields QUEUE                   fields of every type, there and back
 *     idle QUEUE SECONDS             waits for nothing to happen
 *     watch QUEUE SECONDS            tells what happens to a message held
 *     lock NAME HOLDER [SECONDS]     holds a lock
 *
 * -h is the heartbeat, -w how many messages may be in flight, -c has the
 * certificate authorities. What took how long is on stderr, with the errors;
 * the exit status is the enum lq_status.
 */
#include "base/clock.h"
#include "broker/amqp/consumer.h"
#include "broker/amqp/publisher.h"
#include "broker/url.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 120000 /* ms */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct job {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_connection connection;
    size_t window;
    char **arguments;
    struct lq_consumer *consumer;
    struct lq_publisher *publisher;
    /* of what was published */
    uint64_t confirmed;
    uint64_t nacked;
    uint64_t returned;
    uint64_t doubtful;
    bool closed;
};

/* Only delivery_mode, which is 2. */
static const uint8_t persistent[] = {0x10, 0x00, 2};

static uint64_t soon(void)
{
    return lq_now_millis() + PATIENCE;
}

static size_t number(const char *text)
{
    return strtoul(text, NULL, 10);
}

static void tell_rate(const char *what, size_t count, uint64_t start)
{
    const uint64_t millis = lq_now_millis() - start;

    fprintf(stderr, "%s %zu in %" PRIu64 " ms, %" PRIu64 "/s\n", what, count,
            millis, millis ? count * 1000 / millis : 0);
}

/* Prints a denial; true when there is one. */
static bool is_denied(const char *what, const struct lq_answer *answer)
{
    if (answer->kind != LQ_DONE) {
        printf("%s denied %d %s\n", what, answer->code, answer->shown);
    }
    return answer->kind != LQ_DONE;
}

static void take_event(struct job *job, const struct lq_publisher_event *event)
{
    const uint64_t count = event->last - event->first + 1;

    switch (event->kind) {
    case LQ_CONFIRMED:
        job->confirmed += count;
        break;
    case LQ_NACKED:
        job->nacked += count;
        break;
    case LQ_RETURNED:
        job->returned += count;
        for (uint64_t n = event->first; n <= event->last; ++n) {
            printf("returned %" PRIu64 " %d %s\n", n, event->code,
                   event->shown);
        }
        break;
    case LQ_DOUBTFUL:
        job->doubtful += count;
        break;
    case LQ_BLOCKED:
        printf("blocked %s\n", event->shown);
        (void)fflush(stdout);
        break;
    case LQ_UNBLOCKED:
        printf("unblocked\n");
        break;
    case LQ_PUBLISHER_CLOSED:
        printf("closed %d %s\n", event->code, event->shown);
        job->closed = true;
        break;
    case LQ_NO_EVENT:
        break;
    }
}

/* Publishes all, and waits for what becomes of them. */
static enum lq_status publish(struct job *job,
                              const struct lq_message *messages, size_t count)
{
    size_t sent = 0;
    enum lq_status status = LQ_OK;

    while (status == LQ_OK && !job->closed &&
           (sent < count || lq_publisher_in_flight(job->publisher) > 0)) {
        const size_t flying = lq_publisher_in_flight(job->publisher);
        size_t room = job->window - flying;
        size_t taken = 0;
        struct lq_publisher_event event;

        room = room < count - sent ? room : count - sent;
        if (room > 0) {
            status = lq_publisher_send(job->publisher, messages + sent, room,
                                       &taken);
            sent += taken;
        }
        if (status == LQ_OK) {
            status = lq_publisher_next(job->publisher, soon(), &event);
        }
        if (status == LQ_OK && event.kind == LQ_NO_EVENT) {
            printf("no event\n");
            return LQ_LOST;
        }
        if (status == LQ_OK) {
            take_event(job, &event);
        }
    }
    return status;
}

static enum lq_status open_publisher(struct job *job)
{
    return lq_publisher_open(&job->connection, &job->diags, &job->publisher);
}

static enum lq_status open_consumer(struct job *job)
{
    return lq_consumer_open(&job->connection, &job->diags, &job->consumer);
}

static void print_outcome(const struct job *job)
{
    printf("confirmed %" PRIu64 " nacked %" PRIu64 " returned %" PRIu64
           " doubtful %" PRIu64 "\n",
           job->confirmed, job->nacked, job->returned, job->doubtful);
}

/* Numbered messages of a size, but for the number. */
static struct lq_message *numbered(struct job *job, size_t count, size_t size)
{
    struct lq_message *const messages =
        lq_alloc_array(&job->arena, count, sizeof(*messages));

    for (size_t i = 0; messages && i < count; ++i) {
        char *const body = lq_alloc(&job->arena, size + 32);
        const int length = body ? snprintf(body, 32, "%zu ", i) : 0;

        if (!body) {
            return NULL;
        }
        memset(body + length, 'x', size);
        messages[i] = (struct lq_message){
            .exchange = lq_bytes_of(job->arguments[0]),
            .routing_key = lq_bytes_of(job->arguments[1]),
            .properties = {persistent, sizeof(persistent)},
            .body = {(const uint8_t *)body,
                     size > (size_t)length ? size : (size_t)length}};
    }
    return messages;
}

static enum lq_status fill(struct job *job)
{
    const size_t count = number(job->arguments[2]);
    const struct lq_message *const messages =
        numbered(job, count, number(job->arguments[3]));
    enum lq_status status = messages ? open_publisher(job) : LQ_NOMEM;
    const uint64_t start = lq_now_millis();

    if (status == LQ_OK) {
        status = publish(job, messages, count);
    }
    tell_rate("published", count, start);
    print_outcome(job);
    return status;
}

static enum lq_status mixed(struct job *job)
{
    const size_t count = number(job->arguments[2]);
    struct lq_message *const messages = numbered(job, count, 0);
    enum lq_status status = messages ? open_publisher(job) : LQ_NOMEM;

    for (size_t i = 0; status == LQ_OK && i < count; i += 2) {
        messages[i].routing_key = lq_bytes_of("nowhere");
    }
    if (status == LQ_OK) {
        status = publish(job, messages, count);
    }
    print_outcome(job);
    return status;
}

/*
 * As mixed(), with one body for all, and headers that brokers sort and whose
 * types they change: z is the number, and a an unsigned one.
 */
static enum lq_status twins(struct job *job)
{
    static const uint8_t headers[] = "\x30\0\0\0\0\x12\1zI\0\0\0\0"
                                     "\1aL\0\0\0\0\0\0\0\7\2";
    const size_t count = number(job->arguments[2]);
    struct lq_message *const messages = numbered(job, count, 0);
    enum lq_status status = messages ? open_publisher(job) : LQ_NOMEM;

    for (size_t i = 0; status == LQ_OK && i < count; ++i) {
        uint8_t *const at = lq_alloc(&job->arena, sizeof(headers));

        if (!at) {
            return LQ_NOMEM;
        }
        memcpy(at, headers, sizeof(headers) - 1);
        at[12] = (uint8_t)i;
        messages[i].properties = (struct lq_bytes){at, sizeof(headers) - 1};
        messages[i].body = lq_bytes_of("{}");
        if (i % 2 == 0) {
            messages[i].routing_key = lq_bytes_of("nowhere");
        }
    }
    if (status == LQ_OK) {
        status = publish(job, messages, count);
    }
    print_outcome(job);
    return status;
}

static enum lq_status one(struct job *job)
{
    const char *const user = job->arguments[3];
    uint8_t properties[64] = {0};
    struct lq_message message = {.exchange = lq_bytes_of(job->arguments[0]),
                                 .routing_key = lq_bytes_of(job->arguments[1]),
                                 .body = lq_bytes_of(job->arguments[2])};
    enum lq_status status = open_publisher(job);

    if (user) {
        properties[1] = 0x10; /* user_id */
        properties[2] = (uint8_t)strlen(user);
        (void)snprintf((char *)properties + 3, sizeof(properties) - 3, "%s",
                       user);
        message.properties = (struct lq_bytes){properties, 3 + strlen(user)};
    }
    if (status == LQ_OK) {
        status = publish(job, &message, 1);
    }
    print_outcome(job);
    return status;
}

/* Takes one message; false when there is none, and says why. */
static bool take(struct job *job, uint64_t until, struct lq_delivery *delivery,
                 enum lq_status *status)
{
    *status = lq_consumer_next(job->consumer, until, delivery);
    if (*status != LQ_OK || delivery->kind == LQ_DELIVERY) {
        return *status == LQ_OK;
    }
    if (delivery->kind == LQ_CONSUMER_CLOSED) {
        printf("closed %d %s\n", delivery->code, delivery->shown);
    } else {
        printf("%s\n", delivery->kind == LQ_CONSUMER_CANCELLED ? "cancelled"
                                                               : "nothing");
    }
    return false;
}

static enum lq_status start(struct job *job, const char *queue, size_t prefetch)
{
    struct lq_answer answer;
    enum lq_status status = open_consumer(job);

    if (status == LQ_OK) {
        status = lq_consumer_start(job->consumer, queue, (unsigned)prefetch,
                                   &answer);
    }
    return status == LQ_OK && is_denied("start", &answer) ? LQ_REFUSED : status;
}

/* Stops, settles all that is held, and tells what is ready then. */
static enum lq_status finish(struct job *job, bool acknowledge)
{
    struct lq_surplus surplus = {0};
    struct lq_answer answer = {0};
    enum lq_status status = lq_consumer_stop(job->consumer, &surplus, &answer);

    if (status == LQ_OK && is_denied("stop", &answer)) {
        return LQ_REFUSED;
    }
    if (status == LQ_OK) {
        status = acknowledge ? lq_consumer_ack(job->consumer, 0, true)
                             : lq_consumer_put_back(job->consumer, 0, true);
    }
    if (status == LQ_OK) {
        status = lq_consumer_sync(job->consumer, &answer);
    }
    if (status == LQ_OK && !is_denied("sync", &answer)) {
        fprintf(stderr, "ready %u\n", (unsigned)answer.messages);
        printf("settled\n");
    }
    return status;
}

/* Takes messages; the numbers of the first, and whether all are in order. */
static enum lq_status take_all(struct job *job, size_t count, bool acknowledge)
{
    struct lq_delivery delivery;
    enum lq_status status = LQ_OK;
    bool sorted = true;
    size_t taken = 0;
    size_t last = 0;

    printf("took");
    for (; taken < count && take(job, soon(), &delivery, &status); ++taken) {
        const size_t n = number((const char *)delivery.message.body.at);

        sorted = sorted && (taken == 0 || n > last);
        last = n;
        if (taken < 10) {
            printf(" %zu", n);
        }
        if (acknowledge) {
            status = lq_consumer_ack(job->consumer, delivery.tag, false);
        }
    }
    printf(", %zu %s\n", taken, sorted ? "in order" : "out of order");
    return status;
}

static enum lq_status look(struct job *job)
{
    const size_t count = number(job->arguments[1]);
    enum lq_status status = start(job, job->arguments[0], count);
    uint64_t begun = lq_now_millis();

    if (status != LQ_OK) {
        return status;
    }
    status = take_all(job, count, false);
    tell_rate("took", count, begun);
    begun = lq_now_millis();
    if (status == LQ_OK) {
        status = finish(job, false);
    }
    tell_rate("put back", count, begun);
    return status;
}

static enum lq_status drain(struct job *job)
{
    const size_t count = number(job->arguments[1]);
    enum lq_status status = start(job, job->arguments[0], count);
    const uint64_t begun = lq_now_millis();

    if (status != LQ_OK) {
        return status;
    }
    status = take_all(job, count, true);
    if (status == LQ_OK) {
        status = finish(job, true);
    }
    tell_rate("drained", count, begun);
    return status;
}

static enum lq_status abandon(struct job *job)
{
    const enum lq_status status = drain(job);

    (void)fflush(stdout);
    (void)raise(SIGKILL);
    return status;
}

/* Publishes messages to a queue and takes them off it again, one at a time. */
static enum lq_status
round_trip(struct job *job, const struct lq_message *messages, size_t count,
           void (*compare)(size_t index, const struct lq_message *sent,
                           const struct lq_message *got))
{
    struct lq_delivery delivery;
    enum lq_status status = open_publisher(job);

    if (status == LQ_OK) {
        status = publish(job, messages, count);
    }
    print_outcome(job);
    if (status == LQ_OK) {
        status = start(job, job->arguments[0], 1);
    }
    for (size_t i = 0; i < count && status == LQ_OK; ++i) {
        if (!take(job, soon(), &delivery, &status)) {
            return status;
        }
        compare(i, &messages[i], &delivery.message);
        status = lq_consumer_ack(job->consumer, delivery.tag, false);
    }
    return status == LQ_OK ? finish(job, true) : status;
}

static void compare_bodies(size_t index, const struct lq_message *sent,
                           const struct lq_message *got)
{
    (void)index;
    printf("%zu %s\n", sent->body.length,
           lq_bytes_equal(sent->body, got->body) ? "same" : "differs");
}

static enum lq_status bodies(struct job *job)
{
    static const size_t sizes[] = {0,      1,      4088,    131063, 131064,
                                   131065, 131072, 262127,  262128, 262129,
                                   262136, 262144, 5242880, 2};
    struct lq_message messages[COUNT(sizes)] = {{.body = {0}}};

    for (size_t i = 0; i < COUNT(sizes); ++i) {
        uint8_t *const at = lq_alloc(&job->arena, sizes[i] + 1);

        if (!at) {
            return LQ_NOMEM;
        }
        for (size_t n = 0; n < sizes[i]; ++n) {
            at[n] = (uint8_t)(n * 2654435761U >> 13);
        }
        messages[i].routing_key = lq_bytes_of(job->arguments[0]);
        messages[i].properties =
            (struct lq_bytes){persistent, sizeof(persistent)};
        messages[i].body = (struct lq_bytes){at, sizes[i]};
    }
    return round_trip(job, messages, COUNT(sizes), compare_bodies);
}

/* A header "k" of each type, and how long it is. */
static const struct {
    const char *name;
    const char *bytes;
    size_t length;
} fields[] = {
    {"t true", "\1kt\1", 4},
    {"b", "\1kb\x80", 4},
    {"B", "\1kB\xff", 4},
    {"s", "\1ks\x80\x01", 5},
    {"u", "\1ku\xff\xfe", 5},
    {"I", "\1kI\x80\0\0\1", 7},
    {"i", "\1ki\xff\0\0\1", 7},
    {"l", "\1kl\x80\0\0\0\0\0\0\1", 11},
    {"f", "\1kf\x80\0\0\0", 7},
    {"d", "\1kd\x3f\xf0\0\0\0\0\0\1", 11},
    {"D", "\1kD\2\0\0\1\0", 8},
    {"S", "\1kS\0\0\0\3a\xff\0", 10},
    {"S empty", "\1kS\0\0\0\0", 7},
    {"x", "\1kx\0\0\0\2\0\xfe", 9},
    {"A", "\1kA\0\0\0\x0bI\0\0\0\1S\0\0\0\1z", 18},
    {"A empty", "\1kA\0\0\0\0", 7},
    {"F", "\1kF\0\0\0\5\2zzt\0", 12},
    {"F order", "\1kF\0\0\0\x08\1zb\1\1ab\2", 15},
    {"T", "\1kT\x80\0\0\0\0\0\0\5", 11},
    {"V", "\1kV", 3},
};

/* Brokers may add a header of their own. */
static void compare_fields(size_t index, const struct lq_message *sent,
                           const struct lq_message *got)
{
    const struct lq_bytes all = got->properties;
    const size_t length = fields[index].length;
    bool found = false;

    for (size_t at = 0; !found && at + length <= all.length; ++at) {
        found = memcmp(all.at + at, fields[index].bytes, length) == 0;
    }
    printf("%s %s\n", fields[index].name,
           found && got->properties.length >= sent->properties.length
               ? "kept"
               : "changed");
}

static enum lq_status try_fields(struct job *job)
{
    static uint8_t properties[COUNT(fields)][64];
    struct lq_message messages[COUNT(fields)] = {{.body = {0}}};

    for (size_t i = 0; i < COUNT(fields); ++i) {
        uint8_t *const at = properties[i];

        at[0] = 0x30; /* headers and delivery_mode */
        at[5] = (uint8_t)fields[i].length;
        memcpy(at + 6, fields[i].bytes, fields[i].length);
        at[6 + fields[i].length] = 2;
        messages[i].routing_key = lq_bytes_of(job->arguments[0]);
        messages[i].properties = (struct lq_bytes){at, 7 + fields[i].length};
    }
    return round_trip(job, messages, COUNT(fields), compare_fields);
}

static enum lq_status idle(struct job *job)
{
    const uint64_t until = lq_now_millis() + number(job->arguments[1]) * 1000;
    struct lq_delivery delivery;
    enum lq_status status = start(job, job->arguments[0], 1);

    if (status == LQ_OK) {
        (void)take(job, until, &delivery, &status);
    }
    return status == LQ_OK ? finish(job, false) : status;
}

/* Holds a message until something happens, or for a time. */
static enum lq_status watch(struct job *job)
{
    const uint64_t until = lq_now_millis() + number(job->arguments[1]) * 1000;
    struct lq_delivery delivery;
    enum lq_status status = start(job, job->arguments[0], 1);

    if (status == LQ_OK && take(job, until, &delivery, &status)) {
        printf("held\n");
        (void)fflush(stdout);
        (void)take(job, until, &delivery, &status);
    }
    return status;
}

static enum lq_status lock(struct job *job)
{
    const char *const seconds = job->arguments[2];
    const uint64_t until =
        lq_now_millis() + (seconds ? number(seconds) * 1000 : 0);
    struct lq_answer answer = {0};
    struct lq_delivery delivery;
    enum lq_status status = open_consumer(job);

    if (status == LQ_OK) {
        status = lq_consumer_lock(job->consumer, job->arguments[0],
                                  job->arguments[1], &answer);
    }
    if (status != LQ_OK || is_denied("lock", &answer)) {
        return status;
    }
    printf("locked by %s of %s %s\n", job->arguments[1],
           lq_consumer_product(job->consumer),
           lq_consumer_version(job->consumer));
    (void)fflush(stdout);
    status = lq_consumer_next(job->consumer, until, &delivery);
    if (status == LQ_OK) {
        status = lq_consumer_unlock(job->consumer, job->arguments[0], &answer);
    }
    if (status == LQ_OK && !is_denied("unlock", &answer)) {
        printf("unlocked\n");
    }
    return status;
}

static const struct {
    const char *name;
    int arguments; /* at least */
    enum lq_status (*run)(struct job *job);
} verbs[] = {
    {"fill", 4, fill},       {"one", 3, one},       {"mixed", 3, mixed},
    {"twins", 3, twins},     {"look", 2, look},     {"drain", 2, drain},
    {"abandon", 2, abandon}, {"bodies", 1, bodies}, {"fields", 1, try_fields},
    {"idle", 2, idle},       {"watch", 2, watch},   {"lock", 2, lock},
};

static enum lq_status run(struct job *job, const char *url, const char *verb,
                          int count)
{
    enum lq_status status = lq_url_parse(url, &job->diags, &job->connection);

    for (size_t i = 0; status == LQ_OK && i < COUNT(verbs); ++i) {
        if (strcmp(verb, verbs[i].name) == 0 && count >= verbs[i].arguments) {
            return verbs[i].run(job);
        }
    }
    return status == LQ_OK ? LQ_INVALID : status;
}

int main(int argc, char **argv)
{
    struct job job = {.window = 256};
    enum lq_status status = LQ_INVALID;
    int option = 0;

    lq_arena_init(&job.arena);
    lq_diags_init(&job.diags, &job.arena);
    job.connection.password = getenv("LILYQ_PASSWORD");
    while ((option = getopt(argc, argv, "h:w:c:")) != -1) {
        if (option == 'h') {
            job.connection.heartbeat_seconds = (unsigned)number(optarg);
        } else if (option == 'w') {
            job.window = number(optarg);
        } else if (option == 'c') {
            job.connection.tls_ca_file = optarg;
        }
    }
    if (argc - optind >= 2) {
        job.arguments = argv + optind + 2;
        status = run(&job, argv[optind], argv[optind + 1], argc - optind - 2);
    }
    lq_consumer_close(job.consumer);
    lq_publisher_close(job.publisher);
    for (size_t i = 0; i < job.diags.items.count; ++i) {
        fprintf(stderr, "%s\n", lq_diags_at(&job.diags, i)->text);
    }
    lq_arena_free(&job.arena);
    return (int)status;
}
