/* Memory on the stack of a thread that has ended is used: by every synchronisation call, by atomic
 * accesses of every size, by functions of libc. */
// build: gcc -O1
// build: clang -O1
// run: -- mutex_lock
// expect: finding use-after-return
// expect: exit 1
// run: -- mutex_trylock
// expect: finding use-after-return
// expect: exit 1
// run: -- mutex_timedlock
// expect: finding use-after-return
// expect: exit 1
// run: -- mutex_unlock
// expect: finding use-after-return
// expect: exit 1
// run: -- cond_signal
// expect: finding use-after-return
// expect: exit 1
// run: -- cond_broadcast
// expect: finding use-after-return
// expect: exit 1
// run: -- cond_wait
// expect: finding use-after-return
// expect: exit 1
// run: -- cond_wait_mutex
// expect: finding use-after-return
// expect: exit 1
// run: -- sem_post
// expect: finding use-after-return
// expect: exit 1
// run: -- sem_wait
// expect: finding use-after-return
// expect: exit 1
// run: -- sem_trywait
// expect: finding use-after-return
// expect: exit 1
// run: -- sem_getvalue
// expect: finding use-after-return
// expect: exit 1
// run: -- rwlock_rdlock
// expect: finding use-after-return
// expect: exit 1
// run: -- rwlock_wrlock
// expect: finding use-after-return
// expect: exit 1
// run: -- rwlock_tryrdlock
// expect: finding use-after-return
// expect: exit 1
// run: -- rwlock_trywrlock
// expect: finding use-after-return
// expect: exit 1
// run: -- rwlock_unlock
// expect: finding use-after-return
// expect: exit 1
// run: -- spin_lock
// expect: finding use-after-return
// expect: exit 1
// run: -- spin_trylock
// expect: finding use-after-return
// expect: exit 1
// run: -- spin_unlock
// expect: finding use-after-return
// expect: exit 1
// run: -- barrier
// expect: finding use-after-return
// expect: exit 1
// run: -- once
// expect: finding use-after-return
// expect: exit 1
// run: -- futex_wait
// expect: finding use-after-return
// expect: exit 1
// run: -- load1
// expect: finding use-after-return
// expect: exit 1
// run: -- load2
// expect: finding use-after-return
// expect: exit 1
// run: -- load4
// expect: finding use-after-return
// expect: exit 1
// run: -- load8
// expect: finding use-after-return
// expect: exit 1
// run: -- store1
// expect: finding use-after-return
// expect: exit 1
// run: -- store2
// expect: finding use-after-return
// expect: exit 1
// run: -- store4
// expect: finding use-after-return
// expect: exit 1
// run: -- store8
// expect: finding use-after-return
// expect: exit 1
// run: -- add4
// expect: finding use-after-return
// expect: exit 1
// run: -- exchange8
// expect: finding use-after-return
// expect: exit 1
// run: -- compare4
// expect: finding use-after-return
// expect: exit 1
// run: -- compare8
// expect: finding use-after-return
// expect: exit 1
// run: -- plain
// expect: finding use-after-return
// expect: exit 1
// run: -- memcpy_from
// expect: finding use-after-return
// expect: exit 1
// run: -- memcpy_to
// expect: finding use-after-return
// expect: exit 1
// run: -- memset
// expect: finding use-after-return
// expect: exit 1
// run: -- strlen
// expect: finding use-after-return
// expect: exit 1
// run: -- read
// expect: finding use-after-return
// expect: exit 1
// run: -- write
// expect: finding use-after-return
// expect: exit 1
// run: -- all-static
// expect: no finding
// expect: exit 0
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct objects {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_once_t once;
    sem_t sem;
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    char text[8];
};

static struct objects *handed_out, lasting;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t own_cond = PTHREAD_COND_INITIALIZER;
static char copy[8];
static int value, ends[2];

static void nothing(void) {}

static void set_up(struct objects *o)
{
    memset(o, 0, sizeof *o);
    pthread_mutex_init(&o->mutex, NULL);
    pthread_cond_init(&o->cond, NULL);
    pthread_rwlock_init(&o->rwlock, NULL);
    pthread_spin_init(&o->spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&o->barrier, NULL, 1);
    sem_init(&o->sem, 0, 1);
    handed_out = o;
}

static void *owner(void *on_stack)
{
    struct objects mine;
    set_up(on_stack != NULL ? &mine : &lasting);
    return NULL;
}

#define IF(name, ...)                                                                              \
    if (strcmp(which, name) == 0)                                                                  \
    __VA_ARGS__

