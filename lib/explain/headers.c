#include "explain/headers.h"

const struct lq_hand_off_header lq_headers[LQ_HEADER_COUNT] = {
    {"x-retry-count", "int32", LQ_HEADER_RETRY_COUNT},
    {"x-lily-failure-delivery-attempt", "int32", LQ_HEADER_DELIVERY_ATTEMPT},
    {"x-lily-rejection-code", "longstr", LQ_HEADER_REJECTION_CODE},
    {"x-lily-event-id", "longstr", LQ_HEADER_EVENT_ID},
    {"x-lily-schema-version", "longstr", LQ_HEADER_OWN},
    {"x-lily-content-kind", "longstr", LQ_HEADER_OWN},
    {"traceparent", "longstr", LQ_HEADER_OWN},
    {"tracestate", "longstr", LQ_HEADER_OWN},
};

struct lq_hand_off lq_hand_off_retry(uint64_t number)
{
    return (struct lq_hand_off){.retry_count = number,
                                .delivery_attempt = number};
}

struct lq_hand_off lq_hand_off_dead(uint64_t retries)
{
    return (struct lq_hand_off){.retry_count = retries,
                                .delivery_attempt = retries + 1};
}
