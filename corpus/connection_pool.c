// A pool of connections: a semaphore counts the free ones, flags say which they are. A connection
// that is given back is counted before its flag is cleared, so that somebody gets through the
// semaphore and finds none.
// group: idioms
// threads: 4
// finds: assertion
// lines: 38 50
// pb: 2
// db: 2
// options: --exit wait
// variants: connection_pool
// variants: connection_pool_fixed -DFIXED
// finds connection_pool_fixed: nothing
// pb connection_pool_fixed: -
// db connection_pool_fixed: -
// twin: connection_pool_fixed
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

enum { CONNECTIONS = 2, CLIENTS = 3 };

struct connection {
    bool busy;
    int queries;
};

static sem_t available;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection connections[CONNECTIONS];

static struct connection *connection_take(void)
{
    struct connection *found = NULL;
    sem_wait(&available);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < CONNECTIONS && found == NULL; i++)
        if (!connections[i].busy)
            found = &connections[i];
    assert(found != NULL);
    found->busy = true;
    pthread_mutex_unlock(&lock);
    return found;
}

static void connection_clear(struct connection *connection)
{
    pthread_mutex_lock(&lock);
    connection->busy = false;
    pthread_mutex_unlock(&lock);
}

static void connection_give(struct connection *connection)
{
#ifdef FIXED
    connection_clear(connection);
    sem_post(&available);
#else
    sem_post(&available);
    connection_clear(connection);
#endif
}

static void *query(void *unused)
{
    struct connection *connection = connection_take();
    connection->queries++;
    connection_give(connection);
    return unused;
}

int main(void)
{
    sem_init(&available, 0, CONNECTIONS);
    pthread_t clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, query, NULL);
    int queries = 0;
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    for (int i = 0; i < CONNECTIONS; i++)
        queries += connections[i].queries;
    assert(queries == CLIENTS);
    return 0;
}
