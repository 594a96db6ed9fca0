// Cancellation unwinds the stack of a C++ thread: destructors run, a handler for
// abi::__forced_unwind or for all exceptions sees it and must throw it on; destructors of
// thread_local objects and of keys come after. A handler that throws it no further ends the
// program.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s dfs -- swallow
// expect: finding crash
// expect: output exception not rethrown
#include <cassert>
#include <cxxabi.h>
#include <pthread.h>
#include <semaphore.h>
#include <string>

static sem_t semaphore;
static std::string order;
static bool swallow;
static pthread_key_t key;

struct Note {
    char name;
    ~Note() { order += name; }
};

static void wait()
{
    Note note{'a'};
    sem_wait(&semaphore);
    order += "never";
}

static void inner()
{
    try {
        wait();
    } catch (abi::__forced_unwind &) {
        order += 'f';
        throw;
    }
}

static void *work(void *unused)
{
    static thread_local Note local{'l'};
    local.name = 'l';
    pthread_setspecific(key, &order);
    Note note{'b'};
    try {
        inner();
    } catch (...) {
        order += 'c';
        if (!swallow)
            throw;
    }
    return unused;
}

static void destroy(void *)
{
    order += 'k';
}

int main(int argc, char **)
{
    pthread_t thread;
    void *result;
    swallow = argc > 1;
    sem_init(&semaphore, 0, 0);
    pthread_key_create(&key, destroy);
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(order == "afcblk");
    return 0;
}
