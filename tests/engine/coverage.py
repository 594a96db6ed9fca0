#!/usr/bin/env python3
"""What `bohr run --coverage` writes agrees with the counts of the result, row by row, and `bohr plot`
draws as many points as there are; what cannot be written or drawn is said in one sentence."""
import pathlib
import signal
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import (bench_run, command_end, command_start, fail, run, sentence_of,  # noqa: E402
                    shown, wait_until, workers_computed)

COLUMNS = "executions,classes,bound,seconds,waiting,waiting_bytes"
SVG = "{http://www.w3.org/2000/svg}"
LOCKS = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&mutex);
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
RACE = """
#include <pthread.h>
static int shared;
static void *work(void *unused)
{
    shared++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared++;
    pthread_join(thread, NULL);
    return 0;
}
"""


def rows_of(path):
    """Executions, classes, bound (None: none) and seconds (None: unknown) of each row."""
    lines = path.read_text().splitlines()
    if lines[0] != COLUMNS:
        fail("the first line", actual=lines[0])
    cells = [line.split(",") for line in lines[1:]]
    return [(int(executions), int(classes), int(bound) if bound else None,
             float(seconds) if seconds else None)
            for executions, classes, bound, seconds, _, _ in cells]


def waiting_of(path):
    """What waits and its bytes, of each row (None: unknown)."""
    return [tuple(int(cell) if cell else None for cell in line.split(",")[4:])
            for line in path.read_text().splitlines()[1:]]


