/*
 * liblilyq: plans the v2 retry topology of RabbitMQ from queue entries,
 * renders it and declares it on a broker. See liblilyq(3).
 *
 * A struct lilyq is one run: load any number of documents, plan once, then
 * render or apply as often as you like. Only one thread may use a run at a
 * time. Nothing here prints, exits or reads the environment. Pointers that the
 * library returns stay valid until lilyq_free(); it never keeps a pointer that
 * the caller passes in.
 *
 * When a function fails, the problems of the run say why, except for
 * LILYQ_NOMEM and for LILYQ_IO from a sink.
 */
#ifndef LILYQ_H
#define LILYQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LILYQ_VERSION "0.1.0"

#define LILYQ_API __attribute__((visibility("default")))

struct lilyq;

/* How a call ended, by what the caller can do about it. */
enum lilyq_status {
    LILYQ_OK,      /* done */
    LILYQ_INVALID, /* the input is wrong: correct it and start again */
    LILYQ_IO,      /* a file could not be read, or the sink failed */
    LILYQ_NOMEM,   /* out of memory */
    LILYQ_REFUSED, /* the broker refused a request */
    LILYQ_LOST /* the broker could not be reached, or the connection was lost */
};

enum lilyq_input {
    LILYQ_INPUT_AUTO, /* JSON when the name ends in ".json", else INI */
    LILYQ_INPUT_INI,
    LILYQ_INPUT_JSON
};

enum lilyq_format {
    LILYQ_FORMAT_JSON,        /* the lilyq-plan document */
    LILYQ_FORMAT_TREE,        /* a tree for people */
    LILYQ_FORMAT_DEFINITIONS, /* a RabbitMQ definitions file */
    LILYQ_FORMAT_DOT,         /* Graphviz */
    LILYQ_FORMAT_MERMAID      /* a Mermaid flowchart */
};

/* An error or a warning, with its place in the input. */
struct lilyq_problem {
    const char *file; /* printable; NULL: not about a file */
    unsigned line;    /* from 1; 0: not known */
    unsigned column;  /* from 1, in bytes; 0: not known */
    const char *path; /* place in a JSON document, e.g. "queues[3]", or NULL */
    bool warning;
    const char *text;
    const char *message; /* place and text in one line, ready to show */
};

/*
 * Where output goes. `write` takes all the bytes and returns 0, or returns -1.
 *
 * A function that renders returns LILYQ_OK; LILYQ_INVALID when there is nothing
 * to render or a setting is wrong, before it writes anything; LILYQ_IO when the
 * sink fails; or LILYQ_NOMEM. After the last two the output is incomplete.
 */
struct lilyq_sink {
    int (*write)(void *data, const char *bytes, size_t length);
    void *data;
};

/* A new run, or NULL: out of memory. */
LILYQ_API struct lilyq *lilyq_new(void);

/* Releases the run and everything it returned; does nothing for NULL. */
LILYQ_API void lilyq_free(struct lilyq *run);

/*
 * Adds a file. LILYQ_INVALID if its content is wrong, or if lilyq_plan() was
 * called already; LILYQ_IO if it cannot be read.
 */
LILYQ_API enum lilyq_status lilyq_load_file(struct lilyq *run, const char *path,
                                            enum lilyq_input input);

/*
 * The same for `length` bytes of text, which need not end in NUL; messages
 * call it `name`.
 */
LILYQ_API enum lilyq_status lilyq_load_text(struct lilyq *run, const char *name,
                                            const char *text, size_t length,
                                            enum lilyq_input input);

/*
 * Plans everything that was loaded. Call it after a failed load too, to find
 * every problem at once: it then returns LILYQ_INVALID, and there is nothing to
 * render. A second call returns the status of the first.
 */
LILYQ_API enum lilyq_status lilyq_plan(struct lilyq *run);

/*
 * The problems so far. Those of one call are ordered by place, files in the
 * order in which they were added. NULL if `index` is not less than the count.
 * A run keeps its first 100 errors; from lilyq_plan() on, one more says how
 * many others there are.
 */
