#include "format/sink.h"

#include <string.h>

enum lq_status lq_sink_text(const struct lq_sink *sink, const char *text)
{
    return sink->write(sink->data, text, strlen(text)) ? LQ_IO : LQ_OK;
}
