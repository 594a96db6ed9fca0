// Eraser's discipline, where it is asked for: memory that several threads use has a lock of its own.
// build: gcc -O1
// build: clang -O1
// run: -s dfs --detect lockset -- mutex
// expect: no finding
// run: -s dfs --detect lockset -- rwlock
// expect: no finding
// run: -s dfs --detect lockset -- spin
// expect: no finding
// run: -s dfs --detect lockset -- before
// expect: no finding
// run: -s dfs --detect lockset -- readers
// expect: no finding
// run: -s dfs -k --detect lockset -- different
// expect: finding lockset
// expect: finding race
// expect: output on counter
// expect: output also involved: T
// run: -s dfs --detect lockset -- semaphore
// expect: finding lockset
// run: -s dfs -- semaphore
// expect: no finding
// run: -s random -n 1 --seed 3 --races off --detect lockset -- none
// expect: finding lockset
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int counter;
static const char *way = "";

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void use(int me)
{
    if (is("mutex") || is("before"))
        pthread_mutex_lock(&mutex);
    else if (is("rwlock"))
        pthread_rwlock_wrlock(&rwlock);
    else if (is("spin"))
        pthread_spin_lock(&spin);
    else if (is("different"))
        pthread_mutex_lock(me ? &second : &mutex);
    else if (is("semaphore"))
        sem_wait(&semaphore);
    if (is("readers"))
        assert(counter == 1);
    else
        counter++;
    if (is("mutex") || is("before"))
        pthread_mutex_unlock(&mutex);
    else if (is("rwlock"))
        pthread_rwlock_unlock(&rwlock);
    else if (is("spin"))
        pthread_spin_unlock(&spin);
    else if (is("different"))
        pthread_mutex_unlock(me ? &second : &mutex);
    else if (is("semaphore"))
        sem_post(&semaphore);
}

static void *work(void *unused)
{
    use(1);
    return unused;
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    pthread_t thread;
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 1);
    if (is("before") || is("readers"))
        counter = 1;
    pthread_create(&thread, NULL, work, NULL);
    use(0);
    pthread_join(thread, NULL);
    if (!is("readers"))
        use(0);
    return 0;
}
