#ifndef CLI_EXIT_CODE_H
#define CLI_EXIT_CODE_H

/* What lilyq ends with; lilyq(1) explains them. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,   /* broker unreachable, refused, timed out; input or
                          output that cannot be read or written */
    EXIT_INVALID = 2,  /* wrong command line or configuration, nothing done */
    EXIT_DRIFT = 3,    /* findings that count; or a dry run found something
                          missing */
    EXIT_CONFLICT = 4, /* found before the first write, nothing written */
    EXIT_PARTLY = 5    /* some was written, the rest was not */
};

#endif
