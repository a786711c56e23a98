#include "render/permissions.h"

#include "render/text.h"
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

static const char *purpose_of(enum lilyq_role role)
{
    static const char *const purposes[] = {
        [LILYQ_DEPLOYER] = "declares the topology",
        [LILYQ_PUBLISHER] = "publishes to the main exchanges",
        [LILYQ_CONSUMER] =
            "declares the topology, consumes, hands on what failed",
        [LILYQ_OPERATOR] = "reads dead letters, publishes them again"};

    return purposes[role];
}

static void write_command(struct lq_writer *writer, const char *vhost,
                          const char *user)
{
    lq_write_text(writer, "rabbitmqctl set_permissions ");
    lq_shell_vhost(writer, vhost);
    /* must not be taken for an option */
    lq_write_text(writer, *user == '-' ? " -- " : " ");
    lq_shell_word(writer, user);
}

static void shell_account(struct lq_writer *writer,
                          const struct lq_account *account, const char *vhost)
{
    lq_write_texts(writer, "# ", lq_user_role_word(account->role), ": ",
                   purpose_of(account->role), "\n", NULL);
    write_command(writer, vhost, account->user);
    for (size_t i = 0; i < LQ_ACCESS_COUNT; ++i) {
        lq_write_text(writer, " \\\n    ");
        lq_shell_word(writer, account->permissions.patterns[i]);
    }
    lq_write_text(writer, "\n");
}

enum lq_status lq_permissions_shell_render(const struct lq_accounts *accounts,
                                           const struct lilyq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < accounts->count; ++i) {
        lq_write_text(&writer, i > 0 ? "\n" : "");
        shell_account(&writer, &accounts->list[i], accounts->vhost);
    }
    return lq_writer_end(&writer);
}
