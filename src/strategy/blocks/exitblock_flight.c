/* The execution in flight: which threads are delayed, where blocks end, and choose(). */
#include "strategy/blocks/exitblock.h"

uint32_t exitblock_delayed_end(const struct exitblock *search, uint32_t node)
{
    return node + 1 < search->now.node_count ? search->nodes[node + 1].delayed
                                             : search->now.delayed_count;
}

static void fall_asleep(struct exitblock *search, uint32_t node, thread_id except)
{
    for (uint32_t i = search->nodes[node].delayed; i < exitblock_delayed_end(search, node); i++)
        if (search->delayed[i].thread != except)
            search->asleep[search->asleep_count++] = i;
}

static bool wakes(const struct exitblock *search, const struct delayed *delayed, thread_id ran)
{
    const struct block_print *print = search->print;
    return delayed->all || print->all || delayed->thread == ran || delayed->joins == ran ||
           block_touches_conflict(&search->touches[delayed->first], delayed->count, print->touches,
                                  print->count);
}

static void wake(struct exitblock *search, struct block_steps at, uint32_t begin, uint32_t end)
{
    thread_set awake = {0};
    uint32_t kept = 0;
    if (search->asleep_count == 0)
        return;
    block_print(search->print, at, begin, end, search->now.guards);
    for (uint32_t i = 0; i < search->asleep_count; i++) {
        const struct delayed *delayed = &search->delayed[search->asleep[i]];
        if (wakes(search, delayed, at.steps[begin].thread))
            thread_set_add(&awake, delayed->thread);
    }
    /* A thread sleeps with all that its outcomes touch, or not at all. */
    for (uint32_t i = 0; i < search->asleep_count; i++)
        if (!thread_set_has(&awake, search->delayed[search->asleep[i]].thread))
            search->asleep[kept++] = search->asleep[i];
    search->asleep_count = kept;
}

static thread_set all_asleep(const struct exitblock *search, bool stuck_only)
{
    thread_set set = {0};
    for (uint32_t i = 0; i < search->asleep_count; i++)
        if (!stuck_only || search->delayed[search->asleep[i]].stuck)
            thread_set_add(&set, search->delayed[search->asleep[i]].thread);
    return set;
}

void exitblock_fall_asleep(struct exitblock *search, struct block_steps at, uint32_t last)
{
    search->asleep_count = 0;
    for (uint32_t node = 0; node <= last; node++) {
        uint32_t step = search->nodes[node].step;
        search->carried[node] = all_asleep(search, false);
        fall_asleep(search, node, at.steps[step].thread);
        if (node < last)
            wake(search, at, step, search->nodes[node + 1].step);
    }
}

static void close_block(struct exitblock *search, struct block_steps at, uint32_t end)
{
    wake(search, at, search->flight.start, end);
    search->flight.open = false;
}

static void look_at_steps(struct exitblock *search, struct block_steps at, uint32_t end)
{
    for (; search->flight.looked < end; search->flight.looked++) {
        uint32_t number = search->flight.looked;
        const struct step *step = &at.steps[number];
        if (search->flight.open && step->thread != search->flight.thread)
            close_block(search, at, number); /* the thread has ended */
        if (!search->flight.open) {
            search->flight.open = true;
            search->flight.start = number;
            search->flight.thread = step->thread;
        }
        if (step_ends_block(step, search->now.fine))
            close_block(search, at, number + 1);
    }
}

static void begin_flight(struct exitblock *search, struct block_steps at)
{
    uint32_t count = search->now.node_count;
    search->asleep_count = 0;
    if (count > 0)
        exitblock_fall_asleep(search, at, count - 1);
    search->flight.looked = count > 0 ? search->nodes[count - 1].step : 0;
    search->flight.open = search->flight.doomed = false;
}

/* Whether none of these threads can come to the end of a block. */
static bool are_stuck(const struct exitblock *search, thread_set threads)
{
    thread_set stuck = all_asleep(search, true), others = without(threads, &stuck);
    return thread_set_is_empty(&others);
}

struct decision exitblock_choose(struct pilot *pilot, const struct choice_point *at)
{
    struct exitblock *search = (struct exitblock *)pilot->state;
    struct decision none = {.step = at->step, .thread = NO_THREAD};
    struct block_steps steps = {at->steps, at->touches};
    bool first = pilot->position == 0;
    pilot_looked(pilot, at);
    if (exitblock_is_trying(search))
        return exitblock_try(search, at);
    if (first)
        begin_flight(search, steps);
    if (search->flight.doomed)
        return decision_nth(at, 0);
    look_at_steps(search, steps, at->step);
    thread_id thread = search->flight.thread;
    if (search->flight.open && thread_set_has(at->live, thread)) {
        if (thread_set_has(&at->enabled, thread))
            return (struct decision){at->step, thread, 0};
        thread_set others = at->steps[search->flight.start].enabled;
        thread_set_remove(&others, thread);
        search->flight.doomed = are_stuck(search, others);
        return search->flight.doomed ? decision_nth(at, 0) : none;
    }
    if (search->flight.open)
        close_block(search, steps, at->step);
    thread_set asleep = all_asleep(search, false), able = without(at->enabled, &asleep);
    thread_id next = thread_set_next_around(&able, at->last);
    if (next != NO_THREAD)
        return (struct decision){at->step, next, 0};
    search->flight.doomed = are_stuck(search, at->enabled);
    return search->flight.doomed ? decision_nth(at, 0) : none;
}
