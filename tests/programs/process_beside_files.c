// Other programs can be run while the program has pipes and the like of its own open, if these are closed on exec.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused)
{
    char byte;
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int pair[2];
    char line[16] = "";
    assert(pipe2(ends, O_CLOEXEC) == 0 && eventfd(0, EFD_CLOEXEC) >= 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    pthread_create(&thread, NULL, answer, NULL);
    int status = system("exit 3");
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    FILE *from = popen("echo done", "r");
    assert(from != NULL && fgets(line, sizeof line, from) == line && strcmp(line, "done\n") == 0);
    assert(pclose(from) == 0);
    assert(write(ends[1], "x", 1) == 1);
    pthread_join(thread, NULL);
    return 0;
}
