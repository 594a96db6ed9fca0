"""bohr run --corpus DIR: schedules that found something or showed new classes are kept, bounded in number, and
tried first in the next run, also when the program was edited in between."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from engine import bench_run, fail, run, sentence_of, shown  # noqa: E402

CLASSES_KEPT = 32
SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 3;

static int look(void)
{
    pthread_mutex_lock(&lock);
    int now = stock;
    pthread_mutex_unlock(&lock);
    return now;
}

static void store(int now)
{
    pthread_mutex_lock(&lock);
    stock = now;
    pthread_mutex_unlock(&lock);
}

static void *buy(void *unused)
{
    store(look() - 1);
    return unused;
}

int main(void)
{
    pthread_t buyers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&buyers[i], NULL, buy, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(buyers[i], NULL);
    assert(stock == 0);
    return 0;
}
"""
FIXED = SOURCE.replace("    store(look() - 1);", "    pthread_mutex_lock(&lock);\n    stock--;\n"
                       "    pthread_mutex_unlock(&lock);")
EDITED = SOURCE.replace("static void store", "// puts it\n// back\nstatic void store").replace(
    "    store(look() - 1);", "    look();\n    store(look() - 1);")


def search(bench, source, status, *options, folder="corpus"):
    bench.write("shop.c", source)
    report = bench.folder / "shop.json"
    command = [bench.bohr, "run", "--no-progress", "--detect", "-untidy", "--corpus", folder, "--json", report,
               *options, "shop.c"]
    done = run(command, cwd=bench.folder)
    if done.status != status:
        fail("a search with a corpus", command=shown(command), expected=f"exit status {status}", actual=done.status,
             output=done.text())
    return json.loads(report.read_text()), re.sub(r"\s+", " ", done.output)


def files(bench, pattern, folder="corpus"):
    return sorted(path.name for path in (bench.folder / folder).glob(pattern))


def expect(title, wanted, got):
    if wanted != got:
        fail(title, expected=wanted, actual=got)


def findings_come_first(bench):
    result, said = search(bench, SOURCE, 1)
    expect("there is nothing to try at first", False, "of the corpus" in said)
    expect("a schedule is kept for the finding", 1, len(files(bench, "assertion-*.bohr")))
    kept = files(bench, "*.bohr")
    result, said = search(bench, SOURCE, 1)
    expect("it is tried first", ("assertion", 0, 1),
           (result["findings"][0]["kind"], result["executions"], result["first_bug"]))
    expect("this is said", True, "1 schedule of the corpus was tried first, in 1 execution: 1 finding showed" in said)
    expect("nothing is kept twice", kept, files(bench, "*.bohr"))
    result, said = search(bench, EDITED, 1)
    expect("after an edit it is mended", ("assertion", 0), (result["findings"][0]["kind"], result["executions"]))
    expect("the finding is still one", 1, len(files(bench, "assertion-*.bohr")))
    result, said = search(bench, FIXED, 0, "-s", "dfs")
    expect("the search follows if nothing shows", (True, "clean"), (result["complete"], result["verdict"]))
    expect("and says so", True, "nothing showed" in said)
    expect("what was fixed stays", 1, len(files(bench, "assertion-*.bohr")))
    result, said = search(bench, SOURCE, 1, "-k", "-s", "dfs")
    plain, _ = search(bench, SOURCE, 1, "-k", "-s", "dfs", folder="empty")
    expect("what is back is found, and the search is as it would be without",
           (plain["executions"], plain["classes"], plain["complete"], 1),
           (result["executions"], result["classes"], result["complete"], len(result["findings"])))


def classes_are_kept(bench):
    for seed in range(1, 5):
        result, said = search(bench, FIXED, 0, "-s", "random", "-n", "40", "--seed", seed, folder="classes")
        count = len(files(bench, "class-*.bohr", "classes"))
        if not 0 < count <= CLASSES_KEPT:
            fail("schedules of classes", expected=f"1 to {CLASSES_KEPT}", actual=count)
        if seed > 1 and "of the corpus were tried first" not in said:
            fail("schedules of classes", expected="they are tried first", actual=said)
    result, said = search(bench, SOURCE, 1, "-n", "1", "-s", "dfs", folder="classes")
    expect("a bug that an edit brings shows in what was kept for its class", ("assertion", 0),
           (result["findings"][0]["kind"], result["executions"]))


def bad_files(bench):
    before = files(bench, "*.bohr")
    bench.write("corpus/class-bad.bohr", "bohr-replay 2\nnothing more\n")
    bench.write("corpus/notes.txt", "none of ours")
    _, said = search(bench, FIXED, 0, "-s", "dfs")
    expect("a damaged file is told of", True, "1 could not be used (the replay file" in said)
    expect("others stay", set(before) - set(files(bench, "*.bohr")), set())
    bench.write("other.c", "int main(void) { return 0; }\n")
    done = run([bench.bohr, "run", "--no-progress", "--corpus", "corpus", "other.c"], cwd=bench.folder)
    expect("schedules of other programs are not tried", (0, True),
           (done.status, " 0 schedules of the corpus" in done.output))
    bench.write("file", "")
    for folder, words in (("file", "not a folder"), ("file/there", "not a folder")):
        done = run([bench.bohr, "run", "--no-progress", "--corpus", folder, "other.c"], cwd=bench.folder)
        said = sentence_of(done.errors)
        if done.status != 2 or "--corpus" not in said or words not in said or "\n" in said:
            fail("a folder that is none", expected=f"exit status 2, {words}", actual=done.status, said=said)


def check(bench):
    findings_come_first(bench)
    classes_are_kept(bench)
    bad_files(bench)


bench_run(check)
