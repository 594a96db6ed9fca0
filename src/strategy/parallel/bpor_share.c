/* A search within a bound with several workers. Each worker has a subtree; the crown (crown.h)
 * keeps what lies above all roots. A thread that must run above the root is returned to the crown.
 *
 * A worker that is asked for work hands over the steps from its root down to the first step with
 * waiting threads, with all that is done and waiting there, and continues below.
 *
 * How a thread sleeps at a step shows once it has run there: from then on another one can be begun
 * there while the first is still being explored. */
#include <string.h>

#include "base/mix.h"
#include "strategy/alternative.h"
#include "strategy/parallel/crown.h"
#include "strategy/parallel/event_numbers.h"
#include "strategy/parallel/worker_report.h"
#include "strategy/reduction/bpor_state.h"

extern const struct strategy strategy_bpor;

void bpor_return(struct bpor *bpor, uint32_t step, const thread_set *enough,
                 const thread_set *added)
{
    uint64_t sum = mix(bpor->now.task, step);
    uint32_t count = 0;
    for (uint32_t i = 0; i < THREAD_WORDS; i++)
        sum = mix(mix(sum, enough->word[i]), added->word[i]);
    if (returns_have(bpor->journal, bpor->sent, sum))
        return;
    for (thread_id thread = 0; thread < THREADS_MAX; thread++) {
        uint16_t how = (thread_set_has(enough, thread) ? RETURN_ENOUGH : 0) |
                       (thread_set_has(added, thread) ? RETURN_ADDED : 0);
        if (how != 0)
            bpor->events[count++] = (struct event){.thread = thread, .choice = how};
    }
    returns_add(&bpor->now.nodes, &bpor->now.returns, step, bpor->events, count);
}

/* Notes that the thread that was handed out ran, and how it sleeps. */
void bpor_note_root(struct bpor *bpor, const struct trace *trace)
{
    uint32_t floor = bpor->now.floor;
    if (floor == 0 || bpor->now.knows_root)
        return;
    const struct step *root = &trace->steps[floor - 1];
    bpor->now.root = bpor_sleeping_event(bpor, trace, floor - 1);
    bpor->now.root_choices = root->choice == 0 ? root->op.choices : 1;
    bpor->now.root_check = schedule_check(floor < trace->count ? trace->steps[floor].fingerprint
                                                               : (uint32_t)trace->fingerprint);
    bpor->now.knows_root = true;
}

static bool put_root(void *search, struct numbers *letter)
{
    struct bpor *bpor = search;
    bool tells = bpor->now.knows_root && !bpor->now.told_root;
    numbers_put(letter, bpor->now.knows_root ? ROOT_KNOWN : ROOT_UNKNOWN);
    numbers_put(letter, tells);
    if (tells) {
        event_put(letter, &bpor->now.root);
        numbers_put(letter, bpor->now.root_check);
        numbers_put(letter, bpor->now.root_choices);
    }
    bpor->now.told_root |= tells;
    return tells;
}

/* The first step with waiting threads. UINT32_MAX: it is not above the next plan's first new step.
 */
static uint32_t step_to_give(const struct bpor *bpor, const struct trace *trace)
{
    if (bpor->now.ended)
        return UINT32_MAX;
    for (uint32_t step = bpor->now.floor; step < bpor->now.from; step++)
        if (!thread_set_is_empty(&bpor->at[step].waiting) ||
            next_choice(trace, step).thread != NO_THREAD)
            return step;
    return UINT32_MAX;
}

/* Puts the threads that were run at a step: first those that sleep. */
static void put_done(const struct bpor *bpor, struct numbers *letter, const struct sets *at)
{
    const struct wakeup_node *nodes = bpor->now.nodes.nodes;
    thread_set rest = at->done;
    uint32_t count = 0;
    for (uint32_t node = at->asleep; node != 0; node = nodes[node].next) {
        thread_set_remove(&rest, nodes[node].event.thread);
        bpor->events[count++] = nodes[node].event;
    }
    THREADS_EACH(thread, &rest)
    bpor->events[count++] = (struct event){.thread = thread, .footprint.all = true};
    events_put(letter, bpor->events, count);
}

