// A timer's signal can interrupt its thread anywhere, also in a program that is not instrumented: its
// handler prints or allocates while main does, or exits.
// build: gcc -O1
// build: none -O1
// build: plain-tsan -O1
// run: -- alarm
// expect: finding signal-unsafe
// run: -s dfs -k -- setitimer
// expect: finding signal-unsafe
// run: -s dfs -k -- child
// expect: finding signal-unsafe
// run: -s dfs -k -- write
// expect: no finding
// run: -s dfs -k -- late
// expect: no finding
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;

static void on_signal(int number)
{
    if (strcmp(how, "write") == 0)
        write(1, "signal\n", 7);
    else
        printf("signal %d\n", number);
}

int main(int argc, char **argv)
{
    struct itimerval once = {.it_value = {.tv_usec = 1000}};
    how = argv[argc - 1];
    signal(SIGALRM, on_signal);
    signal(SIGCHLD, on_signal);
    if (strcmp(how, "late") == 0) {
        free(malloc(8));
        printf("working\n");
    }
    if (strcmp(how, "setitimer") == 0)
        setitimer(ITIMER_REAL, &once, NULL);
    else if (strcmp(how, "child") == 0) {
        if (fork() == 0)
            _exit(0);
    } else
        alarm(1);
    for (int i = 0; i < 3 && strcmp(how, "late") != 0; i++) {
        printf("line %d\n", i);
        free(malloc(8));
    }
    sleep(2);
    while (wait(NULL) > 0)
        ;
    return 0;
}
