// A cache of sessions: a table under a lock, least recently used ones thrown out, reference counts
// keep those in use. A lookup finds its session under the lock and takes the reference after it has
// let the lock go; in between the session may be thrown out and freed.
// group: large
// threads: 4
// finds: use-after-free
// lines: 81
// pb: 1
// db: 1
// options: --exit wait
// variants: session_cache
// variants: session_cache_fixed -DFIXED
// finds session_cache_fixed: nothing
// pb session_cache_fixed: -
// db session_cache_fixed: -
// twin session_cache: session_cache_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROOM = 3, CLIENTS = 3, REQUESTS = 7, USERS = 5 };

struct session {
    int user, hits;
    atomic_int references; /* the cache has one */
    unsigned used;         /* when, last */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *sessions[ROOM];
static unsigned now;

static void session_drop(struct session *session)
{
    if (atomic_fetch_sub(&session->references, 1) == 1)
        free(session);
}

static struct session **find(int user)
{
    for (int i = 0; i < ROOM; i++)
        if (sessions[i] != NULL && sessions[i]->user == user)
            return &sessions[i];
    return NULL;
}

static struct session **least_recently_used(void)
{
    struct session **oldest = &sessions[0];
    for (int i = 0; i < ROOM; i++) {
        if (sessions[i] == NULL)
            return &sessions[i];
        if (sessions[i]->used < (*oldest)->used)
            oldest = &sessions[i];
    }
    return oldest;
}

static struct session *session_get(int user)
{
    pthread_mutex_lock(&lock);
    struct session **place = find(user), *thrown_out = NULL;
    if (place == NULL) {
        place = least_recently_used();
        thrown_out = *place;
        *place = malloc(sizeof **place);
        (*place)->user = user;
        (*place)->hits = 0;
        atomic_init(&(*place)->references, 1);
    }
    struct session *session = *place;
    session->used = ++now;
#ifdef FIXED
    atomic_fetch_add(&session->references, 1);
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&session->references, 1);
#endif
    if (thrown_out != NULL)
        session_drop(thrown_out);
    return session;
}

static void *serve(void *number)
{
    int client = (int)(intptr_t)number;
    for (int i = 0; i < REQUESTS; i++) {
        int user = (client * 2 + i) % USERS;
        struct session *session = session_get(user);
        assert(session->user == user);
        session_drop(session);
    }
    return NULL;
}

int main(void)
{
    pthread_t clients[CLIENTS];
    for (intptr_t i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, serve, (void *)i);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    for (int i = 0; i < ROOM; i++)
        if (sessions[i] != NULL)
            session_drop(sessions[i]);
    return 0;
}
