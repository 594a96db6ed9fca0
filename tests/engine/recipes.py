#!/usr/bin/env python3
"""The recipes of CONTRIBUTING.md work: each is carried out on a copy of the sources, built, and shown by a program.

A recipe is the files that it adds and the rows or lines that it puts into files that are there. Their numbers are those that
CONTRIBUTING.md gives. Only what depends on a changed file is compiled: the rest comes from the build under test. `test` takes
the recipes that change little; `all` takes all of them, which compiles most of the tree again."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, skip  # noqa: E402

STRATEGY = r"""/* At every step the last alternative. */
#include "strategy/sampling/sampler.h"

static void last_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    sampler_open(state, options, journal);
}

static bool last_plan(void *state, struct schedule *next)
{
    return sampler_plan(state, next);
}

static struct decision last_choose(struct pilot *pilot, const struct choice_point *at)
{
    return decision_nth(at, at->alternatives - 1);
}

static void last_learn(void *state, const struct trace *trace) {}

static struct progress last_progress(const void *state)
{
    return sampler_progress();
}

const struct strategy strategy_last = {
    .name = "last",
    .summary = "the last alternative at every step",
    .state_size = sizeof(struct sampler),
    .open = last_open,
    .plan = last_plan,
    .choose = last_choose,
    .learn = last_learn,
    .progress = last_progress,
};
"""
DETECTOR = r"""/* Programs that take more than two mutexes. */
#include "detector/detector.h"

static void count(void *state, const struct scene *scene)
{
    const struct step *step = &scene->trace->steps[scene->trace->count - 1];
    *(uint32_t *)state += step->op.kind == OP_MUTEX_LOCK;
}

static void judge(void *state, const struct scene *scene)
{
    uint32_t locks = *(uint32_t *)state;
    if (locks > 2)
        scene->report(DETECT_MANY_LOCKS, FINDING_MISUSE, "a mutex is locked more than twice",
                      scene->trace->steps[scene->trace->count - 1].op.site, 0);
}

const struct detector detector_many_locks = {
    .word = "many-locks",
    .summary = "more than two calls of pthread_mutex_lock",
    .state_size = sizeof(uint32_t),
    .on_step = count,
    .at_end = judge,
};
"""
REPORT = r"""/* The number of findings, and nothing else. */
#include "report/report.h"

static void number_write(const struct verdict *verdict, const struct report_style *style,
                         FILE *file)
{
    fprintf(file, "findings: %u\n", verdict->finding_count);
}

const struct report report_number = {
    .name = "number",
    .summary = "the number of findings",
    .write = number_write,
};
"""
FUNCTION = r"""/* pthread_setconcurrency: a level that all threads share. */
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"

int concurrency_set(int level, uintptr_t site);

int concurrency_set(int level, uintptr_t site)
{
    static const char here;
    announce_on(OP_CONCURRENCY, object_number(&here), site);
    step_touch(object_number(&here), OP_ACCESS_WRITE);
    return level == 7 ? EAGAIN : 0;
}
"""
OPERATION = """OP(CONCURRENCY, WORDS("set-level", "set the level of", "set the level of", "", OBJECT),
   DEPENDS(WRITE, NONE, OBJECT, NOTHING, NONE),
   RUNS(NEVER, NOTHING, UNKNOWN, NEVER, NONE, NO, NO, NO),
   LOOPS(LASTS, LASTS, LASTS, BOTH, NO), STATES(YES, YES, NO, YES),
   SEARCH(NONE, NONE, OTHER, YES, YES, NOTHING))
"""
# name: (files that are added, {file: (a line that begins so, lines behind it)}), in this order
RECIPES = {
    "strategy": ({"src/strategy/sampling/last.c": STRATEGY},
                 {"src/strategy/strategies.def": ("STRATEGY(random)", "STRATEGY(last)\n")}),
    "report": ({"src/report/number.c": REPORT},
               {"src/report/reports.def": ("TO_FILE(tap", 'TO_FILE(number, "how many findings there are")\n')}),
    "detector": ({"src/detector/many_locks.c": DETECTOR},
                 {"src/detector/detectors.def": ("DETECTOR(ATOMICITY", "DETECTOR(MANY_LOCKS, detector_many_locks)\n")}),
    "operation": ({}, {"src/core/op.def": ("OP(BARRIER_ARRIVE", OPERATION)}),
    "function": ({"src/runtime/sync/concurrency.c": FUNCTION.replace("#include", "#include <errno.h>\n\n#include", 1)},
                 {"src/runtime/interpose/interpose.def":
                      ("/* Spin locks */", "VISIBLE(int, pthread_setconcurrency, (int level), (level),\n"
                                           "        ({ int concurrency_set(int, uintptr_t); concurrency_set(level, site); }))\n"),
                  "src/runtime/time/safety.def": ("UNSAFE(pthread_rwlock_wrlock", "UNSAFE(pthread_setconcurrency)\n")}),
    "option": ({}, {
        "src/core/options.h": ("    uint8_t cache; ", "    uint32_t began; /* --began: seconds on the clocks when the program begins */\n"),
        "src/cli/option_table.c": ('    {NULL, "--seed"', None),
        "src/coordinator/record/replay_text.c": ('    fprintf(file, "points', '    fprintf(file, "began %" PRIu32 "\\n", options->began);\n'),
        "src/coordinator/record/replay_parse.c": ('    {"seed", read_seed', None),
        "src/runtime/engine/thread_life.c": ("    ex.clock.time = ex.clock.cpu_time = 0;", "    ex.clock.time = rt.options->began * 1000000000ul;\n"),
    }),
}
FUNCTIONS = {  # the function that reads a value, in front of the table
    "src/cli/option_table.c": ("const struct option option_table[]", """static bool parse_began(struct settings *out, const char *value, const char *name,
                        struct problem *why)
{
    uint64_t seconds;
    if (!value_number(value, 0, UINT32_MAX, &seconds, name, why))
        return false;
    out->options.began = (uint32_t)seconds;
    return true;
}

