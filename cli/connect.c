#include "connect.h"

#include "api/session.h"
#include "base/text.h"
#include "broker/resolve.h"
#include "search.h"
#include "secret.h"
#include "words.h"

#include <string.h>

const enum option_id connect_options[CONNECT_OPTION_COUNT] = {
    OPTION_URL,
    OPTION_USERNAME,
    OPTION_PASSWORD_FILE,
    OPTION_TLS_CA_CERT_FILE,
    OPTION_TLS_CERT_FILE,
    OPTION_TLS_KEY_FILE,
    OPTION_INSECURE,
    OPTION_CONNECT_TIMEOUT,
    OPTION_ANSWER_TIMEOUT,
    OPTION_TIMEOUT,
    OPTION_WAIT,
};

static enum exit_code find_user(struct search *search)
{
    const struct lq_broker_settings *const broker = &search->run->config.broker;
    struct lilyq_connection *const found = search->found;
    enum exit_code code = EXIT_DONE;

    found->vhost = search_option(search, OPTION_VHOST);
    found->username = search_option(search, OPTION_USERNAME);
    if (!found->vhost && search_broker_counts(search)) {
        code = search_broker(search, "vhost", broker->vhost, &found->vhost);
    }
    if (code == EXIT_DONE && !found->username && search_broker_counts(search)) {
        code = search_broker(search, "username", broker->username,
                             &found->username);
    }
    return code;
}

static enum exit_code find_password(struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    const char *const written = search->run->config.broker.password_file;
    const char **const password = &search->found->password;
    const char *path = search_option(search, OPTION_PASSWORD_FILE);
    enum exit_code code = EXIT_DONE;

    if (path && lq_str_equal(path, "-")) {
        report_error(&invocation->reporter,
                     "'--password-file' must be a file, not standard input");
        return EXIT_INVALID;
    }
    if (path) {
        return secret_read(invocation, "--password-file", path, password);
    }
    if (search->origin == FROM_OPTION && search->names_password) {
        return EXIT_DONE;
    }
    *password = search_variable(PASSWORD_VARIABLE);
    if (*password || !search_broker_counts(search)) {
        return EXIT_DONE;
    }
    code = search_broker(search, "password_file", written, &path);
    return code == EXIT_DONE && path
               ? secret_read(invocation, search_key(search, "password_file"),
                             path, password)
               : code;
}

/* The files of [broker] say nothing to a connection without TLS. */
static enum exit_code find_tls(struct search *search)
{
    const struct lq_broker_settings *const broker = &search->run->config.broker;
    struct lilyq_connection *const found = search->found;
    const struct {
        enum option_id option;
        const char *key;
        const char *written;
        const char **out;
    } files[] = {
        {OPTION_TLS_CA_CERT_FILE, "tls_ca_file", broker->tls_ca_file,
         &found->tls_ca_file},
        {OPTION_TLS_CERT_FILE, "tls_cert_file", broker->tls_cert_file,
         &found->tls_cert_file},
        {OPTION_TLS_KEY_FILE, "tls_key_file", broker->tls_key_file,
         &found->tls_key_file},
    };
    enum exit_code code = EXIT_DONE;

    for (size_t i = 0; code == EXIT_DONE && i < 3; ++i) {
        *files[i].out = search_option(search, files[i].option);
        if (!*files[i].out &&
            (search->names_tls || search_broker_counts(search))) {
            code = search_broker(search, files[i].key, files[i].written,
                                 files[i].out);
        }
    }
    return code;
}

static void find_limits(const struct search *search)
{
    const unsigned *const number = search->invocation->options.number;
    struct lilyq_connection *const found = search->found;

    found->connect_timeout_millis = number[OPTION_CONNECT_TIMEOUT] * 1000;
    found->answer_timeout_millis = number[OPTION_ANSWER_TIMEOUT] * 1000;
    found->timeout_millis = number[OPTION_TIMEOUT] * 1000;
    found->wait_millis = number[OPTION_WAIT] * 1000;
}

