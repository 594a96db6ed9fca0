/* A reduced search with several workers. Each worker has a subtree; the crown (crown.h) keeps what
 * lies above all roots. An execution may show that steps above the root could have come in another
 * order: such sequences are returned to the crown.
 *
 * A worker that is asked for work hands over the steps from its root down to the first step with
 * waiting alternatives, with all that is done and waiting there, and continues below. */
#include <string.h>

#include "base/mix.h"
#include "strategy/parallel/crown.h"
#include "strategy/parallel/event_numbers.h"
#include "strategy/parallel/worker_report.h"
#include "strategy/reduction/dpor.h"

extern const struct strategy strategy_dpor;

static uint64_t fingerprint(const struct dpor *dpor, uint32_t step, uint32_t count)
{
    uint64_t sum = mix(dpor->now.task, step);
    for (uint32_t i = 0; i < count; i++) {
        const struct event *event = &dpor->events[i];
        sum = mix(sum, (uint64_t)event->thread << 32 | event->choice);
        for (uint32_t k = 0; k < event->footprint.count; k++)
            sum = mix(sum, (uint64_t)event->footprint.touches[k].object << 2 |
                               event->footprint.touches[k].access);
        sum = mix(sum, event->footprint.all);
    }
    return sum;
}

/* Returns a sequence, the first `count` of `events`, which must run from a step on that belongs to
 * the crown. */
void dpor_return(struct dpor *dpor, uint32_t step, uint32_t count)
{
    if (!returns_have(dpor->journal, dpor->sent, fingerprint(dpor, step, count)))
        returns_add(&dpor->now.wakeup, &dpor->now.returns, step, dpor->events, count);
}

static uint32_t check_before(const struct trace *trace, uint32_t step)
{
    bool ran = step < trace->count;
    return schedule_check(ran ? trace->steps[step].fingerprint : (uint32_t)trace->fingerprint);
}

/* Notes that the sequence that was handed out ran. Its last event may have been impossible. */
void dpor_note_root(struct dpor *dpor, const struct trace *trace)
{
    uint32_t floor = dpor->now.floor;
    if (floor == 0 || dpor->now.root != ROOT_UNKNOWN)
        return;
    dpor->now.root = trace->count < floor ? ROOT_VOID : ROOT_KNOWN;
    for (uint32_t step = dpor->now.root_first + 1; step <= floor && step <= trace->count; step++)
        dpor->checks[step] = check_before(trace, step);
}

static bool put_root(void *search, struct numbers *letter)
{
    struct dpor *dpor = search;
    uint32_t first = dpor->now.root_first, end = dpor->now.floor - (dpor->now.root == ROOT_VOID);
    bool tells = dpor->now.root != ROOT_UNKNOWN && !dpor->now.told_root;
    if (!tells)
        end = first;
    numbers_put(letter, dpor->now.root);
    numbers_put(letter, end - first);
    for (uint32_t step = first; step < end; step++) {
        event_put(letter, &dpor->taken[step]);
        numbers_put(letter, dpor->checks[step + 1]);
        numbers_put(letter, 0); /* other outcomes wait in the trees */
    }
    dpor->now.told_root |= tells;
    return tells;
}

/* The first level with waiting alternatives. NULL: it is not above the next plan's first new step.
 */
static struct level *level_to_give(const struct dpor *dpor, const struct trace *trace)
{
    if (dpor->now.ended)
        return NULL;
    struct level *levels = dpor->plans[dpor->now.plan].levels;
    for (uint32_t i = 0; i < dpor->now.level_count; i++) {
        if (levels[i].step < dpor->now.floor || levels[i].lists.waiting == 0)
            continue;
        return levels[i].step <= dpor->now.from ? &levels[i] : NULL;
    }
    return NULL;
}

static void put_step(struct dpor *dpor, const struct trace *trace, struct numbers *letter,
                     uint32_t step, struct lists lists)
{
    bool ran = step < trace->count;
    numbers_put(letter, check_before(trace, step));
    trees_put(letter, &dpor->now.wakeup, lists.done);
    trees_put(letter, &dpor->now.wakeup, lists.waiting);
    numbers_put(letter, !ran || trace->steps[step].alternatives > 1);
    const struct event *event = step < dpor->now.from ? &dpor->taken[step] : &dpor->now.head;
    event_put(letter, event);
    numbers_put(letter, event->choice);
    numbers_put(letter, 0); /* other outcomes wait in the trees */
}

static void put_steps(struct dpor *dpor, const struct trace *trace, struct numbers *letter,
                      uint32_t last)
{
    const struct level *levels = dpor->plans[dpor->now.plan].levels;
    uint32_t at = 0;
    numbers_put(letter, last + 1 - dpor->now.floor);
    for (uint32_t step = dpor->now.floor; step <= last && !letter->wrong; step++) {
        while (at < dpor->now.level_count && levels[at].step < step)
            at++;
        bool here = at < dpor->now.level_count && levels[at].step == step;
        put_step(dpor, trace, letter, step, here ? levels[at].lists : (struct lists){0});
    }
    numbers_put(letter,
                last < dpor->now.from); /* whether the step after `last` has been executed */
}

