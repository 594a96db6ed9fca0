#include "cli/option_table.h"

#include <string.h>

#include "base/assert.h"
#include "cli/option_lists.h"
#include "cli/option_values.h"
#include "coordinator/symbols/trust.h"
#include "coordinator/text.h"
#include "coordinator/worker/worker_pool.h"
#include "core/verdict.h"
#include "detector/detector.h"
#include "strategy/strategy.h"

enum { FRESH_MAX = 256 };

static bool parse_strategy(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    if (strategy_find(value) != NULL) {
        strncpy(out->options.strategy, value, sizeof out->options.strategy - 1);
        return true;
    }
    const char *known = "";
    for (int i = 0; strategies[i] != NULL; i++)
        known = text_print("%s%s%s", known, i == 0 ? "" : ", ", strategies[i]->name);
    return problem_is(why,
                      text_print("there is no strategy '%s'; the strategies are: %s", value, known),
                      NULL, 0);
}

static bool parse_bound(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    uint64_t bound;
    out->limited = true;
    if (!value_number(value, 0, BOUNDS_MAX - 1, &bound, name, why))
        return false;
    out->options.bound = (int32_t)bound;
    return true;
}

static bool parse_executions(struct settings *out, const char *value, const char *name,
                             struct problem *why)
{
    out->limited = true;
    return value_number(value, 1, UINT64_MAX, &out->options.executions_max, name, why);
}

static bool parse_time(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    out->limited = true;
    return value_duration(value, &out->time_limit, name, why);
}

static bool parse_memory(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    return value_size(value, &out->options.memory_max, name, why);
}

static bool parse_steps(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    uint64_t steps;
    if (!value_number(value, 1, STEPS_LIMIT, &steps, name, why))
        return false;
    out->options.steps_max = (uint32_t)steps;
    return true;
}

static bool parse_seed(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    return value_number(value, 0, UINT64_MAX, &out->options.seed, name, why);
}

static bool parse_workers(struct settings *out, const char *value, const char *name,
                          struct problem *why)
{
    uint64_t workers;
    if (!value_number(value, 1, WORKERS_MAX, &workers, name, why))
        return false;
    out->workers = (uint32_t)workers;
    return true;
}

static bool parse_points(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    static const char *const words[] = {
        [POINTS_SYNC] = "sync", [POINTS_RACE] = "race", [POINTS_ALL] = "all"};
    return value_word(value, WORDS(words), &out->options.points, name, why);
}

static bool parse_reduction(struct settings *out, const char *value, const char *name,
                            struct problem *why)
{
    static const char *const words[] = {[REDUCTION_OPTIMAL] = "optimal",
                                        [REDUCTION_SOURCE] = "source",
                                        [REDUCTION_CLASSIC] = "classic"};
    out->reduction_given = true;
    return value_word(value, WORDS(words), &out->options.reduction, name, why);
}

static bool parse_always(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    static const char *const words[] = {[ALWAYS_IS_PASSED] = "pass", [ALWAYS_STOPS] = "stop"};
    return value_word(value, WORDS(words), &out->options.always_stops, name, why);
}

static bool parse_races(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    static const char *const words[] = {
        [RACES_OFF] = "off", [RACES_WARN] = "warn", [RACES_ERROR] = "error"};
    return value_word(value, WORDS(words), &out->options.races, name, why);
}

static bool parse_detect(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    size_t length;
    const char *unknown = detectors_change(&out->options.detect, value, &length);
    if (unknown == NULL)
        return true;
    const char *known = "";
    for (int i = 0; i < DETECTORS; i++)
        known = text_print("%s%s%s", known, i == 0 ? "" : ", ", detectors[i]->word);
    return problem_is(why,
                      text_print("there is no detector '%.*s'; the detectors are: %s; -NAME turns "
                                 "one off, all and none are all of them",
                                 (int)length, unknown, known),
                      NULL, 0);
}

static bool parse_isolate(struct settings *out, const char *value, const char *name,
                          struct problem *why)
{
    static const char *const words[] = {[ISOLATE_AUTO] = "auto",
                                        [ISOLATE_RESET] = "reset",
                                        [ISOLATE_FORK] = "fork",
                                        [ISOLATE_EXEC] = "exec"};
    return value_word(value, WORDS(words), &out->options.isolate, name, why);
}