LILYQ_API size_t lilyq_problem_count(const struct lilyq *run);
LILYQ_API const struct lilyq_problem *lilyq_problem_at(const struct lilyq *run,
                                                       size_t index);

/* The number of errors so far, including those that the run did not keep. */
LILYQ_API size_t lilyq_error_count(const struct lilyq *run);

/* The size of a plan. */
struct lilyq_planned {
    size_t logical_queues;
    size_t external; /* those of them that others declare */
    size_t exchanges;
    size_t queues;
    size_t bindings;
    bool has_quorum_dlq; /* policies can keep those from dropping messages */
};

/* Counts what is planned; all zero without a plan. */
LILYQ_API void lilyq_count_planned(const struct lilyq *run,
                                   struct lilyq_planned *out);

/* How a setting gives its value. */
enum lilyq_setting_kind {
    LILYQ_SETTING_ABSENT,
    LILYQ_SETTING_TEXT,     /* the value itself */
    LILYQ_SETTING_VARIABLE, /* ${env:NAME}: an environment variable holds it */
    LILYQ_SETTING_FILE      /* ${file:PATH}: a file holds it */
};

/* A key of the [broker] section. */
struct lilyq_setting {
    enum lilyq_setting_kind kind;
    const char *text; /* the value, the name or the path; NULL: absent */
    /* "lilyq.ini:3: [broker] 'url'", printable; NULL: absent */
    const char *place;
};

/*
 * Finds what the loaded documents say about a key of [broker]. The library
 * checks the section but does not use it: the caller reads the variable or file
 * that a value refers to, and passes it on in a struct lilyq_connection.
 * LILYQ_OK, LILYQ_INVALID (no such key) or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status lilyq_broker_setting(struct lilyq *run,
                                                 const char *key,
                                                 struct lilyq_setting *out);

/*
 * Writes the planned topology. `vhost` is the virtual host of a definitions
 * file (NULL: "/"); the other formats ignore it.
 */
LILYQ_API enum lilyq_status lilyq_render(struct lilyq *run,
                                         enum lilyq_format format,
                                         const char *vhost,
                                         const struct lilyq_sink *sink);

/* Who uses a topology, and what for. */
enum lilyq_role {
    LILYQ_DEPLOYER,  /* declares it, as lilyq_apply() does */
    LILYQ_PUBLISHER, /* publishes to the main exchanges */
    LILYQ_CONSUMER,  /* declares it, consumes, republishes what failed */
    LILYQ_OPERATOR   /* reads dead-lettered messages and republishes them */
};

/* A user of the broker in a role. */
struct lilyq_account {
    enum lilyq_role role;
    const char *user; /* NULL: "lilyq-deployer", "lilyq-publisher", ... */
};

struct lilyq_accounts {
    const char *vhost; /* NULL: "/" */
    const struct lilyq_account *list;
    size_t count; /* 0: one account for each role */
};

enum lilyq_permissions_format {
    LILYQ_PERMISSIONS_JSON,       /* the lilyq-permissions document */
    LILYQ_PERMISSIONS_RABBITMQCTL /* commands for a shell */
};

/*
 * Writes the least permissions that these accounts need for the planned
 * topology. `accounts` may be NULL, which is the same as all zeros.
 */
LILYQ_API enum lilyq_status lilyq_render_permissions(
    struct lilyq *run, enum lilyq_permissions_format format,
    const struct lilyq_accounts *accounts, const struct lilyq_sink *sink);

enum lilyq_explain_format {
    LILYQ_EXPLAIN_TEXT, /* for people */
    LILYQ_EXPLAIN_JSON, /* the lilyq-explain document */
    LILYQ_EXPLAIN_SVG   /* a chart of the queues during an outage */
};

/* What to explain; zeroed fields mean the default. */
struct lilyq_explain_options {
    const char *event_id;       /* a UUID in lower case; NULL: any event */
    double messages_per_second; /* the load, up to 1000000; 0: no load */
    double failure_ratio;       /* of deliveries outside an outage, 0 to 1 */
    uint64_t outage_millis; /* how long every delivery fails, up to 365 days */
    uint64_t message_bytes; /* the size of a message; 0: only the largest */
};

