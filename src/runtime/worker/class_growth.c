#include "runtime/worker/class_growth.h"

#include <stddef.h>

#include "base/os.h"

static void save_head(void)
{
    struct coverage *coverage = &the_board->coverage;
    journal_save(&the_board->journal, coverage, offsetof(struct coverage, points));
}

static bool is_countable(const struct tally *tally)
{
    return tally->classes != CLASSES_UNKNOWN && tally->classified > 0;
}

static struct coverage_point point_now(bool resting)
{
    const struct tally *tally = &the_board->tally;
    return (struct coverage_point){.executions = tally->classified,
                                   .classes = tally->classes,
                                   .waiting = tally->pending,
                                   .waiting_bytes = tally->kept_bytes,
                                   .nanoseconds = os_nanoseconds(),
                                   .transaction = the_board->journal.begun,
                                   .bound = tally->bound,
                                   .resting = resting};
}

static struct coverage_point *last_point(struct coverage *coverage)
{
    return coverage->count > 0 ? &coverage->points[coverage->count - 1] : NULL;
}

void coverage_note(void)
{
    const struct tally *tally = &the_board->tally;
    struct coverage *coverage = &the_board->coverage;
    const struct coverage_point *last = last_point(coverage);
    if (!is_countable(tally) || coverage->count >= COVERAGE_POINTS_MAX ||
        (last != NULL && last->executions == tally->classified))
        return;
    save_head();
    coverage->points[coverage->count++] = point_now(false);
    coverage->next = tally->classified + coverage_stride(tally->classified);
}

void coverage_rest(void)
{
    const struct tally *tally = &the_board->tally;
    struct coverage *coverage = &the_board->coverage;
    struct coverage_point *last = last_point(coverage);
    if (!is_countable(tally) || (last != NULL && last->executions == tally->classified))
        return;
    bool again = last != NULL && last->resting && last->bound == tally->bound;
    if (!again && coverage->count >= COVERAGE_POINTS_MAX)
        return;
    save_head();
    if (again)
        journal_save(&the_board->journal, last, sizeof *last);
    else
        last = &coverage->points[coverage->count++];
    *last = point_now(true);
}

void coverage_forget(void)
{
    save_head();
    the_board->coverage.count = 0;
    the_board->coverage.next = 0;
}
