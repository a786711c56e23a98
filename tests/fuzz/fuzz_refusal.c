#include "compare/answer.h"
#include "document.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct lq_entry entry = {.name = "q", .exchange_name = "x"};
static const struct lq_logical logical = {.entry = &entry};
static const struct lq_exchange exchange = {.name = "x", .logical = &logical};
static const struct lq_queue queue = {.name = "q", .logical = &logical};
static const struct lq_binding binding = {
    .source = "x", .destination = "q", .routing_key = "q", .logical = &logical};

static struct lq_request request_of(unsigned choice)
{
    switch (choice % 7) {
    case 0:
        return (struct lq_request){LQ_DECLARE_EXCHANGE, {&exchange}};
    case 1:
        return (struct lq_request){LQ_CHECK_EXCHANGE, {&exchange}};
    case 2:
        return (struct lq_request){LQ_BIND_QUEUE, {.binding = &binding}};
    case 3:
        return (struct lq_request){LQ_CHECK_QUEUE, {.queue = &queue}};
    case 4:
        return (struct lq_request){LQ_COMPARE_EXCHANGE, {&exchange}};
    case 5:
        return (struct lq_request){LQ_COMPARE_QUEUE, {.queue = &queue}};
    default:
        return (struct lq_request){LQ_DECLARE_QUEUE, {.queue = &queue}};
    }
}

static void parse(const char *text, struct lq_arena *arena)
{
    struct lq_mismatch mismatch;
    struct lq_refusal refusal;

    if (lq_mismatch_parse(text, "q", arena, &mismatch) == LQ_OK &&
        !mismatch.field) {
        abort();
    }
    if (lq_refusal_parse(text, arena, &refusal) == LQ_OK &&
        !(refusal.name && refusal.vhost && refusal.user)) {
        abort();
    }
}

/* What is there differs in some field, or is not said to differ. */
static void compare(const struct lq_request *request,
                    const struct lq_answer *answer, struct lq_arena *arena)
{
    struct lq_comparison out;

    if (request->kind == LQ_BIND_QUEUE) {
        return;
    }
    if (lq_comparison_of(request, answer, arena, &out) != LQ_OK ||
        (out.kind == LQ_COMPARED_DIFFERENT && !out.field) ||
        !out.planned.text != !out.planned.type ||
        !out.actual.text != !out.actual.type) {
        abort();
    }
}

/* The first byte chooses what was asked and the code, the rest is the text. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const int codes[] = {403, 404, 405, 406, 504, 541};
    const unsigned choice = size > 0 ? bytes[0] : 0;
    const struct lq_request request = request_of(choice);
    struct lq_answer answer = {LQ_DENIED, codes[choice / 7 % 6], NULL};
    struct lq_arena arena;
    const char *said;

    lq_arena_init(&arena);
    answer.text = lq_strndup(&arena, size > 0 ? (const char *)bytes + 1 : "",
                             size > 0 ? size - 1 : 0);
    if (!answer.text) {
        abort();
    }
    parse(answer.text, &arena);
    (void)lq_verdict_of(&request, &answer);
    compare(&request, &answer, &arena);
    said = lq_verdict_text(&request, &answer, &arena);
    if (!said || !fuzz_is_one_line(said)) {
        abort();
    }
    lq_arena_free(&arena);
    return 0;
}
