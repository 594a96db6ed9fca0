/* system and popen: children that run a shell. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/real.h"
#include "runtime/file/file_calls.h"
#include "runtime/process/inherit.h"
#include "runtime/process/process.h"
#include "runtime/process/process_parts.h"
#include "runtime/snapshot/world.h"
#include "runtime/time/signal.h"

extern char **environ;

/* A child of ours that makes system calls only; -1 in `input` or `output`: as the program's. */
static int start_shell(const char *command, int input, int output, bool shares)
{
    const char *arguments[] = {"sh", "-c", "--", command, NULL};
    int process = (int)os_call(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (process != 0)
        return process;
    rt.running = false;
    signals_hand_over();
    if (shares)
        inherit_in_child();
    if (input >= 0)
        os_call(SYS_dup2, input, 0, 0, 0, 0, 0);
    if (output >= 0)
        os_call(SYS_dup2, output, 1, 0, 0, 0, 0);
    os_call(SYS_execve, (long)"/bin/sh", (long)arguments, (long)environ, 0, 0, 0);
    os_exit(127);
}

int process_shell(const char *command, uintptr_t site)
{
    if (command == NULL)
        return 1;
    process_announce_start("system", inherit_cannot_over_exec, site);
    bool shares = files_are_inherited();
    if (shares)
        inherit_open("system", site);
    int process = start_shell(command, -1, -1, shares);
    struct child *child = process < 0 ? NULL : child_add_watched(process, site);
    process_shares(alias_shared(true));
    if (shares)
        child_share_until_end(child, "system", site);
    if (child == NULL)
        return process_fails(-process);
    uint64_t before = ex.me->signals.blocked;
    ex.me->signals.blocked |= 1ul << (SIGCHLD - 1);
    int error;
    child = process_wait_step((uint32_t)child->number, false, child, "system", site, &error);
    if (child != NULL)
        child->reaped = true;
    signals_block(before);
    return child == NULL ? process_fails(error) : child->status;
}

void *process_pipe(const char *command, const char *mode, uintptr_t site)
{
    bool reads = false, writes = false, keeps = true;
    for (const char *at = mode; *at != 0; at++) {
        reads |= *at == 'r';
        writes |= *at == 'w';
        keeps &= *at != 'e';
        if (*at != 'r' && *at != 'w' && *at != 'e')
            reads = writes = true;
    }
    if (reads == writes) {
        errno = EINVAL;
        return NULL;
    }
    process_announce_start("popen", inherit_cannot_over_exec, site);
    world_descriptors();
    bool shares = files_are_inherited();
    if (shares)
        inherit_open("popen", site);
    int ends[2];
    long error = os_call(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0);
    int ours = ends[reads ? 0 : 1], theirs = ends[reads ? 1 : 0];
    int process = error < 0
                      ? (int)error
                      : start_shell(command, reads ? -1 : theirs, reads ? theirs : -1, shares);
    if (error == 0)
        os_close(theirs);
    if (error == 0 && process < 0)
        os_close(ours);
    struct child *child = process < 0 ? NULL : child_add_watched(process, site);
    process_shares(alias_shared(true));
    if (shares)
        child_share_until_end(child, "popen", site);
    if (child == NULL) {
        errno = -process;
        return NULL;
    }
    if (keeps)
        os_call(SYS_fcntl, ours, F_SETFD, 0, 0, 0, 0);
    FILE *(*open_stream)(int, const char *) = (FILE * (*)(int, const char *)) real_symbol("fdopen");
    child->stream = open_stream(ours, reads ? "r" : "w");
    return child->stream;
}

int process_unpipe(void *stream, uintptr_t site)
{
    struct child *child = ex.process.processes;
    while (child != NULL && child->stream != stream)
        child = child->next;
    if (child == NULL)
        return process_fails(ECHILD);
    int (*close_stream)(void *) = (int (*)(void *))real_symbol("fclose");
    child->stream = NULL;
    close_stream(stream);
    int error;
    bool disabled = ex.me->cancel.disabled;
    ex.me->cancel.disabled = true; /* this is no cancellation point */
    struct child *ended =
        process_wait_step((uint32_t)child->number, false, NULL, "pclose", site, &error);
    ex.me->cancel.disabled = disabled;
    if (ended == NULL)
        return process_fails(error);
    ended->reaped = true;
    return ended->status;
}
