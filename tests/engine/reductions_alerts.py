#!/usr/bin/env python3
"""Random programs in C with signals, handlers, masks, waits for signals, cancellation and timers: dpor and bpor show the
classes, final states, deadlocks and failures that plain search shows, and claim so. `make test` takes the first third of the
programs or fewer."""
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import HEAD, ends_of, explore, variable_use  # noqa: E402

PROGRAMS, TOGETHER = int(os.environ.get("BOHR_TEST_PROGRAMS", tier.by_tier(5, 15, 45))), 20
SEED = int(os.environ.get("BOHR_TEST_SEED", 4))
SEARCHES = (["dpor"], ["dpor", "-j", "2"], ["dpor", "--reduction", "source"], ["dpor", "--reduction", "classic"], ["bpor"])

LIMIT = 100000  # executions: bpor runs more than there are

HELPERS = """
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#define INLINE static inline __attribute__((always_inline)) /* each call is a place of its own */
static pthread_t threads[4];
static void on_first(int number) { atomic_fetch_add(&a[0], 1); }
static void on_second(int number) { seen[3] = seen[3] * 2 + 1; }
static void on_third(int number) { sem_post(&s[0]); }
static void clean(void *unused) { atomic_fetch_add(&a[1], 1); }
static void unlocks(void *mutex) { pthread_mutex_unlock(mutex); }
INLINE void mask(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(how, &set, NULL);
}
INLINE int wait_for(int number)
{
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigwait(&set, &got);
    return got == number;
}
INLINE int try_for(int number)
{
    sigset_t set;
    struct timespec none = {0};
    sigemptyset(&set);
    sigaddset(&set, number);
    return sigtimedwait(&set, NULL, &none) == number;
}
INLINE int is_pending(int number)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, number);
}
INLINE void suspend(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigsuspend(&set);
}
INLINE void expires_after(int seconds)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec when = {.it_value = {.tv_sec = seconds}};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &when, NULL);
}
INLINE void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(number, &action, NULL);
}
"""

TAIL = """
int main(int argc, char **argv)
{
    int number = atoi(argv[1]), count = counts[number];
    char text[128];
    sem_init(&s[0], 0, 0);
    sem_init(&s[1], 0, 1);
    handle(SIGUSR1, on_first, number % 2 ? SA_RESTART : 0);
    handle(SIGUSR2, on_second, 0);
    handle(SIGALRM, on_third, 0);
    if (waits[number])
        mask(SIG_BLOCK, SIGHUP);
    threads[0] = pthread_self();
    for (int i = 1; i < count; i++)
        pthread_create(&threads[i], NULL, work[number][i], NULL);
    work[number][0](NULL);
    for (int i = count - 1; i > 0; i--)
        pthread_join(threads[i], NULL);
    sprintf(text, "%d %d %d %d %d %d %d\\n", v, (int)a[0], (int)a[1], seen[0], seen[1], seen[2], seen[3]);
    int file = open(argv[2], O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(file, text, strlen(text)) < 0)
        return 1;
    close(file);
    return 0;
}
"""


def send(rng, me, flavour):
    """To a thread that is known to live: its joiner waits for the sender, too."""
    to = rng.randint(0, me) if me > 0 else rng.randint(0, flavour["count"] - 1)
    number = rng.choice(["SIGUSR1", "SIGUSR1", "SIGUSR2", "SIGALRM"] + ["SIGHUP"] * 3 * flavour["waits"])
    return rng.choice([f"pthread_kill(threads[{to}], {number});", f"pthread_kill(threads[{to}], {number});",
                       f"kill(getpid(), {number});"])


def signal_use(rng, me, flavour):
    number = rng.choice(["SIGUSR1", "SIGUSR2"])
    note = f"seen[{me}] = seen[{me}] * 3 +"
    choices = [send(rng, me, flavour), send(rng, me, flavour), send(rng, me, flavour),
               f"mask(SIG_BLOCK, {number});", f"mask(SIG_BLOCK, {number}); {variable_use(rng, me)} mask(SIG_UNBLOCK, {number});",
               f"{note} (sem_wait(&s[0]) == 0);", "pause();", "suspend();", "handle(SIGUSR1, SIG_IGN, 0);"]
    if flavour["waits"]:
        choices += [f"{note} wait_for(SIGHUP);", f"{note} wait_for(SIGHUP);", f"{note} try_for(SIGHUP);",
                    f"{note} is_pending(SIGHUP);"]
    return rng.choice(choices)


