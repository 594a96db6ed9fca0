"""Programs that show a broken column of a row of core/op.def where pairs of operations do not.

Three kinds. HANDOVERS: plain data that only the row's synchronisation orders, so no race is right, and a false one
appears without it; the same programs show a lock that does not exclude. OVERWRITES: a plain access to what the operation
itself uses, or to what a pointer argument points to, so a race is right, and it is missing if the operation's memory
effect is not seen. Where the operation needs others before it, a flag (x[1]) orders those, so that only the row in
question can race. ALONE: programs that need options, which the oracle does not have; Bohr without the fault is the
reference."""
import programs
import rows

# Declarations of these programs, beside those of rows.HEAD.
HEAD = r"""
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/stat.h>
static struct epoll_event interest = {.events = EPOLLIN};
static void *wide;
static struct timespec when = {.tv_sec = 1};
static pthread_attr_t attributes;
static long before_sleep;
static void *sleeper(void *unused) { usleep(5000); return NULL; }
static void show_once(void) { atomic_store(&x[1], 1); }
static struct pollfd polled;
static struct sockaddr_un sock_name = {.sun_family = AF_UNIX}, peer;
static socklen_t name_size = sizeof(sa_family_t) + 6, peer_size = sizeof peer;
static int sock_listener, sock_client, pipe_ends[2];
static char full[65536];
static sigset_t usr1;
static struct sigaction action;
static struct itimerspec soon = {.it_value.tv_nsec = 1000}, left;
static timer_t timer;
static pid_t process;
static siginfo_t information;
static void handle(int number) { PLAIN(v[0]) = number; }
static void look_at_data(int number) { PLAIN(v[0]) = 1 + PLAIN(data); }
static void clean(void *unused) { PLAIN(v[0]) = 1 + PLAIN(data); }
static void *tester(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    for (int n = 0; n < 2; n++)
        pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void *waiter(void *unused)
{
    pthread_mutex_lock(&m[0]);
    pthread_cleanup_push(unlock, &m[0]);
    pthread_cond_wait(&c[0], &m[0]);
    pthread_cleanup_pop(1);
    return NULL;
}
static void *handler_thread(void *unused)
{
    sched_yield();
    return NULL;
}
static void listen_here(int backlog)
{
    memcpy(sock_name.sun_path, "\0fault", 6);
    sock_listener = socket(AF_UNIX, SOCK_STREAM, 0);
    sock_client = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(sock_listener, (struct sockaddr *)&sock_name, name_size) != 0 || listen(sock_listener, backlog) != 0)
        abort();
}
static void block(int number)
{
    sigemptyset(&usr1);
    sigaddset(&usr1, number);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
}
static void start_child(void)
{
    process = fork();
    if (process == 0)
        _exit(3);
}
static long moment_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}
"""

COUNT, LOOK = "PLAIN(data)++;", "GOT(PLAIN(data));"
SHOW, SHOWN = "atomic_store(&x[1], 1);", "if (atomic_load(&x[1]))"
LOCK, UNLOCK = rows.LOCK, rows.UNLOCK
READ_LOCK, WRITE_LOCK = "pthread_rwlock_rdlock(&w[{i}]);", "pthread_rwlock_wrlock(&w[{i}]);"
RW_UNLOCK = "pthread_rwlock_unlock(&w[{i}]);"
SPIN, UNSPIN = "pthread_spin_lock(&s[{i}]);", "pthread_spin_unlock(&s[{i}]);"
STREAM, UNSTREAM = "flockfile(stdin);", "funlockfile(stdin);"


def section(take, give, body=COUNT):
    return take + body + give


def attempt(take, give, body=COUNT):
    return f"if ({take} == 0) {{ {body} {give} }}"


IN_MUTEX, IN_WRITE, IN_SPIN, IN_STREAM = (section(*parts) for parts in (
    (LOCK, UNLOCK), (WRITE_LOCK, RW_UNLOCK), (SPIN, UNSPIN), (STREAM, UNSTREAM)))
IN_READ = section(READ_LOCK, RW_UNLOCK, LOOK)
PUBLISH = "PLAIN(data) = 1;"

