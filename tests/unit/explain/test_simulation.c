/*
 * The closed forms of a load against a simulation, message by message: each has
 * an event id of its own, takes the buckets that the hash picks, and fails as
 * the dice say. Counts have to be as close as five standard deviations, and
 * what a bucket holds over the whole time to 1 %.
 */
#include "explain/load.h"
#include "plan/backoff.h"

#include "../plan/plan_fixture.h"

#include <math.h>
#include <stdlib.h>

#define BIN 5.0 /* millis */
#define BINS ((size_t)40000)
#define WINDOW ((size_t)10) /* bins in which the wave's rate is looked at */

struct scenario {
    const char *name;
    uint64_t attempts;
    uint64_t base;
    uint64_t cap;
    double jitter;
    double failure_ratio;
    uint64_t outage_millis;
    double rate; /* a second */
    uint64_t bucket_bound;
    uint64_t main_bound;
    uint64_t dead_bound;
};

static const struct scenario scenarios[] = {
    {"plain", 3, 1000, 60000, 0, 0.1, 20000, 4000, 10000, 50000, 20000},
    {"jitter and cap", 4, 1000, 5000, 0.2, 0.3, 15000, 6000, 4500, 120000,
     135000},
    {"many attempts", 25, 100, 2000, 0.1, 0.5, 20000, 3000, 22500, 90000,
     1350000},
    {"many delays", 8, 100, 12000, 0.35, 0.05, 25000, 4000, 12000, 120000,
     25000},
    {"no failure in normal time", 5, 500, 4000, 0.5, 0, 9000, 6000, 1500000,
     75000, 15000},
    {"all fails always", 3, 300, 900, 0.25, 1, 5000, 6000, 1350, 30000, 7500},
    {"an outage shorter than a wait", 2, 4000, 9000, 0.1, 0.2, 1500, 5000,
     20000, 90000, 30000},
    {"a short outage in a long life", 14, 100, 60000, 0.5, 0.3, 20000, 1500,
     12000, 60000, 90000},
    {"no retry", 0, 1000, 60000, 0, 0.2, 5000, 4000, 100, 8000, 12000},
};

/* What became of the messages, in bins of time from the outage's begin. */
struct world {
    const struct lq_logical *logical;
    struct lq_load_case given;
    double outage; /* millis */
    double stop;
    double halt;  /* the consumer stops; INFINITY: it does not */
    double start; /* and starts again */
    double share; /* of what arrives before that does */
    double end;
    uint64_t dice;
    long inside[LQ_MAX_BUCKETS_PER_QUEUE][BINS]; /* changes, then counts */
    long dead[BINS];
    long back[BINS];     /* of those inside at `stop`, by the time since */
    long arrived[BINS];  /* in the main queue while the consumer stands still */
    long returned[BINS]; /* the same, from buckets */
    double last_back;
};

