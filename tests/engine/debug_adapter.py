#!/usr/bin/env python3
"""`bohr-gdb` behind the debug adapter of a VS Code extension (CDT GDB Debug Adapter), spoken to as VS Code does: by the Debug
Adapter Protocol, with the launch configuration of docs/debugger.md. It stops at the preemption that matters, with threads
and source lines; breakpoints and bohr's commands work. The adapter is not ours: `make test-all` gets it
(tools/debug-adapter); without it, or without node or gdb, this is skipped."""
import json
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import SECONDS, bench_run, fail, skip  # noqa: E402

SOURCE = ROOT / "examples" / "lost_update.c"
ASSERTION = 44


class Adapter:
    """Requests are answered one after the other; events are kept until somebody waits for them."""

    def __init__(self, script):
        self.process = subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.messages, self.heard, self.number = queue.Queue(), [], 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            found = re.match(rb"Content-Length: *(\d+)", line)
            if found:
                self.process.stdout.readline()
                self.messages.put(json.loads(self.process.stdout.read(int(found.group(1)))))
        self.messages.put(None)

    def send(self, command, **arguments):
        self.number += 1
        body = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.number

    def wait(self, title, wanted):
        while True:
            try:
                message = self.messages.get(timeout=SECONDS)
            except queue.Empty:
                message = None
            if message is None:
                fail("the adapter says no more", expected=title, heard="\n".join(map(json.dumps, self.heard[-30:])))
            self.heard.append(message)
            if wanted(message):
                return message

    def answer(self, title, number):
        message = self.wait(title, lambda message: message.get("request_seq") == number)
        if not message["success"]:
            fail(f"{title} is refused", said=message.get("message"))
        return message.get("body", {})

    def ask(self, command, **arguments):
        return self.answer(command, self.send(command, **arguments))

    def event(self, name):
        return self.wait(name, lambda message: message.get("event") == name)["body"]

    def said(self, text):
        """Until it is printed on the debug console."""
        self.wait(text, lambda message: message.get("event") == "output" and text in message["body"]["output"])


def configuration(program, replay, alias):
    """That of docs/debugger.md, with its names filled in as VS Code does it."""
    page = (ROOT / "docs" / "debugger.md").read_text()
    block = next(block for block in re.findall(r"```json\n(.*?)```", page, re.S) if '"gdb"' in block and "gdbArguments" in block)
    shown = json.loads(block)["configurations"][0]
    for name, value in (("program", str(program)), ("gdb", str(alias)), ("gdbArguments", [str(replay)]),
                        ("cwd", str(program.parent))):
        if name not in shown:
            fail("docs/debugger.md", expected=f"a configuration with {name}", actual=shown)
        shown[name] = value
    return {name: value for name, value in shown.items() if name not in ("name", "type", "request")}


def session(adapter, launch):
    adapter.ask("initialize", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    begun = adapter.send("launch", **launch)
    adapter.wait("initialized", lambda message: message.get("event") == "initialized" or
                 (message.get("request_seq") == begun and not message["success"]))
    adapter.ask("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": ASSERTION}])
    adapter.ask("configurationDone")
    stopped = adapter.event("stopped")
    adapter.said("is preempted")
    threads = adapter.ask("threads")["threads"]
    if [thread["name"] for thread in threads] != ["T0", "T1", "T2"]:
        fail("threads by their names", actual=threads)
    frames = adapter.ask("stackTrace", threadId=stopped["threadId"])["stackFrames"]
    own = next((frame for frame in frames if frame["name"] == "serve"), None)
    if own is None or own["line"] != 33 or own.get("source", {}).get("path") != str(SOURCE):
        fail("the frame of the program, with its source", expected=f"serve, line 33 of {SOURCE}", actual=frames)
    adapter.ask("evaluate", expression=">bohr why", context="repl", frameId=own["id"])
    print("ok   it stops at the preemption that matters; threads, frames, bohr why")
    adapter.ask("evaluate", expression=">bohr step", context="repl", frameId=own["id"])
    adapter.event("stopped")
    adapter.said("step 4: ")
    adapter.ask("continue", threadId=stopped["threadId"])
    frames = adapter.ask("stackTrace", threadId=adapter.event("stopped")["threadId"])["stackFrames"]
    if frames[0]["name"] != "main" or frames[0]["line"] != ASSERTION:
        fail("a breakpoint", expected=f"main, line {ASSERTION}", actual=frames[0])
    adapter.ask("continue", threadId=1)
    adapter.said("the execution ends here: assertion: hits == 2")
    print("ok   bohr step, a breakpoint, the end")
    adapter.ask("disconnect")


def check(bench):
    script = bench.bohr.resolve().parent.parent / "debug-adapter/node_modules/cdt-gdb-adapter/dist/debugAdapter.js"
    if not script.exists():
        skip("there is no debug adapter: make test-all gets it")
    for name in ("node", "gdb"):
        if shutil.which(name) is None:
            skip(f"{name} is not installed")
    program = bench.folder / "lost_update"
    subprocess.run([bench.bohr, "cc", "-O0", "-o", program, SOURCE], check=True)
    result = bench.explore([], program, status=1)
    replay = next(finding["replay"] for finding in result["findings"] if finding["kind"] == "assertion")
    adapter = Adapter(script)
    try:
        session(adapter, configuration(program, replay, bench.bohr.parent / "bohr-gdb"))
    finally:
        adapter.process.terminate()


bench_run(check)
