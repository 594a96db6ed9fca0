#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "coordinator/near.h"
#include "coordinator/text.h"
#include "coordinator/trust.h"
#include "coordinator/worker_pool.h"
#include "core/verdict.h"
#include "detector/detector.h"
#include "strategy/strategy.h"

enum {
    STEPS_DEFAULT = 20000,
    THREADS_READY = 8,
    STACK_SIZE = 8 << 20,
    TIME_DEFAULT = 60,
    HANG_DEFAULT = 5,
    FRESH_MAX = 256,
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
                    .expect_exit = -1,
                    .threads_ready = THREADS_READY,
                    .stack_size = STACK_SIZE},
        .output = "bohr-out",
        .hang_seconds = HANG_DEFAULT,
        .workers = 1,
    };
}

struct option {
    const char *brief, *name; /* brief may be NULL */
    const char *argument;     /* NULL: takes none */
    unsigned commands;        /* enum command_bit */
    bool (*parse)(struct settings *out, const char *value, const char *name, struct problem *why);
    const char *help;
};

static bool wrong_value(const char *name, const char *value, const char *wanted,
                        struct problem *why)
{
    return problem_is(why, text_print("%s takes %s, not '%s'", name, wanted, value), NULL, 0);
}

static bool number(const char *value, uint64_t least, uint64_t most, uint64_t *out,
                   const char *name, struct problem *why)
{
    char *end;
    errno = 0;
    bool digits = *value >= '0' && *value <= '9';
    *out = strtoull(value, &end, 10);
    if (digits && *end == 0 && errno == 0 && *out >= least && *out <= most)
        return true;
    const char *wanted = most == UINT64_MAX
                             ? text_print("a whole number from %lu", least)
                             : text_print("a whole number from %lu to %lu", least, most);
    return wrong_value(name, value, wanted, why);
}

static bool duration(const char *value, double *out, const char *name, struct problem *why)
{
    char *end;
    errno = 0;
    bool digits = (*value >= '0' && *value <= '9') || *value == '.';
    *out = strtod(value, &end);
    double unit = strcmp(end, "") == 0 || strcmp(end, "s") == 0 ? 1
                  : strcmp(end, "ms") == 0                      ? 0.001
                  : strcmp(end, "m") == 0                       ? 60
                  : strcmp(end, "h") == 0                       ? 3600
                                                                : 0;
    *out *= unit;
    if (digits && end != value && errno == 0 && isfinite(*out) && *out > 0)
        return true;
    return wrong_value(name, value, "a duration such as 30s or 5m", why);
}

static bool word(const char *value, const char *const *words, int count, uint8_t *out,
                 const char *name, struct problem *why)
{
    const char *wanted = "";
    for (int i = 0; i < count; i++) {
        if (words[i] == NULL)
            continue;
        if (strcmp(value, words[i]) == 0) {
            *out = (uint8_t)i;
            return true;
        }
        wanted = *wanted == 0 ? words[i] : text_print("%s|%s", wanted, words[i]);
    }
    return wrong_value(name, value, wanted, why);
}

#define WORDS(array) array, sizeof array / sizeof array[0]

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
    if (!number(value, 0, BOUNDS_MAX - 1, &bound, name, why))
        return false;
    out->options.bound = (int32_t)bound;
    return true;
}

static bool parse_fault(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    static const char *const parts[] = {
        "",
#define STATE_PART(name, word) "state-" word,
#include "core/state_parts.def"
#undef STATE_PART
    };
    for (size_t part = 1; part < sizeof parts / sizeof *parts; part++)
        if (strcmp(value, parts[part]) == 0) {
            out->options.state_fault = (uint8_t)part;
            return true;
        }
    for (int kind = 1; kind < OP_KINDS; kind++)
        if (strcmp(value, op_word(kind)) == 0) {
            out->options.fault = (uint8_t)kind;
            return true;
        }
    return problem_is(why, text_print("%s takes a kind of operation such as lock, not '%s'", name, value),
                      NULL, 0);
}

static bool parse_symmetry(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    out->options.symmetry = 1;
    return true;
}

static bool parse_cache(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    out->options.cache = 1;
    return true;
}

static bool parse_executions(struct settings *out, const char *value, const char *name,
                             struct problem *why)
{
    out->limited = true;
    return number(value, 1, UINT64_MAX, &out->options.executions_max, name, why);
}

static bool parse_time(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    out->limited = true;
    return duration(value, &out->time_limit, name, why);
}

