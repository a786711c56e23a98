#include "format/permissions.h"
#include "json/write.h"

/* The members of a permission in a definitions file, and the role. */
static void write_account(struct lq_json *json,
                          const struct lq_account *account, const char *vhost)
{
    const char *const *const patterns = account->permissions.patterns;

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "role", lq_user_role_word(account->role));
    lq_json_text(json, "user", account->user);
    lq_json_text(json, "vhost", vhost);
    lq_json_text(json, "configure", patterns[LQ_CONFIGURE]);
    lq_json_text(json, "write", patterns[LQ_WRITE]);
    lq_json_text(json, "read", patterns[LQ_READ]);
    lq_json_object_end(json);
}

enum lq_status lq_permissions_json_render(const struct lq_accounts *accounts,
                                          const struct lilyq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "format", "lilyq-permissions");
    lq_json_count(&json, "format_version", 1);
    lq_json_text(&json, "topology_version", "v2");
    lq_json_lines_begin(&json, "permissions");
    for (size_t i = 0; i < accounts->count; ++i) {
        write_account(&json, &accounts->list[i], accounts->vhost);
    }
    lq_json_lines_end(&json);
    return lq_json_end(&json);
}
