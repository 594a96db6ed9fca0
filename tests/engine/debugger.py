"""bohr replay --gdb: a scripted run of gdb, as a person would use it, and through its machine interface, as
VS Code drives it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from engine import SECONDS, bench_run, fail, run, sentence_of, shown, skip  # noqa: E402

SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static int balance;
static char word[20];
static void deposit(int amount)
{
    int now = balance;
    balance = now + amount;
}
static void *client(void *unused)
{
    deposit(1);
    return unused;
}
int main(int count, char **arguments)
{
    pthread_t clients[2];
    assert(count == 3 && strcmp(arguments[2], "it's two words") == 0);
    assert(scanf("%19s", word) == 1 && strcmp(word, "hello") == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i], NULL);
    assert(balance == 2);
    return 0;
}
"""
ARGUMENTS = ["-x", "it's two words"]
DEADLOCK = """
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static void *back(void *unused)
{
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, back, 0);
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    pthread_join(thread, 0);
    return 0;
}
"""


def record(bench, name, source, kind, arguments=(), text="", flags=()):
    program = bench.build(name, source, flags)
    output = bench.folder / f"{name}-out"
    command = [bench.bohr, "run", "--no-progress", "--races", "off", "-o", output, program, *arguments]
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True,
                          timeout=SECONDS)
    path = output / f"{kind}-1.bohr"
    if done.returncode != 1 or not path.exists():
        fail(f"{name}: the search", command=shown(command), expected=f"a {kind}", output=done.stdout + done.stderr)
    return program, path


def in_gdb(bench, path, *commands):
    """What gdb says to each of the commands, after it has come to its first stop."""
    words = [bench.bohr, "replay", "--gdb", path, "--", "-nx", "-batch"]
    for number, command in enumerate(commands):
        words += ["-ex", f"echo \\n<{number}>\\n", "-ex", command]
    done = run(words, SECONDS)
    if done.status != 0:
        fail("gdb", command=shown(words), expected="exit status 0", actual=done.status, output=done.text())
    parts = re.split(r"\n<\d+>\n", done.output)
    if len(parts) != len(commands) + 1:
        fail("gdb", command=shown(words), expected=f"{len(commands)} answers", actual=len(parts) - 1,
             output=done.text())
    return parts


def expect(title, said, *wanted):
    for pattern in wanted:
        if re.search(pattern, said) is None:
            fail(title, expected=pattern, actual=said)


def who_preempts(said):
    """The thread that comes in at step 3, and the one that it comes before: either of the two clients."""
    found = re.search(r"step 3: T([12]) read balance \(deposit, .*; T([12]) is preempted", said)
    if found is None:
        fail("the first stop", expected="step 3: … is preempted", actual=said)
    return int(found.group(1)), int(found.group(2))


def one_session(bench, path):
    (begin, why, threads, known, frames, step, further, back, value, there, wrong, last, end, after,
     again) = in_gdb(
        bench, path, "bohr why", "bohr threads", "info threads", "backtrace", "bohr step", "bohr next-switch",
        "bohr back 2", "print now", "bohr goto 2", "bohr goto 99", "bohr goto 6", "continue", "bohr step", "bohr back")
    comes, preempted = who_preempts(begin)
    expect("the first stop is the first preemption", begin, r"int now = balance;")
    expect("why", why, r"balance == 2", rf"what matters: step 3: T{comes}",
           rf"comes next: step 3: T{comes}")
    expect("threads", threads, r"  T0  \(thread 1\)  step 6: T0 join T1 \(main",
           rf"  T{preempted}  \(thread {preempted + 1}\)  step 5: T{preempted} write balance",
           rf"\* T{comes}  \(thread {comes + 1}\)  step 3: T{comes} read balance")
    expect("gdb's own list", known, r'1 .*"T0"', r'2 .*"T1"', r'3 .*"T2"', rf"\* {comes + 1} ")
    expect("a backtrace begins in the program", frames, r"^#\d+ .* in deposit \(amount=1\)", r" client \(unused=")
    expect("the next step", step, rf"step 4: T{comes} write balance \(deposit", r"balance = now \+ amount;")
    expect("the next switch", further, rf"step 5: T{preempted} write balance \(deposit")
    expect("two steps back", back, rf"step 3: T{comes} read balance")
    expect("to an earlier step", there, rf"step 2: T{preempted} read balance")
    expect("to a step that is none", wrong, r"^$")
    expect("to a later step", last, r"step 6: T0 join T1")
    expect("the end", end, r"the execution ends here: assertion: balance == 2", r"assert\(balance == 2\);")
    expect("behind the end", after, r"^$")
    expect("back from the end", again, r"step 7: T0 join T2")


