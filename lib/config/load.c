#include "config/load.h"

#include "base/file.h"
#include "base/text.h"

#include <string.h>

void lq_config_init(struct lq_config *config)
{
    memset(config, 0, sizeof(*config));
    lq_array_init(&config->entries, sizeof(struct lq_entry));
    lq_array_init(&config->remarks, sizeof(struct lq_remark));
}

static bool is_json(const struct lq_document *document)
{
    static const char suffix[] = ".json";
    const size_t length = strlen(document->name);
    const size_t tail = sizeof(suffix) - 1;

    switch (document->input) {
    case LILYQ_INPUT_INI:
        return false;
    case LILYQ_INPUT_JSON:
        return true;
    case LILYQ_INPUT_AUTO:
        break;
    }
    return length >= tail &&
           strcmp(document->name + length - tail, suffix) == 0;
}

enum lq_status lq_load_text(struct lq_config *config,
                            const struct lq_document *document,
                            struct lq_diags *diags)
{
    const char *const file =
        lq_printable(diags->arena, document->name, strlen(document->name));

    lq_diags_add_file(diags, file);
    if (document->length > LQ_ENTRIES_MAX_BYTES) {
        return lq_error(diags, &(struct lq_place){.file = file},
                        "must be at most %zu MiB",
                        LQ_ENTRIES_MAX_BYTES / 1024 / 1024);
    }
    return (is_json(document) ? lq_json_load : lq_ini_load)(
        config, file, document->text, document->length, diags);
}

enum lq_status lq_load_file(struct lq_config *config, const char *path,
                            enum lilyq_input input, struct lq_diags *diags)
{
    struct lq_document document = {.name = path, .input = input};
    struct lq_file_text text;
    const enum lq_status status =
        lq_read_file(path, LQ_ENTRIES_MAX_BYTES, diags, &text);

    document.text = text.bytes;
    document.length = text.length;
    return status == LQ_OK ? lq_load_text(config, &document, diags) : status;
}
