/* Ends of the program: exit and return from main, assertions, aborts. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/real.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/stream.h"
#include "runtime/heap/heap.h"
#include "runtime/process/process_calls.h"
#include "runtime/snapshot/program_state.h"
#include "runtime/snapshot/world.h"
#include "runtime/sync/partial.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/alert.h"
#include "runtime/time/signal.h"
#include "runtime/time/time_calls.h"

enum { YIELDS_FREE = 2 };

/* An ending step comes after every other step: which ones there were is part of the class. */
static void depend_on_all(void)
{
    uint64_t sum[2] = {0}; /* whatever numbers the threads have */
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        for (int i = 0; i < 2; i++)
            sum[i] += mix(ex.threads[thread].name, ex.threads[thread].chain[i]);
    for (int i = 0; i < 2; i++)
        ex.me->chain[i] = mix(ex.me->chain[i], sum[i]);
}

/* With --exit wait an exit is enabled once every other thread has ended, so it cannot come before
 * any of their steps. */
static void follow_ended(void)
{
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        if (thread != ex.current && ex.threads[thread].state == THREAD_ENDED)
            step_touched(thread, TOUCH_FOLLOWS);
}

static void announce_exit(int status, uintptr_t site)
{
    announce_on(OP_EXIT, NO_OBJECT, site);
    if (rt.options->exit_waits && rt.notes)
        follow_ended();
    depend_on_all();
    rt.trace.status = status & 0xff;
}

static bool only_one(const thread_set *threads)
{
    thread_id first = thread_set_next(threads, 0);
    return first == NO_THREAD || thread_set_next(threads, first + 1u) == NO_THREAD;
}

static _Noreturn void finish(void)
{
    if (unlikely(!only_one(&ex.live)))
        deadlock_among_some();
    int expected = rt.options->expect_exit;
    if (expected != EXIT_ANY && rt.trace.status != expected) {
        struct finding *finding =
            finding_add(FINDING_EXIT, "the exit status is not the expected one",
                        ex.pending[ex.current].site, (uint64_t)rt.trace.status);
        if (finding != NULL)
            finding->status = rt.trace.status;
    }
    bool untidy = ex.lives != NULL || !only_one(&ex.live);
    if (unlikely(untidy) && detecting(DETECT_UNTIDY))
        misuse_at_end();
    if (unlikely(detecting(DETECT_LEAK)))
        leaks_look();
    if (unlikely(ex.detectors.end != 0))
        detectors_end();
    execution_end(OUTCOME_FINISHED);
}

/* Nobody will look at what the program has written. */
static bool output_is_lost(void)
{
    return !rt.options->detail && rt.options->output == OUTPUT_ANY && !world_has_files();
}

/* A stream lock held by a thread that never runs again does not keep the output back: exit does not
 * wait for it either. */
static void flush_all(void)
{
    if (output_is_lost())
        return;
    streams_open_up();
    real_flush(NULL);
}

/* Registered before all others, so it runs after them. */
void end_after_handlers(int status, void *unused)
{
    if (!running())
        return;
    rt.trace.status = status & 0xff; /* also where libc called exit by itself */
    flush_all();
    finish();
}

int end_register(void)
{
    ex.process.exit_handlers = true;
    return 0;
}

/* Nothing that exit would do can be noticed. */
static bool exit_does_nothing(void)
{
    return !ex.process.exit_handlers && !rt.code.module_destructors && output_is_lost();
}

_Noreturn void end_exit(int status, uintptr_t site)
{
    announce_exit(status, site);
    thread_finish();
    if (exit_does_nothing())
        finish();
    real_exit(status);
    UNREACHABLE();
}

/* The last thread ends after main has: the process ends as if by exit(0), without a step. */
_Noreturn void end_last_thread(void)
{
    rt.trace.status = 0;
    if (exit_does_nothing())
        finish();
    real_exit(0);
    UNREACHABLE();
}

void end_begin(uintptr_t site)
{
    announce_exit(0, site);
}

_Noreturn void end_finish(int status)
{
    rt.trace.status = status & 0xff;
    finish();
}

_Noreturn void end_exit_now(int status, uintptr_t site)
{
    announce_exit(status, site);
    finish();
}

int program_main(int argc, char **argv, char **environment)
{
    ex.me->base = (uintptr_t)__builtin_frame_address(0);
    int status = rt.program.main(argc, argv, environment);
    if (states_are_compared()) {
        state_operand((uint64_t)status);
        state_leaves((uintptr_t)rt.program.main + 1);
    }
    end_exit(status, (uintptr_t)rt.program.main + 1);
}

_Noreturn void end_failed(void)
{
    depend_on_all();
    execution_fail();
}

_Noreturn void end_assert(const char *condition, const char *file, unsigned line,
                          const char *function, uintptr_t site)
{
    struct finding *finding = finding_add(FINDING_ASSERTION, condition, site, 0);
    if (finding != NULL) {
        finding_text(finding->file, file);
        finding->line = line;
    }
    flush_all();
    end_failed();
}

struct type_info { /* as the C++ ABI lays it out */
    const void *table;
    const char *name;
};

/* The type of the exception that std::terminate was called for; NULL: none. */
static const char *exception_type(void)
{
    struct type_info *(*current)(void) =
        (struct type_info * (*)(void)) real_symbol("__cxa_current_exception_type");
    if (current == NULL)
        return NULL;
    const struct type_info *type = current();
    return type == NULL ? NULL : type->name;
}

_Noreturn void end_not_rethrown(uintptr_t site)
{
    const char *why = "exception not rethrown: the end of a thread was caught";
    struct finding *finding = finding_add(FINDING_CRASH, why, site, SIGABRT);
    if (finding != NULL)
        finding->status = SIGABRT;
    flush_all();
    end_failed();
}

/* abort() lets the program's handler run first. */
static void handle_abort(void)
{
    siginfo_t info = {.si_signo = SIGABRT, .si_code = SI_TKILL};
    ucontext_t context = {0};
    if (!signal_has_handler(SIGABRT))
        return;
    info.si_pid = identity_process();
    signal_here(&info, &context);
}

_Noreturn void end_abort(uintptr_t site)
{
    handle_abort();
    const char *type = exception_type();
    struct finding *finding = type != NULL ? finding_add(FINDING_UNCAUGHT_EXCEPTION, type, site, 0)
                                           : finding_add(FINDING_CRASH, "abort", site, SIGABRT);
    if (finding != NULL)
        finding->status = SIGABRT;
    flush_all();
    end_failed();
}

/* A reduction would have to take the step after it as dependent on every other: it is held back
 * only in what may be a loop, and is none that waits for a value: that shows when its second turn
 * is like the first. */
static void give_way_at(uintptr_t site)
{
    struct thread *me = ex.me;
    me->progress.yields = me->progress.yield_site == site ? me->progress.yields + 1 : 0;
    me->progress.yield_site = site;
    if (!rt.reduces || me->progress.yields >= YIELDS_FREE)
        thread_give_way(UNREDUCED_YIELDS);
}

int sleep_step(uint64_t end, uintptr_t site)
{
    step_moves_time(); /* the end was told from it */
    ex.me->deadline = end;
    if (!announce_interruptible((struct op){.kind = OP_SLEEP, .choices = 1, .site = site},
                                INTERRUPTED))
        return EINTR;
    give_way_at(site);
    return 0;
}

int yield_step(uintptr_t site)
{
    announce_on(OP_YIELD, NO_OBJECT, site);
    give_way_at(site);
    return 0;
}
