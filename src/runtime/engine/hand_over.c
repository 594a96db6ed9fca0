#include "runtime/engine/hand_over.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/scheduler.h"

static void let_go(struct thread *thread)
{
    __atomic_store_n(&thread->go, 1, __ATOMIC_RELEASE);
    os_call(SYS_futex, (long)&thread->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

void thread_wait_go(struct thread *thread)
{
    while (__atomic_exchange_n(&thread->go, 0, __ATOMIC_ACQUIRE) == 0)
        os_call(SYS_futex, (long)&thread->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

void carrier_hand_over(struct thread *from, struct thread *to)
{
    let_go(to);
    thread_wait_go(from);
}

_Noreturn void carrier_hand_over_for_ever(struct thread *to)
{
    let_go(to);
    for (;;)
        os_call(SYS_exit, 0, 0, 0, 0, 0, 0);
}
