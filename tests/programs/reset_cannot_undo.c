// A new process undoes what resetting the process cannot: the search goes on with fork and says
// so; with reset alone it is refused.
// run: -s dfs
// expect: no finding
// expect: executions 10
// expect: isolate == fork
// run: -s random -n 5 --isolate fork
// expect: no finding
// run: -s dfs --isolate exec
// expect: no finding
// expect: executions 10
// run: -s dfs --isolate fork --carrier kernel
// expect: no finding
// expect: executions 10
// run: -s dfs --isolate exec --carrier kernel
// expect: no finding
// expect: executions 10
// run: -s dfs -- dlopen
// expect: no finding
// expect: isolate == fork
// run: -s dfs -- setrlimit
// expect: no finding
// expect: isolate == fork
// run: -s dfs -- prlimit
// expect: no finding
// expect: isolate == fork
// run: -s dfs -- sbrk
// expect: no finding
// expect: isolate == fork
// run: -s dfs -- mprotect
// expect: no finding
// expect: isolate == fork
// run: -s dfs -- shmat
// expect: no finding
// expect: isolate == fork
// run: -s dfs --isolate reset
// expect: exit 3
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <unistd.h>

static void change_mappings(void)
{
    char *bytes = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(bytes != MAP_FAILED && mprotect(bytes, 8192, PROT_READ | PROT_WRITE) == 0);
    errno = 0;
    assert(mprotect(bytes + 1, 4096, PROT_READ) == -1 && errno == EINVAL);
    bytes[0] = 7;
    bytes = mremap(bytes, 8192, 16384, MREMAP_MAYMOVE);
    assert(bytes != MAP_FAILED && bytes[0] == 7 && bytes[16383] == 0);
    errno = 0;
    assert(mremap(bytes + 1, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL);
    assert(munmap(bytes, 16384) == 0);
    errno = 0;
    assert(munmap(bytes + 1, 4096) == -1 && errno == EINVAL);
}

static void load(void)
{
    assert(dlopen("/nowhere/at all", RTLD_NOW) == NULL && dlerror() != NULL);
    void *library = dlopen("libm.so.6", RTLD_NOW);
    double (*root)(double) = (double (*)(double))dlsym(library, "sqrt");
    assert(root != NULL && root(49) == 7);
}

static void limit(void)
{
    struct rlimit most;
    assert(getrlimit(RLIMIT_CORE, &most) == 0);
    most.rlim_cur = 0;
    assert(setrlimit(RLIMIT_CORE, &most) == 0);
    errno = 0;
    assert(setrlimit(99, &most) == -1 && errno == EINVAL);
}

static void limit_by_prlimit(void)
{
    struct rlimit most;
    struct rlimit64 same;
    assert(prlimit(getpid(), RLIMIT_CORE, NULL, &most) == 0);
    most.rlim_cur = 0;
    assert(prlimit(0, RLIMIT_CORE, &most, NULL) == 0);
    assert(prlimit64(0, RLIMIT_CORE, NULL, &same) == 0 && same.rlim_cur == 0);
    assert(prlimit64(0, RLIMIT_CORE, &same, NULL) == 0 && setrlimit64(RLIMIT_CORE, &same) == 0);
    errno = 0;
    assert(prlimit(0, 99, &most, NULL) == -1 && errno == EINVAL);
    errno = 0;
    assert(setrlimit64(99, &same) == -1 && errno == EINVAL);
}

static void grow(void)
{
    char *end = sbrk(0);
    assert(sbrk(4096) == end && sbrk(0) == end + 4096);
    end[4095] = 7;
    assert(sbrk(-4096) == end + 4096);
}

static void attach(void)
{
    int memory = shmget(IPC_PRIVATE, 4096, 0600);
    char *bytes = shmat(memory, NULL, 0);
    assert(memory >= 0 && shmctl(memory, IPC_RMID, NULL) == 0 && bytes != (void *)-1);
    bytes[4095] = 7;
    assert(shmdt(bytes) == 0);
    errno = 0;
    assert(shmat(memory, NULL, 0) == (void *)-1 && errno == EINVAL);
}

static void *lock_and_unlock(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t threads[2];
    if (*what == 0 || strcmp(what, "mprotect") == 0)
        change_mappings();
    if (*what == 0 || strcmp(what, "dlopen") == 0)
        load();
    if (*what == 0 || strcmp(what, "setrlimit") == 0)
        limit();
    if (*what == 0 || strcmp(what, "prlimit") == 0)
        limit_by_prlimit();
    if (*what == 0 || strcmp(what, "sbrk") == 0)
        grow();
    if (*what == 0 || strcmp(what, "shmat") == 0)
        attach();
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], NULL, lock_and_unlock, &mutex) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    return 0;
}
