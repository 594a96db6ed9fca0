// SIGCHLD comes when a child's end is known: a step of its own, at any moment after the child was started, as
// long as the program could notice it.
//
// suspend: the end comes before sigsuspend or while it sleeps: 2.
// wait: the handler has run just before waitpid, and reaped the child, or waitpid is told first: 2; `claim` says
//       that it always is.
// late: the handler is installed when the child runs already: the step of the end comes before pause or while
//       that sleeps, and in each the child may have ended before there was a handler: 4, and only the one that ends
//       while pause sleeps does not sleep forever: a deadlock in 3.
// taken: SIGCHLD is blocked, and taken by sigwaitinfo in a thread. The end comes before the create or after it; then
//        sigwaitinfo waits for it, and join for the thread: 2.
// interrupted: another thread signals main, whose waitpid fails if it sleeps then: with SA_RESTART it goes on.
// modes: all
// run: -s dfs -- suspend
// expect: no finding
// expect: executions 2
// expect: complete == true
// run: -s dfs -- wait
// expect: no finding
// expect: executions 2
// expect: complete == true
// run: -s dfs -- claim
// expect: finding assertion
// run: -s dfs -k -- late
// expect: finding deadlock
// expect: executions 4
// expect: buggy 3
// run: -s dfs -- taken
// expect: no finding
// expect: executions 2
// expect: complete == true
// run: -s dfs -- system
// expect: no finding
// expect: executions 1
// run: -s dfs -- spawn
// expect: no finding
// expect: executions 2
// run: -s dfs -- popen
// expect: no finding
// run: -s dfs -- discarded
// expect: no finding
// expect: executions 1
// run: -s dfs -- killed
// expect: no finding
// run: -s dfs -- interrupted wait
// expect: no finding
// expect: complete == true
// run: -s dfs -- never wait
// expect: finding assertion
// run: -s dfs -- interrupted waitpid
// expect: no finding
// expect: complete == true
// run: -s dfs -- never waitpid
// expect: finding assertion
// run: -s dfs -- interrupted wait3
// expect: no finding
// expect: complete == true
// run: -s dfs -- never wait3
// expect: finding assertion
// run: -s dfs -- interrupted wait4
// expect: no finding
// expect: complete == true
// run: -s dfs -- never wait4
// expect: finding assertion
// run: -s dfs -- interrupted waitid
// expect: no finding
// expect: complete == true
// run: -s dfs -- never waitid
// expect: finding assertion
// run: -s dfs -- restarted waitpid
// expect: no finding
// run: -s random -n 20 -- several
// expect: no finding
// run: -s dfs -- unheard
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile sig_atomic_t calls, reaped, last_pid, last_status, last_code;
static sigset_t only_this, before;

static void on_end(int number, siginfo_t *info, void *context)
{
    int error = errno, status;
    assert(number == SIGCHLD);
    calls++;
    last_pid = info->si_pid;
    last_status = info->si_status;
    last_code = info->si_code;
    while (waitpid(-1, &status, WNOHANG) > 0)
        reaped++;
    errno = error;
}

static void install(int flags)
{
    struct sigaction action = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO | flags};
    assert(sigaction(SIGCHLD, &action, NULL) == 0);
}

static void block(void)
{
    assert(sigprocmask(SIG_BLOCK, &only_this, &before) == 0);
}

static pid_t start(int status)
{
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0)
        _exit(status);
    return child;
}

static void suspend(int children)
{
    install(0);
    block();
    for (int i = 0; i < children; i++)
        start(7);
    while (reaped < children)
        sigsuspend(&before);
    assert(calls >= 1 && calls <= children && last_code == CLD_EXITED && last_status == 7);
}

static void wait_for_it(int always)
{
    int status;
    install(0);
    pid_t child = start(3), got = waitpid(child, &status, 0);
    assert(calls == 1 && last_pid == child && last_status == 3);
    assert(got == child ? WEXITSTATUS(status) == 3 && reaped == 0
                        : got == -1 && errno == ECHILD && reaped == 1);
    assert(!always || got == child);
}

static void late(void)
{
    start(1);
    install(0);
    pause();
    assert(calls == 1);
}

static void *take(void *unused)
{
    siginfo_t info;
    assert(sigwaitinfo(&only_this, &info) == SIGCHLD);
    assert(info.si_pid == *(pid_t *)unused && info.si_code == CLD_EXITED && info.si_status == 5);
    assert(waitpid(info.si_pid, NULL, WNOHANG) == info.si_pid);
    return NULL;
}