static bool parse_memory(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    bool digits = *value >= '0' && *value <= '9';
    uint64_t bytes = strtoull(value, &end, 10);
    const char *unit = *end != 0 ? strchr(units, *end) : NULL;
    bool known = *end == 0 || (unit != NULL && end[1] == 0);
    for (long i = unit != NULL ? unit - units + 1 : 0; known && i > 0; i--)
        if (__builtin_mul_overflow(bytes, 1024, &bytes))
            known = false;
    out->options.memory_max = bytes;
    if (digits && known && errno == 0 && bytes > 0)
        return true;
    return wrong_value(name, value, "a size such as 500M or 2G", why);
}

static bool parse_steps(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    uint64_t steps;
    if (!number(value, 1, STEPS_LIMIT, &steps, name, why))
        return false;
    out->options.steps_max = (uint32_t)steps;
    return true;
}

static bool parse_keep_going(struct settings *out, const char *value, const char *name,
                             struct problem *why)
{
    out->options.keep_going = 1;
    return true;
}

static bool parse_seed(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    return number(value, 0, UINT64_MAX, &out->options.seed, name, why);
}

static bool parse_workers(struct settings *out, const char *value, const char *name,
                          struct problem *why)
{
    uint64_t workers;
    if (!number(value, 1, WORKERS_MAX, &workers, name, why))
        return false;
    out->workers = (uint32_t)workers;
    return true;
}

static bool parse_points(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    static const char *const words[] = {
        [POINTS_SYNC] = "sync", [POINTS_RACE] = "race", [POINTS_ALL] = "all"};
    return word(value, WORDS(words), &out->options.points, name, why);
}

static bool parse_reduction(struct settings *out, const char *value, const char *name,
                            struct problem *why)
{
    static const char *const words[] = {[REDUCTION_OPTIMAL] = "optimal",
                                        [REDUCTION_SOURCE] = "source",
                                        [REDUCTION_CLASSIC] = "classic"};
    out->reduction_given = true;
    return word(value, WORDS(words), &out->options.reduction, name, why);
}

static bool is_priority(const char *word, size_t length)
{
    for (int i = 0; i < PRIORITY_KINDS; i++) {
        const char *name = priority_name((enum priority_kind)i);
        if (strlen(name) == length && memcmp(name, word, length) == 0)
            return true;
    }
    return false;
}

static const char *near_priorities(const char *word, size_t length)
{
    struct near near = {0};
    for (int i = 0; i < PRIORITY_KINDS; i++) {
        const char *name = priority_name((enum priority_kind)i);
        near_add(&near, name, strlen(name), word, length);
    }
    return near_text(&near);
}

static bool parse_priority(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    size_t length;
    const char *wrong = hierarchy_parse(&out->options.hierarchy, value, &length);
    out->priority_given = true;
    if (wrong == NULL)
        return true;
    size_t plain = strcspn(wrong, ",:");
    const char *text =
        is_priority(wrong, plain)
            ? text_print("--priority takes each priority at most once, method and var with names "
                         "(method:push,pop), the others without; not '%.*s'",
                         (int)length, wrong)
            : text_print("--priority: there is no priority '%.*s' (bohr list priorities names all)%s", (int)plain,
                         wrong, near_priorities(wrong, plain));
    return problem_is(why, text, NULL, 0);
}

static bool parse_races(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    static const char *const words[] = {
        [RACES_OFF] = "off", [RACES_WARN] = "warn", [RACES_ERROR] = "error"};
    return word(value, WORDS(words), &out->options.races, name, why);
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
        known = text_print("%s%s%s", known, i == 0 ? "" : ", ", detectors[i].word);
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
    return word(value, WORDS(words), &out->options.isolate, name, why);
}

static bool parse_carrier(struct settings *out, const char *value, const char *name,
                          struct problem *why)
{
    static const char *const words[] = {[CARRIER_FIBERS] = "fibers", [CARRIER_KERNEL] = "kernel"};
    return word(value, WORDS(words), &out->options.carrier, name, why);
}

static bool parse_tracking(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    static const char *const words[] = {[TRACKING_AUTO] = "auto",
                                        [TRACKING_USERFAULT] = "userfault",
                                        [TRACKING_PROTECT] = "protect"};
    return word(value, WORDS(words), &out->options.tracking, name, why);
}

static bool parse_no_checkpoint(struct settings *out, const char *value, const char *name,
                                struct problem *why)
{
    out->options.checkpoint = CHECKPOINTS_NONE;
    return true;
}