/*
 * Writes what becomes of a message that keeps failing: its retries, the bucket
 * of each, the headers that it carries, and how it is dead-lettered; with a
 * load, also how full the queues get. `queue` names an entry: LILYQ_INVALID if
 * there is none of that name. `options` may be NULL.
 */
LILYQ_API enum lilyq_status
lilyq_explain(struct lilyq *run, const char *queue,
              const struct lilyq_explain_options *options,
              enum lilyq_explain_format format, const struct lilyq_sink *sink);

/* The policies to give a topology; zeroed fields mean the default. */
struct lilyq_policy_options {
    const char *name; /* names them "lilyq-NAME-..."; NULL: "lilyq-..." */
    const char *broker_version; /* "4.0"; NULL: not known */
    unsigned priority;
    unsigned dlq_delivery_limit;    /* of quorum DLQs; 0: none */
    unsigned dlq_retention_seconds; /* of messages in DLQs; 0: for ever */
    bool native_retry; /* instead, policies that make the broker retry */
};

enum lilyq_policies_format {
    LILYQ_POLICIES_JSON,        /* the lilyq-policies document */
    LILYQ_POLICIES_RABBITMQCTL, /* commands for a shell */
    LILYQ_POLICIES_TEXT         /* for people */
};

/*
 * Writes the policies that give the planned topology what arguments cannot.
 * `vhost` may be NULL, which means "/"; so may `options`, which is the same as
 * all zeros.
 */
LILYQ_API enum lilyq_status lilyq_render_policies(
    struct lilyq *run, enum lilyq_policies_format format, const char *vhost,
    const struct lilyq_policy_options *options, const struct lilyq_sink *sink);

/*
 * Writes a definitions file as lilyq_render() does, and includes the policies.
 * LILYQ_INVALID if `options` ask for `native_retry`.
 */
LILYQ_API enum lilyq_status
lilyq_render_definitions(struct lilyq *run, const char *vhost,
                         const struct lilyq_policy_options *options,
                         const struct lilyq_sink *sink);

/* What a list of URLs says; each is true if it is true of any of them. */
struct lilyq_url {
    bool tls; /* amqps:// or https:// */
    bool has_password;
    bool is_remote; /* the host is not this machine */
};

/*
 * Reads a `url` or `management_url`; the result can stand in for the text in a
 * struct lilyq_connection. Messages name `source`, such as "--url", as their
 * file (printable; NULL: none). LILYQ_OK, LILYQ_INVALID or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status lilyq_read_url(struct lilyq *run, const char *url,
                                           const char *source,
                                           const struct lilyq_url **out);
LILYQ_API enum lilyq_status
lilyq_read_management_url(struct lilyq *run, const char *url,
                          const char *source, const struct lilyq_url **out);

/*
 * How to reach a broker; zeroed fields mean the default. `url` may be a list,
 * separated by commas and tried in turn: ways to the same broker, such as the
 * nodes of a cluster.
 */
struct lilyq_connection {
    const char *url; /* amqp[s]://...; NULL: amqp://guest:guest@localhost */
    /*
     * http[s]://user:password@host:port; NULL: none. If given, the library
     * reads there what the broker holds. It uses the same certificates, and
     * the same user and password unless the URL has its own.
     */
    const char *management_url;
    const char *vhost; /* overrides the URL's, like the next two */
    const char *username;
    const char *password;    /* never appears in output or messages */
    const char *tls_ca_file; /* NULL: the system's certificates */
    const char *tls_cert_file;
    const char *tls_key_file;
    bool insecure; /* verify neither certificate nor host name */
    unsigned connect_timeout_millis; /* 0: 10 s */
    unsigned timeout_millis;         /* the whole run; 0: no limit */
    unsigned wait_millis;            /* how long to keep trying to connect */
    unsigned answer_timeout_millis;  /* of one request; 0: 90 s */
    /*
     * The two URLs, if they have been read: what lilyq_read_url() and
     * lilyq_read_management_url() returned for the same run, not a copy of it.
     * NULL: use the text above.
     */
    const struct lilyq_url *read_url;
    const struct lilyq_url *read_management_url;
};

