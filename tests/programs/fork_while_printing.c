// A child process may allocate and print, whatever other threads did at the fork: glibc's fork leaves
// the locks of the heap and of all streams free in the child. It may also only execute a program.
// run: -s dfs -k -- malloc
// expect: no finding
// run: -s dfs -k -- printf
// expect: no finding
// run: -s dfs -k -- flockfile
// expect: no finding
// run: -s dfs -k -- exit
// expect: no finding
// run: -s dfs -k -- vfork
// expect: no finding
// run: -s dfs -k -- popen
// expect: no finding
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *way;
static void *volatile block;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void *work(void *unused)
{
    block = malloc(100);
    flockfile(stdout);
    printf("working\n");
    sched_yield();
    funlockfile(stdout);
    free(block);
    return unused;
}

static void in_child(void)
{
    if (is("malloc"))
        free(malloc(1000));
    if (is("printf"))
        printf("child\n");
    if (is("flockfile")) {
        flockfile(stdout);
        funlockfile(stdout);
    }
    if (is("exit"))
        exit(0);
    if (is("vfork"))
        execl("/bin/true", "true", NULL);
    _exit(0);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int status = 0;
    way = argv[argc - 1];
    pthread_create(&thread, NULL, work, NULL);
    if (is("popen")) {
        FILE *stream = popen("true", "r");
        status = stream != NULL ? pclose(stream) : 1;
    } else {
        pid_t child = is("vfork") ? vfork() : fork();
        if (child == 0)
            in_child();
        waitpid(child, &status, 0);
    }
    pthread_join(thread, NULL);
    return status;
}
