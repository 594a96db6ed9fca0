#!/usr/bin/env python3
"""What cannot be used is answered by one sentence that names it and says what to do, with exit
status 2, and nothing half-written is left behind."""
import os
import pathlib
import re
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, sentence_of, shown  # noqa: E402

SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *work(void *unused)
{
    done = 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(done == 0);
    pthread_join(thread, NULL);
    return 0;
}
"""
LONG = {"-n": "--executions", "-b": "--bound", "-t": "--time", "-j": "--jobs"}
MACHINE_AT, CLASS_AT = 18, 4  # e_machine and the class in the ELF header


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def refuses(bench, title, arguments, *words, environment=None, after_search=False):
    """bohr ARGUMENTS ends with status 2 and one sentence that holds all the words; what a search
    had found by then is still told."""
    here = bench.folder / "here"
    here.mkdir(exist_ok=True)
    before = listing(bench.folder)
    command = [bench.bohr, *arguments]
    done = run(command, cwd=here, env=dict(os.environ, **(environment or {})))
    said = sentence_of(done.errors)
    story = dict(command=shown(command), said=said, output=done.output)
    if done.status != 2:
        fail(title, expected="exit status 2", actual=done.status, **story)
    if done.output and not after_search:
        fail(title, expected="nothing on standard output", **story)
    if not re.fullmatch(r"bohr: \S.*\S", said):
        fail(title, expected="one sentence on standard error", **story)
    for word in words:
        if str(word) not in said:
            fail(title, expected=f"a sentence with `{word}`", **story)
    after = listing(bench.folder)
    if before != after:
        fail(title, expected="no files made or removed", actual=sorted(set(before) ^ set(after)),
             **story)
    print(f"ok   {title}: {said.replace(str(bench.folder) + '/', '')}")


def patched(bench, program, name, at, value):
    copy = pathlib.Path(shutil.copy(program, bench.folder / name))
    content = bytearray(copy.read_bytes())
    content[at:at + len(value)] = value
    copy.write_bytes(content)
    return copy


def programs(bench, program):
    folder = bench.folder
    refuses(bench, "a missing program", ["run", folder / "missing"], "missing")
    refuses(bench, "a missing program on the path", ["run", "no-such-program"], "no-such-program")
    plain = pathlib.Path(shutil.copy(program, folder / "not-executable"))
    plain.chmod(0o644)
    refuses(bench, "a program that is not executable", ["run", plain], plain, "chmod +x")
    refuses(bench, "a folder", ["run", folder], folder, "folder")
    script = bench.write("script.sh", "#!/bin/sh\nexit 0\n")
    script.chmod(0o755)
    refuses(bench, "a script", ["run", script], script, "script", "name the program")
    text = bench.write("text", "no program at all, only a text that is long enough\n")
    text.chmod(0o755)
    refuses(bench, "a text", ["run", text], text, "ELF")
    empty = bench.write("empty", "")
    empty.chmod(0o755)
    refuses(bench, "an empty file", ["run", empty], empty)
    static = bench.build("static", SOURCE, ["-static"], ["gcc"])
    refuses(bench, "a static program", ["run", static], static, "static", "link it without -static")
    static = bench.build("static-pie", SOURCE, ["-static-pie"], ["gcc"])
    refuses(bench, "a static-pie program", ["run", static], static, "static")
    for machine, number, word in (("32-bit x86", 3, "32-bit"), ("ARM", 183, "ARM"),
                                  ("RISC-V", 243, "RISC-V")):
        foreign = patched(bench, program, f"foreign-{number}", MACHINE_AT,
                          struct.pack("<H", number))
        refuses(bench, f"a program for {machine}", ["run", foreign], foreign, word, "x86-64")
    for machine, number, word in (("32-bit x86", 3, "32-bit"), ("x32", 62, "32-bit pointers"),
                                  ("32-bit ARM", 40, "ARM")):
        small = patched(bench, program, f"small-{number}", CLASS_AT, b"\x01")
        small = patched(bench, small, f"class-{number}", MACHINE_AT, struct.pack("<H", number))
        refuses(bench, f"a program of another class, for {machine}", ["run", small], small, word,
                "x86-64")
    cut = folder / "cut"
    cut.write_bytes(program.read_bytes()[:100])
    cut.chmod(0o755)
    refuses(bench, "a truncated program", ["run", cut], cut)
    part = folder / "part.o"
    bench.must([bench.bohr, "cc", "-c", "-o", part, folder / "program.c"])
    part.chmod(0o755)
    refuses(bench, "an object file", ["run", part], part, "link")
    refuses(bench, "a source that does not exist", ["run", folder / "missing.c"], "missing.c")


def options(bench, program):
    refuses(bench, "no program", ["run"], "program")
    refuses(bench, "an unknown detector", ["run", "--detect", "race,guess", program], "guess",
            "misuse", "heap")
    refuses(bench, "an unknown strategy", ["run", "-s", "guess", program], "guess", "dfs",
            "preempt", "random")
    for value, said in (("guess", "no priority 'guess'"), ("", "no priority ''"), ("pb,", "no priority ''"),
                        (",pb", "no priority ''"), ("mdpro,pb", "there is mdpor"), ("mdpor,ran", "there is rand"),
                        ("pb,pb", "not 'pb'"), ("pb:x", "not 'pb:x'"), ("method", "not 'method'")):
        refuses(bench, f"--priority {value!r}", ["run", "-s", "best", "--priority", value, program],
                "--priority", said)
    refuses(bench, "priorities of another strategy", ["run", "-s", "dfs", "--priority", "pb", program],
            "dfs", "leave out --priority")
    refuses(bench, "a way of reduction that best does not know",
            ["run", "-s", "best", "--reduction", "optimal", program], "classic")
    for other in (["-b", "2"], ["--cache"]):
        refuses(bench, f"a reduced best with {other[0]}",
                ["run", "-s", "best", "--reduction", "classic", *other, program], "leave out")
    refuses(bench, "an unknown option", ["run", "--guess", program], "--guess", "help")
    refuses(bench, "an unknown command", ["guess"], "guess", "help")
    refuses(bench, "a program without a command", [program], "a command comes first", f"bohr run {program}")
    refuses(bench, "an option without a command", ["-s", "dfs", program], "a command comes first", "bohr run -s")
    refuses(bench, "a program that an option has taken", ["run", "--json", program], "which program", "--json has taken")
    refuses(bench, "an empty name", ["run", ""], "empty")
    refuses(bench, "an option of another command", ["replay", "--strategy", "dfs"], "bohr run has it", "--strategy")
    refuses(bench, "an unknown list", ["list", "strateges"], "there is strategies", "strateges")
    refuses(bench, "an option like one other", ["run", "--bond", "3", program], "there is --bound: --bond")
    for option, value in (("-n", "many"), ("-n", "-1"), ("-n", "0"), ("-n", "0x"), ("-b", "1.5"), ("-b", "-1"), ("-b", ""),
                          ("-t", "soon"), ("-t", "5parsecs"), ("--steps", "0"),
                          ("--memory", "much"), ("--memory", "0"), ("--memory", "5Q"),
                          ("--steps", "99999999999999999999"), ("--seed", "x"), ("-j", "0"),
                          ("-j", "x"), ("-j", "9999"), ("-j", "-1"), ("-j", ""),
                          ("--verify", "often"), ("--hang", "-2"), ("--expect-exit", "300"),
                          ("--points", "some"), ("--races", "maybe"), ("--isolate", "vm"),
                          ("--carrier", "pigeon"), ("--exit", "now"), ("--tracking", "none")):
        refuses(bench, f"{option} {value!r}", ["run", option, value, program],
                LONG.get(option, option), value)
    refuses(bench, "an option without its value", ["run", "-n"], "-n")
    refuses(bench, "a bad BOHR_OPTIONS", ["run", program], "--guess",
            environment={"BOHR_OPTIONS": "--guess"})
    refuses(bench, "kernel threads with reset",
            ["run", "--carrier", "kernel", "--isolate", "reset", program], "kernel", "fork")
    for alone in (["-s", "best"], ["-s", "stateful"], ["--cache"], ["--fresh", program],
                  ["--same-output", "-"]):
        refuses(bench, f"several workers with {' '.join(map(str, alone))}",
                ["run", "-j", "2", *alone, program], "leave out --jobs")
    refuses(bench, "an output folder that is a file", ["run", "-s", "dfs", "-o", program, program],
            program, "folder")
    for folder in ("/proc/out", "/proc/out/below", "/proc"):
        refuses(bench, f"results in {folder}", ["run", "-s", "dfs", "-o", folder, program], folder, "--output")
    refuses(bench, "results below a file", ["run", "-s", "dfs", "-o", program / "out", program], program, "folder")
    refuses(bench, "a JSON file in a folder that does not exist",
            ["run", "-s", "dfs", "-n", "1", "-o", bench.folder / "unused",
             "--json", bench.folder / "nowhere" / "x.json", program], "nowhere",
            after_search=True)


def unused_output(bench):
    """Nothing is found, so nothing is written: the trial leaves no folder behind."""
    program = bench.build("nothing_wrong", "int main(void) { return 0; }")
    there = bench.folder / "there"
    there.mkdir()
    for folder in (there, there / "new", there / "new" / "below"):
        before = listing(bench.folder)
        done = run([bench.bohr, "run", "-o", folder, program], cwd=there)
        if done.status != 0 or listing(bench.folder) != before:
            fail("a folder for results that is not used", command=shown(done.command),
                 expected="exit status 0, no files", actual=f"{done.status}, {listing(there)}",
                 output=done.text())
    print("ok   folders for results are not made before there is a result")


def reports(bench, program):
    """Said before the search, which may take long."""
    for option in ("--json", "--html", "--sarif", "--junit", "--tap", "--annotations"):
        refuses(bench, f"{option} in no folder", ["run", option, bench.folder / "nowhere" / "x", program], "nowhere")
        refuses(bench, f"{option} is a folder", ["run", option, bench.folder, program], "folder")
        refuses(bench, f"{option} without a name", ["run", option, "", program], option)
    refuses(bench, "two reports on standard output", ["run", "--json", "-", "--html", "-", program], "--json",
            "--html", "standard output")


def full_disk(bench, program):
    """What does not fit is told, and nothing half-written stays."""
    refuses(bench, "a JSON file on a full disk",
            ["run", "-s", "dfs", "-n", "1", "-o", bench.folder / "unused", "--json", "/dev/full",
             program], "/dev/full", "space", after_search=True)
    small = bench.folder / "small"
    small.mkdir()
    if run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", small]).status != 0:
        print("SKIP a replay file on a full disk: only root can mount one")
        return
    try:
        (small / "filler").write_bytes(bytes(4096))
        (small / "out").mkdir()
        refuses(bench, "a replay file on a full disk", ["run", "-s", "dfs", "-o", small / "out",
                                                        program], small / "out", "space",
                after_search=True)
        refuses(bench, "a JSON file on another full disk",
                ["run", "-s", "dfs", "-n", "1", "-o", bench.folder / "unused", "--json",
                 small / "x.json", program], small / "x.json", "space", after_search=True)
    finally:
        bench.must(["umount", small])


def with_checksum(text):
    """A replay file whose last line fits again: FNV-1a of all before."""
    body, total = text[:text.rindex("end ")], 0xcbf29ce484222325
    for byte in body.encode():
        total = (total ^ byte) * 0x100000001b3 % 2**64
    return f"{body}end {total:016x}\n"


def replays(bench, program):
    result = bench.explore(["-s", "dfs"], program, status=1)
    good = pathlib.Path(result["findings"][0]["replay"])
    text = good.read_text()
    bench.replay_all("the replay file as it is", result)
    refuses(bench, "a missing replay file", ["replay", bench.folder / "none.bohr"], "none.bohr")
    refuses(bench, "no replay file", ["replay"], "file")
    refuses(bench, "a folder for a replay file", ["replay", bench.folder], bench.folder)
    refuses(bench, "an empty replay file", ["replay", bench.write("empty.bohr", "")], "empty.bohr")
    refuses(bench, "the program for a replay file", ["replay", program], program)
    for part in (0.01, 0.3, 0.6, 0.9, 0.99):
        cut = bench.write("cut.bohr", text[:int(len(text) * part)])
        refuses(bench, f"{part:.0%} of a replay file", ["replay", cut], cut,
                "name one" if part < 0.1 else "search again")
    for number, at in enumerate(range(5, len(text) - 1, len(text) // 12)):
        letter = "x" if text[at] != "x" else "y"
        bad = bench.write("bad.bohr", text[:at] + letter + text[at + 1:])
        refuses(bench, f"a replay file with a letter changed ({number})", ["replay", bad], bad,
                "name one" if number == 0 else "search again")
    later = bench.write("later.bohr", text.replace("bohr-replay 2\n", "bohr-replay 9\n"))
    refuses(bench, "a replay file of another version", ["replay", later], later, "format",
            "search again")
    older = bench.write("older.bohr", with_checksum(text.replace("bohr 0.1.0\n", "bohr 0.0.1\n")))
    refuses(bench, "a replay file of another bohr", ["replay", older], older, "0.0.1",
            "search again")
    binary = bench.folder / "binary.bohr"
    binary.write_bytes(bytes(range(256)) * 40)
    refuses(bench, "a replay file of noise", ["replay", binary], binary)
    bench.build("program", "int main(void) { return 0; }\n")
    refuses(bench, "a replay file of a program that is another one now", ["replay", good],
            program, "search again")
    program.unlink()
    refuses(bench, "a replay file of a program that is gone", ["replay", good], program)


def check(bench):
    program = bench.build("program", SOURCE)
    programs(bench, program)
    options(bench, program)
    unused_output(bench)
    reports(bench, program)
    full_disk(bench, program)
    replays(bench, program)


bench_run(check)