static void put_waiting(const struct bpor *bpor, struct numbers *letter, const struct sets *at)
{
    uint32_t count = 0;
    THREADS_EACH(thread, &at->waiting)
    bpor->events[count++] = (struct event){.thread = thread};
    events_put(letter, bpor->events, count);
}

static void put_step(const struct bpor *bpor, const struct trace *trace, struct numbers *letter,
                     uint32_t step)
{
    const struct step *ran = &trace->steps[step];
    struct event event = bpor_sleeping_event(bpor, trace, step);
    numbers_put(letter, schedule_check(ran->fingerprint));
    put_done(bpor, letter, &bpor->at[step]);
    put_waiting(bpor, letter, &bpor->at[step]);
    numbers_put(letter, ran->alternatives > 1);
    event_put(letter, &event);
    numbers_put(letter, ran->choice);
    numbers_put(letter, ran->op.choices);
}

/* Marks the waiting threads of a step as done: they belong to the crown, and some worker runs
 * them. */
static void hand_over(struct bpor *bpor, uint32_t step)
{
    struct level *level = bpor->plans[bpor->now.plan].levels;
    struct sets *sets = &bpor->at[step];
    THREADS_EACH(thread, &sets->waiting)
    thread_set_add(&sets->done, thread);
    sets->waiting = (thread_set){{0}};
    for (uint32_t i = 0; i < bpor->now.level_count; i++)
        if (level[i].step == step)
            level[i].sets = *sets; /* the level belongs to a plan made in this transaction */
    bpor->now.floor = step + 1;
    bpor->now.knows_root = bpor->now.told_root = true;
    /* The share of what the worker keeps is not known yet. */
    bpor->now.estimate.shares[0].share = 0;
}

static bool give_steps(void *search, const struct trace *trace, struct numbers *letter)
{
    struct bpor *bpor = search;
    uint32_t last = step_to_give(bpor, trace);
    if (last == UINT32_MAX)
        return false;
    numbers_put(letter, last + 1 - bpor->now.floor);
    for (uint32_t step = bpor->now.floor; step <= last && !letter->wrong; step++)
        put_step(bpor, trace, letter, step);
    numbers_put(letter, true); /* the step below has run */
    if (letter->wrong)
        return false;
    hand_over(bpor, last);
    return true;
}

bool bpor_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct bpor *bpor = state;
    struct report report = {.search = bpor,
                            .trace = trace,
                            .facts = bpor->now.beyond ? CROWN_BEYOND : 0,
                            .put_root = put_root,
                            .give_steps = give_steps,
                            .nodes = &bpor->now.nodes,
                            .returns = &bpor->now.returns,
                            .ended = bpor->now.ended,
                            .told_end = &bpor->now.told_end,
                            .lost = &bpor->now.lost};
    journal_save(bpor->journal, &bpor->now, sizeof bpor->now);
    return report_put(&report, &strategy_bpor, out);
}

/* Threads that are done at a step. Those that do not sleep leave the list; their nodes are free
 * with the next task. */
static struct sets take_sets(struct bpor *bpor, struct numbers *letter)
{
    struct wakeup_node *nodes = bpor->now.nodes.nodes;
    struct sets sets = {.asleep = trees_take(letter, &bpor->now.nodes)};
    for (uint32_t *link = &sets.asleep; *link != 0;) {
        struct wakeup_node *node = &nodes[*link];
        thread_set_add(&sets.done, node->event.thread);
        if (node->event.footprint.all)
            *link = node->next;
        else
            link = &node->next;
    }
    return sets;
}

