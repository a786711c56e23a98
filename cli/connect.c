#include "connect.h"

#include "base/text.h"
#include "secret.h"
#include "session.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

#define PASSWORD_VARIABLE "LILYQ_PASSWORD"

enum origin { FROM_OPTION, FROM_ENVIRONMENT, FROM_FILE, FROM_DEFAULT };

/* What is known while the settings are put together. */
struct search {
    const struct invocation *invocation;
    struct lilyq *run;
    struct lilyq_connection *found;
    enum origin origin;         /* of the URL */
    const char *source;         /* what to call that in messages */
    struct lq_connection named; /* what the URL names */
};

static const char *given(const struct search *search, enum option_id id)
{
    return search->invocation->options.text[id];
}

/* An empty variable counts as none. */
static const char *variable(const char *name)
{
    const char *const value = getenv(name);

    return value && *value ? value : NULL;
}

/* "lilyq.ini:3: [broker] 'url'" */
static const char *broker_source(const struct search *search, const char *key)
{
    const struct lq_broker_settings *const broker = &search->run->config.broker;
    const struct lq_key *const row = lq_key_find(LQ_SECTION_BROKER, key);
    const char *const text =
        lq_format(search->invocation->arena, "%s:%u: [broker] '%s'",
                  broker->place.file, broker->lines[row - lq_keys], key);

    return text ? text : key;
}

/* Sets `out` from a value of [broker], if there is one. */
static enum exit_code take_from_broker(const struct search *search,
                                       const char *key, const char *value,
                                       const char **out)
{
    if (!value) {
        return EXIT_DONE;
    }
    return secret_resolve(search->invocation, broker_source(search, key), value,
                          out);
}

static enum exit_code find_url(struct search *search)
{
    static const char *const variables[] = {"LILYQ_URL", "RABBITMQ_URL",
                                            "AMQP_URL"};
    const char **const url = &search->found->url;
    const char *const written = search->run->config.broker.url;

    *url = given(search, OPTION_URL);
    search->origin = FROM_OPTION;
    search->source = "--url";
    for (size_t i = 0; !*url && i < 3; ++i) {
        *url = variable(variables[i]);
        search->origin = FROM_ENVIRONMENT;
        search->source = variables[i];
    }
    if (*url) {
        return EXIT_DONE;
    }
    search->origin = written ? FROM_FILE : FROM_DEFAULT;
    search->source = written ? broker_source(search, "url") : "the default URL";
    return take_from_broker(search, "url", written, url);
}

/* Reads what the URL names, to know what it leaves open. */
static enum exit_code read_url(struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    struct lq_diags diags;
    enum lq_status status = LQ_OK;

    if (!search->found->url) {
        return EXIT_DONE;
    }
    lq_diags_init(&diags, invocation->arena);
    status = lq_url_parse(search->found->url, &diags, &search->named);
    if (status == LQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    for (size_t i = 0; i < diags.items.count; ++i) {
        report_error(&invocation->reporter, "%s: %s", search->source,
                     lq_diags_at(&diags, i)->text);
    }
    if (status == LQ_OK && search->origin == FROM_OPTION &&
        search->named.password) {
        report_warning(&invocation->reporter,
                       "other users of this machine can see the password in "
                       "'--url': use '--password-file' or " PASSWORD_VARIABLE);
    }
    return status == LQ_OK ? EXIT_DONE : EXIT_INVALID;
}

static bool broker_counts(const struct search *search)
{
    return search->origin == FROM_FILE || search->origin == FROM_DEFAULT;
}

static enum exit_code find_user(struct search *search)
{
    const struct lq_broker_settings *const broker = &search->run->config.broker;
    struct lilyq_connection *const found = search->found;
    enum exit_code code = EXIT_DONE;

    found->vhost = given(search, OPTION_VHOST);
    found->username = given(search, OPTION_USERNAME);
    if (!found->vhost && broker_counts(search)) {
        code = take_from_broker(search, "vhost", broker->vhost, &found->vhost);
    }
    if (code == EXIT_DONE && !found->username && broker_counts(search)) {
        code = take_from_broker(search, "username", broker->username,
                                &found->username);
    }
    return code;
}

static enum exit_code find_password(struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    const char *const written = search->run->config.broker.password_file;
    const char **const password = &search->found->password;
    const char *path = given(search, OPTION_PASSWORD_FILE);
    enum exit_code code = EXIT_DONE;

    if (path && lq_str_equal(path, "-")) {
        report_error(&invocation->reporter,
                     "'--password-file' must be a file, not standard input");
        return EXIT_INVALID;
    }
    if (path) {
        return secret_read(invocation, "--password-file", path, password);
    }
    if (search->origin == FROM_OPTION && search->named.password) {
        return EXIT_DONE;
    }
    *password = variable(PASSWORD_VARIABLE);
    if (*password || !broker_counts(search)) {
        return EXIT_DONE;
    }
    code = take_from_broker(search, "password_file", written, &path);
    return code == EXIT_DONE && path
               ? secret_read(invocation, broker_source(search, "password_file"),
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
        *files[i].out = given(search, files[i].option);
        if (!*files[i].out && (search->named.tls || broker_counts(search))) {
            code = take_from_broker(search, files[i].key, files[i].written,
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
    if (search->named.tls) {
        report_warning(&loud, "'--insecure': whoever is between here and the "
                              "broker can read and change everything, the "
                              "password too");
    } else {
        report_warning(&loud, "'--insecure' is of no use without TLS, that is "
                              "an amqps:// URL");
    }
}

/* "[::1]:5672 vhost '/' as guest" */
static const char *name_target(struct lq_arena *arena,
                               const struct lq_connection *connection)
{
    const bool bracketed = strchr(connection->host, ':') != NULL;
    const char *const name = lq_format(
        arena, "%s%s%s:%u vhost '%s' as %s", bracketed ? "[" : "",
        words_shown(arena, connection->host), bracketed ? "]" : "",
        connection->port, words_shown(arena, connection->vhost),
        connection->username ? words_shown(arena, connection->username)
                             : "the certificate's user");

    return name ? name : "?";
}

static enum exit_code report_no_password(const struct search *search,
                                         const char *target)
{
    const char *others = " or " PASSWORD_VARIABLE;

    if (broker_counts(search)) {
        others = ", " PASSWORD_VARIABLE " or [broker] 'password_file'";
    } else if (search->run->config.broker.password_file) {
        others = " or " PASSWORD_VARIABLE "; [broker] 'password_file' counts "
                 "for its own URL only";
    }
    report_error(&search->invocation->reporter,
                 "no password for %s: use '--password-file'%s", target, others);
    return EXIT_INVALID;
}

static enum exit_code settle(const struct search *search, struct target *out)
{
    const struct invocation *const invocation = search->invocation;
    struct lq_connection resolved;
    const enum lq_status status =
        lq_session_resolve(search->run, search->found, &resolved);

    if (status != LQ_OK) {
        return command_out_of_memory(invocation); /* the URL is fine */
    }
    out->name = name_target(invocation->arena, &resolved);
    if (resolved.username && !resolved.password) {
        return report_no_password(search, out->name);
    }
    report_detail(&invocation->reporter, "broker from %s: %s", search->source,
                  out->name);
    return EXIT_DONE;
}

enum exit_code connect_find(const struct invocation *invocation,
                            struct lilyq *run, struct target *out)
{
    static enum exit_code (*const steps[])(struct search *) = {
        find_url, read_url, find_user, find_password, find_tls};
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
    out->connection.insecure = given(&search, OPTION_INSECURE) != NULL;
    warn_insecure(&search);
    return settle(&search, out);
}
