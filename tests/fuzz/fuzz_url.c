#include "broker/connection.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Reads the bytes as an AMQP URL; what does not work out must say why. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_connection connection = {.port = 0};
    char *url;
    enum lq_status status;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    url = lq_strndup(&arena, (const char *)bytes, size);
    if (!url) {
        abort();
    }
    status = lq_url_parse(url, &diags, &connection);
    if ((status == LQ_OK) != (diags.error_count == 0)) {
        abort();
    }
    if (connection.port > 65535) {
        abort();
    }
    lq_arena_free(&arena);
    return 0;
}
