#include "compare/finding.h"

#include "base/text.h"
#include "compare/shadow.h"

#include <inttypes.h>

struct row {
    const char *code;
    enum lilyq_finding kind;
    enum lq_remedy remedy;
    bool in_place;
    const char *advice; /* NULL: it depends, see advisers */
};

/* Of a queue that is there, but not as planned. */
static const char *advise_on_different(const struct lq_finding *finding)
{
    switch (finding->role) {
    case LQ_ROLE_MAIN:
        return "a queue cannot be changed in place: plan what is there, or "
               "stop its consumers, move its messages away, delete it and "
               "apply";
    case LQ_ROLE_RETRY:
        return "a queue cannot be changed in place: plan what is there, or "
               "stop its consumers, let it run empty within its delay, delete "
               "it and apply";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "a queue cannot be changed in place: plan what is there, or save "
           "its dead letters, delete it and apply";
}

/*
 * In an order that loses nothing: what a bucket holds needs the main queue to
 * return to, and what the main queue rejects needs the DLQ.
 */
static const char *advise_on_gone(const struct lq_finding *finding)
{
    switch (finding->role) {
    case LQ_ROLE_MAIN:
        return "no entry has it: give the file that does as well, or stop its "
               "publishers, let its consumers work until it and its buckets "
               "are empty, then delete it, before its buckets and DLQ";
    case LQ_ROLE_RETRY:
        return "no entry has it, and messages in it still go to the main "
               "exchange: give the file that does as well, or delete it once "
               "it is empty and its main queue is deleted";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "no entry has it: give the file that does as well, or, last and "
           "once its main queue is deleted, which still sends it more, save "
           "its dead letters and delete it";
}

static const char *advise_on_gone_binding(const struct lq_finding *finding)
{
    switch (finding->role) {
    case LQ_ROLE_MAIN:
        return "no entry has it, and messages with its key still reach the "
               "queue: give the file that does as well, or unbind it once "
               "nothing publishes with its key";
    case LQ_ROLE_RETRY:
        return "no entry has it: give the file that does as well, or let it "
               "be until its bucket is deleted, as retries come by it while "
               "consumers run";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "no entry has it: give the file that does as well, or let it be "
           "until its DLQ is deleted, as dead letters come by it while there "
           "is a main queue";
}

static const char *advise_on_v1(const struct lq_finding *finding)
{
    return finding->role == LQ_ROLE_RETRY
               ? "topology v1 left it: delete it once it is empty and no "
                 "release that uses v1 runs"
               : "topology v1 left it: save its dead letters, then delete it "
                 "once no release that uses v1 runs";
}

/* Of a policy of lilyq that is not shown, or may not be in force. */
static const char *advise_on_unseen_policy(const struct lq_finding *finding)
{
    if (finding->policy) {
        return "whether ours is in force cannot be told: give it a greater "
               "'--priority', or the other a pattern that leaves those queues "
               "out";
    }
    return finding->field
               ? "it depends on the version of the broker, which is not shown: "
                 "look from a source that shows it, such as the management API"
               : "policies are not shown: look from a source that lists them, "
                 "such as the management API";
}

/* Of a queue that refuses more soon. */
static const char *advise_on_full(const struct lq_finding *finding)
{
    switch (finding->role) {
    case LQ_ROLE_MAIN:
        return "once it is full, publishers are refused and retries that come "
               "back may be lost: see to its consumers";
    case LQ_ROLE_RETRY:
        return "once it is full, the consumer cannot hand on what fails, and "
               "stops: see why so much fails";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "once it is full, the consumer cannot hand on what fails for good, "
           "and stops: see to its dead letters";
}

#define UNSEEN                                                                 \
    "look at it from a source that shows it, such as the management API"

#define WANTED                                                                 \
    "it is external: apply ends with exit status 4 and writes nothing until "  \
    "its owner has declared it"

#define DROPPED                                                                \
    "it is external: apply no longer looks at it, and its owner decides what " \
    "becomes of it"

#define REFUSED                                                                \
    "apply ends with a conflict, exit status 4, and writes nothing: keep the " \
    "old value, or "

/* A queue that is there, but of which the plan changes something. */
static const char *advice_of_changed(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return REFUSED "stop its consumers, move its messages away, delete it "
                       "and apply";
    case LQ_ROLE_RETRY:
        return REFUSED "let it run empty within its delay, delete it and apply";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return REFUSED "save its dead letters, delete it and apply";
}

static const char *advice_of_orphaned_exchange(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "it stays, and so do its bindings: what is published to it "
               "still reaches the queues bound to it; delete it once nothing "
               "publishes to it";
    case LQ_ROLE_RETRY:
        return "it stays, and so do its bindings: consumers of the old plan "
               "still hand retries to it; delete it once they are gone, unless "
               "another file has it";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "it stays, and so do its bindings: queues declared with it still "
           "dead-letter to it; delete it once they are gone, unless another "
           "file has it";
}

static const char *advice_of_orphaned_queue(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "it stays with its messages and its binding, and still fills; "
               "stop its publishers, let its consumers work until it and its "
               "buckets are empty, then delete it, before its buckets and DLQ";
    case LQ_ROLE_RETRY:
        return "it stays, and messages in it still return when their delay is "
               "over; delete it once it is empty and no consumer of the old "
               "plan runs";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "it stays with its dead letters; last, once its main queue is "
           "deleted, which still sends it more, save what is needed and delete "
           "it";
}

static const char *advise_on_change(const struct lq_finding *finding)
{
    const bool exchange = finding->code == LQ_EXCHANGE_ORPHANED;

    if (exchange || finding->code == LQ_QUEUE_ORPHANED) {
        return exchange ? advice_of_orphaned_exchange(finding->role)
                        : advice_of_orphaned_queue(finding->role);
    }
    return advice_of_changed(finding->role);
}

static const struct row rows[] = {
    [LQ_EXCHANGE_MISSING] = {"exchange-missing", LILYQ_MISSING, LQ_REMEDY_APPLY,
                             true, "apply declares it"},
    [LQ_QUEUE_MISSING] = {"queue-missing", LILYQ_MISSING, LQ_REMEDY_APPLY, true,
                          "apply declares it"},
    [LQ_BINDING_MISSING] = {"binding-missing", LILYQ_MISSING, LQ_REMEDY_APPLY,
                            true, "apply declares it"},
    [LQ_EXTERNAL_EXCHANGE_MISSING] =
        {"external-exchange-missing", LILYQ_MISSING, LQ_REMEDY_NONE, true,
         "it is external: have its owner declare it"},
    [LQ_EXTERNAL_QUEUE_MISSING] = {"external-queue-missing", LILYQ_MISSING,
                                   LQ_REMEDY_NONE, true,
                                   "it is external: have its owner declare it"},
    [LQ_EXTERNAL_BINDING_MISSING] =
        {"external-binding-missing", LILYQ_MISSING, LQ_REMEDY_LEAVE, true,
         "it is external: have its owner bind the queue"},
    [LQ_EXCHANGE_PROPERTY_DIFFERENT] =
        {"exchange-property-different", LILYQ_DIFFERENT, LQ_REMEDY_NONE, false,
         "an exchange cannot be changed in place: plan another "
         "exchange_name, or delete it while nothing publishes to it and apply"},
    [LQ_EXCHANGE_ARGUMENT_DIFFERENT] =
        {"exchange-argument-different", LILYQ_DIFFERENT, LQ_REMEDY_NONE, false,
         "an exchange's arguments cannot be changed in place: plan another "
         "exchange_name, or delete it while nothing publishes to it and apply"},
    [LQ_QUEUE_PROPERTY_DIFFERENT] = {"queue-property-different",
                                     LILYQ_DIFFERENT, LQ_REMEDY_NONE, false,
                                     NULL},
    [LQ_QUEUE_ARGUMENT_DIFFERENT] = {"queue-argument-different",
                                     LILYQ_DIFFERENT, LQ_REMEDY_NONE, false,
                                     NULL},
    [LQ_EXCHANGE_ARGUMENT_EXTRA] =
        {"exchange-argument-extra", LILYQ_DIFFERENT, LQ_REMEDY_LEAVE, false,
         "the broker does not compare it: declarations succeed, so it may "
         "stay until the exchange is next declared anew"},
    [LQ_QUEUE_ARGUMENT_EXTRA] =
        {"queue-argument-extra", LILYQ_DIFFERENT, LQ_REMEDY_LEAVE, false,
         "the broker does not compare it: declarations succeed, so it may "
         "stay until the queue is next declared anew"},
    [LQ_EXCHANGE_NOT_SEEN] = {"exchange-unverified", LILYQ_UNVERIFIED,
                              LQ_REMEDY_LEAVE, false, UNSEEN},
    [LQ_QUEUE_NOT_SEEN] = {"queue-unverified", LILYQ_UNVERIFIED,
                           LQ_REMEDY_LEAVE, false, UNSEEN},
    [LQ_BINDING_NOT_SEEN] = {"binding-unverified", LILYQ_UNVERIFIED,
                             LQ_REMEDY_LEAVE, false, UNSEEN},
    [LQ_PROPERTY_NOT_SEEN] = {"property-unverified", LILYQ_UNVERIFIED,
                              LQ_REMEDY_LEAVE, false, UNSEEN},
    [LQ_EXCHANGE_CREATED] = {"exchange-created", LILYQ_MISSING, LQ_REMEDY_APPLY,
                             true, "apply declares it"},
    [LQ_QUEUE_CREATED] = {"queue-created", LILYQ_MISSING, LQ_REMEDY_APPLY, true,
                          "apply declares it"},
    [LQ_BINDING_CREATED] = {"binding-created", LILYQ_MISSING, LQ_REMEDY_APPLY,
                            true, "apply binds it"},
    [LQ_EXTERNAL_EXCHANGE_WANTED] = {"external-exchange-wanted", LILYQ_MISSING,
                                     LQ_REMEDY_NONE, true, WANTED},
    [LQ_EXTERNAL_QUEUE_WANTED] = {"external-queue-wanted", LILYQ_MISSING,
                                  LQ_REMEDY_NONE, true, WANTED},
    [LQ_EXTERNAL_BINDING_WANTED] = {"external-binding-wanted", LILYQ_MISSING,
                                    LQ_REMEDY_LEAVE, true,
                                    "it is external: apply does not bind it, "
                                    "so its owner must"},
    [LQ_QUEUE_PROPERTY_CHANGED] = {"queue-property-changed", LILYQ_DIFFERENT,
                                   LQ_REMEDY_NONE, false, NULL},
    [LQ_QUEUE_ARGUMENT_CHANGED] = {"queue-argument-changed", LILYQ_DIFFERENT,
                                   LQ_REMEDY_NONE, false, NULL},
    [LQ_OWNER_ENTERS] = {"owner-enters", LILYQ_DIFFERENT, LQ_REMEDY_LEAVE, true,
                         "apply declares it from now on: unless what its "
                         "owner declared is as planned, it ends with a "
                         "conflict, exit status 4"},
    [LQ_OWNER_LEAVES] = {"owner-leaves", LILYQ_DIFFERENT, LQ_REMEDY_LEAVE, true,
                         "apply no longer declares it and only checks that it "
                         "is there: its new owner must keep it as planned"},
    [LQ_EXCHANGE_ORPHANED] = {"exchange-orphaned", LILYQ_UNEXPECTED,
                              LQ_REMEDY_LEAVE, false, NULL},
    [LQ_QUEUE_ORPHANED] = {"queue-orphaned", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE,
                           false, NULL},
    [LQ_BINDING_ORPHANED] = {"binding-orphaned", LILYQ_UNEXPECTED,
                             LQ_REMEDY_LEAVE, false,
                             "it stays, as apply never unbinds, until its "
                             "queue is deleted"},
    [LQ_BINDING_LEFT] = {"binding-left", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE,
                         false,
                         "it stays, as apply never unbinds: messages with its "
                         "key still reach the queue; unbind it by hand"},
    [LQ_EXTERNAL_EXCHANGE_DROPPED] = {"external-exchange-dropped",
                                      LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
                                      DROPPED},
    [LQ_EXTERNAL_QUEUE_DROPPED] = {"external-queue-dropped", LILYQ_UNEXPECTED,
                                   LQ_REMEDY_LEAVE, false, DROPPED},
    [LQ_EXTERNAL_BINDING_DROPPED] = {"external-binding-dropped",
                                     LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
                                     DROPPED},
    [LQ_EXTRAS_NOT_SEEN] =
        {"extras-unverified", LILYQ_UNVERIFIED, LQ_REMEDY_LEAVE, false,
         "look from a source that lists exchanges, queues and "
         "bindings, such as the management API"},
    [LQ_QUEUE_OF_GONE_ENTRY] = {"queue-of-gone-entry", LILYQ_UNEXPECTED,
                                LQ_REMEDY_LEAVE, false, NULL},
    [LQ_BINDING_OF_GONE_ENTRY] = {"binding-of-gone-entry", LILYQ_UNEXPECTED,
                                  LQ_REMEDY_LEAVE, false, NULL},
    [LQ_EXCHANGE_OF_V1] =
        {"exchange-of-v1", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "topology v1 left it: delete it once no release that uses v1 runs"},
    [LQ_QUEUE_OF_V1] = {"queue-of-v1", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
                        NULL},
    [LQ_MAIN_KEY_SHARED] =
        {"main-key-shared", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "it gets every message of the main queue, each retry of one again: "
         "unbind it, or give it an exchange or routing key of its own"},
    [LQ_RETRY_SHARED] =
        {"retry-shared", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "the plan does not have it: what is sent to a bucket with its key "
         "goes there too, so unbind it"},
    [LQ_DEAD_LETTERS_SHARED] =
        {"dead-letters-shared", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "the plan does not have it: dead letters with its key go there too, "
         "so unbind it, unless another file has it or that is meant"},
    [LQ_RETRY_FED] =
        {"retry-fed", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "what it brings into a bucket goes to the main queue after the delay, "
         "as if it were retried: unbind it"},
    [LQ_DEAD_LETTERS_FED] =
        {"dead-letters-fed", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "what it brings is taken for dead letters, and fills the queue that "
         "is kept for them: unbind it unless that is meant"},
    [LQ_BUCKET_CONSUMED] =
        {"bucket-consumed", LILYQ_NOTE, LQ_REMEDY_LEAVE, false,
         "a bucket is for no consumer: what one takes is not retried, so stop "
         "it"},
    [LQ_QUEUE_NEAR_BOUND] = {"queue-near-bound", LILYQ_NOTE, LQ_REMEDY_LEAVE,
                             false, NULL},
    [LQ_EXCHANGE_SHADOWED] = {"exchange-shadowed", LILYQ_SHADOWED,
                              LQ_REMEDY_LEAVE, true, NULL},
    [LQ_QUEUE_SHADOWED] = {"queue-shadowed", LILYQ_SHADOWED, LQ_REMEDY_LEAVE,
                           true, NULL},
    [LQ_POLICIES_NOT_SEEN] =
        {"policies-unverified", LILYQ_UNVERIFIED, LQ_REMEDY_LEAVE, false,
         "what policies change is not shown: look from a source that lists "
         "them, such as the management API"},
    [LQ_OPERATOR_POLICIES_NOT_SEEN] =
        {"operator-policies-unverified", LILYQ_UNVERIFIED, LQ_REMEDY_LEAVE,
         false,
         "what operator policies change is not shown: look from a source that "
         "lists them, such as the management API"},
    [LQ_POLICY_DOUBTFUL] =
        {"policy-unverified", LILYQ_UNVERIFIED, LQ_REMEDY_LEAVE, false,
         "whether the policy is in force cannot be told from its pattern and "
         "keys: make the pattern simpler, or ask the broker which it applies"},
    [LQ_POLICY_TIED] =
        {"policy-tie-unverified", LILYQ_UNVERIFIED, LQ_REMEDY_LEAVE, false,
         "another policy of the same priority matches too, and the broker "
         "alone decides which is in force: give them different priorities"},
    [LQ_POLICY_KEY_NOT_KNOWN] =
        {"policy-key-unverified", LILYQ_UNVERIFIED, LQ_REMEDY_LEAVE, false,
         "what this key of the policy does is not known here: see to it that "
         "it is meant for what the plan has"},
    [LQ_OWN_POLICY_MISSING] = {"own-policy-missing", LILYQ_MISSING,
                               LQ_REMEDY_APPLY, true,
                               "'lilyq apply --policies' sets it"},
    [LQ_OWN_POLICY_DIFFERENT] = {"own-policy-different", LILYQ_DIFFERENT,
                                 LQ_REMEDY_APPLY, true,
                                 "'lilyq apply --policies' sets it as planned"},
    [LQ_OWN_POLICY_SHARED] =
        {"own-policy-shared", LILYQ_DIFFERENT, LQ_REMEDY_NONE, false,
         "it may be that of another topology, so apply leaves it alone: give "
         "ours a name with '--policy-name', or delete the queue first"},
    [LQ_OWN_POLICY_ORPHANED] =
        {"own-policy-orphaned", LILYQ_UNEXPECTED, LQ_REMEDY_LEAVE, false,
         "it stays in force, as apply deletes nothing: give the options that "
         "it was set with, or delete it by hand"},
    [LQ_OWN_POLICY_SHADOWED] =
        {"own-policy-shadowed", LILYQ_SHADOWED, LQ_REMEDY_LEAVE, true,
         "only one policy is in force for a queue: give ours a greater "
         "'--priority', or the other a pattern that leaves those queues out"},
    [LQ_OWN_POLICY_NOT_SEEN] = {"own-policy-unverified", LILYQ_UNVERIFIED,
                                LQ_REMEDY_LEAVE, false, NULL},
    [LQ_OWN_POLICY_CREATED] = {"own-policy-created", LILYQ_MISSING,
                               LQ_REMEDY_APPLY, true,
                               "'lilyq apply --policies' sets it"},
    [LQ_OWN_POLICY_CHANGED] =
        {"own-policy-changed", LILYQ_DIFFERENT, LQ_REMEDY_APPLY, true,
         "'lilyq apply --policies' sets it anew, and queues that are no longer "
         "planned lose it: let them run empty first"},
};

/* Those whose advice depends on what the resource is for. */
static const char *(*const advisers[LQ_FINDING_CODE_COUNT])(
    const struct lq_finding *finding) = {
    [LQ_QUEUE_PROPERTY_DIFFERENT] = advise_on_different,
    [LQ_QUEUE_ARGUMENT_DIFFERENT] = advise_on_different,
    [LQ_QUEUE_PROPERTY_CHANGED] = advise_on_change,
    [LQ_QUEUE_ARGUMENT_CHANGED] = advise_on_change,
    [LQ_EXCHANGE_ORPHANED] = advise_on_change,
    [LQ_QUEUE_ORPHANED] = advise_on_change,
    [LQ_QUEUE_OF_GONE_ENTRY] = advise_on_gone,
    [LQ_BINDING_OF_GONE_ENTRY] = advise_on_gone_binding,
    [LQ_QUEUE_OF_V1] = advise_on_v1,
    [LQ_QUEUE_NEAR_BOUND] = advise_on_full,
    [LQ_OWN_POLICY_NOT_SEEN] = advise_on_unseen_policy,
    [LQ_EXCHANGE_SHADOWED] = lq_shadow_advice,
    [LQ_QUEUE_SHADOWED] = lq_shadow_advice,
};

const char *lq_finding_code(enum lq_finding_code code)
{
    return rows[code].code;
}

enum lilyq_finding lq_finding_kind(enum lq_finding_code code)
{
    return rows[code].kind;
}

const char *lq_finding_kind_name(enum lilyq_finding kind)
{
    switch (kind) {
    case LILYQ_MISSING:
        return "missing";
    case LILYQ_DIFFERENT:
        return "different";
    case LILYQ_UNEXPECTED:
        return "unexpected";
    case LILYQ_SHADOWED:
        return "shadowed";
    case LILYQ_UNVERIFIED:
        return "unverified";
    case LILYQ_NOTE:
        break;
    }
    return "note";
}

enum lq_remedy lq_finding_remedy(enum lq_finding_code code)
{
    return rows[code].remedy;
}

bool lq_finding_in_place(enum lq_finding_code code)
{
    return rows[code].in_place;
}

const char *lq_finding_advice(const struct lq_finding *finding)
{
    const struct row *const row = &rows[finding->code];

    return row->advice ? row->advice : advisers[finding->code](finding);
}

const struct lq_finding *lq_diff_at(const struct lq_diff *diff, size_t index)
{
    return (const struct lq_finding *)diff->findings.items + index;
}

void lq_diff_add(struct lq_diff *diff, const struct lq_finding *finding,
                 struct lq_arena *arena)
{
    struct lq_finding *const place = lq_array_push(&diff->findings, arena);

    if (place) {
        *place = *finding;
        ++diff->counts[lq_finding_kind(finding->code)];
    }
}

/* Adds a finding about the resource as a whole. */
void lq_differ_add(const struct lq_differ *differ, enum lq_finding_code code)
{
    struct lq_finding finding = differ->about;

    finding.code = code;
    lq_diff_add(differ->diff, &finding, differ->arena);
}

/* Adds a finding about a field of the resource. */
void lq_differ_add_field(const struct lq_differ *differ,
                         enum lq_finding_code code, const char *field,
                         const struct lq_side_value *planned,
                         const struct lq_side_value *actual)
{
    struct lq_finding finding = differ->about;

    finding.code = code;
    finding.field = field;
    finding.planned = *planned;
    finding.actual = *actual;
    lq_diff_add(differ->diff, &finding, differ->arena);
}

struct lq_side_value lq_text_value(const char *text)
{
    return (struct lq_side_value){text, "string"};
}

struct lq_side_value lq_truth_value(bool value)
{
    return (struct lq_side_value){value ? "true" : "false", "boolean"};
}

struct lq_side_value lq_planned_value(const struct lq_argument *argument,
                                      struct lq_arena *arena)
{
    switch (argument->type) {
    case LQ_LONGSTR:
        return lq_text_value(argument->text);
    case LQ_BOOL:
        return lq_truth_value(argument->number != 0);
    case LQ_INT32:
    case LQ_INT64:
        break;
    }
    return (struct lq_side_value){
        lq_format(arena, "%" PRId64, argument->number), "integer"};
}

struct lq_side_value lq_actual_value(const struct lq_live_argument *value)
{
    static const char *const types[] = {
        [LQ_LIVE_STRING] = "string", [LQ_LIVE_INTEGER] = "integer",
        [LQ_LIVE_NUMBER] = "number", [LQ_LIVE_BOOL] = "boolean",
        [LQ_LIVE_NULL] = "null",     [LQ_LIVE_LIST] = "list",
        [LQ_LIVE_TABLE] = "table",
    };

    return (struct lq_side_value){value->text, types[value->type]};
}

/* What the plan does not set, but is there. */
void lq_differ_add_extra(const struct lq_differ *differ,
                         enum lq_finding_code code,
                         const struct lq_live_argument *argument)
{
    const struct lq_side_value found = lq_actual_value(argument);

    lq_differ_add_field(differ, code, argument->key, &lq_no_value, &found);
}
