// A call that is not modelled is refused, with its name and its place, before it can make a claim
// false.
// expect: exit 3
// expect: verdict == refused
// expect: claim.kind == nothing
// expect: output refused_calls.c
// run: -s dfs -- semget
// expect: output semget
// run: -s dfs -- stop
// expect: output stopping the process
// run: -s dfs -- daemon
// expect: output daemon
// run: -s dfs -- endless-child
// expect: output waitpid
// expect: output has not ended
// run: -s dfs -- child-reads
// expect: output fork: a child process has not closed its end of a pipe
// expect: output let it not read from the program's pipes
// run: -s dfs -- child-signals
// expect: output a child process that signals the program
// run: -s dfs -- by-path
// expect: output /proc/self/fd/
// expect: output not modelled for pipe
// run: -s dfs -- runtime-descriptor
// expect: output dup2: this descriptor is the runtime's
// run: -s dfs -- runtime-descriptor-by-number
// expect: output dup2: this descriptor is the runtime's
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void wait_for(const char *call)
{
    pid_t child = fork();
    if (child == 0 && strcmp(call, "child-signals") == 0)
        kill(getppid(), SIGUSR1);
    while (child == 0)
        pause();
    waitpid(child, NULL, 0);
}

/* The child waits for what the program would write after fork. */
static void ask_child(void)
{
    int there[2], back[2];
    char byte = 'x';
    if (pipe(there) != 0 || pipe(back) != 0)
        return;
    if (fork() == 0) {
        if (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
            _exit(0);
        _exit(1);
    }
    if (write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
        wait(NULL);
}

static void open_by_path(void)
{
    int ends[2];
    char path[32];
    if (pipe(ends) == 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
        open(path, O_RDONLY);
    }
}

static void replace_all(const char *call)
{
    for (int i = 3; i < 1024; i++)
        if (strcmp(call, "runtime-descriptor") == 0)
            dup2(0, i);
        else
            syscall(SYS_dup2, 0, i);
}

int main(int argc, char **argv)
{
    const char *call = argc > 1 ? argv[1] : "";
    if (strcmp(call, "semget") == 0)
        return semget(IPC_PRIVATE, 1, 0600) < 0;
    if (strcmp(call, "stop") == 0)
        raise(SIGSTOP);
    else if (strcmp(call, "daemon") == 0)
        return daemon(0, 0);
    else if (strcmp(call, "child-reads") == 0)
        ask_child();
    else if (strcmp(call, "by-path") == 0)
        open_by_path();
    else if (strstr(call, "runtime-descriptor") != NULL)
        replace_all(call);
    else
        wait_for(call);
    return 0;
}
