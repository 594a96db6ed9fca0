/* Threads: create, join, detach, exit, yield; and what they leave behind when they end. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unwind.h>

#include "base/os.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/stranger.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/called.h"
#include "runtime/progress/await.h"
#include "runtime/sync/key_values.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/disposition.h"
#include "runtime/time/kernel_signals.h"
#include "runtime/time/timeout.h"

enum { TID_AT = 0x2d0 }; /* in what a handle points to */
enum { POOL_FACTOR = 4 };

/* Threads are mostly joined in the order in which they were made. */
static thread_id find(pthread_t handle)
{
    thread_id last = ex.sync.found_last, next = last + 1 < ex.thread_count ? last + 1 : 0;
    if (ex.threads[next].fs == handle)
        return ex.sync.found_last = next;
    for (thread_id i = 0; i < ex.thread_count; i++)
        if (ex.threads[i].fs == handle)
            return ex.sync.found_last = i;
    return NO_THREAD;
}

thread_id thread_of(pthread_t handle)
{
    thread_id thread = find(handle);
    symmetry_named(thread);
    return thread;
}

/* Would libc get the memory? */
static bool machine_has_room(size_t size)
{
    long at = os_call(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (at < 0)
        return false;
    os_call(SYS_munmap, at, (long)size, 0, 0, 0, 0);
    return true;
}

/* The pool gets stacks of that size: the execution restarts. EAGAIN: the machine has no room. */
static int need_stack(size_t size, uintptr_t site)
{
    if (size <= (size_t)(rt.stacks[0].high - rt.stacks[0].low))
        return 0;
    if (!machine_has_room(size))
        return EAGAIN;
    if (size > (SETUP_HEAP_ADDRESS - STACKS_ADDRESS) / rt.threads_ready - STACK_EXTRA)
        refuse_call("pthread_create", "a stack of that size is not modelled; set a smaller one",
                    site);
    grow(0, size);
}

static int check_attributes(const pthread_attr_t *attributes, bool *detached, uintptr_t site)
{
    int state = PTHREAD_CREATE_JOINABLE;
    void *stack = NULL;
    size_t size = 0;
    real_attr_getdetachstate(attributes, &state);
    *detached = state == PTHREAD_CREATE_DETACHED;
    if (real_attr_getstack(attributes, &stack, &size) == 0 && stack != NULL &&
        (uintptr_t)stack + size != 0 && size != 0)
        refuse_call("pthread_create",
                    "a stack of the program's own is not modelled; set only its size", site);
    return real_attr_getstacksize(attributes, &size) == 0 ? need_stack(size, site) : 0;
}

static uint32_t guard_size(const pthread_attr_t *attributes)
{
    size_t size = PAGE;
    if (attributes != NULL)
        pthread_attr_getguardsize(attributes, &size);
    return (uint32_t)((size + PAGE - 1) / PAGE * PAGE);
}

static void *kernel_thread(void *argument)
{
    struct thread *me = argument;
    me->carrier = (uint32_t)os_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
    stranger_is_ours(me->carrier);
    signals_stack((uint32_t)thread_number(me));
    thread_wait_go(me);
    /* what lies above, errno among it, is no part of the local state: as with fibers */
    rt.stacks[thread_number(me)].start = __builtin_frame_address(0);
    thread_run();
    UNREACHABLE();
}

static pthread_t make_kernel_thread(thread_id child)
{
    struct stack *stack = &rt.stacks[child];
    pthread_attr_t attributes;
    pthread_t made;
    if (!fiber_stack_map(child))
        give_up("no room for the stack of another thread");
    real_attr_init(&attributes);
    real_attr_setstack(&attributes, stack->low, (size_t)(stack->top - stack->low));
    if (real_create(&made, &attributes, kernel_thread, &ex.threads[child]) != 0)
        give_up("the machine cannot make another thread");
    stack->high = stack->start = (char *)made;
    ex.threads[child].stack_low = (uintptr_t)stack->low;
    ex.threads[child].stack_size = (uintptr_t)(stack->high - stack->low);
    return made;
}

thread_id thread_new(const char *call, uintptr_t site)
{
    thread_id child = ex.thread_count;
    if (child >= THREADS_MAX)
        refuse_call(call,
                    "more than 256 threads in one execution are not modelled; "
                    "test with fewer",
                    site);
    if (child >= rt.threads_ready)
        grow(child * POOL_FACTOR < THREADS_MAX ? child * POOL_FACTOR : THREADS_MAX, 0);
    return child;
}

static void prepare(thread_id child, void *(*start)(void *), void *argument, bool detached)
{
    struct thread *new = &ex.threads[child];
    new->sync.start = start;
    new->sync.argument = argument;
    new->sync.detached = detached;
    if (rt.carriers.kernel_threads)
        new->fs = make_kernel_thread(child);
    else
        new->sp = fiber_context(rt.stacks[child].start, thread_run);
}

void thread_spawn(struct thread *host, void *(*start)(void *), void *argument, uintptr_t site)
{
    thread_id child = thread_new("timer_create", site);
    thread_begin(child, ex.current);
    ex.threads[child].starter = (thread_id)thread_number(host);
    prepare(child, start, argument, true);
    ex.me = host;
    thread_start(child);
}

int model_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument)
{
    bool detached = false;
    uintptr_t site = ex.pending[ex.current].site;
    if (unlikely(module_is_openmp(site)))
        refuse_call("pthread_create",
                    "threads of GCC's OpenMP wait for each other by system calls of their own, "
                    "which are not "
                    "modelled; set OMP_NUM_THREADS=1, or build without -fopenmp",
                    site);
    if (attributes != NULL)
        called_reads_in_step(attributes, sizeof *attributes, site);
    int error = attributes != NULL ? check_attributes(attributes, &detached, site) : 0;
    if (error != 0)
        return error;
    thread_id child = thread_new("pthread_create", site);
    thread_begin(child, ex.current);
    rt.trace.steps[rt.trace.count - 1].op.second = child;
    step_touched(THREADS_OBJECT, TOUCH_WRITES); /* numbers decide about addresses */
    step_note(child);
    prepare(child, start, argument, detached);
    ex.threads[child].sync.guard_size = guard_size(attributes);
    sigset_t blocked;
    if (attributes != NULL && pthread_attr_getsigmask_np(attributes, &blocked) == 0)
        ex.threads[child].signals.blocked = blocked.__val[0] & SIGNALS_BLOCKABLE;
    called_writes_in_step(handle, sizeof *handle,
                          site); /* nothing orders the new thread after it */
    *handle = ex.threads[child].fs;
    await_wrote(&ex.me->await); /* a new thread is a change */
    thread_start(child);
    symmetry_created(child);
    return 0;
}

