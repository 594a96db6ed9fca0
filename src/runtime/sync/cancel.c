/* Cancellation: a request is acted upon at a cancellation point, or at any operation if it is
 * asynchronous; both only at operations. */
#include <errno.h>

#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/memory.h"
#include "runtime/sync/sync_calls.h"

static bool is_open(const struct thread *thread)
{
    return thread->cancel.requested && !thread->cancel.disabled && !thread->sync.exiting;
}

bool cancel_acts(thread_id thread)
{
    const struct thread *who = &ex.threads[thread];
    return is_open(who) && (who->cancel.asynchronous || op_traits(ex.pending[thread].kind)->cancel);
}

/* The operation that it was to do next never ends. */
static void abandon(struct thread *me)
{
    uint8_t kind = (uint8_t)me->announced.head;
    if (file_op_waits(kind))
        file_abandon(me->mutex);
    else if (kind == OP_PROCESS_WAIT && me->mutex != NULL)
        process_abandon(me->mutex);
}

_Noreturn void cancel_now(void)
{
    if (ex.pending[ex.current].kind == OP_CANCELLED)
        abandon(ex.me);
    race_acquire(&ex.race, &object_state(object_number(&ex.me->cancel))->sync);
    model_pthread_exit(PTHREAD_CANCELED);
}

void cancel_point(void)
{
    if (is_open(ex.me))
        cancel_now();
}

int cancel_request(pthread_t handle, uintptr_t site)
{
    thread_id thread = thread_of(handle);
    if (thread == NO_THREAD)
        return ESRCH;
    struct thread *who = &ex.threads[thread];
    uint32_t object = object_number(&who->cancel);
    announce((struct op){
        .kind = OP_CANCEL, .choices = 1, .object = object, .second = thread, .site = site});
    step_touch(object, OP_ACCESS_WRITE);
    if (thread_is_gone(thread, "is cancelled whose handle means nothing any more", site))
        return ESRCH;
    race_release_more(&ex.race, &object_state(object)->sync);
    if (who->state == THREAD_ENDED)
        return 0;
    who->cancel.requested = true;
    if (thread != ex.current) {
        thread_depends(thread, ex.current);
        alert(thread);
    } else if (is_open(who) && who->cancel.asynchronous) {
        cancel_now();
    }
    return 0;
}

void cancel_test(uintptr_t site)
{
    uint32_t object = object_number(&ex.me->cancel);
    announce_on(OP_CANCEL_TEST, object, site);
    step_touch(object, OP_ACCESS_READ);
}

/* Where a request could have struck until now, the last moment of it is an operation. */
static void leave_asynchronous(uintptr_t site)
{
    if (ex.me->cancel.asynchronous && !ex.me->cancel.disabled)
        cancel_test(site);
}

static void store_old(int *old, int value, uintptr_t site)
{
    if (old == NULL)
        return;
    memory_access(old, sizeof *old, true, site);
    *old = value;
}

static int now_open(void)
{
    if (is_open(ex.me) && ex.me->cancel.asynchronous)
        cancel_now();
    return 0;
}

int cancel_state(int state, int *old, uintptr_t site)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    leave_asynchronous(site);
    bool was = ex.me->cancel.disabled;
    store_old(old, was ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, site);
    ex.me->cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
    return now_open();
}

int cancel_type(int type, int *old, uintptr_t site)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    leave_asynchronous(site);
    bool was = ex.me->cancel.asynchronous;
    store_old(old, was ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED, site);
    ex.me->cancel.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    return now_open();
}
