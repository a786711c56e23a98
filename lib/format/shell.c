#include "format/shell.h"

#include <string.h>

/* Nothing of this needs quotes. */
#define PLAIN                                                                  \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,"

void lq_shell_inner(struct lq_writer *writer, const char *text)
{
    const char *quote = NULL;

    while ((quote = strchr(text, '\''))) {
        lq_write_bytes(writer, text, (size_t)(quote - text));
        lq_write_text(writer, "'\\''");
        text = quote + 1;
    }
    lq_write_text(writer, text);
}

void lq_shell_word(struct lq_writer *writer, const char *word)
{
    if (*word && !word[strspn(word, PLAIN)]) {
        lq_write_text(writer, word);
        return;
    }
    lq_write_text(writer, "'");
    lq_shell_inner(writer, word);
    lq_write_text(writer, "'");
}

void lq_shell_vhost(struct lq_writer *writer, const char *vhost)
{
    /* a value that begins with a dash must not be taken for an option */
    lq_write_text(writer, *vhost == '-' ? "--vhost=" : "-p ");
    lq_shell_word(writer, vhost);
}
