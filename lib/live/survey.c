#include "live/survey.h"

#include "broker/url.h"
#include "live/read.h"

/* One request: what to ask for, and how the answer is read. */
struct question {
    const char *kind;
    const char *query; /* behind the virtual host; NULL: there is none */
    enum lq_status (*read)(struct lq_live *live,
                           const struct lq_json_source *source,
                           struct lq_diags *diags);
};

static const struct question definitions = {"definitions", "",
                                            lq_live_read_definitions};
static const struct question exchanges = {
    "exchanges",
    "?disable_stats=true&columns=name,vhost,type,durable,auto_delete,internal,"
    "arguments",
    lq_live_read_exchanges};
/* what a declaration is made of: the other columns take the API longer */
static const struct question queues = {
    "queues",
    "?disable_stats=true"
    "&columns=name,vhost,type,durable,auto_delete,exclusive,arguments",
    lq_live_read_queues};
static const struct question bindings = {"bindings", "", lq_live_read_bindings};
static const struct question policies = {"policies", "", lq_live_read_policies};
static const struct question operator_policies = {
    "operator-policies", "", lq_live_read_operator_policies};
static const struct question figures = {
    "queues", "?columns=name,vhost,messages,consumers", lq_live_read_figures};
static const struct question overview = {"overview", NULL,
                                         lq_live_read_overview};

struct survey {
    struct lq_management *management;
    struct lq_diags *diags;
    const char *vhost; /* percent-encoded */
    struct lq_live *live;
};

static enum lq_status send(const struct survey *survey,
                           const struct question *question,
                           struct lq_response *out)
{
    const bool local = question->query != NULL;
    const char *const path = lq_format(
        survey->diags->arena, "%s%s%s%s", question->kind, local ? "/" : "",
        local ? survey->vhost : "", local ? question->query : "");

    return lq_management_get(survey->management, path, out);
}

/* An answer that is not as it should be is the peer's fault, not the user's. */
static enum lq_status receive(const struct survey *survey,
                              const struct question *question,
                              const struct lq_response *response)
{
    const struct lq_json_source source = {response->url, response->body,
                                          response->length};
    enum lq_status status = lq_management_expect(survey->management, response);

    if (status == LQ_OK) {
        status = question->read(survey->live, &source, survey->diags);
    }
    return status == LQ_INVALID ? LQ_REFUSED : status;
}

/* Asks for what everybody who may use the API may see. */
static enum lq_status ask(const struct survey *survey,
                          const struct question *question)
{
    struct lq_response response;
    const enum lq_status status = send(survey, question, &response);

    return status == LQ_OK ? receive(survey, question, &response) : status;
}

/* The same for what only some may; sets `denied` instead of an error. */
static enum lq_status try(const struct survey *survey,
                          const struct question *question, bool *denied)
{
    struct lq_response response;
    const enum lq_status status = send(survey, question, &response);

    *denied = status == LQ_OK && lq_management_denies(&response);
    if (status != LQ_OK || *denied) {
        return status;
    }
    return receive(survey, question, &response);
}

/*
 * All in one document, if it can be had: it is for administrators only, and
 * 4.x fails to write it for a virtual host with some names.
 */
static enum lq_status ask_definitions(const struct survey *survey, bool *done)
{
    const struct lq_live before = *survey->live;
    struct lq_json_source source = {NULL, NULL, 0};
    struct lq_diags unheard;
    struct lq_response response;
    enum lq_status status = send(survey, &definitions, &response);

    *done = false;
    if (status != LQ_OK || response.status != 200) {
        return status;
    }
    lq_diags_init(&unheard, survey->diags->arena);
    source.text = response.body;
    source.length = response.length;
    status = definitions.read(survey->live, &source, &unheard);
    if (status == LQ_INVALID) {
        *survey->live = before;
        return LQ_OK;
    }
    *done = status == LQ_OK;
    return status;
}

static enum lq_status ask_lists(const struct survey *survey,
                                const struct lq_survey_wants *wants)
{
    enum lq_status status = ask(survey, &queues);
    bool denied = false;

    if (status == LQ_OK) {
        status = ask(survey, &bindings);
    }
    if (status == LQ_OK && wants->policies) {
        status = try(survey, &policies, &denied);
    }
    return status == LQ_OK ? try(survey, &overview, &denied) : status;
}

/* Takes over figures that are known already. */
static void take_figures(struct lq_live *live, const struct lq_live *from)
{
    for (size_t i = 0; i < from->queues.count; ++i) {
        const struct lq_live_queue *const known = lq_live_queue_at(from, i);
        struct lq_live_queue *const queue = lq_live_queue(live, known->name);

        if (queue && known->counted) {
            queue->counted = true;
            queue->messages = known->messages;
            queue->consumers = known->consumers;
        }
    }
}

/*
 * Definitions leave out exclusive queues, and up to 4.0 what is bound to them,
 * which may well get messages of the plan: the lists have both.
 */
static enum lq_status ask_for_unlisted(const struct survey *survey)
{
    struct lq_live *const live = survey->live;
    struct lq_live lists;
    struct survey again = *survey;
    enum lq_status status = LQ_OK;

    lq_live_init(&lists, live->vhost, live->arena);
    lists.default_queue_type = live->default_queue_type;
    again.live = &lists;
    status = ask(&again, &queues);
    if (status == LQ_OK) {
        status = ask(&again, &bindings);
    }
    if (status == LQ_OK) {
        take_figures(&lists, live);
        live->queues = lists.queues;
        live->queue_index = lists.queue_index;
        live->bindings = lists.bindings;
        live->binding_index = lists.binding_index;
    }
    return status;
}

static enum lq_status ask_all(const struct survey *survey,
                              const struct lq_survey_wants *wants)
{
    /* definitions leave out amq.…, and from 4.3 on what is internal */
    enum lq_status status = ask(survey, &exchanges);
    bool done = false;
    bool denied = false;

    if (status == LQ_OK) {
        status = ask_definitions(survey, &done);
    }
    if (status == LQ_OK && !done) {
        status = ask_lists(survey, wants);
    }
    if (status == LQ_OK && wants->policies &&
        !lq_live_has(survey->live, LQ_LIVE_HAS_OPERATOR_POLICIES)) {
        status = try(survey, &operator_policies, &denied);
    }
    if (status == LQ_OK && wants->figures) {
        status = try(survey, &figures, &denied);
    }
    return status == LQ_OK && done && survey->live->has_unlisted
               ? ask_for_unlisted(survey)
               : status;
}

enum lq_status lq_survey(const struct lq_management_settings *settings,
                         const struct lq_survey_wants *wants,
                         struct lq_diags *diags, struct lq_live *out)
{
    const char *const vhost = settings->peer.vhost ? settings->peer.vhost : "/";
    struct survey survey = {
        .diags = diags,
        .vhost = lq_url_encode(diags->arena, vhost),
        .live = out,
    };
    enum lq_status status = LQ_NOMEM;

    lq_live_init(out, vhost, diags->arena);
    if (survey.vhost) {
        status = lq_management_open(settings, diags, &survey.management);
    }
    if (status == LQ_OK) {
        status = ask_all(&survey, wants);
    }
    lq_management_close(survey.management);
    return status;
}
