#!/usr/bin/env python3
"""Completion offers what the tool knows: in bash, and in zsh and fish where they are installed. In zsh keys are
typed on a terminal; fish is asked what it would offer."""
import os
import pathlib
import pty
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import SECONDS, bench_run, fail, skip  # noqa: E402

SCRIPTS = ROOT / "packaging" / "completion"
BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bohr; printf '%s\\n' "${COMPREPLY[@]}"
"""
# What compadd would show is written down, too. Keys that come before the line editor runs are the terminal's own.
ZSH = """
PS1=
fpath=({scripts} $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {{ local -a shown; builtin compadd -A shown "$@"; print -rl -- $shown >>$OFFERED; builtin compadd "$@" }}
zle-line-init() {{ : >$READY }}
zle -N zle-line-init
"""
WORDS = [  # what is typed, what must be offered, what must not be
    (["bohr", "r"], {"run", "replay"}, {"list"}),
    (["bohr", "list", "s"], {"strategies"}, {"functions"}),
    (["bohr", "run", "--st"], {"--strategy", "--steps", "--state"}, {"--json"}),
    (["bohr", "run", "--re"], {"--resume", "--remember", "--reduction"}, {"--seed"}),
    (["bohr", "run", "-s", "exit"], {"exitblock", "exitblock-rw"}, {"dfs"}),
    (["bohr", "run", "--isolate", ""], {"auto", "reset", "fork", "exec"}, {"dfs"}),
    (["bohr", "run", "--points", "r"], {"race"}, {"sync"}),
    (["bohr", "run", "--color", "a"], {"auto", "always"}, {"never"}),
    (["bohr", "replay", "--j"], {"--json"}, {"--strategy"}),
    (["bohr", "run", "pro"], {"program.c"}, {"run"}),
]


def in_bash(bench, words, variables):
    done = subprocess.run(["bash", "-c", BASH, "bash", SCRIPTS / "bohr.bash", *words], capture_output=True, text=True,
                          env=variables, cwd=bench.folder, timeout=SECONDS)
    return done.stdout.split()


def in_fish(bench, words, variables):
    script = f"source {shlex.quote(str(SCRIPTS / 'bohr.fish'))}; complete -C {shlex.quote(' '.join(words))}"
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, env=variables,
                          cwd=bench.folder, timeout=SECONDS)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def read_until(terminal, file, deadline):
    """What zsh writes is read, so that it never waits for us."""
    os.set_blocking(terminal, False)
    while not file.exists() and time.monotonic() < deadline:
        try:
            os.read(terminal, 65536)
        except BlockingIOError:
            time.sleep(0.01)
        except OSError:
            return


def in_zsh(bench, words, variables):
    offered, ready, done = (bench.folder / name for name in ("offered", "ready", "done"))
    for file in (offered, ready, done):
        file.unlink(missing_ok=True)
    begin = bench.write("begin.zsh", ZSH.format(scripts=shlex.quote(str(SCRIPTS))))
    deadline = time.monotonic() + SECONDS
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(bench.folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**variables, "OFFERED": str(offered), "READY": str(ready), "TERM": "xterm"})
    os.write(terminal, f"source {begin}\n".encode())
    read_until(terminal, ready, deadline)
    os.write(terminal, " ".join(words).encode() + b"\t\x15: >" + str(done).encode() + b"\n")
    read_until(terminal, done, deadline)
    os.write(terminal, b"\x15exit\n")
    os.close(terminal)
    os.waitpid(process, 0)
    if not done.exists():
        fail("zsh", expected="an end", words=words)
    return offered.read_text().split() if offered.exists() else []


def check(bench):
    bench.write("program.c", "")
    variables = {"PATH": f"{bench.bohr.parent}:/usr/bin:/bin", "HOME": str(bench.folder), "LC_ALL": "C.UTF-8"}
    missing = []
    for shell, offer in (("bash", in_bash), ("zsh", in_zsh), ("fish", in_fish)):
        if shutil.which(shell, path=variables["PATH"]) is None:
            missing.append(shell)
            continue
        for words, wanted, others in WORDS:
            offered = set(offer(bench, words, variables))
            if not wanted <= offered or others & offered:
                fail(f"{shell}: completion of {words}", expected=f"{wanted}, not {others}", actual=offered)
        print(f"ok   {shell}: {len(WORDS)} lines completed")
    if missing:
        skip(f"not installed: {' '.join(missing)}")


bench_run(check)
