#include "cli/settings.h"

#include <string.h>

#include "cli/option_table.h"
#include "coordinator/symbols/near.h"
#include "coordinator/text.h"
#include "detector/detector.h"
#include "strategy/guided/priority.h"
#include "strategy/strategy.h"

enum {
    STEPS_DEFAULT = 20000,
    THREADS_READY = 8,
    STACK_SIZE = 8 << 20,
    HANG_DEFAULT = 5,
};

struct settings settings_default(void)
{
    return (struct settings){
        .options = {.strategy = "auto",
                    .seed = 1,
                    .bound = NO_BOUND,
                    .steps_max = STEPS_DEFAULT,
                    .hierarchy = {2, {PRIORITY_mdpor, PRIORITY_pb}},
                    .points = POINTS_RACE,
                    .races = RACES_ERROR,
                    .detect = detectors_default(),
                    .isolate = ISOLATE_AUTO,
                    .carrier = CARRIER_FIBERS,
                    .tracking = TRACKING_AUTO,
                    .checkpoint = CHECKPOINTS_AUTO,
                    .threads_ready = THREADS_READY,
                    .stack_size = STACK_SIZE},
        .output = "bohr-out",
        .hang_seconds = HANG_DEFAULT,
        .workers = 1,
    };
}

/* The row that an argument names, with a value attached to the name (--name=value, -nvalue). */
static const struct option *find(const char *argument, const char **attached)
{
    *attached = NULL;
    for (int i = 0; i < option_count; i++) {
        const struct option *row = &option_table[i];
        size_t length = strlen(row->name);
        if (strncmp(argument, row->name, length) == 0) {
            if (argument[length] == 0)
                return row;
            if (argument[length] == '=') {
                *attached = argument + length + 1;
                return row;
            }
        }
        if (row->brief == NULL || strncmp(argument, row->brief, 2) != 0)
            continue;
        if (argument[2] != 0 && row->argument == NULL)
            continue;
        *attached = argument[2] == 0 ? NULL : argument + 2;
        return row;
    }
    return NULL;
}

static const char *no_such_option(const char *argument, const struct option *row,
                                  enum command_bit command)
{
    struct near near = {0};
    if (row != NULL) /* the option belongs to another command */
        return text_print("there is no such option (see --help): bohr %s has it",
                          (row->commands & COMMAND_RUN) != 0 ? "run" : "replay");
    size_t length = strcspn(argument, "=");
    for (int i = 0; length > 2 && i < option_count; i++)
        if (option_table[i].commands & command)
            near_add(&near, option_table[i].name, strlen(option_table[i].name), argument, length);
    return text_print("there is no such option (see --help)%s", near_text(&near));
}

/* Whether the next word, which may be NULL, is the option's value. If the value is optional, it
 * must be one of the words that the row names. */
static bool takes_next(const struct option *row, const char *next)
{
    if (row->argument == NULL || row->argument[0] != '[')
        return row->argument != NULL;
    size_t length = next == NULL ? 0 : strlen(next);
    for (const char *at = row->argument + 1; *at != 0; at += strcspn(at, "|]") + 1)
        if (strcspn(at, "|]") == length && memcmp(at, next, length) == 0)
            return true;
    return false;
}

static bool parse(struct settings *out, enum command_bit command, bool lenient, int argc,
                  char **argv, int *first, struct problem *why)
{
    int i = 0;
    for (; i < argc && argv[i][0] == '-' && argv[i][1] != 0; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        const char *value;
        const struct option *row = find(argv[i], &value);
        bool applies = row != NULL && (row->commands & command) != 0;
        if (!applies && row != NULL && command == COMMAND_RESUME &&
            (row->commands & COMMAND_RUN) != 0)
            return problem_is(
                why,
                text_print("%s was settled when the search was begun: leave it out, or "
                           "begin anew without --resume",
                           row->name),
                NULL, 0);
        if (row == NULL || (!applies && !lenient))
            return problem_is(why, no_such_option(argv[i], row, command), argv[i], 0);
        if (value != NULL && row->argument == NULL)
            return problem_is(why, text_print("%s takes no value", row->name), NULL, 0);
        if (value == NULL && takes_next(row, i + 1 < argc ? argv[i + 1] : NULL)) {
            if (i + 1 == argc)
                return problem_is(why, text_print("%s needs a value: %s", argv[i], row->argument),
                                  NULL, 0);
            value = argv[++i];
            out->taken_by = row->name;
            out->taken = value;
        }
        if (applies && !row->parse(out, value, row->name, why))
            return false;
    }
    *first = i;
    return true;
}

bool options_parse(struct settings *out, enum command_bit command, int argc, char **argv,
                   int *first, struct problem *why)
{
    return parse(out, command, false, argc, argv, first, why);
}

bool options_parse_text(struct settings *out, enum command_bit command, const char *text,
                        struct problem *why)
{
    if (text == NULL)
        return true;
    char **words = text_room((strlen(text) / 2 + 2) * sizeof *words);
    int count = 0, first;
    char *rest, *copy = text_copy(text, strlen(text));
    for (char *at = strtok_r(copy, " \t\n", &rest); at != NULL; at = strtok_r(NULL, " \t\n", &rest))
        words[count++] = at;
    struct problem inner;
    if (!parse(out, command, true, count, words, &first, &inner))
        return problem_is(why, text_print("in BOHR_OPTIONS: %s", inner.text), NULL, 0);
    if (first != count)
        return problem_is(why, "in BOHR_OPTIONS: this is no option", words[first], 0);
    return true;
}

void options_help(FILE *file, enum command_bit command)
{
    for (int i = 0; i < option_count; i++) {
        const struct option *row = &option_table[i];
        if ((row->commands & command) == 0)
            continue;
        char names[64];
        snprintf(names, sizeof names, "%s%s%s%s%s", row->brief == NULL ? "" : row->brief,
                 row->brief == NULL ? "" : ", ", row->name, row->argument == NULL ? "" : " ",
                 row->argument == NULL ? "" : row->argument);
        fprintf(file, "  %-34s %s\n", names, row->help);
    }
}
