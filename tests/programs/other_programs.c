// system, popen, posix_spawn and exec: other programs run without us, and their results come back.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s dfs --expect-exit 5 -- exec
// expect: no finding
// expect: executions 2
// run: -s dfs --expect-exit 6 -- exec
// expect: finding exit
// run: -s dfs -- exec-fails
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void read_and_write(void)
{
    char line[64];
    FILE *from = popen("echo one; exit 3", "r");
    assert(from != NULL && fgets(line, sizeof line, from) != NULL && strcmp(line, "one\n") == 0);
    assert(WEXITSTATUS(pclose(from)) == 3);
    FILE *to = popen("read word; test \"$word\" = two", "w");
    fputs("two\n", to);
    assert(pclose(to) == 0);
    assert(popen("true", "x") == NULL && errno == EINVAL);
}

static void spawn(void)
{
    char *arguments[] = {"sh", "-c", "exit 8", NULL};
    pid_t child;
    int status;
    assert(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) == 0);
    assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 8);
    assert(posix_spawn(&child, "/nowhere/at all", NULL, NULL, arguments, environ) == ENOENT);
}

static void end_a_child(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    assert(kill(child, SIGTERM) == 0);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void *become_another(void *unused)
{
    execlp("sh", "sh", "-c", "test -z \"$LD_PRELOAD\" || exit 1; exit 5", (char *)NULL);
    abort();
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 1 && strcmp(argv[1], "exec") == 0) {
        pthread_create(&thread, NULL, become_another, NULL);
        exit(5);
    }
    if (argc > 1) {
        assert(execl("/nowhere/at all", "at all", (char *)NULL) == -1 && errno == ENOENT);
        return 0;
    }
    assert(system(NULL) != 0);
    assert(WEXITSTATUS(system("exit 7")) == 7);
    read_and_write();
    spawn();
    end_a_child();
    return 0;
}
