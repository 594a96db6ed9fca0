#!/usr/bin/env python3
"""A fault in the dependence table: for each kind of operation that touches an object, a small program in which dpor shows
another set of classes, or cuts executions, if the runtime does not note what such operations touch."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <bohr.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
static pthread_barrier_t b;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static sem_t q;
static atomic_int x, seen[2];
static int plain, ends[2], word;
static int *heap;
static struct timespec late = {.tv_sec = 1};
static void once(void) {}
static char byte;
#define SAW(what) (void)(what)
"""

# kind: (what is done before, the first thread, the second). Not here: what is always in order by other steps of its
# call, too (once done, futex woken), names of semaphores, connections.
LOCKED = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
PAIRS = {
    "lock": ("", "pthread_mutex_lock(&m);", "pthread_mutex_trylock(&m);"),
    "try-lock": ("", "pthread_mutex_trylock(&m);", "pthread_mutex_trylock(&m);"),
    "timed lock": ("", "pthread_mutex_timedlock(&m, &late);", "pthread_mutex_timedlock(&m, &late);"),
    "unlock": ("", LOCKED, "pthread_mutex_trylock(&m);"),
    "wait": ("", "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);", "pthread_cond_signal(&c);"),
    "signal": ("", "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);", "pthread_cond_signal(&c);"),
    "broadcast": ("", "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);", "pthread_cond_broadcast(&c);"),
    "wake": ("", "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);",
             "pthread_cond_broadcast(&c); pthread_mutex_trylock(&m);"),
    "read-lock": ("", "pthread_rwlock_rdlock(&w);", "pthread_rwlock_trywrlock(&w);"),
    "try-read-lock": ("", "pthread_rwlock_tryrdlock(&w);", "pthread_rwlock_trywrlock(&w);"),
    "timed read-lock": ("", "pthread_rwlock_timedrdlock(&w, &late);", "pthread_rwlock_trywrlock(&w);"),
    "read-unlock": ("", "pthread_rwlock_rdlock(&w); pthread_rwlock_unlock(&w);", "pthread_rwlock_trywrlock(&w);"),
    "write-lock": ("", "pthread_rwlock_wrlock(&w);", "pthread_rwlock_tryrdlock(&w);"),
    "try-write-lock": ("", "pthread_rwlock_trywrlock(&w);", "pthread_rwlock_trywrlock(&w);"),
    "timed write-lock": ("", "pthread_rwlock_timedwrlock(&w, &late);", "pthread_rwlock_tryrdlock(&w);"),
    "write-unlock": ("", "pthread_rwlock_wrlock(&w); pthread_rwlock_unlock(&w);", "pthread_rwlock_tryrdlock(&w);"),
    "spin-lock": ("", "pthread_spin_lock(&s);", "pthread_spin_trylock(&s);"),
    "try-spin-lock": ("", "pthread_spin_trylock(&s);", "pthread_spin_trylock(&s);"),
    "spin-unlock": ("", "pthread_spin_lock(&s); pthread_spin_unlock(&s);", "pthread_spin_trylock(&s);"),
    "arrive at": ("", "pthread_barrier_wait(&b);", "pthread_barrier_wait(&b);"),
    "semaphore wait": ("sem_init(&q, 0, 1);", "sem_wait(&q);", "sem_trywait(&q);"),
    "semaphore try-wait": ("", "sem_trywait(&q);", "sem_post(&q);"),
    "semaphore timed wait": ("", "sem_timedwait(&q, &late);", "sem_post(&q);"),
    "semaphore post": ("", "sem_post(&q);", "sem_trywait(&q);"),
    "semaphore value": ("", "int n; sem_getvalue(&q, &n); SAW(n);", "sem_post(&q);"),
    "queue to write-lock": ("pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); pthread_rwlockattr_setkind_np(&a, "
                            "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); pthread_rwlock_init(&w, &a); "
                            "pthread_rwlock_rdlock(&w);",
                            "pthread_rwlock_wrlock(&w);", "pthread_rwlock_tryrdlock(&w);"),
    "lock stream": ("", "flockfile(stdout);", "ftrylockfile(stdout);"),
    "try-lock stream": ("", "ftrylockfile(stdout);", "ftrylockfile(stdout);"),
    "unlock stream": ("", "flockfile(stdout); funlockfile(stdout);", "ftrylockfile(stdout);"),
    "happens before": ("", "bohr_happens_before(&x);", "bohr_happens_after(&x);"),
    "happens after": ("", "bohr_happens_before(&x);", "bohr_happens_after(&x);"),
    "once": ("", "pthread_once(&o, once);", "pthread_once(&o, once);"),
    "futex wait": ("", "syscall(SYS_futex, &x, FUTEX_WAIT, 0, NULL, NULL, 0);", "x = 1; syscall(SYS_futex, &x, FUTEX_WAKE, 1, NULL, NULL, 0);"),
    "futex wake": ("", "syscall(SYS_futex, &x, FUTEX_WAIT, 0, NULL, NULL, 0);", "syscall(SYS_futex, &x, FUTEX_WAKE, 1, NULL, NULL, 0);"),
    "open": ("pipe(ends);", "dup(ends[0]);", "close(ends[0]);"),
    "read from": ("pipe(ends); write(ends[1], &byte, 1);", "read(ends[0], &byte, 1);", "write(ends[1], &byte, 1);"),
    "write to": ("pipe(ends);", "write(ends[1], \"a\", 1);", "write(ends[1], \"b\", 1);"),
    "poll": ("pipe(ends);", "struct pollfd p = {ends[0], POLLIN, 0}; poll(&p, 1, 0);", "write(ends[1], \"b\", 1);"),
    "close": ("pipe(ends);", "close(ends[1]);", "write(ends[1], \"b\", 1);"),
    "atomic load": ("", "atomic_load(&x);", "atomic_store(&x, 1);"),
    "atomic store": ("", "atomic_store(&x, 2);", "atomic_store(&x, 1);"),
    "atomic update": ("", "atomic_fetch_add(&x, 2);", "atomic_store(&x, 1);"),
    "compare-exchange": ("", "int n = 1; atomic_compare_exchange_strong(&x, &n, 2);", "atomic_store(&x, 1);"),
    "read": ("", "SAW(*(volatile int *)&plain);", "*(volatile int *)&plain = 1;"),
    "write": ("", "*(volatile int *)&plain = 2;", "*(volatile int *)&plain = 1;"),
    "free": ("heap = malloc(sizeof *heap);", "free(heap);", "*(volatile int *)heap = 1;"),
}

