#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)64 * 1024)

/* A growing text. */
struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
    size_t limit; /* most bytes to read */
};

static enum lq_status grow(struct buffer *buffer, size_t capacity,
                           struct lq_arena *arena)
{
    char *const bytes = lq_alloc(arena, capacity);

    if (!bytes) {
        return LQ_NOMEM;
    }
    if (buffer->length > 0) {
        memcpy(bytes, buffer->bytes, buffer->length);
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return LQ_OK;
}

/*
 * Makes room for what stat() says. LQ_OK, LQ_IO with errno, LQ_INVALID (too
 * large), or LQ_NOMEM.
 */
static enum lq_status start(int file, struct lq_arena *arena,
                            struct buffer *out)
{
    struct stat info;

    if (fstat(file, &info)) {
        return LQ_IO;
    }
    if (!S_ISREG(info.st_mode)) {
        return grow(out, CHUNK, arena);
    }
    if (info.st_size > (off_t)out->limit) {
        return LQ_INVALID;
    }
    /* one byte more than there is, to meet the end without growing */
    return grow(out, (size_t)info.st_size + 1, arena);
}

/* One byte over the limit is enough to see that there is more. */
static size_t larger(const struct buffer *buffer)
{
    return buffer->capacity > buffer->limit / 2 ? buffer->limit + 1
                                                : buffer->capacity * 2;
}

/* LQ_OK at the end, LQ_IO with errno, LQ_INVALID (too large), or LQ_NOMEM. */
static enum lq_status read_all(int file, struct lq_arena *arena,
                               struct buffer *out)
{
    enum lq_status status = start(file, arena, out);
    ssize_t count = 1;

    while (status == LQ_OK && count != 0) {
        if (out->length > out->limit) {
            return LQ_INVALID;
        }
        if (out->length == out->capacity) {
            status = grow(out, larger(out), arena);
            continue;
        }
        count =
            read(file, out->bytes + out->length, out->capacity - out->length);
        if (count < 0 && errno != EINTR) {
            return LQ_IO;
        }
        out->length += count > 0 ? (size_t)count : 0;
    }
    return status;
}

static enum lq_status read_file(const char *path, struct lq_arena *arena,
                                struct buffer *out)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    enum lq_status status = LQ_IO;
    int reason = errno;

    if (file >= 0) {
        status = read_all(file, arena, out);
        reason = errno;
        (void)close(file);
    }
    errno = reason;
    return status;
}

static enum lq_status report_unreadable(const char *path,
                                        struct lq_diags *diags)
{
    const int reason = errno;
    const char *const shown = lq_printable(diags->arena, path, strlen(path));

    (void)lq_error(diags, NULL, "cannot read '%s': %s", shown,
                   strerror(reason));
    return LQ_IO;
}

enum lq_status lq_file_too_large(const char *name, size_t limit,
                                 struct lq_diags *diags)
{
    return lq_error(diags, NULL, "%s must be at most %zu MiB", name,
                    limit / 1024 / 1024);
}

static enum lq_status report_large(const char *path, size_t limit,
                                   struct lq_diags *diags)
{
    const char *const shown = lq_printable(diags->arena, path, strlen(path));
    const char *const name = lq_format(diags->arena, "'%s'", shown);

    return lq_file_too_large(name, limit, diags);
}

enum lq_status lq_read_file(const char *path, size_t limit,
                            struct lq_diags *diags, struct lq_file_text *out)
{
    struct buffer buffer = {.limit = limit};
    const enum lq_status status = read_file(path, diags->arena, &buffer);

    *out = (struct lq_file_text){buffer.bytes, buffer.length};
    if (status == LQ_INVALID) {
        return report_large(path, limit, diags);
    }
    return status == LQ_IO ? report_unreadable(path, diags) : status;
}
