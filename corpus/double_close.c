// A connection is closed by its reader if reading fails, and by the thread that shuts the server down.
// Closing looks at a flag and then sets it: if both do so at the same time, both free the buffer.
// group: idioms
// threads: 3
// finds: double-free
// lines: 43 45
// pb: 1
// db: 1
// options: --exit wait
// variants: double_close
// variants: double_close_fixed -DFIXED
// finds double_close_fixed: nothing
// pb double_close_fixed: -
// db double_close_fixed: -
// twin: double_close_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { BUFFER_SIZE = 32 };

struct connection {
    atomic_bool closed;
    char *buffer;
};

static struct connection connection;

static int connection_receive(const struct connection *from)
{
    return from->closed ? 0 : -1; /* the peer has gone: an error, unless we are closing anyway */
}

static void connection_close(struct connection *at)
{
#ifdef FIXED
    if (atomic_exchange(&at->closed, true))
        return;
#else
    if (at->closed)
        return;
    at->closed = true;
#endif
    free(at->buffer);
}

static void *serve(void *unused)
{
    if (connection_receive(&connection) < 0)
        connection_close(&connection);
    return unused;
}

static void *shut_down(void *unused)
{
    connection_close(&connection);
    return unused;
}

int main(void)
{
    connection.buffer = malloc(BUFFER_SIZE);
    assert(connection.buffer != NULL);
    pthread_t reader, administrator;
    pthread_create(&reader, NULL, serve, NULL);
    pthread_create(&administrator, NULL, shut_down, NULL);
    pthread_join(reader, NULL);
    pthread_join(administrator, NULL);
    return 0;
}
