/*
 * liblilyq: plans the v2 retry topology of RabbitMQ from queue entries,
 * renders it and declares it on a broker. See liblilyq(3).
 *
 * A struct lilyq is one run: load any number of documents, plan once, then
 * render or apply as often as wanted. It is used by one thread at a time.
 * Nothing here prints, exits or reads the environment. Pointers handed out
 * stay valid until lilyq_free(); what is passed in is copied or not kept.
 *
 * When a function fails with anything but LILYQ_NOMEM, or LILYQ_IO of a sink,
 * there are problems that say why.
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

/* What the caller can do about an outcome; why is in the problems. */
enum lilyq_status {
    LILYQ_OK,      /* done */
    LILYQ_INVALID, /* the input is wrong: mend it and start again */
    LILYQ_IO,      /* a file could not be read or the sink refused */
    LILYQ_NOMEM,   /* out of memory */
    LILYQ_REFUSED, /* the broker answered no */
    LILYQ_LOST     /* the broker was not reached, or the connection ended */
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

/* One thing wrong, or worth a warning, with its place in the input. */
struct lilyq_problem {
    const char *file; /* printable; NULL when it has no place in a file */
    unsigned line;    /* from 1; 0 when not known */
    unsigned column;  /* from 1, in bytes; 0 when not known */
    const char *path; /* place in a JSON document, e.g. "queues[3]", or NULL */
    bool warning;
    const char *text;
    const char *message; /* place and text in one line, ready to show */
};

/*
 * Where output goes. `write` takes all bytes and returns 0, else -1.
 *
 * What renders returns LILYQ_OK; LILYQ_INVALID (there is nothing to render, or
 * a setting is wrong), before anything was written; LILYQ_IO when the sink
 * refused, or LILYQ_NOMEM: what was written is not all then.
 */
struct lilyq_sink {
    int (*write)(void *data, const char *bytes, size_t length);
    void *data;
};

/* A new run, or NULL: out of memory. */
LILYQ_API struct lilyq *lilyq_new(void);

/* Releases the run and all it handed out; NULL is fine. */
LILYQ_API void lilyq_free(struct lilyq *run);

/*
 * Adds a file. LILYQ_INVALID and LILYQ_IO leave problems to read. Nothing can
 * be added any more once lilyq_plan() was called: LILYQ_INVALID.
 */
LILYQ_API enum lilyq_status lilyq_load_file(struct lilyq *run, const char *path,
                                            enum lilyq_input input);

/*
 * The same for `length` bytes of text, which need no NUL at their end; `name`
 * is what messages call it.
 */
LILYQ_API enum lilyq_status lilyq_load_text(struct lilyq *run, const char *name,
                                            const char *text, size_t length,
                                            enum lilyq_input input);

/*
 * Plans all that was loaded. Runs after a failed load too, to find every
 * problem at once; LILYQ_INVALID then, and there is nothing to render. A
 * second call gives the first one's outcome.
 */
LILYQ_API enum lilyq_status lilyq_plan(struct lilyq *run);

/*
 * Problems so far, those of a call ordered by place; files as they were added.
 * `index` is less than the count. Of errors the first 100 of a run are kept,
 * and from lilyq_plan() on a last one that says how many more there are.
 */
LILYQ_API size_t lilyq_problem_count(const struct lilyq *run);
LILYQ_API const struct lilyq_problem *lilyq_problem_at(const struct lilyq *run,
                                                       size_t index);

/* How many errors there are so far, those that are not kept included. */
LILYQ_API size_t lilyq_error_count(const struct lilyq *run);

/* How much is planned. */
struct lilyq_planned {
    size_t logical_queues;
    size_t external; /* of these: others declare them */
    size_t exchanges;
    size_t queues;
    size_t bindings;
    bool has_quorum_dlq; /* which policies can keep from dropping letters */
};

/* Counts what is planned; all is zero without a plan. */
LILYQ_API void lilyq_count_planned(const struct lilyq *run,
                                   struct lilyq_planned *out);

/* What the value of a setting is. */
enum lilyq_setting_kind {
    LILYQ_SETTING_ABSENT,
    LILYQ_SETTING_TEXT,     /* the value itself */
    LILYQ_SETTING_VARIABLE, /* ${env:NAME}: the name of a variable that has it
                             */
    LILYQ_SETTING_FILE      /* ${file:PATH}: the path of a file that has it */
};

/* A key of the section [broker]. */
struct lilyq_setting {
    enum lilyq_setting_kind kind;
    const char *text; /* the value, the name or the path; NULL: absent */
    const char
        *place; /* "lilyq.ini:3: [broker] 'url'", printable; NULL: absent */
};

/*
 * What the loaded documents say of a key of [broker]. It is only checked when
 * it is loaded: what it refers to is the caller's to read, and no other
 * function takes it into account. LILYQ_OK, LILYQ_INVALID (there is no such
 * key) or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status lilyq_broker_setting(struct lilyq *run,
                                                 const char *key,
                                                 struct lilyq_setting *out);

/*
 * Writes the planned topology. `vhost` is what a definitions file names
 * (NULL: "/"); other formats have none.
 */
LILYQ_API enum lilyq_status lilyq_render(struct lilyq *run,
                                         enum lilyq_format format,
                                         const char *vhost,
                                         const struct lilyq_sink *sink);

/* Who uses a topology, and what for. */
enum lilyq_role {
    LILYQ_DEPLOYER,  /* declares it, as lilyq_apply() does */
    LILYQ_PUBLISHER, /* publishes to the main exchanges */
    LILYQ_CONSUMER,  /* declares it too, consumes, hands on what failed */
    LILYQ_OPERATOR   /* reads dead letters, publishes them again */
};

/* A user of the broker in a role. */
struct lilyq_account {
    enum lilyq_role role;
    const char *user; /* NULL: "lilyq-deployer", "lilyq-publisher", ... */
};

struct lilyq_accounts {
    const char *vhost; /* NULL: "/" */
    const struct lilyq_account *list;
    size_t count; /* 0: one for each role */
};

enum lilyq_permissions_format {
    LILYQ_PERMISSIONS_JSON,       /* the lilyq-permissions document */
    LILYQ_PERMISSIONS_RABBITMQCTL /* commands for a shell */
};

/*
 * Writes the least permissions that these accounts need for the planned
 * topology; `accounts` may be NULL, which is a zeroed one.
 */
LILYQ_API enum lilyq_status lilyq_render_permissions(
    struct lilyq *run, enum lilyq_permissions_format format,
    const struct lilyq_accounts *accounts, const struct lilyq_sink *sink);

enum lilyq_explain_format {
    LILYQ_EXPLAIN_TEXT, /* for people */
    LILYQ_EXPLAIN_JSON, /* the lilyq-explain document */
    LILYQ_EXPLAIN_SVG   /* a drawing of the queues through an outage */
};

/* What to explain; zeroed fields mean the default. */
struct lilyq_explain_options {
    const char *event_id; /* a UUID in lower case: of this event; NULL: any */
    double
        messages_per_second; /* the load, up to 1000000; 0: none is told of */
    double failure_ratio;    /* of deliveries in normal time, 0 to 1 */
    uint64_t outage_millis;  /* for so long all fail, up to 365 days */
    uint64_t message_bytes;  /* of a message; 0: of the largest ones only */
};

/*
 * Writes what becomes of a message that keeps failing: its retries, the bucket
 * of each, the headers that it carries, and how it is dead-lettered; with a
 * load, also how full the queues get. `queue` is the name of an entry, else
 * LILYQ_INVALID; `options` may be NULL.
 */
LILYQ_API enum lilyq_status
lilyq_explain(struct lilyq *run, const char *queue,
              const struct lilyq_explain_options *options,
              enum lilyq_explain_format format, const struct lilyq_sink *sink);

/* Policies that a topology shall have; zeroed fields mean the default. */
struct lilyq_policy_options {
    const char *name; /* they are "lilyq-NAME-..."; NULL: "lilyq-..." */
    const char *broker_version; /* "4.0"; NULL: not known */
    unsigned priority;
    unsigned dlq_delivery_limit;    /* of quorum DLQs; 0: none */
    unsigned dlq_retention_seconds; /* of letters in DLQs; 0: for ever */
    bool native_retry; /* others instead: retries by the broker itself */
};

enum lilyq_policies_format {
    LILYQ_POLICIES_JSON,        /* the lilyq-policies document */
    LILYQ_POLICIES_RABBITMQCTL, /* commands for a shell */
    LILYQ_POLICIES_TEXT         /* for people */
};

/*
 * Writes the policies that give the planned topology what arguments cannot.
 * `vhost` may be NULL, "/"; `options` too, a zeroed one.
 */
LILYQ_API enum lilyq_status lilyq_render_policies(
    struct lilyq *run, enum lilyq_policies_format format, const char *vhost,
    const struct lilyq_policy_options *options, const struct lilyq_sink *sink);

/*
 * Writes a definitions file as lilyq_render() does, with the policies in it;
 * `options` without `native_retry`.
 */
LILYQ_API enum lilyq_status
lilyq_render_definitions(struct lilyq *run, const char *vhost,
                         const struct lilyq_policy_options *options,
                         const struct lilyq_sink *sink);

/* What a URL says that other settings may depend on; of several, any of them.
 */
struct lilyq_url {
    bool tls; /* amqps:// or https:// */
    bool has_password;
    bool is_remote; /* the host is not this machine */
};

/*
 * Reads `url` or `management_url` of a struct lilyq_connection, which may then
 * have the result instead. `source` is what messages name as their file, such
 * as "--url", printable; NULL: nothing. LILYQ_OK, LILYQ_INVALID or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status lilyq_read_url(struct lilyq *run, const char *url,
                                           const char *source,
                                           const struct lilyq_url **out);
LILYQ_API enum lilyq_status
lilyq_read_management_url(struct lilyq *run, const char *url,
                          const char *source, const struct lilyq_url **out);

/*
 * How to reach a broker; zeroed fields mean the default. `url` may be several
 * with commas between them, tried in turn: ways to the same broker, such as
 * the nodes of a cluster.
 */
struct lilyq_connection {
    const char *url; /* amqp[s]://...; NULL: amqp://guest:guest@localhost */
    /*
     * http[s]://user:password@host:port; NULL: none. What the broker holds is
     * then read there. User, password and certificates are those above and
     * below unless it has its own.
     */
    const char *management_url;
    const char *vhost; /* wins over the URL's, like the two below */
    const char *username;
    const char *password;    /* never shown, logged or reported */
    const char *tls_ca_file; /* NULL: the system's certificates */
    const char *tls_cert_file;
    const char *tls_key_file;
    bool insecure;                   /* verifies neither peer nor host name */
    unsigned connect_timeout_millis; /* 0: 10 s */
    unsigned timeout_millis;         /* the whole run; 0: no limit */
    unsigned wait_millis;            /* keep trying to connect for so long */
    unsigned answer_timeout_millis;  /* until a request is answered; 0: 90 s */
    /*
     * The two URLs, if they were read already: what lilyq_read_url() and
     * lilyq_read_management_url() gave for the same run, and no copy of it.
     * NULL: they are those above.
     */
    const struct lilyq_url *read_url;
    const struct lilyq_url *read_management_url;
};

/* What a connection leads to. */
struct lilyq_target {
    const char
        *addresses;    /* "host:5672", with ", " between several; printable */
    const char *vhost; /* as it is, like the user */
    const char *username; /* NULL: the user of the client's certificate */
    bool has_password;
    const char *management; /* "http://host:15672", printable; NULL: none */
};

/*
 * Finds out what a connection leads to, with every default filled in; does not
 * connect. LILYQ_OK, LILYQ_INVALID (a URL, or what the settings say together)
 * or LILYQ_NOMEM.
 */
LILYQ_API enum lilyq_status
lilyq_resolve(struct lilyq *run, const struct lilyq_connection *connection,
              struct lilyq_target *out);

enum lilyq_apply_mode {
    LILYQ_PREFLIGHT,    /* looks at everything, then declares what is missing */
    LILYQ_NO_PREFLIGHT, /* looks at what is external, then declares the rest */
    LILYQ_DRY_RUN       /* looks at everything, and declares nothing missing */
};

/* How to apply; zeroed fields mean the default. */
struct lilyq_apply_options {
    enum lilyq_apply_mode mode;
    unsigned max_in_flight; /* requests without an answer; 0: 512 */
    bool fail_when_blocked; /* by an alarm, instead of waiting for its end */
    /*
     * Policies to set through the management API before anything is declared;
     * NULL: none. The broker's version is learnt there. Not with
     * LILYQ_NO_PREFLIGHT or `native_retry`.
     */
    const struct lilyq_policy_options *policies;
};

/* Hooks into what talks to a broker; all may be NULL. */
struct lilyq_hooks {
    void (*progress)(void *data, size_t done, size_t total); /* resources */
    bool (*stop)(void *data); /* true ends it before the next request */
    void (*notice)(void *data, const char *text); /* why it takes so long */
    void *data;
};

/* How an apply ended. */
enum lilyq_ending {
    LILYQ_APPLIED,         /* all is as planned */
    LILYQ_ENDED_CONFLICT,  /* conflicts found, nothing was written */
    LILYQ_ENDED_UNTOUCHED, /* failed, nothing was written */
    LILYQ_ENDED_PARTLY,    /* some was written, the rest was not; the cause
                              says whether running again completes it */
    LILYQ_ENDED_DRY        /* a dry run; what is missing counts as pending */
};

/* Why an apply did not end well. */
enum lilyq_cause {
    LILYQ_NO_CAUSE,       /* it did */
    LILYQ_CAUSE_CONFLICT, /* something is there, but not as planned */
    LILYQ_CAUSE_REFUSED,  /* the broker refused something: to run again is of
                             no use until that is mended */
    LILYQ_CAUSE_LOST,   /* the broker was not reached, the connection ended, or
                           the time was over: running again completes it */
    LILYQ_CAUSE_STOPPED /* the hooks, or an alarm of the broker, ended it:
                           likewise */
};

/* What became of the resources of one kind. */
struct lilyq_counts {
    size_t created;    /* was missing, now declared */
    size_t updated;    /* a policy that was there, but otherwise */
    size_t existing;   /* was there, and equivalent */
    size_t ensured;    /* a binding between resources that were there */
    size_t declared;   /* without a look: new, or there and equivalent */
    size_t pending;    /* missing, and left so by a dry run */
    size_t verified;   /* external, exists */
    size_t unverified; /* a binding that AMQP cannot check: external, or in a
                          dry run between resources that are there; or one
                          that is external and not there */
    size_t conflicts;  /* exists, but not as planned */
    size_t failed;     /* refused */
    size_t uncertain;  /* sent, but never answered */
    size_t not_done;   /* not reached */
};

struct lilyq_report {
    enum lilyq_ending ending;
    const char *broker;     /* "host:5672", printable; NULL: none was needed, or
                               reached */
    const char *management; /* "http://host:15672", where all was looked at;
                               NULL: nowhere, or not done */
    struct lilyq_counts exchanges;
    struct lilyq_counts queues;
    struct lilyq_counts bindings;
    struct lilyq_counts policies; /* zeroed when none were to be set */
    const char *version; /* of the broker, if policies were to be set and it is
                            known; else NULL */
    enum lilyq_cause cause;
};

/*
 * Declares the planned topology on a broker; never deletes anything. `options`
 * and `hooks` may be NULL. LILYQ_OK, LILYQ_REFUSED, LILYQ_LOST, LILYQ_INVALID
 * (the connection's settings) or LILYQ_NOMEM; problems say why.
 */
LILYQ_API enum lilyq_status
lilyq_apply(struct lilyq *run, const struct lilyq_connection *connection,
            const struct lilyq_apply_options *options,
            const struct lilyq_hooks *hooks, struct lilyq_report *out);

enum lilyq_report_format { LILYQ_REPORT_TEXT, LILYQ_REPORT_JSON };

/*
 * Writes what the last lilyq_apply() did, resource by resource; LILYQ_INVALID
 * if there was none.
 */
LILYQ_API enum lilyq_status lilyq_render_report(struct lilyq *run,
                                                enum lilyq_report_format format,
                                                const struct lilyq_sink *sink);

/* What a finding of a comparison is about. */
enum lilyq_finding {
    LILYQ_MISSING,    /* planned, not there */
    LILYQ_DIFFERENT,  /* there, not as planned */
    LILYQ_UNEXPECTED, /* there, not planned */
    LILYQ_SHADOWED,   /* as planned, but something else is in force */
    LILYQ_UNVERIFIED, /* where it was looked does not show it */
    LILYQ_NOTE        /* as planned, but worth a look */
};

#define LILYQ_FINDING_COUNT 6

/* A file of definitions that a broker exported. */
struct lilyq_definitions {
    const char *name;  /* of the file; what messages call `text` */
    const char *text;  /* NULL: the file is read */
    size_t length;     /* of `text`, in bytes */
    const char *vhost; /* NULL: the only one that it has */
};

/* An earlier plan: queue entries, or a plan that was saved as JSON. */
struct lilyq_earlier {
    const char *name; /* of the file; what messages call `text` */
    const char *text; /* NULL: the file is read */
    size_t length;    /* of `text`, in bytes */
};

/* Where to look: one of the three, the others are NULL. */
struct lilyq_source {
    /*
     * Through its management API if it has one, else over AMQP, which shows
     * less, and creates nothing either.
     */
    const struct lilyq_connection *connection;
    const struct lilyq_definitions *definitions;
    const struct lilyq_earlier *earlier;
    bool passive_only; /* over AMQP: only whether things exist */
    /*
     * Policies that shall be there too, without `native_retry`; NULL: none. The
     * broker's version is the one that the source tells, if it does.
     */
    const struct lilyq_policy_options *policies;
};

/* What was looked at. */
enum lilyq_source_kind {
    LILYQ_SOURCE_MANAGEMENT,
    LILYQ_SOURCE_DEFINITIONS,
    LILYQ_SOURCE_AMQP,
    LILYQ_SOURCE_EARLIER
};

/* How a comparison ended. */
struct lilyq_drift {
    size_t counts[LILYQ_FINDING_COUNT]; /* by enum lilyq_finding */
    enum lilyq_source_kind kind;
    const char *source; /* "http://host:15672", "host:5672" or a file's name,
                           printable */
    const char *vhost;  /* printable; NULL for an earlier plan */
    bool policies_left_out; /* lilyq_render_policies() has some for the plan,
                               which were not looked for, and could be seen */
};

/*
 * Compares the planned topology with what a broker holds, or with an earlier
 * plan: what applying it would do, and leave behind. Changes nothing.
 * `hooks` may be NULL. LILYQ_OK whatever was found; else there is nothing to
 * render: LILYQ_INVALID (the settings, or the file), LILYQ_IO, LILYQ_REFUSED,
 * LILYQ_LOST or LILYQ_NOMEM.
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
    bool whole;       /* text: a line for each, none left out */
    bool colour;      /* text: for a terminal */
};

