// Everything that belongs to a thread stays with it across switches: errno, __thread and thread_local variables
// with destructors, pthread keys with destructors, exceptions in flight, the caught exception.
// modes: all
// run: -s dfs -n 3000
// expect: no finding
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
#include <atomic>
#include <cassert>
#include <cerrno>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

static std::atomic<int> destroyed_objects, destroyed_keys;

struct Counted {
    long value = 1;
    ~Counted()
    {
        destroyed_objects++;
    }
};

static __thread long plain = 5;
static __thread char large[3000];
static thread_local std::string text = "hello";
static thread_local Counted counted;
static pthread_key_t key;

static void key_destroy(void *value)
{
    destroyed_keys += static_cast<int>(reinterpret_cast<long>(value));
}

static void variables_stay(long id)
{
    assert(plain == 5 && text == "hello" && large[2999] == 0);
    plain = id;
    large[2999] = static_cast<char>(id);
    counted.value = id;
    text += std::to_string(id);
    pthread_setspecific(key, reinterpret_cast<void *>(id));
    errno = 100 + static_cast<int>(id);
    sched_yield();
    assert(errno == 100 + id);
    assert(plain == id && large[2999] == id && counted.value == id);
    assert(text == "hello" + std::to_string(id));
    assert(pthread_getspecific(key) == reinterpret_cast<void *>(id));
}

static void exceptions_stay(long id)
{
    std::string name = "error " + std::to_string(id);
    try {
        try {
            throw std::runtime_error(name);
        } catch (std::exception &caught) {
            sched_yield();
            assert(caught.what() == name);
            throw;
        }
    } catch (std::runtime_error &caught) {
        sched_yield();
        assert(caught.what() == name);
    }
    assert(close(-1) == -1 && errno == EBADF);
}

static void *work(void *argument)
{
    long id = reinterpret_cast<long>(argument);
    variables_stay(id);
    exceptions_stay(id);
    return argument;
}

int main()
{
    pthread_key_create(&key, key_destroy);
    pthread_t first, second;
    void *result;
    pthread_create(&first, nullptr, work, reinterpret_cast<void *>(1));
    pthread_create(&second, nullptr, work, reinterpret_cast<void *>(2));
    assert(!pthread_equal(first, second) && !pthread_equal(first, pthread_self()));
    pthread_join(first, &result);
    assert(result == reinterpret_cast<void *>(1));
    pthread_join(second, &result);
    assert(result == reinterpret_cast<void *>(2));
    assert(destroyed_objects == 2 && destroyed_keys == 3);
    assert(plain == 5 && text == "hello");
    return 0;
}