def check_growth(title, rows, result, tenths=11):
    """Whatever the strategy: each row goes on from the one before, the last one has all. Points of
    several workers lie further apart."""
    for before, row in zip(rows, rows[1:]):
        if not (before[0] < row[0] <= max(before[0] + tenths - 10, before[0] * tenths // 10) and
                before[1] <= row[1] <= before[1] + row[0] - before[0] and before[3] <= row[3]):
            fail(f"{title}: a row after another", before=before, actual=row)
    if rows[0][:2] != (1, 1) or rows[-1][1] != result["classes"] or \
            rows[-1][3] > result["wall_seconds"] + 1e-6:
        fail(f"{title}: first and last row", first=rows[0], last=rows[-1],
             expected=f"1 execution of 1 class, then {result['classes']} classes in at most "
                      f"{result['wall_seconds']} s")


def at_bounds(result):
    executions = classes = 0
    table = []
    for row in result["per_bound"]:
        executions += row["executions"]
        classes += row["classes"]
        table.append((executions, classes, row["bound"]))
    return table


def last_of_bounds(rows):
    return [row[:3] for row, after in zip(rows, rows[1:] + [(0, 0, None, 0)]) if row[2] != after[2]]


def check_bounds(bench):
    program = bench.build("locks", LOCKS, ["-DTIMES=3"])
    path = bench.folder / "preempt.csv"
    curves = []
    for isolate in ("reset", "fork", "exec"):
        result = bench.explore(["-s", "preempt", "--isolate", isolate, "--coverage", path], program)
        rows = rows_of(path)
        check_growth(isolate, rows, result)
        if rows[-1][:2] != (156, 20) or last_of_bounds(rows) != at_bounds(result):
            fail(f"{isolate}: a row at the end of each bound, 156 executions and 20 classes",
                 expected=at_bounds(result), actual=last_of_bounds(rows))
        curves.append([row[:3] for row in rows])
    if curves[0] != curves[1] or curves[0] != curves[2]:
        fail("the curve depends on the isolation", reset=curves[0], fork=curves[1], exec=curves[2])
    print(f"ok   bounds: {len(rows)} rows, the same in three isolations")
    for options in (["-s", "preempt"], ["-s", "delay"]):
        for workers in ("2", "3"):
            check_workers(bench, program, [*options, "-j", workers])
    return path


def check_workers(bench, program, options):
    """Several workers: a class counts once, whichever worker saw it, and each bound ends with all of it."""
    title = " ".join(options)
    path = bench.folder / "several.csv"
    result = bench.explore([*options, "--coverage", path], program)
    rows = rows_of(path)
    check_growth(title, rows, result, tenths=13)
    if rows[-1][:2] != (156, 20) or last_of_bounds(rows) != at_bounds(result):
        fail(f"{title}: a row at the end of each bound, 156 executions and 20 classes",
             expected=at_bounds(result), actual=last_of_bounds(rows))
    print(f"ok   {title}: {len(rows)} rows")


def check_samples(bench):
    program = bench.build("more_locks", LOCKS, ["-DTIMES=5"])
    path = bench.folder / "a <sample> & more.csv"
    result = bench.explore(["-s", "random", "-n", "20000", "--coverage", path], program)
    rows = rows_of(path)
    check_growth("random", rows, result)
    # two threads of 5 critical sections: C(10, 5) orders
    if rows[-1][:3] != (20000, 252, None):
        fail("random: the last row", expected="20000 executions, 252 classes", actual=rows[-1])
    several = bench.folder / "several.csv"
    result = bench.explore(["-s", "random", "-n", "20000", "-j", "2", "--coverage", several],
                           program)
    rows_of_two = rows_of(several)
    check_growth("random -j 2", rows_of_two, result, tenths=13)
    if rows_of_two[-1][:3] != (20000, 252, None):
        fail("random -j 2: the last row", expected="20000 executions, 252 classes",
             actual=rows_of_two[-1])
    print(f"ok   samples: {len(rows)} rows")
    return path


def check_waiting(bench):
    """What waited when an execution began: what a search leaves that ends before it."""
    program = bench.folder / "more_locks"
    path = bench.folder / "waiting.csv"
    search = ["-s", "best", "--priority", "rand"]
    bench.explore([*search, "-n", "300", "--coverage", path], program)
    found = {row[0]: waiting for row, waiting in zip(rows_of(path), waiting_of(path))}
    for count in (1, 20, 150):
        left = bench.explore([*search, "-n", str(count)], program)["waiting"]
        if found[count + 1][0] != left or not 0 < found[count + 1][1] <= 1 << 20:
            fail(f"what waits after {count} executions", expected=f"{left}, and some bytes", actual=found[count + 1])
    (points,), labels = picture(bench, ["--of", "waiting"], [path], falls=True)
    if len(points) != len(found) or "executions that wait" not in labels:
        fail("plot --of waiting", expected=len(found), actual=len(points), labels=labels)
    waiting = [count for count, _ in found.values()]
    high, low = waiting.index(max(waiting)), waiting.index(min(waiting))
    scale = (points[low][1] - points[high][1]) / (waiting[high] - waiting[low])
    for (_, y), count in zip(points, waiting):
        if abs(points[low][1] - y - (count - waiting[low]) * scale) > 0.1 or scale < 0.01:
            fail("plot --of waiting: heights", expected=waiting, actual=points)
    _, labels = picture(bench, ["-y", "waiting_bytes", "-x", "seconds"], [path], falls=True)
    if "bytes for what waits" not in labels:
        fail("plot -y waiting_bytes", actual=labels)
    print(f"ok   what waits: {max(waiting for waiting, _ in found.values())} at most")


def check_restart(bench):
    """The curve is that of the last search, as the classes are."""
    program = bench.build("race", RACE)
    path = bench.folder / "race.csv"
    result = bench.explore(["-s", "dfs", "-k", "--coverage", path], program, status=1)
    rows = rows_of(path)
    check_growth("after a restart", rows, result)
    if result["restarts"] == 0 or rows[-1][0] >= result["executions"]:
        fail("after a restart: executions of the last search", actual=rows[-1],
             restarts=result["restarts"], executions=result["executions"])
    print(f"ok   restart: {rows[-1][0]} of {result['executions']} executions")


def check_interrupt(bench):
    program = bench.build("many_locks", LOCKS, ["-DTIMES=500"])
    path = bench.folder / "interrupted.csv"
    command, report = bench.command(["-s", "random", "--coverage", path], program)
    process = command_start(command)
    wait_until("a search under way", lambda: workers_computed(process, 0.3), process)
    if path.exists():
        fail("a coverage file before the search has ended", command=shown(command))
    process.send_signal(signal.SIGINT)
    result = bench.result(command_end(process, command), report, 130)
    rows = rows_of(path)
    check_growth("interrupted", rows, result)
    if rows[-1][0] != result["executions"]:
        fail("interrupted: the last row", expected=result["executions"], actual=rows[-1])
    print(f"ok   interrupted after {rows[-1][0]} executions")


def refuses(bench, title, arguments, *words):
    before = sorted(bench.folder.iterdir())
    command = [bench.bohr, *arguments]
    done = run(command, cwd=bench.folder)
    said = sentence_of(done.errors)
    if done.status != 2 or not all(word in said for word in words) or "\n" in said:
        fail(title, expected=f"status 2 and one sentence with {words}", actual=done.status,
             said=said, command=shown(command))
    if sorted(bench.folder.iterdir()) != before:
        fail(title, expected="no files made", command=shown(command),
             actual=[str(path) for path in bench.folder.iterdir() if path not in before])
    print(f"ok   {title}: {said.replace(str(bench.folder), '')}")


def check_refusals(bench):
    program = bench.folder / "locks"
    run_it = ["run", "-n", "3", "--coverage"]
    refuses(bench, "a coverage file in no folder", [*run_it, "none/c.csv", program], "none/c.csv",
            "no such file")
    refuses(bench, "a coverage file that is a folder", [*run_it, bench.folder, program], "folder")
    refuses(bench, "a full device", [*run_it, "/dev/full", program], "/dev/full", "no space")
    refuses(bench, "no name", [*run_it, "", program], "--coverage")
    result = bench.explore(["-n", "3", "--coverage", "/dev/full"], program, status=2)
    if result["executions"] != 3:
        fail("a full device: what was measured is kept", expected="3 executions in the result",
             actual=result["executions"])
    for name, text in (("empty", ""), ("other", "a,b\n1,2\n"),
                       ("words", COLUMNS + "\n1,x,,0,0,0\n"),
                       ("cut", COLUMNS + "\n1,1,,0,0,0\n2,1"),
                       ("falling", COLUMNS + "\n3,3,,0,0,0\n4,2,,0,0,0\n"),
                       ("nothing", COLUMNS + "\n")):
        bench.write(f"{name}.csv", text)
        refuses(bench, f"plot: {name}", ["plot", f"{name}.csv"], f"{name}.csv")
    refuses(bench, "plot: a missing file", ["plot", "missing.csv"], "missing.csv", "no such file")
    refuses(bench, "plot: no file", ["plot"], "which files")
    refuses(bench, "plot: an axis that is none", ["plot", "-x", "steps", "preempt.csv"], "steps")
    refuses(bench, "plot: a height that is none", ["plot", "--of", "steps", "preempt.csv"], "--of", "steps")
    refuses(bench, "plot: log of what", ["plot", "--log", "z", "preempt.csv"], "--log")
    refuses(bench, "plot: an option that is none", ["plot", "--blue", "preempt.csv"], "--blue")
    refuses(bench, "plot: no value", ["plot", "preempt.csv", "-o"], "-o")
    refuses(bench, "plot: a picture in no folder", ["plot", "preempt.csv", "-o", "none/p.svg"],
            "none/p.svg")
    refuses(bench, "plot: samples have no bound", ["plot", "-x", "bound", "race.csv"], "race.csv")


def points_of(line):
    return [tuple(map(float, pair.split(","))) for pair in line.get("points").split()]


def picture(bench, options, paths, falls=False):
    path = bench.folder / "picture.svg"
    bench.must([bench.bohr, "plot", *options, *paths, "-o", path])
    root = ElementTree.parse(path).getroot()
    names = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "name"]
    if names != [str(path)[:-len(".csv")] for path in paths]:
        fail("names in the legend", expected=paths, actual=names)
    lines = list(root.iter(f"{SVG}polyline"))
    if len({line.get("stroke") for line in lines}) != len(paths):
        fail("a colour for each curve", actual=[line.get("stroke") for line in lines])
    for line in lines:
        points = points_of(line)
        for (x, y), (later, higher) in zip(points, points[1:]):
            if later < x or (higher > y and not falls):
                fail("a curve that goes back or falls", actual=((x, y), (later, higher)))
    labels = [text.text for text in root.iter(f"{SVG}text")]
    return [points_of(line) for line in lines], labels


