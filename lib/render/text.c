#include "render/text.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

void lq_write_hex(struct lq_writer *writer, const char *bytes, size_t length,
                  const char *backslash)
{
    for (size_t i = 0; i < length; ++i) {
        char hex[8];

        (void)snprintf(hex, sizeof(hex), "x%02x",
                       (unsigned)(unsigned char)bytes[i]);
        lq_write_texts(writer, backslash, hex, NULL);
    }
}

void lq_write_escaped(struct lq_writer *writer, const char *text,
                      const char *(*replace)(uint32_t code))
{
    const size_t length = strlen(text);
    size_t step = 0;

    for (size_t at = 0; at < length; at += step) {
        uint32_t code = 0;
        const size_t known = lq_utf8_decode(text + at, length - at, &code);
        const char *const other = known ? replace(code) : NULL;

        step = known ? known : 1;
        if (other) {
            lq_write_text(writer, other);
        } else if (known && lq_is_shown(code)) {
            lq_write_bytes(writer, text + at, step);
        } else {
            lq_write_hex(writer, text + at, step, "\\");
        }
    }
}

static const char *replace_none(uint32_t code)
{
    (void)code;
    return NULL;
}

void lq_write_shown(struct lq_writer *writer, const char *text)
{
    lq_write_escaped(writer, text, replace_none);
}

const char *lq_xml_entity(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    default:
        return NULL;
    }
}

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

const char *lq_ownership_word(enum lq_ownership ownership)
{
    return ownership == LQ_EXTERNAL ? "external" : "framework_managed";
}

const char *lq_queue_type_word(enum lq_queue_type type)
{
    return type == LQ_QUORUM ? "quorum" : "classic";
}

const char *lq_exchange_role_word(enum lq_role role)
{
    static const char *const words[] = {[LQ_ROLE_MAIN] = "main",
                                        [LQ_ROLE_RETRY] = "retry",
                                        [LQ_ROLE_DEAD_LETTER] = "dead_letter"};

    return words[role];
}

const char *lq_queue_role_word(enum lq_role role)
{
    return role == LQ_ROLE_RETRY ? "retry_bucket" : lq_exchange_role_word(role);
}