static bool parse_force_checkpoints(struct settings *out, const char *value, const char *name,
                                    struct problem *why)
{
    out->options.checkpoint = CHECKPOINTS_FORCED;
    return true;
}

static bool parse_verify(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    uint64_t every;
    if (!number(value, 1, UINT32_MAX, &every, name, why))
        return false;
    out->options.verify_every = (uint32_t)every;
    return true;
}

static bool parse_exit(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    static const char *const words[] = {"end", "wait"};
    return word(value, WORDS(words), &out->options.exit_waits, name, why);
}

static bool parse_expect_exit(struct settings *out, const char *value, const char *name,
                              struct problem *why)
{
    uint64_t status;
    if (!number(value, 0, 255, &status, name, why))
        return false;
    out->options.expect_exit = (int32_t)status;
    return true;
}

static bool parse_hang(struct settings *out, const char *value, const char *name,
                       struct problem *why)
{
    return duration(value, &out->hang_seconds, name, why);
}

static bool parse_output(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    out->output = value;
    return *value != 0 || wrong_value(name, value, "a folder", why);
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
    return *value != 0 || wrong_value(name, value, "a file or folder", why);
}

static bool parse_same_output(struct settings *out, const char *value, const char *name,
                              struct problem *why)
{
    out->same_output = value;
    if (strlen(value) >= OUTPUT_PATH_MAX)
        return problem_is(why, "the path is too long for --same-output", value, 0);
    return *value != 0 || wrong_value(name, value, "a file, or - for standard output", why);
}

static bool parse_expect_output(struct settings *out, const char *value, const char *name,
                                struct problem *why)
{
    out->expect_output = value;
    return *value != 0 || wrong_value(name, value, "a file", why);
}

static bool parse_suppressions(struct settings *out, const char *value, const char *name,
                               struct problem *why)
{
    out->suppressions = value;
    return *value != 0 || wrong_value(name, value, "a file", why);
}

static bool parse_trust(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    return trust_add(&out->options.trust, value, why);
}

/* The option is called as the report is. */
static bool parse_report(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    int number = 0;
    while (reports[number] != NULL && strcmp(reports[number]->name, name + strlen("--")) != 0)
        number++;
    CHECK(number < REPORTS);
    out->reports[number] = value;
    return *value != 0 || wrong_value(name, value, "a file, or - for standard output", why);
}

static bool parse_remember(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    out->remember = value;
    out->options.remember = 1;
    return true;
}

/* Behind what is known there may be something new. */
static bool parse_baseline(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    out->baseline = value;
    out->options.keep_going = 1;
    return *value != 0 || wrong_value(name, value, "a file", why);
}

static bool parse_coverage(struct settings *out, const char *value, const char *name,
                           struct problem *why)
{
    out->coverage = value;
    return *value != 0 || wrong_value(name, value, "a file", why);
}

static bool parse_corpus(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    out->corpus = value;
    out->options.samples = 1;
    return *value != 0 || wrong_value(name, value, "a folder", why);
}

static bool parse_state(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    out->state = value;
    return *value != 0 || wrong_value(name, value, "a file", why);
}

static bool parse_resume(struct settings *out, const char *value, const char *name,
                         struct problem *why)
{
    out->resume = value;
    return *value != 0 || wrong_value(name, value, "a file", why);
}

#define PARSE_FLAG(field)                                                                          \
    static bool parse_##field(struct settings *out, const char *value, const char *name,           \
                              struct problem *why)                                                 \
    {                                                                                              \
        out->field = true;                                                                         \
        return true;                                                                               \
    }
PARSE_FLAG(quiet)
PARSE_FLAG(verbose)
PARSE_FLAG(color)
PARSE_FLAG(no_progress)
PARSE_FLAG(no_shrink)
PARSE_FLAG(no_explain)
PARSE_FLAG(whole)
PARSE_FLAG(help)
PARSE_FLAG(gdb)
#undef PARSE_FLAG

enum {
    RUN = COMMAND_RUN,
    REPLAY = COMMAND_REPLAY,
    RESUME = COMMAND_RUN | COMMAND_RESUME, /* what changes nothing in a search that goes on */
    BEGIN = COMMAND_RUN | COMMAND_REPLAY | COMMAND_EXPLAIN,
    ALL = BEGIN | COMMAND_RESUME
};

