/* The options of run, replay and explain: one table, read by the parser and by --help. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdio.h>

#include "base/problem.h"
#include "core/options.h"
#include "report/report.h"

/* COMMAND_RESUME stands for run when a search goes on (--resume). */
enum command_bit { COMMAND_RUN = 1, COMMAND_REPLAY = 2, COMMAND_EXPLAIN = 4, COMMAND_RESUME = 8 };

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER }; /* auto: on a terminal */

struct settings {
    struct options options;
    const char *output; /* folder for replay files */
    const char *corpus; /* a folder of schedules that are tried first; NULL: none */
    /* a file for each report, - for standard output; NULL: no report */
    const char *reports[REPORTS];
    const char *baseline; /* results whose findings do not count; NULL: none */
    const char *coverage; /* a file for the growth of coverage; NULL: none */
    const char *state; /* a file for a search that is left before its end; NULL: see cli/resume.h */
    const char *resume;   /* a file from which a search goes on; NULL: a search begins */
    const char *remember; /* the file of --remember; NULL: none */
    const char **fresh;   /* paths, ended by NULL; or NULL */
    uint32_t fresh_count;
    const char *suppressions; /* the file of --suppressions; NULL: none */
    const char *same_output;  /* a file, - for standard output; NULL: not compared */
    /* a file with the right output; NULL: with same_output, that of the first execution */
    const char *expect_output;
    const char *taken_by,
        *taken; /* the last option whose value was a word of its own, and that value; or NULL */
    double time_limit, hang_seconds;
    uint32_t workers;
    uint8_t color; /* enum color */
    bool quiet, verbose, no_progress, no_shrink, no_explain, whole, help, gdb;
    bool reduction_given, priority_given, spurious_given;
    bool limited; /* one of -b -n -t was given */
};

struct settings settings_default(void);

/* Reads options up to the first word that is not one, and stores its index in *first. */
bool options_parse(struct settings *out, enum command_bit command, int argc, char **argv,
                   int *first, struct problem *why);
/* Reads the options in BOHR_OPTIONS. Options of other commands are ignored. */
bool options_parse_text(struct settings *out, enum command_bit command, const char *text,
                        struct problem *why);
/* To be called after the last option: fills in defaults that depend on other options, and refuses
 * impossible combinations. */
bool options_settle(struct settings *settings, struct problem *why);
void options_help(FILE *file, enum command_bit command);

#endif
