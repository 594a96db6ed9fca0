#!/usr/bin/env python3
"""Loops that take a lock, fail at a second, let go of the first and try again: every search of them
ends, with as many executions as the rule of docs/COUNTING.md gives; the rule is spelled out here once
more, for such programs only."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail  # noqa: E402

sys.setrecursionlimit(10000)

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    while (pthread_mutex_trylock(second) != 0) {
        pthread_mutex_unlock(first);
        PAUSE;
        pthread_mutex_lock(first);
    }
    inside++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
static void *work(void *unused)
{
    both(&b, &a);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    both(&a, &b);
    pthread_join(thread, NULL);
    assert(inside == 2);
    return 0;
}
"""


class World:
    """One execution so far: two threads that run the loop, T0 also creates, joins and exits."""

    def __init__(self, pauses):
        self.pauses = pauses
        self.at = ["create", None]      # what each does next; None: it does not live
        self.owner = [None, None]       # of the locks a and b
        self.gives_way_to = [set(), set()]
        self.gives_way = [False, False]
        self.place = [(), ()]           # steps since the last failed try, which comes first
        self.changes = 0
        self.turning = False
        self.seen = set()

    def copy(self):
        other = World(self.pauses)
        for name in ("at", "owner", "gives_way", "place"):
            setattr(other, name, list(getattr(self, name)))
        other.gives_way_to = [set(group) for group in self.gives_way_to]
        other.changes, other.turning, other.seen = self.changes, self.turning, set(self.seen)
        return other

    def live(self):
        return [thread for thread in (0, 1) if self.at[thread] is not None]

    def enabled(self):
        able = []
        for thread in self.live():
            step = self.at[thread]
            first = thread  # T0 takes a first, T1 takes b first
            if step in ("lock", "lock again") and self.owner[first] is not None:
                continue
            if step == "join" and self.at[1] is not None:
                continue
            able.append(thread)
        return [thread for thread in able
                if not (self.gives_way[thread] and self.gives_way_to[thread] & set(able))]

    def run(self, thread):
        """Carries out one step; what comes of it: 'on', 'end' or 'again' (it has been here)."""
        step, first, second = self.at[thread], thread, 1 - thread
        self.gives_way[thread] = False
        for group in self.gives_way_to:
            group.discard(thread)
        if self.turning:
            self.place[thread] += (step,)
        following = {"lock": "try", "lock again": "try", "unlock": "pause" if self.pauses else
                     "lock again", "pause": "lock again", "leave": "leave too", "create": "lock",
                     "join": "exit"}
        if step == "exit":
            return "end"
        if step == "try":
            if self.owner[second] is not None:
                self.at[thread] = "unlock"
                return self.failed(thread)
            self.owner[second] = thread
            self.changes += 1  # inside++
            self.at[thread] = "leave"
            return "on"
        if step in ("lock", "lock again"):
            self.owner[first] = thread
        if step == "unlock":
            self.owner[first] = None
        if step == "pause":
            self.gives_way[thread] = True
            self.gives_way_to[thread] = set(self.live()) - {thread}
        if step == "leave":
            self.owner[second] = None
        if step == "create":
            self.at[1] = "lock"
            self.changes += 1
        if step == "join":
            self.changes += 1
        if step == "leave too":
            self.owner[first] = None
            self.at[thread] = "join" if thread == 0 else None
            return "on"
        self.at[thread] = following[step]
        return "on"

    def failed(self, thread):
        if not self.turning:
            self.turning, self.place = True, [(), ()]
        self.place[thread] = ("failed",)
        state = (thread, self.changes, tuple(self.owner),
                 tuple((other, self.place[other], self.gives_way[other],
                        tuple(sorted(self.gives_way_to[other])) if self.gives_way[other] else ())
                       for other in self.live()))
        if state in self.seen:
            return "again"
        self.seen.add(state)
        return "on"


def count(world):
    """Executions that end, and those that are not followed further."""
    ended = cut = 0
    for thread in world.enabled():
        next_world = world.copy()
        result = next_world.run(thread)
        if result == "on":
            more = count(next_world)
        else:
            more = (1, 0) if result == "end" else (0, 1)
        ended, cut = ended + more[0], cut + more[1]
    return ended, cut


def check(bench):
    for name, pause in (("bare", "(void)0"), ("yield", "sched_yield()"), ("sleep", "usleep(10)")):
        program = bench.build(name, PROGRAM.replace("PAUSE", pause))
        ended, cut = count(World(name != "bare"))
        for options in tier.sample(name, (["-s", "dfs"], ["-s", "preempt"], ["-s", "dfs", "--isolate", "fork"])):
            result = bench.explore(options, program, (), 0)
            if (result["executions"], result["cut"]) != (ended, cut) or not result["complete"]:
                fail(f"{name}: a search of a loop that backs off", options=options,
                     expected=f"{ended} executions, {cut} cut, complete",
                     actual=f"{result['executions']} executions, {result['cut']} cut, "
                            f"complete: {result['complete']}")
        sampled = bench.explore(["-s", "random", "-n", 500], program, (), 0)
        if (sampled["executions"], sampled["cut"]) != (500, 0):
            fail(f"{name}: sampled executions of a loop that backs off", expected="500, all ended",
                 actual=sampled)
        print(f"{name}: {ended} executions, {cut} not followed further")


bench_run(check)
