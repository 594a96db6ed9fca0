/* exec: another program in place of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/os.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/refuse.h"
#include "runtime/process/process.h"
#include "runtime/process/process_calls.h"
#include "runtime/process/process_parts.h"

/* A pipe that exec closes tells whether it came to that. */
static struct {
    int ends[2];
    struct child *child;
} new_program;

bool exec_begin(uintptr_t site)
{
    end_begin(site);
    os_call(SYS_pipe2, (long)new_program.ends, O_CLOEXEC, 0, 0, 0, 0);
    int process = (int)os_call(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (process < 0)
        refuse_call("exec", "there is no room for another process; raise the limit (ulimit -u)",
                    site);
    if (process > 0) {
        new_program.child = child_add(process);
        os_close(new_program.ends[1]);
        return false;
    }
    rt.running = false;
    rt.process.child = identity_process();
    signals_hand_over();
    return true;
}

_Noreturn void exec_failed(int error)
{
    os_write(new_program.ends[1], &error, sizeof error);
    os_exit(127);
}

int exec_end(void)
{
    int error = 0;
    long got;
    do
        got = os_read(new_program.ends[0], &error, sizeof error);
    while (got == -EINTR);
    os_close(new_program.ends[0]);
    struct child *child = new_program.child;
    uintptr_t site = ex.pending[ex.current].site;
    child_must_end(child, "exec", site);
    child->reaped = true;
    if (got == (long)sizeof error)
        return process_fails(error);
    int status = child->status;
    end_finish(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
