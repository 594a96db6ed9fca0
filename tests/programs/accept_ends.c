// How to stop a thread that waits in accept: shutdown wakes it; close does not, if it waits already.
// modes: all
// run: -s dfs -- shutdown
// expect: no finding
// expect: complete == true
// run: --races off -s dfs -k -- close
// expect: finding deadlock
// expect: complete == true
// expect: executions 2
// expect: buggy == 1
// expect: output T1 waits: accept from socket 3
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener;

static void *serve(void *unused)
{
    assert(accept(listener, NULL, NULL) == -1);
    assert(errno == EINVAL || errno == EBADF);
    return unused;
}

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    pthread_t thread;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (void *)&address, sizeof address) == 0 && listen(listener, 1) == 0);
    pthread_create(&thread, NULL, serve, NULL);
    if (arguments[1][0] == 's')
        assert(shutdown(listener, SHUT_RDWR) == 0);
    else
        assert(close(listener) == 0);
    pthread_join(thread, NULL);
    return 0;
}
