#include "runtime/coverage.h"

#include <stddef.h>

#include "base/os.h"

static void save_head(void)
{
    struct coverage *coverage = &the_board->coverage;
    journal_save(&the_board->journal, coverage, offsetof(struct coverage, points));
}

/* What each of several workers has seen says nothing about all of them. */
static bool is_countable(const struct tally *tally)
{
    return !the_board->sharing.shared && tally->classes != CLASSES_UNKNOWN && tally->classified > 0;
}

void coverage_note(void)
{
    const struct tally *tally = &the_board->tally;
    struct coverage *coverage = &the_board->coverage;
    uint64_t tenth = tally->classified / 10;
    if (!is_countable(tally) || coverage->count >= COVERAGE_POINTS_MAX)
        return;
    if (coverage->count > 0 &&
        coverage->points[coverage->count - 1].executions == tally->classified)
        return;
    save_head();
    coverage->points[coverage->count++] = (struct coverage_point){.executions = tally->classified,
                                                                  .classes = tally->classes,
                                                                  .nanoseconds = os_nanoseconds(),
                                                                  .bound = tally->bound};
    coverage->next = tally->classified + (tenth > 0 ? tenth : 1);
}

void coverage_forget(void)
{
    save_head();
    the_board->coverage.count = 0;
    the_board->coverage.next = 0;
}
