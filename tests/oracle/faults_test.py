#!/usr/bin/env python3
"""Seeded faults: each row of the table of operations with one of its columns broken must change an answer.

A fault (`bohr run --fault COLUMN:WORD`) is caught if some program in which its row takes part ends otherwise, races
otherwise, has other classes than the oracle says, is not searched to the end, or has more executions cut. The programs are those of
fault_programs.py and pairs of the row with those of its family; without the fault each agrees with the oracle. A fault
that can change no answer is equivalent: the table itself says that the row has no such effect, or EQUIVALENT gives the
reason. A fault that is neither caught nor equivalent fails the test, and so does one that is both. The table of faults
is printed. A row joins with its first snippet (rows.py) or program (fault_programs.py). `make test-all` tries all faults,
`make test` a fixed selection of them."""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fault_programs  # noqa: E402
import oracle  # noqa: E402
import programs  # noqa: E402
import rows  # noqa: E402
import tier  # noqa: E402

COLUMNS = ["dependence", "sync", "memory", "enabled"]
PARTNERS, SHORT, IN_FILE = 14, 11, 100  # SHORT is prime to the number of columns, so all of them are selected
EXECUTIONS = 20_000  # of one search: far more than any of these programs has
SECONDS = 3600  # of one command: a limit for a tool that hangs, no part of any verdict

FILE_OBJECT = "a FILE is an object of libc: a program can neither initialise nor overwrite it, so no access conflicts"
NAME_ONLY = "the address is only a name: the operation does not access what is there"
BY_VALUE = "its arguments are passed by value: the operation accesses no memory of the program"
EVENT = "an event of the kernel takes no pointers: it accesses no memory of the program"
OWN_CODE = "the step runs a handler, and what that accesses are accesses of its own code"
PARTNERS_DEPEND = "every operation that it conflicts with depends on all steps by its own row"
# (row, column): why no answer can change although the table gives the row such an effect.
EQUIVALENT = {
    ("DETACH", "memory"): BY_VALUE,
    ("EXIT", "memory"): "the operation takes a number; what exit handlers access are accesses of their own",
    ("EXIT", "dependence"): "an execution's last step depends on every other one whatever its row says (COUNTING.md)",
    ("PROCESS_END", "memory"): EVENT,
    ("CANCEL", "memory"): BY_VALUE,
    ("CANCEL_TEST", "dependence"): PARTNERS_DEPEND,
    ("CANCEL_TEST", "memory"): BY_VALUE,
    ("CANCELLED", "memory"): OWN_CODE,
    ("SIGNAL_HANDLE", "dependence"): PARTNERS_DEPEND,
    ("SIGNAL_HANDLE", "memory"): OWN_CODE,
    ("SIGNAL_SEND", "memory"): BY_VALUE,
    ("SIGNAL_SLEEP", "dependence"): PARTNERS_DEPEND,
    ("SIGNAL_LOOK", "dependence"): PARTNERS_DEPEND,
    ("TIMER_EXPIRE", "memory"): EVENT,
    ("RWLOCK_QUEUE", "enabled"): "the operation is announced as a write-lock, and its row says when it can go on",
    ("STREAM_LOCK", "memory"): FILE_OBJECT,
    ("STREAM_TRYLOCK", "memory"): FILE_OBJECT,
    ("STREAM_UNLOCK", "memory"): FILE_OBJECT,
    ("FUTEX_WAKE", "memory"): "a thread that was woken does not look at the word again",
    ("FUTEX_SIGNAL", "memory"): NAME_ONLY,
    ("HAPPENS_BEFORE", "memory"): NAME_ONLY,
    ("HAPPENS_AFTER", "memory"): NAME_ONLY,
}


def columns_of_table():
    """The columns of each row that say whether it has an effect at all."""
    text = re.sub(r"/\*.*?\*/", "", (rows.ROOT / "src/core/op.def").read_text(), flags=re.S)
    pattern = r"^OP\(\s*(\w+),.*?DEPENDS\(([^)]*)\).*?SEARCH\(\s*(\w+)"
    found = {}
    for name, depends, memory in re.findall(pattern, text, re.M | re.S):
        access, failed, scope, second, sync = (word.strip() for word in depends.split(","))
        nothing = (access, failed, scope, memory) == ("NONE", "NONE", "OBJECT", "NONE") and second in ("NOTHING", "LED")
        found[name] = {"accesses nothing": nothing, "sync": sync}
    return found