static uint64_t roll(struct world *world)
{
    uint64_t x = (world->dice += UINT64_C(0x9e3779b97f4a7c15));

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double chance(struct world *world)
{
    return (double)(roll(world) >> 11) / 9007199254740992.0;
}

/* Not with printf, which would take longer than all the rest. */
static void name_event(struct world *world, char *out)
{
    static const char shape[] = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
    uint64_t digits = 0;
    unsigned left = 0;

    for (size_t i = 0; i < sizeof(shape); ++i) {
        out[i] = shape[i];
        if (shape[i] == 'x') {
            if (left == 0) {
                digits = roll(world);
                left = 16;
            }
            out[i] = "0123456789abcdef"[digits & 15];
            digits >>= 4;
            --left;
        }
    }
}

/* Adds to the bin of a time; what is before 0 counts from the first on. */
static void note(long *bins, double time, long by)
{
    const double bin = time <= 0 ? 0 : ceil(time / BIN);

    if (bin < (double)BINS) {
        bins[(size_t)bin] += by;
    }
}

static bool fails(struct world *world, double time)
{
    return (time >= 0 && time < world->outage) ||
           chance(world) < world->given.failure_ratio;
}

static void wait_in_bucket(struct world *world, double time, uint64_t delay)
{
    size_t bucket = 0;

    while (world->logical->buckets[bucket].delay_millis != delay) {
        ++bucket;
    }
    note(world->inside[bucket], time, 1);
    note(world->inside[bucket], time + (double)delay, -1);
    if (time < world->stop && time + (double)delay >= world->stop) {
        const double since = time + (double)delay - world->stop;

        note(world->back, since, 1);
        world->last_back = fmax(world->last_back, since);
    }
}

static void live(struct world *world, double time)
{
    char event[37];

    name_event(world, event);
    if (time >= world->halt) {
        note(world->arrived, time, 1);
        return;
    }
    for (uint32_t attempt = 1; time < world->end && fails(world, time);
         ++attempt) {
        const uint64_t delay =
            lq_backoff_select(world->logical->entry, event, attempt);

        if (delay == 0) {
            if (time >= 0) {
                note(world->dead, time, 1);
            }
            return;
        }
        wait_in_bucket(world, time, delay);
        time += (double)delay;
        if (time >= world->halt) {
            note(world->returned, time, 1);
            return;
        }
    }
}

static void add_up(long *bins)
{
    for (size_t i = 1; i < BINS; ++i) {
        bins[i] += bins[i - 1];
    }
}

static void simulate(struct world *world)
{
    const double gap = 1000 / world->given.rate_per_second;
    const double begin = -(double)world->logical->max_wait_millis - 1000;

    const size_t count = (size_t)((world->end - begin) / gap);

    for (size_t i = 0; i < count; ++i) {
        const double time = begin + ((double)i + chance(world)) * gap;

        if (time >= world->halt || chance(world) < world->share) {
            live(world, time);
        }
    }
    for (size_t i = 0; i < world->logical->bucket_count; ++i) {
        add_up(world->inside[i]);
    }
    add_up(world->dead);
    add_up(world->back);
    add_up(world->arrived);
    add_up(world->returned);
}

static long count_at(const long *bins, double time)
{
    const double bin = time <= 0 ? 0 : floor(time / BIN);

    assert_true(bin < (double)BINS);
    return bins[(size_t)bin];
}

/* What chance and a bin of time may make of a mean. */
static double tolerance(const struct world *world, double mean)
{
    return 5 * sqrt(mean) + 5 + 2 * world->given.rate_per_second / 1000 * BIN;
}

static void assert_near(const struct world *world, double got, double mean,
                        const char *what)
{
    if (fabs(got - mean) > tolerance(world, mean)) {
        fail_msg("%s: %.0f in the simulation, %.1f in the closed form", what,
                 got, mean);
    }
}

static struct world *new_world(const struct lq_logical *logical,
                               const struct lq_load *load, double outage,
                               double stop)
{
    struct world *const world = calloc(1, sizeof(*world));

    assert_non_null(world);
    world->logical = logical;
    world->given = load->given;
    world->outage = outage;
    world->stop = stop;
    world->halt = INFINITY;
    world->start = INFINITY;
    world->share = 1;
    world->dice = 20261130;
    return world;
}

/* Over the whole time, chance makes less of a bucket than at one moment. */
static void assert_mean(double counted, double meant, double samples)
{
    if (fabs(counted - meant) > samples * (2 * sqrt(meant / samples) + 5)) {
        fail_msg("a bucket over time: %.0f in the simulation, %.1f in the "
                 "closed form",
                 counted, meant);
    }
}

static void check_samples(const struct world *world, const struct lq_load *load)
{
    const struct lq_timeline *const timeline = &load->timeline;

    for (size_t i = 0; i < world->logical->bucket_count; ++i) {
        double counted = 0;
        double meant = 0;

        for (size_t k = 0; k < timeline->count; ++k) {
            const double time = (double)timeline->first_millis +
                                (double)(k * timeline->step_millis);

            assert_near(world, (double)count_at(world->inside[i], time),
                        timeline->messages[(i + 1) * timeline->count + k],
                        "a sample of a bucket");
            counted += (double)count_at(world->inside[i], time);
            meant += timeline->messages[(i + 1) * timeline->count + k];
        }
        assert_mean(counted, meant, (double)timeline->count);
    }
}

static void check_peaks(const struct world *world, const struct lq_load *load)
{
    for (size_t i = 0; i < world->logical->bucket_count; ++i) {
        const struct lq_level *const level = &load->levels[i + 1];
        long most = 0;

        assert_near(world,
                    (double)count_at(world->inside[i], level->peak_millis),
                    level->peak, "a bucket at its peak");
        for (size_t k = 0; (double)k * BIN < world->end; ++k) {
            most = world->inside[i][k] > most ? world->inside[i][k] : most;
        }
        assert_near(world, (double)most, level->peak, "the most in a bucket");
    }
    assert_near(world,
                fmin((double)count_at(world->dead, world->outage),
                     (double)load->levels[load->level_count - 1].max_messages),
                load->dead, "dead letters");
}

static void check_wave(const struct world *world, const struct lq_wave *wave)
{
    const double window = (double)WINDOW * BIN / 1000;
    const size_t longest = world->logical->bucket_count - 1;
    long most = 0;

    assert_near(world, (double)world->back[BINS - 1], wave->messages,
                "what comes back");
    if (wave->messages == 0) {
        return;
    }
    assert_near(world, (double)count_at(world->back, wave->half_millis),
                wave->messages / 2, "half of it");
    assert_true(world->last_back <= wave->all_millis + 1);
    if (count_at(world->inside[longest], world->outage) > 100) {
        assert_true(world->last_back > wave->all_millis - 50);
    }
    for (size_t i = WINDOW + 1; i < BINS; ++i) {
        const long now = world->back[i] - world->back[i - WINDOW];

        most = now > most ? now : most;
    }
    assert_near(world, (double)most, wave->peak_per_second * window,
                "the wave's peak");
}

/* It fills by as much as comes back from each retry at a time, in a bin. */
static void assert_main(const struct world *world, double got, double mean)
{
    const double rate = world->given.rate_per_second *
                        (double)(world->logical->attempt_count + 1);

    if (fabs(got - mean) > tolerance(world, mean) + 2 * rate / 1000 * BIN) {
        fail_msg("a sample of the main queue: %.0f in the simulation, %.1f in "
                 "the closed form",
                 got, mean);
    }
}

/*
 * The main queue takes what comes while the consumer stands still, up to its
 * bound, and the dead letters what was handed on before.
 */
static void check_others(const struct world *world, const struct lq_load *load)
{
    const struct lq_timeline *const timeline = &load->timeline;
    const size_t dead = load->level_count - 1;

    for (size_t k = 0; k < timeline->count; ++k) {
        const double time = (double)timeline->first_millis +
                            (double)(k * timeline->step_millis);
        const double waiting = time < world->start
                                   ? (double)count_at(world->arrived, time) +
                                         (double)count_at(world->returned, time)
                                   : 0;

        assert_main(world, fmin(waiting, (double)load->levels[0].max_messages),
                    timeline->messages[k]);
        assert_near(world,
                    fmin((double)count_at(world->dead, time),
                         (double)load->levels[dead].max_messages),
                    timeline->messages[dead * timeline->count + k],
                    "a sample of the dead letters");
    }
}

/* When a queue of the simulation cannot take one more; INFINITY: never. */
static double first_full(const struct world *world, const struct lq_load *load)
{
    for (size_t k = 0; k < BINS && (double)k * BIN < world->end; ++k) {
        for (size_t i = 0; i < world->logical->bucket_count; ++i) {
            if (world->inside[i][k] > (long)load->levels[i + 1].max_messages) {
                return (double)k * BIN;
            }
        }
        if (world->dead[k] >
            (long)load->levels[load->level_count - 1].max_messages) {
            return (double)k * BIN;
        }
    }
    return INFINITY;
}

/* What is refused and what is lost, of what came to the full main queue. */
static void check_course(const struct world *world, const struct lq_load *load)
{
    const struct lq_course *const course = &load->course;
    const double until = fmin(course->start_millis, world->end);
    const double bound = (double)load->levels[0].max_messages;
    const double arrived = (double)count_at(world->arrived, until);
    const double returned = (double)count_at(world->returned, until);

    if (isinf(course->start_millis)) {
        return;
    }
    assert_near(world, fmin(arrived + returned, bound), course->backlog,
                "what waits when the consumer starts");
    assert_near(world, fmax(arrived + returned - bound, 0),
                course->refused + course->surplus,
                "what the main queue does not take");
    if (!isinf(course->main_millis)) {
        assert_near(world,
                    returned -
                        (double)count_at(world->returned, course->main_millis),
                    course->surplus, "what comes back in vain");
    }
}

/* Whether some bins reach a level just when the closed form says so. */
static void check_full(const struct world *world, const long *bins,
                       double bound, double millis)
{
    if (isinf(millis)) {
        for (size_t i = 0; (double)i * BIN < world->end; ++i) {
            assert_true((double)bins[i] < bound + tolerance(world, bound));
        }
    } else if (millis > 0 && millis < world->end) {
        assert_near(world, (double)count_at(bins, millis), bound,
                    "a queue that is full");
    }
}

/*
 * What is full in normal time is so before it holds all that this would take:
 * of less that arrives, it holds just as much as it may.
 */
static double share_of(const struct lq_load *load)
{
    double share = 1;

    for (size_t i = 1; i + 1 < load->level_count; ++i) {
        const struct lq_level *const level = &load->levels[i];

        if (level->normal > 0) {
            share = fmin(share, (double)level->max_messages / level->normal);
        }
    }
    return share;
}

static void check_break(const struct world *world, const struct lq_load *load)
{
    const struct lq_break *const first = &load->first;
    const double since = first->main_millis - first->millis;

    if (first->level && first->millis < world->end && since < world->end) {
        assert_near(world,
                    share_of(load) * (double)count_at(world->back, since) +
                        since * world->given.rate_per_second / 1000,
                    (double)load->levels[0].max_messages,
                    "the main queue that is full after a break");
    }
}

static const struct lq_logical *plan_scenario(struct fixture *fixture,
                                              const struct scenario *scenario)
{
    struct lq_entry *const entry = lq_alloc(&fixture->arena, sizeof(*entry));

    *entry = entry_at(1, "q");
    entry->retry_attempts = scenario->attempts;
    entry->retry_backoff_millis = scenario->base;
    entry->max_retry_backoff_millis = scenario->cap;
    entry->retry_jitter_ratio = scenario->jitter;
    entry->retry_bucket_max_messages = scenario->bucket_bound;
    entry->main_max_messages = scenario->main_bound;
    entry->dead_letter_max_messages = scenario->dead_bound;
    entry->main_max_bytes = UINT64_C(1) << 50;
    entry->retry_bucket_max_bytes = UINT64_C(1) << 50;
    entry->dead_letter_max_bytes = UINT64_C(1) << 50;
    return plan(fixture, entry, 1)->logicals;
}

static double time_needed(const struct lq_logical *logical,
                          const struct lq_load *load)
{
    const struct lq_timeline *const timeline = &load->timeline;
    double end = (double)timeline->first_millis +
                 (double)(timeline->count * timeline->step_millis);

    for (size_t i = 0; i < logical->bucket_count; ++i) {
        end = fmax(end, load->levels[i + 1].peak_millis + 1000);
    }
    end = fmax(end, (double)load->given.outage_millis + 1000);
    assert_true(end < (double)BINS * BIN);
    return end;
}

/*
 * Nothing that happens before a queue is full depends on the bounds: the
 * simulation finds out when that is, and runs anew with a consumer that stops.
 */
static void run_outage(const struct lq_logical *logical,
                       const struct lq_load *load)
{
    const double outage = (double)load->given.outage_millis;
    struct world *world = new_world(logical, load, outage, outage);
    const struct lq_course *const course = &load->course;
    double halt = INFINITY;

    world->end = time_needed(logical, load);
    simulate(world);
    halt = first_full(world, load);
    assert_true(isinf(course->stop_millis) == isinf(halt));
    if (!isinf(halt)) {
        assert_true(fabs(halt - course->stop_millis) <
                    2 * BIN + 0.02 * course->stop_millis);
        free(world);
        world = new_world(logical, load, outage, outage);
        world->end = time_needed(logical, load);
        /* chance makes it a little sooner or later than the mean */
        world->halt = course->stop_millis;
        world->start = course->start_millis;
        world->share = share_of(load);
        simulate(world);
    }
    check_samples(world, load);
    check_others(world, load);
    check_course(world, load);
    check_peaks(world, load);
    check_wave(world, &load->waves[0]);
    free(world);
}

static void run_endless(const struct lq_logical *logical,
                        const struct lq_load *load)
{
    struct world *const world =
        new_world(logical, load, INFINITY, load->first.millis);
    const struct lq_level *const dead = &load->levels[load->level_count - 1];

    world->end =
        fmin((double)BINS * BIN / 2, (double)logical->max_wait_millis + 20000);
    simulate(world);
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        check_full(world, world->inside[i],
                   (double)load->levels[i + 1].max_messages,
                   load->levels[i + 1].full_millis[LQ_BOUND_MESSAGES]);
    }
    check_full(world, world->dead, (double)dead->max_messages,
               dead->full_millis[LQ_BOUND_MESSAGES]);
    check_break(world, load);
    free(world);
}

