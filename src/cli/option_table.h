/* The table of all options. A new option is one row, and a function that reads its value. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/settings.h"

struct option {
    const char *brief, *name; /* brief may be NULL */
    const char *argument;     /* NULL: takes no value; [a|b|c]: takes one of these, or none */
    unsigned commands;        /* enum command_bit */
    bool (*parse)(struct settings *out, const char *value, const char *name, struct problem *why);
    const char *help;
};

extern const struct option option_table[];
extern const int option_count;

#endif