static void run_destructors(struct thread *me)
{
    while (me->sync.destructors != NULL) {
        struct destructor *first = me->sync.destructors;
        me->sync.destructors = first->next;
        first->run(first->object);
    }
}

void thread_finish(void)
{
    run_destructors(ex.me);
    keys_destroy_values();
}

void thread_run(void)
{
    struct thread *me = ex.me;
    me->base = (uintptr_t)__builtin_frame_address(0);
    uintptr_t start = (uintptr_t)me->sync.start;
    if (unlikely(rt.plain_points) && site_is_promoted(start)) /* it never came to an operation */
        announce((struct op){.kind = OP_CHOOSE, .choices = 1, .site = start});
    me->sync.result = me->sync.start(me->sync.argument);
    thread_finish();
    thread_end();
}

static _Unwind_Reason_Code unwound(int version, _Unwind_Action actions,
                                   _Unwind_Exception_Class class,
                                   struct _Unwind_Exception *exception,
                                   struct _Unwind_Context *context, void *argument)
{
    struct thread *me = argument;
    bool last = (actions & _UA_END_OF_STACK) || _Unwind_GetCFA(context) > me->base;
    if (me->sync.cleanups != NULL &&
        (last || _Unwind_GetCFA(context) > (uintptr_t)me->sync.cleanups))
        real_longjmp(me->sync.cleanups, 1); /* it comes back by cleanup_next */
    if (!last)
        return _URC_NO_REASON;
    thread_finish();
    thread_end();
}

/* C++: a handler caught all exceptions and threw this one no further. */
static void not_rethrown(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception)
{
    end_not_rethrown(ex.pending[ex.current].site);
}