/* Where a connection leads. */
struct lilyq_target {
    const char *addresses; /* "host:5672", separated by ", "; printable */
    const char *vhost;     /* not made printable, nor is the user */
    const char *username;  /* NULL: the user of the client's certificate */
    bool has_password;
    const char *management; /* "http://host:15672", printable; NULL: none */
};

/*
 * Finds out where a connection leads, with every default filled in, without
 * connecting. LILYQ_OK, LILYQ_INVALID (a URL is wrong, or settings contradict
 * each other) or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status
lilyq_resolve(struct lilyq *run, const struct lilyq_connection *connection,
              struct lilyq_target *out);

enum lilyq_apply_mode {
    LILYQ_PREFLIGHT,    /* checks everything, then declares what is missing */
    LILYQ_NO_PREFLIGHT, /* checks what is external, then declares the rest */
    LILYQ_DRY_RUN       /* checks everything and declares nothing */
};

/* How to apply; zeroed fields mean the default. */
struct lilyq_apply_options {
    enum lilyq_apply_mode mode;
    unsigned max_in_flight; /* unanswered requests; 0: 512 */
    bool fail_when_blocked; /* by an alarm, instead of waiting until it ends */
    /*
     * Policies to set through the management API before anything is declared;
     * NULL: none. The broker's version comes from there. Cannot be combined
     * with LILYQ_NO_PREFLIGHT or `native_retry`.
     */
    const struct lilyq_policy_options *policies;
};

/* Callbacks of the functions that talk to a broker; any may be NULL. */
struct lilyq_hooks {
    void (*progress)(void *data, size_t done, size_t total); /* resources */
    bool (*stop)(void *data); /* true: stop before the next request */
    void (*notice)(void *data, const char *text); /* why the call is waiting */
    void *data;
};

/* How an apply ended. */
enum lilyq_ending {
    LILYQ_APPLIED,         /* everything is as planned */
    LILYQ_ENDED_CONFLICT,  /* conflicts found, nothing was written */
    LILYQ_ENDED_UNTOUCHED, /* failed, nothing was written */
    LILYQ_ENDED_PARTLY,    /* some was written, the rest was not; the cause
                              says whether running it again completes it */
    LILYQ_ENDED_DRY        /* a dry run: what is missing counts as pending */
};

/* Why an apply did not end well. */
enum lilyq_cause {
    LILYQ_NO_CAUSE,       /* it ended well */
    LILYQ_CAUSE_CONFLICT, /* something exists, but not as planned */
    LILYQ_CAUSE_REFUSED,  /* the broker refused something: running it again
                             fails until that is put right */
    LILYQ_CAUSE_LOST,     /* the broker could not be reached, the connection was
                             lost, or time ran out: running it again completes
                             it */
    LILYQ_CAUSE_STOPPED /* a hook or an alarm of the broker stopped it: running
                           it again completes it */
};

/* What became of the resources of one kind. */
struct lilyq_counts {
    size_t created;    /* was missing, is now declared */
    size_t updated;    /* a policy that existed and was changed */
    size_t existing;   /* existed already, and is equivalent */
    size_t ensured;    /* a binding between resources that existed */
    size_t declared;   /* without a check: is new, or existed already */
    size_t pending;    /* missing, left so by a dry run */
    size_t verified;   /* external, exists */
    size_t unverified; /* a binding that AMQP cannot check (external, or in a
                          dry run between resources that exist), or an
                          external one that does not exist */
    size_t conflicts;  /* exists, but not as planned */
    size_t failed;     /* refused */
    size_t uncertain;  /* requested, never answered */
    size_t not_done;   /* not reached */
};

