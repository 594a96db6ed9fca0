/* Sending signals. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/process/process.h"
#include "runtime/snapshot/program_state.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/signal.h"
#include "runtime/time/time_calls.h"

enum { CANCEL_OF_LIBC = 32, SETXID_OF_LIBC = 33 };

static siginfo_t info_of(int number, int code, void *value)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = code;
    info.si_pid = identity_process();
    info.si_uid = (uid_t)os_call(SYS_getuid, 0, 0, 0, 0, 0, 0);
    info.si_value.sival_ptr = value;
    return info;
}

static const char handle_is_gone[] = "is signalled whose handle means nothing any more";

/* One step; what the sender does not block comes to it before it goes on. */
static int send_to(thread_id thread, const siginfo_t *info, const char *misused, uintptr_t site)
{
    ex.me->signals.sending = thread == NO_THREAD ? (uint8_t)info->si_signo : 0;
    announce((struct op){.kind = OP_SIGNAL_SEND,
                         .size = (uint8_t)info->si_signo,
                         .choices = 1,
                         .object = signals_object(thread),
                         .second = thread,
                         .site = site});
    step_note((uint64_t)info->si_signo);
    step_touch(object_number(disposition_of(info->si_signo)), OP_ACCESS_READ);
    if (thread != NO_THREAD && ex.threads[thread].state == THREAD_ENDED) {
        step_failed();
        return thread_is_gone(thread, misused, site) ? ESRCH : 0;
    }
    signal_post(thread, info);
    signals_handle();
    return 0;
}

static bool is_number(int number)
{
    return number >= 0 && number < SIGNALS_END;
}

/* misused: what is said of a handle that means nothing any more; NULL: it was no handle. */
static int send_to_thread(thread_id thread, int number, int code, void *value, const char *misused,
                          uintptr_t site)
{
    if (thread == NO_THREAD || ex.threads[thread].time.timer != NULL ||
        ex.threads[thread].process.child != NULL)
        return ESRCH;
    if (!is_number(number))
        return EINVAL;
    if (number == 0)
        return thread_is_gone(thread, misused, site) ? ESRCH : 0;
    siginfo_t info = info_of(number, code, value);
    return send_to(thread, &info, misused, site);
}

int kill_thread(pthread_t handle, int number, uintptr_t site)
{
    if (number == CANCEL_OF_LIBC || number == SETXID_OF_LIBC)
        return EINVAL;
    return send_to_thread(thread_of(handle), number, SI_TKILL, NULL, handle_is_gone, site);
}

int kill_thread_queued(pthread_t handle, int number, void *value, uintptr_t site)
{
    if (number == CANCEL_OF_LIBC || number == SETXID_OF_LIBC)
        return EINVAL;
    return send_to_thread(thread_of(handle), number, SI_QUEUE, value, handle_is_gone, site);
}

static int with_errno(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

int kill_raise(int number, uintptr_t site)
{
    return with_errno(send_to_thread(ex.current, number, SI_TKILL, NULL, NULL, site));
}

int kill_by_id(int process, int thread, int number, uintptr_t site)
{
    if (process <= 0 || thread <= 0)
        return with_errno(EINVAL);
    if (process != identity_process())
        return with_errno(ESRCH);
    return with_errno(send_to_thread(identity_thread(thread), number, SI_TKILL, NULL, NULL, site));
}

/* No process has that number, or all of that group's have ended. */
static bool is_nobody(int process)
{
    if (process == -1 || process == identity_parent() || process == -identity_parent())
        return false;
    return process_is_gone(process) || os_call(SYS_kill, process, 0, 0, 0, 0, 0) == -ESRCH;
}

static int send_to_process(const char *call, int process, int number, int code, void *value,
                           uintptr_t site)
{
    if (process_kernel(process) > 0) { /* a child, which runs on its own */
        state_is_unknown();
        watch_outside();
        long result = os_call(SYS_kill, process_kernel(process), number, 0, 0, 0, 0);
        return with_errno((int)-result);
    }
    if (!identity_is_ours(process) && is_nobody(process))
        return with_errno(ESRCH);
    if (!identity_is_ours(process))
        refuse_call(call,
                    "signals to other processes are not modelled; "
                    "only to the program itself and its children",
                    site);
    if (!is_number(number))
        return with_errno(EINVAL);
    if (number == 0)
        return 0;
    siginfo_t info = info_of(number, code, value);
    send_to(NO_THREAD, &info, NULL, site);
    return 0;
}

int kill_process(const char *call, int process, int number, uintptr_t site)
{
    return send_to_process(call, process, number, SI_USER, NULL, site);
}

int kill_group(int group, int number, uintptr_t site)
{
    return group < 0 ? with_errno(EINVAL) : kill_process("killpg", -group, number, site);
}

int kill_queued(int process, int number, void *value, uintptr_t site)
{
    return send_to_process("sigqueue", process, number, SI_QUEUE, value, site);
}
