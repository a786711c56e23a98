#include "model/topology.h"

#include "json/write.h"

void lq_json_argument(struct lq_json *json, const struct lq_argument *argument)
{
    switch (argument->type) {
    case LQ_LONGSTR:
        lq_json_text(json, argument->key, argument->text);
        break;
    case LQ_INT64:
    case LQ_INT32:
        lq_json_integer(json, argument->key, argument->number);
        break;
    case LQ_BOOL:
        lq_json_bool(json, argument->key, argument->number != 0);
        break;
    }
}
