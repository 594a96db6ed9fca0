// A pool of connections to a database that opens new ones on demand, up to a limit. Connecting is
// slow, so the lock is let go for it, and the new connection is counted afterwards: two clients
// that look at the same time both find room for one more.
// group: large
// threads: 5
// finds: assertion
// lines: 67
// pb: 1
// db: 1
// options: --exit wait
// variants: database_pool
// variants: database_pool_fixed -DFIXED
// finds database_pool_fixed: nothing
// pb database_pool_fixed: -
// db database_pool_fixed: -
// twin database_pool: database_pool_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { MOST = 2, CLIENTS = 4, QUERIES = 5 };

struct connection {
    struct connection *next;
    int queries;
};

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    struct connection *idle;
    int opened;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .given_back = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t server = PTHREAD_MUTEX_INITIALIZER;
static int connected;

static struct connection *connect_to_server(void)
{
    pthread_mutex_lock(&server);
    connected++;
    assert(connected <= MOST);
    pthread_mutex_unlock(&server);
    return calloc(1, sizeof(struct connection));
}

static struct connection *pool_take(void)
{
    struct connection *connection;
    pthread_mutex_lock(&pool.lock);
    while (pool.idle == NULL && pool.opened == MOST)
        pthread_cond_wait(&pool.given_back, &pool.lock);
    if (pool.idle != NULL) {
        connection = pool.idle;
        pool.idle = connection->next;
        pthread_mutex_unlock(&pool.lock);
        return connection;
    }
#ifdef FIXED
    pool.opened++;
    pthread_mutex_unlock(&pool.lock);
    return connect_to_server();
#else
    pthread_mutex_unlock(&pool.lock);
    connection = connect_to_server();
    pthread_mutex_lock(&pool.lock);
    pool.opened++;
    pthread_mutex_unlock(&pool.lock);
    return connection;
#endif
}

static void pool_give(struct connection *connection)
{
    pthread_mutex_lock(&pool.lock);
    connection->next = pool.idle;
    pool.idle = connection;
    pthread_cond_signal(&pool.given_back);
    pthread_mutex_unlock(&pool.lock);
}

static void *query(void *unused)
{
    for (int i = 0; i < QUERIES; i++) {
        struct connection *connection = pool_take();
        connection->queries++;
        pool_give(connection);
    }
    return unused;
}

int main(void)
{
    pthread_t clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, query, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    int queries = 0;
    for (struct connection *at = pool.idle, *next; at != NULL; at = next) {
        next = at->next;
        queries += at->queries;
        free(at);
    }
    assert(queries == CLIENTS * QUERIES);
    return 0;
}
