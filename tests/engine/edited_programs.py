"""A replay lasts: recorded before an edit of the program, its schedule is matched by operation, function and
object, adapted where it drifted, and the user is told how far it went."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from engine import bench_run, fail, run, sentence_of, shown  # noqa: E402

BANK = """
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    int balance;
};
static struct account ours;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void visit(void)
{
    pthread_mutex_lock(&lock);
    visits++;
    pthread_mutex_unlock(&lock);
}

static void deposit(struct account *account, int amount)
{
    int now = account->balance;
    account->balance = now + amount;
}

static void *client(void *unused)
{
    visit();
    deposit(&ours, 1);
    return unused;
}

int main(void)
{
    pthread_t clients[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i], NULL);
    assert(ours.balance == 2);
    return 0;
}
"""
VISIT = BANK[BANK.index("static void visit"):BANK.index("static void deposit")]
DEPOSIT = BANK[BANK.index("static void deposit"):BANK.index("static void *client")]
WATCHER = """
static void *watch(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch, NULL);"""

# What was edited, from, to. The bug is still there.
BANK_EDITS = [
    ("a line is added", "int now =", "/* what there\n       is */\n    int now ="),
    ("a line is added that does something", "int now =", "visits += 0;\n    int now ="),
    ("a function is moved", VISIT + DEPOSIT, DEPOSIT + VISIT),
    ("a member is added", "    int balance;", "    long number, owner;\n    int balance;"),
    ("a function gets another name", "deposit(", "pay_in("),
    ("a variable gets another name", "ours", "theirs"),
    ("operations are added before", "    deposit(", "    visit();\n    visit();\n    deposit("),
    ("operations are added in between", "account->balance = now", "visit();\n    account->balance = now"),
    ("operations are gone", "    visit();\n    deposit", "    deposit"),
    ("a thread is added", "\nint main(void)\n{", WATCHER),
    ("a call is in a function of its own", "    int now = account->balance;",
     "    visit();\n    int now = account->balance;"),
]
BANK_FIXES = [
    ("a lock is held", "    int now = account->balance;\n    account->balance = now + amount;",
     "    pthread_mutex_lock(&lock);\n    account->balance += amount;\n    pthread_mutex_unlock(&lock);"),
    ("one client after the other",
     "        pthread_create(&clients[i], NULL, client, NULL);\n    for (int i = 0; i < 2; i++)\n"
     "        pthread_join(clients[i], NULL);\n",
     "        pthread_create(&clients[i], NULL, client, NULL), pthread_join(clients[i], NULL);\n"),
]

TWO_LOCKS = """
#include <pthread.h>
#include <stdlib.h>
struct box {
    pthread_mutex_t lock;
    int content;
};
static struct box *left, *right;

static void move_one(struct box *from, struct box *to)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->content--;
    to->content++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *back(void *unused)
{
    move_one(right, left);
    return unused;
}

