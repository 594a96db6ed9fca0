#!/usr/bin/env python3
"""Random small programs of threads in loops, over locks, atomics, pipes, a plain variable, the clock, a log, files,
folders, mappings, timers and signals, against a model that walks through all their states: no livelock is reported where
the model finds an end from everywhere, and one always is where it finds no end at all. Where a thread does in each
iteration what makes later states unlike (it looks at the clock, uses a file of the kernel's, allocates, maps) that may be a
warning. `make test` takes the first eight."""
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, findings_of, run  # noqa: E402

# A thread is a text of operations, done from left to right again and again until one of them ends it:
#     l0 u0     lock, unlock mutex 0         r    look at the plain variable: ends if it is 1 (locked)
#     w         set it to 1 (locked)         t    change it to 1 - it (locked)
#     a0 s0     atomic 0: add 1, subtract 1  q01  load atomic 0: ends if it is 1
#     x01       store 1 into atomic 0        .    ends
#     p0 g0     a byte into pipe 0, out of it (which waits for one)
#     m         allocate and free            c    look at the clock and sleep
#     k         sleep until the next moment of a schedule
#     f         write to a log                     e    send a signal to itself
#     o         open and close a pipe and a socket (in threads that are alone: numbers of descriptors are states)
#     z         settle a timer and wait for it (the same: its expiry is a step of its own)
#     d         map and unmap memory
#     v         take the right to write memory, and give it back
#     h         make a file, write it, read it, find it in its folder and remove it
# An end inside of a lock gives it back first; looks are not made where two are held.
SOURCE = """
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static int pipes[2][2], file;
static timer_t timer;
static sigset_t alarms;
static volatile sig_atomic_t handled;
static void handle(int number)
{
    handled = 1;
}
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int words[2];
static int plain;
static char page_of[4096] __attribute__((aligned(4096)));
static void use_folder(void)
{
    char byte = 0;
    int found = 0, made = open("endless/made", O_CREAT | O_EXCL | O_RDWR, 0600);
    if (made < 0 || write(made, "x", 1) != 1 || pread(made, &byte, 1, 0) != 1 || close(made) != 0)
        abort();
    DIR *folder = opendir("endless");
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        found |= entry->d_name[0] == 'm';
    if (!found || closedir(folder) != 0 || unlink("endless/made") != 0)
        abort();
}
static void *go_round(void *text)
{
    int held = -1, ends = 0;
    char byte;
    struct timespec time, next, little = {.tv_nsec = 1000};
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (const char *at = text;; at = *at != 0 ? at : text) {
        int number = at[1] - '0';
        switch (*at) {
        case 'l': pthread_mutex_lock(&mutexes[held = number]); at += 2; break;
        case 'u': pthread_mutex_unlock(&mutexes[number]); held = -1; at += 2; break;
        case 'r': ends = plain == 1; at++; break;
        case 'w': plain = 1; at++; break;
        case 't': plain = 1 - plain; at++; break;
        case 'a': atomic_fetch_add(&words[number], 1); at += 2; break;
        case 's': atomic_fetch_sub(&words[number], 1); at += 2; break;
        case 'q': ends = atomic_load(&words[number]) == at[2] - '0'; at += 3; break;
        case 'x': atomic_store(&words[number], at[2] - '0'); at += 3; break;
        case 'p': if (write(pipes[number][1], "x", 1) != 1) abort(); at += 2; break;
        case 'g': if (read(pipes[number][0], &byte, 1) != 1) abort(); at += 2; break;
        case 'm': {
            void *volatile block = malloc(24);
            free(block);
            at++;
            break;
        }
        case 'c': clock_gettime(CLOCK_MONOTONIC, &time); nanosleep(&little, NULL); at++; break;
        case 'k':
            if ((next.tv_nsec += 1000000) >= 1000000000)
                next.tv_nsec -= 1000000000, next.tv_sec++;
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
            at++;
            break;
        case 'f':
            if (fprintf(stderr, "repeating\\n") < 0 || printf("once more\\n") < 0)
                abort();
            at++;
            break;
        case 'e': raise(SIGUSR1); at++; break;
        case 'o': {
            int ends_of[2], alone = socket(AF_INET, SOCK_STREAM, 0);
            if (pipe(ends_of) != 0 || close(ends_of[0]) != 0 || close(ends_of[1]) != 0 || close(alone) != 0)
                abort();
            at++;
            break;
        }
        case 'z': {
            struct itimerspec soon = {.it_value.tv_nsec = 500};
            int number_of;
            if (timer_settime(timer, 0, &soon, NULL) != 0 || sigwait(&alarms, &number_of) != 0)
                abort();
            at++;
            break;
        }
        case 'd': {
            char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (page == MAP_FAILED || *page++ != 0 || munmap(page - 1, 4096) != 0)
                abort();
            at++;
            break;
        }
        case 'v':
            if (mprotect(page_of, sizeof page_of, PROT_READ) != 0 || mprotect(page_of, sizeof page_of, PROT_READ | PROT_WRITE) != 0)
                abort();
            at++;
            break;
        case 'h': use_folder(); at++; break;
        case '.': ends = 1; break;
        }
        if (ends && held >= 0)
            pthread_mutex_unlock(&mutexes[held]);
        if (ends)
            return NULL;
    }
}
int main(int argc, char **argv)
{
    pthread_t threads[8];
    if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0)
        return 1;
    mkdir("endless", 0700);
    unlink("endless/made");
    file = memfd_create("file", 0);
    if (write(file, "x", 1) != 1)
        return 1;
    signal(SIGUSR1, handle);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    for (int i = 1; i < argc; i++)
        pthread_create(&threads[i], NULL, go_round, argv[i]);
    for (int i = 1; i < argc; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
WIDTH = {"l": 2, "u": 2, "r": 1, "w": 1, "t": 1, "a": 2, "s": 2, "q": 3, "x": 3, ".": 1,
         "p": 2, "g": 2, "m": 1, "c": 1, "k": 1, "f": 1, "e": 1, "o": 1, "z": 1, "d": 1, "h": 1,
         "v": 1}
PROGRAMS, SEED = int(os.environ.get("ENDLESS_PROGRAMS", tier.by_tier(6, 8, 20))), int(os.environ.get("ENDLESS_SEED", 3))


def make_thread(rng, ends, alone):
    number = rng.randint(0, 1)
    parts = [rng.choice(["l0ru0", "l0rtu0", f"q{number}1", f"a{number}q{number}2s{number}"]),
             rng.choice(["", "l0tu0", f"a{number}s{number}", f"x{number}0", "l1u1", "l1l0u0u1"]),
             rng.choice(["", "m", f"p{number}g{number}", f"g{number}p{1 - number}", "c", "k", "f", "e",
                         *(["o", "z", "fo", "d", "h", "dh", "v", "vh"] if alone else ["m", "f", "fe"])])]
    rng.shuffle(parts)
    return "".join(parts) if not ends else rng.choice(
        ["l0wu0.", f"x{number}1.", f"a{number}l1u1s{number}.", f"p{number}."])


def operations(text):
    at = 0
    while at < len(text):
        yield text[at:at + WIDTH[text[at]]]
        at += WIDTH[text[at]]


def walk(program):
    """All states that can be reached, and what follows each; a step is one operation."""
    code = [list(operations(text)) for text in program]

    def after(state, thread):
        places, owners, words, plain, pipes = state
        at = places[thread]
        operation = code[thread][at % len(code[thread])]
        kind = operation[0]
        owners, words, pipes = list(owners), list(words), list(pipes)
        ends, number = False, int(operation[1]) if len(operation) > 1 else 0
        if kind == "l":
            if owners[number] is not None:
                return None
            owners[number] = thread
        elif kind == "u":
            owners[number] = None
        elif kind == "r":
            ends = plain == 1
        elif kind == "w":
            plain = 1
        elif kind == "t":
            plain = 1 - plain
        elif kind in "as":
            words[number] += 1 if kind == "a" else -1
        elif kind == "q":
            ends = words[number] == int(operation[2])
        elif kind == "x":
            words[number] = int(operation[2])
        elif kind == "p":
            pipes[number] += 1
        elif kind == "g":
            if pipes[number] == 0:
                return None
            pipes[number] -= 1
        elif kind == ".":
            ends = True
        if max(map(abs, words)) > 8 or max(pipes) > 1:  # one that is never empty moves on in its pages
            raise OverflowError
        if ends:
            owners = [None if owner == thread else owner for owner in owners]
        following = list(places)
        following[thread] = None if ends else (at + 1) % len(code[thread])
        return tuple(following), tuple(owners), tuple(words), plain, tuple(pipes)

    first = ((0,) * len(program), (None, None), (0, 0), 0, (0, 0))
    graph, left = {}, [first]
    while left:
        state = left.pop()
        if state in graph:
            continue
        steps = [after(state, thread) for thread, at in enumerate(state[0]) if at is not None]
        graph[state] = [step for step in steps if step is not None]
        left += graph[state]
        if len(graph) > 20000:
            raise OverflowError
    return first, graph


def which_end(graph):
    """The states from which an end can be reached: everybody has ended, or is stuck."""
    before = {}
    for state, following in graph.items():
        for step in following:
            before.setdefault(step, []).append(state)
    good = [state for state, following in graph.items() if not following]
    ends = set(good)
    while good:
        for state in before.get(good.pop(), []):
            if state not in ends:
                ends.add(state)
                good.append(state)
    return ends


def is_to_be_found(program):
    return not set("ckmodvh") & set("".join(program))


def is_fair(program, strategy):
    """Without preemptions a thread that never comes back to a state keeps the others out: that shows nothing of them."""
    return is_to_be_found(program) or len(program) == 1 or "preempt" not in strategy


def status_of(result):
    """The exit status that belongs to a result: 2 where every execution was cut, as it may be in an endless loop."""
    if any(finding["severity"] == "error" for finding in result["findings"]):
        return 1
    return 0 if result["executions"] > 0 else 2


def check_one(bench, binary, program):
    first, graph = walk(program)
    ends = which_end(graph)
    never, always = first not in ends, len(ends) == len(graph)
    for strategy in (["-s", "random", "-n", "5"], ["-s", "preempt", "-b", "0"]):
        command, report = bench.command(["--races", "off", "--no-shrink", *strategy], binary, program)
        done = run(command)
        result = bench.result(done, report, (0, 1, 2))
        livelocks = [finding["severity"] for finding in result["findings"] if finding["kind"] == "livelock"]
        found = "error" in livelocks
        story = dict(program=" ".join(program), options=" ".join(strategy),
                     model=f"{len(graph)} states, an end from {len(ends)}", actual=findings_of(result))
        if done.status != status_of(result):
            fail("endless loops", expected=f"exit status {status_of(result)}", **story, status=done.status)
        if found and always:
            fail("endless loops", expected="no livelock: it can always come to an end", **story)
        if not found and never and is_to_be_found(program):
            fail("endless loops", expected="a livelock: it never comes to an end", **story)
        if never and not livelocks and is_fair(program, strategy):
            fail("endless loops", expected="a warning that it may be a livelock", **story)
        bench.replay_all(" ".join(program), result)
    return "never" if never else "always" if always else "sometimes"


def check(bench):
    binary = bench.build("loops", SOURCE, ["-O1"])
    rng, kinds = random.Random(SEED), {"never": 0, "always": 0, "sometimes": 0}
    while sum(kinds.values()) < PROGRAMS:
        count, helped = rng.randint(1, 2), rng.random() < 0.7
        program = [make_thread(rng, False, count == 1 and not helped) for _ in range(count)]
        if helped:
            program.append(make_thread(rng, True, False))
        try:
            kinds[check_one(bench, binary, program)] += 1
        except OverflowError:
            continue  # it counts
    if not all(kinds.values()):
        fail("endless loops", expected="programs of each kind", actual=kinds)
    print(f"ok   {PROGRAMS} random programs: " +
          ", ".join(f"{count} {kind} end" for kind, count in kinds.items()))


bench_run(check)
