#include "format/shell.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Nothing of this needs quotes. */
#define PLAIN                                                                  \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,"

/*
 * Bytes that a terminal might obey are printed by the shell itself, in octal,
 * so that what it runs has them. Not every sh knows $'...'.
 */
static void write_octal(struct lq_writer *writer, const char *bytes,
                        size_t length)
{
    lq_write_text(writer, "'\"$(printf '");
    for (size_t i = 0; i < length; ++i) {
        char escape[8];

        (void)snprintf(escape, sizeof(escape), "\\%03o",
                       (unsigned)(unsigned char)bytes[i]);
        lq_write_text(writer, escape);
    }
    lq_write_text(writer, "')\"'");
}

void lq_shell_inner(struct lq_writer *writer, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        uint32_t code = 0;
        const size_t known = lq_utf8_decode(text, left, &code);
        const size_t step = known ? known : 1;

        if (code == '\'') {
            lq_write_text(writer, "'\\''");
        } else if (known && (lq_is_shown(code) || code == '\n')) {
            lq_write_bytes(writer, text, step); /* $(...) loses a newline */
        } else {
            write_octal(writer, text, step);
        }
        text += step;
        left -= step;
    }
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