""", '    {NULL, "--began", "N", RUN, parse_began, "seconds on the clocks at the beginning (0)"},\n'),
    "src/coordinator/record/replay_parse.c": ("static bool read_spurious", """static bool read_began(struct reader *reader, const char *value)
{
    uint64_t seconds = strtoul(value, NULL, 10);
    reader->out->options.began = (uint32_t)seconds;
    return true;
}

""", '    {"began", read_began, true},\n'),
}
PLACES = {"strategy": (1, 1), "report": (1, 1), "detector": (1, 1), "operation": (0, 1), "function": (1, 2), "option": (0, 5)}
PROGRAM = r"""
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    struct timespec now;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec < 1000000);
#ifdef LEVEL
    assert(pthread_setconcurrency(7) == 0);
#endif
}
"""


class Copy:
    """A copy of the sources, and of the build under test without what does not depend on the compiler."""

    def __init__(self, bench):
        self.build = bench.bohr.resolve().parent.parent
        self.folder = bench.folder / "tree"
        self.objects = bench.folder / "objects"
        self.changed, self.added = set(), set()
        self.objects.mkdir()
        for name in ("src", "include"):
            shutil.copytree(ROOT / name, self.folder / name)

    def begin(self, path, line, lines):
        file = self.folder / path
        text = file.read_text()
        at = re.search(rf"^{re.escape(line)}.*\n", text, re.M)
        if not at:
            fail(path, expected=f"a line that begins '{line}'", actual="none")
        return file, text, at, lines

    def insert(self, path, line, lines, before=False):
        file, text, at, lines = self.begin(path, line, lines)
        place = at.start() if before else at.end()
        file.write_text(text[:place] + lines + text[place:])
        self.changed.add(path)

    def carry_out(self, name):
        files, rows = RECIPES[name]
        for path, text in files.items():
            if (self.folder / path).exists():
                fail(name, expected=f"{path} is new", actual="it exists")
            (self.folder / path).write_text(text)
            self.added.add(path)
        for path, (line, lines) in rows.items():
            if lines is None:
                line_of_function, function, row = FUNCTIONS[path]
                self.insert(path, line_of_function, function, before=True)
                self.insert(path, line, row)
            else:
                self.insert(path, line, lines, before=path.endswith("op.def"))

    def dependent(self):
        """Objects that were made from a file that is changed now."""
        text = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
        changed = {str(ROOT / path) for path in self.changed}
        for block in text.split("\n\n"):
            name, *paths = block.splitlines() or [""]
            if name.startswith("src/") and any(str((self.build / path.strip()).resolve()) in changed for path in paths):
                yield name.split(":")[0]

    def compile(self):
        commands = {entry["output"] if "output" in entry else re.search(r"-o (\S+)", entry["command"]).group(1): entry["command"]
                    for entry in json.loads((self.build / "compile_commands.json").read_text())}
        wanted = {}
        for name in self.dependent():
            wanted[name] = commands[name]
        for path in self.added:
            folder = str(pathlib.Path(path).parent.relative_to("src"))
            for target in ("modules", "runtime"):
                pattern = re.compile(rf"src/CMakeFiles/{target}\.dir/{re.escape(folder)}/(\w+)\.c\.o$")
                like = next((name for name in sorted(commands) if pattern.match(name)), None)
                if like:
                    stem, new = pattern.match(like).group(1), pathlib.Path(path).stem
                    wanted[like.replace(f"/{stem}.c.o", f"/{new}.c.o")] = re.sub(rf"\b{stem}\.c\b", f"{new}.c", commands[like])
        made = {}
        for name, command in wanted.items():
            made[name] = self.objects / name.replace("/", "_")

        def one(name):
            command = wanted[name].replace(f"{ROOT}/src", f"{self.folder}/src").replace(f"{ROOT}/include", f"{self.folder}/include")
            words = [word for word in shlex.split(command) if not word.startswith("-M")]
            words[words.index("-o") + 1] = str(made[name])
            return subprocess.run(words, cwd=self.build, capture_output=True, text=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, done in zip(wanted, pool.map(one, wanted)):
                if done.returncode != 0 or "warning:" in done.stderr:
                    fail(f"compiling {name}", expected="no error and no warning", actual=done.stderr)
        self.link(made)
        return len(made)

    def link(self, made):
        for folder in ("bin", "lib", "include"):
            shutil.copytree(self.build / folder, self.folder / "build" / folder, symlinks=True)
        for output in ("bin/bohr", "lib/bohr/libtsan.so.2"):
            text = subprocess.run(["ninja", "-C", self.build, "-t", "commands", output], capture_output=True, text=True, check=True).stdout
            command = next(line for line in text.splitlines() if f"-o {output} " in line)
            words = shlex.split(re.sub(r"^: && | && .*$", "", command))
            target = "modules" if output == "bin/bohr" else "runtime"
            words[words.index("-o") + 1] = str(self.folder / "build" / output)
            mine = {name: path for name, path in made.items() if f"/{target}.dir/" in name or f"/bohr.dir/" in name}
            words = [str(mine.pop(word)) if word in mine else word for word in words]
            where = words.index("src/libmodules.a") if "src/libmodules.a" in words else words.index("-o")
            words[where:where] = [str(path) for name, path in mine.items() if f"/{target}.dir/" in name]
            done = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
            if done.returncode != 0:
                fail(f"linking {output}", expected="no error", actual=done.stderr)
        return self.folder / "build" / "bin" / "bohr"


def shows(bench, bohr, program, name):
    """Runs a program that shows that the new thing works, and does not without it."""
    def run_bohr(*words, result=None):
        done = subprocess.run([bohr, "run", "--no-progress", "-o", bench.folder / "out", *words], capture_output=True, text=True,
                              cwd=bench.folder)
        return done.returncode, done.stdout + done.stderr

    def expect(what, good, seen):
        if not good:
            fail(f"recipe: {name}", expected=what, actual=seen)
    usual = ("-s", "dfs", "-n", "20")
    if name == "strategy":
        status, text = run_bohr("-s", "last", "-n", "3", program)
        expect("three executions", status == 0 and "3 executions" in text, text)
        expect("a row", "last " in subprocess.run([bohr, "list", "strategies"], capture_output=True, text=True).stdout, "none")
    elif name == "report":
        status, text = run_bohr(*usual, "--number", "-", program)
        expect("findings: 0", status == 0 and "findings: 0" in text, text)
    elif name == "detector":
        expect("nothing without it", run_bohr(*usual, program)[0] == 0, "a finding")
        status, text = run_bohr(*usual, "--detect", "many-locks", program)
        expect("its finding", status == 1 and "a mutex is locked more than twice" in text, text)
    elif name in ("function", "operation"):
        status, text = run_bohr(*usual, "--full", f"{program}-level")
        expect("the model's result, and its step", status == 1 and "set-level" in text, text)
    else:
        status, text = run_bohr(*usual, "--began", "2000000", program)
        expect("an assertion", status == 1 and "tv_sec" in text, text)
        replay = next((bench.folder / "out").glob("assertion-*.bohr"))
        done = subprocess.run([bohr, "replay", replay], capture_output=True, text=True, cwd=bench.folder)
        expect("the same without the option", done.returncode == 1 and "tv_sec" in done.stdout, done.stdout + done.stderr)


def promised():
    """What CONTRIBUTING.md says of each recipe: files and rows."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    found = re.findall(r"^\d+\. \*\*(?:[Aa]n? )?(\w+)\*\*[^(]*\((no|one|two) files?, (\w+) (?:rows?|places?)\)", text, re.M)
    numbers = {"no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
    return {name: (numbers[files], numbers[rows]) for name, files, rows in found}


def check(bench):
    counted = {name: (len(files), len(rows)) for name, (files, rows) in RECIPES.items()}
    if counted != PLACES or promised() != counted:
        fail("CONTRIBUTING.md", expected=counted, actual=promised())
    if not shutil.which("ninja") or not (bench.bohr.resolve().parent.parent / "compile_commands.json").exists():
        skip("the build was not made by ninja")
    names = list(RECIPES) if tier.ALL else ["strategy", "report"]
    copy = Copy(bench)
    for name in names:
        copy.carry_out(name)
    compiled = copy.compile()
    bohr = copy.folder / "build" / "bin" / "bohr"
    source = bench.folder / "program.c"
    source.write_text(PROGRAM)
    program = bench.folder / "program"
    bench.must([bohr, "cc", "-o", program, source])
    bench.must([bohr, "cc", "-DLEVEL", "-o", f"{program}-level", source])
    for name in names:
        shows(bench, bohr, program, name)
        print(f"ok   {name}: {counted[name][0]} files, {counted[name][1]} rows")
    print(f"ok   {compiled} objects compiled")


bench_run(check)
