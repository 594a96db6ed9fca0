/* Loops that look at the clock: those that come back but for times, and those that keep a schedule
 * (shift.h). */
#include "runtime/memory/exact.h"
#include "runtime/memory/round.h"
#include "runtime/memory/shift.h"
#include "runtime/memory/wander.h"
#include "runtime/memory/watch_parts.h"
#include "runtime/model/clock.h"
#include "runtime/model/file.h"
#include "runtime/scheduler.h"
#include "runtime/stuck.h"

enum { DIGESTS_LAST = 64, LATE_TURNS = 2, EXACT_MOVES = 16 };

void timed_begin_last(struct watch *watch)
{
    watch->timed.begun = true;
    watch->timed.phase = ON_SCHEDULE;
    watch->timed.times.known = execution_take(sizeof *watch->timed.times.known);
    watch->timed.times.known->stage = FIND_FIXED;
    watch->steps_max = rt.trace.capacity;
    watch->digests_max = DIGESTS_LAST;
}

void watch_look(void)
{
    if (likely(!watch_is_on()))
        return;
    struct watch *watch = ex.watch;
    if (wanders() || !shift_has_room()) {
        watch->outside++;
    } else if (!watch->timed.begun) {
        watch->timed.begun = true;
        watch->visits = 0;
    }
}

/* By whole seconds: the first look in each step, what follows from one to the next takes no longer
 * than it did. */
uint64_t watch_sees(uint64_t time)
{
    struct timed *timed = &ex.watch->timed;
    if (likely(!watch_is_on()) || !timed->begun || wanders())
        return time;
    if (timed->phase == LATE && timed->late.delay != 0) {
        time += timed->late.delay;
        timed->late.delay = 0;
    }
    bool by_seconds = timed->phase == BY_SECONDS || timed->phase == CLOCK_MOVES;
    if (!by_seconds || timed->round == rt.trace.count)
        return time;
    timed->round = rt.trace.count;
    return (time + CLOCK_SECOND - 1) / CLOCK_SECOND * CLOCK_SECOND;
}

/* Where several can go on they take their steps in the same order in each round, so that it comes
 * back. */
static void lead(struct timed *timed, uint32_t from)
{
    if (timed->led == 0 && round_is_forced(from))
        return;
    if (timed->led == 0)
        timed->led = rt.trace.count - from;
    timed->until = rt.trace.count + 2 * timed->led;
    ex.due = 0;
    step_is_unreduced(UNREDUCED_ENDLESS);
}

thread_id watch_lead(const thread_set *able)
{
    struct timed *timed = &ex.watch->timed;
    if (timed->led == 0)
        return NO_THREAD;
    thread_id led = rt.trace.steps[rt.trace.count - timed->led].thread;
    if (rt.trace.count < timed->until && thread_set_has(able, led) && ex.pending[led].choices <= 1)
        return led;
    watch_end();
    timed->led = 0;
    return NO_THREAD;
}

/* Who looks for the same finding once more need not find out again whether it is one. */
static bool is_known(void)
{
    return rt.options->replay_end == REPLAY_IN_LIVELOCK || rt.options->target != 0;
}

/* What the registers of those hold that wait in a call is out of reach. */
static bool can_leap(const struct watch *watch)
{
    const struct digest_list *moving = &watch->timed.times.known->moving;
    for (uint32_t i = 0; i < moving->count; i++)
        THREADS_EACH(thread, &ex.live)
    if (thread != ex.current && (uintptr_t)moving->all[i].at - (uintptr_t)&watch->locals[thread] <
                                    sizeof watch->locals[thread])
        return false;
    return moving->count < DIGEST_KNOWN && !ex.protects; /* or it might not be let write there */
}

/* Parts of seconds begin anew after each of them. What only looks like one, and counts, would not:
 * so each of them is carried to its end once. */
