// A TCP echo server with a thread for each connection, and two clients. Handing the new descriptor over by
// the address of one variable is the classic mistake: the race is found, and so is what comes of it.
// modes: all
// run: -s preempt -b 0
// expect: no finding
// run: -s random -k -n 300 -- shared
// expect: finding race
// expect: finding assertion
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 2 };

static struct sockaddr_in address = {.sin_family = AF_INET};
static int listener, shared, is_shared;

static void *echo(void *argument)
{
    int end = is_shared ? *(int *)argument : (int)(intptr_t)argument;
    char bytes[16];
    ssize_t size;
    while ((size = recv(end, bytes, sizeof bytes, 0)) > 0)
        assert(send(end, bytes, (size_t)size, MSG_NOSIGNAL) == size);
    assert(close(end) == 0);
    return NULL;
}

static void *serve(void *unused)
{
    pthread_t threads[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        int end = accept(listener, NULL, NULL);
        assert(end >= 0);
        if (is_shared)
            shared = end;
        pthread_create(&threads[i], NULL, echo, is_shared ? &shared : (void *)(intptr_t)end);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    return unused;
}

static void talk(const char *text)
{
    char bytes[16];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(fd, (void *)&address, sizeof address) == 0);
    assert(send(fd, text, 2, 0) == 2);
    assert(recv(fd, bytes, sizeof bytes, 0) == 2 && memcmp(bytes, text, 2) == 0);
    assert(close(fd) == 0);
}

static void *client(void *text)
{
    talk(text);
    return NULL;
}

int main(int count, char **arguments)
{
    socklen_t size = sizeof address;
    pthread_t server, other;
    is_shared = count > 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (void *)&address, size) == 0 && listen(listener, CLIENTS) == 0);
    assert(getsockname(listener, (void *)&address, &size) == 0);
    pthread_create(&server, NULL, serve, NULL);
    pthread_create(&other, NULL, client, "ab");
    talk("cd");
    pthread_join(other, NULL);
    pthread_join(server, NULL);
    return 0;
}
