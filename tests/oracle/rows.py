"""What a program does to perform each kind of operation of core/op.def.

A row without an entry here fails the tests (check_rows): a new kind of operation joins the pairs and the random programs
only if somebody writes down how a C program performs it. Each entry is a list of (setup, code): `setup` runs in main
before the threads exist, `code` in a thread; GOT(e) makes `e` part of the program's final state. `{i}` is the number
of an object of its family: 0 in pairs, any in random programs."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

HEAD = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <bohr.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
void outcome(unsigned state);
#define GOT(e) (r = r * 2 + ((e) != 0))
#define PLAIN(v) (*(volatile int *)&(v))
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}, guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t re = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t c[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t w[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_spinlock_t s[2];
static pthread_barrier_t b[2];
static pthread_once_t o[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static sem_t q[2];
static sem_t *named;
static atomic_int x[2], y;
static int data, v[2], shared_word;
static int *h[2];
static pthread_t third;
static int ends[2][2], event[2];
static int tag[2];
static char byte __attribute__((aligned(8)));
static int listener[2];
static const struct sockaddr_un name[2] = {{AF_UNIX, "\0o0"}, {AF_UNIX, "\0o1"}};
static pthread_t boss;
static sigset_t usr1, none;
static const struct timespec past = {.tv_sec = 1}, moment = {.tv_nsec = 1};
static void handler(int number) { atomic_store(&x[1], 1); }
static void initialise(void) { PLAIN(v[1])++; }
static void named_socket(int i)
{
    if (listener[i] != 0)
        return;
    listener[i] = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener[i], (const struct sockaddr *)&name[i], sizeof name[i]) != 0) abort();
}
static int client(int i)
{
    int k = socket(AF_UNIX, SOCK_STREAM, 0);
    return connect(k, (const struct sockaddr *)&name[i], sizeof name[i]) == 0 ? k : -1;
}
static void *child(void *unused) { atomic_fetch_add(&y, 1); PLAIN(v[0]) = 3; return NULL; }
static void *patient(void *unused) { pthread_testcancel(); PLAIN(v[0]) = 3; sem_wait(&q[0]); return NULL; }
static void *brief(void *unused) { PLAIN(v[0]) = 3; return NULL; }
static long futex(atomic_int *word, int operation, int value, const struct timespec *limit)
{
    return syscall(SYS_futex, word, operation, value, limit, NULL, 0);
}
"""

PATIENT = "pthread_create(&third, NULL, patient, NULL);"
BOSS = "boss = pthread_self();"
HANDLED = "signal(SIGUSR1, handler);"  # with SA_RESTART
INTERRUPTS = "struct sigaction a = {.sa_handler = handler}; sigaction(SIGUSR1, &a, NULL);"
BLOCKED = HANDLED + "sigaddset(&usr1, SIGUSR1); pthread_sigmask(SIG_BLOCK, &usr1, NULL);"
FORK = "int k = fork(); if (k == 0) _exit(3); "
CHILD_HANDLED = "signal(SIGCHLD, handler);"
ALARMS = "signal(SIGALRM, handler);"
ALARM_INTERRUPTS = "struct sigaction a = {.sa_handler = handler}; sigaction(SIGALRM, &a, NULL);"
IGNORES_BROKEN_PIPES = "signal(SIGPIPE, SIG_IGN);"
SEND = "kill(getpid(), SIGUSR1);"
THIRD = "pthread_create(&third, NULL, child, NULL);"
PIPE = "if (pipe(ends[{i}]) != 0) abort();"
WITH_BYTE = PIPE + "if (write(ends[{i}][1], \"\", 1) != 1) abort();"
NAMED = "named_socket({i});"
LISTENS = NAMED + "listen(listener[{i}], 0);"
EVENT = "event[{i}] = eventfd(1, 0);"
PREFERS = ("pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); pthread_rwlockattr_setkind_np(&a, "
           "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); pthread_rwlock_init(&w[{i}], &a);")