int main(void)
{
    pthread_t thread;
    left = calloc(1, sizeof *left);
    right = calloc(1, sizeof *right);
    pthread_mutex_init(&left->lock, NULL);
    pthread_mutex_init(&right->lock, NULL);
    pthread_create(&thread, NULL, back, NULL);
    move_one(left, right);
    pthread_join(thread, NULL);
    return 0;
}
"""
LOCK_EDITS = [
    ("a member is added before the lock", "    pthread_mutex_t lock;", "    char name[40];\n    pthread_mutex_t lock;"),
    ("a block is allocated before", "    left = calloc", "    free(malloc(100));\n    left = calloc"),
    ("one box is moved twice", "    move_one(left, right);", "    move_one(left, right);\n    move_one(left, right);"),
]
LOCK_FIX = ("    pthread_mutex_lock(&from->lock);\n    pthread_mutex_lock(&to->lock);",
            "    pthread_mutex_lock(&(from < to ? from : to)->lock);\n"
            "    pthread_mutex_lock(&(from < to ? to : from)->lock);")

# Where the preemption has to come is behind a test that is new: the recorded steps alone do not lead there.
DRIFTS = ("    int now = account->balance;\n    account->balance = now + amount;",
          "    for (int i = 0; i < 2; i++) {\n        visit();\n        int now = account->balance;\n"
          "        visit();\n        account->balance = now + (i == 0 ? 0 : amount);\n    }")


def words_of(text):
    return re.sub(r"\s+", " ", text)


def record(bench, name, source, kind):
    bench.write(f"{name}.c", source)
    command = [bench.bohr, "run", "--no-progress", "--races", "off", "--detect", "-untidy", "-o", bench.folder / f"{name}-out",
               f"{name}.c"]
    done = run(command, cwd=bench.folder)
    path = bench.folder / f"{name}-out" / f"{kind}-1.bohr"
    if done.status != 1 or not path.exists():
        fail(f"{name}: the search", command=shown(command), expected=f"a {kind}", output=done.text())
    return path


def edited(source, edit):
    title, old, new = edit
    if old not in source:
        fail(title, expected=f"{old!r} in the program", actual="it is not there")
    return source.replace(old, new)


def replay(bench, path, status, title):
    command = [bench.bohr, "replay", path]
    done = run(command, cwd=bench.folder)
    if done.status != status:
        fail(title, command=shown(command), expected=f"exit status {status}", actual=done.status,
             output=done.text())
    return words_of(done.output)


def expect(title, said, *wanted):
    for words in wanted:
        if words not in said:
            fail(title, expected=words, actual=said)


def still_there(bench, name, source, path, kind, edits):
    for edit in edits:
        bench.write(f"{name}.c", edited(source, edit))
        said = replay(bench, path, 1, edit[0])
        expect(edit[0], said, "built again since", "the schedule was followed to", f"the {kind} shows again")


def bank(bench):
    path = record(bench, "bank", BANK, "assertion")
    before = path.read_bytes()
    still_there(bench, "bank", BANK, path, "assertion", BANK_EDITS)
    bench.write("bank.c", BANK.replace("int now =", "// what there is\n    int now ="))
    expect("only a line is added", replay(bench, path, 1, "a line"), "to its end, all 12 steps:")
    bench.write("bank.c", edited(BANK, ("drift", *DRIFTS)))
    expect("the schedule drifted", replay(bench, path, 1, "the schedule drifted"), "the assertion shows again")
    for fix in BANK_FIXES:
        bench.write("bank.c", edited(BANK, fix))
        said = replay(bench, path, 0, fix[0])
        expect(fix[0], said, "the assertion no longer shows", "followed to", "nothing wrong found")
    bench.write("bank.c", BANK)
    if "built again" in replay(bench, path, 1, "the program as it was"):
        fail("the program as it was", expected="not a word about another build", actual="one")
    if path.read_bytes() != before:
        fail("the replay file", expected="it stays as it is", actual="it was changed")


def two_locks(bench):
    path = record(bench, "locks", TWO_LOCKS, "deadlock")
    still_there(bench, "locks", TWO_LOCKS, path, "deadlock", LOCK_EDITS)
    bench.write("locks.c", TWO_LOCKS.replace(*LOCK_FIX))
    expect("always in the same order", replay(bench, path, 0, "always in the same order"),
           "the deadlock no longer shows")


def another_finding(bench):
    """The bug is another one now."""
    path = bench.folder / "locks-out" / "deadlock-1.bohr"
    fixed = TWO_LOCKS.replace(*LOCK_FIX).replace("    to->content++;", "    to->content++;\n    abort();")
    bench.write("locks.c", fixed)
    expect("another finding", replay(bench, path, 1, "another finding"), "the deadlock no longer shows, but another",
           "finding 1: a crash")


def another_program(bench):
    path = bench.folder / "locks-out" / "deadlock-1.bohr"
    bench.write("locks.c", "#include <stdio.h>\nint main(void) { return 0; }\n")
    done = run([bench.bohr, "replay", path], cwd=bench.folder)
    said = sentence_of(done.errors)
    if done.status != 2 or "none of the recorded steps" not in said or "\n" in said:
        fail("another program", expected="exit status 2 and one sentence", actual=done.status, said=said,
             output=done.output)


def check(bench):
    bank(bench)
    two_locks(bench)
    another_finding(bench)
    another_program(bench)


bench_run(check)
