#!/usr/bin/env python3
"""Memory at two addresses is one object: lost updates, races, locks and wake-ups through different addresses are found
and explored as through one, whichever call mapped it again, by every strategy that makes a claim. `make test` takes three
ways."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 8192 };
static void *at[2];

static void *mapped(int file, int flags)
{
    void *start = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, file, 0);
    assert(start != MAP_FAILED);
    return start;
}

static int memory_file(void)
{
    int file = memfd_create("twice", 0);
    assert(file >= 0 && ftruncate(file, SIZE) == 0);
    return file;
}

static void map(void)
{
#if WAY == 0 /* one address only: what must come out */
    at[0] = at[1] = mapped(-1, MAP_SHARED | MAP_ANONYMOUS);
#elif WAY == 1
    int file = memory_file();
    for (int i = 0; i < 2; i++)
        at[i] = mapped(file, MAP_SHARED);
#elif WAY == 2
    at[0] = mapped(-1, MAP_SHARED | MAP_ANONYMOUS);
    at[1] = mremap(at[0], 0, SIZE, MREMAP_MAYMOVE);
#elif WAY == 3
    int segment = shmget(IPC_PRIVATE, SIZE, 0600);
    for (int i = 0; i < 2; i++)
        at[i] = shmat(segment, NULL, 0);
    shmctl(segment, IPC_RMID, NULL);
#elif WAY == 4 /* two files that are the same, the first mapping gone, its place taken */
    int file = memory_file();
    char path[64] = "/proc/self/fd/";
    path[14] = (char)('0' + file), path[15] = 0;
    int again = open(path, O_RDWR);
    void *first = mapped(file, MAP_SHARED);
    at[0] = mapped(again, MAP_SHARED);
    at[1] = mapped(file, MAP_SHARED);
    munmap(first, SIZE);
    void *other = mmap(first, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    *(volatile int *)other = 1;
#elif WAY == 5 /* the parts overlap */
    int file = memory_file();
    char *whole = mapped(file, MAP_SHARED);
    at[0] = whole + 4096;
    at[1] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096);
#elif WAY == 6
    int file = memory_file();
    for (int i = 0; i < 2; i++)
        at[i] = (void *)syscall(SYS_mmap, NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
#endif
    assert(at[0] != MAP_FAILED && at[1] != MAP_FAILED);
}
"""

BODIES = {
    "atomics": """
static void *work(void *which)
{
    atomic_int *sum = at[(long)which];
    int seen = atomic_load(sum);
    atomic_store(sum, seen + 1);
    return NULL;
}
static void begin(void) {}
static void end(void) { assert(*(atomic_int *)at[0] == 2); }
""",
    "plain": """
static void *work(void *which)
{
    int *sum = at[(long)which];
    *sum = *sum + 1;
    return NULL;
}
static void begin(void) {}
static void end(void) {}
""",
    "mutex": """
struct guarded { pthread_mutex_t mutex; int sum, first; };
static void *work(void *which)
{
    struct guarded *mine = at[(long)which];
    pthread_mutex_lock(&mine->mutex);
    if (mine->sum++ == 0)
        mine->first = (int)(long)which;
    pthread_mutex_unlock(&mine->mutex);
    return NULL;
}
static void begin(void) { pthread_mutex_init(&((struct guarded *)at[0])->mutex, NULL); }
static void end(void) { assert(((struct guarded *)at[1])->sum == 2); }
""",
    "condition": """
struct guarded { pthread_mutex_t mutex; pthread_cond_t cond; int set; };
static void *work(void *which)
{
    struct guarded *mine = at[(long)which];
    pthread_mutex_lock(&mine->mutex);
    if (which != NULL) {
        mine->set = 1;
        pthread_cond_signal(&mine->cond);
    }
    while (!mine->set)
        pthread_cond_wait(&mine->cond, &mine->mutex);
    pthread_mutex_unlock(&mine->mutex);
    return NULL;
}
static void begin(void)
{
    struct guarded *it = at[0];
    pthread_mutex_init(&it->mutex, NULL);
    pthread_cond_init(&it->cond, NULL);
}
static void end(void) {}
""",
    "semaphore": """
struct guarded { sem_t semaphore; int sum; };
static void *work(void *which)
{
    struct guarded *mine = at[(long)which];
    sem_wait(&mine->semaphore);
    mine->sum++;
    sem_post(&mine->semaphore);
    return NULL;
}
static void begin(void) { sem_init(&((struct guarded *)at[1])->semaphore, 0, 1); }
static void end(void) { assert(((struct guarded *)at[1])->sum == 2); }
""",
}

MAIN = """
int main(void)
{
    pthread_t threads[2];
    map();
    begin();
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    end();
    return 0;
}
"""
WAYS = 7
STRATEGIES = ["dfs", "dpor", "bpor", "preempt", "delay"]
COUNTED = ["dfs", "dpor"]


def outcome(result):
    return sorted((f["kind"], f["message"]) for f in result["findings"] if f["severity"] == "error")


def check(bench):
    for name, body in BODIES.items():
        expected = {}
        for way in [0, *tier.sample(name, range(1, WAYS), 2)]:
            program = bench.build(f"{name}{way}", f"#define WAY {way}\n" + HEAD + body + MAIN)
            # All ways with one strategy, and all strategies with one way: each meets each code path.
            for strategy in STRATEGIES if way in (0, 1) else STRATEGIES[1:2]:
                result = bench.explore(["-s", strategy, "-k"], program,
                                       status=1 if name in ("atomics", "plain") else 0)
                came = (outcome(result), result["classes"] if strategy in COUNTED else None)
                if way == 0:
                    expected[strategy] = came
                elif came != expected[strategy]:
                    fail(f"{name} at two addresses, way {way}, {strategy}", expected=expected[strategy], actual=came,
                         command=shown([bench.bohr, "run", "-s", strategy, "-k", program]))


bench_run(check)
