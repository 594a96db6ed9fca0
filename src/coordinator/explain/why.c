#define _GNU_SOURCE
#include "coordinator/explain/why.h"

#include <signal.h>
#include <string.h>

#include "base/assert.h"
#include "coordinator/explain/unended_text.h"
#include "coordinator/symbols/function_name.h"
#include "coordinator/symbols/symbols.h"
#include "coordinator/text.h"

enum { NAME_LONG = 40 };

static const char *place(const struct named_site *at)
{
    if (at->file == NULL)
        return at->function != NULL
                   ? text_print(" (%s)", function_name_short(at->function, NAME_LONG))
               : at->module != NULL ? text_print(" (in %s)", at->module)
                                    : "";
    const char *slash = strrchr(at->file, '/');
    const char *file = slash == NULL ? at->file : slash + 1;
    return at->function != NULL
               ? text_print(" (%s, %s:%u)", function_name_short(at->function, NAME_LONG), file,
                            at->line)
               : text_print(" (%s:%u)", file, at->line);
}

static const char *object_of(const struct reported *reported)
{
    return reported->object != NULL && *reported->object != 0 ? reported->object : "memory";
}

static const char *access_verb(const struct reported *reported, uint32_t place)
{
    const struct place *at = &reported->finding.places[place];
    enum verb verb = reported_verb(reported, place);
    if (verb == VERB_READS && at->atomic)
        return "reads it atomically";
    if (verb == VERB_WRITES && at->atomic)
        return "changes it atomically";
    return text_print("%s it", verb_word(verb));
}

static const char *why_race(const struct reported *reported)
{
    const struct place *later = &reported->finding.places[0], *earlier = later + 1;
    return text_print("%s: T%u %s%s, T%u %s%s, and nothing makes one come before the other",
                      object_of(reported), earlier->thread, access_verb(reported, 1),
                      place(&reported->places[1]), later->thread, access_verb(reported, 0),
                      place(&reported->places[0]));
}

static const struct story_wait *wait_of(const struct reported *reported, thread_id thread)
{
    for (uint32_t i = 0; i < reported->wait_count; i++)
        if (reported->waits[i].thread == thread)
            return &reported->waits[i];
    return NULL;
}

/* The wait of the thread that this one waits for; NULL: that thread does not wait. */
static const struct story_wait *next_in_circle(const struct reported *reported,
                                               const struct story_wait *wait)
{
    return wait->owner == NO_THREAD ? NULL : wait_of(reported, wait->owner);
}

/* A wait in a circle of waits; NULL: there is no circle. */
static const struct story_wait *circle(const struct reported *reported)
{
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        const struct story_wait *at = next_in_circle(reported, &reported->waits[i]);
        for (uint32_t k = 0; k < reported->wait_count && at != NULL; k++) {
            if (at == &reported->waits[i])
                return at;
            at = next_in_circle(reported, at);
        }
    }
    return NULL;
}

static const char *wait_text(const struct story_wait *wait)
{
    if (wait->kind == OP_JOIN)
        return text_print("T%u waits for T%u to end", wait->thread, wait->owner);
    if (wait->owner == wait->thread)
        return text_print("T%u waits for %s, which it holds itself%s", wait->thread, wait->object,
                          place(&wait->at));
    return text_print("T%u waits for %s, which T%u holds", wait->thread, wait->object, wait->owner);
}

/* Whether a thread waits for the end of a thread that waits itself. The latter is the cause. */
static bool waits_for_waits(const struct reported *reported, const struct story_wait *wait)
{
    return wait->kind == OP_JOIN && wait_of(reported, wait->owner) != NULL;
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether two threads wait at the same place for the same object. */
static bool waits_alike(const struct story_wait *a, const struct story_wait *b)
{
    return a->kind == b->kind && a->at.line == b->at.line && is_same(a->object, b->object) &&
           is_same(a->at.file, b->at.file) && is_same(a->at.function, b->at.function);
}

static bool was_named(const struct reported *reported, uint32_t which)
{
    for (uint32_t i = 0; i < which; i++)
        if (waits_alike(&reported->waits[i], &reported->waits[which]))
            return true;
    return false;
}

/* "T1 at its", "T1 and T2 at their": the thread of this wait and those of later waits like it. */
static const char *waiters_like(const struct reported *reported, uint32_t first)
{
    const struct story_wait *wait = &reported->waits[first];
    const char *text = text_print("T%u", wait->thread), *last = NULL;
    for (uint32_t i = first + 1; i < reported->wait_count; i++) {
        if (!waits_alike(wait, &reported->waits[i]))
            continue;
        if (last != NULL)
            text = text_print("%s, %s", text, last);
        last = text_print("T%u", reported->waits[i].thread);
    }
    return last == NULL ? text_print("%s at its", text)
                        : text_print("%s and %s at their", text, last);
}

/* "T1 at its wake of ready (get, queue.c:40), T2 at its lock of m (put, queue.c:22)" */
static const char *all_waits(const struct reported *reported)
{
    const char *text = "";
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        const struct story_wait *wait = &reported->waits[i];
        if (waits_for_waits(reported, wait) || was_named(reported, i))
            continue;
        text = text_print("%s%s%s %s%s%s%s", text, *text == 0 ? "" : ", ",
                          waiters_like(reported, i), op_word(wait->kind),
                          *wait->object != 0 ? " " : "", wait->object, place(&wait->at));
    }
    return text;
}

