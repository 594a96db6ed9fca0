#include "runtime/time/signal_unsafe.h"

#include <string.h>

#include "base/out.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/locks_held.h"

static uint64_t bit(int number)
{
    return 1ul << (number - 1);
}

/* Steps up to and including the last one of the thread before its handler began at a step of its
 * own. A thread runs up to its first operation in the step that creates it. */
static uint32_t steps_before(const struct handler *handler)
{
    for (uint32_t i = handler->steps - 1; i-- > 0;) {
        const struct step *step = &rt.trace.steps[i];
        bool creates = step->op.kind == OP_CREATE && step->op.second == ex.current;
        if (step->thread == ex.current || creates)
            return i + 1;
    }
    return 0;
}

void handler_begins(struct handler *handler, int number, bool interrupts)
{
    handler->last = ex.me->signals.last_call;
    handler->steps = rt.trace.count;
    handler->number = (uint8_t)number;
    handler->interrupts = interrupts;
}

static bool has_other_threads(void)
{
    for (thread_id i = 0; i < ex.thread_count; i++)
        if (i != ex.current && ex.threads[i].time.timer == NULL &&
            ex.threads[i].process.child == NULL)
            return true;
    return false;
}

/* Whether the sender cannot have waited for the code since the last operation: by an access that is
 * no step. Where such accesses race they become steps, and the search starts again. */
static bool accesses_are_steps(void)
{
    const struct flight *flight = &the_board->flight;
    bool seen = the_board->options.instrumented && (rt.race_check || rt.points == POINTS_ALL);
    return (seen && flight->site_count == 0 && !flight->unpromoted) || !has_other_threads();
}

static bool strikes_inside_call(const struct handler *handler)
{
    const struct stateful_call *call = &handler->last;
    return accesses_are_steps() && call->name != NULL && (call->unblocked & bit(handler->number)) &&
           call->steps == steps_before(handler);
}

/* The lock that the thread took last; NULL: it holds none. */
static const void *lock_of_thread(void)
{
    const struct thread *me = ex.me;
    uint32_t known = me->locks.held_count < LOCKS_HELD_MAX ? me->locks.held_count : LOCKS_HELD_MAX;
    if (known > 0)
        return (const void *)the_board->objects[me->locks.held[known - 1]].address;
    return stream_held();
}

/* The name as in the program's source: a fortified function has another one. */
static void write_name(struct out *out, const char *name)
{
    static const char before[] = "__", after[] = "_chk";
    size_t length = strlen(name), rest = sizeof after - 1;
    bool fortified = strncmp(name, before, sizeof before - 1) == 0 && length > rest &&
                     strcmp(name + length - rest, after) == 0;
    if (!fortified) {
        out_text(out, name);
        return;
    }
    for (size_t i = sizeof before - 1; i < length - rest; i++)
        out_char(out, name[i]);
}

static struct finding *add(const char *name, const char *where, const char *inside, uintptr_t site,
                           const struct handler *handler)
{
    char text[FINDING_TEXT_MAX];
    struct out out = out_to(-1, text, sizeof text);
    write_name(&out, name);
    out_text(&out, " is not async-signal-safe, and the ");
    out_text(&out, where);
    write_name(&out, inside);
    struct finding *finding = finding_add(FINDING_SIGNAL_UNSAFE, out_string(&out), site, 0);
    if (finding == NULL)
        return NULL;
    finding->object = NO_OBJECT;
    finding->status = handler->number;
    finding->places[1].thread = ex.current;
    return finding;
}

static void report_call(const char *name, uintptr_t site, const struct handler *handler)
{
    struct finding *finding = add(name, "signal can interrupt ", handler->last.name, site, handler);
    if (finding == NULL)
        return;
    finding->places[1].site = handler->last.site;
    finding->places[1].step = handler->last.steps > 0 ? handler->last.steps - 1 : 0;
}

static void report_lock(const char *name, uintptr_t site, const struct handler *handler,
                        const void *lock)
{
    struct finding *finding = add(name, "thread holds ", "a lock", site, handler);
    uint32_t step;
    if (finding == NULL)
        return;
    finding->address = (uint64_t)lock;
    finding->object = object_number(lock);
    if (lock_step(ex.current, lock, &step)) {
        finding->places[1].site = rt.trace.steps[step].op.site;
        finding->places[1].step = step;
    }
}

/* Looked at when a handler first calls an unsafe function: the locks that its thread holds then are
 * those of the interrupted code. */
static void check(struct handler *handler, enum call_safety safety, const char *name,
                  uintptr_t site)
{
    if (handler->checked)
        return;
    handler->checked = true;
    if (!handler->interrupts)
        return;
    const void *lock = ex.me->signals.let_in & bit(handler->number) ? NULL : lock_of_thread();
    bool inside = strikes_inside_call(handler);
    if (inside && (safety == CALL_STATEFUL || lock == NULL))
        report_call(name, site, handler);
    else if (lock != NULL)
        report_lock(name, site, handler, lock);
}

/* The first call of a segment is kept, as what it calls itself comes later, unless a later one can
 * be interrupted by other signals. */
static void keep(const char *name, uintptr_t site)
{
    struct stateful_call *last = &ex.me->signals.last_call;
    uint64_t unblocked = ~ex.me->signals.blocked;
    bool same = last->name != NULL && last->steps == rt.trace.count;
    if (same && !(unblocked & ~last->unblocked))
        return;
    *last = (struct stateful_call){
        .name = name, .site = site, .unblocked = unblocked, .steps = rt.trace.count};
}

void unsafe_call_slow(enum call_safety safety, const char *name, uintptr_t site)
{
    if (!running() || !detecting(DETECT_SIGNAL_UNSAFE))
        return;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    for (struct handler *each = ex.me->signals.handlers; each != NULL; each = each->outer)
        if ((uintptr_t)each > here) /* those below were left by an exception */
            check(each, safety, name, site);
    if (safety == CALL_STATEFUL)
        keep(name, site);
}

void unsafe_mask_changes(uint64_t blocked)
{
    struct thread_signals *mine = &ex.me->signals;
    uint64_t opened = mine->blocked & ~blocked;
    if (lock_of_thread() != NULL)
        mine->let_in |= opened;
    else
        mine->let_in &= ~opened;
}