def cancel_use(rng, me, flavour):
    to = rng.randint(0, me) if me > 0 else rng.randint(0, flavour["count"] - 1)
    return rng.choice([
        f"pthread_cancel(threads[{to}]);", f"pthread_cancel(threads[{to}]);", "pthread_testcancel();",
        f"pthread_cleanup_push(clean, NULL); sem_wait(&s[0]); pthread_cleanup_pop({rng.randint(0, 1)});",
        f"pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); {variable_use(rng, me)} "
        "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL); pthread_testcancel();",
        "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); " + variable_use(rng, me),
        "pthread_mutex_lock(&m[0]); pthread_cleanup_push(unlocks, &m[0]); pthread_cond_wait(&c, &m[0]); "
        "pthread_cleanup_pop(1);",
    ])


def timer_use(rng, me, flavour):
    n = rng.randint(1, 3)
    return rng.choice([
        f"alarm({n});", f"expires_after({n});", "alarm(0);",
        f"struct timespec late{n} = {{.tv_sec = 1700000000 + {n}}}; seen[{me}] = seen[{me}] * 3 + "
        f"(sem_timedwait(&s[0], &late{n}) == 0);",
    ])


def block(rng, me, flavour):
    use, k = variable_use(rng, me), rng.randint(0, 1)
    if rng.randint(0, 4) > 1:
        return flavour["use"](rng, me, flavour)
    return rng.choice([
        use, use,
        f"pthread_mutex_lock(&m[{k}]); {use} pthread_mutex_unlock(&m[{k}]);",
        f"pthread_mutex_lock(&m[{k}]); {flavour['use'](rng, me, flavour)} pthread_mutex_unlock(&m[{k}]);",
        f"pthread_mutex_lock(&m[{k}]);",
        "pthread_mutex_lock(&m[0]); pthread_cond_wait(&c, &m[0]); pthread_mutex_unlock(&m[0]);",
        "pthread_cond_signal(&c);",
        rng.choice([f"sem_wait(&s[{k}]);", f"sem_post(&s[{k}]);"]),
        rng.choice(["pthread_rwlock_rdlock(&w);", "pthread_rwlock_wrlock(&w);"])
        + rng.choice([f" {use} pthread_rwlock_unlock(&w);", ""]),
        f"assert(atomic_load(&a[{k}]) != 2);",
    ])


def random_program(rng):
    uses = os.environ.get("BOHR_TEST_USES", "signal cancel timer").split()
    use = {"signal": signal_use, "cancel": cancel_use, "timer": timer_use}[rng.choice(uses)]
    flavour = {"use": use, "count": rng.choice([2, 2, 3]), "waits": int(use is signal_use and rng.randint(0, 1))}
    count = flavour["count"]
    return flavour, [["{ " + block(rng, me, flavour) + " }" for _ in range(rng.randint(1, 5 - count))]
                     for me in range(count)]


def source_of(programs):
    text = HEAD + HELPERS
    for number, (_, threads) in enumerate(programs):
        for me, statements in enumerate(threads):
            body = "\n".join("    " + statement for statement in statements)
            text += f"static void *work{number}_{me}(void *unused)\n{{\n{body}\n    return unused;\n}}\n"
    rows = ", ".join("{" + ", ".join(f"work{number}_{me}" for me in range(len(threads))) + "}"
                     for number, (_, threads) in enumerate(programs))
    text += f"static void *(*const work[][3])(void *) = {{{rows}}};\n"
    text += f"static const int counts[] = {{{', '.join(str(len(threads)) for _, threads in programs)}}};\n"
    text += f"static const int waits[] = {{{', '.join(str(flavour['waits']) for flavour, _ in programs)}}};\n"
    return text + TAIL


def compare(bench, program, number, threads, counts):
    plain, states = explore(bench, ["-s", "dfs"], program, number)
    if not plain["complete"]:
        return False
    for search in SEARCHES[:None if number % 3 == 0 else 1]:
        options = ["-s", *search]
        reduced, reached = explore(bench, [*options, "-n", LIMIT], program, number)
        wanted = [plain["classes"], plain["class_set"], states, ends_of(plain), "all-classes"]
        got = [reduced["classes"], reduced["class_set"], reached, ends_of(reduced), reduced["claim"]["kind"]]
        if wanted != got:
            fail(f"random program {number}", options=shown(options), program=program,
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got)
        if len(search) == 1:
            counts[search[0]] += reduced["executions"]
    counts["dfs"] += plain["executions"]
    counts["classes"] += plain["classes"]
    return True


def check(bench):
    rng, done = random.Random(SEED), 0
    counts = {"dfs": 0, "dpor": 0, "bpor": 0, "classes": 0}
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        program = bench.build(f"alerts-{done}", source_of(programs), ["-w"])
        for number, (_, threads) in enumerate(programs):
            done += compare(bench, program, number, threads, counts)
    print(f"ok   {done} random programs with signals, cancellation and timers: " +
          ", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    bench_run(check)
