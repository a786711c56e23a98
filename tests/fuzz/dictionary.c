/*
 * Prints a libFuzzer dictionary made from the table of keys.
 */
#include "model/schema.h"

#include <stdio.h>

static void word(const char *before, const char *text, const char *after)
{
    printf("\"%s", before);
    for (const char *c = text; *c; ++c) {
        printf("\\x%02x", (unsigned char)*c);
    }
    printf("%s\"\n", after);
}

static void words_of(const struct lq_key *key)
{
    word("", key->name, "");
    word("\\x0a", key->name, " = ");
    if (key->default_text) {
        word("", key->default_text, "");
    }
    for (size_t i = 0; key->choices && key->choices[i]; ++i) {
        word("", key->choices[i], "");
    }
    if (key->type == LQ_KEY_INTEGER) {
        printf("\"%llu\"\n\"%llu\"\n", (unsigned long long)key->min,
               (unsigned long long)key->max);
    }
}

int main(void)
{
    static const char *const others[] = {
        "[broker]",         "[defaults]",    "[queue:",
        "${env:",           "${file:",       "${secret:",
        "rabbitmq",         "topology",      "queues",
        "retention",        "exchanges",     "bindings",
        "policies",         "vhosts",        "vhost",
        "arguments",        "auto_delete",   "internal",
        "destination_type", "apply-to",      "priority",
        "definition",       "metadata",      "default_queue_type",
        "x-queue-type",     "lilyq:ignore ", "LQ001,"};

    for (size_t i = 0; i < lq_key_count; ++i) {
        words_of(&lq_keys[i]);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); ++i) {
        word("", others[i], "");
    }
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