static _Noreturn void unwind(struct thread *me)
{
    struct _Unwind_Exception *exception = execution_take(sizeof *exception);
    exception->exception_cleanup = not_rethrown;
    _Unwind_ForcedUnwind(exception, unwound, me);
    thread_finish();
    thread_end();
}

_Noreturn void model_pthread_exit(void *result)
{
    struct thread *me = ex.me;
    /* cancelled, or from a signal handler, it leaves an operation that is pending */
    me->cancel.woken = me->signalled = me->timed = me->time.interrupted = false;
    me->time.asleep = me->time.interruption = 0;
    me->cond = NULL;
    me->sync.result = result;
    if (me->sync.exiting && me->sync.cleanups == NULL) { /* from a destructor */
        thread_finish();
        thread_end();
    }
    me->sync.exiting = true;
    unwind(me);
}

/* C without exceptions: pthread_cleanup_push registers a jump buffer on the stack. */
void cleanup_push(__pthread_unwind_buf_t *handler)
{
    handler->__pad[0] = ex.me->sync.cleanups;
    ex.me->sync.cleanups = handler;
}

void cleanup_pop(__pthread_unwind_buf_t *handler)
{
    ex.me->sync.cleanups = handler->__pad[0];
}

/* cleanup_push where cancellation is deferred from push to pop. */
void cleanup_push_deferred(__pthread_unwind_buf_t *handler, uintptr_t site)
{
    cleanup_push(handler);
    handler->__pad[1] = ex.me->cancel.asynchronous ? handler : NULL;
    cancel_type(PTHREAD_CANCEL_DEFERRED, NULL, site);
}

void cleanup_pop_restored(__pthread_unwind_buf_t *handler, uintptr_t site)
{
    cleanup_pop(handler);
    if (handler->__pad[1] != NULL)
        cancel_type(PTHREAD_CANCEL_ASYNCHRONOUS, NULL, site);
}

_Noreturn void cleanup_next(__pthread_unwind_buf_t *handler)
{
    cleanup_pop(handler);
    unwind(ex.me);
}

int model_cxa_thread_atexit(void (*run)(void *), void *object)
{
    struct destructor *destructor = execution_take(sizeof *destructor);
    *destructor =
        (struct destructor){.run = run, .object = object, .next = ex.me->sync.destructors};
    ex.me->sync.destructors = destructor;
    return 0;
}

/* libc takes the first thread to be on the stack that the kernel made, and the others to be on ones
 * of the program's, which have no guard. */
int thread_attributes(pthread_t handle, pthread_attr_t *attributes)
{
    const struct stack *stack = &rt.stacks[0];
    thread_id thread = thread_of(handle);
    if (thread != 0)
        return thread == NO_THREAD
                   ? 0
                   : pthread_attr_setguardsize(attributes, ex.threads[thread].sync.guard_size);
    return real_attr_setstack(attributes, stack->low, (size_t)(stack->high - stack->low));
}

static int fail_to_own(thread_id thread, const char *done, uintptr_t site)
{
    misuse_with("a thread", done, NULL, site, thread, 0);
    return EINVAL;
}

bool thread_is_gone(thread_id thread, const char *done, uintptr_t site)
{
    const struct thread *who = &ex.threads[thread];
    if (!who->sync.joined && !(who->sync.detached && who->state == THREAD_ENDED))
        return false;
    if (done != NULL)
        fail_to_own(thread, done, site);
    return true;
}

/* Whether the handle names another thread; 0 and the thread. Whether it can still be joined is
 * found out by the step: another join or a detach may come first. */
static int find_joinable(pthread_t handle, thread_id *thread)
{
    *thread = find(handle);
    if (*thread == NO_THREAD) {
        (void)*(const volatile char *)(handle + TID_AT); /* crashes where libc does */
        return ESRCH;
    }
    return *thread == ex.current ? EDEADLK : 0;
}

/* The object that stands for the handle of a thread: join and detach write it. */
static uint32_t handle_object(thread_id thread)
{
    return object_number(&ex.threads[thread].sync.detached);
}

static bool has_ended(thread_id thread)
{
    return ex.threads[thread].state == THREAD_ENDED;
}

