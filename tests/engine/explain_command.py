#!/usr/bin/env python3
"""`bohr explain FILE` says what `bohr run` says of a finding: the orders that make it fail, which keep doing so
however often they are tried, and an execution that passes; long stories are folded around that, and --full
shows all of them. A narrow terminal loses nothing, and what is wrong is said in one sentence."""
import json
import os
import pathlib
import pty
import struct
import fcntl
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run  # noqa: E402

TURNS = 12  # of each thread, so that the story is long
SOURCE = """
#include <assert.h>
#include <pthread.h>
struct { pthread_mutex_t lock; int sum; } account = {PTHREAD_MUTEX_INITIALIZER, 0};
static int get(void)
{
    pthread_mutex_lock(&account.lock);
    int sum = account.sum;
    pthread_mutex_unlock(&account.lock);
    return sum;
}
static void set(int sum)
{
    pthread_mutex_lock(&account.lock);
    account.sum = sum;
    pthread_mutex_unlock(&account.lock);
}
static void *work(void *unused)
{
    for (int i = 0; i < TURNS; i++)
        set(get() + 1);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(account.sum == 2 * TURNS);
    return 0;
}
"""
# The first execution fails, when it is not known yet that `late` races. That T0 locked first makes all fail only as
# long as T1 cannot look between T0's unlock and its write.
BEFORE_POINTS = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int late;
static void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    assert(late == 0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    late = 1;
    pthread_join(thread, NULL);
    return 0;
}
"""
# The reader comes to the racing access only if it sees both flags; a detached thread, only as long as the program runs.
ENDS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, second;
int data, seen;
static void *set_both(void *unused)
{
    data = 1;
    atomic_store_explicit(&first, 1, memory_order_relaxed);
    atomic_store_explicit(&second, 1, memory_order_relaxed);
    return unused;
}
static void *look(void *unused)
{
    if (atomic_load(&first) && atomic_load(&second))
        seen = data;
    return unused;
}
static void *fall(void *unused)
{
    first = 1;
    assert(first == 0);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    if (LEFT) {
        pthread_create(&threads[0], NULL, fall, NULL);
        return 0;
    }
    pthread_create(&threads[0], NULL, set_both, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""
COARSE = "if accesses that race are not interrupted"
OPENING = 5


def opening(text):
    return text.split("\n\n")[0].splitlines()


def steps_shown(text):
    return [line for line in text.splitlines() if line[:6].strip().isdigit() and line[6:8] == "  "]


def explanation_of(bench, command):
    report = bench.folder / "explained.json"
    done = run([*command[:2], "--json", report, *command[2:]])
    if done.status != 1:
        fail("a finding is explained", expected="exit status 1", actual=done.status, output=done.text())
    return done.output, json.loads(report.read_text())["findings"][0]


def check_story(told, finding):
    explanation = finding["explanation"]
    orders = explanation["orders"]
    if not explanation["checked"] or not explanation["smallest"] or not orders:
        fail("orders are found out", expected="some, checked, the smallest set", actual=explanation)
    for order in orders:
        if order["text"] not in " ".join(told.split()) or order["earlier"]["thread"] == order["later"]["thread"]:
            fail("orders are of two threads, and told", expected=order, output=told)
        if order["object"] != "account.lock":
            fail("what both use has its name", expected="account.lock", actual=order["object"])
    passing = explanation["passing"]
    if passing is None or not 0 < passing["leaves"] < len(passing["steps"]):
        fail("an execution that passes is known", expected="steps that differ somewhere", actual=passing)
    if len(opening(told)) > OPENING or orders[0]["text"].split(" before ")[0] not in " ".join(
            " ".join(opening(told)).split()):
        fail("the first lines say why", expected=f"the orders in at most {OPENING} lines", output=told)


def narrow(command, columns):
    """What comes out on a terminal of so many columns."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], [str(word) for word in command])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    text = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # the other side has ended
            break
        if not more:
            break
        text += more
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text.decode().replace("\r\n", "\n")