static const char *why_deadlock(const struct reported *reported)
{
    const struct story_wait *first = circle(reported);
    if (first == NULL && reported->wait_count == 0)
        return "no thread can go on";
    if (first == NULL)
        return text_print("waiting forever: %s", all_waits(reported));
    const char *text = wait_text(first);
    for (const struct story_wait *at = next_in_circle(reported, first); at != first;
         at = next_in_circle(reported, at))
        text = text_print("%s; %s", text, wait_text(at));
    return text;
}

static const char *why_freed(const struct reported *reported)
{
    const struct place *use = &reported->finding.places[0], *freed = use + 1;
    const char *verb =
        reported->finding.kind == FINDING_DOUBLE_FREE ? "frees it" : access_verb(reported, 0);
    if (freed->thread == NO_THREAD)
        return text_print("%s: T%u %s%s after it was freed", object_of(reported), use->thread, verb,
                          place(&reported->places[0]));
    return text_print("%s: T%u %s%s after T%u freed it%s", object_of(reported), use->thread, verb,
                      place(&reported->places[0]), freed->thread, place(&reported->places[1]));
}

static const char *why_outside(const struct reported *reported)
{
    const struct place *use = &reported->finding.places[0];
    if (use->size == 0) /* found only when the block is freed */
        return text_print("bytes beside %s were overwritten, as T%u%s finds", object_of(reported),
                          use->thread, place(&reported->places[0]));
    return text_print("T%u %s %u byte%s%s at %s", use->thread, use->writes ? "writes" : "reads",
                      use->size, use->size == 1 ? "" : "s", place(&reported->places[0]),
                      object_of(reported));
}

static const char *why_ended(const struct reported *reported)
{
    const struct place *use = &reported->finding.places[0];
    return text_print("T%u %s%s what lies on the stack of T%u, which has ended", use->thread,
                      use->writes ? "writes" : "reads", place(&reported->places[0]),
                      reported->finding.places[1].thread);
}

static const char *why_order(const struct reported *reported)
{
    const struct place *one = &reported->finding.places[0], *other = one + 1;
    return text_print("T%u takes %s%s while it holds a lock that T%u%s would wait for, and the "
                      "other way round",
                      one->thread, object_of(reported), place(&reported->places[0]), other->thread,
                      place(&reported->places[1]));
}

static const char *who(const struct reported *reported)
{
    thread_id thread = reported->finding.thread;
    return thread == NO_THREAD ? "a thread" : text_print("T%u", thread);
}

static const char *message_of(const struct reported *reported, const char *otherwise)
{
    return reported->finding.message[0] != 0 ? reported->finding.message : otherwise;
}

static const char *why_assertion(const struct reported *reported)
{
    return text_print("in %s%s this does not hold: %s", who(reported), place(&reported->at),
                      message_of(reported, "it has no text"));
}

static const char *why_livelock(const struct reported *reported)
{
    uint32_t cycle = reported->finding.cycle;
    if (finding_is_unended(&reported->finding))
        return unended_text(reported);
    if (cycle > 0 && strcmp(reported->finding.message, FINDING_LOOP_OF_STATES) == 0)
        return text_print(
            "the last %u step%s to where %s began, with a step of everybody who can run", cycle,
            cycle == 1 ? " leads back" : "s lead back", cycle == 1 ? "it" : "they");
    if (cycle > 0)
        return text_print("%s forever, and nothing leads out of that%s%s",
                          cycle == 1 ? "the last step comes again"
                                     : text_print("the last %u steps come again", cycle),
                          reported->wait_count > 0 ? ": " : "", all_waits(reported));
    if (reported->wait_count > 0)
        return text_print(
            "what these look at will never change, as nobody is left to change it: %s",
            all_waits(reported));
    return "threads go on forever and get nowhere";
}

