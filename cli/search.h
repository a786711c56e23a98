#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include "base/diag.h"
#include "command.h"

#include <stdbool.h>

#define PASSWORD_VARIABLE "LILYQ_PASSWORD"

/* Where the URLs are from. */
enum origin { FROM_OPTION, FROM_ENVIRONMENT, FROM_FILE, FROM_DEFAULT };

/* What is known while the settings of a connection are put together. */
struct search {
    const struct invocation *invocation;
    struct lilyq *run;
    struct lilyq_connection *found;
    enum origin origin;
    const char *source;            /* what to call that in messages */
    bool names_tls;                /* a URL does: it begins with amqps:// */
    bool names_password;           /* a URL does */
    const char *management_source; /* the same of the management URL */
};

/* Whether [broker] has a say in where to go, and as whom. */
bool search_broker_counts(const struct search *search);

/* The text of an option, or NULL. */
const char *search_option(const struct search *search, enum option_id id);

/* The value of an environment variable, or NULL; empty counts as none. */
const char *search_variable(const char *name);

/* What to call a key of [broker]: "lilyq.ini:3: [broker] 'url'". */
const char *search_key(const struct search *search, const char *key);

/* Sets `out` from the value of a key of [broker], if there is one. */
enum exit_code search_broker(const struct search *search, const char *key,
                             const char *value, const char **out);

/* Shows what is wrong with what `source` names. */
void search_report(const struct search *search, const char *source,
                   const struct lq_diags *diags);

/* Finds the URLs, and looks at what they name. Says what is wrong. */
enum exit_code search_urls(struct search *search);

/*
 * Finds the URL of the management API, if there is one; the broker's URLs must
 * be known. Says what is wrong, and warns of passwords in the open.
 */
enum exit_code search_management(struct search *search);

#endif
