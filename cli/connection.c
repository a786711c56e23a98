#include "connection.h"

#include "base/text.h"
#include "secret.h"

#include <stdlib.h>

#define PASSWORD_VARIABLE "LILYQ_PASSWORD"

/* A file to connect with. */
#define FILE_OPTION(name_, help_)                                              \
    {                                                                          \
        .name = (name_), .kind = OPTION_FILE, .metavar = "FILE",               \
        .help = (help_)                                                        \
    }

static const struct option_row url_option = {
    .name = "url",
    .kind = OPTION_LIST,
    .metavar = "URL",
    .help = "the broker, as amqp[s]://user@host:port/vhost; repeat it for "
            "other nodes to try"};
const struct option_row option_vhost = {.name = "vhost",
                                        .kind = OPTION_ANY_TEXT,
                                        .metavar = "VHOST",
                                        .help = "virtual host, instead of the "
                                                "URL's"};
static const struct option_row username_option = {
    .name = "username",
    .kind = OPTION_TEXT,
    .metavar = "USER",
    .help = "user to log in as, instead of the URL's"};
static const struct option_row password_file_option =
    FILE_OPTION("password-file", "file that holds the password");
const struct option_row option_management_url = {
    .name = "management-url",
    .kind = OPTION_TEXT,
    .metavar = "URL",
    .help =
        "check the broker through its management API, as http[s]://host:port"};
static const struct option_row tls_ca_option =
    FILE_OPTION("tls-ca-cert-file",
                "PEM file of the authorities to trust instead of the system's");
static const struct option_row tls_cert_option = FILE_OPTION(
    "tls-cert-file", "PEM file of the certificate to present to the broker");
static const struct option_row tls_key_option =
    FILE_OPTION("tls-key-file", "PEM file of that certificate's key");
static const struct option_row insecure_option = {
    .name = "insecure",
    .letter = 'k',
    .help = "verify neither the broker's certificate nor its host name"};
static const struct option_row connect_timeout_option = {
    .name = "connect-timeout",
    .kind = OPTION_SECONDS,
    .metavar = "SECONDS",
    .least = 1,
    .preset = "10",
    .help = "how long connecting and logging in may take"};
static const struct option_row answer_timeout_option = {
    .name = "answer-timeout",
    .kind = OPTION_SECONDS,
    .metavar = "SECONDS",
    .least = 1,
    .preset = "90",
    .help = "how long a request may go unanswered"};
static const struct option_row timeout_option = {
    .name = "timeout",
    .kind = OPTION_SECONDS,
    .metavar = "SECONDS",
    .preset = "0, no limit",
    .help = "how long the whole run may take"};
static const struct option_row wait_option = {
    .name = "wait",
    .kind = OPTION_SECONDS,
    .metavar = "SECONDS",
    .preset = "0",
    .help = "how long to keep trying while the broker cannot be reached"};

const struct option_row *const connection_options[] = {
    &url_option,
    &option_vhost,
    &username_option,
    &password_file_option,
    &option_management_url,
    &tls_ca_option,
    &tls_cert_option,
    &tls_key_option,
    &insecure_option,
    &connect_timeout_option,
    &answer_timeout_option,
    &timeout_option,
    &wait_option,
    NULL,
};

const struct option_row *const connection_only_options[] = {
    &url_option,
    &username_option,
    &password_file_option,
    &tls_ca_option,
    &tls_cert_option,
    &tls_key_option,
    &insecure_option,
    &connect_timeout_option,
    &answer_timeout_option,
    &timeout_option,
    &wait_option,
    NULL,
};

/* Where the URLs are from. */
enum origin { FROM_OPTION, FROM_ENVIRONMENT, FROM_FILE, FROM_DEFAULT };

/* What is known while the settings of a connection are put together. */
struct search {
    const struct invocation *invocation;
    struct lilyq *run;
    struct lilyq_connection *found;
    enum origin origin;
    const char *source;            /* what to call that in messages */
    const char *management_source; /* the same of the management URL */
    const char *vhost_source;      /* [broker], if the vhost is from there */
};