def breakpoints(bench, path):
    _, _, first, value, _, preemption, changed, _ = in_gdb(
        bench, path, "tbreak client", "run", "print balance", "watch balance", "continue", "continue", "delete")
    who_preempts(preemption)
    expect("a breakpoint of one's own", first, r"client \(unused=")
    expect("a value", value, r"\$1 = 0")
    expect("a watchpoint", changed, r"atchpoint \d+: balance", r"Old value = 0\nNew value = 1")


def at_prompt(bench, path, *commands):
    """The same, typed at its prompt."""
    words = [str(word) for word in (bench.bohr, "replay", "--gdb", path, "--", "-nx")]
    done = subprocess.run(words, input="\n".join(commands) + "\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=SECONDS)
    parts = done.stdout.split("(gdb) ")
    if len(parts) != len(commands) + 2:
        fail("gdb", command=shown(words), expected=f"{len(commands)} answers", output=done.stdout)
    return parts[:-1]


def stepping(bench):
    """Lines are those of the program, though a thread that waits for its turn stands in the runtime."""
    _, path = record(bench, "lines", SOURCE, "assertion", ARGUMENTS, "hello\n", ["-O0"])
    begin, middle, rest, back, into, out, function, after = at_prompt(
        bench, path, "next", "next", "bohr goto 3", "step", "finish", "bohr goto 6", "next")
    _, preempted = who_preempts(begin)
    expect("next ends the line of the step", middle, r"^\d+\s+balance = now \+ amount;\n$")
    expect("next takes a step in the line", rest, r"^\d+\s+}\n$")
    who_preempts(back)
    expect("step stays in the program", into, r"^\d+\s+balance = now \+ amount;\n$")
    expect("finish", out, r"client \(unused=0x0\) at ")
    expect("to the first join", function, r"step 6: T0 join T1")
    expect("next from a call at the end of its line", after, r"\n\d+\s+for \(int i = 0; i < 2; i\+\+\)\n$")
    ends = at_prompt(bench, path, *["next"] * 5)[-2:]
    expect("the end of a thread leads to the next step", "".join(ends),
           rf"step 5: T{preempted} write balance \(deposit")
    number = 1 + SOURCE[:SOURCE.index("balance = now")].count("\n")
    stop, last = at_prompt(bench, path, f"break {number}", "thread 1", "next", "delete", "continue")[-3::2]
    expect("a breakpoint comes before the step of a thread that waits", stop, r"Breakpoint 1, deposit \(amount=1\)")
    expect("which leaves nothing behind", last, "the execution ends here: assertion")
    end, refused, again, _, nothing = at_prompt(bench, path, "continue", "next", "bohr back", "kill", "next")[1:]
    expect("the end", end, "the execution ends here: assertion")
    expect("no line after the end", refused, "the execution ends here: assertion: balance == 2; bohr back goes back")
    expect("from there", again, "step 7: T0 join T2")
    expect("nothing runs", nothing, r"^The program is not being run.\n$")
    stepping_by_machine(bench, path)


def other_ends(bench):
    _, path = record(bench, "locks", DEADLOCK, "deadlock")
    begin, end = in_gdb(bench, path, "continue")
    expect("a deadlock", begin, r"step 2: T1 lock two|step \d+: T\d lock", r"is preempted")
    expect("it ends in a deadlock", end, r"the execution ends here: deadlock")


def edited(bench, path):
    bench.build("bank", SOURCE.replace("    int now", "    /* what there is */\n    int now"))
    begin, end = in_gdb(bench, path, "continue")
    who_preempts(begin)
    expect("after an edit, at the end", end, r"the execution ends here: assertion")


class Machine:
    """gdb's machine interface, one command after the other."""

    def __init__(self, command):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = []

    def until(self, pattern):
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            self.said.append(line)
            if re.search(pattern, line):
                return "".join(lines)
        fail("gdb's machine interface", expected=pattern, actual="".join(self.said))
        return None

    def stop(self, line):
        """Until it has stopped and said this; in which order is gdb's."""
        said = ""
        while re.search(r"^\*stopped", said, re.M) is None or re.search(line, said) is None:
            said += self.until(r"^\*stopped|" + line)
        return said

    def ask(self, command, answer=r"^\^(done|running)"):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.until(answer)

    def close(self):
        self.process.stdin.write("-gdb-exit\n")
        self.process.stdin.flush()
        self.process.communicate(timeout=SECONDS)


def machine(bench, program, path):
    """The commands that VS Code's C++ extension sends, in its order."""
    alias = bench.bohr.parent / "bohr-gdb"
    gdb = Machine(["timeout", SECONDS, alias, "-nx", path, "--interpreter=mi"])
    try:
        gdb.until(r"^\(gdb\)")
        gdb.ask("1-gdb-set mi-async on", r"^1\^done")
        gdb.ask('2-interpreter-exec console "set pagination off"', r"^2\^done")
        gdb.ask("3-enable-frame-filters", r"^3\^done")
        gdb.ask(f"4-file-exec-and-symbols {program}", r"^4\^done")
        gdb.ask('5-exec-arguments -x "it\'s two words"', r"^5\^done")
        gdb.ask("6-break-insert -f main", r"^6\^done")
        gdb.ask("7-exec-run", r"^7\^running")
        expect("main", gdb.until(r"^\*stopped"), r'reason="breakpoint-hit",.*func="main"')
        gdb.ask("8-exec-continue", r"^8\^running")
        said = gdb.stop("step 3: ")
        comes, _ = who_preempts(said)
        expect("the first preemption", said, r'func="bohr_gdb_step"')
        known = gdb.ask("9-thread-info", r"^9\^done")
        expect("threads", known, r'name="T0"', r'name="T1"', r'name="T2"')
        expect("frames", gdb.ask(f"10-stack-list-frames --thread {comes + 1}", r"^10\^done"),
               r'stack=\[frame={level="\d+",[^}]*func="deposit"')
        whole = gdb.ask(f"101-stack-list-frames --thread {comes + 1}", r"^101\^done")
        expect("their files with their folders", whole, r'func="deposit",file="/[^"]*/bank\.c"')
        gdb.ask('11-interpreter-exec console "bohr step"', r"^11\^")
        expect("a step", gdb.stop("step 4: "), rf"step 4: T{comes} write balance")
        gdb.ask("111-exec-next", r"^111\^running")
        gdb.until(r'^\*stopped,reason="end-stepping-range",.*bank\.c"')
        gdb.ask("12-exec-continue", r"^12\^running")
        expect("the end", gdb.stop("the execution ends"), r"the execution ends here: assertion: balance == 2")
        if "memory-changed" in "".join(gdb.said):
            fail("no notes of changed memory", actual="".join(gdb.said))
    finally:
        gdb.close()


def stepping_by_machine(bench, path):
    gdb = Machine(["timeout", SECONDS, bench.bohr.parent / "bohr-gdb", "-nx", path, "--interpreter=mi"])
    try:
        gdb.ask("1-gdb-set mi-async on", r"^1\^done")
        gdb.ask("2-exec-run", r"^2\^running")
        gdb.stop("step 3: ")
        gdb.ask("3-exec-next", r"^3\^running")
        gdb.until(r'^\*stopped,reason="end-stepping-range",.*func="deposit",.*lines\.c"')
        gdb.ask('4-interpreter-exec console "bohr goto 6"', r"^4\^")
        gdb.stop("step 6: T0 join")
        gdb.ask("5-exec-next", r"^5\^running")
        gdb.until(r'^\*stopped,reason="breakpoint-hit",.*func="main",.*lines\.c"')
        gdb.ask("6-exec-continue", r"^6\^running")
        gdb.stop("the execution ends here: assertion")
    finally:
        gdb.close()


def bad_input(bench, path):
    environment = dict(os.environ, BOHR_GDB=str(bench.folder / "none"))
    for title, command, words in (
            ("no gdb", [bench.bohr, "replay", "--gdb", path], "install gdb"),
            ("no file", [bench.bohr, "replay", "--gdb"], "which file"),
            ("no file for bohr-gdb", [bench.bohr.parent / "bohr-gdb", "-batch"], "which replay file")):
        done = run(command, env=environment)
        said = sentence_of(done.errors)
        if done.status != 2 or words not in said or "\n" in said:
            fail(title, command=shown(command), expected=f"exit status 2, {words}", actual=done.status, said=said)


def check(bench):
    if shutil.which("gdb") is None:
        skip("there is no gdb here")
    done = run(["gdb", "-nx", "-batch", "-ex", "python print(6 * 7)"])
    if "42" not in done.output:
        skip("this gdb has no Python")
    program, path = record(bench, "bank", SOURCE, "assertion", ARGUMENTS, "hello\n")
    one_session(bench, path)
    breakpoints(bench, path)
    machine(bench, program, path)
    stepping(bench)
    bad_input(bench, path)
    edited(bench, path)
    other_ends(bench)


bench_run(check)
