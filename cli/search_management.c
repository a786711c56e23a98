#include "search.h"

#include "api/session.h"
#include "base/text.h"
#include "broker/resolve.h"

#include <string.h>

static enum exit_code find(struct search *search)
{
    const char *const written = search->run->config.broker.management_url;
    const char **const url = &search->found->management_url;

    *url = search_option(search, OPTION_MANAGEMENT_URL);
    search->management_source = "--management-url";
    if (*url || !written || !search_broker_counts(search)) {
        return EXIT_DONE;
    }
    search->management_source = search_key(search, "management_url");
    return search_broker(search, "management_url", written, url);
}

static bool is_near(const char *host)
{
    return !host || lq_str_equal(host, "localhost") ||
           lq_str_equal(host, "::1") || strncmp(host, "127.", 4) == 0;
}

static void warn(const struct search *search, const struct lq_connection *peer)
{
    const struct reporter *const reporter = &search->invocation->reporter;

    if (peer->password && search_option(search, OPTION_MANAGEMENT_URL)) {
        report_warning(reporter,
                       "other users of this machine can see the password in "
                       "'--management-url': leave it out there when it is the "
                       "broker's");
    }
    if (search->names_tls && !peer->tls && !is_near(peer->host)) {
        report_warning(reporter,
                       "%s: whoever is between here and the management API "
                       "can read the password: use https://",
                       search->management_source);
    }
}

enum exit_code search_management(struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    struct lq_management_settings settings = {.prefix = NULL};
    struct lq_diags diags;
    enum lq_status status = LQ_OK;
    const enum exit_code code = find(search);

    if (code != EXIT_DONE || !search->found->management_url) {
        return code;
    }
    lq_diags_init(&diags, invocation->arena);
    status = lq_management_url_parse(search->found->management_url, &diags,
                                     &settings);
    if (status == LQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    search_report(search, search->management_source, &diags);
    if (status != LQ_OK) {
        return EXIT_INVALID;
    }
    warn(search, &settings.peer);
    search->names_tls = search->names_tls || settings.peer.tls;
    return EXIT_DONE;
}