/* Whether [broker] has a say in where to go, and as whom. */
static bool broker_counts(const struct search *search)
{
    return search->origin == FROM_FILE || search->origin == FROM_DEFAULT;
}

/* Whether a URL begins with amqps://, or https:// if there is such a one. */
static bool names_tls(const struct search *search)
{
    const struct lilyq_connection *const found = search->found;

    return (found->read_url && found->read_url->tls) ||
           (found->read_management_url && found->read_management_url->tls);
}

/* The value of an environment variable, or NULL; empty counts as none. */
static const char *variable(const char *name)
{
    const char *const value = getenv(name);

    return value && *value ? value : NULL;
}

/* Shows what the library found wrong, from `first` on. */
static enum exit_code conclude(const struct search *search, size_t first,
                               enum lilyq_status status)
{
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(search->invocation);
    }
    for (size_t i = first; i < lilyq_problem_count(search->run); ++i) {
        report_error(&search->invocation->reporter, "%s",
                     lilyq_problem_at(search->run, i)->message);
    }
    return status == LILYQ_OK ? EXIT_DONE : EXIT_INVALID;
}

/* What [broker] says of a key, as it is written. */
static enum exit_code find_setting(const struct search *search, const char *key,
                                   struct lilyq_setting *out)
{
    const size_t first = lilyq_problem_count(search->run);

    return conclude(search, first, lilyq_broker_setting(search->run, key, out));
}

/* The value of a key of [broker], if it is there; `*source` is its place. */
static enum exit_code find_broker(const struct search *search, const char *key,
                                  const char **out, const char **source)
{
    struct lilyq_setting setting;
    const enum exit_code code = find_setting(search, key, &setting);

    if (code != EXIT_DONE || setting.kind == LILYQ_SETTING_ABSENT) {
        return code;
    }
    *source = setting.place;
    return secret_resolve(search->invocation, &setting, out);
}

static enum exit_code find_url_text(struct search *search, const char **out)
{
    static const char *const variables[] = {"LILYQ_URL", "RABBITMQ_URL",
                                            "AMQP_URL"};
    enum exit_code code = EXIT_DONE;

    *out = option_text(search->invocation, &url_option);
    search->origin = FROM_OPTION;
    search->source = "--url";
    for (size_t i = 0; !*out && i < 3; ++i) {
        *out = variable(variables[i]);
        search->origin = FROM_ENVIRONMENT;
        search->source = variables[i];
    }
    if (*out) {
        return EXIT_DONE;
    }
    search->origin = FROM_DEFAULT;
    search->source = "the default URL";
    code = find_broker(search, "url", out, &search->source);
    if (*out) {
        search->origin = FROM_FILE;
    }
    return code;
}

static enum exit_code find_url(struct search *search)
{
    const size_t first = lilyq_problem_count(search->run);
    const char *url = NULL;
    enum exit_code code = find_url_text(search, &url);

    if (code == EXIT_DONE) {
        code = conclude(search, first,
                        lilyq_read_url(search->run, url, search->source,
                                       &search->found->read_url));
    }
    if (code == EXIT_DONE && search->origin == FROM_OPTION &&
        search->found->read_url->has_password) {
        report_warning(&search->invocation->reporter,
                       "other users of this machine can see the password in "
                       "'--url': use '--password-file' or " PASSWORD_VARIABLE);
    }
    return code;
}

static enum exit_code find_vhost(struct search *search)
{
    const char **const vhost = &search->found->vhost;

    *vhost = option_text(search->invocation, &option_vhost);
    return *vhost || !broker_counts(search)
               ? EXIT_DONE
               : find_broker(search, "vhost", vhost, &search->vhost_source);
}

static enum exit_code find_user(struct search *search)
{
    const char **const username = &search->found->username;
    const char *source = NULL;

