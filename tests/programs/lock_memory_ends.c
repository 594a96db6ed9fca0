/* The memory of a lock ends while a thread holds the lock. */
// build: gcc -O1
// modes: all first
// run: -s dfs -k --races off -- right
// expect: no finding
// run: -s dfs -k --races off --detect -heap,-deadlock -- free
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- realloc
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- unmap
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- stack
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- spin
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- read
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- write
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- dead
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- destroy
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- destroy-read
// expect: finding misuse
// expect: exit 1
// run: -s dfs -k --races off --detect -heap,-deadlock -- destroy-spin
// expect: finding misuse
// expect: exit 1
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct locks {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
};

static struct locks *locks;
static pthread_barrier_t ready, done;
static const char *kind;

static int is(const char *word)
{
    return strcmp(kind, word) == 0;
}

static void set_up(struct locks *at)
{
    locks = at;
    pthread_mutex_init(&at->mutex, NULL);
    pthread_rwlock_init(&at->rwlock, NULL);
    pthread_spin_init(&at->spin, PTHREAD_PROCESS_PRIVATE);
}

static void lock(void)
{
    if (is("spin") || is("destroy-spin"))
        pthread_spin_lock(&locks->spin);
    else if (is("read") || is("destroy-read"))
        pthread_rwlock_rdlock(&locks->rwlock);
    else if (is("write"))
        pthread_rwlock_wrlock(&locks->rwlock);
    else
        pthread_mutex_lock(&locks->mutex);
}

static void *holder(void *unused)
{
    lock();
    if (is("right"))
        pthread_mutex_unlock(&locks->mutex);
    if (is("dead"))
        return unused;
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&done);
    return unused;
}

static void *owner(void *unused)
{
    struct locks mine;
    set_up(&mine);
    pthread_barrier_wait(&done);
    pthread_barrier_wait(&ready);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread, other;
    kind = argc > 1 ? argv[1] : "free";
    pthread_barrier_init(&ready, NULL, 2);
    pthread_barrier_init(&done, NULL, 2);
    if (is("stack")) {
        pthread_create(&other, NULL, owner, NULL);
        pthread_barrier_wait(&done);
        pthread_mutex_lock(&locks->mutex);
        pthread_barrier_wait(&ready);
        pthread_join(other, NULL);
        return 0;
    }
    size_t size = 4096;
    set_up(is("unmap") ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                       : malloc(size));
    pthread_create(&thread, NULL, holder, NULL);
    if (is("dead"))
        pthread_join(thread, NULL);
    else
        pthread_barrier_wait(&ready);
    if (is("unmap"))
        munmap(locks, size);
    else if (is("realloc"))
        locks = realloc(locks, 4 * size);
    else if (is("destroy"))
        pthread_mutex_destroy(&locks->mutex);
    else if (is("destroy-read"))
        pthread_rwlock_destroy(&locks->rwlock);
    else if (is("destroy-spin"))
        pthread_spin_destroy(&locks->spin);
    else if (is("right"))
        pthread_mutex_destroy(&locks->mutex), free(locks);
    else
        free(locks);
    if (!is("dead")) {
        pthread_barrier_wait(&done);
        pthread_join(thread, NULL);
    }
    return 0;
}
