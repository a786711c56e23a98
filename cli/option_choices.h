/* What options take one of, each list NULL-terminated. */
#ifndef CLI_OPTION_CHOICES_H
#define CLI_OPTION_CHOICES_H

/* In the order of enum lilyq_format. */
extern const char *const plan_formats[];

/* In the order of enum lilyq_report_format. */
extern const char *const report_formats[];

/* In the order of enum lilyq_diff_format. */
extern const char *const diff_formats[];

/* In the order of enum lilyq_finding, less its last, which never counts. */
extern const char *const findings[];

/* In the order of enum lilyq_permissions_format. */
extern const char *const permissions_formats[];

/* In the order of enum lilyq_lint_format. */
extern const char *const lint_formats[];

/* In the order of enum lilyq_severity, turned around. */
extern const char *const severities[];

/* In the order of enum lilyq_explain_format. */
extern const char *const explain_formats[];

/* In the order of enum lilyq_policies_format. */
extern const char *const policies_formats[];

/* In the order of enum lilyq_role. */
extern const char *const roles[];

/* In the order of enum lilyq_input, less its first. */
extern const char *const input_formats[];

#endif
