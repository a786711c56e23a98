#include "secret.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)64 * 1024)

static enum exit_code report_unreadable(const struct invocation *invocation,
                                        const char *source, const char *path)
{
    report_error(&invocation->reporter, "%s: cannot read '%s': %s", source,
                 words_shown(invocation->arena, path), strerror(errno));
    return EXIT_FAILED;
}

/* Reads up to `size` bytes; false and errno when reading fails. */
static bool slurp(const char *path, char *bytes, size_t size, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    bool fine = file != NULL;

    if (file) {
        *length = fread(bytes, 1, size, file);
        if (ferror(file)) {
            const int reason = errno;

            fine = false;
            (void)fclose(file);
            errno = reason;
        } else {
            (void)fclose(file);
        }
    }
    return fine;
}

/* What makes the content unfit, or NULL. */
static const char *fault_of(const char *bytes, size_t length)
{
    if (length == 0) {
        return "is empty";
    }
    if (length > MAX_BYTES) {
        return "is larger than 64 KiB";
    }
    return memchr(bytes, '\0', length) ? "contains a NUL byte" : NULL;
}

enum exit_code secret_read(const struct invocation *invocation,
                           const char *source, const char *path,
                           const char **out)
{
    char *const bytes = lq_alloc(invocation->arena, MAX_BYTES + 2);
    size_t length = 0;
    const char *fault = NULL;

    if (!bytes) {
        return command_out_of_memory(invocation);
    }
    if (!slurp(path, bytes, MAX_BYTES + 2, &length)) {
        return report_unreadable(invocation, source, path);
    }
    length -= length > 0 && bytes[length - 1] == '\n';
    fault = fault_of(bytes, length);
    if (fault) {
        report_error(&invocation->reporter, "%s: '%s' %s", source,
                     words_shown(invocation->arena, path), fault);
        return EXIT_INVALID;
    }
    bytes[length] = '\0';
    *out = bytes;
    return EXIT_DONE;
}

static enum exit_code read_variable(const struct invocation *invocation,
                                    const char *source, const char *name,
                                    const char **out)
{
    const char *const value = getenv(name);

    if (!value || !*value) {
        report_error(&invocation->reporter,
                     "%s: the environment variable '%s' is %s", source,
                     words_shown(invocation->arena, name),
                     value ? "empty" : "not set");
        return EXIT_INVALID;
    }
    *out = value;
    return EXIT_DONE;
}

enum exit_code secret_resolve(const struct invocation *invocation,
                              const struct lilyq_setting *setting,
                              const char **out)
{
    switch (setting->kind) {
    case LILYQ_SETTING_ABSENT:
    case LILYQ_SETTING_TEXT:
        break;
    case LILYQ_SETTING_VARIABLE:
        return read_variable(invocation, setting->place, setting->text, out);
    case LILYQ_SETTING_FILE:
        return secret_read(invocation, setting->place, setting->text, out);
    }
    *out = setting->text;
    return EXIT_DONE;
}
