// A block is freed while another thread may still use the lock, or the like, in it: every operation is
// noticed, whichever of the two comes first (21 blocks, one finding each, with six unlocks); so is one on a block that was freed before,
// in good order.
// replay: no (each of many findings would be, and one is like the other)
// expect: exit 1
// run: -b 0 --detect none,race --keep-going -- all
// expect: finding race
// expect: output 21 findings
// expect: output so do the accesses at
// run: -s dfs --keep-going -- lock
// expect: finding misuse
// expect: finding use-after-free
// expect: finding race
// expect: output on heap block #1 of T0
// expect: output uses it (
// run: -s dpor --keep-going -- lock
// expect: finding misuse
// expect: finding use-after-free
// expect: finding race
// expect: output on heap block #1 of T0
// expect: output uses it (
// run: -s dfs --keep-going -- notify
// expect: finding use-after-free
// expect: finding race
// expect: output on heap block #1 of T0
// expect: output uses it (
// run: -s dfs -- joined wait
// expect: finding use-after-free
// expect: output on heap block #1 of T0
// expect: output uses it (
// run: -s dfs -- joined arrive
// expect: finding use-after-free
// expect: output on heap block #1 of T0
// expect: output uses it (
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

struct shared {
    long first; /* so that no object begins where the block does */
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    sem_t semaphore;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_once_t once;
    mtx_t c11;
    std::mutex cpp;
    std::condition_variable cpp_cond;
};
static struct shared *shared; /* the block that is used next */
static struct shared *blocks[32];
static const char *const ways[] = {"lock", "trylock", "timedlock", "wait", "signal", "broadcast", "read", "tryread", "write",
                                   "trywrite", "post", "sem", "trysem", "value", "spin", "tryspin",
                                   "arrive", "once", "c11", "c++", "notify"};
enum { WAYS = sizeof ways / sizeof ways[0] };
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;

static void nothing(void) {}

static void use(const char *what)
{
    struct shared *s = shared;
    struct timespec past = {0, 0};
    if (!strcmp(what, "lock")) {
        pthread_mutex_lock(&s->mutex);
        pthread_mutex_unlock(&s->mutex);
    } else if (!strcmp(what, "trylock")) {
        pthread_mutex_trylock(&s->mutex);
    } else if (!strcmp(what, "timedlock")) {
        pthread_mutex_timedlock(&s->mutex, &past);
    } else if (!strcmp(what, "wait")) {
        pthread_mutex_lock(&outer);
        pthread_cond_timedwait(&s->cond, &outer, &past);
        pthread_mutex_unlock(&outer);
    } else if (!strcmp(what, "signal")) {
        pthread_cond_signal(&s->cond);
    } else if (!strcmp(what, "broadcast")) {
        pthread_cond_broadcast(&s->cond);
    } else if (!strcmp(what, "read")) {
        pthread_rwlock_rdlock(&s->rwlock);
        pthread_rwlock_unlock(&s->rwlock);
    } else if (!strcmp(what, "tryread")) {
        pthread_rwlock_tryrdlock(&s->rwlock);
    } else if (!strcmp(what, "write")) {
        pthread_rwlock_wrlock(&s->rwlock);
        pthread_rwlock_unlock(&s->rwlock);
    } else if (!strcmp(what, "trywrite")) {
        pthread_rwlock_trywrlock(&s->rwlock);
    } else if (!strcmp(what, "post")) {
        sem_post(&s->semaphore);
    } else if (!strcmp(what, "sem")) {
        sem_wait(&s->semaphore);
    } else if (!strcmp(what, "trysem")) {
        sem_trywait(&s->semaphore);
    } else if (!strcmp(what, "value")) {
        int value;
        sem_getvalue(&s->semaphore, &value);
    } else if (!strcmp(what, "spin")) {
        pthread_spin_lock(&s->spin);
        pthread_spin_unlock(&s->spin);
    } else if (!strcmp(what, "tryspin")) {
        pthread_spin_trylock(&s->spin);
    } else if (!strcmp(what, "arrive")) {
        pthread_barrier_wait(&s->barrier);
    } else if (!strcmp(what, "once")) {
        pthread_once(&s->once, nothing);
    } else if (!strcmp(what, "c11")) {
        mtx_lock(&s->c11);
        mtx_unlock(&s->c11);
    } else if (!strcmp(what, "c++")) {
        std::lock_guard<std::mutex> guard(s->cpp);
    } else if (!strcmp(what, "notify")) {
        s->cpp_cond.notify_one();
    }
}

static void *user(void *what)
{
    use((const char *)what);
    return NULL;
}

static void *user_of_all(void *unused)
{
    for (int i = 0; i < WAYS; i++) {
        shared = blocks[i];
        use(ways[i]);
    }
    return NULL;
}

static void *last(void *unused)
{
    free(shared);
    return NULL;
}

static struct shared *make(void)
{
    struct shared *made = (struct shared *)calloc(1, sizeof *made);
    sem_init(&made->semaphore, 0, 1);
    pthread_spin_init(&made->spin, 0);
    pthread_barrier_init(&made->barrier, NULL, 1);
    mtx_init(&made->c11, mtx_plain);
    return made;
}

static int all(void)
{
    pthread_t thread;
    for (int i = 0; i < WAYS; i++)
        blocks[i] = make();
    pthread_create(&thread, NULL, user_of_all, NULL);
    for (int i = 0; i < WAYS; i++)
        free(blocks[i]);
    pthread_join(thread, NULL);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (!strcmp(argv[1], "all"))
        return all();
    shared = make();
    if (!strcmp(argv[1], "joined")) {
        pthread_create(&thread, NULL, last, NULL);
        pthread_join(thread, NULL);
        use(argv[2]);
        return 0;
    }
    pthread_create(&thread, NULL, user, argv[1]);
    free(shared);
    pthread_join(thread, NULL);
    return 0;
}
