// Random numbers and identities are the same in every execution, and differ between threads: what
// they decide is part of the trace, in every mode, and twice the same. Which numbers descriptors get depends on the order in
// which threads open files. So each open and close is a step, there are too many orders for a complete search, and the
// searches that look at files have limits. With the argument `calls` threads open none, and the searches are complete.
// modes: all
// run: -s dfs -n 300
// expect: no finding
// run: -s dfs -n 50 --isolate exec
// expect: no finding
// run: -s dpor -- calls
// expect: no finding
// expect: complete == true
// run: -s dfs -- calls
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutexes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static uint64_t sums[2];
static int opens;
static pid_t ids[3];

/* Each bit decides which mutex is locked, so another number would be another trace. */
static void decide(uint64_t number)
{
    for (int i = 0; i < 2; i++, number >>= 17) {
        pthread_mutex_lock(&mutexes[number % 4]);
        pthread_mutex_unlock(&mutexes[number % 4]);
    }
}

static uint64_t from_file(const char *path)
{
    uint64_t number = 0;
    FILE *file = fopen(path, "rb");
    assert(file != NULL && fread(&number, sizeof number, 1, file) == 1);
    fclose(file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t another = 0;
    assert(fd >= 0 && read(fd, &another, sizeof another) == sizeof another);
    assert(number != another);
    assert(close(fd) == 0);
    return number * 3 + another;
}

static uint64_t draw(void)
{
    uint64_t sum = 0, number;
    assert(getrandom(&number, sizeof number, 0) == sizeof number);
    sum = sum * 31 + number;
    assert(getentropy(&number, sizeof number) == 0);
    sum = sum * 31 + number;
    assert(syscall(SYS_getrandom, &number, sizeof number, 0) == sizeof number);
    sum = sum * 31 + number;
    arc4random_buf(&number, 7);
    sum = sum * 31 + number;
    sum = sum * 31 + arc4random();
    uint32_t small = arc4random_uniform(10);
    assert(small < 10 && arc4random_uniform(1) == 0);
    sum = sum * 31 + small;
    if (!opens)
        return sum;
    sum = sum * 31 + from_file("/dev/urandom");
    return sum * 31 + from_file("/dev/random");
}

static void *work(void *place)
{
    uint64_t *sum = place;
    *sum = draw();
    assert(gettid() == syscall(SYS_gettid));
    ids[1 + (sum - sums)] = gettid();
    decide(*sum);
    return NULL;
}

static void errors(void)
{
    char bytes[300];
    errno = 0;
    assert(getrandom(bytes, 1, 0x80) == -1 && errno == EINVAL);
    errno = 0;
    assert(getentropy(bytes, 257) == -1 && errno == EIO);
    assert(getentropy(bytes, 256) == 0);
}

static void of_libc(void)
{
    srand((unsigned)time(NULL));
    int first = rand();
    srandom((unsigned)(time(NULL) ^ getpid()));
    long second = random();
    srand48(time(NULL));
    decide((uint64_t)first * 31 + (uint64_t)second * 37 + (uint64_t)lrand48());
}

int main(int count, char **arguments)
{
    opens = count < 2 || strcmp(arguments[1], "calls") != 0;
    assert(rand() == 1804289383); /* of a generator that was never seeded */
    assert(getpid() == gettid() && getpid() == syscall(SYS_getpid) && getppid() != getpid());
    assert(getppid() == syscall(SYS_getppid));
    ids[0] = gettid();
    unsigned processor = 1, node = 1;
    assert(sched_getcpu() == 0 && getcpu(&processor, &node) == 0 && processor + node == 0);
    cpu_set_t set;
    CPU_ZERO(&set);
    assert(sched_getaffinity(getpid(), sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
    assert(sched_setaffinity(gettid(), sizeof set, &set) == 0);
    assert(kill(getpid(), 0) == 0 && getsid(getpid()) == getsid(0));
    uint64_t seed;
    memcpy(&seed, (void *)getauxval(AT_RANDOM), sizeof seed);
    decide(seed);
    errors();
    of_libc();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sums[0] != sums[1]);
    assert(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
    decide(sums[0] ^ sums[1]);
    return 0;
}