static void announce_join(enum op_kind kind, thread_id thread, uintptr_t site)
{
    announce((struct op){.kind = (uint8_t)kind,
                         .choices = 1,
                         .object = handle_object(thread),
                         .second = thread,
                         .site = site});
}

static int fail_to_join(thread_id thread, int error)
{
    step_touch(handle_object(thread), OP_ACCESS_READ);
    step_note(~ex.threads[thread].name);
    step_failed();
    return error;
}

/* Why a thread cannot be joined any more; NULL: it can. */
static const char *spent(thread_id thread)
{
    if (ex.threads[thread].sync.joined)
        return "is joined twice";
    return ex.threads[thread].sync.detached ? "is joined that was detached" : NULL;
}

/* A join cannot come before the end of the thread. A try or a timed join can, and depends on every
 * other step. */
static void follow(thread_id thread)
{
    if (op_traits(ex.pending[ex.current].kind)->waits == OP_WAITS_THREAD)
        thread_depends(ex.current, thread);
    else
        thread_saw_end(thread);
}

/* A thread that was detached need not have ended, and its end is not waited for. */
static int fail_spent(thread_id thread)
{
    if (ex.threads[thread].sync.joined)
        follow(thread);
    return fail_to_join(thread, fail_to_own(thread, spent(thread), ex.pending[ex.current].site));
}

static int join(thread_id thread, void **result)
{
    if (unlikely(spent(thread) != NULL))
        return fail_spent(thread);
    ex.threads[thread].sync.joined = true;
    touch(ex.me->object, OP_ACCESS_WRITE); /* the handle: the access that was announced */
    follow(thread);
    step_note(ex.threads[thread].name);
    if (symmetry_is_on())
        symmetry_joined(thread, result != NULL);
    else
        race_join(&ex.race, thread);
    if (result != NULL)
        called_writes_in_step(result, sizeof *result, ex.pending[ex.current].site);
    if (result != NULL)
        *result = ex.threads[thread].sync.result;
    return 0;
}

int thread_join(pthread_t handle, void **result, uintptr_t site)
{
    thread_id thread;
    int error = find_joinable(handle, &thread);
    if (error != 0)
        return error;
    announce_join(OP_JOIN, thread, site);
    return join(thread, result);
}

int thread_tryjoin(pthread_t handle, void **result, const struct local *local)
{
    thread_id thread;
    int error = find_joinable(handle, &thread);
    if (error != 0)
        return error == EDEADLK ? EBUSY : error; /* oneself has not ended */
    struct thread *other = &ex.threads[thread];
    symmetry_named(thread);
    await_before_read(&other->state, sizeof other->state, object_number(&other->state), local);
    announce_join(OP_JOIN_TRY, thread, local->site);
    if (has_ended(thread) || spent(thread) != NULL)
        return join(thread, result);
    await_after_read();
    return fail_to_join(thread, EBUSY);
}

int thread_timedjoin(pthread_t handle, void **result, struct timeout timeout, uintptr_t site)
{
    thread_id thread;
    int error = timeout_has_clock(&timeout) ? find_joinable(handle, &thread) : EINVAL;
    if (error != 0)
        return error;
    if (timeout.deadline == NULL)
        return thread_join(handle, result, site);
    timeout_is_read(&timeout, OP_JOIN_TIMED, site);
    symmetry_named(thread);
    timeout_begin(&timeout);
    announce_join(OP_JOIN_TIMED, thread, site);
    if (has_ended(thread) || spent(thread) != NULL)
        return join(thread, result);
    return fail_to_join(thread, timeout_is_valid(&timeout) ? timeout_step(&timeout) : EINVAL);
}

int thread_detach(pthread_t handle, uintptr_t site)
{
    thread_id thread = thread_of(handle);
    if (thread == NO_THREAD)
        return ESRCH;
    announce_join(OP_DETACH, thread, site);
    step_touch(handle_object(thread), OP_ACCESS_WRITE);
    step_note(ex.threads[thread].name);
    if (ex.threads[thread].sync.joined)
        return fail_to_own(thread, "is detached that was joined", site);
    if (ex.threads[thread].sync.detached)
        return fail_to_own(thread, "is detached twice", site);
    ex.threads[thread].sync.detached = true;
    thread_wake_joining(thread);
    return 0;
}
