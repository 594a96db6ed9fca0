// Starting a child process and waiting for it are a step each; the child runs on its own.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 6
// expect: classes 6
// expect: complete == true
// run: -s dfs -- output
// expect: finding assertion
// expect: output T0 said 10000, its child 20001 of 10000
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread int prepared, went_on, in_child; /* handlers of two forks may run at one time */

static void prepare(void)
{
    prepared++;
}

static void go_on(void)
{
    went_on++;
}

static void begin_child(void)
{
    in_child++;
}

/* Two steps in each of two threads: 4! / (2! 2!) = 6 interleavings. */
static void start_and_wait(int answer)
{
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0)
        _exit(in_child == 1 && getppid() != getpid() ? answer : 1);
    int status;
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == answer);
}

static void *work(void *unused)
{
    start_and_wait(40);
    return unused;
}

static void report(void)
{
    printf("T0 said %d, ", getpid());
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("its child %d of %d\n", getpid(), getppid());
        exit(0);
    }
    wait(NULL);
    assert(!"shown");
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 1)
        report();
    pthread_atfork(prepare, go_on, begin_child);
    pthread_create(&thread, NULL, work, NULL);
    start_and_wait(30);
    pthread_join(thread, NULL);
    assert(prepared == 1 && went_on == 1 && in_child == 0);
    assert(waitpid(-1, NULL, 0) == -1);
    return 0;
}
