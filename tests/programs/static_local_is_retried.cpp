// A static of a function is made by the first thread while the others wait; if making it fails
// by an exception, the next one tries again.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 50
// expect: no finding
#include <cassert>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int attempts, failures;

struct Made {
    int value;
    Made()
    {
        pthread_mutex_lock(&mutex);
        int attempt = ++attempts;
        pthread_mutex_unlock(&mutex);
        if (attempt == 1)
            throw attempt;
        value = attempt;
    }
};

static int value()
{
    static Made made;
    return made.value;
}

static void *use(void *)
{
    try {
        assert(value() == 2);
    } catch (int) {
        pthread_mutex_lock(&mutex);
        failures++;
        pthread_mutex_unlock(&mutex);
    }
    return nullptr;
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, use, nullptr);
    use(nullptr);
    pthread_join(thread, nullptr);
    assert(attempts == 2 && failures == 1 && value() == 2);
    return 0;
}