/* Writes what the last lilyq_diff() found; `style` may be NULL. */
LILYQ_API enum lilyq_status
lilyq_render_diff(struct lilyq *run, enum lilyq_diff_format format,
                  const struct lilyq_diff_style *style,
                  const struct lilyq_sink *sink);

/* How much a finding of lilyq_lint() matters. */
enum lilyq_severity {
    LILYQ_SEVERITY_NOTE,    /* good to know */
    LILYQ_SEVERITY_WARNING, /* messages are lost or repeated when something else
                               fails */
    LILYQ_SEVERITY_ERROR /* the same in ordinary use; or over a limit that was
                            given */
};

/* What to judge a plan by; zeroed fields mean the default. */
struct lilyq_lint_options {
    const char *broker_version; /* "4.3" or "4.3.6"; NULL: the source's, or any
                                   from 3.10 on */
    uint64_t max_window_millis; /* limit of all retries; 0: none */
    uint64_t max_disk_bytes;    /* for all queues; 0: no limit */
    /* what to look at besides, of the first two; NULL: nothing */
    const struct lilyq_source *source;
    /*
     * Policies that are taken for set, without `native_retry`; NULL: none. With
     * a source it is as if lilyq_apply() had set them there.
     */
    const struct lilyq_policy_options *policies;
};

/* How many findings there are of each severity. */
struct lilyq_findings {
    size_t errors;
    size_t warnings;
    size_t notes;
    size_t ignored; /* by comments in the input; not in the other three */
};

/*
 * Judges the planned topology: finds what loses, repeats or stalls messages,
 * and what policies and bindings of a broker do to it, where there is one to
 * look at. `options` and `hooks` may be NULL. LILYQ_OK whatever is found, or a
 * status of lilyq_diff() with problems that say why.
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
 * Writes what the last lilyq_lint() found. In JUnit's form an entry fails by
 * findings of the severity `fails_from` and above; the text then has each of
 * them, even of what all entries of a type of queue have.
 */
LILYQ_API enum lilyq_status lilyq_render_lint(struct lilyq *run,
                                              enum lilyq_lint_format format,
                                              enum lilyq_severity fails_from,
                                              const struct lilyq_sink *sink);

/* The version of the library, LILYQ_VERSION when it was built. */
LILYQ_API const char *lilyq_version(void);

#ifdef __cplusplus
}
#endif

#endif