    *username = option_text(search->invocation, &username_option);
    return *username || !broker_counts(search)
               ? EXIT_DONE
               : find_broker(search, "username", username, &source);
}

static enum exit_code find_password(struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    const char **const password = &search->found->password;
    const char *path = option_text(invocation, &password_file_option);
    const char *source = "--password-file";
    enum exit_code code = EXIT_DONE;

    if (path && lq_str_equal(path, "-")) {
        report_error(&invocation->reporter,
                     "'--password-file' must be a file, not standard input");
        return EXIT_INVALID;
    }
    if (!path && search->origin == FROM_OPTION &&
        search->found->read_url->has_password) {
        return EXIT_DONE;
    }
    if (!path) {
        *password = variable(PASSWORD_VARIABLE);
    }
    if (!path && !*password && broker_counts(search)) {
        code = find_broker(search, "password_file", &path, &source);
    }
    return code == EXIT_DONE && path
               ? secret_read(invocation, source, path, password)
               : code;
}

static enum exit_code find_management_text(struct search *search,
                                           const char **out)
{
    *out = option_text(search->invocation, &option_management_url);
    search->management_source = "--management-url";
    return *out || !broker_counts(search)
               ? EXIT_DONE
               : find_broker(search, "management_url", out,
                             &search->management_source);
}

static enum exit_code find_management(struct search *search)
{
    const struct reporter *const reporter = &search->invocation->reporter;
    const size_t first = lilyq_problem_count(search->run);
    const struct lilyq_url *url = NULL;
    const char *text = NULL;
    enum exit_code code = find_management_text(search, &text);

    if (code == EXIT_DONE && text) {
        code =
            conclude(search, first,
                     lilyq_read_management_url(
                         search->run, text, search->management_source, &url));
    }
    if (code != EXIT_DONE || !url) {
        return code;
    }
    search->found->read_management_url = url;
    if (url->has_password &&
        option_text(search->invocation, &option_management_url)) {
        report_warning(reporter,
                       "other users of this machine can see the password in "
                       "'--management-url': leave it out if it is the same as "
                       "the broker's");
    }
    if (search->found->read_url->tls && !url->tls && url->is_remote) {
        report_warning(reporter,
                       "%s: whoever is between here and the management API "
                       "can read the password: use https://",
                       search->management_source);
    }
    return EXIT_DONE;
}

/* The files of [broker] say nothing to a connection without TLS. */
static enum exit_code find_tls(struct search *search)
{
    struct lilyq_connection *const found = search->found;
    const struct {
        const struct option_row *option;
        const char *key;
        const char **out;
    } files[] = {
        {&tls_ca_option, "tls_ca_file", &found->tls_ca_file},
        {&tls_cert_option, "tls_cert_file", &found->tls_cert_file},
        {&tls_key_option, "tls_key_file", &found->tls_key_file},
    };
    const bool asks = names_tls(search) || broker_counts(search);
    enum exit_code code = EXIT_DONE;

    for (size_t i = 0; code == EXIT_DONE && i < 3; ++i) {
        const char *source = NULL;

        *files[i].out = option_text(search->invocation, files[i].option);
        if (!*files[i].out && asks) {
            code = find_broker(search, files[i].key, files[i].out, &source);
        }
    }
    return code;
}

static void warn_insecure(const struct search *search)
{
    struct reporter loud = search->invocation->reporter;

    loud.quiet = false;
    if (!search->found->insecure) {
        return;
    }
    if (names_tls(search)) {
        report_warning(&loud, "'--insecure': whoever is between here and the "
                              "broker can read and change everything, the "
                              "password too");
    } else {
        report_warning(
            &loud,
            "'--insecure' has no effect without TLS, that is, an amqps:// URL");
    }
}

static void find_limits(const struct search *search)
{
    const struct invocation *const invocation = search->invocation;
    struct lilyq_connection *const found = search->found;

    found->connect_timeout_millis =
        option_number(invocation, &connect_timeout_option) * 1000;
    found->answer_timeout_millis =
        option_number(invocation, &answer_timeout_option) * 1000;
    found->timeout_millis = option_number(invocation, &timeout_option) * 1000;
    found->wait_millis = option_number(invocation, &wait_option) * 1000;
    found->insecure = option_text(invocation, &insecure_option) != NULL;
}

