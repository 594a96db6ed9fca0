// The program leads a process group of its own, as under a shell, and stays there: what it asks for is
// answered as the kernel would, and nothing happens to the group of the process that runs it.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 2
// run: -s dfs -- child
// expect: exit 3
// expect: output setpgid: process groups of child processes are not modelled
// expect: output process_groups.c
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void fails(long result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static void *work(void *unused)
{
    assert(setpgid(0, 0) == 0 && setpgid(getpid(), getpid()) == 0 && setpgrp() == 0);
    assert(syscall(SYS_setpgid, 0, 0) == 0);
    fails(setsid(), EPERM);
    fails(syscall(SYS_setsid), EPERM);
    fails(setpgid(0, -1), EINVAL);
    fails(setpgid(0, getppid()), EPERM);
    fails(setpgid(getppid(), 0), ESRCH);
    assert(getpgrp() == getpid() && getsid(0) == getppid());
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (argc > 1) {
        pid_t child = fork();
        if (child == 0)
            _exit(setsid() == -1 || getsid(0) == getppid());
        int status;
        assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 0);
        child = fork();
        if (child == 0)
            _exit(0);
        setpgid(child, child);
    }
    pthread_join(thread, NULL);
    return 0;
}
