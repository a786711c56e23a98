#include "command.h"

const struct command commands[] = {
    [COMMAND_PLAN] =
        {.name = "plan",
         .synopsis = "[FILE...]",
         .summary = "print what queue entries expand to",
         .about =
             "Reads queue entries, expands each into its exchanges, retry "
             "buckets and dead-letter queue, and prints the result. It needs "
             "no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. A name that ends in .json is read as JSON, any "
             "other as INI. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_plan},
    [COMMAND_APPLY] =
        {.name = "apply",
         .synopsis = "[FILE...]",
         .summary = "declare it on a broker",
         .about =
             "Declares what 'lilyq plan' prints on a RabbitMQ broker, and "
             "prints what became of it. Nothing declared is ever deleted or "
             "changed; "
             "what exists as planned is left alone, so it can be run again at "
             "any time. All of it is looked at first; '--dry-run' does no "
             "more, and ends with 3 when something is missing. With "
             "'--policies', its own policies are set before, and changed where "
             "they differ.\n"
             "\n"
             "The broker is the first of: --url, the environment variables "
             "LILYQ_URL, RABBITMQ_URL and AMQP_URL, [broker] in the file, and "
             "amqp://guest:guest@localhost:5672/%2F. Several URLs, with "
             "commas between them, are tried in turn. The password may also "
             "be in the environment variable LILYQ_PASSWORD.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_apply},
    [COMMAND_LINT] =
        {.name = "lint",
         .synopsis = "[FILE...]",
         .summary = "find what loses, repeats or stalls messages",
         .about =
             "Judges what 'lilyq plan' prints by what brokers do with it, and "
             "prints each finding with its place, what happens and what to "
             "do. It needs no broker, but judges the policies and bindings of "
             "one with --management-url or --definitions. With --policies it "
             "takes those that 'lilyq policies' prints for set. lilyq-lint(7) "
             "explains every code.\n"
             "\n"
             "It ends with 3 when there is an error; --fail-on says from which "
             "severity on. A comment on or above a line of an INI file ignores "
             "a finding:\n"
             "\n"
             "  ; lilyq:ignore LQ001 the queue is drained within seconds\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_lint},
    [COMMAND_EXPLAIN] =
        {.name = "explain",
         .synopsis = "QUEUE [FILE...]",
         .summary = "tell what becomes of a message that keeps failing",
         .about =
             "Tells of a message of the entry QUEUE that fails each time it is "
             "delivered: how long each retry waits and in which bucket, the "
             "headers that it carries, and when and how it is dead-lettered. "
             "With --rate it also tells how full the queues get, and with "
             "--outage what a time in which every delivery fails makes of "
             "them. It needs no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_QUEUE,
         .run = cmd_explain},
    [COMMAND_DIFF] =
        {.name = "diff",
         .synopsis = "[FILE...]",
         .summary = "compare it with what a broker holds",
         .about =
             "Compares what 'lilyq plan' prints with what a RabbitMQ broker "
             "holds, prints every difference and what to do about it, and "
             "changes nothing. It ends with 3 when one of the first four is "
             "found.\n"
             "\n"
             "  +  missing     planned, not there\n"
             "  ~  different   there, not as planned\n"
             "  -  unexpected  there, not planned\n"
             "  !  shadowed    as planned, but a policy changes what is in "
             "force\n"
             "  ?  unverified  where it looks does not show it\n"
             "  *  note        as planned, but worth a look\n"
             "\n"
             "It looks through the management API: --management-url, or "
             "[broker] management_url in the file; without one, over AMQP, "
             "which shows less. The broker, user, password and virtual host "
             "are found as 'lilyq apply' finds them. With --definitions it "
             "needs no broker. With --policies it also tells what became of "
             "the policies that 'lilyq policies' prints.\n"
             "\n"
             "With --against it shows instead what the change from an earlier "
             "file would create, leave behind, and fail to change in place; "
             "that needs no broker either.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_diff},
    [COMMAND_POLICIES] =
        {.name = "policies",
         .synopsis = "[FILE...]",
         .summary = "print policies that keep messages from being lost",
         .about =
             "Prints policies that give quorum queues what 'lilyq plan' cannot "
             "put into arguments, since the framework declares them again as "
             "they are. It needs no broker.\n"
             "\n"
             "  lilyq-at-least-once  buckets and main queues keep a message "
             "until its\n"
             "                       dead-letter target has it\n"
             "  lilyq-dlq            DLQs do not drop what was read too often "
             "(RabbitMQ 4.0)\n"
             "  lilyq-dlq-classic    classic DLQs, with --dlq-retention only\n"
             "\n"
             "Only one policy is in force for a queue: the one of the highest "
             "priority.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_policies},
    [COMMAND_PERMISSIONS] =
        {.name = "permissions",
         .synopsis = "[FILE...]",
         .summary = "print the least permissions that its users need",
         .about =
             "Prints the regular expressions that give a user of the broker "
             "just the permissions to declare, publish to, consume from or "
             "operate what 'lilyq plan' prints. It needs no broker.\n"
             "\n"
             "  deployer   declares the topology, as 'lilyq apply' does\n"
             "  publisher  publishes to the main exchanges\n"
             "  consumer   declares the topology, consumes, hands on what "
             "failed\n"
             "  operator   reads dead letters, publishes them again\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_permissions},
    [COMMAND_INIT] =
        {.name = "init",
         .synopsis = "",
         .summary = "print a commented file to start from",
         .about = "Prints a configuration with one queue entry and every key "
                  "explained:\n"
                  "\n"
                  "  lilyq init > lilyq.ini\n"
                  "  lilyq plan -o tree",
         .run = cmd_init},
    [COMMAND_KEYS] =
        {.name = "keys",
         .synopsis = "",
         .summary = "list the keys of the configuration",
         .about = "Prints every key with what it accepts, its default and its "
                  "meaning. Key names are the same in INI and JSON; a dot "
                  "stands for a nested object.",
         .run = cmd_keys},
    [COMMAND_COMPLETION] =
        {.name = "completion",
         .synopsis = "bash|zsh|fish",
         .summary = "print a completion script for a shell",
         .about = "Prints a script that completes commands, options, formats "
                  "and file names:\n"
                  "\n"
                  "  bash  source <(lilyq completion bash)\n"
                  "  zsh   source <(lilyq completion zsh)\n"
                  "  fish  lilyq completion fish | source",
         .operands = OPERAND_SHELL,
         .run = cmd_completion},
    [COMMAND_HELP] =
        {.name = "help",
         .synopsis = "[COMMAND]",
         .summary = "print help, about one command if named",
         .about = "Prints the help of a command, like 'lilyq COMMAND --help', "
                  "or else the list of commands.",
         .operands = OPERAND_COMMAND,
         .run = cmd_help},
};