SOURCE = HEAD + """
static void *first(void *unused) { {one} return NULL; }
static void *second(void *unused) { {two} return NULL; }
int main(void)
{
    pthread_t t[2];
    pthread_spin_init(&s, 0);
    pthread_barrier_init(&b, NULL, 2);
    sem_init(&q, 0, 0);
    {before}
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
"""


def seen(bench, program, *options):
    result = bench.explore(["-s", "dpor", "-k", "--no-shrink", "--races", "warn", *options], program)
    kinds = sorted({finding["kind"] for finding in result["findings"]})
    return [result["classes"], result["class_set"], result["executions"], result["cut"], kinds], result


def check(bench):
    for number, (kind, (before, one, two)) in enumerate(PAIRS.items()):
        source = SOURCE.replace("{one}", one).replace("{two}", two).replace("{before}", before)
        program = bench.build(f"pair-{number}", source, ["-w"])
        right, result = seen(bench, program)
        if result["claim"]["kind"] != "all-classes":
            fail(f"{kind}: all classes are claimed", threads=[one, two], actual=result["claim"]["text"])
        wrong, result = seen(bench, program, "--fault", kind)
        if wrong == right:
            fail(f"nobody notices that '{kind}' touches nothing", threads=[one, two], expected=f"not {right}")
        if result["claim"]["kind"] != "nothing":
            fail("with a fault nothing is claimed", actual=result["claim"]["text"])
    print(f"ok   faults in {len(PAIRS)} rows of the dependence table are noticed")


if __name__ == "__main__":
    bench_run(check)