static const char *why_crash(const struct reported *reported)
{
    int signal = reported->finding.status;
    const char *name = sigabbrev_np(signal);
    if (name == NULL)
        return text_print("%s%s: %s", who(reported), place(&reported->at),
                          message_of(reported, "the process was killed"));
    uint64_t address = reported->finding.address;
    bool lost = strcmp(reported->finding.message, FINDING_LOST_CALL) == 0;
    const char *where =
        signal != SIGSEGV && signal != SIGBUS ? ""
        : lost ? text_print(", at a call of address 0x%lx, where there is no code", address)
               : text_print(", at an access to address 0x%lx", address);
    return text_print("SIG%s ends the program%s: %s was there%s", name, where, who(reported),
                      place(&reported->at));
}

static const char *why_exception(const struct reported *reported)
{
    return text_print("%s throws %s%s, and nothing catches it", who(reported),
                      symbols_type(message_of(reported, "an exception")), place(&reported->at));
}

static const char *why_hang(const struct reported *reported)
{
    return text_print("%s does not come to its next operation%s: %s", who(reported),
                      place(&reported->at), message_of(reported, "it computes forever"));
}

static const char *why_wrong_free(const struct reported *reported)
{
    bool named = reported->object != NULL && *reported->object != 0;
    return text_print("%s frees%s %s: %s", who(reported), place(&reported->places[0]),
                      named ? reported->object : "what it must not",
                      message_of(reported, finding_word(reported->finding.kind)));
}

static const char *why_held_at_fork(const struct reported *reported)
{
    const struct place *call = &reported->finding.places[0], *held = call + 1;
    const char *forked =
        call->step < reported->step_count ? place(&reported->steps[call->step].at) : "";
    return text_print("T%u holds %s%s when T%u forks%s; the child process locks it%s, and no "
                      "thread there can unlock it",
                      held->thread, object_of(reported), place(&reported->places[1]), call->thread,
                      forked, place(&reported->places[0]));
}

/* The message says all but thread, object and place. */
static const char *why_told(const struct reported *reported)
{
    if (strstr(reported->finding.message, FINDING_HELD_AT_FORK) != NULL)
        return why_held_at_fork(reported);
    bool named = reported->object != NULL && *reported->object != 0;
    return text_print("%s%s: %s%s%s", who(reported), place(&reported->places[0]),
                      message_of(reported, finding_word(reported->finding.kind)), named ? ": " : "",
                      named ? reported->object : "");
}

static const char *why_uninitialised(const struct reported *reported)
{
    return text_print("%s reads%s what nobody has set in %s", who(reported),
                      place(&reported->places[0]), object_of(reported));
}

static const char *why_leak(const struct reported *reported)
{
    return text_print("nothing points to %s any more, which %s has allocated%s",
                      object_of(reported), who(reported), place(&reported->places[0]));
}

static const char *why_lockset(const struct reported *reported)
{
    const struct place *one = &reported->finding.places[0], *other = one + 1;
    const char *second = other->thread == NO_THREAD
                             ? ""
                             : text_print(" and T%u%s", other->thread, place(&reported->places[1]));
    return text_print("%s: there is no lock that every thread holds that uses it, such as T%u%s%s",
                      object_of(reported), one->thread, place(&reported->places[0]), second);
}

static const char *why_split(const struct reported *reported)
{
    const struct place *one = &reported->finding.places[0], *other = one + 1;
    return text_print("%s: T%u reads it and then writes it%s, and in between T%u writes it%s",
                      object_of(reported), one->thread, place(&reported->places[0]), other->thread,
                      place(&reported->places[1]));
}

static const char *why_exit(const struct reported *reported)
{
    return text_print("the program ends with status %d%s: %s", reported->finding.status,
                      place(&reported->at), message_of(reported, "another one is right"));
}

/* The message ends with what the signal interrupts: a call, or a thread that holds a lock. */
static const char *why_signal_unsafe(const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    const char *name = sigabbrev_np(finding->status);
    bool holds = finding->object != NO_OBJECT;
    return text_print(
        "%s%s in its handler of %s: %s%s%s%s", who(reported), place(&reported->places[0]),
        name != NULL ? text_print("SIG%s", name) : "a real-time signal", message_of(reported, ""),
        holds ? ": " : "", holds ? object_of(reported) : "", place(&reported->places[1]));
}

