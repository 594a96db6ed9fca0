#define _GNU_SOURCE
#include "runtime/process/left_behind.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/os.h"
#include "runtime/engine/refuse.h"

enum { LIST_SIZE = 4096 }; /* bytes of the list that are read at once; the rest comes next time */

void orphans_adopt(void)
{
    os_call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0);
}

/* Numbers with a space after each. A number that the end of the buffer cuts is left out. */
static bool kill_listed(const char *list, long size)
{
    bool killed = false;
    long process = 0;
    for (long i = 0; i < size; i++) {
        if (list[i] >= '0' && list[i] <= '9') {
            process = process * 10 + (list[i] - '0');
            continue;
        }
        if (process > 0 && os_call(SYS_kill, process, SIGKILL, 0, 0, 0, 0) == 0)
            killed = true;
        process = 0;
    }
    return killed;
}

/* False: the kernel does not let us kill any of them. */
static bool kill_children(void)
{
    char list[LIST_SIZE];
    int file = os_open("/proc/thread-self/children");
    long size = file < 0 ? file : os_read(file, list, sizeof list);
    if (file >= 0)
        os_close(file);
    if (size < 0)
        refuse("the program leaves processes behind, and /proc/thread-self/children, which would "
               "tell which, cannot be read; let the program wait for them",
               0);
    return kill_listed(list, size);
}

void orphans_end(void)
{
    for (;;) {
        long got = os_call(SYS_wait4, -1, 0, WNOHANG | __WALL, 0, 0, 0);
        if (got == -ECHILD)
            return;
        if (got != 0)
            continue;
        if (!kill_children())
            return;
        os_call(SYS_wait4, -1, 0, __WALL, 0, 0, 0);
    }
}
