#define _GNU_SOURCE
#include <ucontext.h>

#include "base/mix.h"
#include "runtime/engine/able.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/scheduler.h"

enum { RED_ZONE = 128, DIRECTION_FLAG = 1 << 10, TRIES = 5 };

struct busy {
    uint32_t steps;   /* accesses that became steps, as there were so many of them */
    bool left;        /* a thread was left: */
    thread_id thread; /* the first that was left */
    bool hangs;       /* it used up the limit of --hang; else the search was over */
    bool reported;
    uintptr_t site, pc;
    struct frames frames;
};

/* Equal histories lead to equal futures: what this thread has seen, in which order. The last bits
 * of a history on the board say what came of it. */
enum known {
    KNOWN_LATE,  /* the search was over */
    KNOWN_HANGS, /* the limit of --hang was used up */
    KNOWN_LONG,  /* there were very many accesses */
    KNOWN_BITS,
};

static uint64_t history(void)
{
    return mix(ex.me->chain[0], ex.me->name) & ~(uint64_t)KNOWN_BITS;
}

static bool is_known(enum known as)
{
    const struct control *control = &the_board->control;
    for (uint32_t i = 0; i < control->busy_count && i < BUSY_MAX; i++)
        if (control->busy[i] == (history() | as))
            return true;
    return false;
}

static void remember(enum known as)
{
    struct control *control = &the_board->control;
    if (!is_known(as) && control->busy_count < BUSY_MAX)
        control->busy[control->busy_count++] = history() | as;
}

bool busy_takes_long(void)
{
    return is_known(KNOWN_LONG);
}

void busy_gives_way(void)
{
    the_board->flight.left = 1;
    remember(KNOWN_LONG);
}

static bool hangs(void)
{
    return the_board->control.urge == URGE_HANG || is_known(KNOWN_HANGS);
}

bool busy_believed(void)
{
    return the_board->control.urge != URGE_LOOK || is_known(KNOWN_HANGS) || is_known(KNOWN_LATE);
}

bool busy_others_can_run(void)
{
    THREADS_EACH(thread, &ex.live)
    if (thread != ex.current && able_can_run(thread))
        return true;
    return ex.me->state == THREAD_STARTING;
}

bool busy_can_stop(uintptr_t pc)
{
    /* Inside of the runtime nothing can be left half done. The next signal finds the thread
     * elsewhere, as a rule. */
    rt.progress.busy_tries++;
    return !module_is_ours(pc) && !rt.worker.aftermath.on && ex.me->atomic_depth == 0;
}

bool busy_may_wait(void)
{
    return rt.progress.busy_tries < TRIES && !rt.worker.aftermath.on && ex.me->atomic_depth == 0 &&
           busy_others_can_run();
}

static struct busy *busy(void)
{
    if (ex.progress.busy == NULL) {
        ex.progress.busy = execution_take(sizeof *ex.progress.busy);
        *ex.progress.busy = (struct busy){.thread = NO_THREAD};
    }
    return ex.progress.busy;
}

uint32_t busy_counts_step(void)
{
    return ++busy()->steps;
}

bool busy_is_left(void)
{
    return ex.progress.busy != NULL && ex.progress.busy->left;
}

static bool is_first(struct busy left)
{
    if (busy_is_left())
        return false;
    left.steps = busy()->steps;
    left.left = true;
    *ex.progress.busy = left;
    return true;
}

static _Noreturn void leave_here(void)
{
    thread_leave();
}

_Noreturn void busy_leave(uintptr_t site)
{
    struct busy left = {.thread = ex.current, .hangs = true, .site = site, .pc = site};
    if (is_first(left) && rt.options->detail)
        frames_here(&ex.progress.busy->frames);
    remember(KNOWN_HANGS);
    thread_leave();
}

void busy_stop(void *context, uintptr_t site, uintptr_t caller)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    struct busy left = {.thread = ex.current, .hangs = hangs(), .site = site, .pc = pc};
    if (is_first(left) && rt.options->detail)
        frames_at_signal(&ex.progress.busy->frames, pc, caller);
    remember(left.hangs ? KNOWN_HANGS : KNOWN_LATE);
    void **top = (void **)((((uintptr_t)registers[REG_RSP] - RED_ZONE) & ~15ul)) - 1;
    *top = NULL; /* nothing to return to */
    registers[REG_RSP] = (greg_t)top;
    registers[REG_RIP] = (greg_t)leave_here;
    registers[REG_EFL] &= ~DIRECTION_FLAG;
}

void busy_end(void)
{
    const struct busy *left = ex.progress.busy;
    if (!busy_is_left())
        return;
    if (!left->hangs)
        execution_end(OUTCOME_CUT_STEPS); /* busy_note says why */
    ex.progress.busy->reported = true;
    struct finding *finding = finding_add(FINDING_HANG, FINDING_ENDLESS, 0, SIGNAL_HANG);
    if (finding != NULL) {
        finding->status = SIGNAL_HANG;
        finding->places[0].site = left->site;
        finding->thread = finding->places[0].thread = left->thread;
        if (rt.options->detail) {
            the_board->flight.frames[the_board->flight.finding_count - 1][0] = left->frames;
            if (left->frames.count > 0 && left->frames.pc[0] != left->pc)
                finding->places[0].site = left->frames.pc[0];
        }
    }
    execution_fail_in(left->thread);
}

void busy_note(enum outcome outcome)
{
    if (!busy_is_left() || ex.progress.busy->reported)
        return;
    the_board->flight.left = 1;
    the_board->flight.late |= outcome == OUTCOME_CUT_STEPS && !ex.progress.busy->hangs;
}
