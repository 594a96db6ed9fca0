// The ways to become another program, in a child and where they fail: the same as with libc. In
// place of the tested program, with its status.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 3
// expect: no finding
// run: -s dfs --expect-exit 5 -- 0
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- 1
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- 2
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- 3
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- 4
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- 5
// expect: no finding
// expect: complete == true
// run: -s dfs --expect-exit 5 -- 6
// expect: no finding
// expect: complete == true
// run: -s random -n 3 --expect-exit 5 -- 7
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 8 };
static char *words[] = {"sh", "-c", "test \"$ANSWER\" = 5 && exit 5", NULL};
static char *environment[] = {"ANSWER=5", "PATH=/usr/bin:/bin", NULL};

static int become(int way, const char *shell)
{
    switch (way) {
    case 0:
        return execve(shell, words, environment);
    case 1:
        return execv(shell, words);
    case 2:
        return execvp(shell, words);
    case 3:
        return execvpe(shell, words, environment);
    case 4:
        return execveat(AT_FDCWD, shell, words, environment, 0);
    case 5:
        return execle(shell, words[0], words[1], words[2], (char *)NULL, environment);
    case 6:
        return execl(shell, words[0], words[1], words[2], (char *)NULL);
    default:
        return execlp(shell, words[0], words[1], words[2], (char *)NULL);
    }
}

static void in_a_child(int way)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        become(way, "/bin/sh");
        _exit(1);
    }
    assert(child > 0 && waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

static void by_descriptor(void)
{
    int status, file = open("/bin/sh", O_RDONLY | O_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        fexecve(file, words, environment);
        _exit(1);
    }
    assert(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
    errno = 0;
    assert(fexecve(-1, words, environment) == -1 && errno == EINVAL);
    assert(close(file) == 0);
}

static void by_vfork(void)
{
    int status;
    pid_t child = vfork();
    if (child == 0) {
        execv("/bin/sh", words);
        _exit(1);
    }
    assert(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
    child = vfork();
    if (child == 0)
        _exit(6);
    assert(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 6);
}

static void errors(int way)
{
    errno = 0;
    assert(become(way, "/nowhere/at all") == -1 && errno == ENOENT);
    errno = 0;
    assert(become(way, "/etc/passwd") == -1 && errno == EACCES);
    errno = 0;
    assert(become(way, "/etc/passwd/sh") == -1 && errno == ENOTDIR);
}

int main(int argc, char **argv)
{
    setenv("ANSWER", "5", 1);
    if (argc > 1) {
        become(atoi(argv[1]), "/bin/sh");
        return 1;
    }
    for (int way = 0; way < WAYS; way++) {
        errors(way);
        in_a_child(way);
    }
    by_descriptor();
    by_vfork();
    return 0;
}
