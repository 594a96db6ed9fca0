/* Numbers of processes and groups in calls: those of the program are translated to the kernel's. */
#include <errno.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/refuse.h"
#include "runtime/process/process.h"
#include "runtime/process/process_calls.h"

int identity_processor(unsigned *processor, unsigned *node)
{
    if (processor != NULL)
        *processor = 0;
    if (node != NULL)
        *node = 0;
    return 0;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* The group of the worker is the kernel's, and outlives the execution: nothing is done to it. */
int identity_group(int process, int group, uintptr_t site)
{
    if (group < 0)
        return fail(EINVAL);
    if (process != 0 && process != identity_process()) {
        if (process_kernel(process) > 0)
            refuse_call("setpgid",
                        "process groups of child processes are not modelled; "
                        "leave this out when testing",
                        site);
        return fail(ESRCH);
    }
    return group == 0 || group == identity_process() ? 0 : fail(EPERM); /* there is no other one */
}

/* The leader of a group cannot begin a session. */
int identity_session(void)
{
    return fail(EPERM);
}

static int kernel_process(void)
{
    return (int)os_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

int identity_child(void)
{
    return rt.process.child;
}

int identity_child_signalled(int process, int number)
{
    if (process == identity_process() || process == 0)
        refuse_call("kill",
                    "a child process that signals the program is not modelled; let it end instead",
                    ex.pending[ex.current].site); /* where it was started */
    long result = os_call(SYS_kill, process == rt.process.child ? kernel_process() : process,
                          number, 0, 0, 0, 0);
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

/* Of these the program was told other numbers than the kernel has. */
bool identity_is_known(int id)
{
    return id == 0 || identity_thread(id) != NO_THREAD || process_kernel(id) > 0;
}

int identity_asked(int id)
{
    return identity_thread(id) == NO_THREAD ? id : 0;
}