def check_pictures(bench, bounds, sample):
    paths = [bounds, sample]
    for options in ([], ["--log", "xy"], ["--along", "seconds"], ["-x", "seconds", "-l", "y"]):
        curves, labels = picture(bench, options, paths)
        wanted = [len(rows_of(path)) for path in paths]
        if [len(points) for points in curves] != wanted:
            fail(f"plot {options}: points", expected=wanted, actual=[len(c) for c in curves])
        axis = "seconds" if "seconds" in options else "executions"
        if axis not in labels or "classes" not in labels:
            fail(f"plot {options}: names of the axes", actual=labels)
    (points,), labels = picture(bench, ["-x", "bound"], [bounds])
    if len(points) != len(last_of_bounds(rows_of(bounds))) or "bound" not in labels:
        fail("plot: a point for each bound", expected=last_of_bounds(rows_of(bounds)),
             actual=points)
    # equal distances between bounds, heights in proportion to classes
    classes = [row[1] for row in last_of_bounds(rows_of(bounds))]
    across = points[1][0] - points[0][0]
    floor = (points[0][1] * classes[-1] - points[-1][1] * classes[0]) / (classes[-1] - classes[0])
    for number, (x, y) in enumerate(points):
        height = (floor - points[-1][1]) * classes[number] / classes[-1]
        if abs(x - points[0][0] - number * across) > 0.1 or abs(floor - y - height) > 0.1:
            fail("plot: where a point is", actual=points, classes=classes)
    done = bench.must([bench.bohr, "plot", bounds])
    ElementTree.fromstring(done.output.encode())
    print("ok   pictures")


def check(bench):
    bounds = check_bounds(bench)
    sample = check_samples(bench)
    check_waiting(bench)
    check_restart(bench)
    check_interrupt(bench)
    check_refusals(bench)
    check_pictures(bench, bounds, sample)


bench_run(check)
