/* Turns the settings of a connection into ways to a broker. */
#ifndef LQ_BROKER_RESOLVE_H
#define LQ_BROKER_RESOLVE_H

#include "broker/http/management.h"
#include "broker/route.h"
#include "lilyq.h"

/*
 * Reads the URLs of a broker (NULL: the default), or that of a management API.
 * Messages name `source` as the file, unless it is NULL. LQ_OK, LQ_INVALID or
 * LQ_NOMEM. The result lives in the arena of `diags`.
 */
enum lq_status lq_read_broker_url(const char *url, const char *source,
                                  struct lq_diags *diags,
                                  const struct lilyq_url **out) LQ_CHECK;
enum lq_status lq_read_management_url(const char *url, const char *source,
                                      struct lq_diags *diags,
                                      const struct lilyq_url **out) LQ_CHECK;

/* Whether the connection has a management API. */
bool lq_has_management(const struct lilyq_connection *connection);

/*
 * The ways that a connection names, with URLs read and defaults filled in; no
 * user name means the client certificate's. With LQ_INVALID, `diags` say what
 * is wrong; their arena holds the strings. LQ_NOMEM.
 */
enum lq_status lq_resolve(const struct lilyq_connection *connection,
                          struct lq_diags *diags,
                          struct lq_route *out) LQ_CHECK;

/*
 * The settings of the management API of a connection that has one. What its URL
 * leaves open is taken from the route's first way.
 */
enum lq_status
lq_resolve_management(const struct lilyq_connection *connection,
                      const struct lq_route *route, struct lq_diags *diags,
                      struct lq_management_settings *out) LQ_CHECK;

/* "http://host:15672", printable. */
const char *
lq_management_address(struct lq_arena *arena,
                      const struct lq_management_settings *management);

#endif