static void warn_insecure(const struct search *search)
{
    struct reporter loud = search->invocation->reporter;

    loud.quiet = false;
    if (!search->found->insecure) {
        return;
    }
    if (search->names_tls) {
        report_warning(&loud, "'--insecure': whoever is between here and the "
                              "broker can read and change everything, the "
                              "password too");
    } else {
        report_warning(&loud, "'--insecure' is of no use without TLS, that is "
                              "an amqps:// URL");
    }
}

/* "[::1]:5672", or several with commas between them */
static const char *name_all(struct lq_arena *arena,
                            const struct lq_route *route)
{
    const char *names = "";

    for (size_t i = 0; names && i < route->count; ++i) {
        const char *const name = lq_connection_address(arena, &route->ways[i]);

        names = name ? lq_format(arena, "%s%s%s", names, i ? ", " : "", name)
                     : NULL;
    }
    return names ? names : "?";
}

/* "vhost '/' as guest" */
static const char *name_login(struct lq_arena *arena,
                              const struct lq_connection *connection)
{
    const char *const name = lq_format(
        arena, "vhost '%s' as %s", words_shown(arena, connection->vhost),
        connection->username ? words_shown(arena, connection->username)
                             : "the certificate's user");

    return name ? name : "?";
}

static enum exit_code report_no_password(const struct search *search,
                                         const struct target *target)
{
    const char *others = " or " PASSWORD_VARIABLE;

    if (search_broker_counts(search)) {
        others = ", " PASSWORD_VARIABLE " or [broker] 'password_file'";
    } else if (search->run->config.broker.password_file) {
        others = " or " PASSWORD_VARIABLE "; [broker] 'password_file' counts "
                 "for its own URL only";
    }
    report_error(&search->invocation->reporter,
                 "no password for %s %s: use '--password-file'%s",
                 target->addresses, target->login, others);
    return EXIT_INVALID;
}

static enum exit_code settle_management(const struct search *search,
                                        const struct lq_route *route)
{
    const struct invocation *const invocation = search->invocation;
    struct lq_management_settings management;
    struct lq_diags diags;
    enum lq_status status = LQ_OK;
    const char *address = NULL;

    lq_diags_init(&diags, invocation->arena);
    status = lq_resolve_management(search->found, route, &diags, &management);
    if (status == LQ_INVALID) {
        search_report(search, search->management_source, &diags);
        return EXIT_INVALID;
    }
    address = status == LQ_OK
                  ? lq_management_address(invocation->arena, &management)
                  : NULL;
    if (!address) {
        return command_out_of_memory(invocation);
    }
    report_detail(&invocation->reporter, "management API from %s: %s",
                  search->management_source, address);
    return EXIT_DONE;
}

static enum exit_code settle(const struct search *search, struct target *out)
{
    const struct invocation *const invocation = search->invocation;
    struct lq_diags diags;
    struct lq_route route;
    enum lq_status status = LQ_OK;

    lq_diags_init(&diags, invocation->arena);
    status = lq_resolve(search->found, &diags, &route);
    if (status == LQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    search_report(search, search->source, &diags);
    if (status != LQ_OK) {
        return EXIT_INVALID;
    }
    out->addresses = name_all(invocation->arena, &route);
    out->login = name_login(invocation->arena, &route.ways[0]);
    if (route.ways[0].username && !route.ways[0].password) {
        return report_no_password(search, out);
    }
    report_detail(&invocation->reporter, "broker from %s: %s %s",
                  search->source, out->addresses, out->login);
    return search->found->management_url ? settle_management(search, &route)
                                         : EXIT_DONE;
}

enum exit_code connect_find(const struct invocation *invocation,
                            struct lilyq *run, struct target *out)
{
    static enum exit_code (*const steps[])(struct search *) = {
        search_urls, find_user, find_password, search_management, find_tls};
    struct search search = {
        .invocation = invocation, .run = run, .found = &out->connection};
    enum exit_code code = EXIT_DONE;

    *out = (struct target){0};
    for (size_t i = 0; code == EXIT_DONE && i < 5; ++i) {
        code = steps[i](&search);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    find_limits(&search);
    out->connection.insecure = search_option(&search, OPTION_INSECURE) != NULL;
    warn_insecure(&search);
    return settle(&search, out);
}