static void take_in_thread(void)
{
    pthread_t thread;
    block();
    pid_t child = start(5);
    assert(pthread_create(&thread, NULL, take, &child) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

/* `system` blocks the signal until it has waited: the handler finds nothing left. */
static void by_system(void)
{
    install(0);
    int status = system("exit 4");
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    assert(calls == 1 && reaped == 0 && last_status == 4);
}

static void by_spawn(void)
{
    pid_t child;
    char *arguments[] = {"sh", "-c", "exit 6", NULL};
    install(0);
    block();
    assert(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    while (reaped == 0)
        sigsuspend(&before);
    assert(last_pid == child && last_status == 6);
}

/* The handler may be the one that is told of the end. */
static void by_popen(void)
{
    char line[8] = "";
    install(SA_RESTART);
    FILE *stream = popen("echo text", "r");
    assert(fgets(line, sizeof line, stream) != NULL && strcmp(line, "text\n") == 0);
    int status = pclose(stream);
    assert(status == 0 ? reaped == 0 : status == -1 && errno == ECHILD && reaped == 1);
}

/* Nobody can wait for it: wait is told that there is none once it has ended. */
static void discarded(void)
{
    install(SA_NOCLDWAIT);
    start(2);
    assert(waitpid(-1, NULL, 0) == -1 && errno == ECHILD);
    assert(calls == 1 && reaped == 0 && last_status == 2);
}

static void killed(void)
{
    install(0);
    block();
    pid_t child = fork();
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
    }
    while (reaped == 0)
        sigsuspend(&before);
    assert(last_pid == child && last_code == CLD_KILLED && last_status == SIGTERM);
}

static volatile sig_atomic_t poked;

static void on_poke(int number)
{
    poked = number;
}

static void *poke(void *main_thread)
{
    assert(pthread_kill(*(pthread_t *)main_thread, SIGUSR1) == 0);
    return NULL;
}

static int strikes(int interrupted)
{
    assert(interrupted && poked == SIGUSR1);
    return 0;
}

static int wait_by(const char *call, pid_t child, int *status)
{
    struct rusage usage;
    siginfo_t info;
    if (strcmp(call, "wait") == 0)
        return wait(status) != -1 || strikes(errno == EINTR);
    if (strcmp(call, "waitpid") == 0)
        return waitpid(child, status, 0) != -1 || strikes(errno == EINTR);
    if (strcmp(call, "wait3") == 0)
        return wait3(status, 0, &usage) != -1 || strikes(errno == EINTR);
    if (strcmp(call, "wait4") == 0)
        return wait4(child, status, 0, &usage) != -1 || strikes(errno == EINTR);
    return waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != -1 || strikes(errno == EINTR);
}

static void interrupted(const char *call, int flags, int never)
{
    struct sigaction action = {.sa_handler = on_poke, .sa_flags = flags};
    pthread_t self = pthread_self(), thread;
    int status;
    siginfo_t info;
    sigaction(SIGUSR1, &action, NULL);
    block(); /* so that the end is a step */
    assert(pthread_create(&thread, NULL, poke, &self) == 0);
    pid_t child = start(9);
    int ended = wait_by(call, child, &status);
    assert(ended || (flags == 0 && !never));
    if (!ended || strcmp(call, "waitid") == 0)
        assert(waitpid(child, &status, 0) == child);
    assert(WEXITSTATUS(status) == 9);
    assert(pthread_join(thread, NULL) == 0);
    assert(waitid(P_PID, (id_t)child, &info, WEXITED) == -1 && errno == ECHILD);
}

/* Neither handled nor blocked: no step, and waiting is as without it. */
static void unheard(void)
{
    int status;
    signal(SIGCHLD, SIG_DFL);
    pid_t child = start(8);
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 8);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "suspend";
    sigemptyset(&only_this);
    sigaddset(&only_this, SIGCHLD);
    if (strcmp(how, "suspend") == 0)
        suspend(1);
    else if (strcmp(how, "several") == 0)
        suspend(3);
    else if (strcmp(how, "wait") == 0 || strcmp(how, "claim") == 0)
        wait_for_it(how[0] == 'c');
    else if (strcmp(how, "late") == 0)
        late();
    else if (strcmp(how, "taken") == 0)
        take_in_thread();
    else if (strcmp(how, "system") == 0)
        by_system();
    else if (strcmp(how, "spawn") == 0)
        by_spawn();
    else if (strcmp(how, "popen") == 0)
        by_popen();
    else if (strcmp(how, "discarded") == 0)
        discarded();
    else if (strcmp(how, "killed") == 0)
        killed();
    else if (strcmp(how, "interrupted") == 0 || strcmp(how, "never") == 0)
        interrupted(argv[2], 0, how[0] == 'n');
    else if (strcmp(how, "restarted") == 0)
        interrupted(argv[2], SA_RESTART, 0);
    else
        unheard();
    return 0;
}
