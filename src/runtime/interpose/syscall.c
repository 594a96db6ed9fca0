/* compile: LOCAL_HERE */
/* syscall(): most calls pass; those that would start threads or block behind our back do not. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"
#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/interpose/interpose.h"
#include "runtime/snapshot/process_state.h"
#include "runtime/sync/futex.h"

static const char *refusal(long number)
{
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
        return "threads made without pthread_create are not modelled; use that";
    case SYS_fork:
    case SYS_vfork:
        return "processes made without fork() are not modelled; use that";
    case SYS_wait4:
    case SYS_waitid:
        return "waiting without waitpid() is not modelled; use that";
    case SYS_execve:
    case SYS_execveat:
        return "another program without execve() is not modelled; use that";
    case SYS_timer_create:
    case SYS_timer_settime:
    case SYS_timer_gettime:
    case SYS_timer_getoverrun:
    case SYS_timer_delete:
        return "timers without libc's functions are not modelled; use these";
    case SYS_rt_sigaction:
        return "handlers set without sigaction() are not modelled; use that";
    case SYS_clock_settime:
    case SYS_settimeofday:
        return "setting the clock is not modelled; leave it when testing";
    case SYS_exit:
        return "the end of a thread without pthread_exit() is not modelled; use that";
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
        return "signals without sigqueue() are not modelled; use that";
    case SYS_futex_waitv:
        return "waiting for several futexes is not modelled; use FUTEX_WAIT";
    case SYS_io_uring_setup:
    case SYS_io_uring_enter:
    case SYS_io_uring_register:
    case SYS_io_setup:
    case SYS_io_submit:
    case SYS_io_getevents:
    case SYS_io_pgetevents:
        return "asynchronous input and output is not modelled; read or write in a thread";
    case SYS_mq_open:
    case SYS_mq_timedsend:
    case SYS_mq_timedreceive:
    case SYS_mq_notify:
        return "message queues are modelled by their functions only; use mq_open and so on";
    case SYS_msgget:
    case SYS_msgsnd:
    case SYS_msgrcv:
        return "System V message queues are not modelled; use mq_open, or a pipe";
    case SYS_semget:
    case SYS_semop:
    case SYS_semtimedop:
        return "System V semaphores are not modelled; use sem_init or sem_open";
    case SYS_pidfd_open:
    case SYS_pidfd_getfd:
    case SYS_pidfd_send_signal:
        return "processes as files are not modelled; use waitpid and kill";
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
        return "the memory of processes is not modelled; copy within this one";
    case SYS_inotify_add_watch:
    case SYS_fanotify_init:
        return "changes of files as events are not modelled; let a thread of the test tell of them";
    case SYS_remap_file_pages:
        return "pages of a file in another order are not modelled; map each of them by mmap";
    case SYS_userfaultfd:
        return "page faults as events are not modelled; leave them to the kernel";
    default:
        return NULL;
    }
}

static long with_errno(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* The kernel's sets are shorter than libc's. */
static long sigmask_syscall(const long *a, uintptr_t site)
{
    uint64_t old[16] = {0};
    int result = sigmask_old((int)a[0], (void *)a[1], a[2] != 0 ? old : NULL, site);
    if (a[2] != 0 && result == 0)
        *(uint64_t *)a[2] = old[0];
    return result;
}

/* Calls that change the process: the exported function does what it does for the program. */
static bool by_changing_function(long number, const long *a, long *result)
{
    switch (number) {
    case SYS_mmap:
        *result = (long)mmap((void *)a[0], (size_t)a[1], (int)a[2], (int)a[3], (int)a[4], a[5]);
        break;
    case SYS_munmap:
        *result = munmap((void *)a[0], (size_t)a[1]);
        break;
    case SYS_mprotect:
        *result = mprotect((void *)a[0], (size_t)a[1], (int)a[2]);
        break;
    case SYS_mremap:
        *result = (long)mremap((void *)a[0], (size_t)a[1], (size_t)a[2], (int)a[3], (void *)a[4]);
        break;
    case SYS_shmat:
        *result = (long)shmat((int)a[0], (void *)a[1], (int)a[2]);
        break;
    case SYS_shmdt:
        *result = shmdt((void *)a[0]);
        break;
    case SYS_shmget:
        *result = shmget((int)a[0], (size_t)a[1], (int)a[2]);
        break;
    case SYS_madvise:
        *result = madvise((void *)a[0], (size_t)a[1], (int)a[2]);
        break;
    case SYS_chdir:
        *result = chdir((const char *)a[0]);
        break;
    case SYS_fchdir:
        *result = fchdir((int)a[0]);
        break;
    case SYS_umask:
        *result = (long)umask((unsigned)a[0]);
        break;
    case SYS_prlimit64:
        *result = prlimit((int)a[0], (int)a[1], (void *)a[2], (void *)a[3]);
        break;
    case SYS_prctl:
        *result = prctl((int)a[0], a[1], a[2], a[3], a[4]);
        break;
    case SYS_setpriority:
        *result = setpriority((int)a[0], (unsigned)a[1], (int)a[2]);
        break;
    case SYS_getpriority: /* the kernel's answer is never negative */
        *result = 20 - getpriority((int)a[0], (unsigned)a[1]);
        break;
    case SYS_sched_getaffinity: /* the kernel tells how many bytes it has filled */
        *result = os_call(SYS_sched_getaffinity, 0, a[1], a[2], 0, 0, 0);
        *result = sched_getaffinity((int)a[0], (size_t)a[1], (void *)a[2]) != 0 ? -1 : *result;
        break;
    case SYS_sched_setaffinity:
        *result = sched_setaffinity((int)a[0], (size_t)a[1], (void *)a[2]);
        break;
    case SYS_ioctl:
        *result = ioctl((int)a[0], (unsigned long)a[1], (void *)a[2]);
        break;
    default:
        return false;
    }
    return true;
}