/* Hands over steps. The alternatives above stay known here as explored. */
static bool give_steps(void *search, const struct trace *trace, struct numbers *letter)
{
    struct dpor *dpor = search;
    struct level *level = level_to_give(dpor, trace);
    if (level != NULL)
        put_steps(dpor, trace, letter, level->step);
    if (level == NULL || letter->wrong)
        return false;
    wakeup_free_trees(&dpor->now.wakeup, level->lists.waiting);
    level->lists.waiting = 0; /* the level belongs to a plan made in this transaction */
    dpor->at[level->step].waiting = 0;
    dpor->now.root_first = level->step;
    dpor->now.floor = level->step + 1;
    /* The share of what the worker keeps is not known yet. */
    dpor->now.estimate.shares[0].share = 0;
    dpor->now.told_root = level->step < dpor->now.from;
    dpor->now.root = dpor->now.told_root ? ROOT_KNOWN : ROOT_UNKNOWN;
    return true;
}

bool dpor_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct dpor *dpor = state;
    struct report report = {.search = dpor,
                            .trace = trace,
                            .facts = dpor->now.chooses ? CROWN_CHOOSES : 0,
                            .put_root = put_root,
                            .give_steps = give_steps,
                            .nodes = &dpor->now.wakeup,
                            .returns = &dpor->now.returns,
                            .ended = dpor->now.ended,
                            .told_end = &dpor->now.told_end,
                            .lost = &dpor->now.overflow};
    journal_save(dpor->journal, &dpor->now, sizeof dpor->now);
    return report_put(&report, &strategy_dpor, out);
}

static void take_levels(struct dpor *dpor, struct numbers *letter, uint32_t plan, uint32_t end)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    uint64_t step = 0;
    for (uint64_t count = numbers_take(letter, end); count > 0 && !letter->wrong; count--) {
        step += numbers_take(letter, end);
        letter->wrong |= step >= end;
        uint32_t done = trees_take(letter, wakeup);
        if (!letter->wrong)
            dpor_keep_level(dpor, plan, (uint32_t)step++, (struct lists){done, 0});
    }
    dpor->now.asleep_count = (uint32_t)numbers_take(letter, SLEEPERS_MAX);
    for (uint32_t i = 0; i < dpor->now.asleep_count && !letter->wrong; i++)
        dpor->plans[plan].asleep[i] = event_take(letter);
}

static uint32_t take_sequence(struct dpor *dpor, struct numbers *letter, uint64_t count)
{
    uint64_t taken = 0;
    while (numbers_take(letter, 1) != 0 && taken < count)
        dpor->events[taken++] = event_take(letter);
    letter->wrong |= taken != count;
    return letter->wrong ? 0 : wakeup_chain(&dpor->now.wakeup, dpor->events, (uint32_t)count);
}

/* Adds trees at a step: to the last level if it is that step's, else to a new level. */
static void add_waiting(struct dpor *dpor, uint32_t plan, uint32_t step, uint32_t waiting)
{
    struct lists lists = {.waiting = waiting};
    uint32_t last = dpor->now.level_count - 1;
    if (dpor->now.level_count > 0 && dpor->plans[plan].levels[last].step == step) {
        lists.done = dpor->plans[plan].levels[last].lists.done;
        dpor->now.level_count = last;
    }
    dpor_keep_level(dpor, plan, step, lists);
}

static bool adopt(struct dpor *dpor, const struct subtree *subtree)
{
    uint32_t from = (uint32_t)subtree->first, plan = 1 - dpor->now.plan;
    struct numbers letter = subtree->rest;
    wakeup_clear(&dpor->now.wakeup);
    dpor->now.level_count = dpor->now.planned = 0;
    dpor->now.goal = (struct decision){.thread = NO_THREAD};
    dpor->now.prefix_count = subtree->prefix_count;
    memcpy(dpor->plans[plan].prefix, subtree->prefix,
           subtree->prefix_count * sizeof *subtree->prefix);
    take_levels(dpor, &letter, plan, from + 1);
    uint32_t next = take_sequence(dpor, &letter, subtree->floor - from);
    uint32_t trees = trees_take(&letter, &dpor->now.wakeup);
    if (!numbers_end(&letter) || (next != 0 && trees != 0))
        return false;
    if (trees != 0)
        add_waiting(dpor, plan, from, dpor->now.wakeup.nodes[trees].next);
    next = next != 0 ? next : trees;
    if (next != 0)
        dpor_follow(dpor, plan, from, next, subtree->prefix_count);
    dpor->now.plan = plan;
    dpor->now.from = dpor->now.root_first = from;
    dpor->now.root = trees != 0 ? ROOT_KNOWN : ROOT_UNKNOWN;
    dpor->now.told_root = trees != 0;
    return true;
}

bool dpor_adopt(void *state, const struct subtree *subtree)
{
    struct dpor *dpor = state;
    if (!dpor->now.told_end || !task_fits(subtree, dpor->steps_max))
        return false;
    journal_save(dpor->journal, &dpor->now, sizeof dpor->now);
    dpor->held = HELD_NONE;
    if (!adopt(dpor, subtree))
        return false;
    dpor->now.check = subtree->check;
    dpor->now.floor = subtree->floor;
    dpor->now.returns = 0;
    dpor->now.estimate.shares[0].share = 0;
    dpor->now.task++;
    dpor->now.ended = dpor->now.told_end = false;
    return true;
}
