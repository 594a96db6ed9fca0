#!/usr/bin/env python3
"""JUnit XML, SARIF, TAP and annotations say what the JSON result says, in the form that their readers take;
a baseline leaves only what is new; docs/reports.md shows what is written today (BOHR_UPDATE_DOCS=1 rewrites
it)."""
import json
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import sarif  # noqa: E402
from engine import bench_run, fail, run, sentence_of, shown  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "reports.md"
TWO = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, ready;
static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    int seen = count;
    pthread_mutex_unlock(&mutex);
    EXTRA
    pthread_mutex_lock(&mutex);
    count = seen + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    MORE
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
    return 0;
}
"""
STRANGE = """
#include <assert.h>
#include <stdio.h>
int main(void)
{
    assert(!"a \\xe9 % :: , # <b> & ]]> \\001 \\n two");
}
"""
EXECUTIONS_MAX = 100000
KINDS = ["examples/lost_update.c", "examples/lock_order.c", "examples/reference_count.c", "corpus/lost_wakeup.c",
         "corpus/mcs_lock.c"]


def source(extra="", more=""):
    return TWO.replace("EXTRA", extra).replace("MORE", more)


def all_formats(bench, name, program, options=(), status=1):
    paths = {kind: bench.folder / f"{name}.{kind}" for kind in ("junit", "sarif", "tap", "annotations")}
    asked = [word for kind, path in paths.items() for word in (f"--{kind}", path)]
    result = bench.explore([*asked, *options], program, status=status)
    return result, {kind: path.read_bytes().decode("utf-8") for kind, path in paths.items()}


def counting(result):
    return [finding for finding in result["findings"] if finding["severity"] == "error" and not finding["known"]]


def check_junit(title, result, text):
    root = ElementTree.fromstring(text.encode())
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    failures = [case.find("failure") for case in cases if case.find("failure") is not None]
    if len(cases) != len(result["findings"]) + 1 or int(suite.get("tests")) != len(cases):
        fail(f"{title}: a case for each finding and the search", actual=text)
    if [failure.get("type") for failure in failures] != [finding["kind"] for finding in counting(result)] or \
            int(suite.get("failures")) != len(failures):
        fail(f"{title}: a failure for each finding that counts", actual=text)
    for failure, finding in zip(failures, counting(result)):
        if finding["replay"] not in failure.text:
            fail(f"{title}: a failure says how to run it again", actual=failure.text)


def check_tap(title, result, text):
    lines = text.splitlines()
    points = [line for line in lines if re.match(r"(not )?ok \d+ - ", line)]
    if lines[0] != "TAP version 14" or lines[1] != f"1..{len(result['findings']) + 1}":
        fail(f"{title}: how TAP begins", actual=lines[:2])
    if [int(re.search(r"ok (\d+)", line).group(1)) for line in points] != list(range(1, len(result["findings"]) + 2)):
        fail(f"{title}: numbered lines", actual=points)
    if sum(line.startswith("not ok") for line in points) != len(counting(result)):
        fail(f"{title}: a line that is not ok for each finding that counts", actual=points)
    inside = False
    for line in lines[2:]:
        if line in ("  ---", "  ..."):
            inside = line == "  ---"
        elif inside != line.startswith("  ") and line != "":
            fail(f"{title}: what belongs to a line is indented behind it", actual=line)


def unescaped(text):
    return re.sub("%(0A|0D|25|3A|2C)", lambda found: chr(int(found.group(1), 16)), text)


def check_annotations(title, result, text):
    lines = text.splitlines()
    if len(lines) != len(result["findings"]):
        fail(f"{title}: an annotation for each finding", actual=lines)
    for line, finding in zip(lines, result["findings"]):
        found = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        if found is None:
            fail(f"{title}: an annotation", actual=line)
        properties = dict(part.split("=", 1) for part in found.group(2).split(","))
        if unescaped(properties.get("file", "")) != (finding["file"] or "") or \
                properties.get("line", "None") != str(finding["line"]):
            fail(f"{title}: its place", expected=(finding["file"], finding["line"]), actual=properties)
        if finding["replay"] not in unescaped(found.group(3)):
            fail(f"{title}: how to run it again", actual=found.group(3))


def check_sarif(title, result, text):
    log = json.loads(text)
    problem = sarif.wrong(log)
    if problem is not None:
        fail(f"{title}: SARIF", wrong=problem)
    results = log["runs"][0]["results"]
    if [one["ruleId"] for one in results] != [finding["kind"] for finding in result["findings"]]:
        fail(f"{title}: a result for each finding", actual=[one["ruleId"] for one in results])
    for one, finding in zip(results, result["findings"]):
        if one["partialFingerprints"] != {"bohr/v1": finding["fingerprint"]}:
            fail(f"{title}: the fingerprint is that of JSON", actual=one["partialFingerprints"])
        flows = [flow for code in one["codeFlows"] for flow in code["threadFlows"]]
        ids = [flow["id"] for flow in flows]
        orders = sorted(place["executionOrder"] for flow in flows for place in flow["locations"]
                        if "waits forever" not in place["location"]["message"]["text"])
        if len(set(ids)) != len(ids) or orders != list(range(finding["steps"])):
            fail(f"{title}: a flow for each thread, all steps in order", steps=finding["steps"], threads=ids, actual=orders)


def formats(bench):
    for name in KINDS:
        title = pathlib.Path(name).stem
        result, texts = all_formats(bench, title, ROOT / name, ["-s", "preempt", "-n", EXECUTIONS_MAX])
        check_junit(title, result, texts["junit"])
        check_tap(title, result, texts["tap"])
        check_annotations(title, result, texts["annotations"])
        check_sarif(title, result, texts["sarif"])
        print(f"ok   {title}: {len(result['findings'])} findings in all formats")
    strange = bench.build("strange", STRANGE)
    result, texts = all_formats(bench, "strange", strange, ["-s", "dfs"])
    check_junit("strange text", result, texts["junit"])
    check_tap("strange text", result, texts["tap"])
    check_annotations("strange text", result, texts["annotations"])
    check_sarif("strange text", result, texts["sarif"])
    print("ok   text with marks of all formats in it")
    clean, texts = all_formats(bench, "clean", bench.build("clean", "int main(void) { return 0; }"), ["-s", "dfs"], 0)
    check_junit("clean", clean, texts["junit"])
    check_tap("clean", clean, texts["tap"])
    check_sarif("clean", clean, texts["sarif"])
    if texts["annotations"] != "":
        fail("clean: no annotations", actual=texts["annotations"])


def schema_can_fail():
    """Of each required property: a log without it is refused."""
    def log():
        return {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "rules": [{"id": "race"}]}}, "results": [
            {"message": {"text": "x"}, "ruleId": "race", "ruleIndex": 0,
             "codeFlows": [{"threadFlows": [{"locations": [{"executionOrder": 0}]}]}]}]}]}
    changes = [lambda one: one.pop("version"), lambda one: one["runs"][0].pop("tool"),
               lambda one: one["runs"][0]["results"][0].pop("message"),
               lambda one: one["runs"][0]["results"][0].update(level="fatal"),
               lambda one: one["runs"][0]["results"][0].update(colour="red"),
               lambda one: one["runs"][0]["results"][0]["codeFlows"][0].update(threadFlows=[]),
               lambda one: one["runs"][0]["tool"]["driver"]["rules"][0].update(id="other")]
    if sarif.wrong(log()) is not None:
        fail("a log that is right", wrong=sarif.wrong(log()))
    for number, change in enumerate(changes):
        one = log()
        change(one)
        if sarif.wrong(one) is None:
            fail("a log that is wrong", change=number)
    print(f"ok   {len(changes)} wrong logs are refused")


def github(bench):
    program = ROOT / "examples/lock_order.c"
    command = [bench.bohr, "run", "-s", "preempt", "-o", bench.folder / "github", program]
    for value, wanted in (("true", 1), ("false", 0)):
        done = run(command, env=dict(os.environ, GITHUB_ACTIONS=value))
        if len(re.findall(r"^::error ", done.output, re.M)) != wanted:
            fail(f"annotations with GITHUB_ACTIONS={value}", expected=wanted, actual=done.output)
    print("ok   annotations come by themselves on GitHub")


def baseline(bench):
    old = bench.build("old", source())
    options = ["-s", "preempt", "-b", "2"]
    log = bench.folder / "old.sarif"
    result = bench.explore([*options, "--sarif", log], old, status=1)
    report = bench.folder / "old.json"
    report.write_text(json.dumps(result))
    edited = bench.build("edited", "/* a line\n * and another */\n" + source("int unused_here = 7; (void)unused_here;"))
    for known in (log, report):
        again = bench.explore([*options, "--baseline", known], edited, status=0)
        if [finding["known"] for finding in again["findings"]] != [True] * len(result["findings"]) or again["verdict"] != "clean":
            fail("a finding after an edit is the known one", actual=again["findings"])
    new = bench.build("new", source(more="ready = 1; assert(ready == 1); int seen_first = count; assert(seen_first == 0);"))
    fresh, texts = all_formats(bench, "new", new, [*options, "--baseline", log], 1)
    kinds = sorted((finding["kind"], finding["message"], finding["known"]) for finding in fresh["findings"])
    if ("assertion", "count == 2", True) not in kinds or not any(kind[0] == "assertion" and not kind[2] for kind in kinds):
        fail("what is known is known, what is new is new", actual=kinds)
    check_junit("baseline", fresh, texts["junit"])
    check_tap("baseline", fresh, texts["tap"])
    check_sarif("baseline", fresh, texts["sarif"])
    states = [one["baselineState"] for one in json.loads(texts["sarif"])["runs"][0]["results"]]
    if states != ["unchanged" if finding["known"] else "new" for finding in fresh["findings"]]:
        fail("baselineState", actual=states)
    print(f"ok   baseline: {states.count('unchanged')} known, {states.count('new')} new")
    for title, text in (("no JSON", "x"), ("another JSON", "{}"), ("SARIF of another tool", '{"runs": [{"results": [{}]}]}')):
        refuses(bench, title, bench.write("bad.json", text), old, "bad.json")
    refuses(bench, "a missing baseline", bench.folder / "none.json", old, "none.json", "no such file")


def refuses(bench, title, known, program, *words):
    command = [bench.bohr, "run", "-o", bench.folder / "unused", "--baseline", known, program]
    done = run(command)
    said = sentence_of(done.errors)
    if done.status != 2 or "\n" in said or done.output or not all(word in said for word in words):
        fail(f"a baseline that is {title}", expected=f"status 2 and a sentence with {words}", actual=done.status,
             said=said, output=done.output, command=shown(command))
    print(f"ok   {title}: {said.replace(str(bench.folder), '')}")


def excerpt(kind, text):
    """What the page shows of a format: SARIF without most of the steps, nothing that changes from run to run."""
    if kind == "sarif":
        result = json.loads(text)["runs"][0]["results"][0]
        flows = result["codeFlows"][0]["threadFlows"]
        for flow in flows:
            flow["locations"] = flow["locations"][:1]
        result["codeFlows"][0]["threadFlows"] = flows[1:2]
        text = json.dumps(result, indent=2, ensure_ascii=False)
    return re.sub(r'time="[\d.]+"', 'time="0.010"', text.strip())


def page(bench):
    shutil.copytree(ROOT / "examples", bench.folder / "examples")
    text = PAGE.read_text()
    for kind in ("junit", "sarif", "tap", "annotations"):
        done = run([bench.bohr, "run", "-s", "preempt", "--detect", "-untidy", f"--{kind}", "-", "examples/lock_order.c"],
                   cwd=bench.folder)
        shown_there = re.search(rf"<!-- {kind} -->\n```\n(.*?)\n```\n", text, re.S)
        wanted = excerpt(kind, done.output)
        if os.environ.get("BOHR_UPDATE_DOCS"):
            text = text[:shown_there.start(1)] + wanted + text[shown_there.end(1):]
        elif shown_there.group(1) != wanted:
            fail(f"docs/reports.md: {kind}", expected=wanted, actual=shown_there.group(1),
                 again="make golden rewrites it")
    if os.environ.get("BOHR_UPDATE_DOCS"):
        PAGE.write_text(text)
    print("ok   docs/reports.md shows what is written")


LONG = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int begun, seen, turns;
static void *look(void *unused)
{
    seen = begun;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    begun = 1;
    int early = seen;
    begun = 2;
    for (int i = 0; i < 1500; i++)
        turns++;
    assert(early == 0);
    pthread_join(thread, NULL);
    return 0;
}
"""