# row: (setup, first thread, second thread)
HANDOVERS = {
    "JOIN": [(rows.THIRD, "pthread_join(third, NULL); GOT(PLAIN(v[0]));", "sched_yield();")],
    "JOIN_TRY": [(rows.THIRD, "if (pthread_tryjoin_np(third, NULL) == 0) GOT(PLAIN(v[0]));", "sched_yield();")],
    "JOIN_TIMED": [(rows.THIRD, "if (pthread_timedjoin_np(third, NULL, &past) == 0) GOT(PLAIN(v[0]));", "sched_yield();")],
    "MUTEX_LOCK": [("", IN_MUTEX, IN_MUTEX)],
    "MUTEX_TRYLOCK": [("", attempt("pthread_mutex_trylock(&m[{i}])", UNLOCK), IN_MUTEX)],
    "MUTEX_TIMEDLOCK": [("", attempt("pthread_mutex_timedlock(&m[{i}], &past)", UNLOCK), IN_MUTEX)],
    "MUTEX_UNLOCK": [("", IN_MUTEX, IN_MUTEX)],
    "COND_WAIT": [("", LOCK + COUNT + "pthread_cond_wait(&c[{i}], &m[{i}]);" + UNLOCK, LOCK + COUNT + UNLOCK)],
    "COND_WAKE": [("", LOCK + "if (PLAIN(v[0]) == 0) pthread_cond_wait(&c[{i}], &m[{i}]);" + COUNT + UNLOCK,
                   LOCK + "PLAIN(v[0]) = 1;" + COUNT + "pthread_cond_signal(&c[{i}]);" + UNLOCK)],
    "RWLOCK_READ": [("", IN_READ, IN_WRITE), ("", READ_LOCK, WRITE_LOCK)],
    "RWLOCK_TRYREAD": [("", attempt("pthread_rwlock_tryrdlock(&w[{i}])", RW_UNLOCK, LOOK), IN_WRITE)],
    "RWLOCK_TIMEDREAD": [("", attempt("pthread_rwlock_timedrdlock(&w[{i}], &past)", RW_UNLOCK, LOOK), IN_WRITE)],
    "RWLOCK_UNREAD": [("", IN_READ, IN_WRITE)],
    "RWLOCK_WRITE": [("", IN_WRITE, IN_READ), ("", IN_WRITE, IN_WRITE)],
    "RWLOCK_TRYWRITE": [("", attempt("pthread_rwlock_trywrlock(&w[{i}])", RW_UNLOCK), IN_WRITE)],
    "RWLOCK_TIMEDWRITE": [("", attempt("pthread_rwlock_timedwrlock(&w[{i}], &past)", RW_UNLOCK), IN_WRITE)],
    "RWLOCK_UNWRITE": [("", IN_WRITE, IN_WRITE)],
    "SPIN_LOCK": [("", IN_SPIN, IN_SPIN), ("", SPIN, SPIN)],
    "SPIN_TRYLOCK": [("", attempt("pthread_spin_trylock(&s[{i}])", UNSPIN), IN_SPIN)],
    "SPIN_UNLOCK": [("", IN_SPIN, IN_SPIN)],
    "SEM_WAIT": [("", PUBLISH + "sem_post(&q[{i}]);", "sem_wait(&q[{i}]);" + LOOK)],
    "SEM_TRYWAIT": [("", PUBLISH + "sem_post(&q[{i}]);", f"if (sem_trywait(&q[{{i}}]) == 0) {LOOK}")],
    "SEM_TIMEDWAIT": [("", PUBLISH + "sem_post(&q[{i}]);", f"if (sem_timedwait(&q[{{i}}], &past) == 0) {LOOK}")],
    "SEM_NAME": [("", PUBLISH + "sem_open(\"/o\", O_CREAT, 0600, 1);", f"if (sem_open(\"/o\", 0) != SEM_FAILED) {LOOK}")],
    "ONCE": [("", "pthread_once(&o[{i}], initialise); GOT(PLAIN(v[1]));", "pthread_once(&o[{i}], initialise); GOT(PLAIN(v[1]));")],
    "STREAM_LOCK": [("", IN_STREAM, IN_STREAM)],
    "STREAM_TRYLOCK": [("", attempt("ftrylockfile(stdin)", UNSTREAM), IN_STREAM)],
    "STREAM_UNLOCK": [("", IN_STREAM, IN_STREAM)],
    "FUTEX_WAKE": [("", "GOT(futex(&x[{i}], FUTEX_WAIT, 0, &moment));", "GOT(futex(&x[{i}], FUTEX_WAKE, 1, NULL));")],
    "ATOMIC_LOAD": [("", PUBLISH + "atomic_store(&x[{i}], 1);", f"if (atomic_load(&x[{{i}}])) {LOOK}")],
    "ATOMIC_STORE": [("", PUBLISH + "atomic_store(&x[{i}], 1);", f"if (atomic_load(&x[{{i}}])) {LOOK}")],
    "ATOMIC_UPDATE": [("", PUBLISH + "atomic_fetch_add(&x[{i}], 1);", f"if (atomic_load(&x[{{i}}])) {LOOK}")],
    "ATOMIC_COMPARE": [("", PUBLISH + "atomic_store(&x[{i}], 1);",
                        f"int e = 1; if (atomic_compare_exchange_strong(&x[{{i}}], &e, 2)) {LOOK}")],
}
RELAXED = "memory_order_relaxed"
for name in ("HAPPENS_BEFORE", "HAPPENS_AFTER"):
    HANDOVERS[name] = [("", PUBLISH + f"bohr_happens_before(&tag[{{i}}]); atomic_store_explicit(&x[{{i}}], 1, {RELAXED});",
                        f"if (atomic_load_explicit(&x[{{i}}], {RELAXED})) {{ bohr_happens_after(&tag[{{i}}]); {LOOK} }}")]

