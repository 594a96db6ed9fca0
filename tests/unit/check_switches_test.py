#!/usr/bin/env python3
"""tools/check-switches sees a switch over kinds of operation with a default and a table beside core/op.def."""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-switches"
TABLE = "OP(LOCK, WORDS())\nOP(UNLOCK, WORDS())\n"


def expect(what, text, status, output, name="strategy/new.c"):
    with tempfile.TemporaryDirectory() as folder:
        for path, content in {"core/op.def": TABLE, name: text}.items():
            path = pathlib.Path(folder, path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        result = subprocess.run([TOOL, folder], capture_output=True, text=True)
    if result.returncode != status or output not in result.stdout:
        sys.exit(f"FAIL {what}\n     expected   status {status}, output with '{output}'\n"
                 f"     actual     status {result.returncode}, output '{result.stdout.strip()}'")


expect("a switch without a default is fine",
       "switch (kind) {\ncase OP_LOCK:\n    return 1;\n}\n", 0, "")
expect("a default is not",
       "switch (kind) {\ncase OP_LOCK:\n    return 1;\ndefault:\n    return 0;\n}\n", 1,
       "strategy/new.c:4: a switch over kinds of operation has a default")
expect("nor where only the cast tells what it is over",
       "switch ((enum op_kind)op->kind) {\ndefault:\n    return 0;\n}\n", 1, "strategy/new.c:2:")
expect("a switch over something else may have one",
       "switch (letter) {\ncase 'a':\n    return 1;\ndefault:\n    return 0;\n}\n", 0, "")
expect("a switch over a column may have one",
       "switch (column) {\ncase OP_LOCK_TAKE:\n    return 1;\ndefault:\n    return 0;\n}\n", 0, "")
expect("the default of a switch inside of it is its own",
       "switch (kind) {\ncase OP_LOCK:\n    switch (letter) {\n    default:\n        return 0;\n    }\n}\n", 0, "")
expect("a default in a comment is none",
       "switch (kind) {\ncase OP_LOCK: /* default: */\n    return 1;\n}\n", 0, "")
expect("an array with an entry for each kind is a second table",
       "\nstatic const bool waits[OP_KINDS] = {0};\n", 1, "strategy/new.c:2: 'waits' has an entry for each kind")
expect("but not the one that is made from op.def", "extern struct op_traits op_table[OP_KINDS];\n", 0, "", "core/op.h")
