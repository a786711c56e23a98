#include "broker/url.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Reads the bytes as AMQP URLs; what does not work out must say why. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_connection *list = NULL;
    size_t count = 0;
    char *url;
    enum lq_status status;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    url = lq_strndup(&arena, (const char *)bytes, size);
    if (!url) {
        abort();
    }
    status = lq_url_list_parse(url, &diags, &list, &count);
    if ((status == LQ_OK) != (diags.error_count == 0)) {
        abort();
    }
    for (size_t i = 0; i < count; ++i) {
        if (list[i].port > 65535) {
            abort();
        }
    }
    lq_arena_free(&arena);
    return 0;
}
