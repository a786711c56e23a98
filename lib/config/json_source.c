#include "config/json_source.h"

#include "config/json_queues.h"
#include "json/document.h"

enum lq_status lq_json_load(struct lq_config *config, const char *file,
                            const char *text, size_t length,
                            struct lq_diags *diags)
{
    const struct lq_json_source source = {file, text, length};
    json_t *document = NULL;
    enum lq_status status = lq_json_parse(&source, diags, &document);

    if (status == LQ_OK) {
        status = lq_json_queues(config, file, document, diags);
    }
    json_decref(document);
    return status;
}
