#!/usr/bin/env python3
"""Several workers that share a search find what one finds: the same executions, classes, bounds, claim
and findings, in every isolation mode; `-n` stays exact; and they stop together. So with a reduction, where
each class is one execution, but not always the same one; within bounds a class is few executions, now and then one more.
`make test` compares one number of workers with one worker for each search."""
import itertools
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import count  # noqa: E402
import tier  # noqa: E402
from engine import (bench_run, command_end, command_start, fail, run, shown, wait_until, what_bounds_show,  # noqa: E402
                    workers_computed)

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
WORKERS = (2, 3, 4)
LOCKS = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
# An update is lost with one preemption, the counter is zero with two, and both race.
LOST = """
#include <assert.h>
#include <pthread.h>
static int counter, rounds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        counter = counter + 1;
        pthread_mutex_lock(&mutex);
        rounds++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter >= 3);
    assert(rounds == 4);
    return 0;
}
"""
# Two threads that take two locks in opposite orders, each in the middle of its work.
DEADLOCK = """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int work_done;
static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        work_done++;
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
}
static void *one(void *unused) { both(&a, &b); return unused; }
static void *other(void *unused) { both(&b, &a); return unused; }
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""
# Only where the second thread comes first does it do what reset cannot undo.
PROTECT = """
#include <pthread.h>
#include <sys/mman.h>
static char page[4096] __attribute__((aligned(4096)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last;
static void *work(void *number)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        if (last == 0 && *(int *)number == 2)
            mprotect(page, sizeof page, PROT_READ | PROT_WRITE);
        last = *(int *)number;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
SAME = ["classes", "fingerprint", "buggy", "cut", "restarts", "per_bound", "complete", "verdict",
        "threads", "max_enabled", "max_points", "max_steps"]


def claim(result):
    return result["claim"]["kind"], result["claim"]["value"], result["complete"]


def promotes(result):
    """Samplers go on with new scheduling points: from when on, each worker sees for itself."""
    return "became scheduling points" in result["claim"]["text"]


def kinds(result):
    """What was found. How often it was seen counts searches that were given up, too."""
    often = result["restarts"] == 0 and not promotes(result)
    return sorted((f["kind"], f["severity"], f["message"], f["file"] or "", f["line"] or 0,
                   f["count"] if often else 0) for f in result["findings"])


def same_as_one(bench, title, program, options, arguments=()):
    alone = bench.explore(["-j", "1", *options], program, arguments)
    for workers in tier.sample(title, WORKERS):
        several = ["-j", str(workers), *options]
        result = bench.explore(several, program, arguments)
        story = dict(command=shown([bench.bohr, "run", *several, program, *arguments]))
        fields = SAME + (["executions", "steps"] if alone["restarts"] == 0 else [])
        if "dpor" in options:
            fields = [name for name in fields if name not in ("fingerprint", "max_enabled", "max_points")]
        if "-n" in options and (alone["restarts"] > 0 or promotes(alone)):
            fields = ["executions", "verdict"]  # what runs with which points depends on time
        bench.compare(f"{title}: {workers} workers count otherwise than one", alone, result, fields,
                      **story)
        for what in (claim, kinds):
            if what(alone) != what(result):
                fail(f"{title}: {workers} workers and one", expected=what(alone),
                     actual=what(result), **story)
    print(f"ok   {title}: {alone['executions']} executions, {alone['classes']} classes, "
          f"{len(alone['findings'])} findings")
    return alone


def counting(bench):
    for threads, rounds in ((2, 1), (2, 2), (2, 5), (3, 1), (3, 2)):
        program = bench.build(f"locks-{threads}x{rounds}", LOCKS,
                              [f"-DTHREADS={threads}", f"-DROUNDS={rounds}"])
        counted = count.count(count.locks(threads, rounds))
        name = f"{threads}x{rounds}"
        result = same_as_one(bench, f"dfs {name}", program, ["-s", "dfs"])
        if result["executions"] != sum(counted.values()):
            fail(f"dfs {name}", expected=sum(counted.values()), actual=result["executions"])
        for bound in tier.sample(name, range(4), 2):
            result = same_as_one(bench, f"preempt {name}, bound {bound}", program,
                                 ["-s", "preempt", "-b", str(bound)])
            wanted = [counted[at] for at in range(bound + 1) if counted[at] > 0]
            got = [row["executions"] for row in result["per_bound"]]
            if wanted != got:
                fail(f"preempt {name}, bound {bound}", expected=wanted, actual=got)
        same_as_one(bench, f"preempt {name}", program, ["-s", "preempt"])
        for executions in tier.sample(name, (1, 10, 777)):
            same_as_one(bench, f"random {name}, {executions}", program,
                        ["-s", "random", "-n", str(executions), "--seed", "7"])


def findings(bench):
    for name, source in (("lost", LOST), ("deadlock", DEADLOCK)):
        program = bench.build(name, source)
        same_as_one(bench, f"{name}, dfs", program, ["-s", "dfs", "-k"])
        same_as_one(bench, f"{name}, preempt", program, ["-s", "preempt", "-b", "3", "-k"])
        same_as_one(bench, f"{name}, delay", program, ["-s", "delay", "-b", "3", "-k"])
        same_as_one(bench, f"{name}, random", program, ["-s", "random", "-n", "500", "-k"])
        bench.replay_all(name, bench.explore(["-j", "3", "-k", "-b", "2"], program))
    for name, flags, arguments in (("use_after_free", [], []), ("lost_wakeup", [], []),
                                   ("crash_kinds", ["-O0"], ["segv"]),
                                   ("crash_kinds", ["-O0"], ["abort"]),
                                   ("hang", ["-O0"], [])):
        program = bench.build(name, (PROGRAMS / f"{name}.c").read_text(), flags)
        alone = same_as_one(bench, " ".join([name, *arguments]), program,
                            ["-s", "dfs", "-k", "--hang", "0.3"], arguments)
        if not alone["findings"]:
            fail(name, expected="a finding")


def fewest_preemptions(bench):
    """The first finding is one with the fewest preemptions, whichever worker finds it."""
    for name in ("lost", "deadlock"):
        program = bench.folder / name
        options = ["--races", "off"]
        alone = bench.explore(["-s", "preempt", *options], program, status=1)
        least = min(f["preemptions"] for f in alone["findings"])
        for workers, strategy in tier.sample(f"fewest {name}", itertools.product(WORKERS, ("preempt", "bpor")), 2):
            result = bench.explore(["-s", strategy, "-j", str(workers), *options], program, status=1)
            got = [f["preemptions"] for f in result["findings"]]
            if any(preemptions != least for preemptions in got):
                fail(f"{name}: the first finding of {workers} workers",
                     expected=f"{least} preemptions", actual=got)
    print("ok   the first finding has the fewest preemptions")


# A reader that sees 1 and then 2 needs two preemptions; a third thread makes for many with fewer.
SEES_BOTH = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int value, other;
static void *add(void *to)
{
    for (int i = 0; i < 4; i++)
        ++*(atomic_int *)to;
    return NULL;
}
static void *read(void *unused)
{
    int first = value, second = value;
    assert(first != 1 || second != 2);
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, add, &value);
    pthread_create(&threads[1], NULL, read, NULL);
    pthread_create(&threads[2], NULL, add, &other);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def all_executions_count(bench):
    """All executions with fewer preemptions came before the first bug, in whichever worker."""
    program = bench.build("sees-both", SEES_BOTH)
    for workers in (1, *WORKERS):
        result = bench.explore(["-s", "preempt", "-j", str(workers)], program, status=1)
        before = sum(row["executions"] for row in result["per_bound"] if row["bound"] < 2)
        execution = result["findings"][0]["execution"]
        if not before < result["first_bug"] <= result["executions"] or before < 50:
            fail(f"the first bug of {workers} workers",
                 expected=f"after {before} with fewer preemptions, of {result['executions']}",
                 actual=result["first_bug"])
        if execution != result["first_bug"]:
            fail(f"the finding of {workers} workers", expected=f"execution {result['first_bug']}",
                 actual=execution)
    print("ok   the first bug is counted over all workers")


LEARNERS = ["pct", "surw", "rf", "rare", "few"]


def learners(bench):
    """Each worker learns for itself: other executions, but as many, and what shows often shows."""
    for strategy in [*LEARNERS, "auto"]:
        for name in ("lost", "deadlock"):
            options = ["-s", strategy, "-n", "600", "-k"]
            alone = bench.explore(options, bench.folder / name)
            for workers in tier.sample(f"{name} {strategy}", WORKERS):
                result = bench.explore([*options, "-j", str(workers)], bench.folder / name)
                wanted, got = [sorted({(f["kind"], f["message"], f["line"] or 0) for f in r["findings"]})
                               for r in (alone, result)]
                whole = result["executions"] == 600 or result["complete"]
                if wanted != got or not wanted or not whole:
                    fail(f"{name}: {strategy} with {workers} workers", expected=f"600 executions, {wanted}",
                         actual=f"{result['executions']} executions, {got}")
    result = bench.explore(["-s", "pct", "-n", "600", "-j", "3"], bench.folder / "locks-3x2")
    if not re.search(r"so that all [1-6]\d\d miss", result["claim"]["text"]):
        fail("what pct promises of three workers", expected="a probability for hundreds of executions",
             actual=result["claim"]["text"])
    print("ok   samplers that learn share executions")


# A step of main at any time while another thread takes very many: few executions, of ever more decisions.
COMB = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int value;
static void *many(void *unused)
{
    for (int i = 0; i < 600; i++)
        value++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, many, NULL);
    value = -1;
    pthread_join(thread, NULL);
    return 0;
}
"""
SYSTEMATIC, ALIKE, ALONE = ["dfs", "depth", "preempt", "delay", "dpor"], ["random", "pos"], [
    "best", "stateful", "exitblock", "exitblock-rw", "exitblock-dd", "exitblock-rwdd"]
WITHIN_BOUNDS = ["bpor"]
ENDS = ["idiom"]  # by itself, whenever each worker has nothing left to try


def every_strategy(bench):
    """Whatever the tool has is shared, or says that it cannot be."""
    names = [line.split()[0] for line in bench.must([bench.bohr, "list", "strategies"]).output.splitlines() if line]
    known = SYSTEMATIC + ALIKE + ALONE + WITHIN_BOUNDS + LEARNERS + ENDS + ["auto"]
    if sorted(names) != sorted(known):
        fail("strategies that are tested here", expected=sorted(names), actual=sorted(known))
    bench.build("comb", COMB)
    for name in SYSTEMATIC:
        same_as_one(bench, f"{name}, all", bench.folder / "locks-2x5", ["-s", name])
        same_as_one(bench, f"{name}, a comb", bench.folder / "comb", ["-s", name])
    same_bounds_as_one(bench, "bpor, a comb", bench.folder / "comb", [])
    for name in ALIKE:
        same_as_one(bench, f"{name}, alike", bench.folder / "locks-3x2", ["-s", name, "-n", "500"])
    for name in ENDS:
        for program in ("lost", "deadlock"):
            if bench.explore(["-s", name, "-j", "2"], bench.folder / program)["verdict"] != "bug":
                fail(f"{program}: {name} with two workers", expected="its bug", actual="nothing")
    for name in ALONE:
        done = run([bench.bohr, "run", "-j", "2", "-s", name, bench.folder / "locks-2x1"])
        if done.status != 2 or f"strategy {name} works with one worker" not in done.errors:
            fail(f"{name} with two workers", expected="a refusal", actual=done.text())


def depths(bench):
    """As many decisions as asked for, whichever worker makes them, and no deeper ones before."""
    for bound in ("0", "1", "2", "3", "6"):
        same_as_one(bench, f"depth {bound}", bench.folder / "locks-3x2", ["-s", "depth", "-b", bound])
    for name in ("lost", "deadlock"):
        same_as_one(bench, f"{name}, depth", bench.folder / name, ["-s", "depth", "-k"])
    for workers in (1, *WORKERS):
        result = bench.explore(["-s", "depth", "-n", "1000", "-j", str(workers)], bench.folder / "locks-3x3")
        bounds = [row["bound"] for row in result["per_bound"]]
        if bounds != [2 ** i // 2 for i in range(len(bounds))] or result["claim"]["value"] != bounds[-2]:
            fail(f"depth, stopped, {workers} workers", expected="a claim for the last bound but one",
                 actual=(bounds, result["claim"]["text"]))


def limits(bench):
    program = bench.folder / "locks-3x2"
    strategies = ("dfs", "depth", "preempt", "random", "rf")
    products = itertools.product(strategies, WORKERS, (1, 2, 3, 50, 1234))
    for strategy, workers, executions in tier.sample("limits", products, 19):
        options = ["-s", strategy, "-n", str(executions), "-j", str(workers)]
        result = bench.explore(options, program)
        if result["executions"] != executions or result["complete"]:
            fail("the limit of executions", command=" ".join(options),
                 expected=f"{executions} executions, not complete",
                 actual=f"{result['executions']}, complete {result['complete']}")
    result = bench.explore(["-s", "random", "-n", "300", "-k", "-j", "3"], bench.folder / "lost")
    if result["executions"] != 300:
        fail("the limit of executions, over restarts", expected=300, actual=result["executions"])
    print("ok   the limit of executions is exact")


def modes(bench):
    program = bench.build("locks-mode", LOCKS, ["-DTHREADS=2", "-DROUNDS=3"])
    for options in (["--isolate", "fork"], ["--isolate", "exec"], ["--carrier", "kernel"],
                    ["--tracking", "protect"], ["--no-checkpoint"]):
        same_as_one(bench, " ".join(options), program, ["-s", "preempt", "-b", "2", *options])
    program = bench.build("mprotect", PROTECT)
    same_as_one(bench, "what reset cannot undo", program, ["-s", "dfs"])
    result = bench.explore(["-s", "dfs", "-j", "3"], program)
    if result["isolate"] != "fork" or not any("mprotect" in note for note in result["notes"]):
        fail("what reset cannot undo", expected="fork, and a note that says why",
             actual=f"{result['isolate']}, {result['notes']}")


def ends(bench):
    large = bench.build("locks-large", LOCKS, ["-DTHREADS=3", "-DROUNDS=20"])
    result = bench.explore(["-s", "dfs", "-j", "3", "-t", "3s"], large, status=0)
    if result["complete"] or "time limit" not in result["claim"]["text"]:
        fail("the time limit", expected="a claim that names it", actual=result["claim"]["text"])
    command, report = bench.command(["-s", "dfs", "-j", "3"], large)
    process = command_start(command)
    wait_until("three workers at work", lambda: workers_computed(process, 0.1, 3), process)
    process.send_signal(signal.SIGINT)
    result = bench.result(command_end(process, command), report, 130)
    if result["complete"] or "interrupted" not in result["claim"]["text"]:
        fail("an interrupt", expected="a claim that names it", actual=result["claim"]["text"])
    program = bench.build("refused", (PROGRAMS / "refused_calls.c").read_text())
    bench.explore(["-j", "3"], program, ["cancel"], status=3)
    print("ok   three workers stop together")


# Accesses to a whole and to parts of it.
OVERLAPS = """
#include <pthread.h>
#include <stdint.h>
static union { uint64_t all; uint8_t bytes[8]; } shared;
static void *whole(void *unused)
{
    __atomic_store_n(&shared.all, 1, __ATOMIC_SEQ_CST);
    __atomic_load_n(&shared.all, __ATOMIC_SEQ_CST);
    return unused;
}
static void *part(void *at)
{
    __atomic_store_n(&shared.bytes[(uintptr_t)at], 2, __ATOMIC_SEQ_CST);
    return NULL;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, whole, NULL);
    pthread_create(&threads[1], NULL, part, (void *)0);
    pthread_create(&threads[2], NULL, part, (void *)5);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


# Who is woken, and what is chosen, is decided near the beginning; much can be done after it.
CHOICES = """
#include <bohr.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int chosen, waited;
static void *waits(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!chosen)
        pthread_cond_wait(&changed, &mutex);
    waited++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
static void *chooses(void *unused)
{
    int first = bohr_choose(3);
    pthread_mutex_lock(&mutex);
    chosen = 1 + first;
    pthread_cond_signal(&changed);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, waits, NULL);
    pthread_create(&threads[2], NULL, chooses, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def reductions(bench):
    """The classes are (threads x rounds)! / rounds!^threads; of the overlaps 3 x 3: each part comes before,
    between or after the two accesses to the whole, whatever the other one does."""
    for threads, rounds, classes in ((2, 1, 2), (2, 5, 252), (3, 2, 90), (3, 3, 1680), (4, 2, 2520)):
        program = bench.build(f"locks-{threads}x{rounds}", LOCKS,
                              [f"-DTHREADS={threads}", f"-DROUNDS={rounds}"])
        result = same_as_one(bench, f"dpor {threads}x{rounds}", program, ["-s", "dpor"])
        if (result["executions"], result["classes"], result["cut"]) != (classes, classes, 0):
            fail(f"dpor {threads}x{rounds}", expected=f"{classes} executions, none cut",
                 actual=[result["executions"], result["classes"], result["cut"]])
    corpus = PROGRAMS.parent.parent / "corpus"
    for name, arguments, classes in (("lastzero", ["5"], 64), ("lastzero", ["10"], 3328),
                                     ("indexer", ["13"], 64)):
        program = bench.build(name, (corpus / f"{name}.c").read_text())
        result = same_as_one(bench, f"dpor {name} {arguments[0]}", program, ["-s", "dpor"], arguments)
        if (result["executions"], result["classes"]) != (classes, classes):
            fail(f"dpor {name} {arguments[0]}", expected=classes, actual=result["classes"])
    program = bench.build("overlaps", OVERLAPS)
    for workers in (1, *WORKERS):
        result = bench.explore(["-s", "dpor", "-j", str(workers)], program)
        if result["classes"] != 9 or not result["complete"]:
            fail(f"overlaps, {workers} workers", expected="9 classes", actual=result["classes"])
    for name in ("lost", "deadlock"):
        program = bench.folder / name
        alone = bench.explore(["-s", "dpor", "-k"], program, status=1)
        for workers in tier.sample(f"dpor {name}", WORKERS):
            result = bench.explore(["-s", "dpor", "-k", "-j", str(workers)], program, status=1)
            what = [{f["message"] for f in r["findings"]} for r in (alone, result)]
            if result["classes"] != alone["classes"] or what[0] != what[1] or not result["complete"]:
                fail(f"{name}: dpor with {workers} workers", expected=[alone["classes"], what[0]],
                     actual=[result["classes"], what[1]])
            if result["claim"]["kind"] != "all-classes":  # where executions fail, too
                fail(f"{name}: dpor with {workers} workers", expected="all classes are claimed",
                     actual=result["claim"]["text"])
    program = bench.build("locks-mode", LOCKS, ["-DTHREADS=2", "-DROUNDS=3"])
    for options in (["--isolate", "fork"], ["--isolate", "exec"], ["--carrier", "kernel"],
                    ["--no-checkpoint"]):
        same_as_one(bench, "dpor " + " ".join(options), program, ["-s", "dpor", *options])
    for workers, executions in tier.sample("dpor", itertools.product(WORKERS, (1, 50, 1234)), 4):
        options = ["-s", "dpor", "-n", str(executions), "-j", str(workers)]
        result = bench.explore(options, bench.folder / "locks-3x3")
        if result["executions"] != executions or result["complete"]:
            fail("the limit of executions", command=" ".join(options),
                 expected=f"{executions} executions, not complete",
                 actual=f"{result['executions']}, complete {result['complete']}")


def same_bounds_as_one(bench, title, program, options, arguments=()):
    """The same claim, and the same classes and findings at each bound, from about as many executions."""
    options = ["-s", "bpor", *options]
    alone = bench.explore(options, program, arguments)
    wanted = what_bounds_show(alone), kinds({**alone, "restarts": 1})
    for workers in tier.sample(title, WORKERS):
        result = bench.explore([*options, "-j", str(workers)], program, arguments)
        got = what_bounds_show(result), kinds({**result, "restarts": 1})
        if wanted != got:
            fail(f"{title}: {workers} workers and one", expected=wanted, actual=got, command=shown(options))
        if alone["restarts"] == 0 and result["executions"] > 1.02 * alone["executions"] + 10:
            fail(f"{title}: {workers} workers and one", expected=f"about {alone['executions']} executions",
                 actual=result["executions"], command=shown(options))
    print(f"ok   {title}: {alone['executions']} executions, {alone['classes']} classes")
    return alone


def bounded_reductions(bench):
    for threads, rounds, bound in ((2, 1, 9), (2, 5, 9), (3, 2, 9), (3, 3, 2), (4, 2, 1)):
        program = bench.build(f"locks-{threads}x{rounds}", LOCKS,
                              [f"-DTHREADS={threads}", f"-DROUNDS={rounds}"])
        same_bounds_as_one(bench, f"bpor {threads}x{rounds}", program, ["-b", str(bound)])
    corpus = PROGRAMS.parent.parent / "corpus"
    for name, arguments, options in (("lastzero", ["7"], ["-b", "2"]), ("wsq", [], ["-k"]), ("seqlock", [], ["-k"]),
                                     ("philosophers", [], ["-k"]), ("work_stealing", [], [])):
        program = bench.build(name, (corpus / f"{name}.c").read_text())
        same_bounds_as_one(bench, f"bpor {name}", program, options, arguments)
    for name in ("lost", "deadlock"):
        same_bounds_as_one(bench, f"{name}, bpor", bench.folder / name, ["-k"])
    program = bench.build("choices", CHOICES)
    for bound in ("0", "1", "2", "9"):
        same_bounds_as_one(bench, f"bpor with choices, bound {bound}", program, ["-b", bound])
    program = bench.build("locks-mode", LOCKS, ["-DTHREADS=2", "-DROUNDS=3"])
    for options in (["--isolate", "fork"], ["--isolate", "exec"], ["--carrier", "kernel"], ["--no-checkpoint"]):
        same_bounds_as_one(bench, "bpor " + " ".join(options), program, ["-b", "2", *options])
    for workers, executions in tier.sample("bpor", itertools.product(WORKERS, (1, 50, 1234)), 4):
        options = ["-s", "bpor", "-n", str(executions), "-j", str(workers)]
        result = bench.explore(options, bench.folder / "locks-3x3")
        if result["executions"] + result["cut"] != executions or result["complete"]:
            fail("the limit of executions", command=" ".join(options),
                 expected=f"{executions} executions, not complete",
                 actual=f"{result['executions']} and {result['cut']} cut, complete {result['complete']}")


def check(bench):
    counting(bench)
    findings(bench)
    fewest_preemptions(bench)
    all_executions_count(bench)
    learners(bench)
    limits(bench)
    modes(bench)
    reductions(bench)
    bounded_reductions(bench)
    depths(bench)
    every_strategy(bench)
    ends(bench)


bench_run(check)
