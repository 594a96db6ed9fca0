// Each error that POSIX defines for other processes, where it can be provoked; as with libc. A program
// that cannot be run leaves the one that asked for it as it was.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/bohr-processes-XXXXXX", plain[64], empty[64], loop[64];
static char long_name[PATH_MAX + 2];
static char *const words[] = {"x", NULL};

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

static void make_files(void)
{
    assert(mkdtemp(folder) != NULL);
    snprintf(plain, sizeof plain, "%s/plain", folder);
    snprintf(empty, sizeof empty, "%s/empty", folder);
    snprintf(loop, sizeof loop, "%s/loop", folder);
    close(creat(plain, 0600));
    close(creat(empty, 0700));
    assert(symlink(loop, loop) == 0);
    memset(long_name, 'x', sizeof long_name - 1);
}

static void programs(void)
{
    fails(execve("/nowhere", words, environ), ENOENT);
    fails(execve(plain, words, environ), EACCES);
    fails(execve(empty, words, environ), ENOEXEC);
    fails(execve(loop, words, environ), ELOOP);
    fails(execve("/dev/null/x", words, environ), ENOTDIR);
    fails(execve(long_name, words, environ), ENAMETOOLONG);
    fails(execv("/nowhere", words), ENOENT);
    fails(execv(plain, words), EACCES);
    fails(execv(empty, words), ENOEXEC);
    fails(execvp("bohr-no-such-program", words), ENOENT);
    fails(execvp(plain, words), EACCES);
    fails(execvpe("bohr-no-such-program", words, environ), ENOENT);
    fails(execl("/nowhere", "x", NULL), ENOENT);
    fails(execl(plain, "x", NULL), EACCES);
    fails(execle("/nowhere", "x", NULL, environ), ENOENT);
    fails(execlp("bohr-no-such-program", "x", NULL), ENOENT);
    int file = open(plain, O_RDONLY);
    fails(fexecve(file, words, environ), EACCES);
    fails(fexecve(99, words, environ), EBADF);
    fails(execveat(99, "x", words, environ, 0), EBADF);
    fails(execveat(AT_FDCWD, "/nowhere", words, environ, 0), ENOENT);
    close(file);
}

static void spawned(void)
{
    pid_t child;
    assert(posix_spawn(&child, "/nowhere", NULL, NULL, words, environ) == ENOENT);
    assert(posix_spawn(&child, plain, NULL, NULL, words, environ) == EACCES);
    assert(posix_spawn(&child, empty, NULL, NULL, words, environ) == ENOEXEC);
    assert(posix_spawnp(&child, "bohr-no-such-program", NULL, NULL, words, environ) == ENOENT);
    assert(posix_spawnp(&child, plain, NULL, NULL, words, environ) == EACCES);
    errno = 0;
}

static void waiting(void)
{
    int status;
    siginfo_t info;
    struct rusage usage;
    fails(wait(&status), ECHILD);
    fails(waitpid(-1, &status, 0), ECHILD);
    fails(waitpid(1 << 22, &status, 0), ECHILD);
    fails(waitpid(-1, &status, 0x40), EINVAL);
    fails(wait3(&status, 0, &usage), ECHILD);
    fails(wait3(&status, 0x40, &usage), EINVAL);
    fails(wait4(-1, &status, 0, &usage), ECHILD);
    fails(wait4(-1, &status, 0x40, &usage), EINVAL);
    fails(waitid(P_ALL, 0, &info, WEXITED), ECHILD);
    fails(waitid(P_ALL, 0, &info, 0), EINVAL);
    fails(waitid(99, 0, &info, WEXITED), EINVAL);
    assert(popen("true", "?") == NULL && errno == EINVAL);
    FILE *other = popen("exit 3", "r");
    assert(other != NULL && waitpid(-1, &status, 0) > 0);
    fails(pclose(other), ECHILD); /* somebody else was told of its end */
}

int main(void)
{
    make_files();
    programs();
    spawned();
    waiting();
    assert(unlink(plain) == 0 && unlink(empty) == 0 && unlink(loop) == 0 && rmdir(folder) == 0);
    return 0;
}
