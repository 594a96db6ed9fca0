// A child (of fork, posix_spawn, system or popen) that writes its result to a pipe and ends: it does so as part of
// the step that starts it, and the program reads its bytes, the end of file, and its status. A child that waits for
// what the program writes is refused, see refused_calls.c.
// modes: all
// run: -s dfs -- one
// expect: no finding
// expect: executions 1
// run: -s dfs -- long
// expect: no finding
// expect: executions 1
// run: -s dfs -- exec
// expect: no finding
// expect: executions 1
// run: -s dfs -- stream
// expect: no finding
// expect: executions 1
// run: -s dfs -- closed
// expect: no finding
// expect: executions 1
// run: -s dfs -- spawn
// expect: no finding
// expect: executions 1
// run: -s dfs -- spawn-closed
// expect: no finding
// run: -s dfs -- system
// expect: no finding
// expect: executions 1
// run: -s dfs -- popen
// expect: no finding
// expect: executions 1
// run: -s random -n 5 -- two
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 200000 };

static const char *how;

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static void write_long(int end)
{
    static char bytes[LONG];
    memset(bytes, 'x', sizeof bytes);
    for (long written = 0, some; written < LONG; written += some) {
        some = write(end, bytes + written, LONG - written);
        if (some < 0)
            _exit(1);
    }
}

static void be_child(int end)
{
    if (is("long"))
        write_long(end);
    else if (is("exec")) {
        dup2(end, 1);
        close(end);
        execlp("printf", "printf", "%s", "result", NULL);
        _exit(1);
    } else if (is("stream")) {
        FILE *stream = fdopen(end, "w");
        fprintf(stream, "re%s", "sult");
        exit(fclose(stream));
    } else if (is("closed")) {
        signal(SIGPIPE, SIG_IGN);
        _exit(write(end, "result", 6) == -1 && errno == EPIPE ? 0 : 1);
    } else if (write(end, "result", 6) != 6)
        _exit(1);
    _exit(0);
}

static long read_all(int end)
{
    static __thread char bytes[LONG + 1];
    long size = 0, some;
    while ((some = read(end, bytes + size, sizeof bytes - size)) > 0)
        size += some;
    assert(some == 0 && (size != 6 || memcmp(bytes, "result", 6) == 0));
    return size;
}

/* Where libc starts it: its standard output becomes the pipe, or the shell knows the number. */
static void ask_program(void)
{
    int ends[2], status = 0;
    char command[64], line[8] = "";
    assert(pipe2(ends, is("spawn-closed") ? O_CLOEXEC : 0) == 0);
    snprintf(command, sizeof command, "printf result >&%d; echo done", ends[1]);
    if (is("system")) {
        status = system(command);
    } else if (is("popen")) {
        FILE *stream = popen(command, "r");
        assert(fgets(line, sizeof line, stream) != NULL && strcmp(line, "done\n") == 0);
        status = pclose(stream);
    } else {
        posix_spawn_file_actions_t actions;
        char *arguments[] = {"printf", "%s", "result", NULL};
        pid_t child;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        assert(posix_spawnp(&child, "printf", &actions, NULL, arguments, environ) == 0);
        posix_spawn_file_actions_destroy(&actions);
        assert(waitpid(child, &status, 0) == child);
    }
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert(fcntl(ends[1], F_GETFD) == (is("spawn-closed") ? FD_CLOEXEC : 0));
    close(ends[1]);
    assert(read_all(ends[0]) == 6);
    close(ends[0]);
}

static void *ask_child(void *unused)
{
    int ends[2], status;
    assert(pipe(ends) == 0);
    if (is("closed"))
        close(ends[0]);
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0) {
        if (!is("closed"))
            close(ends[0]);
        be_child(ends[1]);
    }
    close(ends[1]);
    if (!is("closed")) {
        assert(read_all(ends[0]) == (is("long") ? LONG : 6));
        close(ends[0]);
    }
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    how = argc > 1 ? argv[1] : "one";
    if (is("spawn") || is("spawn-closed") || is("system") || is("popen")) {
        ask_program();
        return 0;
    }
    if (is("two"))
        assert(pthread_create(&thread, NULL, ask_child, NULL) == 0);
    ask_child(NULL);
    if (is("two"))
        assert(pthread_join(thread, NULL) == 0);
    return 0;
}
