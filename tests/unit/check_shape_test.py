#!/usr/bin/env python3
"""tools/check-shape sees circles of units, large structs, files and include lists, and names that are used twice."""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-shape"


def expect(what, files, status, text, *options):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        result = subprocess.run([TOOL, *options, folder], capture_output=True, text=True)
    if result.returncode != status or text not in result.stdout:
        sys.exit(f"FAIL {what}\n     expected   status {status}, output with '{text}'\n"
                 f"     actual     status {result.returncode}, output '{result.stdout.strip()}'")


def include(*names):
    return "".join(f'#include "{name}"\n' for name in names)


def circle(length):
    return {f"runtime/engine/unit{i}.c": include(f"runtime/engine/unit{(i + 1) % length}.h") for i in range(length)}


expect("units in a row are fine", {"runtime/engine/a.c": include("runtime/engine/b.h"), "runtime/engine/b.h": ""}, 0, "")
expect("a small circle is fine", circle(5), 0, "largest circle of units: 5", "--print")
expect("a larger circle is not", circle(6), 1,
       "6 units include each other in a circle, and 5 are allowed: let the lower unit call what the upper one registers")
expect("a header belongs to its unit", {"runtime/engine/a.c": include("runtime/engine/a.h"),
                                        "runtime/engine/a.h": ""}, 0, "largest circle of units: 1:", "--print")
expect("a struct of 40 fields is fine",
       {"runtime/engine/a.h": "struct s {\n" + "".join(f"    int f{i}; /* a; b */\n" for i in range(40)) + "};\n"}, 0, "")
expect("one more is not",
       {"runtime/engine/a.h": "struct s {\n" + "".join(f"    int f{i};\n" for i in range(39)) + "    char *a, b;\n};\n"},
       1, "s: 41 fields, and 40 are allowed: put them into the struct of the room that uses them")
expect("a struct inside of a struct is one field",
       {"runtime/engine/a.h": "struct s {\n    struct {\n" + "int a;\n" * 40 + "    } inner;\n};\n"}, 0,
       "fields: s 1", "--print")
headers = {f"core/h{i}.h": "" for i in range(13)}
expect("12 included files are fine", {"runtime/engine/a.c": include(*sorted(headers)[:12]), **headers}, 0, "")
expect("those of a unit's header count, too",
       {"runtime/engine/a.c": include(*sorted(headers)[:12], "runtime/engine/a.h"),
        "runtime/engine/a.h": include(*sorted(headers)[12:]), **headers}, 1,
       "engine/a: 13 files of our own are included, and 12 are allowed: split the unit")
expect("500 lines are fine", {"runtime/engine/a.c": "\n" * 500}, 0, "")
expect("501 lines are not", {"runtime/engine/a.c": "\n" * 501}, 1, "engine/a.c: 501 lines, and 500 are allowed")
expect("one name in two folders is not", {"runtime/engine/a.c": "", "coordinator/a.c": ""}, 1,
       "coordinator/a.c and runtime/engine/a.c have the same name")
expect("names elsewhere are not its business",
       {"runtime/engine/a.c": "", "coordinator/b.c": "", "cli/b.c": ""}, 0, "")
