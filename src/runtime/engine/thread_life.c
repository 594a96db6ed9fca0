/* How threads begin and end, and what a new execution begins with. */
#include <string.h>

#include "base/mix.h"
#include "runtime/engine/able.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/hand_over.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"

static bool is_last(thread_id thread)
{
    if (unlikely(busy_is_left()))
        return false;
    for (uint32_t word = 0; word * 64 < ex.thread_count; word++)
        for (uint64_t left = ex.live.word[word]; left != 0; left &= left - 1) {
            thread_id other = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
            if (other != thread && !able_is_event(other))
                return false;
        }
    return true;
}

/* A store for each two words: fewer instructions than memset takes. It may go as far as `wrote`,
 * which is set. */
static void clear_thread(struct thread *new)
{
    typedef uint64_t two __attribute__((vector_size(16), aligned(8), may_alias));
    volatile two *words = (volatile two *)new;
#pragma GCC unroll 64
    for (size_t i = 0; i < (offsetof(struct thread, await) + 8) / sizeof *words; i++)
        words[i] = (two){0};
    new->await.count = 0;
    new->await.wrote = WROTE_ALL;
    new->await.turn = NOT_AWAITING;
}
_Static_assert(offsetof(struct thread, await) % sizeof(uint64_t) == 0, "cleared by words");

void thread_begin(thread_id thread, thread_id parent)
{
    struct thread *new = &ex.threads[thread];
    clear_thread(new);
    new->ignore_depth = rt.options->detail || discipline_wanted() ? WITNESSED : 0;
    new->parent = parent;
    new->starter = parent;
    new->fs = thread == 0 ? rt.program.main_fs : rt.stacks[thread].fs;
    new->stack_low = (uintptr_t)rt.stacks[thread].low;
    new->stack_size = (uintptr_t)(rt.stacks[thread].high - rt.stacks[thread].low);
    new->signals.blocked = rt.signals_inherited;
    if (parent != NO_THREAD) {
        struct thread *creator = &ex.threads[parent];
        new->name = mix(creator->name, ++creator->children);
        memcpy(new->process.label, creator->process.label, sizeof new->process.label);
        new->process.processors = creator->process.processors;
        new->process.niceness = creator->process.niceness;
        new->signals.blocked = creator->signals.blocked;
        thread_depends(thread, parent);
    }
    thread_set_state(new, parent == NO_THREAD ? THREAD_LIVE : THREAD_STARTING);
    if (parent == NO_THREAD)
        thread_set_add(&ex.live, thread);
    ex.thread_count = (uint16_t)(thread + 1);
    if (unlikely(thread >= 64))
        ex.careful |= CAREFUL_BY_PROGRAM;
    race_start(&ex.race, thread, parent);
}

void thread_start(thread_id child)
{
    hand_over(ex.me, child);
}

_Noreturn void thread_end(void)
{
    struct thread *me = ex.me;
    bool starting = me->state == THREAD_STARTING;
    if (unlikely(wanders())) /* it has led out */
        wander_end();
    if (!starting && is_last(ex.current))
        end_last_thread();
    if (symmetry_is_on())
        symmetry_thread_ends();
    if (unlikely(me->sync.robust != NULL))
        mutexes_abandon();
    if (unlikely(ex.memory.seen.use_on_stack) && ex.current != 0)
        misuse_of_locked(rt.stacks[ex.current].low,
                         (size_t)(rt.stacks[ex.current].top - rt.stacks[ex.current].low),
                         "is locked and lies on the stack of a thread that ends",
                         ex.pending[ex.current].site);
    thread_set_state(me, THREAD_ENDED);
    thread_rests(ex.current);
    thread_wake_joining(ex.current);
    hand_over_for_ever(starting ? me->starter : thread_next(me));
}

void thread_blame(thread_id thread)
{
    set_current(thread);
}

RETURNS_AS_USUAL bool thread_is_last(void)
{
    return is_last(ex.current);
}

_Noreturn void thread_leave(void)
{
    struct thread *me = ex.me;
    thread_rests(ex.current);
    hand_over_for_ever(me->state == THREAD_STARTING ? me->starter : thread_next(me));
}

void execution_open(void)
{
    ex.used = 0;
    ex.thread_count = 0;
    ex.sync.found_last = 0;
    ex.process.exit_handlers = ex.progress.doubts = false;
    ex.yielding_count = 0;
    ex.careful = 0;
    ex.reserved = 0;
    ex.progress.left_out = 0;
    ex.sync.spurious = 0;
    ex.object_count = 0;
    ex.progress.turns = NULL;
    ex.aliases = ex.shared = NULL;
    ex.snapshot.made = NULL;
    memset(&ex.process.attributes, 0, sizeof ex.process.attributes);
    ex.spare_names = ex.backing_count = 0;
    ex.attention = (rt.options->detail ? ATTENTION_DETAIL : 0) |
                   (rt.options->trust.names[0] != 0 ? ATTENTION_TRUST : 0) |
                   (rt.options->symmetry ? ATTENTION_TWINS : 0) |
                   (rt.options->debugged ? ATTENTION_DEBUG : 0);
    detectors_open();
    watch_open();
    state_open();
    ex.process.process_count = 0;
    ex.process.processes = NULL;
    ex.file.folders = NULL;
    ex.lives = NULL;
    ex.file.descriptors = NULL;
    ex.progress.busy = NULL;
    ex.memory.locks_taken = NULL;
    ex.memory.witnesses = NULL;
    ex.memory.benign = NULL;
    ex.memory.seen.ignoring = ex.memory.seen.use_on_stack = false;
    ex.memory.seen.piece = 0;
    ex.interpose.token = NULL;
    ex.memory.discipline = NULL;
    ex.heap.block.size = 0;
    ex.memory.copies = false;
    ex.fingerprint = 0;
    ex.clock.time = ex.clock.cpu_time = 0;
    ex.process.random_file = 0;
    ex.armed_count = 0;
    memset(&ex.signals, 0, sizeof ex.signals);
    memset(&ex.timers, 0, sizeof ex.timers);
    ex.class[0] = ex.class[1] = 0;
    ex.live = ex.stuck = (thread_set){0};
    for (int i = 0; i < READINESSES; i++)
        ex.by_readiness[i] = (thread_set){0};
    if (unlikely(rt.options->detail))
        the_board->label_count = 0;
    memory_begin();
    memory_open();
    symmetry_open();
    ex.threads[0].state = THREAD_UNUSED;
    thread_begin(0, NO_THREAD);
    set_current(0);
}
