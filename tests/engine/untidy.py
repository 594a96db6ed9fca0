#!/usr/bin/env python3
"""What is left behind at the end is said by default: in one line for each kind of object, behind all else, and it
changes neither the verdict nor what else is found."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run  # noqa: E402

MANY = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutexes[3];
static pthread_cond_t cond;
static sem_t semaphore;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_unlock(&mutexes[0]);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    pthread_mutex_init(&mutexes[0], NULL);
    pthread_mutex_init(&mutexes[1], NULL);
    pthread_mutex_init(&mutexes[2], NULL);
    pthread_cond_init(&cond, NULL);
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(count == 1);
    return 0;
}
"""

# The place is one of an error in one execution, and of a warning in others.
BOTH = """
#include <bohr.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    for (int times = bohr_choose(2); times >= 0; times--)
        pthread_mutex_init(&mutex, NULL);
    return 0;
}
"""


def lines_of(bench, options, program, arguments=()):
    done = run([bench.bohr, "run", "--no-progress", "-s", "dfs", "-o", bench.folder / "out", *options, program,
                *arguments])
    return done, [line for line in done.text().splitlines() if line.startswith("warning")]


def expect(title, condition, done):
    if not condition:
        fail(title, output=done.text())


def check(bench):
    many, both = bench.build("many", MANY), bench.build("both", BOTH)
    done, lines = lines_of(bench, [], many)
    expect("a line for each kind of object, and exit status 0",
           done.status == 0 and len(lines) == 2, done)
    mutexes = [line for line in lines if "a mutex is never destroyed" in line]
    expect("three mutexes in one line", len(mutexes) == 1 and mutexes[0].endswith("and at 2 other places") and
           "many.c:" in mutexes[0] and "(main)" in mutexes[0], done)
    expect("no schedule of what needs none", "run it again" not in done.text(), done)
    expect("four warnings in the summary", "nothing wrong found, 4 warnings" in done.text(), done)
    for options in (["--detect", "-untidy"], ["-q"]):
        done, lines = lines_of(bench, options, many)
        expect(f"nothing of it with {' '.join(options)}", done.status == 0 and not lines, done)
    done, lines = lines_of(bench, ["-v"], many)
    expect("all of it with -v", len(lines) == 4 and done.text().count("run it again") == 4, done)
    done, lines = lines_of(bench, [], many, ["fails"])
    expect("an execution that ends early leaves nothing behind", done.status == 1 and not lines, done)
    result = bench.explore(["-s", "dfs", "-k", "--detect", "untidy"], both, status=1)
    severities = sorted(finding["severity"] for finding in result["findings"])
    if severities != ["error", "warning"]:
        fail("an error and a warning of one place", expected="one of each", actual=result["findings"])


bench_run(check)