static bool parse_carrier(struct settings *out, const char *value, const char *name,
                          struct problem *why)
{
    static const char *const words[] = {[CARRIER_FIBERS] = "fibers", [CARRIER_KERNEL] = "kernel"};
    return value_word(value, WORDS(words), &out->options.carrier, name, why);
}

static bool parse_tracking(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    static const char *const words[] = {[TRACKING_AUTO] = "auto",
                                        [TRACKING_USERFAULT] = "userfault",
                                        [TRACKING_PROTECT] = "protect"};
    return value_word(value, WORDS(words), &out->options.tracking, name, why);
}

static bool parse_verify(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    uint64_t every;
    if (!value_number(value, 1, UINT32_MAX, &every, name, why))
        return false;
    out->options.verify_every = (uint32_t)every;
    return true;
}

static bool parse_exit(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    static const char *const words[] = {"end", "wait"};
    return value_word(value, WORDS(words), &out->options.exit_waits, name, why);
}

static bool parse_expect_exit(struct settings *out, const char *value, const char *name,
                              struct problem *why)
{
    uint64_t status;
    struct problem unused;
    out->options.expect_exit = EXIT_ANY;
    if (strcmp(value, "any") == 0)
        return true;
    if (!value_number(value, 0, 255, &status, name, &unused))
        return value_is_wrong(name, value, "a whole number from 0 to 255, or any", why);
    out->options.expect_exit = (int32_t)status;
    return true;
}

static bool parse_spurious(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    uint64_t count;
    if (!value_number(value, 0, SPURIOUS_MAX, &count, name, why))
        return false;
    out->options.spurious = (uint8_t)count;
    out->spurious_given = true;
    return true;
}

static bool parse_hang(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    return value_duration(value, &out->hang_seconds, name, why);
}

static bool parse_fresh(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    if (out->fresh_count == FRESH_MAX)
        return problem_is(why, "--fresh takes at most 256 paths: name a folder", NULL, 0);
    const char **paths = text_room((out->fresh_count + 2) * sizeof *paths);
    if (out->fresh_count > 0)
        memcpy(paths, out->fresh, out->fresh_count * sizeof *paths);
    paths[out->fresh_count++] = value;
    out->fresh = paths;
    return *value != 0 || value_is_wrong(name, value, "a file or folder", why);
}

static bool parse_same_output(struct settings *out, const char *value, const char *name,
                              struct problem *why)
{
    out->same_output = value;
    if (strlen(value) >= OUTPUT_PATH_MAX)
        return problem_is(why, "the path is too long for --same-output", value, 0);
    return *value != 0 || value_is_wrong(name, value, "a file, or - for standard output", why);
}

static bool parse_trust(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    return trust_add(&out->options.trust, value, why);
}

/* Each of these options has the name of its report. */
static bool parse_report(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    int number = 0;
    while (reports[number] != NULL && strcmp(reports[number]->name, name + strlen("--")) != 0)
        number++;
    CHECK(number < REPORTS);
    out->reports[number] = value;
    return *value != 0 || value_is_wrong(name, value, "a file, or - for standard output", why);
}

static bool parse_remember(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    out->remember = value;
    out->options.remember = 1;
    return true;
}

/* Implies --keep-going: behind a known finding there may be a new one. */
static bool parse_baseline(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    out->baseline = value;
    out->options.keep_going = KEEP_GOING;
    return *value != 0 || value_is_wrong(name, value, "a file", why);
}

static bool parse_corpus(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    out->corpus = value;
    out->options.samples = 1;
    return *value != 0 || value_is_wrong(name, value, "a folder", why);
}

/* An option whose value is a path, which is kept as given. */
#define PARSE_PATH(field, wanted)                                                                  \
    static bool parse_##field(struct settings *out, const char *value, const char *name,           \
                              struct problem *why)                                                 \
    {                                                                                              \
        out->field = value;                                                                        \
        return *value != 0 || value_is_wrong(name, value, wanted, why);                            \
    }
PARSE_PATH(output, "a folder")
PARSE_PATH(expect_output, "a file")
PARSE_PATH(suppressions, "a file")
PARSE_PATH(coverage, "a file")
PARSE_PATH(state, "a file")
PARSE_PATH(resume, "a file")
#undef PARSE_PATH

