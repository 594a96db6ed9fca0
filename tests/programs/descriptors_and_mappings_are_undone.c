// Descriptors and mappings of an execution are gone in the next: the same numbers and addresses come again.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions > 1
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void open_and_map(void)
{
    int fd = open("/dev/null", O_RDONLY);
    assert(fd >= 0 && fcntl(fd + 1, F_GETFD) == -1);
    char *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(page != MAP_FAILED && page[4096] == 0);
    page[4096] = 1;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    open_and_map();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    int lowest = dup(0);
    close(lowest);
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(fcntl(lowest, F_GETFD) == 0 && fcntl(lowest + 1, F_GETFD) == 0);
    assert(fcntl(lowest + 2, F_GETFD) == -1);
    return 0;
}
