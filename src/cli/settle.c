/* Combinations of options: defaults that depend on other options, and combinations that are
 * refused. */
#include <string.h>

#include "base/assert.h"
#include "cli/settings.h"
#include "coordinator/text.h"
#include "detector/detector.h"
#include "strategy/strategy.h"

enum { TIME_DEFAULT = 60 };

/* Always false, so that it can be returned. */
static bool refuse(const char *text, struct problem *why)
{
    return problem_is(why, text, NULL, 0);
}

/* Refuses an option that the strategy cannot take. `text` says what the strategy does or lacks, and
 * which option to leave out. */
static bool strategy_refuses(const struct settings *settings, const char *text, struct problem *why)
{
    return refuse(text_print("strategy %s %s", settings->options.strategy, text), why);
}

/* To compare states, the whole state of the program must lie in memory that Bohr knows. */
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
        return strategy_refuses(
            settings, text_print("cannot compare states with %s: leave it out", with), why);
    options->plain_loops = 1;
    options->isolate = ISOLATE_RESET;
    return true;
}

static bool settle_bound(const struct settings *settings, const struct strategy *strategy,
                         struct problem *why)
{
    if (settings->options.bound == NO_BOUND)
        return true;
    if (strategy->traits.bound_name == NULL)
        return strategy_refuses(settings, "has no bound: leave out --bound", why);
    if (settings->options.bound < strategy->traits.bound_min)
        return strategy_refuses(
            settings, text_print("takes a --bound from %d", strategy->traits.bound_min), why);
    return true;
}

static bool settle_symmetry(const struct settings *settings, const struct strategy *strategy,
                            struct problem *why)
{
    const struct options *options = &settings->options;
    if (!options->symmetry)
        return true;
    if (!strategy->traits.symmetric)
        return strategy_refuses(
            settings,
            "tells equal threads apart: leave out --symmetry, or take dfs, preempt, dpor or best",
            why);
    if (options->cache || options->carrier == CARRIER_KERNEL)
        return refuse("--symmetry works without --cache and --carrier kernel: leave it out", why);
    return true;
}

static bool settle_reduction(const struct settings *settings, const struct strategy *strategy,
                             struct problem *why)
{
    const struct options *options = &settings->options;
    bool best = strcmp(options->strategy, "best") == 0;
    if (settings->priority_given && !best)
        return strategy_refuses(settings, "has no priorities: leave out --priority", why);
    if (!settings->reduction_given || strcmp(options->strategy, "dpor") == 0)
        return true;
    if (!best)
        return strategy_refuses(
            settings,
            text_print("reduces %s: leave out --reduction",
                       strategy->traits.reduces ? "in one way only" : "nothing"),
            why);
    if (options->reduction != REDUCTION_CLASSIC)
        return strategy_refuses(settings, "reduces with --reduction classic, or not at all", why);
    if (options->bound != NO_BOUND || options->cache)
        return strategy_refuses(settings,
                                "reduces without a bound and a cache: leave out --reduction, or "
                                "--bound and --cache",
                                why);
    return true;
}

static bool settle_workers(const struct settings *settings, const struct strategy *strategy,
                           struct problem *why)
{
    if (settings->workers == 1)
        return true;
    if (settings->options.cache)
        return refuse("--cache works with one worker: leave out --jobs", why);
    if (settings->fresh_count > 0 || settings->same_output != NULL ||
        settings->expect_output != NULL)
        return refuse("workers would share the files of --fresh, --same-output and "
                      "--expect-output: leave out --jobs",
                      why);
    if (strategy->sharing.split == NULL)
        return strategy_refuses(settings, "works with one worker: leave out --jobs", why);
    if (settings->options.reduction != REDUCTION_OPTIMAL)
        return refuse("only --reduction optimal works with several workers: leave out --jobs", why);
    return true;
}

static bool settle_carrier(struct options *options, struct problem *why)
{
    if (options->carrier != CARRIER_KERNEL)
        return true;
    if (options->isolate == ISOLATE_RESET)
        return refuse("--carrier kernel works with --isolate fork or exec: kernel threads cannot "
                      "be reset",
                      why);
    if (options->isolate == ISOLATE_AUTO)
        options->isolate = ISOLATE_FORK;
    return true;
}

bool options_settle(struct settings *settings, struct problem *why)
{
    struct options *options = &settings->options;
    const struct strategy *strategy = strategy_find(options->strategy);
    CHECK(strategy != NULL);
    if (strategy->traits.disciplined && !detects(options->detect, DETECT_LOCKSET)) {
        options->detect |= 1u << DETECT_LOCKSET; /* the strategy's claim depends on it */
        options->lockset_warns = 1;
    }
    if (options->cache && strategy->choose_unseen == NULL)
        return strategy_refuses(settings, "has no cache: leave out --cache", why);
    if (settings->remember != NULL && (!strategy->traits.remembers || settings->workers > 1))
        return strategy_refuses(settings,
                                text_print("remembers nothing%s: leave out --remember",
                                           strategy->traits.remembers ? " with --jobs" : ""),
                                why);
    if (!settle_bound(settings, strategy, why) || !settle_symmetry(settings, strategy, why) ||
        !settle_reduction(settings, strategy, why) || !settle_workers(settings, strategy, why) ||
        (strategy->traits.compares && !settle_compared(settings, why)) ||
        !settle_carrier(options, why))
        return false;
    if (!settings->limited && strcmp(options->strategy, "auto") == 0)
        settings->time_limit = TIME_DEFAULT;
    return true;
}
