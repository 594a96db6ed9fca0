// A TCP echo server as people write it: an accepting thread that starts one for each client, clients
// that send lines and compare what comes back, and an end by closing what listens. With "short" a client
// takes what one read gives for the whole line.
// run: -s preempt -b 1 -n 20000
// expect: no finding
// run: -s random -n 200
// expect: no finding
// run: --isolate fork -s random -n 20
// expect: no finding
// run: -s random -n 500 -- short
// expect: finding assertion
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_short;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int write_all(int socket, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = send(socket, bytes, size, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        bytes += done;
        size -= (size_t)done;
    }
    return 0;
}

static void *serve(void *argument)
{
    int socket = (int)(intptr_t)argument;
    char bytes[16];
    ssize_t size;
    while ((size = recv(socket, bytes, sizeof bytes, 0)) > 0)
        if (write_all(socket, bytes, (size_t)size) < 0)
            break;
    close(socket);
    return NULL;
}

static void *accept_all(void *argument)
{
    int listener = *(int *)argument;
    for (;;) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        int socket = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC);
        if (socket < 0 && errno == EINTR)
            continue;
        if (socket < 0)
            return NULL;
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        if (pthread_create(&thread, &attributes, serve, (void *)(intptr_t)socket) != 0)
            close(socket);
        pthread_attr_destroy(&attributes);
    }
}

static int listen_somewhere(uint16_t *port)
{
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0)
        die("socket");
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0)
        die("bind");
    if (listen(listener, SOMAXCONN) < 0)
        die("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &size) < 0)
        die("getsockname");
    *port = ntohs(address.sin_port);
    return listener;
}

static int connect_to(uint16_t port)
{
    int on = 1, client = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct timeval patience = {.tv_sec = 5};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(client, (struct sockaddr *)&address, sizeof address) < 0)
        die("connect");
    (void)patience;
    return client;
}

static void *talk(void *argument)
{
    static const char line[] = "hello, who is there?\n";
    char back[sizeof line] = {0};
    size_t size = sizeof line - 1, got = 0;
    int client = connect_to(*(uint16_t *)argument);
    assert(write_all(client, line, size) == 0);
    do {
        ssize_t some = recv(client, back + got, size - got, 0);
        assert(some > 0);
        got += (size_t)some;
    } while (got < size && !is_short);
    assert(strcmp(back, line) == 0);
    close(client);
    return NULL;
}

int main(int argc, char **argv)
{
    uint16_t port;
    pthread_t acceptor, client;
    is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    signal(SIGPIPE, SIG_IGN);
    int listener = listen_somewhere(&port);
    pthread_create(&acceptor, NULL, accept_all, &listener);
    pthread_create(&client, NULL, talk, &port);
    pthread_join(client, NULL);
    shutdown(listener, SHUT_RDWR);
    pthread_join(acceptor, NULL);
    close(listener);
    return 0;
}