/* Calls that libc has a function for which is modelled: the same happens. */
static bool by_function(long number, const long *a, uintptr_t site, long *result)
{
    switch (number) {
    case SYS_clock_gettime:
        *result = time_of_clock((clockid_t)a[0], (void *)a[1], site);
        break;
    case SYS_clock_getres:
        *result = time_resolution((clockid_t)a[0], (void *)a[1], site);
        break;
    case SYS_gettimeofday:
        *result = time_of_day((void *)a[0], (void *)a[1], site);
        break;
    case SYS_time:
        *result = time_seconds((void *)a[0], site);
        break;
    case SYS_times:
        *result = time_in_ticks((void *)a[0], site);
        break;
    case SYS_getrusage:
        *result = time_usage((int)a[0], (void *)a[1], site);
        break;
    case SYS_nanosleep:
        *result = sleep_nanoseconds((void *)a[0], (void *)a[1], site);
        break;
    case SYS_clock_nanosleep:
        *result = with_errno(
            sleep_on_clock((clockid_t)a[0], (int)a[1], (void *)a[2], (void *)a[3], site));
        break;
    case SYS_sched_yield:
        *result = yield_step(site);
        break;
    case SYS_exit_group:
        end_exit_now((int)a[0], site);
    case SYS_getrandom:
        *result = chance_fill((void *)a[0], (size_t)a[1], (unsigned)a[2], site);
        break;
    case SYS_kill:
        *result = kill_process("syscall", (int)a[0], (int)a[1], site);
        break;
    case SYS_tkill:
        *result = kill_by_id(identity_process(), (int)a[0], (int)a[1], site);
        break;
    case SYS_tgkill:
        *result = kill_by_id((int)a[0], (int)a[1], (int)a[2], site);
        break;
    case SYS_pause:
        *result = signal_pause(site);
        break;
    case SYS_rt_sigprocmask:
        *result = sigmask_syscall(a, site);
        break;
    case SYS_rt_sigsuspend:
        *result = signal_suspend((void *)a[0], site);
        break;
    case SYS_rt_sigtimedwait:
        *result = signal_timedwait((void *)a[0], (void *)a[1], (void *)a[2], site);
        break;
    case SYS_sigaltstack:
        *result = signal_stack((void *)a[0], (void *)a[1], site);
        break;
    case SYS_alarm:
        *result = timer_alarm((unsigned)a[0], site);
        break;
    case SYS_setitimer:
        *result = timer_set_interval((int)a[0], (void *)a[1], (void *)a[2], site);
        break;
    case SYS_getitimer:
        *result = timer_get_interval((int)a[0], (void *)a[1], site);
        break;
    case SYS_getpid:
    case SYS_getpgrp:
        *result = identity_process();
        break;
    case SYS_setpgid:
        *result = identity_group((int)a[0], (int)a[1], site);
        break;
    case SYS_setsid:
        *result = identity_session();
        break;
    case SYS_getppid:
        *result = identity_parent();
        break;
    case SYS_gettid:
        *result = identity_me();
        break;
    case SYS_getcpu:
        *result = identity_processor((void *)a[0], (void *)a[1]);
        break;
    default:
        return false;
    }
    return true;
}

EXPORT long syscall(long number, ...)
{
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (running() && refusal(number) != NULL)
        refuse_call("syscall", refusal(number), CALL_SITE);
    long result;
    if (running() &&
        (by_function(number, a, CALL_SITE, &result) || by_changing_function(number, a, &result)))
        return result;
    if (running()) {
        LOCAL_HERE(local);
        for (int i = 0; states_are_compared() && i < 6; i++)
            state_operand((uint64_t)a[i]);
        watch_call(&local);
        if (syscall_on_file(number, a, &local, &result))
            return result;
        if (number == SYS_futex) {
            result = futex_syscall(a, &local);
        } else {
            process_syscall(number, CALL_SITE);
            if (number == SYS_fcntl)
                process_check_control((int)a[1], CALL_SITE);
            world_descriptors(); /* it may have made one */
            result = os_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
        }
    } else {
        result = os_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
