// A driver is stopped while worker threads use it. A worker tests the stopping flag and only then
// counts itself as pending; the driver can be stopped in between, and the worker goes on to use it.
// Repaired, a worker counts itself first and tests afterwards.
// group: cbound
// threads: 3
// finds: assertion
// lines: 56 58
// pb: 1
// db: 1
// options: --exit wait
// variants: bluetooth_workers
// variants: bluetooth_workers_fixed -DFIXED
// finds bluetooth_workers_fixed: nothing
// pb bluetooth_workers_fixed: -
// db bluetooth_workers_fixed: -
// twin: bluetooth_workers_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct device {
    atomic_int pending; /* one for the driver itself, one for each request in flight */
    atomic_bool stopping, stopped;
    pthread_mutex_t lock;
    pthread_cond_t drained;
    bool is_drained;
};

static struct device device = {
    .pending = 1,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .drained = PTHREAD_COND_INITIALIZER,
};

static void request_end(void)
{
    if (atomic_fetch_sub(&device.pending, 1) > 1)
        return;
    pthread_mutex_lock(&device.lock);
    device.is_drained = true;
    pthread_cond_signal(&device.drained);
    pthread_mutex_unlock(&device.lock);
}

static bool request_begin(void)
{
#ifdef FIXED
    atomic_fetch_add(&device.pending, 1);
    if (!device.stopping)
        return true;
    request_end();
    return false;
#else
    if (device.stopping)
        return false;
    atomic_fetch_add(&device.pending, 1);
    return true;
#endif
}

static void work(void)
{
    if (!request_begin())
        return;
    assert(!device.stopped);
    request_end();
}

static void *work_once(void *unused)
{
    work();
    return unused;
}

static void *stop(void *unused)
{
    device.stopping = true;
    request_end();
    pthread_mutex_lock(&device.lock);
    while (!device.is_drained)
        pthread_cond_wait(&device.drained, &device.lock);
    pthread_mutex_unlock(&device.lock);
    device.stopped = true;
    return unused;
}

int main(void)
{
    pthread_t worker, stopper;
    pthread_create(&worker, NULL, work_once, NULL);
    pthread_create(&stopper, NULL, stop, NULL);
    work();
    pthread_join(worker, NULL);
    pthread_join(stopper, NULL);
    return 0;
}
