#!/usr/bin/env python3
"""tools/check-layers sees an include that points the wrong way, and accepts the right ones."""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-layers"


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        result = subprocess.run([TOOL, folder], capture_output=True, text=True)
        return result.returncode, result.stdout


def expect(what, files, status, text):
    got_status, got_text = check(files)
    if got_status != status or text not in got_text:
        sys.exit(f"FAIL {what}\n     expected   status {status}, output with '{text}'\n"
                 f"     actual     status {got_status}, output '{got_text.strip()}'")


expect("a strategy may include core", {"strategy/dfs.c": '#include "core/trace.h"\n'}, 0, "")
expect("core may not include strategy",
       {"core/trace.c": '#include <stddef.h>\n#include "strategy/strategy.h"\n'}, 1,
       "core/trace.c:2: core may not include strategy")
expect("the coordinator may not include the runtime",
       {"coordinator/explore.c": '#include "runtime/worker/worker.h"\n'}, 1,
       "coordinator may not include runtime")
expect("a table is held to it too", {"core/op.def": '#include "cli/run.h"\n'}, 1,
       "core/op.def:1: core may not include cli")
expect("a new folder must be in the table", {"extra/new.c": "\n"}, 1, "'extra' is not in the table")
expect("a room may include a lower one",
       {"strategy/bounded/new.c": '#include "strategy/stateful/cache.h"\n'}, 0, "")
expect("a room may not include an upper one",
       {"strategy/stateful/new.c": '\n#include "strategy/bounded/pile.h"\n'}, 1,
       "strategy/stateful/new.c:2: strategy/stateful may not include strategy/bounded")
expect("what rooms share may not include a room",
       {"strategy/new.c": '#include "strategy/bounded/pile.h"\n'}, 1,
       "strategy may not include strategy/bounded")
expect("a new room must be in the table", {"strategy/extra/new.c": "\n"}, 1, "'strategy/extra' is not in the table")
expect("a room may include all rooms before it, where they have an order",
       {"coordinator/search/explore.c": '#include "coordinator/worker/boards.h"\n'}, 0, "")
expect("a room may not include one after it, where they have an order",
       {"coordinator/worker/boards.c": '#include "coordinator/search/explore.h"\n'}, 1,
       "coordinator/worker may not include coordinator/search")
expect("a lower room of the runtime may not include an upper one",
       {"runtime/arch/x86_64/local.c": '#include "runtime/engine/runtime.h"\n'}, 1,
       "runtime/arch/x86_64/local.c:1: runtime/arch may not include runtime/engine")
expect("an upper one may include all below",
       {"runtime/worker/new.c": '#include "runtime/arch/x86_64/local.h"\n'}, 0, "")
expect("the state of the runtime is made of what each room keeps",
       {"runtime/engine/runtime.h": '#include "runtime/sync/sync_own.h"\n'}, 0, "")
expect("no other file of a lower room may see that",
       {"runtime/engine/able.h": '#include "runtime/sync/sync_own.h"\n'}, 1,
       "runtime/engine/able.h:1: runtime/engine may not include runtime/sync")