static void use(const char *which, struct objects *o)
{
    IF("mutex_lock", pthread_mutex_lock(&o->mutex));
    IF("mutex_trylock", pthread_mutex_trylock(&o->mutex));
    IF("mutex_timedlock", pthread_mutex_timedlock(&o->mutex, &(struct timespec){.tv_sec = 1}));
    IF("mutex_unlock", pthread_mutex_unlock(&o->mutex));
    IF("cond_signal", pthread_cond_signal(&o->cond));
    IF("cond_broadcast", pthread_cond_broadcast(&o->cond));
    IF("cond_wait", pthread_mutex_lock(&own), pthread_cond_timedwait(&o->cond, &own, &(struct timespec){.tv_sec = 1}));
    IF("cond_wait_mutex", pthread_cond_timedwait(&own_cond, &o->mutex, &(struct timespec){.tv_sec = 1}));
    IF("sem_post", sem_post(&o->sem));
    IF("sem_wait", sem_wait(&o->sem));
    IF("sem_trywait", sem_trywait(&o->sem));
    IF("sem_getvalue", sem_getvalue(&o->sem, &value));
    IF("rwlock_rdlock", pthread_rwlock_rdlock(&o->rwlock));
    IF("rwlock_wrlock", pthread_rwlock_wrlock(&o->rwlock));
    IF("rwlock_tryrdlock", pthread_rwlock_tryrdlock(&o->rwlock));
    IF("rwlock_trywrlock", pthread_rwlock_trywrlock(&o->rwlock));
    IF("rwlock_unlock", pthread_rwlock_unlock(&o->rwlock));
    IF("spin_lock", pthread_spin_lock(&o->spin));
    IF("spin_trylock", pthread_spin_trylock(&o->spin));
    IF("spin_unlock", pthread_spin_unlock(&o->spin));
    IF("barrier", pthread_barrier_wait(&o->barrier));
    IF("once", pthread_once(&o->once, nothing));
    IF("futex_wait", syscall(SYS_futex, &o->four, FUTEX_WAIT, 7, NULL, NULL, 0));
    IF("load1", (void)__atomic_load_n(&o->one, __ATOMIC_ACQUIRE));
    IF("load2", (void)__atomic_load_n(&o->two, __ATOMIC_ACQUIRE));
    IF("load4", (void)__atomic_load_n(&o->four, __ATOMIC_ACQUIRE));
    IF("load8", (void)__atomic_load_n(&o->eight, __ATOMIC_ACQUIRE));
    IF("store1", __atomic_store_n(&o->one, 1, __ATOMIC_RELEASE));
    IF("store2", __atomic_store_n(&o->two, 1, __ATOMIC_RELEASE));
    IF("store4", __atomic_store_n(&o->four, 1, __ATOMIC_RELEASE));
    IF("store8", __atomic_store_n(&o->eight, 1, __ATOMIC_RELEASE));
    IF("add4", __atomic_fetch_add(&o->four, 1, __ATOMIC_RELAXED));
    IF("exchange8", __atomic_exchange_n(&o->eight, 1, __ATOMIC_SEQ_CST));
    IF("compare4", __atomic_compare_exchange_n(&o->four, &(uint32_t){0}, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    IF("compare8", __atomic_compare_exchange_n(&o->eight, &(uint64_t){5}, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    IF("plain", o->eight = 1);
    IF("memcpy_from", memcpy(copy, o->text, sizeof copy));
    IF("memcpy_to", memcpy(o->text, copy, sizeof copy));
    IF("memset", memset(o->text, 0, sizeof copy));
    IF("strlen", value = (int)strlen(o->text));
    IF("read", value = (int)read(ends[0], o->text, 1));
    IF("write", value = (int)write(ends[1], o->text, 1));
}

static const char *const all[] = {
    "mutex_lock",
    "mutex_unlock",
    "mutex_trylock",
    "mutex_unlock",
    "cond_signal",
    "cond_wait",
    "sem_post",
    "sem_wait",
    "rwlock_rdlock",
    "rwlock_tryrdlock",
    "rwlock_unlock",
    "rwlock_unlock",
    "rwlock_wrlock",
    "rwlock_unlock",
    "spin_lock",
    "spin_unlock",
    "barrier",
    "once",
    "futex_wait",
    "load1",
    "store8",
    "add4",
    "compare4",
    "memcpy_from",
    "memcpy_to",
    "strlen",
};

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "plain";
    int fixed = strcmp(which, "all-static") == 0;
    pthread_t thread;
    if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
        return 2;
    pthread_create(&thread, NULL, owner, fixed ? NULL : argv);
    pthread_join(thread, NULL);
    for (size_t i = 0; fixed && i < sizeof all / sizeof *all; i++)
        use(all[i], handed_out);
    use(which, handed_out);
    return 0;
}
