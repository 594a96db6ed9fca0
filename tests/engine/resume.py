#!/usr/bin/env python3
"""A search that is left at a limit or by Ctrl-C, and goes on from its state, as often as it takes, ends with
the counts, the claim, the findings and the sums of an undisturbed one: every strategy, every way to begin an
execution, with several workers, with what waits in a file. BOHR_TEST_PROGRAMS=20 tries more programs. `make test` takes a
sample of the searches."""
import os
import pathlib
import random
import re
import resource
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "tools"))
import corpus_program  # noqa: E402
import tier  # noqa: E402
from engine import (COUNTS, bench_run, children, command_end, command_start, fail, findings_of, run,  # noqa: E402
                    sentence_of, shown, wait_until, what_bounds_show, workers_computed)

PROGRAMS = int(os.environ.get("BOHR_TEST_PROGRAMS", 2))
CORPUS = ROOT / "corpus"
INTERRUPTED_STATUS = 130
OVER_AT_ONCE = 0.3  # seconds; too short to be sure of an interrupt in between
NAMES = ["circular_buffer", "lazy01", "bluetooth_driver", "account", "deadlock01", "lost_wakeup", "peterson",
         "if_not_while", "carter01", "bakery", "barrier_reuse", "notify_one", "lru_cache", "mcs_lock",
         "once_by_hand", "reorder", "wronglock", "token_ring", "sync01", "twostage"]
TREES = ["auto", "dfs", "depth", "preempt", "delay", "dpor", "bpor", "best", "stateful", "exitblock",
         "exitblock-rw", "exitblock-dd", "exitblock-rwdd"]
