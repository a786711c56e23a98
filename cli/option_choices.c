#include "option_choices.h"

#include <stddef.h>

const char *const plan_formats[] = {"json", "tree",    "definitions",
                                    "dot",  "mermaid", NULL};

const char *const report_formats[] = {"text", "json", NULL};

const char *const diff_formats[] = {"text", "json", "junit", "github", NULL};

const char *const findings[] = {"missing",  "different",  "unexpected",
                                "shadowed", "unverified", NULL};

const char *const permissions_formats[] = {"json", "rabbitmqctl", NULL};

const char *const lint_formats[] = {"text",  "json",   "sarif",
                                    "junit", "github", NULL};

const char *const severities[] = {"error", "warning", "note", NULL};

const char *const explain_formats[] = {"text", "json", "svg", NULL};

const char *const policies_formats[] = {"json", "rabbitmqctl", "text", NULL};

const char *const roles[] = {"deployer", "publisher", "consumer", "operator",
                             NULL};

const char *const input_formats[] = {"ini", "json", NULL};
