// Two threads accept, two connections come: each thread gets one, whichever comes first, with what its
// client wrote.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- unix
// expect: no finding
// expect: complete == true
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listener, written;

static void *serve(void *place)
{
    int end = accept(listener, NULL, NULL);
    assert(end >= 0 && written == 1);
    assert(recv(end, place, 1, 0) == 1);
    return NULL;
}

static struct sockaddr_in inet = {.sin_family = AF_INET};
static struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "\0bohr-accept-waits"};

static void talk(const struct sockaddr *address, socklen_t size, const char *text)
{
    int fd = socket(address->sa_family, SOCK_STREAM, 0);
    assert(connect(fd, address, size) == 0 && send(fd, text, 1, 0) == 1);
}

int main(int count, char **arguments)
{
    struct sockaddr *address = count > 1 ? (void *)&local : (void *)&inet;
    socklen_t size = count > 1 ? sizeof local : sizeof inet;
    char got[2];
    pthread_t first, second;
    inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(address->sa_family, SOCK_STREAM, 0);
    assert(bind(listener, address, size) == 0 && listen(listener, 2) == 0);
    assert(getsockname(listener, address, &size) == 0);
    pthread_create(&first, NULL, serve, &got[0]);
    pthread_create(&second, NULL, serve, &got[1]);
    written = 1;
    talk(address, size, "a");
    talk(address, size, "b");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(got[0] + got[1] == 'a' + 'b');
    return 0;
}
