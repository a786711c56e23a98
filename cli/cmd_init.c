#include "command.h"
#include "key_words.h"
#include "output.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Values for keys that have no default, or whose default shows nothing. */
static const struct {
    const char *key;
    const char *value;
} examples[] = {
    {"exchange_name", "orders"},
    {"routing_key", "orders.created"},
    {"retry_attempts", "3"},
    {"retention.main_max_messages", "100000"},
    {"retention.main_max_bytes", "1073741824"},
    {"retention.retry_bucket_max_messages", "10000"},
    {"retention.retry_bucket_max_bytes", "268435456"},
    {"retention.dead_letter_max_messages", "10000"},
    {"retention.dead_letter_max_bytes", "268435456"},
    {"dead_letter_exchange", "orders.failed"},
    {"dead_letter_routing_key", "orders.created.failed"},
    {"max_priority", "5"},
    {"message_ttl_ms", "86400000"},
    {"delivery_buffer_capacity", "10"},
    {"url", "amqps://deployer@rabbit.internal/%2Fshop"},
    {"vhost", "/shop"},
    {"username", "deployer"},
    {"password_file", "/run/secrets/rabbitmq"},
    {"management_url", "https://rabbit.internal:15671"},
    {"tls_ca_file", "/etc/ssl/certs/rabbit-ca.pem"},
    {"tls_cert_file", "/etc/ssl/certs/deployer.pem"},
    {"tls_key_file", "/etc/ssl/private/deployer.key"},
};

/* Keys that are read together stand together; their order is the schema's. */
enum group { GROUP_QUEUE, GROUP_DEFAULTS, GROUP_RUNTIME, GROUP_BROKER };

static const char *example_of(const struct lq_key *key)
{
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); ++i) {
        if (strcmp(examples[i].key, key->name) == 0) {
            return examples[i].value;
        }
    }
    return key->default_text;
}

static bool is_name(const struct lq_key *key)
{
    return key->section == LQ_SECTION_QUEUE && key->field == LQ_NAME;
}

static bool is_live(const struct lq_key *key)
{
    return key->required || (key->section == LQ_SECTION_QUEUE &&
                             key->field == LQ_RETRY_ATTEMPTS);
}

static bool is_retry(const struct lq_key *key)
{
    return key->field >= LQ_RETRY_ATTEMPTS &&
           key->field <= LQ_RETRY_JITTER_RATIO;
}

static enum group group_of(const struct lq_key *key)
{
    if (key->section == LQ_SECTION_BROKER) {
        return GROUP_BROKER;
    }
    if (key->runtime_only) {
        return GROUP_RUNTIME;
    }
    return key->type == LQ_KEY_IDENTITY || is_retry(key) ? GROUP_QUEUE
                                                         : GROUP_DEFAULTS;
}

/* "(1 to 16)", "(classic or quorum, by default classic)"; "" for any text */
static const char *accepted(struct lq_arena *arena, const struct lq_key *key)
{
    if (key->type == LQ_KEY_TEXT) {
        return "";
    }
    return lq_format(arena, " (%s%s%s)", key_accepts(arena, key),
                     key->default_text ? ", by default " : "",
                     key->default_text ? key->default_text : "");
}

static void print_key(struct output *output, struct lq_arena *arena,
                      const struct lq_key *key)
{
    const char *const comment =
        lq_format(arena, "%s%s", key->help, accepted(arena, key));

    output_text(output, "\n");
    output_wrapped(output, "# ", "# ", comment);
    output_format(output, "%s%s = %s\n", is_live(key) ? "" : ";", key->name,
                  example_of(key));
}

static void print_group(struct output *output, struct lq_arena *arena,
                        enum group group)
{
    for (size_t i = 0; i < lq_key_count; ++i) {
        const struct lq_key *const key = &lq_keys[i];

        if (group_of(key) == group && !is_name(key)) {
            print_key(output, arena, key);
        }
    }
}

static void print_comment(struct output *output, const char *text)
{
    output_wrapped(output, "# ", "# ", text);
}

static void print_title(struct output *output)
{
    print_comment(output, "lilyq.ini: queue entries, see lilyq.ini(5)");
    output_text(output,
                "#\n"
                "#   lilyq plan -o tree   shows what this file expands to\n"
                "#   lilyq apply          declares it on a broker\n"
                "#\n");
    print_comment(output,
                  "Lines that start with '#' or ';' are comments. A key "
                  "behind a ';' shows its default, or an example if "
                  "it has none.");
}

static const struct {
    enum group group;
    const char *intro;
    const char *header;
} parts[] = {
    {GROUP_QUEUE,
     "A logical queue; add a section for each one. What follows 'queue:' is "
     "its name, and the name of its main queue.",
     "[queue:orders.created]\n"},
    {GROUP_DEFAULTS,
     "What the queues of this file have in common. Any key of a queue but its "
     "name can stand here; a queue's own key wins.",
     "[defaults]\n"},
    {GROUP_RUNTIME,
     "The keys up to the next section are settings of consumers. They are "
     "checked, but change nothing in the topology.",
     ""},
    {GROUP_BROKER,
     "Where 'lilyq apply' goes, unless its options or the environment say "
     "otherwise. A value may be ${env:NAME} or ${file:/path}, to be taken "
     "from there.",
     "[broker]\n"},
};

static void print_all(struct output *output, struct lq_arena *arena)
{
    print_title(output);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        output_text(output, "\n");
        print_comment(output, parts[i].intro);
        output_text(output, parts[i].header);
        print_group(output, arena, parts[i].group);
    }
}

static enum exit_code run_command(struct invocation *invocation)
{
    struct output output = {0};

    print_all(&output, invocation->arena);
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

const struct command cmd_init = {
    .name = "init",
    .synopsis = "",
    .summary = "print a commented file to start from",
    .about = "Prints a configuration with one queue entry and every key "
             "explained:\n"
             "\n"
             "  lilyq init > lilyq.ini\n"
             "  lilyq plan -o tree",
    .run = run_command,
};
