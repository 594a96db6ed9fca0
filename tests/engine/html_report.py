#!/usr/bin/env python3
"""What `bohr run --html` writes, in a real browser: it draws lanes, locks, waits, values and source, goes
through the steps by keys, finds, prints, is dark where that is wanted, asks nothing of any network, and
keeps only what is visible in the document, however long the trace is."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from browser import Browser  # noqa: E402
from engine import bench_run, fail, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NODES_MAX = 2500
LONG = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *work(void *unused)
{
    for (int i = 0; i < 1660; i++) {
        pthread_mutex_lock(&outer);
        pthread_mutex_lock(&inner);
        count++;
        pthread_mutex_unlock(&inner);
        pthread_mutex_unlock(&outer);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(count == 0);
    return 0;
}
"""
HOSTILE = """
#include <assert.h>
#include <stdio.h>
int main(void)
{
    puts("<script>document.title = 'broken'</script><!--");
    fflush(stdout); /* caf\xe9 </script><script>document.title = 'broken'</script> */
    assert(!"</script><script>document.title = 'broken'</script>");
}
"""
CLEAN = "int main(void) { return 0; }"


def report(bench, name, options, program, status=1):
    page = bench.folder / f"{name}.html"
    bench.explore([*options, "--html", page], program, status=status)
    return page


def expect(browser, title, script, wanted):
    got = browser.value(script)
    if got != wanted:
        fail(title, script=script, expected=wanted, actual=got, errors=browser.errors)
    print(f"ok   {title}")


def text_of(selector):
    return f"[...document.querySelectorAll('{selector}')].map(one => one.textContent)"


def number_of(selector):
    return f"document.querySelectorAll('{selector}').length"


CHOSEN = "document.querySelector('#failing .row.chosen').dataset.step"


def lost_update(bench, browser):
    browser.open(report(bench, "lost", ["-s", "preempt"], ROOT / "examples/lost_update.c"))
    browser.settle()
    expect(browser, "the title says what is wrong", "document.querySelector('#story h2').textContent",
           "A failed assertion: hits == 2")
    expect(browser, "a lane for each thread", text_of("#failing .lane-head"), ["T0", "T1", "T2"])
    rows = browser.value("findings[0].schedule.count + findings[0].data.preemptions")
    expect(browser, "a row for each step and preemption", number_of("#failing .row"), rows)
    expect(browser, "the finding's step is marked", number_of("#failing .row.marked"), 1)
    values = browser.value(text_of("#failing .cell .value"))
    if sorted(values) != ["0 → 1", "1 → 1", "= 0", "= 0"]:
        fail("both read 0, one writes 0 → 1, the other 1 → 1", actual=values)
    browser.key("Home")
    expect(browser, "Home", CHOSEN, "0")
    browser.key("ArrowDown")
    browser.key("j")
    expect(browser, "two steps on", CHOSEN, "2")
    expect(browser, "the line of the chosen step",
           "document.querySelector('.code .line.chosen code').textContent.trim()", "hits++;")
    expect(browser, "main stands at its join", "findings[0].schedule.standsText(0, 2).split(':')[1]", "42")
    browser.key("ArrowRight")
    expect(browser, "the thread's next step is after its preemption",
           f"findings[0].schedule.thread[2] === findings[0].schedule.thread[{CHOSEN}] && {CHOSEN} > 3", True)
    expect(browser, "what hits holds then", "document.querySelector('.variables .value').textContent", "1")
    browser.key("ArrowLeft")
    expect(browser, "and back", CHOSEN, "2")
    browser.key("n")
    expect(browser, "the next switch", CHOSEN, "3")
    browser.key("End")
    expect(browser, "End", CHOSEN, "7")
    expect(browser, "arrows of the chosen step", number_of("#failing .arrow.depends"), 1)
    browser.key("/")
    browser.type("write hits")
    expect(browser, "hits of a search", "document.getElementById('hits').textContent", "1 of 2")
    browser.key("Enter")
    expect(browser, "the next hit", "document.getElementById('hits').textContent + ' ' + " + CHOSEN, "2 of 2 5")
    browser.key("Escape")
    browser.key("k")
    expect(browser, "keys step again after a search", CHOSEN, "4")
    browser.key("?")
    expect(browser, "help", "document.getElementById('help').open", True)
    browser.key("Escape")
    browser.key("f")
    expect(browser, "the next finding", "document.querySelector('#story h2').textContent", "A data race")
    expect(browser, "a link to this step", "location.hash.startsWith('#finding-2-step-')", True)