static const struct option table[] = {
    {"-s", "--strategy", "NAME", RUN, parse_strategy,
     "how to search (auto); see bohr list strategies"},
    {"-b", "--bound", "N", RUN, parse_bound, "all bounds 0..N (until done); pct: the depth (3)"},
    {NULL, "--cache", NULL, RUN, parse_cache,
     "do not continue an execution whose past is equivalent to one seen before"},
    {NULL, "--reduction", "optimal|source|classic", RUN, parse_reduction,
     "for dpor: how it is done (optimal); best: classic (not at all)"},
    {NULL, "--symmetry", NULL, RUN, parse_symmetry,
     "dfs, preempt, dpor: threads that cannot be told apart begin in the order of their creation"},
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
    {NULL, "--fault", "OPERATION", RUN, parse_fault,
     "for tests of the tool: dpor and bpor take such operations for independent of all others"},
    {NULL, "--verify", "N", RUN, parse_verify, "compare all memory after every N-th reset"},
    {NULL, "--exit", "end|wait", RUN, parse_exit,
     "main returning ends the program, or waits for all threads (end)"},
    {NULL, "--expect-exit", "N", RUN, parse_expect_exit, "the exit status that is right"},
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
    {NULL, "--json", "FILE", ALL, parse_report, "results as JSON; - is standard output"},
    {NULL, "--html", "FILE", ALL, parse_report,
     "each finding step by step, as one page for a browser"},
    {NULL, "--sarif", "FILE", ALL, parse_report, "results as SARIF 2.1.0, for editors and CI"},
    {NULL, "--junit", "FILE", ALL, parse_report, "a test case for each finding, as JUnit XML"},
    {NULL, "--tap", "FILE", ALL, parse_report, "the same in the Test Anything Protocol"},
    {NULL, "--annotations", "FILE", ALL, parse_report,
     "the same for GitHub's workflows, where it is the default on standard output"},
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
    {NULL, "--color", NULL, ALL, parse_color, "colours even if the output is no terminal"},
    {NULL, "--no-progress", NULL, RESUME, parse_no_progress, "no progress line on the terminal"},
    {"-h", "--help", NULL, ALL, parse_help, "this list"},
};
enum { ROWS = sizeof table / sizeof table[0] };

