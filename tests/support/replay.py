"""The findings of every test are replayed at once and come out the same: all of them, but of those of hundreds of random
programs one in eight. `make test-all` replays them on both carriers, `make test` on the one that the kind and the place of
the finding select, `make check` on fibers."""
import json
import os
import shlex
import subprocess

import tier

CARRIERS = ("fibers", "kernel")
SECONDS = 3600  # a limit for a replay that hangs
ALL = tier.by_tier(10, 20, 50)  # of one test: so many findings are all replayed,
RARELY = 8  # and after them one in so many


def identity(program, finding):
    """What makes a replay another test than one that was run before."""
    return (str(program), finding["kind"], finding.get("message"), finding.get("file"),
            finding.get("line"), finding.get("thread"))


def option_of(words, name):
    words = [str(word) for word in words]
    return words[words.index(name):][:2] if name in words else []


def kinds_in(text):
    """What a replay has found; nothing if it has not even said so."""
    try:
        return [finding["kind"] for finding in json.loads(text)["findings"]]
    except ValueError:
        return []


def carriers_for(finding):
    if tier.TIER == "check":
        return CARRIERS[:1]
    return tier.sample(f"{finding['kind']} {os.path.basename(finding.get('file') or '')} {finding.get('line')}", CARRIERS)


def replay_finding(bohr, finding, words=(), text="", **settings):
    """None, or the story of what is wrong. WORDS: the options of the search; TEXT: its standard input."""
    if not finding.get("replay"):
        if finding["severity"] != "error":
            return None
        return dict(expected=f"a replay file for the {finding['kind']}", actual="none")
    for carrier in carriers_for(finding):
        command = [str(bohr), "replay", "--carrier", carrier, "--json", "-", *option_of(words, "--hang"),
                   str(finding["replay"])]
        try:
            done = subprocess.run(command, input=text, capture_output=True, text=True,
                                  errors="replace", timeout=SECONDS, **settings)
        except subprocess.TimeoutExpired:
            return dict(expected=f"an end within {SECONDS} seconds", actual="still running",
                        again=shlex.join(command))
        statuses = (1,) if finding["severity"] == "error" else (0, 1)
        if done.returncode not in statuses or finding["kind"] not in kinds_in(done.stdout):
            return dict(expected=f"the same {finding['kind']} when replayed on {carrier}",
                        actual=f"exit status {done.returncode}",
                        output=(done.stdout + done.stderr).rstrip(), again=shlex.join(command))
    return None


class Replays:
    """Remembers what was replayed, so that searches of one program replay a finding once."""

    def __init__(self, bohr):
        self.bohr, self.known = bohr, set()

    def problem(self, program, findings, words=(), text="", **settings):
        """None, or the story of the first that does not come out the same."""
        for finding in findings:
            name = identity(program, finding)
            if finding["kind"] == "nondeterminism" or name in self.known:
                continue  # which never comes out the same
            self.known.add(name)
            if len(self.known) > ALL and len(self.known) % RARELY != 0:
                continue
            story = replay_finding(self.bohr, finding, words, text, **settings)
            if story is not None:
                return story
        return None