def equivalent(row, column, table):
    """Why the fault changes no answer, or None: it does."""
    if column == "sync" and table[row]["sync"] == "NONE":
        return "the table says that the row synchronises nothing"
    if column in ("dependence", "memory") and table[row]["accesses nothing"]:
        return "the table says that the row accesses nothing"
    return EQUIVALENT.get((row, column))


def pairs(row):
    """Pairs of this row with those of its family, in the variants that show most."""
    snippets = rows.SNIPPETS.get(row, [])
    family = sorted((name for name in rows.SNIPPETS if rows.family(name) == rows.family(row)), key=lambda name: name != row)
    found = []
    for snippet in snippets:
        for partner in family:
            for other in rows.SNIPPETS[partner]:
                found.append(programs.pair(row, snippet, partner, other, "plain"))
                found.append(programs.pair(partner, other, row, snippet, "plain"))
    found += [programs.pair(row, snippets[0], row, snippets[0], variant) for variant in ("swapped", "assert") if snippets]
    return found[:4] + found[4::max(1, len(found) // PARTNERS)]


class Candidate:
    """A program that may show the fault, and how to search it."""

    def __init__(self, program, options=None):
        self.program, self.alone = program, options is not None
        self.options = options or []
        self.right = None  # the answer without a fault

    def build_as(self, name, number, judge, fair):
        """The judges are the oracle's answers; there are none for programs that are judged alone."""
        self.name, self.number, self.judge, self.fair = name, number, judge, fair


def candidates(row):
    found = [Candidate(program) for program in fault_programs.judged_by_oracle(row)]
    found += [Candidate(program, options) for options, program in fault_programs.judged_alone(row)]
    return found + [Candidate(program) for program in pairs(row)]


def shuffled(column, found):
    """Those first that are meant for this kind of fault: it is caught sooner."""
    first = {"sync": "handover", "memory": "overwrite"}.get(column, "beside")
    return sorted(found, key=lambda candidate: first not in candidate.program.title)


class Search:
    """Runs the candidates, and tells what differs from the right answer.

    A timeout of a futex yields (COUNTING.md, rule 10), so the fair oracle says what must be there, the other one what may."""

    def __init__(self, bench):
        self.bench, self.loose = bench, rows.rows_with_scope("ALL")
        self.runs = 0

    def run(self, candidate, fault, strategy=("-s", "dpor")):
        """The JSON result, or None: there is none, the tool failed."""
        self.runs += 1
        options = [*strategy, "-n", EXECUTIONS, *candidate.options, *(["--fault", fault] if fault else [])]
        words = [self.bench.bohr, "run", "-k", "-q", "--no-shrink", "--no-explain", "--always", "stop", "-o", self.bench.folder / "out", "--json", "-",
                 *options, self.bench.folder / candidate.name, candidate.number]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=SECONDS, cwd=self.bench.folder)
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            return None

    @staticmethod
    def answer(result):
        races = {finding["object"] for finding in result["findings"] if finding["kind"] == "race"}
        return oracle.bohr_outcomes(result), races, result["classes"], result["complete"], result["cut"]

    def differs(self, candidate, result):
        """How the result differs from the right answer, or None."""
        if result is None:
            return "internal error"
        if candidate.alone:
            names = "outcomes", "races", "classes", "complete", "cut"
            changed = [name for name, a, b in zip(names, self.answer(result), self.answer(candidate.right)) if a != b]
            return f"other {changed[0]}" if changed else None
        most, least = candidate.judge.raw[candidate.number], candidate.fair.raw[candidate.number]
        again = bool(candidate.program.names & set(rows.EXTRA))
        for what, _, surplus in oracle.differences(candidate.judge, most, result, again):
            if surplus:
                return f"surplus {what}"
        for what, missing, _ in oracle.differences(candidate.fair, least, result, again):
            if missing:
                return f"missing {what}"
        if not most["cut_short"] and not again:
            loose = bool(candidate.program.names & self.loose)
            if result["classes"] < least["classes"] or (result["classes"] > most["classes"] and not loose):
                return f"{result['classes']} classes, not {most['classes']}"
        if not result["complete"] or result["claim"]["unreduced"]:
            return "not searched to the end"
        return None if result["cut"] <= candidate.right["cut"] else "more executions cut"

    def differs_from_dfs(self, candidate):
        """Where there is no oracle, an exhaustive search that knows of no dependence says what outcomes and races there are."""
        result = self.run(candidate, None, ("-s", "dfs", "--points", "all"))
        if result is None or not result["complete"]:
            return "dfs does not end"
        wanted, shown = self.answer(result), self.answer(candidate.right)
        return None if wanted[:2] == shown[:2] else f"dfs shows {wanted[:2]}, dpor {shown[:2]}"

    def usable(self, candidate):
        """Whether the candidate is small enough, and right without a fault. The latter must be so."""
        if not candidate.alone and any(judge.raw[candidate.number]["limit"] for judge in (candidate.judge, candidate.fair)):
            return False
        if candidate.right is None:
            candidate.right = self.run(candidate, None)
            what = "no result" if candidate.right is None else self.differs(candidate, candidate.right)
            if candidate.alone and what is None:
                what = self.differs_from_dfs(candidate)
            if what is not None:
                raise SystemExit(f"FAIL {candidate.program.title}: without a fault Bohr differs from the oracle: {what}\n"
                                 + candidate.program.text(candidate.number))
        return True

    def caught(self, found, fault):
        """What shows the fault, or None."""
        for candidate in found:
            if self.usable(candidate):
                how = self.differs(candidate, self.run(candidate, fault))
                if how is not None:
                    return f"{how}: {candidate.program.title}"
        return None


def build(bench, by_row):
    """Builds the candidates of all rows, many in one file."""
    builder = oracle.Builder(bench.bohr, bench.folder)
    alone = [candidate for found in by_row.values() for candidate in found if candidate.alone]
    source = bench.folder / "alone.c"
    source.write_text(fault_programs.file_of([candidate.program for candidate in alone]))
    oracle.command([bench.bohr, "cc", "-g", "-O1", "-w", source, builder.outcome, "-o", bench.folder / "alone"])
    for number, candidate in enumerate(alone):
        candidate.build_as("alone", number, None, None)
    waiting = [candidate for found in by_row.values() for candidate in found if not candidate.alone]
    for file, start in enumerate(range(0, len(waiting), IN_FILE)):
        name, part = f"faults-{file}", waiting[start:start + IN_FILE]
        builder.build(name, fault_programs.file_of([candidate.program for candidate in part]), "gcc", "-O1")
        judge, fair = oracle.enumerate_file(builder, name, len(part), oracle.LIMIT_SHORT)
        for number, candidate in enumerate(part):
            candidate.build_as(name, number, judge, fair)


def check(bench):
    table, words = columns_of_table(), rows.words_of_table()
    known = [row for row in rows.check_rows() if row in rows.SNIPPETS or fault_programs.judged_alone(row)]
    faults = [(row, column) for row in known for column in COLUMNS]
    chosen = tier.part(faults) if tier.ALL else faults[::SHORT]
    only = os.environ.get("BOHR_FAULTS")  # for work on this test: names of rows
    if only:
        chosen = [(row, column) for row, column in faults if row in only.split(",")]
    by_row = {row: candidates(row) for row in known if any(row == name for name, _ in chosen)}
    build(bench, by_row)
    search, wrong = Search(bench), []
    counts = {"caught": 0, "equivalent by the table": 0, "equivalent by the list": 0}
    for row, column in chosen:
        how = search.caught(shuffled(column, by_row[row]), f"{column}:{words[row]}")
        reason = equivalent(row, column, table)
        if (how is None) == (reason is None):
            wrong.append(f"{row} {column}: " + ("neither caught nor equivalent" if how is None else f"caught ({how}) but equivalent"))
        else:
            counts["caught" if how else "equivalent by the list" if (row, column) in EQUIVALENT else "equivalent by the table"] += 1
        print(f"{row:<18} {column:<11} {'caught' if how else 'not caught':<11} {how or ''}{'equivalent: ' + reason if reason else ''}", flush=True)
    surplus = sorted(set(EQUIVALENT) - set(faults))
    wrong += [f"{row} {column}: in EQUIVALENT, but no such fault exists" for row, column in surplus]
    print(f"{len(chosen)} of {len(faults)} faults: " + ", ".join(f"{count} {kind}" for kind, count in counts.items())
          + f"; {search.runs} searches")
    if wrong:
        print("\n".join(["FAIL faults that are neither caught nor equivalent, or both", *(f"     {line}" for line in wrong)]))
        sys.exit(1)
    print("ok   every fault that can change an answer is caught")


if __name__ == "__main__":
    from engine import bench_run
    bench_run(check)