def colours(browser):
    light = browser.value("getComputedStyle(document.body).backgroundColor")
    browser.dark(True)
    dark = browser.value("getComputedStyle(document.body).backgroundColor")
    browser.key("d")
    chosen = browser.value("getComputedStyle(document.body).backgroundColor")
    brightness = [sum(map(int, colour[4:-1].split(","))) for colour in (light, dark, chosen)]
    if not (brightness[0] > 600 and brightness[1] < 150 and brightness[2] > 600):
        fail("light, dark as the system prefers, light as chosen", actual=(light, dark, chosen))
    browser.key("d")
    browser.dark(False)
    print("ok   dark and light")


def paper(browser):
    browser.value("addEventListener('beforeprint', () => { window.printed = document.querySelectorAll('#paper tbody tr').length; }), 0")
    if not browser.paper().startswith(b"%PDF"):
        fail("the report prints")
    expect(browser, "on paper there are all steps of all findings", "printed",
           browser.value("findings.reduce((sum, finding) => sum + finding.schedule.count + finding.data.waits.length, 0)"))
    expect(browser, "after printing they are gone", number_of("#paper tr"), 0)


def deadlock(bench, browser):
    browser.open(report(bench, "deadlock", ["-s", "preempt"], ROOT / "examples/lock_order.c"))
    browser.settle()
    expect(browser, "two locks are held", number_of("#failing .hold"), 2)
    expect(browser, "three threads wait at the end", number_of("#failing .row.waits"), 3)
    expect(browser, "arrows from who holds to who waits", number_of("#failing .arrow.order"), 2)
    browser.key("End")
    expect(browser, "who holds what", "document.querySelectorAll('.threads tbody tr')[1].lastChild.textContent",
           "directory")


def long_trace(bench, browser):
    program = bench.build("long", LONG)
    browser.open(report(bench, "long", ["-s", "random", "-n", "1", "--no-shrink"], program))
    browser.settle()
    count = browser.value("findings[0].schedule.count")
    if not 19900 < count <= 20000:
        fail("a trace of nearly 20,000 steps", actual=count)
    for key in ("Home", "End", "PageDown", "b", "b", "m"):
        browser.key(key)
        nodes = browser.value(number_of("*"))
        if nodes > NODES_MAX:
            fail("only what is visible is in the document", expected=f"at most {NODES_MAX} elements", actual=nodes, key=key)
    browser.key("End")
    expect(browser, "the last step is visible", CHOSEN, str(count - 1))
    browser.value("document.querySelector('#failing .lanes').scrollTop = 200000, 0")
    browser.settle()
    rows = browser.value("[...document.querySelectorAll('#failing .row[data-step]')].map(row => Number(row.dataset.step))")
    if not rows or not 7000 < rows[0] < 8400 or len(rows) > 80:
        fail("scrolling shows other rows", actual=rows)
    browser.key("/")
    browser.type("t3 unlock inner")
    expect(browser, "hits in a long trace", "document.getElementById('hits').textContent.split(' of ')[1]", "1660")
    if not browser.paper().startswith(b"%PDF"):
        fail("a long report prints")


def same_step(steps, at, others):
    """Of schedules as lists of threads: the step of the other one that is the same thread's, as many steps after its first."""
    own = [number for number, thread in enumerate(others) if thread == steps[at]]
    return own[steps[:at].count(steps[at])]