struct lilyq_report {
    enum lilyq_ending ending;
    const char *broker;     /* "host:5672", printable; NULL: AMQP was not needed
                               or not reached */
    const char *management; /* "http://host:15672", where everything was
                               checked; NULL: was not used */
    struct lilyq_counts exchanges;
    struct lilyq_counts queues;
    struct lilyq_counts bindings;
    struct lilyq_counts policies; /* all zero if none were to be set */
    const char *version; /* of the broker, if policies were to be set; NULL: not
                            known */
    enum lilyq_cause cause;
};

/*
 * Declares the planned topology on a broker; never deletes anything. `options`
 * and `hooks` may be NULL. LILYQ_OK, LILYQ_REFUSED, LILYQ_LOST, LILYQ_INVALID
 * (the connection's settings are wrong) or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status
lilyq_apply(struct lilyq *run, const struct lilyq_connection *connection,
            const struct lilyq_apply_options *options,
            const struct lilyq_hooks *hooks, struct lilyq_report *out);

enum lilyq_report_format { LILYQ_REPORT_TEXT, LILYQ_REPORT_JSON };

/*
 * Writes what the last lilyq_apply() did, resource by resource. LILYQ_INVALID
 * if there was none.
 */
LILYQ_API enum lilyq_status lilyq_render_report(struct lilyq *run,
                                                enum lilyq_report_format format,
                                                const struct lilyq_sink *sink);

/* The kinds of findings of lilyq_diff(). */
enum lilyq_finding {
    LILYQ_MISSING,    /* planned, does not exist */
    LILYQ_DIFFERENT,  /* exists, not as planned */
    LILYQ_UNEXPECTED, /* exists, not planned */
    LILYQ_SHADOWED,   /* as planned, but something else is in force */
    LILYQ_UNVERIFIED, /* the source does not show it */
    LILYQ_NOTE        /* as planned, but worth a look */
};

#define LILYQ_FINDING_COUNT 6

/* A file of definitions that a broker exported. */
struct lilyq_definitions {
    const char *name;  /* of the file, or what messages call `text` */
    const char *text;  /* NULL: read the file */
    size_t length;     /* of `text`, in bytes */
    const char *vhost; /* NULL: the only one in the file */
};

/* An earlier plan: queue entries, or a plan that was saved as JSON. */
struct lilyq_earlier {
    const char *name; /* of the file, or what messages call `text` */
    const char *text; /* NULL: read the file */
    size_t length;    /* of `text`, in bytes */
};

/* What to compare with: one of the first three; the others are NULL. */
struct lilyq_source {
    /*
     * A broker: through its management API if the connection has one, else
     * over AMQP, which shows less. Neither creates anything.
     */
    const struct lilyq_connection *connection;
    const struct lilyq_definitions *definitions;
    const struct lilyq_earlier *earlier;
    bool passive_only; /* over AMQP: check only what exists */
    /*
     * Policies to expect as well, without `native_retry`; NULL: none. The
     * broker's version comes from the source, if the source has it.
     */
    const struct lilyq_policy_options *policies;
};

/* What the plan was compared with. */
enum lilyq_source_kind {
    LILYQ_SOURCE_MANAGEMENT,
    LILYQ_SOURCE_DEFINITIONS,
    LILYQ_SOURCE_AMQP,
    LILYQ_SOURCE_EARLIER
};

/* The summary of a diff. */
struct lilyq_drift {
    size_t counts[LILYQ_FINDING_COUNT]; /* by enum lilyq_finding */
    enum lilyq_source_kind kind;
    const char *source; /* "http://host:15672", "host:5672" or a file's name,
                           printable */
    const char *vhost;  /* printable; NULL for an earlier plan */
    bool policies_left_out; /* the plan has policies, and the source shows
                               policies, but none were to be compared */
};

