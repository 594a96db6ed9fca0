// Writing to a pipe that nobody reads: SIGPIPE comes from the kernel. It ends the program, is
// ignored, or comes to the program's handler before write returns.
// modes: all preload
// run: -s dfs -- handled
// expect: no finding
// expect: executions 1
// run: -s dfs -- ignored
// expect: no finding
// expect: executions 1
// run: -s dfs -- dies
// expect: finding crash
// expect: output ended by SIGPIPE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int handled; /* not static: the compiler must expect that write changes it */

static void on_signal(int number)
{
    handled = number;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "handled";
    int ends[2];
    if (strcmp(way, "dies") != 0)
        signal(SIGPIPE, strcmp(way, "handled") == 0 ? on_signal : SIG_IGN);
    assert(pipe(ends) == 0);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    assert(handled == (strcmp(way, "handled") == 0 ? SIGPIPE : 0));
    return 0;
}
