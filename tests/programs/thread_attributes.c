// Attributes of threads that can be read and set without another thread noticing: the same answers as
// on libc, in every execution. The steps are a lock and an unlock of T1 and of main, then main's join:
// T1 first: main's lock waits for T1's unlock and comes alone; main first: likewise. 2 executions.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int processor;

static void attributes_of_self(void)
{
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    int value;
    char here;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    assert(pthread_attr_getstack(&attributes, &stack, &size) == 0);
    assert(&here > (char *)stack && &here < (char *)stack + size);
    assert(pthread_attr_getdetachstate(&attributes, &value) == 0);
    assert(value == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_getguardsize(&attributes, &size) == 0);
    assert(size == (getpid() == gettid() ? 0 : 8192)); /* the stack of main has none */
    assert(pthread_attr_destroy(&attributes) == 0);
}

static void names(const char *name)
{
    char buffer[16];
    assert(pthread_setname_np(pthread_self(), name) == 0);
    assert(pthread_getname_np(pthread_self(), buffer, sizeof buffer) == 0);
    assert(strcmp(buffer, name) == 0);
    assert(pthread_setname_np(pthread_self(), "a name of more than 15") == ERANGE);
    assert(pthread_getname_np(pthread_self(), buffer, 3) == ERANGE);
}

static void processors(void)
{
    cpu_set_t set;
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0);
    assert(CPU_COUNT(&set) > 0);
    CPU_ZERO(&set);
    assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == EINVAL);
    CPU_SET(processor, &set);
    assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
    clockid_t clock;
    assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
    assert(pthread_setconcurrency(4) == 0);
    assert(pthread_getconcurrency() == 4);
    assert(pthread_setconcurrency(-1) == EINVAL);
    assert(pthread_setconcurrency(0) == 0);
}

/* A name is still there after others have set theirs. */
static void own_placement(const char *name)
{
    char buffer[16];
    cpu_set_t set;
    assert(pthread_getname_np(pthread_self(), buffer, sizeof buffer) == 0);
    assert(strcmp(buffer, name) == 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0);
    assert(CPU_COUNT(&set) == 1 && CPU_ISSET(processor, &set));
}

static void scheduling(void)
{
    struct sched_param parameters;
    int policy;
    assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
    assert(policy == SCHED_OTHER && parameters.sched_priority == 0);
    assert(pthread_setschedparam(pthread_self(), policy, &parameters) == 0);
    assert(pthread_setschedprio(pthread_self(), 0) == 0);
}

static void *work(void *name)
{
    attributes_of_self();
    names(name);
    processors();
    scheduling();
    pthread_mutex_lock(&mutex);
    own_placement(name);
    pthread_mutex_unlock(&mutex);
    attributes_of_self();
    return name;
}

static void attribute_objects(pthread_attr_t *attributes)
{
    int value;
    size_t size;
    struct sched_param parameters = {0};
    assert(pthread_attr_init(attributes) == 0);
    assert(pthread_attr_setdetachstate(attributes, 17) == EINVAL);
    assert(pthread_attr_setguardsize(attributes, 8192) == 0);
    assert(pthread_attr_getguardsize(attributes, &size) == 0 && size == 8192);
    assert(pthread_attr_setstacksize(attributes, 1) == EINVAL);
    assert(pthread_attr_setstacksize(attributes, 1 << 18) == 0);
    assert(pthread_attr_getstacksize(attributes, &size) == 0 && size == 1 << 18);
    assert(pthread_attr_setscope(attributes, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setscope(attributes, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_getscope(attributes, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setinheritsched(attributes, PTHREAD_INHERIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(attributes, &value) == 0);
    assert(pthread_attr_setschedpolicy(attributes, SCHED_OTHER) == 0);
    assert(pthread_attr_getschedpolicy(attributes, &value) == 0 && value == SCHED_OTHER);
    assert(pthread_attr_setschedparam(attributes, &parameters) == 0);
    assert(pthread_attr_getschedparam(attributes, &parameters) == 0);
}

static void nothing(void)
{
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    cpu_set_t set;
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0);
    while (!CPU_ISSET(processor, &set))
        processor++;
    attribute_objects(&attributes);
    assert(pthread_atfork(nothing, nothing, nothing) == 0);
    assert(pthread_create(&thread, &attributes, work, "worker") == 0);
    assert(pthread_attr_destroy(&attributes) == 0);
    work("main");
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
