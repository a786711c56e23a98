#include "search.h"

#include "api/session.h"
#include "broker/resolve.h"
#include "secret.h"

#include <stdlib.h>

const char *search_option(const struct search *search, enum option_id id)
{
    return search->invocation->options.text[id];
}

const char *search_variable(const char *name)
{
    const char *const value = getenv(name);

    return value && *value ? value : NULL;
}

const char *search_key(const struct search *search, const char *key)
{
    const struct lq_broker_settings *const broker = &search->run->config.broker;
    const struct lq_key *const row = lq_key_find(LQ_SECTION_BROKER, key);
    const char *const text =
        lq_format(search->invocation->arena, "%s:%u: [broker] '%s'",
                  broker->place.file, broker->lines[row - lq_keys], key);

    return text ? text : key;
}

enum exit_code search_broker(const struct search *search, const char *key,
                             const char *value, const char **out)
{
    if (!value) {
        return EXIT_DONE;
    }
    return secret_resolve(search->invocation, search_key(search, key), value,
                          out);
}

static enum exit_code find_url(struct search *search)
{
    static const char *const variables[] = {"LILYQ_URL", "RABBITMQ_URL",
                                            "AMQP_URL"};
    const char **const url = &search->found->url;
    const char *const written = search->run->config.broker.url;

    *url = search_option(search, OPTION_URL);
    search->origin = FROM_OPTION;
    search->source = "--url";
    for (size_t i = 0; !*url && i < 3; ++i) {
        *url = search_variable(variables[i]);
        search->origin = FROM_ENVIRONMENT;
        search->source = variables[i];
    }
    if (*url) {
        return EXIT_DONE;
    }
    search->origin = written ? FROM_FILE : FROM_DEFAULT;
    search->source = written ? search_key(search, "url") : "the default URL";
    return search_broker(search, "url", written, url);
}

bool search_broker_counts(const struct search *search)
{
    return search->origin == FROM_FILE || search->origin == FROM_DEFAULT;
}

void search_report(const struct search *search, const char *source,
                   const struct lq_diags *diags)
{
    for (size_t i = 0; i < diags->items.count; ++i) {
        report_error(&search->invocation->reporter, "%s: %s", source,
                     lq_diags_at(diags, i)->text);
    }
}

/* Reads what the URLs name, to know what they leave open. */
static enum exit_code read_url(struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    struct lq_connection *list = NULL;
    size_t count = 0;
    struct lq_diags diags;
    enum lq_status status = LQ_OK;

    if (!search->found->url) {
        return EXIT_DONE;
    }
    lq_diags_init(&diags, invocation->arena);
    status = lq_url_list_parse(search->found->url, &diags, &list, &count);
    if (status == LQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    search_report(search, search->source, &diags);
    for (size_t i = 0; i < count; ++i) {
        search->names_tls = search->names_tls || list[i].tls;
        search->names_password = search->names_password || list[i].password;
    }
    if (status == LQ_OK && search->origin == FROM_OPTION &&
        search->names_password) {
        report_warning(&invocation->reporter,
                       "other users of this machine can see the password in "
                       "'--url': use '--password-file' or " PASSWORD_VARIABLE);
    }
    return status == LQ_OK ? EXIT_DONE : EXIT_INVALID;
}

enum exit_code search_urls(struct search *search)
{
    const enum exit_code code = find_url(search);

    return code == EXIT_DONE ? read_url(search) : code;
}