/* An option without a value. */
#define PARSE_SET(word, field, is)                                                                 \
    static bool parse_##word(struct settings *out, const char *value, const char *name,            \
                             struct problem *why)                                                  \
    {                                                                                              \
        out->field = is;                                                                           \
        return true;                                                                               \
    }
PARSE_SET(symmetry, options.symmetry, 1)
PARSE_SET(cache, options.cache, 1)
PARSE_SET(keep_going, options.keep_going, KEEP_GOING)
PARSE_SET(no_checkpoint, options.checkpoint, CHECKPOINTS_NONE)
PARSE_SET(force_checkpoints, options.checkpoint, CHECKPOINTS_FORCED)
PARSE_SET(shift_layouts, options.shift_layouts, 1)
PARSE_SET(quiet, quiet, true)
PARSE_SET(verbose, verbose, true)
PARSE_SET(no_progress, no_progress, true)
PARSE_SET(no_shrink, no_shrink, true)
PARSE_SET(no_explain, no_explain, true)
PARSE_SET(whole, whole, true)
PARSE_SET(help, help, true)
PARSE_SET(gdb, gdb, true)
#undef PARSE_SET

static bool parse_color(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    static const char *const words[] = {
        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
    return value_word(value == NULL ? "always" : value, WORDS(words), &out->color, name, why);
}

enum {
    RUN = COMMAND_RUN,
    REPLAY = COMMAND_REPLAY,
    /* options that change nothing in a search that goes on */
    RESUME = COMMAND_RUN | COMMAND_RESUME,
    BEGIN = COMMAND_RUN | COMMAND_REPLAY | COMMAND_EXPLAIN,
    ALL = BEGIN | COMMAND_RESUME
};

const struct option option_table[] = {
    {"-s", "--strategy", "NAME", RUN, parse_strategy,
     "how to search (auto); see bohr list strategies"},
    {"-b", "--bound", "N", RUN, parse_bound, "all bounds 0..N (until done); pct: the depth (3)"},
    {NULL, "--cache", NULL, RUN, parse_cache,
     "do not continue an execution whose past is equivalent to one seen before"},
    {NULL, "--reduction", "optimal|source|classic", RUN, parse_reduction,
     "for dpor: how it is done (optimal); best: classic (not at all)"},
    {NULL, "--symmetry", NULL, RUN, parse_symmetry,
     "dfs, preempt, dpor, best: threads that cannot be told apart begin in the order of their "
     "creation"},
    {NULL, "--priority", "LIST", RUN, parse_priority,
     "for best: what comes first (mdpor,pb); see bohr list priorities"},
    {"-n", "--executions", "N", RESUME, parse_executions, "stop after N executions (no limit)"},
    {"-t", "--time", "DUR", RESUME, parse_time,
     "stop after e.g. 30s, 5m (60s if none of -s -b -n -t is given)"},
    {NULL, "--memory", "SIZE", RUN, parse_memory,
     "what is still to be run takes so much memory, e.g. 2G; the rest is in a file (no limit)"},
    {NULL, "--steps", "N", RUN, parse_steps, "longest execution, in steps (20000)"},
    {"-k", "--keep-going", NULL, RUN, parse_keep_going, "do not stop at the first finding"},
    {NULL, "--seed", "N", RUN, parse_seed, "for everything random (1)"},
    {"-j", "--jobs", "N", RUN, parse_workers, "workers that share the search (1)"},
    {NULL, "--points", "sync|race|all", RUN, parse_points, "what a step is (race)"},
    {NULL, "--always", "pass|stop", RUN, parse_always,
     "at an error that every execution has: go on past it, or stop as at any other (pass)"},
    {NULL, "--races", "error|warn|off", RUN, parse_races, "how races count (error)"},
    {NULL, "--detect", "LIST", RUN, parse_detect,
     "what to look for beside the default, e.g. race,-misuse; see bohr list detectors"},
    {NULL, "--suppressions", "FILE", RUN, parse_suppressions,
     "findings that do not count, as for ThreadSanitizer"},
    {NULL, "--trust", "NAMES", RUN, parse_trust,
     "functions or libraries whose operations are no scheduling points"},
    {NULL, "--isolate", "auto|reset|fork|exec", RUN, parse_isolate,
     "how the next execution begins (auto)"},
    {NULL, "--carrier", "fibers|kernel", BEGIN, parse_carrier, "what threads run on (fibers)"},
    {NULL, "--tracking", "auto|userfault|protect", RUN, parse_tracking,
     "how reset sees first writes (auto)"},
    {NULL, "--no-checkpoint", NULL, RUN, parse_no_checkpoint,
     "begin each execution at the program's start"},
    {NULL, "--force-checkpoints", NULL, RUN, parse_force_checkpoints,
     "for tests of the tool: take checkpoints at every step in turn, whatever that costs"},
    {NULL, "--shift-layouts", NULL, RUN, parse_shift_layouts,
     "for tests of the tool: of workers that share the search only the first has the usual layout "
     "of memory"},
    {NULL, "--fault", "OPERATION", RUN, parse_fault,
     "for tests of the tool: break what is known of such operations; COLUMN:OPERATION for "
     "dependence "
     "(by default), sync, memory or enabled"},
    {NULL, "--verify", "N", RUN, parse_verify, "compare all memory after every N-th reset"},
    {NULL, "--exit", "end|wait", RUN, parse_exit,
     "main returning ends the program, or waits for all threads (end)"},
    {NULL, "--expect-exit", "N|any", RUN, parse_expect_exit,
     "the exit status that is right (0); another one is a finding"},
    {NULL, "--spurious", "N", RUN, parse_spurious,
     "spurious wake-ups of condition variables in an execution (0; auto: 0, then 1)"},
    {NULL, "--fresh", "PATH", RUN, parse_fresh,
     "a file or folder that is put back before each execution"},
    {NULL, "--same-output", "FILE", RUN, parse_same_output,
     "a file (- is standard output) that every execution must write alike"},
    {NULL, "--expect-output", "FILE", RUN, parse_expect_output,
     "what standard output (or the file of --same-output) must be equal to"},
    {NULL, "--hang", "DUR", ALL, parse_hang,
     "an execution in which nothing moves for so long hangs (5s)"},
    {NULL, "--no-shrink", NULL, RESUME, parse_no_shrink,
     "report schedules as they were found, not the simplest that show the same"},
    {NULL, "--no-explain", NULL, RESUME, parse_no_explain,
     "do not find out which orders of steps make an execution fail"},
    {"-o", "--output", "DIR", RESUME, parse_output, "where replay files go (bohr-out)"},
    {NULL, "--corpus", "DIR", RUN, parse_corpus,
     "schedules that found something, or new classes: tried first, and kept there"},
#define REPORT(name)
#define TO_FILE(name, help) {NULL, "--" #name, "FILE", ALL, parse_report, help},
#include "report/reports.def"
#undef REPORT
#undef TO_FILE
    {NULL, "--baseline", "FILE", RUN, parse_baseline,
     "findings of this earlier --json or --sarif do not count; goes on after those (-k)"},
    {NULL, "--coverage", "FILE", RESUME, parse_coverage,
     "how classes grew with executions, as CSV; see bohr plot"},
    {NULL, "--state", "FILE", RESUME, parse_state,
     "where a search is kept that comes to a limit, or to Ctrl-C (then also: DIR/search.state)"},
    {NULL, "--resume", "FILE", RESUME, parse_resume,
     "goes on with the search that is kept there; the program need not be named"},
    {NULL, "--remember", "FILE", RUN, parse_remember,
     "for idiom: what was tested is kept there, and not tested again"},
    {NULL, "--gdb", NULL, REPLAY, parse_gdb,
     "in gdb, stopped at the first preemption that matters; see docs/debugger.md"},
    {NULL, "--full", NULL, ALL, parse_whole, "show every step, fold nothing"},
    {NULL, "--trace", NULL, ALL, parse_whole, "the same"},
    {"-q", "--quiet", NULL, ALL, parse_quiet, "a line for each finding, nothing else"},
    {"-v", "--verbose", NULL, ALL, parse_verbose, "more numbers"},
    {NULL, "--color", "[auto|always|never]", ALL, parse_color,
     "colours on a terminal (auto), or always, also without a word, or never"},
    {NULL, "--no-progress", NULL, RESUME, parse_no_progress, "no progress line on the terminal"},
    {"-h", "--help", NULL, ALL, parse_help, "this list"},
};
const int option_count = sizeof option_table / sizeof option_table[0];
