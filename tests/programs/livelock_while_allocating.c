// Loops that never end, and allocate and free in each iteration, may be livelocks: no block is used again within an
// execution, so that memory is never as it was.
// modes: all first
// run: -s dfs --steps 2000 -- swap
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- realloc
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- mutex
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- passed
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s random -n 3 --steps 2000 -- swap two
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t full, empty;
static struct node *passed;
static int stop;
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static struct node *make(int value)
{
    struct node *node = malloc(sizeof *node);
    *node = (struct node){.value = value};
    return node;
}

static int look(void)
{
    pthread_mutex_lock(&mutex);
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static void allocate(struct node **kept)
{
    if (is("malloc")) {
        free(make(1));
    } else if (is("swap")) {
        struct node *old = *kept;
        *kept = make(2);
        free(old);
    } else if (is("sizes")) {
        void *blocks[3] = {malloc(10), calloc(3, 100), malloc(5000)};
        free(blocks[0]);
        free(blocks[2]);
        free(blocks[1]);
    } else if (is("realloc")) {
        char *bytes = calloc(1, 8);
        if (bytes[0] != 0)
            abort();
        bytes = realloc(bytes, 2000);
        memset(bytes, 1, 2000);
        free(bytes);
    } else if (is("mutex")) {
        pthread_mutex_t *own = malloc(sizeof *own);
        pthread_mutex_init(own, NULL);
        pthread_mutex_lock(own);
        pthread_mutex_unlock(own);
        pthread_mutex_destroy(own);
        free(own);
    }
}

static void *go_round(void *unused)
{
    struct node *kept = make(0);
    do
        allocate(&kept);
    while (!look());
    free(kept);
    return NULL;
}

static void *give(void *unused)
{
    do {
        sem_wait(&empty);
        passed = make(3);
        sem_post(&full);
    } while (!stop);
    return NULL;
}

static void *take(void *unused)
{
    do {
        sem_wait(&full);
        free(passed);
        sem_post(&empty);
    } while (!stop);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    way = argc > 1 ? argv[1] : "malloc";
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    int two = argc > 2 || is("passed");
    for (int i = 0; i <= two; i++)
        pthread_create(&threads[i], NULL, !is("passed") ? go_round : i == 0 ? give : take, NULL);
    for (int i = 0; i <= two; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
