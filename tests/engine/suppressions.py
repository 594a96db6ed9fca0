#!/usr/bin/env python3
"""What a suppression matches does not count: the search is the one without it, also where the finding
would have stopped it. A line that is not understood is named, with what is allowed."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, sentence_of  # noqa: E402

SOURCE = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int counter, other, late;
static void count(void) { counter++; }
static void *forwards(void *unused)
{
    count();
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    late = 1;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}
static void backwards(void)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    other = late;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forwards, NULL);
    count();
    backwards();
    pthread_join(thread, NULL);
    assert(!WANTED || other == 0);
    return 0;
}
"""


def kinds(result):
    return sorted({finding["kind"] for finding in result["findings"]})


def expect(title, bench, program, rules, status, wanted):
    path = bench.write("rules", rules)
    result = bench.explore(["-s", "dfs", "-k", "--suppressions", path], program, status=status)
    if kinds(result) != wanted:
        fail(title, expected=wanted, actual=kinds(result), rules=rules)
    print(f"ok   {title}: {result['executions']} executions")
    return result


def check_search(bench):
    program = bench.build("program", SOURCE, ["-DWANTED=0"])
    plain = expect("without rules that match", bench, program, "# nothing\nrace:no_such\n", 1,
                   ["deadlock", "race"])
    race = expect("a function", bench, program, "race:^count$\n", 1, ["deadlock"])
    if race["buggy"] != plain["buggy"] or race["restarts"] != plain["restarts"]:
        fail("a suppressed race is a scheduling point all the same", plain=plain["buggy"],
             suppressed=race["buggy"])
    expect("a variable", bench, program, "race:counter\n", 1, ["deadlock"])
    expect("a file", bench, program, "race:program.c\n", 1, ["deadlock"])
    both = expect("both", bench, program, "race_top:count\ndeadlock:back*s\n", 0, [])
    if both["verdict"] != "clean" or not both["complete"]:
        fail("all is suppressed", expected="clean and complete", actual=both["verdict"])


def check_stop(bench):
    """The deadlock would stop the search before the assertion fails."""
    program = bench.build("stops", SOURCE, ["-DWANTED=1"])
    path = bench.write("rules", "deadlock:backwards\nrace:*\n")
    result = bench.explore(["-s", "dfs", "--suppressions", path], program, status=1)
    if kinds(result) != ["assertion"]:
        fail("the search goes on past what is suppressed", expected=["assertion"],
             actual=kinds(result))
    print(f"ok   the search goes on: the assertion fails in execution {result['first_bug']}")


LIBRARY = """
int in_library;
void library_counts(void) { in_library++; }
"""
CALLER = """
#include <pthread.h>
void library_counts(void);
static int in_program;
static void *work(void *unused)
{
    library_counts();
    in_program++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""


def objects(result):
    return sorted({finding["object"] for finding in result["findings"]})


def check_library(bench):
    """What happens in a library of that name does not count, what happens elsewhere does."""
    for compiler in ("gcc", "clang"):
        folder = bench.folder
        environment = dict(os.environ, BOHR_CC=compiler)
        source, caller = bench.write("count.c", LIBRARY), bench.write("calls.c", CALLER)
        library, program = folder / "libcount.so.1", folder / "calls"
        bench.must([bench.bohr, "cc", "-g", "-shared", "-fPIC", "-o", library, source], env=environment)
        bench.must([bench.bohr, "cc", "-g", "-o", program, caller, library, f"-Wl,-rpath,{folder}"],
                   env=environment)
        for rules, wanted in (("race:no_such\n", ["in_library", "in_program"]),
                              ("called_from_lib:libcount\n", ["in_program"]),
                              ("called_from_lib:libcounter\n", ["in_library", "in_program"])):
            path = bench.write("rules", rules)
            result = bench.explore(["-s", "dfs", "-k", "--suppressions", path], program, status=1)
            if objects(result) != wanted:
                fail("a library", expected=wanted, actual=objects(result), rules=rules, compiler=compiler)
    print("ok   a library, built by gcc and by clang")


def check_refusals(bench):
    program = bench.build("refused", SOURCE, ["-DWANTED=0"])
    for rules, words in (("race:a\nrice:b\n", ("line 2", "rice:b", "race:", "called_from_lib:")),
                         ("race\n", ("line 1",)), ("race:\n", ("line 1",))):
        path = bench.write("wrong", rules)
        done = run([bench.bohr, "run", "--suppressions", path, program])
        said = sentence_of(done.errors)
        if done.status != 2 or not all(word in said for word in words):
            fail("a wrong line is named", expected=words, actual=f"exit status {done.status}: {said}")
    done = run([bench.bohr, "run", "--suppressions", bench.folder / "missing", program])
    if done.status != 2 or "missing" not in sentence_of(done.errors):
        fail("a missing file", expected="exit status 2", actual=done.text())
    print("ok   wrong lines and files are named")


def main(bench):
    check_search(bench)
    check_stop(bench)
    check_library(bench)
    check_refusals(bench)


bench_run(main)