static void run(struct fixture *fixture, const struct scenario *scenario)
{
    const struct lq_load_case given = {
        .rate_per_second = scenario->rate,
        .failure_ratio = scenario->failure_ratio,
        .outage_millis = scenario->outage_millis,
        .message_bytes = 1,
    };
    const struct lq_logical *const logical = plan_scenario(fixture, scenario);
    struct lq_load load;

    print_message("# %s\n", scenario->name);
    assert_int_equal(lq_load_build(logical, &given, &fixture->arena, &load),
                     LQ_OK);
    run_outage(logical, &load);
    run_endless(logical, &load);
}

static void agrees_with_the_closed_forms(void **state)
{
    for (size_t i = 0; i < COUNT(scenarios); ++i) {
        run(*state, &scenarios[i]);
    }
}

static void agrees_with_them_when_no_queue_is_full(void **state)
{
    for (size_t i = 0; i < COUNT(scenarios); ++i) {
        struct scenario scenario = scenarios[i];

        scenario.bucket_bound = UINT64_C(1) << 40;
        scenario.dead_bound = UINT64_C(1) << 40;
        run(*state, &scenario);
    }
}

/* A tenth of the main queue: it is full, and what comes back finds no room. */
static void agrees_with_them_when_the_main_queue_is_full(void **state)
{
    for (size_t i = 0; i < COUNT(scenarios); ++i) {
        struct scenario scenario = scenarios[i];

        scenario.main_bound /= 10;
        run(*state, &scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(agrees_with_the_closed_forms),
        TEST(agrees_with_them_when_no_queue_is_full),
        TEST(agrees_with_them_when_the_main_queue_is_full),
    };

    return cmocka_run_group_tests_name("simulation", tests, NULL, NULL);
}
