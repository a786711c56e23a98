#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "output.h"

/* The shells that have a completion script; NULL-terminated. */
extern const char *const completion_shells[];

/* Each prints a script made from the tables of commands and options. */
void completion_bash(struct output *output);
void completion_zsh(struct output *output);
void completion_fish(struct output *output);

#endif