static uint64_t part_leap(struct watch *watch)
{
    struct timed *timed = &watch->timed;
    const struct digest_list *moving = &timed->times.known->moving;
    while (timed->parts < moving->count && !moving->all[timed->parts].part)
        timed->parts++;
    if (timed->parts == moving->count)
        return 0;
    uint64_t part = *moving->all[timed->parts++].at;
    return part < CLOCK_SECOND - 1 ? CLOCK_SECOND - 1 - part : CLOCK_SECOND;
}

/* All of them tell parts of seconds, too. */
static bool moving_is_fine(const struct watch *watch)
{
    const struct digest_list *moving = &watch->timed.times.known->moving;
    for (uint32_t i = 0; i < moving->count; i++)
        if (!moving->all[i].part && !moving->all[i].parted &&
            (moving->all[i].unit - 1) % UNITS == UNIT_SECONDS)
            return false;
    return true;
}

/* Whole seconds of a clock that counts nanoseconds are alike in the bits that flags tell of
 * (exact.h). */
static uint64_t seconds_leap(struct watch *watch)
{
    uint64_t leap = shift_leap(watch->timed.moves++);
    if (leap == 0 || !moving_is_fine(watch))
        return leap;
    uint64_t more = 64 * (watch->timed.moves % 4);
    clock_reach(clock_after(more));
    return leap + more;
}

/* The clock and all that moves with it, as if that many turns had gone by. */
void timed_leap(struct watch *watch)
{
    struct timed *timed = &watch->timed;
    uint64_t before = ex.time;
    timed->leap_is_due = false;
    shift_see_times(&timed->times, false);
    timed->times.leap = part_leap(watch);
    if (timed->times.leap != 0)
        clock_reach(before + timed->times.leap);
    else
        timed->times.leap = seconds_leap(watch);
    if (timed->times.leap == 0) {
        timed->leaps_are_over = true;
        return;
    }
    if (!timed->leapt) {
        watch->findings = the_board->flight.finding_count;
        watch->sites = the_board->flight.site_count;
        watch->steps_before = rt.trace.count;
    }
    timed->leapt = true;
    THREADS_EACH(thread, &ex.live)
    if (ex.threads[thread].deadline > before && ex.threads[thread].deadline != FILE_NEVER)
        ex.threads[thread].deadline += timed->times.leap;
    digest_see_times(&timed->times);
    watch_memory_as_it_is(watch);
    digest_see_times(NULL);
    timed->times.leap = 0;
    rt.attention = ex.attention |= ATTENTION_LEAP;
}

const struct local *watch_leapt(void)
{
    rt.attention = ex.attention &= (uint8_t)~ATTENTION_LEAP;
    return &ex.watch->locals[ex.current];
}

uint32_t watch_drops_end(void)
{
    if (likely(!watch_is_on()) || !ex.watch->timed.leapt)
        return 0;
    the_board->flight.finding_count = ex.watch->findings;
    the_board->flight.site_count = ex.watch->sites;
    return ex.watch->steps_before;
}

/* The turn that begins is looked at (exact.h), unless a debugger does. */
static void ask(const struct timed *timed)
{
    if (timed->moves <= EXACT_MOVES && !is_known() && !rt.options->debugged)
        exact_begin();
}

/* A turn that began where it was carried to has ended as the others did. */
static void came_round_leaping(struct watch *watch, uint32_t from)
{
    struct timed *timed = &watch->timed;
    watch_be_due(rt.trace.count + 4 * (rt.trace.count - from) + STEPS_FIRST);
    watch->pages_left = (uint64_t)PAGES_PER_STEP * rt.trace.count;
    if (timed->leaps_are_over && !timed->asks_for_moment && watch_may_be_over()) {
        timed->leapt = false;
        thread_goes_round(rt.trace.count - from);
    }
    timed->leap_is_due = can_leap(watch);
    if (timed->asks_for_moment || (!timed->leap_is_due && !timed->leapt))
        watch_end();
    else
        ask(timed);
}