def check(bench):
    program = bench.build("account", SOURCE, [f"-DTURNS={TURNS}"])
    out = bench.folder / "found"
    run_again = [bench.bohr, "run", "--no-progress", "-s", "random", "-o", out, program]
    told, finding = explanation_of(bench, run_again)
    check_story(told, finding)
    explain = [bench.bohr, "explain", finding["replay"]]
    again, same = explanation_of(bench, explain)
    check_story(again, same)
    if same["explanation"] != finding["explanation"] or opening(again) != opening(told):
        fail("explain says what run said", expected=told, actual=again)
    full, _ = explanation_of(bench, [*explain, "--full"])
    if len(steps_shown(full)) != finding["steps"] + len(finding["explanation"]["passing"]["steps"]):
        fail("--full shows all steps of both", expected=finding["steps"], output=full)
    if not 4 <= len(steps_shown(again)) < finding["steps"] or "more steps" not in again:
        fail("a long story is folded", expected=f"fewer than {finding['steps']} rows", output=again)
    status, text = narrow([*explain, "--color"], 20)
    if status != 1 or "account.sum == 2 * TURNS" not in " ".join(text.split()):
        fail("a terminal of 20 columns", expected="the whole story, exit status 1", actual=status, output=text)
    silent, _ = explanation_of(bench, [*run_again[:-1], "--no-explain", program])
    if "before T" in silent:
        fail("--no-explain", expected="no orders", output=silent)
    for words, part in ([["explain"], "which file?"], [["explain", bench.folder / "none"], "none"],
                        [["explain", "--strategy", "dfs", "x"], "there is no such option"]):
        done = run([bench.bohr, *words])
        if done.status != 2 or part not in done.errors or len(done.errors.splitlines()) != 1:
            fail("wrong use", expected=f"one sentence with '{part}', exit status 2", output=done.text())


def check_points(bench):
    """The accesses that race are points where it is explained. Where they cannot be, that is said."""
    program = bench.build("before_points", BEFORE_POINTS)
    base = [bench.bohr, "run", "--no-progress", "-o", bench.folder / "points"]
    for points in ([], ["--points", "all"]):
        told, finding = explanation_of(bench, [*base, *points, program])
        orders = [order["text"] for order in finding["explanation"]["orders"]]
        if orders != ["T0 wrote late at line 19 before T1 read it at line 10"]:
            fail(f"the accesses that race {points}", expected="one order, of late", output=told)
        if finding["explanation"]["coarse"] or COARSE in " ".join(told.split()):
            fail(f"accesses that race are points {points}", expected=f"nothing of '{COARSE}'", output=told)
    for points in (["--points", "sync"], ["--no-shrink"]):
        told, finding = explanation_of(bench, [*base, *points, program])
        if not finding["explanation"]["coarse"] or COARSE not in " ".join(told.split()):
            fail(f"accesses that race are no points {points}", expected=COARSE, output=told)


def check_ends(bench):
    """That something came before the end of the program is named only where nothing else tells why it came."""
    for left, wanted in ((0, ["T1 wrote first at line 10 before T2 read it at line 16",
                              "T1 wrote second at line 11 before T2 read it at line 16"]),
                         (1, ["T1 read first at line 23 before T0 could end the program at line 27"])):
        program = bench.build(f"ends{left}", ENDS, [f"-DLEFT={left}"])
        command = [bench.bohr, "run", "--no-progress", "-s", "dfs", "-o", bench.folder / "ends", program]
        told, finding = explanation_of(bench, command)
        orders = [order["text"] for order in finding["explanation"]["orders"]]
        if orders != wanted or not finding["explanation"]["smallest"]:
            fail("orders with the end of the program", expected=wanted, actual=orders, output=told)


def check_all(bench):
    check(bench)
    check_points(bench)
    check_ends(bench)


bench_run(check_all)
