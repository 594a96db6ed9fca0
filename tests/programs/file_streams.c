// Streams of stdio over modelled files: fdopen, fileno, dprintf; a thread that waits for a line.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused)
{
    char line[64];
    FILE *in = fdopen(ends[1], "r"), *out = fdopen(dup(ends[1]), "w");
    assert(in != NULL && out != NULL && fileno(in) == ends[1]);
    while (fgets(line, sizeof line, in) != NULL) {
        fprintf(out, "got %s", line);
        assert(fflush(out) == 0);
    }
    assert(feof(in) && fclose(in) == 0 && fclose(out) == 0);
    return unused;
}

int main(void)
{
    char line[64] = {0};
    pthread_t thread;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    errno = 0;
    assert(fdopen(ends[0], "x") == NULL && errno == EINVAL);
    pthread_create(&thread, NULL, answer, NULL);
    assert(dprintf(ends[0], "line %d\n", 7) == 7);
    assert(recv(ends[0], line, 11, MSG_WAITALL) == 11 && strcmp(line, "got line 7\n") == 0);
    assert(shutdown(ends[0], SHUT_WR) == 0);
    assert(read(ends[0], line, sizeof line) == 0);
    pthread_join(thread, NULL);
    return 0;
}