/* "vhost '/' as guest" */
static const char *name_login(struct lq_arena *arena,
                              const struct lilyq_target *target)
{
    const char *const name =
        lq_format(arena, "vhost '%s' as %s", words_shown(arena, target->vhost),
                  target->username ? words_shown(arena, target->username)
                                   : "the certificate's user");

    return name;
}

static enum exit_code report_no_password(const struct search *search,
                                         const struct target *target)
{
    const char *others = " or " PASSWORD_VARIABLE;
    struct lilyq_setting written;
    const enum exit_code code = find_setting(search, "password_file", &written);

    if (code != EXIT_DONE) {
        return code;
    }
    if (broker_counts(search)) {
        others = ", " PASSWORD_VARIABLE " or [broker] 'password_file'";
    } else if (written.kind != LILYQ_SETTING_ABSENT) {
        others = " or " PASSWORD_VARIABLE
                 "; [broker] 'password_file' applies only to its own URL";
    }
    report_error(&search->invocation->reporter,
                 "no password for %s %s: use '--password-file'%s",
                 target->addresses, target->login, others);
    return EXIT_INVALID;
}

/* Where all of it leads. */
static enum exit_code resolve(const struct search *search,
                              struct lilyq_target *out)
{
    const size_t first = lilyq_problem_count(search->run);

    return conclude(search, first,
                    lilyq_resolve(search->run, search->found, out));
}

static enum exit_code settle(const struct search *search, struct target *out)
{
    const struct reporter *const reporter = &search->invocation->reporter;
    struct lilyq_target target;
    const enum exit_code code = resolve(search, &target);

    if (code != EXIT_DONE) {
        return code;
    }
    out->addresses = target.addresses;
    out->login = name_login(search->invocation->arena, &target);
    if (target.username && !target.has_password) {
        return report_no_password(search, out);
    }
    report_detail(reporter, "broker from %s: %s %s", search->source,
                  out->addresses, out->login);
    if (target.management) {
        report_detail(reporter, "management API from %s: %s",
                      search->management_source, target.management);
    }
    return EXIT_DONE;
}

enum exit_code connection_find(const struct invocation *invocation,
                               struct lilyq *run, struct target *out)
{
    static enum exit_code (*const steps[])(struct search *) = {
        find_url,      find_vhost,      find_user,
        find_password, find_management, find_tls};
    struct search search = {
        .invocation = invocation, .run = run, .found = &out->connection};
    enum exit_code code = EXIT_DONE;

    *out = (struct target){.login = NULL};
    for (size_t i = 0; code == EXIT_DONE && i < sizeof(steps) / sizeof(*steps);
         ++i) {
        code = steps[i](&search);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    find_limits(&search);
    warn_insecure(&search);
    return settle(&search, out);
}

enum exit_code connection_vhost(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct option_row *option,
                                const char **out)
{
    struct lilyq_connection found = {.url = NULL};
    struct search search = {
        .invocation = invocation, .run = run, .found = &found};
    struct lilyq_target target = {.vhost = NULL};
    enum exit_code code = EXIT_DONE;

    *out = option_text(invocation, option);
    if (*out) {
        return EXIT_DONE;
    }
    code = find_url(&search);
    if (code == EXIT_DONE) {
        code = find_vhost(&search);
    }
    if (code == EXIT_DONE) {
        code = resolve(&search, &target);
    }
    if (code == EXIT_DONE &&
        (search.vhost_source || search.origin != FROM_DEFAULT)) {
        report_note(&invocation->reporter, "vhost '%s', from %s",
                    words_shown(invocation->arena, target.vhost),
                    search.vhost_source ? search.vhost_source : search.source);
    }
    *out = target.vhost;
    return code;
}
