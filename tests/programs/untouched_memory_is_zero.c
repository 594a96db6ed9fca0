// Memory that was never written is zero, on the heap and on the stack, in each execution; the stack
// guard is always the same, and what Bohr puts into the environment cannot be seen.
// build: gcc -O1 -fstack-protector-all
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 20000, BELOW = 8192 };

extern char **environ;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void dirty(volatile char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        assert(bytes[i] == 0);
        bytes[i] = 0x55;
    }
}

static __attribute__((noinline)) void use_stack(void)
{
    volatile char bytes[SIZE];
    dirty(bytes, sizeof bytes - BELOW); /* above it others have been */
}

static void *work(void *unused)
{
    use_stack();
    for (size_t size = 16; size <= 4096; size *= 4) {
        char *block = malloc(size);
        dirty(block, size);
        free(block);
        block = malloc(size);
        dirty(block, size);
    }
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void check_environment(void)
{
    assert(getenv("LD_PRELOAD") == NULL && getenv("LD_BIND_NOW") == NULL);
    assert(getenv("GLIBC_TUNABLES") == NULL);
    for (char **entry = environ; *entry != NULL; entry++)
        assert(strncmp(*entry, "BOHR_", 5) != 0);
}

int main(void)
{
    check_environment();
    uint64_t guard;
    __asm__("movq %%fs:0x28, %0" : "=r"(guard));
    assert(guard == 0x6a09e667f3bcc900);
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    work(NULL);
    return 0;
}