/* The row that an argument names, with what is attached to it (--name=value, -nvalue). */
static const struct option *find(const char *argument, const char **attached)
{
    *attached = NULL;
    for (int i = 0; i < ROWS; i++) {
        const struct option *row = &table[i];
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
    if (row != NULL) /* of another command */
        return text_print("there is no such option (see --help): bohr %s has it",
                          (row->commands & COMMAND_RUN) != 0 ? "run" : "replay");
    size_t length = strcspn(argument, "=");
    for (int i = 0; length > 2 && i < ROWS; i++)
        if (table[i].commands & command)
            near_add(&near, table[i].name, strlen(table[i].name), argument, length);
    return text_print("there is no such option (see --help)%s", near_text(&near));
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
        if (!applies && row != NULL && command == COMMAND_RESUME && (row->commands & RUN) != 0)
            return problem_is(why,
                              text_print("%s was settled when the search was begun: leave it out, or "
                                         "begin anew without --resume",
                                         row->name),
                              NULL, 0);
        if (row == NULL || (!applies && !lenient))
            return problem_is(why, no_such_option(argv[i], row, command), argv[i], 0);
        if (value != NULL && row->argument == NULL)
            return problem_is(why, text_print("%s takes no value", row->name), NULL, 0);
        if (value == NULL && row->argument != NULL) {
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

/* The state of the program must be all in memory that is known. */
static bool settle_compared(struct settings *settings, struct problem *why)
{
    struct options *options = &settings->options;
    bool forks = options->isolate == ISOLATE_FORK || options->isolate == ISOLATE_EXEC;
    const char *with = options->carrier == CARRIER_KERNEL ? "--carrier kernel"
                       : forks                            ? "--isolate fork or exec"
                       : settings->same_output != NULL    ? "--same-output"
                       : settings->expect_output != NULL  ? "--expect-output"
                       : options->trust.names[0] != 0     ? "--trust"
                                                          : NULL;
    if (with != NULL)
        return problem_is(why,
                          text_print("strategy %s cannot compare states with %s: leave it out",
                                     options->strategy, with),
                          NULL, 0);
    options->plain_loops = 1;
    options->isolate = ISOLATE_RESET;
    return true;
}

bool options_settle(struct settings *settings, struct problem *why)
{
    struct options *options = &settings->options;
    const struct strategy *strategy = strategy_find(options->strategy);
    CHECK(strategy != NULL);
    if (strategy->disciplined && !detects(options->detect, DETECT_LOCKSET)) {
        options->detect |= 1u << DETECT_LOCKSET; /* its claim depends on it */
        options->lockset_warns = 1;
    }
    if (options->bound != NO_BOUND && strategy->bound_name == NULL)
        return problem_is(
            why, text_print("strategy %s has no bound: leave out --bound", options->strategy), NULL,
            0);
    if (options->bound != NO_BOUND && options->bound < strategy->bound_min)
        return problem_is(why,
                          text_print("strategy %s takes a --bound from %d", options->strategy,
                                     strategy->bound_min),
                          NULL, 0);
    if (options->cache && strategy->choose_unseen == NULL)
        return problem_is(
            why, text_print("strategy %s has no cache: leave out --cache", options->strategy), NULL,
            0);
    if (settings->remember != NULL && (!strategy->remembers || settings->workers > 1))
        return problem_is(why,
                          text_print("strategy %s remembers nothing%s: leave out --remember", options->strategy,
                                     strategy->remembers ? " with --jobs" : ""),
                          NULL, 0);
    if (options->symmetry && !strategy->symmetric)
        return problem_is(why,
                          text_print("strategy %s tells equal threads apart: leave out --symmetry, or "
                                     "take dfs, preempt or dpor",
                                     options->strategy),
                          NULL, 0);
    if (options->symmetry && (options->cache || options->carrier == CARRIER_KERNEL))
        return problem_is(why, "--symmetry works without --cache and --carrier kernel: leave it out",
                          NULL, 0);
    bool best = strcmp(options->strategy, "best") == 0;
    if (settings->reduction_given && best && options->reduction != REDUCTION_CLASSIC)
        return problem_is(why,
                          text_print("strategy %s reduces with --reduction classic, or not at all",
                                     options->strategy),
                          NULL, 0);
    if (settings->reduction_given && best && (options->bound != NO_BOUND || options->cache))
        return problem_is(why,
                          text_print("strategy %s reduces without a bound and a cache: leave out "
                                     "--reduction, or --bound and --cache",
                                     options->strategy),
                          NULL, 0);
    if (settings->reduction_given && strcmp(options->strategy, "dpor") != 0 && !best)
        return problem_is(why,
                          text_print("strategy %s reduces %s: leave out --reduction",
                                     options->strategy,
                                     strategy->reduces ? "in one way only" : "nothing"),
                          NULL, 0);
    if (settings->priority_given && !best)
        return problem_is(why,
                          text_print("strategy %s has no priorities: leave out --priority",
                                     options->strategy),
                          NULL, 0);
    if (settings->workers > 1 && options->cache)
        return problem_is(why, "--cache works with one worker: leave out --jobs", NULL, 0);
    if (settings->workers > 1 && (settings->fresh_count > 0 || settings->same_output != NULL ||
                                  settings->expect_output != NULL))
        return problem_is(why,
                          "workers would share the files of --fresh, --same-output and "
                          "--expect-output: leave out --jobs",
                          NULL, 0);
    if (settings->workers > 1 && strategy->split == NULL)
        return problem_is(
            why,
            text_print("strategy %s works with one worker: leave out --jobs", options->strategy),
            NULL, 0);
    if (settings->workers > 1 && options->reduction != REDUCTION_OPTIMAL)
        return problem_is(why,
                          "only --reduction optimal works with several workers: leave out --jobs",
                          NULL, 0);
    if (strategy->compares && !settle_compared(settings, why))
        return false;
    if (options->carrier == CARRIER_KERNEL) {
        if (options->isolate == ISOLATE_RESET)
            return problem_is(why,
                              "--carrier kernel works with --isolate fork or exec: kernel "
                              "threads cannot be reset",
                              NULL, 0);
        if (options->isolate == ISOLATE_AUTO)
            options->isolate = ISOLATE_FORK;
    }
    if (!settings->limited && strcmp(options->strategy, "auto") == 0)
        settings->time_limit = TIME_DEFAULT;
    return true;
}

void options_help(FILE *file, enum command_bit command)
{
    for (int i = 0; i < ROWS; i++) {
        const struct option *row = &table[i];
        if ((row->commands & command) == 0)
            continue;
        char names[64];
        snprintf(names, sizeof names, "%s%s%s%s%s", row->brief == NULL ? "" : row->brief,
                 row->brief == NULL ? "" : ", ", row->name, row->argument == NULL ? "" : " ",
                 row->argument == NULL ? "" : row->argument);
        fprintf(file, "  %-34s %s\n", names, row->help);
    }
}
