#include "format/permissions.h"
#include "format/writer.h"

#include <string.h>

/* Nothing of this needs quotes. */
#define PLAIN                                                                  \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,"

static const char *purpose_of(enum lq_user_role role)
{
    static const char *const purposes[] = {
        [LQ_USER_DEPLOYER] = "declares the topology",
        [LQ_USER_PUBLISHER] = "publishes to the main exchanges",
        [LQ_USER_CONSUMER] =
            "declares the topology, consumes, hands on what failed",
        [LQ_USER_OPERATOR] = "reads dead letters, publishes them again"};

    return purposes[role];
}

/* Writes one word of a command. */
static void write_word(struct lq_writer *writer, const char *word)
{
    const char *quote = NULL;

    if (*word && !word[strspn(word, PLAIN)]) {
        lq_write_text(writer, word);
        return;
    }
    lq_write_text(writer, "'");
    while ((quote = strchr(word, '\''))) {
        lq_write_bytes(writer, word, (size_t)(quote - word));
        lq_write_text(writer, "'\\''");
        word = quote + 1;
    }
    lq_write_texts(writer, word, "'", NULL);
}

/* A value that begins with a dash must not be taken for an option. */
static void write_command(struct lq_writer *writer, const char *vhost,
                          const char *user)
{
    lq_write_texts(writer, "rabbitmqctl set_permissions ",
                   *vhost == '-' ? "--vhost=" : "-p ", NULL);
    write_word(writer, vhost);
    lq_write_text(writer, *user == '-' ? " -- " : " ");
    write_word(writer, user);
}

static void write_account(struct lq_writer *writer,
                          const struct lq_account *account, const char *vhost)
{
    lq_write_texts(writer, "# ", lq_user_role_word(account->role), ": ",
                   purpose_of(account->role), "\n", NULL);
    write_command(writer, vhost, account->user);
    for (size_t i = 0; i < LQ_ACCESS_COUNT; ++i) {
        lq_write_text(writer, " \\\n    ");
        write_word(writer, account->permissions.patterns[i]);
    }
    lq_write_text(writer, "\n");
}

enum lq_status lq_permissions_shell_render(const struct lq_accounts *accounts,
                                           const struct lq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < accounts->count; ++i) {
        lq_write_text(&writer, i > 0 ? "\n" : "");
        write_account(&writer, &accounts->list[i], accounts->vhost);
    }
    return lq_writer_end(&writer);
}