# They run as many executions as they were begun with.
SAMPLERS = ["random", "pct", "pos", "surw", "rf", "rare", "few", "idiom"]
LIMIT = 3000  # executions; what ends before is undisturbed to its end
SOURCE = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        sum++;
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
    return 0;
}
"""


def claim_of(result):
    return result["claim"]["kind"], result["claim"]["value"]


def compare(bench, name, calm, resumed, options, command):
    workers = "-j" in options
    if workers and "bpor" in options:  # now and then one execution more
        if what_bounds_show(calm) != what_bounds_show(resumed):
            fail(f"{name}: to go on changes what is shown", expected=what_bounds_show(calm),
                 actual=what_bounds_show(resumed), command=shown(command))
        return
    counts = [count for count in COUNTS if not workers or count not in ("first_bug", "steps", "cut")]
    if workers and "dpor" in options:  # one execution for each class, but not always the same
        counts.remove("fingerprint")
    bench.compare(f"{name}: to go on changes a count", calm, resumed, counts, command=shown(command))
    if findings_of(calm) != findings_of(resumed) or claim_of(calm) != claim_of(resumed):
        fail(f"{name}: to go on changes what is found", expected=(claim_of(calm), findings_of(calm)),
             actual=(claim_of(resumed), findings_of(resumed)), command=shown(command))


def executions_of(result):
    return result["executions"] + result["cut"]


def in_parts(bench, name, options, program, moments):
    """Stops at so many executions, goes on up to so many more, and so on."""
    whole = [*options, "-k", "--no-shrink"]
    calm = bench.explore([*whole, "-n", str(LIMIT)], program)
    total = executions_of(calm)
    if total < 5:
        return False
    stops = sorted(moments.sample(range(1, total), min(3, total - 1)))
    state = bench.folder / "state"
    command, report = bench.command([*whole, "--state", state, "-n", str(stops[0])], program)
    bench.result(run(command), report)
    for stop in [*stops[1:], LIMIT]:
        if not state.exists():
            fail(f"{name}: no state at a limit", expected=f"a state after {stops[0]} of {total} executions",
                 command=shown(command))
        command = [bench.bohr, "run", "--no-progress", "--resume", state, "-n", str(stop), "--json", report]
        resumed = bench.result(run(command), report)
    compare(bench, name, calm, resumed, whole, command)
    state.unlink()
    return True


def by_interrupts(bench, name, options, program, moments, wanted=2, pauses=(0.01, 0.2)):
    """False: it was over before it could be interrupted, time after time, and takes next to no time."""
    calm = bench.explore(options, program)
    for attempt in range(1, 20):  # it may be over before it was interrupted often enough
        command, report = bench.command(options, program)
        state, interrupts = None, 0
        while True:
            process = command_start(command)
            while process.poll() is None and not children(process.pid):
                time.sleep(0.001)
            signalled = interrupts < wanted and process.poll() is None
            if signalled:
                time.sleep(moments.uniform(*pauses) / attempt)
                process.send_signal(moments.choice([signal.SIGINT, signal.SIGTERM]))
            done = command_end(process, command)
            # it may have come when the search was over, and what it found was looked into: then there is no state
            result = bench.result(done, report, INTERRUPTED_STATUS if signalled and done.status == INTERRUPTED_STATUS else None)
            if result["state"] is None:
                break
            if done.status != INTERRUPTED_STATUS:
                fail(f"{name}: interrupted", expected=f"exit status {INTERRUPTED_STATUS}", actual=done.status,
                     command=shown(command))
            interrupts += 1
            command = [bench.bohr, "run", "--no-progress", "--resume", result["state"]]
            report.unlink()
        if interrupts >= wanted:
            break
    else:
        if calm["wall_seconds"] < OVER_AT_ONCE:
            print(f"ok   {name}: over at once")
            return False
        fail(f"{name}: the search was over too soon", expected=f"{wanted} interrupts", actual=interrupts)
    compare(bench, name, calm, result, options, command)
    print(f"ok   {name}: {interrupts} interrupts, {result['executions']} executions, "
          f"{result['wall_seconds']:.1f} s ({calm['wall_seconds']:.1f} s undisturbed)")
    return True


INTERRUPTED = [  # name, rounds, options
    ("dfs", 8, ["-s", "dfs"]),
    ("dfs, three workers", 8, ["-s", "dfs", "-j", "3"]),
    ("dpor, three workers", 8, ["-s", "dpor", "-j", "3"]),
    ("bpor, three workers", 8, ["-s", "bpor", "-j", "3"]),
    ("preempt in a file", 8, ["-s", "preempt", "-b", "9", "--memory", "1"]),
    ("best in a file", 7, ["-s", "best", "--memory", "1", "--no-checkpoint"]),
    ("random", 8, ["-s", "random", "-n", "200000"]),
    ("random, two workers", 8, ["-s", "random", "-n", "200000", "-j", "2"]),
    ("preempt, fork", 4, ["-s", "preempt", "-b", "3", "--isolate", "fork"]),
    ("dfs, exec", 3, ["-s", "dfs", "--isolate", "exec"]),
    ("delay, kernel threads", 3, ["-s", "delay", "-b", "6", "--carrier", "kernel"]),
]


def refuses(bench, title, options, *words, **settings):
    """One sentence with these words, exit status 2, and the folder as it was."""
    before = sorted(bench.folder.rglob("*"))
    done = run([bench.bohr, "run", "--no-progress", "--json", bench.folder / "none.json", *options], **settings)
    said = sentence_of(done.errors)
    if (done.status != 2 or done.output or not re.fullmatch(r"bohr: \S.*\S", said)
            or any(str(word) not in said for word in words) or sorted(bench.folder.rglob("*")) != before):
        fail(f"{title}", expected=f"one sentence with {words}, exit status 2, nothing written", said=said,
             actual=f"{done.status} {sorted(set(bench.folder.rglob('*')) - set(before))}", output=done.output)


def bad_states(bench):
    folder = bench.folder / "bad"
    folder.mkdir()
    program = bench.build("bad/program", SOURCE, ["-DROUNDS=4"])
    state = folder / "state"
    bench.must([bench.bohr, "run", "-s", "dfs", "-n", "50", "--state", state, "./program"], cwd=folder)
    whole, other = state.read_bytes(), folder / "other"
    go_on = ["--resume", state, "-n", "100"]

    def refused(title, options, *words, **settings):
        refuses(bench, title, options, *words, **{"cwd": folder, **settings})

    refused("no file", ["--resume", folder / "none"], "none", "no such file")
    refused("a folder", ["--resume", folder], "it is a folder")
    for title, data, words in [("empty", b"", "no state"), ("another file", b"int main(void) {}", "no state"),
                               ("another version", whole.replace(b"state 1", b"state 0", 1), "another version"),
                               ("cut in its head", whole[:6], "no state"), ("cut", whole[:len(whole) // 2], "cut short"),
                               ("without its last byte", whole[:-1], "cut short"), ("with one more", whole + b"x", "damaged")]:
        other.write_bytes(data)
        refused(title, ["--resume", other], words, "other")
    for at in random.Random(3).sample(range(13, len(whole)), 20):
        other.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1:])
        refused(f"byte {at} changed", ["--resume", other], "damaged")
    other.unlink()
    refused("no more executions", ["--resume", state], "50 executions", "-n")
    refused("fewer executions", ["--resume", state, "-n", "20"], "50 executions", "-n")
    refused("another strategy", [*go_on, "-s", "dpor"], "--strategy", "leave it out")
    refused("other points", [*go_on, "--points", "all"], "--points", "leave it out")
    refused("more workers", [*go_on, "-j", "2"], "--jobs", "leave it out")
    refused("another program", [*go_on, "./other"], "another program", "./program")
    refused("other arguments", [*go_on, "./program", "3"], "other arguments")
    refused("another folder", go_on, "another folder", folder, cwd=bench.folder)
    refused("no place to write to", [*go_on, "--state", folder / "no" / "state"], "cannot keep", "no/state")
    with open(state) as file:
        refused("another input", go_on, "standard input", stdin=file)
    refused("libraries elsewhere", go_on, "libraries", preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_STACK, (1 << 30, resource.getrlimit(resource.RLIMIT_STACK)[1])))
    program.rename(folder / "kept")
    refused("no program", go_on, "./program", "no such file")
    bench.build("bad/program", SOURCE, ["-DROUNDS=3"])
    refused("another build", go_on, "the program has changed", "./program")
    (folder / "kept").rename(program)
    if state.read_bytes() != whole:
        fail("a state that was refused", expected="that it is left as it was")
    done = bench.must([bench.bohr, "run", "--no-progress", *go_on, "./program"], cwd=folder)
    if "100 executions" not in done.output or f"bohr run --resume {state}" not in done.output:
        fail("a state that was refused for other reasons", expected="that it goes on", output=done.output)
    for limit in ("50ms", "1s", "20s", "400s"):  # a busy machine may complete no execution in a short time
        if run([bench.bohr, "run", "-s", "random", "-t", limit, "--state", state, "./program"], cwd=folder).status == 0:
            break
    done = run([bench.bohr, "run", "--resume", state], cwd=folder)  # its time counts from zero
    if done.status not in (0, 2):  # 2: no execution more
        fail("a limit of time", expected="exit status 0 or 2", actual=done.status, output=done.text())
    if "time limit" not in done.output and "bohr run --resume" not in done.output:
        fail("a limit of time", expected="that the search can go on again and again", output=done.output)
    print("ok   states that cannot be used")


def interrupted_twice(bench):
    """The second Ctrl-C comes while the state is written: nothing of it is left, and the old one is as it was."""
    folder = bench.folder / "twice"
    folder.mkdir()
    program = bench.build("twice/program", SOURCE, ["-DROUNDS=40"])
    state, report = folder / "state", folder / "report.json"
    for seconds in (0.5, 1, 2, 4, 8, 16):  # the longer it has computed the longer it writes
        state.write_text("the old one")
        command = [bench.bohr, "run", "--no-progress", "-s", "preempt", "--state", state, "--json", report, program]
        process = command_start(command)
        wait_until("a search under way", lambda: workers_computed(process, seconds), process)
        process.send_signal(signal.SIGINT)
        while process.poll() is None and not list(folder.glob("*.part")):
            pass
        process.send_signal(signal.SIGINT)
        done = command_end(process, command)
        if state.read_text(errors="replace") == "the old one":
            break
    else:
        fail("interrupted twice", expected="a state that takes longer to write")
    said = sentence_of(done.errors)
    if done.status != 2 or "interrupted again" not in said or str(state) not in said or list(folder.glob("*.part")):
        fail("interrupted twice", expected="a sentence, exit status 2, nothing half-written", said=said,
             actual=f"{done.status} {list(folder.iterdir())}")
    if "executions" not in done.output or not report.exists():
        fail("interrupted twice", expected="a report of what was searched", output=done.output)
    print(f"ok   interrupted twice, after {seconds} s")


def check(bench):
    bad_states(bench)
    interrupted_twice(bench)
    moments = random.Random(int(os.environ.get("BOHR_TEST_SEED", 1)))
    for name, rounds, options in tier.sample("resume", INTERRUPTED, 4):
        program = bench.build(f"locks-{rounds}", SOURCE, [f"-DROUNDS={rounds}"])
        if not by_interrupts(bench, name, options, program, moments):
            fail(f"{name}: over at once", expected="a search that can be interrupted")
    for name in NAMES[:PROGRAMS]:
        source = next(CORPUS.glob(f"{name}.c*"))
        program = bench.folder / name
        next(iter(corpus_program.read_programs(source))).build(bench.bohr, "gcc", program)
        parted = []
        for strategy in tier.sample(f"{name}: samplers", SAMPLERS, 2):
            by_interrupts(bench, f"{name}, {strategy}", ["-s", strategy, "-k", "-n", "20000"], program, moments, 1)
        for strategy in tier.sample(f"{name}: trees", TREES, 3):
            bound = ["-b", "3"] if strategy in ("preempt", "delay", "bpor") else []
            if strategy == "best":  # its order depends on where checkpoints are, and that on time
                bound = ["--no-checkpoint"]
            if in_parts(bench, f"{name}, {strategy}", ["-s", strategy, *bound], program, moments):
                parted.append(strategy)
        print(f"ok   {name}: {' '.join(parted)} go on")


bench_run(check)