INIT = {"m": "pthread_mutex_init(&m[{i}], NULL);", "c": "pthread_cond_init(&c[{i}], NULL);", "w": "pthread_rwlock_init(&w[{i}], NULL);",
        "s": "pthread_spin_init(&s[{i}], 0);", "b": "pthread_barrier_init(&b[{i}], NULL, 2);", "q": "sem_init(&q[{i}], 0, 1);"}
RESULT = "*(void *volatile *)&wide = NULL;"
STAMP = "*(volatile long *)&when.tv_sec = 2;"
PLAIN_X = "PLAIN(*(int *)&x[{i}]) = 1;"

OVERWRITES = {
    "CREATE": [("", "pthread_create(&third, NULL, brief, NULL);", "GOT(PLAIN(*(int *)&third));"),
               ("pthread_attr_init(&attributes);", "pthread_t k; pthread_create(&k, &attributes, brief, NULL);",
                "*(volatile long *)&attributes += 0;")],
    "JOIN": [(rows.THIRD, "pthread_join(third, &wide);", RESULT)],
    "JOIN_TRY": [(rows.THIRD, "pthread_tryjoin_np(third, &wide);", RESULT)],
    "JOIN_TIMED": [(rows.THIRD, "pthread_timedjoin_np(third, &wide, &past);", RESULT),
                   (rows.THIRD, "pthread_timedjoin_np(third, NULL, &when);", STAMP)],
    "SLEEP": [("", "nanosleep(&when, NULL);", STAMP)],
    "MUTEX_LOCK": [("", LOCK, INIT["m"])],
    "MUTEX_TRYLOCK": [("", "GOT(pthread_mutex_trylock(&m[{i}]));", INIT["m"])],
    "MUTEX_TIMEDLOCK": [("", "GOT(pthread_mutex_timedlock(&m[{i}], &past));", INIT["m"]),
                        ("", "GOT(pthread_mutex_timedlock(&m[{i}], &when));", STAMP)],
    "MUTEX_UNLOCK": [("", LOCK + SHOW + UNLOCK, f"{SHOWN} {INIT['m']}")],
    "COND_WAIT": [("", LOCK + "pthread_cond_wait(&c[{i}], &m[{i}]);", INIT["c"]),
                  ("", LOCK + "pthread_cond_timedwait(&c[{i}], &m[{i}], &when);", STAMP)],
    "COND_WAKE": [("", LOCK + "PLAIN(v[0]) = 1; pthread_cond_wait(&c[{i}], &m[{i}]);",
                   LOCK + "if (PLAIN(v[0])) { pthread_cond_signal(&c[{i}]);" + UNLOCK + INIT["m"] + "}")],
    "COND_SIGNAL": [("", "pthread_cond_signal(&c[{i}]);", INIT["c"])],
    "COND_BROADCAST": [("", "pthread_cond_broadcast(&c[{i}]);", INIT["c"])],
    "RWLOCK_READ": [("", READ_LOCK, INIT["w"])],
    "RWLOCK_TRYREAD": [("", "GOT(pthread_rwlock_tryrdlock(&w[{i}]));", INIT["w"])],
    "RWLOCK_TIMEDREAD": [("", "GOT(pthread_rwlock_timedrdlock(&w[{i}], &past));", INIT["w"]),
                         ("", "GOT(pthread_rwlock_timedrdlock(&w[{i}], &when));", STAMP)],
    "RWLOCK_UNREAD": [("", READ_LOCK + SHOW + RW_UNLOCK, f"{SHOWN} {INIT['w']}")],
    "RWLOCK_QUEUE": [(rows.PREFERS + READ_LOCK, WRITE_LOCK, "PLAIN(*(int *)&w[{i}]) += 0;")],
    "RWLOCK_WRITE": [("", WRITE_LOCK, INIT["w"])],
    "RWLOCK_TRYWRITE": [("", "GOT(pthread_rwlock_trywrlock(&w[{i}]));", INIT["w"])],
    "RWLOCK_TIMEDWRITE": [("", "GOT(pthread_rwlock_timedwrlock(&w[{i}], &past));", INIT["w"]),
                          ("", "GOT(pthread_rwlock_timedwrlock(&w[{i}], &when));", STAMP)],
    "RWLOCK_UNWRITE": [("", WRITE_LOCK + SHOW + RW_UNLOCK, f"{SHOWN} {INIT['w']}")],
    "SPIN_LOCK": [("", SPIN, INIT["s"])],
    "SPIN_TRYLOCK": [("", "GOT(pthread_spin_trylock(&s[{i}]));", INIT["s"])],
    "SPIN_UNLOCK": [("", SPIN + SHOW + UNSPIN, f"{SHOWN} {INIT['s']}")],
    "BARRIER_ARRIVE": [("", "pthread_barrier_wait(&b[{i}]);", INIT["b"])],
    "SEM_WAIT": [("sem_post(&q[{i}]);", "sem_wait(&q[{i}]);", INIT["q"])],
    "SEM_TRYWAIT": [("", "GOT(sem_trywait(&q[{i}]));", INIT["q"])],
    "SEM_TIMEDWAIT": [("", "GOT(sem_timedwait(&q[{i}], &past));", INIT["q"]), ("", "GOT(sem_timedwait(&q[{i}], &when));", STAMP)],
    "SEM_POST": [("", "sem_post(&q[{i}]);", INIT["q"])],
    "SEM_VALUE": [("", "int n; sem_getvalue(&q[{i}], &n);", INIT["q"]), ("", "sem_getvalue(&q[{i}], &v[0]);", "GOT(PLAIN(v[0]));")],
    "SEM_NAME": [("v[0] = 0x6f2f;", "GOT(sem_unlink((char *)&v[0]));", "PLAIN(v[0]) = 0x702f;")],
    "ONCE": [("pthread_once(&o[{i}], initialise);", "pthread_once(&o[{i}], initialise);", "PLAIN(o[{i}]) += 0;")],
    "ONCE_DONE": [("", "pthread_once(&o[{i}], show_once);", f"{SHOWN} PLAIN(o[{{i}}]) = 0;")],
    "FUTEX_WAIT": [("", "GOT(futex(&x[{i}], FUTEX_WAIT, 5, NULL));", PLAIN_X)],
    "ATOMIC_LOAD": [("", "GOT(atomic_load(&x[{i}]));", PLAIN_X)],
    "ATOMIC_STORE": [("", "atomic_store(&x[{i}], 2);", PLAIN_X)],
    "ATOMIC_UPDATE": [("", "atomic_fetch_add(&x[{i}], 2);", PLAIN_X)],
    "ATOMIC_COMPARE": [("", "int e = 5; GOT(atomic_compare_exchange_strong(&x[{i}], &e, 2));", PLAIN_X)],
    "READ": [("", "GOT(PLAIN(v[{i}]));", "PLAIN(v[{i}]) = 1;")],
    "WRITE": [("", "PLAIN(v[{i}]) = 1;", "GOT(PLAIN(v[{i}]));")],
    "FREE": [(rows.HEAP, "free(h[{i}]);", "PLAIN(*h[{i}]) = 1;")],
}

