/*
 * Reads a broker's virtual host through its management API and prints what is
 * there or, given a plan, what differs from it.
 *
 *     survey [OPTION...] URL VHOST [PLAN]
 *
 *     -p  policies too          -C FILE  client certificate
 *     -f  figures too           -K FILE  its key
 *     -k  trust any certificate -t MS    timeout of the whole run
 *     -c FILE  authorities      -T MS    timeout of connecting
 *     -s  stop at once          -a MS    until a request is answered
 *     -d FILE  read this definitions file instead
 *
 * The exit status is the enum lq_status; errors are on stderr.
 */
#include "live/survey.h"
#include "compare/compare.h"
#include "config/load.h"
#include "live/read.h"
#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_management_settings settings;
    struct lq_survey_wants wants;
    const char *definitions;
};

static bool stop_at_once(void *data)
{
    (void)data;
    return true;
}

static int read_options(struct job *job, int argc, char **argv)
{
    struct lq_connection *const peer = &job->settings.peer;
    int option = 0;

    while ((option = getopt(argc, argv, "pfkc:C:K:t:T:a:sd:")) != -1) {
        switch (option) {
        case 'p':
            job->wants.policies = true;
            break;
        case 'f':
            job->wants.figures = true;
            break;
        case 'k':
            peer->insecure = true;
            break;
        case 'c':
            peer->tls_ca_file = optarg;
            break;
        case 'C':
            peer->tls_cert_file = optarg;
            break;
        case 'K':
            peer->tls_key_file = optarg;
            break;
        case 't':
            peer->timeout_millis = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'T':
            peer->connect_timeout_millis = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'a':
            peer->answer_timeout_millis = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 's':
            job->settings.stop = stop_at_once;
            break;
        case 'd':
            job->definitions = optarg;
            break;
        default:
            return -1;
        }
    }
    return argc - optind < 2 ? -1 : 0;
}

/* A whole file, or NULL. */
static char *read_file(const char *path, struct lq_arena *arena, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;

    if (file && fseek(file, 0, SEEK_END) == 0) {
        size = ftell(file);
    }
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = lq_alloc(arena, (size_t)size + 1);
    }
    if (text) {
        *length = fread(text, 1, (size_t)size, file);
    }
    if (file) {
        (void)fclose(file);
    }
    return text;
}

static enum lq_status learn(struct job *job, const char *url,
                            struct lq_live *live)
{
    struct lq_json_source source = {job->definitions, NULL, 0};
    enum lq_status status = LQ_OK;

    if (job->definitions) {
        source.text = read_file(source.file, &job->arena, &source.length);
        lq_live_init(live, job->settings.peer.vhost, &job->arena);
        return source.text
                   ? lq_live_read_definitions(live, &source, &job->diags)
                   : LQ_IO;
    }
    status = lq_management_url_parse(url, &job->diags, &job->settings);
    return status == LQ_OK
               ? lq_survey(&job->settings, &job->wants, &job->diags, live)
               : status;
}

static void print_live(const struct lq_live *live)
{
    static const char *const parts[] = {
        "exchanges", "reserved",          "queues", "bindings",
        "policies",  "operator-policies", "figures"};

    printf("version %s\nsees", live->version ? live->version : "?");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        if (live->parts & (1U << i)) {
            printf(" %s", parts[i]);
        }
    }
    printf("\nexchanges %zu\nqueues %zu\nbindings %zu\npolicies %zu\n"
           "operator-policies %zu\n",
           live->exchanges.count, live->queues.count, live->bindings.count,
           live->policies.count, live->operator_policies.count);
    for (size_t i = 0; i < live->queues.count; ++i) {
        const struct lq_live_queue *const queue = lq_live_queue_at(live, i);

        if (queue->counted) {
            printf("%s: %llu messages, %llu consumers\n", queue->name,
                   (unsigned long long)queue->messages,
                   (unsigned long long)queue->consumers);
        }
    }
}

/* "VALUE (TYPE)", or "not set" */
static const char *side(struct lq_arena *arena,
                        const struct lq_side_value *value)
{
    return value->text ? lq_format(arena, "%s (%s)", value->text, value->type)
                       : "not set";
}

static void print_finding(const struct lq_finding *finding,
                          struct lq_arena *arena)
{
    printf("%s %s", lq_finding_code(finding->code), finding->name);
    if (finding->field) {
        printf(": %s is %s, planned %s", finding->field,
               side(arena, &finding->actual), side(arena, &finding->planned));
    }
    printf("\n");
}

static enum lq_status compare(struct job *job, const char *path,
                              const struct lq_live *live)
{
    const struct lq_topology *plan = NULL;
    struct lq_config config;
    struct lq_diff diff;
    enum lq_status status = LQ_OK;

    lq_config_init(&config);
    status = lq_load_file(&config, path, LILYQ_INPUT_AUTO, &job->diags);
    if (status == LQ_OK) {
        status = lq_plan_build(config.entries.items, config.entries.count,
                               &job->diags, &plan);
    }
    if (status == LQ_OK) {
        status = lq_arena_status(&job->arena,
                                 lq_diff(plan, live, &job->arena, &diff));
    }
    for (size_t i = 0; status == LQ_OK && i < diff.findings.count; ++i) {
        print_finding(lq_diff_at(&diff, i), &job->arena);
    }
    return status;
}

static enum lq_status run(struct job *job, char **arguments)
{
    struct lq_live live;
    enum lq_status status = LQ_OK;

    job->settings.peer.vhost = arguments[1];
    status = lq_arena_status(&job->arena, learn(job, arguments[0], &live));
    if (status == LQ_OK && arguments[2]) {
        return compare(job, arguments[2], &live);
    }
    if (status == LQ_OK) {
        print_live(&live);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct job job = {.settings = {.stop = NULL}};
    enum lq_status status = LQ_INVALID;

    lq_arena_init(&job.arena);
    lq_diags_init(&job.diags, &job.arena);
    if (read_options(&job, argc, argv)) {
        (void)fprintf(stderr, "usage: survey [OPTION...] URL VHOST [PLAN]\n");
    } else {
        status = run(&job, argv + optind);
    }
    for (size_t i = 0; i < job.diags.items.count; ++i) {
        (void)fprintf(stderr, "%s\n",
                      lq_diag_line(&job.arena, lq_diags_at(&job.diags, i)));
    }
    status = lq_arena_status(&job.arena, status);
    lq_arena_free(&job.arena);
    if (status == LQ_NOMEM) {
        (void)fprintf(stderr, "out of memory\n");
    }
    return fflush(stdout) ? (int)LQ_IO : (int)status;
}
