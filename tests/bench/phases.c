/*
 * Prints how long, in milliseconds, it takes to parse a file, to plan it and
 * to render the plan as JSON: the median of each over some runs.
 *
 *     phases RUNS FILE
 */
#include "config/load.h"
#include "plan/plan.h"
#include "render/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PARSE, PLAN, RENDER, PHASES };

#define MAX_RUNS 1000

static double now_millis(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int discard(void *data, const char *bytes, size_t length)
{
    size_t *const total = data;

    (void)bytes;
    *total += length;
    return 0;
}

static int run_once(const char *path, double *millis)
{
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_config config;
    const struct lq_topology *topology = NULL;
    size_t total = 0;
    const struct lilyq_sink sink = {discard, &total};
    double marks[PHASES + 1];
    enum lq_status status;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    lq_config_init(&config);
    marks[PARSE] = now_millis();
    status = lq_load_file(&config, path, LILYQ_INPUT_AUTO, &diags);
    marks[PLAN] = now_millis();
    if (status == LQ_OK) {
        status = lq_plan_build(config.entries.items, config.entries.count,
                               &diags, &topology);
    }
    marks[RENDER] = now_millis();
    if (status == LQ_OK) {
        status = lq_plan_json_render(topology, &diags, &sink);
    }
    marks[PHASES] = now_millis();
    for (int i = 0; i < PHASES; ++i) {
        millis[i] = marks[i + 1] - marks[i];
    }
    lq_arena_free(&arena);
    return status == LQ_OK ? 0 : 1;
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;

    return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
    const long runs = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    double times[PHASES][MAX_RUNS];

    if (runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: phases RUNS FILE\n");
        return 2;
    }
    for (long i = 0; i < runs; ++i) {
        double millis[PHASES];

        if (run_once(argv[2], millis) != 0) {
            fprintf(stderr, "phases: %s has no plan\n", argv[2]);
            return 1;
        }
        for (int phase = 0; phase < PHASES; ++phase) {
            times[phase][i] = millis[phase];
        }
    }
    for (int phase = 0; phase < PHASES; ++phase) {
        qsort(times[phase], (size_t)runs, sizeof(double), ascending);
        printf("%.2f%c", times[phase][runs / 2], phase < RENDER ? ' ' : '\n');
    }
    return 0;
}