LOCK, UNLOCK = "pthread_mutex_lock(&m[{i}]);", "pthread_mutex_unlock(&m[{i}]);"
HEAP = "h[{i}] = calloc(1, sizeof *h[{i}]);"
OPEN = "named = sem_open(\"/o\", O_CREAT, 0600, 1);"

SNIPPETS = {
    "CREATE": [("", "pthread_t k; GOT(pthread_create(&k, NULL, brief, NULL)); pthread_join(k, NULL);"),
               ("", "thrd_t k; GOT(thrd_create(&k, (thrd_start_t)brief, NULL) != thrd_success); thrd_detach(k);")],
    "JOIN": [(THIRD, "pthread_join(third, NULL);")],
    "JOIN_TRY": [(THIRD, "GOT(pthread_tryjoin_np(third, NULL));")],
    "JOIN_TIMED": [(THIRD, "GOT(pthread_timedjoin_np(third, NULL, &past));")],
    "DETACH": [(THIRD, "pthread_detach(third);")],
    "YIELD": [("", "sched_yield();")],
    "SLEEP": [("", "usleep(1);"), ("", "nanosleep(&moment, NULL);")],
    "EXIT": [("", "exit(0);")],
    "CHOOSE": [("", "GOT(bohr_choose(2));")],
    "CANCEL": [(PATIENT, "GOT(pthread_cancel(third));"), (PATIENT, "pthread_cancel(third); sem_post(&q[0]);")],
    "CANCEL_TEST": [(PATIENT, "pthread_cancel(third); void *k = NULL; pthread_join(third, &k); GOT(k == PTHREAD_CANCELED);"),
                    ("", "pthread_testcancel();")],
    "CANCELLED": [("", "pthread_cancel(pthread_self()); usleep(1); PLAIN(v[{i}]) = 1;")],
    "SIGNAL_HANDLE": [(INTERRUPTS, SEND + "GOT(atomic_load(&x[1]));"), (INTERRUPTS + "sem_post(&q[{i}]);", SEND + "GOT(sem_wait(&q[{i}]));")],
    "SIGNAL_SEND": [(HANDLED, SEND), (INTERRUPTS, SEND), (HANDLED + BOSS, "pthread_kill(boss, SIGUSR1);"), (HANDLED, "raise(SIGUSR1);")],
    "SIGNAL_SET": [(HANDLED, "sigset_t k; sigemptyset(&k); sigaddset(&k, SIGUSR1); pthread_sigmask(SIG_BLOCK, &k, NULL);"),
                   (BLOCKED, "pthread_sigmask(SIG_SETMASK, &none, NULL);"), (HANDLED, "signal(SIGUSR1, SIG_IGN);")],
    "SIGNAL_SLEEP": [(HANDLED, "pause();"), (BLOCKED, "sigsuspend(&none);")],
    "SIGNAL_WAIT": [(BLOCKED, "int k; sigwait(&usr1, &k);"), (BLOCKED, "GOT(sigtimedwait(&usr1, NULL, &moment) == SIGUSR1);")],
    "SIGNAL_LOOK": [(BLOCKED, "sigset_t k; sigpending(&k); GOT(sigismember(&k, SIGUSR1));")],
    "TIMER_SET": [(ALARMS, "GOT(alarm(1));"), (ALARMS + "alarm(1);", "GOT(alarm(0));")],
    "TIMER_EXPIRE": [(ALARMS, "alarm(1); pause();"), (ALARM_INTERRUPTS, "alarm(1); GOT(sem_wait(&q[{i}]));"),
                     (ALARMS + "alarm(1);", "GOT(atomic_load(&x[1]));")],
    "PROCESS": [("", FORK + "GOT(k < 0);")],
    "PROCESS_WAIT": [("", FORK + "int s = 0; waitpid(k, &s, 0); GOT(WEXITSTATUS(s) == 3);"),
                     ("", FORK + "GOT(waitpid(k, NULL, WNOHANG));"), ("", FORK + "GOT(wait(NULL) == k);")],
    "PROCESS_END": [(CHILD_HANDLED, FORK + "GOT(waitpid(k, NULL, 0) == k);"), (CHILD_HANDLED, FORK + "pause();")],
    "MUTEX_LOCK": [("", LOCK + UNLOCK), ("", LOCK),
                   ("", "pthread_mutex_lock(&re); pthread_mutex_lock(&re); pthread_mutex_unlock(&re); pthread_mutex_unlock(&re);"),
                   ("mtx_t *l = (mtx_t *)&m[{i}]; mtx_init(l, mtx_plain);", "mtx_lock((mtx_t *)&m[{i}]); mtx_unlock((mtx_t *)&m[{i}]);")],
    "MUTEX_TRYLOCK": [("", "if (GOT(pthread_mutex_trylock(&m[{i}])) % 2 == 0) pthread_mutex_unlock(&m[{i}]);"),
                      ("", "GOT(pthread_mutex_trylock(&m[{i}]));")],
    "MUTEX_TIMEDLOCK": [("", "if (GOT(pthread_mutex_timedlock(&m[{i}], &past)) % 2 == 0) pthread_mutex_unlock(&m[{i}]);")],
    "MUTEX_UNLOCK": [("", LOCK + "PLAIN(v[{i}])++; " + UNLOCK)],
    "COND_WAIT": [("", LOCK + "if (PLAIN(v[{i}]) == 0) pthread_cond_wait(&c[{i}], &m[{i}]);" + UNLOCK),
                  ("", LOCK + "GOT(pthread_cond_timedwait(&c[{i}], &m[{i}], &past));" + UNLOCK)],
    "COND_WAKE": [("", LOCK + "pthread_cond_wait(&c[{i}], &m[{i}]);" + UNLOCK)],
    "COND_SIGNAL": [("", LOCK + "PLAIN(v[{i}]) = 1; pthread_cond_signal(&c[{i}]);" + UNLOCK), ("", "pthread_cond_signal(&c[{i}]);")],
    "COND_BROADCAST": [("", "pthread_cond_broadcast(&c[{i}]);"),
                       ("", LOCK + "PLAIN(v[{i}]) = 1; pthread_cond_broadcast(&c[{i}]);" + UNLOCK)],
    "RWLOCK_READ": [("", "pthread_rwlock_rdlock(&w[{i}]); pthread_rwlock_unlock(&w[{i}]);"), ("", "pthread_rwlock_rdlock(&w[{i}]);")],
    "RWLOCK_TRYREAD": [("", "if (GOT(pthread_rwlock_tryrdlock(&w[{i}])) % 2 == 0) pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_TIMEDREAD": [("", "if (GOT(pthread_rwlock_timedrdlock(&w[{i}], &past)) % 2 == 0) pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_UNREAD": [("", "pthread_rwlock_rdlock(&w[{i}]); GOT(PLAIN(v[{i}])); pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_QUEUE": [(PREFERS, "pthread_rwlock_wrlock(&w[{i}]); pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_WRITE": [("", "pthread_rwlock_wrlock(&w[{i}]); pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_TRYWRITE": [("", "if (GOT(pthread_rwlock_trywrlock(&w[{i}])) % 2 == 0) pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_TIMEDWRITE": [("", "if (GOT(pthread_rwlock_timedwrlock(&w[{i}], &past)) % 2 == 0) pthread_rwlock_unlock(&w[{i}]);")],
    "RWLOCK_UNWRITE": [("", "pthread_rwlock_wrlock(&w[{i}]); PLAIN(v[{i}])++; pthread_rwlock_unlock(&w[{i}]);")],
    "SPIN_LOCK": [("", "pthread_spin_lock(&s[{i}]); pthread_spin_unlock(&s[{i}]);")],
    "SPIN_TRYLOCK": [("", "if (GOT(pthread_spin_trylock(&s[{i}])) % 2 == 0) pthread_spin_unlock(&s[{i}]);")],
    "SPIN_UNLOCK": [("", "pthread_spin_lock(&s[{i}]); PLAIN(v[{i}])++; pthread_spin_unlock(&s[{i}]);")],
    "BARRIER_ARRIVE": [("", "GOT(pthread_barrier_wait(&b[{i}]));")],
    "BARRIER_LEAVE": [("", "pthread_barrier_wait(&b[{i}]); GOT(PLAIN(v[{i}]));")],
    "SEM_WAIT": [("", "sem_wait(&q[{i}]);"), ("sem_post(&q[{i}]);", "sem_wait(&q[{i}]); sem_post(&q[{i}]);")],
    "SEM_TRYWAIT": [("", "GOT(sem_trywait(&q[{i}]));")],
    "SEM_TIMEDWAIT": [("", "GOT(sem_timedwait(&q[{i}], &past));")],
    "SEM_POST": [("", "sem_post(&q[{i}]);")],
    "SEM_VALUE": [("", "int n; sem_getvalue(&q[{i}], &n); GOT(n);")],
    "SEM_NAME": [("", "sem_t *n = sem_open(\"/o\", O_CREAT | O_EXCL, 0600, 0); GOT(n == SEM_FAILED);"),
                 (OPEN, "GOT(sem_unlink(\"/o\"));"),
                 (OPEN, "sem_t *n = sem_open(\"/o\", 0); GOT(n == SEM_FAILED);")],
    "ONCE": [("", "pthread_once(&o[{i}], initialise);")],
    "ONCE_DONE": [("", "call_once((once_flag *)&o[{i}], initialise); GOT(PLAIN(v[1]));")],
    "STREAM_LOCK": [("", "flockfile(stdin); funlockfile(stdin);"), ("", "flockfile(stdin);")],
    "STREAM_TRYLOCK": [("", "if (GOT(ftrylockfile(stdin)) % 2 == 0) funlockfile(stdin);")],
    "STREAM_UNLOCK": [("", "flockfile(stdin); PLAIN(v[{i}])++; funlockfile(stdin);")],
    "FUTEX_WAIT": [("", "GOT(futex(&x[{i}], FUTEX_WAIT, 0, NULL));"), ("", "GOT(futex(&x[{i}], FUTEX_WAIT, 0, &moment));")],
    "FUTEX_WAKE": [("", "futex(&x[{i}], FUTEX_WAIT, 0, NULL); GOT(atomic_load(&x[{i}]));")],
    "FUTEX_SIGNAL": [("", "atomic_store(&x[{i}], 1); GOT(futex(&x[{i}], FUTEX_WAKE, 1, NULL));"),
                     ("", "GOT(futex(&x[{i}], FUTEX_WAKE, 1, NULL));")],
    "FILE_OPEN": [("", "int f[2]; GOT(pipe(f)); close(f[0]); close(f[1]);"), ("", "GOT(eventfd(1, EFD_NONBLOCK) < 0);"),
                  (PIPE, "GOT(dup(ends[{i}][0]) < 0);")],
    "FILE_CLOSE": [(PIPE, "GOT(close(ends[{i}][1]));"), (IGNORES_BROKEN_PIPES + PIPE, "GOT(close(ends[{i}][0]));"), (EVENT, "GOT(close(event[{i}]));")],
    "FILE_READ": [(PIPE, "char k = 0; GOT(read(ends[{i}][0], &k, 1) == 1);"), (WITH_BYTE, "char k = 0; GOT(read(ends[{i}][0], &k, 1) == 1);"),
                  (EVENT, "uint64_t k = 0; GOT(read(event[{i}], &k, 8) == 8); GOT(k > 1);")],
    "FILE_WRITE": [(PIPE, "char k = 1; GOT(write(ends[{i}][1], &k, 1) == 1);"), (EVENT, "uint64_t k = 1; GOT(write(event[{i}], &k, 8) == 8);"),
                   (EVENT, "uint64_t k = UINT64_MAX - 1; GOT(write(event[{i}], &k, 8) == 8);")],
    "FILE_POLL": [(PIPE, "struct pollfd k = {.fd = ends[{i}][0], .events = POLLIN}; GOT(poll(&k, 1, 0)); GOT(k.revents & POLLIN);"),
                  (PIPE, "struct pollfd k = {.fd = ends[{i}][0], .events = POLLIN}; poll(&k, 1, -1); GOT(k.revents & POLLIN);"),
                  (EVENT, "struct pollfd k = {.fd = event[{i}], .events = POLLIN}; GOT(poll(&k, 1, 1));"),
                  (PIPE, "GOT(fcntl(ends[{i}][0], F_GETFL) == (O_RDONLY | O_NONBLOCK));")],
    "FILE_CHANGE": [(PIPE, "GOT(fcntl(ends[{i}][0], F_SETFL, O_NONBLOCK));"), (NAMED, "listen(listener[{i}], 0);")],
    "ACCEPT": [(LISTENS, "GOT(accept(listener[{i}], NULL, NULL) < 0);"),
               (LISTENS, "int k = accept(listener[{i}], NULL, NULL); char c = 0; GOT(read(k, &c, 1) == 1);"),
               (LISTENS + "fcntl(listener[{i}], F_SETFL, O_NONBLOCK);", "GOT(accept(listener[{i}], NULL, NULL) < 0);")],
    "CONNECT": [(LISTENS, "GOT(client({i}) < 0);"), (NAMED, "GOT(client({i}) < 0);"),
                (LISTENS, "int k = client({i}); char c = 1; GOT(write(k, &c, 1) == 1);")],
    "HAPPENS_BEFORE": [("", "bohr_happens_before(&tag[{i}]);")],
    "HAPPENS_AFTER": [("", "bohr_happens_after(&tag[{i}]);")],
    "ATOMIC_LOAD": [("", "GOT(atomic_load(&x[{i}]));"), ("", "GOT(atomic_load_explicit(&x[{i}], memory_order_acquire));"),
                    ("", "GOT(atomic_load_explicit(&x[{i}], memory_order_relaxed)); atomic_thread_fence(memory_order_acquire);")],
    "ATOMIC_STORE": [("", "atomic_store(&x[{i}], 1);"), ("", "atomic_store_explicit(&x[{i}], 1, memory_order_release);"),
                     ("", "atomic_store_explicit(&x[{i}], 0, memory_order_relaxed);"),
                     ("", "atomic_thread_fence(memory_order_release); atomic_store_explicit(&x[{i}], 1, memory_order_relaxed);")],
    "ATOMIC_UPDATE": [("", "atomic_fetch_add(&x[{i}], 1);"), ("", "GOT(atomic_fetch_add(&x[{i}], 0));"),
                      ("", "GOT(atomic_exchange(&x[{i}], 1));"), ("", "atomic_fetch_or_explicit(&x[{i}], 0, memory_order_relaxed);")],
    "ATOMIC_COMPARE": [("", "int e = 0; GOT(atomic_compare_exchange_strong(&x[{i}], &e, 1));"),
                       ("", "int e = 0; GOT(atomic_compare_exchange_strong(&x[{i}], &e, 0));"),
                       ("", "int e = 1; GOT(atomic_compare_exchange_strong_explicit(&x[{i}], &e, 2, memory_order_acq_rel, memory_order_acquire));")],
    "READ": [("", "GOT(PLAIN(v[{i}]));")],
    "WRITE": [("", "PLAIN(v[{i}]) = 1;"), ("", "PLAIN(v[{i}])++;")],
    "FREE": [(HEAP, "free(h[{i}]);")],
}

# What these do depends on where other threads stand: before a blocking call on the same file, before a cancellation point, not
# yet ended. Then it matters which plain accesses are steps: in the oracle those of memory that threads share, with --points race
# those that race, with --points all every one. So classes are counted with the same steps, and --points all may have more.
BY_PLACE = {"FILE_CLOSE", "FILE_CHANGE", "CANCEL", "CANCEL_TEST", "SIGNAL_SEND", "SIGNAL_HANDLE", "TIMER_SET", "TIMER_EXPIRE",
            "PROCESS_END"}

# Rows that no program performs by itself.
NO_OPERATION = {"NONE": "the absence of an operation"}

# A destroyed object may do anything: of such programs only the races are compared.
DESTROYED = "destroyed"
# Initialisation, destruction and reuse of objects, and functions that write through their arguments.
EXTRA = {
    "mutex": [("", "pthread_mutex_init(&m[{i}], NULL);")],
    "condition": [("", "pthread_cond_init(&c[{i}], NULL);")],
    "rwlock": [("", "pthread_rwlock_init(&w[{i}], NULL);")],
    "spin": [("", "pthread_spin_init(&s[{i}], 0);")],
    "barrier": [("", "pthread_barrier_init(&b[{i}], NULL, 2);")],
    "semaphore": [("", "sem_init(&q[{i}], 0, 1);")],
    "heap": [(HEAP, "GOT(PLAIN(*h[{i}]));"), (HEAP, "PLAIN(*h[{i}]) = 1;")],
    "memory": [("", "memset(&v[{i}], 1, sizeof v[{i}]);"), ("", "int n = 5; memcpy(&v[{i}], &n, sizeof n);"),
               ("", "int n; memcpy(&n, &v[{i}], sizeof n); GOT(n);")],
    DESTROYED: [("", "pthread_mutex_destroy(&m[{i}]);"), ("", "sem_destroy(&q[{i}]);"), ("", "pthread_rwlock_destroy(&w[{i}]);"),
                ("", "pthread_spin_destroy(&s[{i}]);"), ("", "pthread_cond_destroy(&c[{i}]);")],
    "handle": [("", "pthread_create(&third, NULL, child, NULL);"), ("", "GOT(PLAIN(*(int *)&third));")],
}


FAMILIES = ["JOIN", "DETACH", "CREATE", "MUTEX", "COND", "RWLOCK", "SPIN", "BARRIER", "SEM", "ONCE", "STREAM", "FUTEX", "HAPPENS",
            "ATOMIC", "FILE", "SIGNAL", "CANCEL", "PROCESS", "TIMER"]
KIN = {"ACCEPT": "FILE", "CONNECT": "FILE", "CANCELLED": "CANCEL", "DETACH": "JOIN", "CREATE": "JOIN", "COND": "MUTEX", "FUTEX": "ATOMIC"}


def family(name):
    """Rows of one family work on the same objects."""
    first = name.split("_")[0]
    return KIN.get(first, first if first in FAMILIES else "MEMORY")


def rows_of_table():
    """The names of the rows of core/op.def, in its order."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "src/core/op.def").read_text(), flags=re.S)
    return re.findall(r"^OP\(\s*(\w+)", text, re.M)


def words_of_table():
    """How reports call each row."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "src/core/op.def").read_text(), flags=re.S)
    return dict(re.findall(r'^OP\(\s*(\w+),\s*WORDS\(\s*"([^"]*)"', text, re.M))


def rows_with_scope(scope):
    """Rows that depend on every other step, for which classes may be more than the oracle's."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "src/core/op.def").read_text(), flags=re.S)
    return {name for name, found in re.findall(r"^OP\(\s*(\w+),.*?DEPENDS\(\s*\w+,\s*\w+,\s*(\w+)", text, re.M | re.S)
            if found == scope}


def check_rows():
    """Every row of the table has a snippet, and every snippet a row."""
    rows, known = rows_of_table(), set(SNIPPETS) | set(NO_OPERATION)
    missing, surplus = sorted(set(rows) - known), sorted(known - set(rows))
    if missing or surplus:
        raise SystemExit(f"FAIL tests/oracle/rows.py and core/op.def differ\n     missing    {missing}\n     surplus    {surplus}")
    return rows
