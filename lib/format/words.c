#include "format/words.h"

const char *lq_ownership_word(enum lq_ownership ownership)
{
    return ownership == LQ_EXTERNAL ? "external" : "framework_managed";
}

const char *lq_queue_type_word(enum lq_queue_type type)
{
    return type == LQ_QUORUM ? "quorum" : "classic";
}

const char *lq_exchange_role_word(enum lq_role role)
{
    static const char *const words[] = {[LQ_ROLE_MAIN] = "main",
                                        [LQ_ROLE_RETRY] = "retry",
                                        [LQ_ROLE_DEAD_LETTER] = "dead_letter"};

    return words[role];
}

const char *lq_queue_role_word(enum lq_role role)
{
    return role == LQ_ROLE_RETRY ? "retry_bucket" : lq_exchange_role_word(role);
}