A_PIPE = "if (pipe(pipe_ends) != 0) abort();"
WRITTEN, RECEIVED = "write(pipe_ends[1], \"a\", 1);", "char got; GOT(read(pipe_ends[0], &got, 1) > 0);"
POLLED = A_PIPE + "polled = (struct pollfd){pipe_ends[0], POLLIN, 0};"
LISTEN, CONNECT = "listen_here(4);", "connect(sock_client, (struct sockaddr *)&sock_name, name_size);"
TESTER, CANCEL = "pthread_create(&third, NULL, tester, NULL);", "pthread_cancel(third);"
BLOCKED, HANDLED, KILL = "block(SIGUSR1);", "signal(SIGUSR1, handle);", "kill(getpid(), SIGUSR1);"
AWAIT = "int number; sigwait(&usr1, &number);"
TAKEN = "GOT(sigtimedwait(&usr1, NULL, &(struct timespec){0}) > 0);"
PAIR = "if (socketpair(AF_UNIX, SOCK_STREAM, 0, pipe_ends) != 0) abort();"
INTERESTED = "GOT(epoll_ctl(v[1], EPOLL_CTL_ADD, pipe_ends[0], &interest) < 0);"
REARM = "struct itimerspec old; timer_settime(timer, 0, &soon, &old); GOT(old.it_value.tv_nsec != 0);"
TIMER = "signal(SIGALRM, look_at_data); timer_create(CLOCK_MONOTONIC, NULL, &timer);"
SILENT = "struct sigevent e = {.sigev_notify = SIGEV_NONE}; timer_create(CLOCK_MONOTONIC, &e, &timer);"
ARM = "timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 1000}, NULL);"

