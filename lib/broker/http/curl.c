#include "broker/http/curl.h"

#include "base/text.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct symbol {
    const char *name;
    size_t offset; /* in struct lq_curl */
};

#define SYMBOL(name)                                                           \
    {                                                                          \
        "curl_" #name, offsetof(struct lq_curl, name)                          \
    }

static const struct symbol symbols[] = {
    SYMBOL(global_init),   SYMBOL(global_cleanup), SYMBOL(easy_init),
    SYMBOL(easy_cleanup),  SYMBOL(easy_setopt),    SYMBOL(easy_perform),
    SYMBOL(easy_getinfo),  SYMBOL(easy_strerror),  SYMBOL(slist_append),
    SYMBOL(slist_free_all)};

static enum lq_status report(struct lq_diags *diags)
{
    const char *const reason = dlerror();
    const char *const text = reason ? reason : "for no known reason";
    const char *const shown = lq_printable(diags->arena, text, strlen(text));

    (void)lq_error(diags, NULL,
                   "cannot load libcurl, which reads the management "
                   "API (Debian has it in the package libcurl4): %s",
                   shown);
    return LQ_IO;
}

enum lq_status lq_curl_load(const char *library, struct lq_diags *diags,
                            struct lq_curl *out)
{
    /* never closed: what it needs has threads and exit handlers of its own */
    void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    if (!handle) {
        return report(diags);
    }
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); ++i) {
        void *const symbol = dlsym(handle, symbols[i].name);

        if (!symbol) {
            return report(diags);
        }
        memcpy((char *)out + symbols[i].offset, &symbol, sizeof(symbol));
    }
    return LQ_OK;
}
