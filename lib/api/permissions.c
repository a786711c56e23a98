#include "api/session.h"

#include "base/text.h"
#include "render/permissions.h"

#include <assert.h>
#include <string.h>

static const struct lilyq_account every_role[] = {
    {LILYQ_DEPLOYER, NULL},
    {LILYQ_PUBLISHER, NULL},
    {LILYQ_CONSUMER, NULL},
    {LILYQ_OPERATOR, NULL},
};

static_assert(sizeof(every_role) / sizeof(every_role[0]) == LQ_USER_ROLE_COUNT,
              "role");

static enum lq_status check_user(const char *user, struct lq_diags *diags)
{
    const size_t length = strlen(user);
    const char *const shown = lq_printable(diags->arena, user, length);

    if (length > 0 && lq_utf8_valid(user, length)) {
        return LQ_OK;
    }
    return lq_error(diags, NULL,
                    "a user's name must be UTF-8 and not empty, not '%s'",
                    shown);
}

/* Finds what the account needs. */
static enum lq_status fill_in(struct lilyq *run,
                              const struct lilyq_account *account,
                              struct lq_account *out)
{
    const enum lilyq_role role = account->role;
    enum lq_status status = LQ_OK;

    if ((unsigned)role >= LQ_USER_ROLE_COUNT) {
        return lq_error(&run->diags, NULL, "no role has number %d", (int)role);
    }
    out->role = role;
    out->user = account->user ? account->user
                              : lq_format(&run->arena, "lilyq-%s",
                                          lq_user_role_word(role));
    if (!out->user) {
        return LQ_NOMEM;
    }
    status = check_user(out->user, &run->diags);
    return status == LQ_OK
               ? lq_permissions_build(run->topology, role, &run->diags,
                                      &out->permissions)
               : status;
}

static enum lq_status find_all(struct lilyq *run,
                               const struct lilyq_accounts *accounts,
                               struct lq_accounts *out)
{
    const bool listed = accounts->count > 0;
    const size_t count = listed ? accounts->count : LQ_USER_ROLE_COUNT;
    struct lq_account *const list =
        lq_alloc_array(&run->arena, count, sizeof(*list));
    enum lq_status status = LQ_OK;

    *out = (struct lq_accounts){NULL, list, count};
    if (!list) {
        return LQ_NOMEM;
    }
    status = lq_session_vhost(accounts->vhost, &run->diags, &out->vhost);
    for (size_t i = 0; i < count && status == LQ_OK; ++i) {
        status = fill_in(run, listed ? &accounts->list[i] : &every_role[i],
                         &list[i]);
    }
    return status;
}

static enum lq_status render(struct lilyq *run,
                             enum lilyq_permissions_format format,
                             const struct lq_accounts *accounts,
                             const struct lilyq_sink *sink)
{
    switch (format) {
    case LILYQ_PERMISSIONS_JSON:
        return lq_permissions_json_render(accounts, sink);
    case LILYQ_PERMISSIONS_RABBITMQCTL:
        return lq_permissions_shell_render(accounts, sink);
    }
    return lq_error(&run->diags, NULL, "no format of permissions has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render_permissions(
    struct lilyq *run, enum lilyq_permissions_format format,
    const struct lilyq_accounts *accounts, const struct lilyq_sink *sink)
{
    static const struct lilyq_accounts no_accounts;
    const size_t first = run->diags.items.count;
    struct lq_accounts found;
    enum lq_status status = LQ_OK;

    if (!run->topology) {
        status = lq_error(&run->diags, NULL, "there is no plan to render");
    } else {
        status = find_all(run, accounts ? accounts : &no_accounts, &found);
    }
    if (status == LQ_OK) {
        status = render(run, format, &found, lq_session_sink(run, sink));
    }
    return lq_session_end(run, first, status);
}