def side_by_side(bench, browser):
    page = bench.folder / "explained.html"
    result = bench.explore(["-s", "preempt", "--html", page], ROOT / "examples/lost_update.c", status=1)
    explanation = result["findings"][0]["explanation"]
    passing = [step["thread"] for step in explanation["passing"]["steps"]]
    orders = explanation["orders"]
    if len(orders) != 2:
        fail("a lost update needs two orders", actual=orders)
    browser.open(page)
    browser.settle()
    failing = browser.value("[...findings[0].schedule.thread]")
    expect(browser, "why it shows", text_of("#story .orders li") + "[0]", ", and ".join(order["text"] for order in orders))
    expect(browser, "an arrow for each order", number_of("#failing .arrow.order"), len(orders))
    expect(browser, "the first step that matters is chosen", CHOSEN, str(orders[0]["earlier"]["step"]))
    hidden = browser.value("document.getElementById('passing').hidden")
    browser.key("c")
    expect(browser, "c shows or hides the passing schedule", "document.getElementById('passing').hidden", not hidden)
    if not hidden:
        browser.key("c")
    expect(browser, "a row for each step that passes", number_of("#passing .row[data-step]"), len(passing))
    expect(browser, "the same step of the passing schedule is chosen",
           "document.querySelector('#passing .row.chosen').dataset.step",
           str(same_step(failing, orders[0]["earlier"]["step"], passing)))
    leaves = explanation["passing"]["leaves"]
    browser.value(f"document.querySelector('#passing .row[data-step=\"{leaves}\"]').click(), 0")
    browser.settle()
    expect(browser, "and the other way round", CHOSEN, str(same_step(passing, leaves, failing)))


def figures(bench, browser):
    page = bench.folder / "figures.html"
    result = bench.explore(["-k", "-n", "200", "--html", page], ROOT / "corpus/bounded_buffer.c", status=1)
    total = sum(row["executions"] for row in result["strategies"])
    if total != result["executions"] + result["cut"] or sum(row["failed"] for row in result["strategies"]) != result["buggy"]:
        fail("what the strategies did adds up", expected=(result["executions"], result["buggy"]), actual=result["strategies"])
    browser.open(page)
    browser.value("document.getElementById('tab-figures').click(), 0")
    browser.settle()
    expect(browser, "a row for each strategy", number_of("#figures table:last-of-type tbody tr"),
           len(result["strategies"]) + len(result["per_bound"]))
    expect(browser, "the curve ends with all classes", "document.querySelector('.curve').getAttribute('aria-label').split(' ')[0]",
           str(result["classes"]))


def hostile(bench, browser):
    source = bench.folder / "hostile.c"
    source.write_bytes(HOSTILE.encode("latin-1"))
    browser.open(report(bench, "hostile", ["-s", "dfs"], source))
    browser.settle()
    expect(browser, "what looks like a tag is text", "document.title", "hostile.c: 1 finding")
    expect(browser, "what the program wrote", "document.querySelector('#below pre').textContent.includes('<script>')", True)


def clean(bench, browser):
    browser.open(report(bench, "clean", ["-s", "dfs"], bench.build("clean", CLEAN), status=0))
    browser.settle()
    expect(browser, "nothing found", "document.getElementById('result').textContent", "nothing found")
    expect(browser, "what was explored is shown", "document.getElementById('figures').hidden", False)


def replayed(bench, browser):
    result = bench.explore(["-s", "preempt"], ROOT / "examples/lost_update.c", status=1)
    page = bench.folder / "replay.html"
    done = run([bench.bohr, "replay", result["findings"][0]["replay"], "--html", page])
    if done.status != 1:
        fail("replay --html", actual=done.status, output=done.text())
    browser.open(page, "#finding-1-step-3")
    browser.settle()
    expect(browser, "a replay, opened at a step", CHOSEN, "3")


def check(bench):
    browser = Browser()
    try:
        lost_update(bench, browser)
        colours(browser)
        paper(browser)
        deadlock(bench, browser)
        long_trace(bench, browser)
        side_by_side(bench, browser)
        figures(bench, browser)
        hostile(bench, browser)
        clean(bench, browser)
        replayed(bench, browser)
        if browser.errors:
            fail("nothing on the console", actual=browser.errors)
        strange = [url for url in browser.requests if not url.startswith("file:") and url != "about:blank"]
        if strange:
            fail("no network", actual=strange)
        print("ok   no errors on the console, no network")
    finally:
        browser.close()


if __name__ == "__main__":
    bench_run(check)