/* The turn that was looked at was gone as the one before, at another time. */
void timed_look_at_asked(struct timed *timed)
{
    uint64_t asked = exact_end();
    timed->asks_for_moment |= asked == 0 || (timed->asked != 0 && asked != timed->asked);
    timed->asked = asked;
}

/* At the anchor: what has been written in this time round is as near to now as it was in the last
 * one. */
void timed_came_round(struct watch *watch)
{
    struct timed *timed = &watch->timed;
    struct visit before = timed->last;
    if (watch_memory(watch) != before.memory)
        return;
    timed->last = visit_now(watch);
    timed->last.memory = before.memory;
    if (!visit_leaves_nobody_out(before.end) || !visit_goes_on_alike(watch, &before)) {
        timed->streak = 0;
        if (timed->phase == CLOCK_MOVES || timed->phase == LEAPS)
            watch_end();
        return;
    }
    timed->streak++;
    if (timed->phase == LEAPS)
        came_round_leaping(watch, before.end);
    if (timed->phase != CLOCK_MOVES)
        return;
    watch_be_due(rt.trace.count + watch->steps_max);
    watch->pages_left = (uint64_t)PAGES_PER_STEP * rt.trace.count;
    bool over = !shift_clock(timed->moves++) && (watch_may_be_over() || !is_known());
    if (over && !timed->asks_for_moment && watch_may_be_over())
        thread_goes_round(rt.trace.count - before.end);
    if (over) {
        watch_end(); /* it may come to the moment that it waits for */
        return;
    }
    lead(timed, before.end);
    ask(timed);
}

/* The clock is moved on when a number of steps is over, not as soon as the loop was seen: what is
 * left on a stack, and so when it is seen, may differ between carriers. */
bool watch_goes_on(void)
{
    struct watch *watch = ex.watch;
    struct timed *timed = &watch->timed;
    if (!timed->begun || wanders() || timed->phase >= CLOCK_MOVES || timed->streak <= SURE)
        return false;
    if (timed->phase == TIMES_ALIKE && watch->keeps_schedule)
        return false;
    timed->phase++;
    timed->streak = 0;
    watch->visits = watch->digests = 0;
    watch->pages_left = (uint64_t)PAGES_PER_STEP * rt.trace.count;
    watch_be_due(rt.trace.count + watch->steps_max);
    if (timed->phase == BY_SECONDS)
        shift_away();
    return true;
}

/* A turn that was late is late for ever, unless there is a schedule to make up for. */
static void look_for_lateness(struct watch *watch, uint64_t state, const struct visit *before)
{
    struct lateness *late = &watch->timed.late;
    uint64_t passed = ex.time - before->time;
    if (!round_is_forced(before->end))
        return; /* others may make up for it */
    if (late->state == 0)
        *late = (struct lateness){.state = state,
                                  .memory = before->memory,
                                  .usual = passed,
                                  .delay = passed / 2,
                                  .begun = ex.time};
    if (late->state != state || late->memory != before->memory || late->delay != 0 ||
        late->usual < 2 || late->turns++ != LATE_TURNS)
        return;
    watch->keeps_schedule = (ex.time - late->begun) % late->usual == 0;
    if (watch->keeps_schedule)
        watch_end();
}

void timed_suspect(struct watch *watch, uint64_t state, const struct visit *before)
{
    struct timed *timed = &watch->timed;
    if (!visit_leaves_nobody_out(before->end) || !visit_goes_on_alike(watch, before))
        return;
    timed->streak++;
    if (timed->phase == LATE)
        look_for_lateness(watch, state, before);
    bool sure = timed->phase == ON_SCHEDULE && timed->streak > SURE;
    if (timed->phase != BY_SECONDS && !sure)
        return;
    timed->anchor = state;
    timed->anchor_site = ex.me->place_site;
    timed->anchor_thread = ex.current;
    timed->last = visit_now(watch);
    timed->last.memory = before->memory;
    if (sure) {
        timed->phase = LEAPS;
        timed->times.known->stage = FIND_MOVING;
        timed->last.memory = watch_memory(watch);
    }
}