# row: (options, setup, first thread, second thread)
# The second short sleep ends late if the long one came before the first. Only the order of sleeps decides.
SLEEPS = "pthread_t k; pthread_create(&k, NULL, sleeper, NULL); usleep(1000); usleep(1000); pthread_join(k, NULL);"
ALONE = {
    "EXIT": [(["--exit", "wait"], "", "sched_yield(); PLAIN(v[0]) = 1;", "exit(0);")],
    "SLEEP": [([], "before_sleep = moment_now();", SLEEPS + "GOT(moment_now() > before_sleep + 5500000);", ";")],
    "FILE_OPEN": [([], A_PIPE + "v[1] = dup(pipe_ends[0]); close(v[1]);", PUBLISH + "dup(pipe_ends[0]);", f"if (dup(pipe_ends[0]) > v[1]) {LOOK}"),
                  ([], "", "if (pipe(pipe_ends) != 0) abort();", "GOT(PLAIN(pipe_ends[0]));"),
                  ([], "mkfifo(\"fifo\", 0600);", PUBLISH + "open(\"fifo\", O_WRONLY);", f"if (open(\"fifo\", O_RDONLY) >= 0) {LOOK}")],
    "FILE_CLOSE": [([], A_PIPE, PUBLISH + "close(pipe_ends[1]);", f"if (read(pipe_ends[0], &byte, 1) == 0) {LOOK}"),
                   ([], A_PIPE, "close(pipe_ends[1]);", "GOT(write(pipe_ends[1], \"b\", 1) < 0);")],
    "FILE_READ": [([], A_PIPE, PUBLISH + WRITTEN, RECEIVED + LOOK), ([], A_PIPE + WRITTEN, "read(pipe_ends[0], &byte, 1);", "GOT(byte);"),
                  ([], A_PIPE + WRITTEN, RECEIVED, RECEIVED)],
    "FILE_WRITE": [([], A_PIPE, PUBLISH + WRITTEN, RECEIVED + LOOK), ([], A_PIPE, "write(pipe_ends[1], &byte, 1);", "byte = 2;"),
                   ([], A_PIPE + "write(pipe_ends[1], full, sizeof full);", WRITTEN, ";"),
                   ([], A_PIPE, "write(pipe_ends[1], \"a\", 1);", "write(pipe_ends[1], \"b\", 1);")],
    "FILE_POLL": [([], POLLED, PUBLISH + WRITTEN, "poll(&polled, 1, -1);" + LOOK), ([], POLLED + WRITTEN, "poll(&polled, 1, 0);", "GOT(polled.revents);"),
                  ([], POLLED, WRITTEN, "GOT(poll(&polled, 1, 0));"), ([], POLLED, "poll(&polled, 1, -1);", ";")],
    "FILE_CHANGE": [([], PAIR, PUBLISH + "shutdown(pipe_ends[1], SHUT_WR);", f"if (read(pipe_ends[0], &byte, 1) == 0) {LOOK}"),
                    ([], A_PIPE + "v[1] = epoll_create1(0);", "epoll_ctl(v[1], EPOLL_CTL_ADD, pipe_ends[0], &interest);", "PLAIN(interest.events) = EPOLLIN;"),
                    ([], A_PIPE + "v[1] = epoll_create1(0);", INTERESTED, INTERESTED)],
    "ACCEPT": [([], LISTEN, PUBLISH + CONNECT, f"if (accept(sock_listener, NULL, NULL) >= 0) {LOOK}"),
               ([], LISTEN + CONNECT, "accept(sock_listener, (struct sockaddr *)&peer, &peer_size);", "GOT(PLAIN(peer_size));"),
               ([], LISTEN + "fcntl(sock_listener, F_SETFL, O_NONBLOCK);", CONNECT, "GOT(accept(sock_listener, NULL, NULL) < 0);")],
    "CONNECT": [([], LISTEN, PUBLISH + CONNECT, f"if (accept(sock_listener, NULL, NULL) >= 0) {LOOK}"),
                ([], LISTEN, CONNECT, "*(volatile sa_family_t *)&sock_name.sun_family = AF_UNIX;"),
                ([], LISTEN + "fcntl(sock_listener, F_SETFL, O_NONBLOCK);", CONNECT, "GOT(accept(sock_listener, NULL, NULL) < 0);"),
                ([], "listen_here(0);" + CONNECT + "v[1] = socket(AF_UNIX, SOCK_STREAM, 0);", "GOT(connect(v[1], (struct sockaddr *)&sock_name, name_size));", ";")],
    "CANCEL": [([], TESTER, PUBLISH + CANCEL, ";"), ([], TESTER, CANCEL, CANCEL)],
    "CANCEL_TEST": [([], TESTER, PUBLISH + CANCEL, ";")],
    "CANCELLED": [([], TESTER, PUBLISH + CANCEL, ";"),
                  ([], "pthread_create(&third, NULL, waiter, NULL);", CANCEL, "GOT(pthread_mutex_trylock(&m[0]));")],
    "SIGNAL_SEND": [([], BLOCKED, PUBLISH + KILL, AWAIT + LOOK), ([], HANDLED, KILL, ";")],
    "SIGNAL_WAIT": [([], BLOCKED, PUBLISH + KILL, AWAIT + LOOK), ([], BLOCKED + KILL, "sigwait(&usr1, &v[1]);", "GOT(PLAIN(v[1]));"),
                    ([], BLOCKED, "sigwait(&usr1, &v[1]);", ";"), ([], BLOCKED + KILL, TAKEN, TAKEN)],
    "SIGNAL_LOOK": [([], BLOCKED, KILL, "sigset_t set; sigpending(&set); GOT(sigismember(&set, SIGUSR1));"),
                    ([], BLOCKED, "sigpending(&usr1);", "GOT(PLAIN(*(int *)&usr1));")],
    "SIGNAL_SET": [([], "signal(SIGUSR1, SIG_IGN);", "GOT(signal(SIGUSR1, SIG_DFL) == SIG_DFL);", "GOT(signal(SIGUSR1, SIG_DFL) == SIG_DFL);"),
                   ([], "action.sa_handler = handle;", "sigaction(SIGUSR1, &action, NULL);", "*(volatile int *)&action.sa_flags = 0;")],
    "SIGNAL_SLEEP": [([], "signal(SIGUSR1, handle);", "pause();", ";"), ([], "signal(SIGUSR1, handle);", "pause();", KILL),
                     ([], "signal(SIGUSR1, handle); sigemptyset(&usr1);", "sigsuspend(&usr1);", "PLAIN(*(int *)&usr1) = 0;")],
    "SIGNAL_HANDLE": [([], "signal(SIGUSR1, look_at_data); pthread_create(&third, NULL, handler_thread, NULL);",
                       PUBLISH + "pthread_kill(third, SIGUSR1);", ";")],
    "TIMER_SET": [([], TIMER, PUBLISH + ARM, ";"), ([], TIMER, "timer_settime(timer, 0, &soon, NULL);", "*(volatile long *)&soon.it_value.tv_nsec = 5;"),
                  ([], SILENT, REARM, REARM)],
    "TIMER_EXPIRE": [([], TIMER, PUBLISH + ARM, ";"), ([], TIMER + ARM, "GOT(PLAIN(v[0]));", ";")],
    "PROCESS": [([], "", PUBLISH + "start_child();", "if (waitpid(-1, NULL, 0) > 0) " + LOOK),
                ([], "", "int s; if ((process = fork()) == 0) _exit(atomic_load(&x[0])); waitpid(process, &s, 0); GOT(WEXITSTATUS(s));",
                 "atomic_store(&x[0], 1);"),
                ([], "", "char *words[] = {\"true\", NULL}; posix_spawnp(&process, \"true\", NULL, NULL, words, NULL);", "GOT(PLAIN(process));")],
    "PROCESS_WAIT": [([], "", PUBLISH + "start_child();", "if (waitpid(-1, NULL, 0) > 0) " + LOOK),
                     ([], "start_child();", "GOT(waitpid(process, &v[1], 0) > 0);", "GOT(PLAIN(v[1]));"),
                     ([], "start_child();", "GOT(waitpid(process, NULL, WNOHANG) > 0);", "GOT(waitpid(process, NULL, WNOHANG) > 0);"),
                     ([], "signal(SIGCHLD, handle);", "start_child(); GOT(waitpid(process, NULL, 0) > 0);", ";")],
    "PROCESS_END": [([], "signal(SIGCHLD, look_at_data);", PUBLISH + "start_child();", "sched_yield(); sched_yield();")],
}


def program(row, kind, parts):
    """The program of one entry. A name of rows.EXTRA says that an object is initialised again."""
    setup, first, second = programs.with_object(parts, 0)
    names = [row, *(["rwlock"] if "_init(&" in second or "&w[" in second and kind == "overwrite" else [])]
    return programs.Program(f"{row}, {kind}", [[first], [second]], [setup] if setup else [], names)


def judged_by_oracle(row):
    return [program(row, "handover", parts) for parts in HANDOVERS.get(row, [])] + \
        [program(row, "overwrite", parts) for parts in OVERWRITES.get(row, [])]


def judged_alone(row):
    return [(options, program(row, " ".join(["alone", *options]), parts)) for options, *parts in ALONE.get(row, [])]


def file_of(wanted):
    return programs.file_of(wanted).replace(rows.HEAD, rows.HEAD + HEAD, 1)