static const char *sentence(const struct reported *reported)
{
    switch ((enum finding_kind)reported->finding.kind) {
    case FINDING_ASSERTION:
        return why_assertion(reported);
    case FINDING_DEADLOCK:
        return why_deadlock(reported);
    case FINDING_LIVELOCK:
        return why_livelock(reported);
    case FINDING_CRASH:
        return why_crash(reported);
    case FINDING_UNCAUGHT_EXCEPTION:
        return why_exception(reported);
    case FINDING_HANG:
        return why_hang(reported);
    case FINDING_RACE:
        return why_race(reported);
    case FINDING_MISUSE:
        return why_told(reported);
    case FINDING_INVALID_FREE:
    case FINDING_MISMATCHED_FREE:
        return why_wrong_free(reported);
    case FINDING_USE_AFTER_FREE:
    case FINDING_DOUBLE_FREE:
        return why_freed(reported);
    case FINDING_OUT_OF_BOUNDS:
        return why_outside(reported);
    case FINDING_UNINITIALISED:
        return why_uninitialised(reported);
    case FINDING_LEAK:
        return why_leak(reported);
    case FINDING_USE_AFTER_RETURN:
        return why_ended(reported);
    case FINDING_LOCK_ORDER:
        return why_order(reported);
    case FINDING_LOCKSET:
        return why_lockset(reported);
    case FINDING_ATOMICITY:
        return why_split(reported);
    case FINDING_EXIT:
        return why_exit(reported);
    case FINDING_OUTPUT:
        return message_of(reported, finding_word(reported->finding.kind));
    case FINDING_NONDETERMINISM:
        return text_print("something else than the schedule decides what the program does; %s",
                          message_of(reported, "run again, it went another way"));
    case FINDING_SIGNAL_UNSAFE:
        return why_signal_unsafe(reported);
    case FINDING_KINDS:
        break;
    }
    UNREACHABLE();
}

enum { LINE_SHOWN = 30 };

/* A line of output in quotes, without characters that a terminal would not show. */
static const char *quoted(const char *line)
{
    if (*line == 0)
        return "missing";
    size_t count = strcspn(line, "\n"), shown = count > LINE_SHOWN ? LINE_SHOWN : count;
    char *text = text_copy(line, shown);
    for (size_t i = 0; i < shown; i++)
        if ((unsigned char)text[i] < 32)
            text[i] = '?';
    return text_print("\"%s%s\"", text, shown < count ? "…" : "");
}

const char *why_output(const struct reported *reported)
{
    const char *wrong = reported->output != NULL ? reported->output : "";
    const char *right = reported->explanation.output != NULL ? reported->explanation.output : "";
    uint32_t line = 1;
    for (; *wrong != 0 || *right != 0; line++) {
        size_t count = strcspn(wrong, "\n"), other = strcspn(right, "\n");
        if (count != other || strncmp(wrong, right, count) != 0)
            break;
        wrong += count + (wrong[count] != 0);
        right += other + (right[other] != 0);
    }
    /* no line differs: the difference is in the last newline, or there is no text */
    if (*wrong == 0 && *right == 0)
        return reported->why;
    return text_print("%s: line %u is %s and should be %s", reported->why, line, quoted(wrong),
                      quoted(right));
}

/* Where a file name ends that is followed by a line number and a bracket; NULL: nowhere. */
static char *file_end(char *text)
{
    for (char *at = strchr(text, ':'); at != NULL; at = strchr(at + 1, ':')) {
        size_t digits = strspn(at + 1, "0123456789");
        if (digits > 0 && at[1 + digits] == ')')
            return at;
    }
    return NULL;
}

static size_t name_length(const char *text, const char *end)
{
    size_t length = 0;
    while (end - length > text && end[-1 - (ptrdiff_t)length] != ' ' &&
           end[-1 - (ptrdiff_t)length] != '(')
        length++;
    return length;
}

/* Names each file once where it repeats: "(put, queue.c:22) and (take, line 40)". */
static const char *name_files_once(const char *long_text)
{
    char *text = text_copy(long_text, strlen(long_text)), *rest = text, *end;
    const char *out = "", *named = NULL;
    size_t named_length = 0;
    while ((end = file_end(rest)) != NULL) {
        size_t length = name_length(rest, end);
        bool again =
            named != NULL && length == named_length && strncmp(end - length, named, length) == 0;
        out = again ? text_print("%s%.*sline ", out, (int)(end - length - rest), rest)
                    : text_print("%s%.*s", out, (int)(end + 1 - rest), rest);
        named = end - length;
        named_length = length;
        rest = end + 1;
    }
    return text_print("%s%s", out, rest);
}

const char *why_text(const struct reported *reported)
{
    return name_files_once(sentence(reported));
}
