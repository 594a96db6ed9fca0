/* compile: -ffixed-rbx -ffixed-r12 -ffixed-r13 -ffixed-r14 -ffixed-r15 */
/* syscall(): most calls pass; those that would start threads or block behind our back do not. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/memory/local.h"
#include "runtime/model/futex.h"
#include "runtime/refuse.h"
#include "runtime/runtime.h"

static const char *refusal(long number)
{
    switch (number) {
    case SYS_clone:
    case SYS_clone3: return "threads made without pthread_create are not modelled";
    case SYS_fork:
    case SYS_vfork: return "other processes are not modelled";
    default: return NULL;
    }
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
    if (running() && number == SYS_futex) {
        LOCAL_HERE(local);
        result = futex_syscall(a, &local);
    } else {
        result = os_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
