#include "live/look.h"

#include "base/file.h"
#include "base/text.h"
#include "live/read.h"

#include <string.h>

/* A look at the broker, under way. */
struct look {
    const struct lq_view *view;
    struct lq_management_settings management;
    struct lq_diags *diags;
    struct lq_live *live;
};

static enum lq_status survey(void *data)
{
    struct look *const look = data;

    look->management.peer.deadline = lq_route_deadline(look->view->route);
    return lq_survey(&look->management, look->view->wants, look->diags,
                     look->live);
}

enum lq_status lq_preflight(const struct lq_view *view, struct lq_diags *diags,
                            struct lq_live *out)
{
    struct look look = {view, *view->management, diags, out};

    look.management.stop = view->hooks->stop;
    look.management.data = view->hooks->data;
    return lq_persist(view->route, view->hooks, diags, survey, &look);
}

enum lq_status lq_look_management(const struct lilyq_connection *connection,
                                  const struct lq_survey_wants *wants,
                                  const struct lilyq_hooks *hooks,
                                  struct lq_diags *diags, struct lq_sight *out)
{
    struct lq_management_settings management;
    struct lq_route route;
    const struct lq_view view = {&route, &management, wants, hooks};
    enum lq_status status = lq_resolve(connection, diags, &route);

    *out = (struct lq_sight){.source = NULL};
    if (status == LQ_OK) {
        status = lq_resolve_management(connection, &route, diags, &management);
    }
    if (status == LQ_OK) {
        status = lq_preflight(&view, diags, &out->live);
    }
    if (status != LQ_OK) {
        return status;
    }
    out->source = lq_management_address(diags->arena, &management);
    return out->source ? LQ_OK : LQ_NOMEM;
}

enum lq_status lq_look_definitions(const struct lilyq_definitions *definitions,
                                   struct lq_diags *diags, struct lq_sight *out)
{
    struct lq_json_source source = {lq_printable(diags->arena,
                                                 definitions->name,
                                                 strlen(definitions->name)),
                                    definitions->text, definitions->length};
    struct lq_file_text text = {source.text, source.length};
    enum lq_status status = source.file ? LQ_OK : LQ_NOMEM;

    *out = (struct lq_sight){.source = source.file};
    if (status == LQ_OK && definitions->vhost) {
        status = lq_vhost_check(definitions->vhost, diags);
    }
    if (status == LQ_OK && !source.text) {
        status =
            lq_read_file(definitions->name, LQ_FILE_MAX_BYTES, diags, &text);
        source.text = text.bytes;
        source.length = text.length;
    }
    if (status != LQ_OK) {
        return status;
    }
    lq_live_init(&out->live, definitions->vhost, diags->arena);
    return lq_live_read_definitions(&out->live, &source, diags);
}
