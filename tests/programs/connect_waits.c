// A Unix socket with a backlog of 0 lets one connection wait; the next connect goes on when that one has
// been accepted. Nobody has to accept for a connection to be made and written to.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- nobody
// expect: finding deadlock
// expect: output connect to socket 3
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0bohr-connect-waits"};

static void *talk(void *unused)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(fd, (void *)&address, sizeof address) == 0);
    assert(write(fd, "hello", 5) == 5);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t first, second;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    char bytes[8];
    assert(bind(listener, (void *)&address, sizeof address) == 0 && listen(listener, 0) == 0);
    pthread_create(&first, NULL, talk, NULL);
    pthread_create(&second, NULL, talk, NULL);
    for (int i = 0; i < 2 && count == 1; i++) {
        int end = accept(listener, NULL, NULL);
        assert(end >= 0 && read(end, bytes, 8) == 5);
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
