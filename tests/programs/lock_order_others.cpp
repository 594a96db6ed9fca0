// Locks of every kind in opposite orders: read-write locks, spin locks, those of C++, one kind and another. A
// deadlock that could come is searched for, and found. Readers do not keep each other out, neither from
// what they wait for nor as a gate.
// build: gcc -O1 -std=c++17
// build: clang -O1 -std=c++17
// run: -s random -n 1 -- write-write
// expect: finding deadlock
// expect: output T1 waits: write-lock
// run: -s random -n 1 -- read-write
// expect: finding deadlock
// expect: output T1 waits: write-lock
// run: -s random -n 1 -- write-read
// expect: finding deadlock
// expect: output waits: read-lock
// run: -s random -n 1 -- mixed
// expect: finding deadlock
// run: -s random -n 1 -- spin
// expect: finding deadlock
// expect: output T1 waits: spin-lock
// run: -s random -n 1 -- cxx
// expect: finding deadlock
// run: -s random -n 1 -- cxx-shared
// expect: finding deadlock
// run: -s random -n 1 -- reader-gate
// expect: finding deadlock
// run: -s random -n 20 -- read-read
// expect: no finding
// run: -s random -n 20 -- writer-gate
// expect: no finding
// run: -s random -n 20 -- try
// expect: no finding
// run: -s random -n 20 -- in-order
// expect: no finding
// run: -s random -n 1 --detect -lock-order -- write-write
// expect: no finding
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>

static pthread_rwlock_t locks[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spins[2];
static std::mutex mutexes[2];
static std::shared_mutex shared[2];
static const char *way = "";

static bool is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void rwlocks(int first, int second, bool read_first, bool read_second)
{
    (read_first ? pthread_rwlock_rdlock : pthread_rwlock_wrlock)(&locks[first]);
    (read_second ? pthread_rwlock_rdlock : pthread_rwlock_wrlock)(&locks[second]);
    pthread_rwlock_unlock(&locks[second]);
    pthread_rwlock_unlock(&locks[first]);
}

static void take_both(int first, int second)
{
    if (is("reader-gate"))
        pthread_rwlock_rdlock(&gate);
    if (is("writer-gate"))
        pthread_rwlock_wrlock(&gate);
    if (is("spin")) {
        pthread_spin_lock(&spins[first]);
        pthread_spin_lock(&spins[second]);
        pthread_spin_unlock(&spins[second]);
        pthread_spin_unlock(&spins[first]);
    } else if (is("cxx")) {
        std::lock_guard<std::mutex> one(mutexes[first]);
        std::lock_guard<std::mutex> other(mutexes[second]);
    } else if (is("cxx-shared")) {
        std::shared_lock<std::shared_mutex> one(shared[first]);
        std::unique_lock<std::shared_mutex> other(shared[second]);
    } else if (is("mixed")) { /* the first is a mutex, the second a read-write lock */
        if (first == 0) {
            std::lock_guard<std::mutex> one(mutexes[0]);
            pthread_rwlock_rdlock(&locks[0]);
            pthread_rwlock_unlock(&locks[0]);
        } else {
            pthread_rwlock_wrlock(&locks[0]);
            { std::lock_guard<std::mutex> other(mutexes[0]); }
            pthread_rwlock_unlock(&locks[0]);
        }
    } else if (is("try")) {
        pthread_rwlock_wrlock(&locks[first]);
        if (pthread_rwlock_trywrlock(&locks[second]) == 0)
            pthread_rwlock_unlock(&locks[second]);
        pthread_rwlock_unlock(&locks[first]);
    } else {
        rwlocks(first, second, is("read-read") || is("read-write"), is("read-read") || is("write-read"));
    }
    if (is("reader-gate") || is("writer-gate"))
        pthread_rwlock_unlock(&gate);
}

static void *forwards(void *unused)
{
    take_both(0, 1);
    return unused;
}

static void *backwards(void *unused)
{
    take_both(is("in-order") ? 0 : 1, is("in-order") ? 1 : 0);
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "write-write";
    for (int i = 0; i < 2; i++)
        pthread_spin_init(&spins[i], PTHREAD_PROCESS_PRIVATE);
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, forwards, nullptr);
    pthread_create(&threads[1], nullptr, backwards, nullptr);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    return 0;
}