static void take_levels(struct bpor *bpor, struct numbers *letter, struct level *levels,
                        uint32_t end)
{
    uint64_t step = 0;
    bpor->now.level_count = 0;
    for (uint64_t count = numbers_take(letter, end); count > 0 && !letter->wrong; count--) {
        step += numbers_take(letter, end);
        letter->wrong |= step >= end;
        struct sets sets = take_sets(bpor, letter);
        if (!letter->wrong)
            levels[bpor->now.level_count++] = (struct level){(uint32_t)step++, sets};
    }
    letter->wrong |= numbers_take(letter, 0) != 0; /* what sleeps follows from the levels */
}

/* The thread that was handed out, a sequence of length 1. */
static struct decision take_sequence(struct numbers *letter, uint32_t step, uint32_t length)
{
    struct event event = {.thread = NO_THREAD};
    letter->wrong |= length > 1;
    if (numbers_take(letter, length) != 0)
        event = event_take(letter);
    letter->wrong |= length > 0 && (event.thread == NO_THREAD || numbers_take(letter, 0) != 0);
    return (struct decision){step, event.thread, event.choice};
}

/* Adds threads at a step: to the last level if it is that step's, else to a new level. */
static void add_waiting(struct bpor *bpor, struct level *levels, uint32_t step,
                        const thread_set *waiting)
{
    uint32_t count = bpor->now.level_count;
    if (thread_set_is_empty(waiting))
        return;
    if (count == 0 || levels[count - 1].step != step)
        levels[bpor->now.level_count++] = (struct level){.step = step};
    levels[bpor->now.level_count - 1].sets.waiting = *waiting;
}

static bool adopt(struct bpor *bpor, const struct subtree *subtree)
{
    uint32_t plan = 1 - bpor->now.plan, from = (uint32_t)subtree->first;
    struct decision *prefix = bpor->plans[plan].prefix;
    struct numbers letter = subtree->rest;
    wakeup_clear(&bpor->now.nodes);
    take_levels(bpor, &letter, bpor->plans[plan].levels, from + 1);
    struct decision next = take_sequence(&letter, from, subtree->floor - from);
    thread_set waiting = take_sets(bpor, &letter).done;
    if (!numbers_end(&letter))
        return false;
    if (next.thread == NO_THREAD && !thread_set_is_empty(&waiting)) {
        next.thread = thread_set_next(&waiting, 0);
        thread_set_remove(&waiting, next.thread);
    }
    add_waiting(bpor, bpor->plans[plan].levels, from, &waiting);
    bpor->now.prefix_count = subtree->prefix_count;
    memcpy(prefix, subtree->prefix, subtree->prefix_count * sizeof *prefix);
    if (next.thread != NO_THREAD)
        prefix[bpor->now.prefix_count++] = next;
    bpor->now.plan = plan;
    bpor->now.from = from;
    return true;
}

bool bpor_adopt(void *state, const struct subtree *subtree)
{
    struct bpor *bpor = state;
    if (!bpor->now.told_end || subtree->bound < 0 || subtree->first >= bpor->steps_max ||
        !task_fits(subtree, bpor->steps_max))
        return false;
    journal_save(bpor->journal, &bpor->now, sizeof bpor->now);
    bpor->held = HELD_NONE;
    if (!adopt(bpor, subtree))
        return false;
    if (bpor->now.bound != subtree->bound) {
        bpor->now.bound = subtree->bound;
        bpor->now.beyond = false;
        bpor->now.first = bpor->now.learned;
        bpor->now.estimate = (struct estimate){0};
    }
    bpor->now.estimate.shares[0].share = 0;
    bpor->now.adopted = true;
    bpor->now.asleep_count = bpor->now.cost = 0;
    bpor->now.check = subtree->check;
    bpor->now.floor = subtree->floor;
    bpor->now.knows_root = bpor->now.told_root = subtree->floor == subtree->first;
    bpor->now.returns = 0;
    bpor->now.task++;
    bpor->now.ended = bpor->now.told_end = false;
    return true;
}
