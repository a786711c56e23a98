#include "format/vhost.h"

#include "base/text.h"

#include <string.h>

#define VHOST_MAX_BYTES 255

enum lq_status lq_vhost_check(const char *vhost, struct lq_diags *diags)
{
    const size_t length = strlen(vhost);
    const char *const shown = lq_printable(diags->arena, vhost, length);

    if (length <= VHOST_MAX_BYTES && lq_utf8_valid(vhost, length)) {
        return LQ_OK;
    }
    return shown ? lq_error(diags, NULL,
                            "vhost must be at most %d bytes of UTF-8, not '%s'",
                            VHOST_MAX_BYTES, shown)
                 : LQ_NOMEM;
}