def long_schedule(bench):
    """Steps that matter are there wherever they are; together no more than readers take."""
    file = bench.folder / "long.sarif"
    run([bench.bohr, "run", "-q", "-s", "preempt", "--detect", "-untidy", "-o", bench.folder / "out", "--sarif", file,
         bench.build("long", LONG)])
    flow = json.loads(file.read_text())["runs"][0]["results"][0]["codeFlows"][0]
    steps = sorted((step["executionOrder"], step["importance"]) for thread in flow["threadFlows"]
                   for step in thread["locations"])
    early = [step for step in steps if step[0] < 10]
    if len(steps) != 1000 or steps[-1][0] < 1500 or "end of the schedule" not in flow["message"]["text"]:
        fail("SARIF of a long schedule", expected="1000 steps, and its end", actual=steps)
    if len(early) < 3 or any(importance == "unimportant" for _, importance in early):
        fail("SARIF of a long schedule", expected="the steps that matter at its beginning", actual=early)
    print(f"ok   SARIF of a long schedule: {early}, {steps[-1]}")


def whatever_is_printed(bench):
    """-q changes nothing in files."""
    kinds = ("json", "sarif", "junit", "tap", "annotations")
    texts = {}
    for quiet in ([], ["-q"]):
        files = {kind: bench.folder / f"printed.{kind}" for kind in kinds}
        run([bench.bohr, "run", *quiet, "-s", "preempt", "-o", "out", "--no-progress",
             *(word for kind in kinds for word in (f"--{kind}", files[kind])), ROOT / "examples" / "lock_order.c"],
            cwd=bench.folder)
        for kind, file in files.items():
            text = re.sub(r'(seconds"?|time"?|peak_bytes"|per_second"|"[a-z_]*bytes")\s*[:=] ?"?[-\d.e]+', "", file.read_text())
            if texts.setdefault(kind, text) != text:
                fail(f"-q and --{kind}", expected="the same file as without -q", actual=file.read_text()[:3000])
    print("ok   files are the same with -q")


def check(bench):
    whatever_is_printed(bench)
    long_schedule(bench)
    page(bench)
    schema_can_fail()
    formats(bench)
    github(bench)
    baseline(bench)


bench_run(check)