/*
 * Compares the planned topology with what a broker holds or with an earlier
 * plan: finds what applying it would do and leave behind. Changes nothing.
 * `hooks` may be NULL. LILYQ_OK whatever it finds. Otherwise there is nothing
 * to render: LILYQ_INVALID (the settings or the file are wrong), LILYQ_IO,
 * LILYQ_REFUSED, LILYQ_LOST or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status lilyq_diff(struct lilyq *run,
                                       const struct lilyq_source *source,
                                       const struct lilyq_hooks *hooks,
                                       struct lilyq_drift *out);

enum lilyq_diff_format {
    LILYQ_DIFF_TEXT,  /* for people */
    LILYQ_DIFF_JSON,  /* the lilyq-diff document */
    LILYQ_DIFF_JUNIT, /* a JUnit report, a test for each logical queue */
    LILYQ_DIFF_GITHUB /* annotations for GitHub Actions */
};

/* How findings are shown; zeroed fields mean the default. */
struct lilyq_diff_style {
    unsigned fail_on; /* kinds that count as drift, bits 1 << enum
                         lilyq_finding; 0: all but LILYQ_UNVERIFIED and
                         LILYQ_NOTE */
    bool whole;       /* text: a line for every finding */
    bool colour;      /* text: for a terminal */
};

/* Writes what the last lilyq_diff() found; `style` may be NULL. */
LILYQ_API enum lilyq_status
lilyq_render_diff(struct lilyq *run, enum lilyq_diff_format format,
                  const struct lilyq_diff_style *style,
                  const struct lilyq_sink *sink);

/* How serious a finding of lilyq_lint() is. */
enum lilyq_severity {
    LILYQ_SEVERITY_NOTE,    /* good to know */
    LILYQ_SEVERITY_WARNING, /* messages are lost or repeated if something else
                               fails */
    LILYQ_SEVERITY_ERROR /* messages are lost or repeated in ordinary use, or a
                            limit that was given is exceeded */
};

/* How to judge a plan; zeroed fields mean the default. */
struct lilyq_lint_options {
    const char *broker_version; /* "4.3" or "4.3.6"; NULL: the source's, or
                                   any from 3.10 on */
    uint64_t max_window_millis; /* of all retries together; 0: no limit */
    uint64_t max_disk_bytes;    /* of all queues together; 0: no limit */
    /* a broker's management API or definitions to judge too; NULL: none */
    const struct lilyq_source *source;
    /*
     * Policies to assume, without `native_retry`; NULL: none. With a source, as
     * if lilyq_apply() had set them there.
     */
    const struct lilyq_policy_options *policies;
};

/* The number of findings of each severity. */
struct lilyq_findings {
    size_t errors;
    size_t warnings;
    size_t notes;
    size_t ignored; /* by comments in the input; not counted above */
};

/*
 * Judges the planned topology: finds what loses, repeats or stalls messages
 * and, given a source, what the policies and bindings of a broker do to it.
 * `options` and `hooks` may be NULL. LILYQ_OK whatever it finds; it fails as
 * lilyq_diff() does.
 */
LILYQ_API enum lilyq_status lilyq_lint(struct lilyq *run,
                                       const struct lilyq_lint_options *options,
                                       const struct lilyq_hooks *hooks,
                                       struct lilyq_findings *out);

enum lilyq_lint_format {
    LILYQ_LINT_TEXT,  /* for people */
    LILYQ_LINT_JSON,  /* the lilyq-lint document */
    LILYQ_LINT_SARIF, /* SARIF 2.1.0 */
    LILYQ_LINT_JUNIT, /* a test suite with a test for each entry */
    LILYQ_LINT_GITHUB /* annotations for GitHub Actions */
};

/*
 * Writes what the last lilyq_lint() found. In JUnit's format, findings of the
 * severity `fails_from` and above fail the test of their entry. The text lists
 * each of them, even those that all entries of a queue type share.
 */
LILYQ_API enum lilyq_status lilyq_render_lint(struct lilyq *run,
                                              enum lilyq_lint_format format,
                                              enum lilyq_severity fails_from,
                                              const struct lilyq_sink *sink);

/* The version of the library: LILYQ_VERSION at the time of its build. */
LILYQ_API const char *lilyq_version(void);

#ifdef __cplusplus
}
#endif

#endif
