// A child process in which a lock is needed that another thread held at the fork would block forever:
// a misuse, whatever kind of lock it is. Handlers of pthread_atfork that take it, exec, initialising it
// again, looking without waiting, and locks that the calling thread itself holds are right.
// run: -s dfs -k -- mutex
// expect: finding misuse
// expect: complete == true
// expect: output T1 holds lock (take, fork_while_locked.c:
// expect: output when T0 forks (start,
// expect: output the child process locks it (take,
// expect: output a mutex is locked in a child process, and another thread held it at the fork
// run: -s dpor -k -- mutex
// expect: finding misuse
// expect: complete == true
// run: -s preempt -k -j 2 -- mutex
// expect: finding misuse
// expect: complete == true
// run: -s bpor -k -- mutex
// expect: finding misuse
// run: -s random -n 50 -k -- mutex
// expect: finding misuse
// run: -- mutex
// expect: finding misuse
// run: -s dfs -k -- timed
// expect: finding misuse
// run: -s dfs -k -- recursive
// expect: finding misuse
// run: -s dfs -k -- checked
// expect: finding misuse
// run: -s dfs -k -- c11
// expect: finding misuse
// run: -s dfs -k -- read
// expect: finding misuse
// expect: output a read-write lock is locked in a child process
// run: -s dfs -k -- write
// expect: finding misuse
// run: -s dfs -k -- spin
// expect: finding misuse
// expect: output a spin lock is locked in a child process
// run: -s dfs -k -- unwaited
// expect: finding misuse
// run: -s dfs -k -- polled
// expect: finding misuse
// run: -s dfs -k -- signalled
// expect: finding misuse
// run: -s dfs -k -- pipe
// expect: finding misuse
// run: -s dfs -k -- grandchild
// expect: finding misuse
// run: -s dfs -k -- children
// expect: finding misuse
// run: -s dfs -k -- atfork-after
// expect: finding misuse
// run: -s dfs -k -- atfork
// expect: no finding
// expect: complete == true
// run: -s dpor -k -- atfork
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- atfork-recursive
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- atfork-checked
// expect: no finding
// run: -s dfs -k -- atfork-write
// expect: no finding
// run: -s dfs -k -- atfork-read
// expect: no finding
// run: -s dfs -k -- atfork-spin
// expect: no finding
// run: -s random -n 200 -k -- atfork-twice
// expect: no finding
// run: -s dfs -k -- exec
// expect: no finding
// run: -s dfs -k -- spawn
// expect: no finding
// run: -s dfs -k -- initialise
// expect: no finding
// run: -s dfs -k -- static
// expect: no finding
// run: -s dfs -k -- try
// expect: no finding
// run: -s dfs -k -- readers
// expect: no finding
// run: -s dfs -k -- own
// expect: no finding
// run: -s dfs -k -- own-write
// expect: no finding
// run: -s dfs -k -- other
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, unused_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int has(const char *part)
{
    return strstr(way, part) != NULL;
}

static void take(void)
{
    if (has("write"))
        assert(pthread_rwlock_wrlock(&rwlock) == 0);
    else if (has("read"))
        assert(pthread_rwlock_rdlock(&rwlock) == 0);
    else if (has("spin"))
        assert(pthread_spin_lock(&spin) == 0);
    else if (is("c11"))
        assert(mtx_lock(&c11) == thrd_success);
    else
        assert(pthread_mutex_lock(&lock) == 0);
}

static void give(void)
{
    if (has("write") || has("read"))
        assert(pthread_rwlock_unlock(&rwlock) == 0);
    else if (has("spin"))
        assert(pthread_spin_unlock(&spin) == 0);
    else if (is("c11"))
        assert(mtx_unlock(&c11) == thrd_success);
    else
        assert(pthread_mutex_unlock(&lock) == 0);
}

/* The handlers leave locks that the calling thread holds already alone. */
static __thread int held;

static void prepare(void)
{
    if (!held)
        take();
}

static void release(void)
{
    if (!held)
        give();
}

static void *hold(void *unused)
{
    held = 1;
    take();
    give();
    held = 0;
    return unused;
}

static void needs(void)
{
    struct timespec soon = {.tv_sec = 1};
    if (is("timed"))
        pthread_mutex_timedlock(&lock, &soon);
    else if (is("read")) /* held to read by the other thread */
        pthread_rwlock_wrlock(&rwlock);
    else if (is("write"))
        pthread_rwlock_rdlock(&rwlock);
    else if (is("readers"))
        assert(pthread_rwlock_rdlock(&rwlock) == 0);
    else if (is("try"))
        assert(pthread_mutex_trylock(&lock) != EDEADLK);
    else if (is("other"))
        assert(pthread_mutex_lock(&unused_lock) == 0);
    else
        take();
}

static void in_child(int out)
{
    if (is("exec"))
        execl("/bin/true", "true", NULL);
    if (is("initialise"))
        pthread_mutex_init(&lock, NULL);
    if (is("static"))
        lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (has("own"))
        give();
    if (is("grandchild")) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            needs();
            _exit(0);
        }
        _exit(waitpid(child, &status, 0) == child && status == 0 ? 0 : 1);
    }
    needs();
    give();
    if (is("atfork-recursive")) { /* twice, and not once more */
        take();
        take();
        give();
        give();
        assert(pthread_mutex_unlock(&lock) == EPERM);
    }
    if (is("pipe"))
        assert(write(out, "x", 1) == 1);
    _exit(0);
}

static void *start(void *unused)
{
    int ends[2] = {-1, -1}, status;
    if (is("pipe"))
        assert(pipe(ends) == 0);
    if (has("own"))
        take();
    pid_t child = fork();
    if (child == 0)
        in_child(ends[1]);
    if (has("own"))
        give();
    if (is("polled"))
        while (waitpid(child, &status, WNOHANG) == 0)
            continue;
    else if (!is("unwaited"))
        assert(waitpid(child, &status, 0) == child && status == 0);
    return unused;
}

static void ignore(int number)
{
    (void)number;
}

static void set_kind(int kind)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&lock, &attributes);
}

int main(int argc, char **argv)
{
    pthread_t thread, another;
    way = argc > 1 ? argv[1] : "mutex";
    pthread_spin_init(&spin, 0);
    mtx_init(&c11, mtx_plain);
    if (has("recursive"))
        set_kind(PTHREAD_MUTEX_RECURSIVE);
    if (has("checked"))
        set_kind(PTHREAD_MUTEX_ERRORCHECK);
    if (is("signalled"))
        signal(SIGCHLD, ignore);
    if (has("atfork"))
        pthread_atfork(is("atfork-after") ? NULL : prepare, is("atfork-after") ? NULL : release,
                       is("atfork-after") ? NULL : release);
    pthread_create(&thread, NULL, hold, NULL);
    if (is("spawn")) {
        assert(system("exit 0") == 0);
    } else {
        if (is("children") || is("atfork-twice"))
            pthread_create(&another, NULL, start, NULL);
        start(NULL);
        if (is("children") || is("atfork-twice"))
            pthread_join(another, NULL);
    }
    pthread_join(thread, NULL);
    return 0;
}
