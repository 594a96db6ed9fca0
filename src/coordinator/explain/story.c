#define _GNU_SOURCE
#include "coordinator/explain/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "coordinator/explain/phrase.h"
#include "coordinator/explain/why.h"
#include "coordinator/text.h"
#include "coordinator/worker/boards.h"
#include "detector/lost_wakeup.h"

struct teller {
    const struct board *board;
    struct symbols *symbols;
    const char **names; /* short names of objects, filled in on demand */
};

static const char *plus(const char *name, uint64_t offset)
{
    if (offset > INT64_MAX) /* a negative offset */
        return text_print("%s-%lu", name, (unsigned long)-offset);
    return offset == 0 ? name : text_print("%s+%lu", name, (unsigned long)offset);
}

static const char *block_name(struct teller *teller, const struct object *object, uint64_t offset,
                              bool full)
{
    if (!full)
        return plus(text_print("block #%u of T%u", object->number, object->thread), offset);
    struct named_site at = symbols_site(teller->symbols, object->site);
    const char *slash = at.file == NULL ? NULL : strrchr(at.file, '/');
    const char *file = slash == NULL ? at.file : slash + 1;
    const char *from = file == NULL ? "" : text_print(", from %s:%u", file, at.line);
    return plus(text_print("heap block #%u of T%u (%lu bytes%s)", object->number, object->thread,
                           (unsigned long)object->size, from),
                offset);
}

/* The program's own name for an address; NULL: it has none. */
static const char *label_of(const struct board *board, uint64_t address)
{
    for (uint32_t i = board->label_count; i-- > 0;) {
        const struct label *label = &board->labels[i];
        if (address - label->start < label->size)
            return plus(text_copy(label->text, strlen(label->text)), address - label->start);
    }
    return NULL;
}

static const char *local_in(struct teller *teller, const struct frames *frames, uint64_t address)
{
    for (uint32_t i = 0; i < frames->count && i < FRAMES_MAX; i++) {
        const struct frame_range *range = &frames->range[i];
        if (address >= range->low && address < range->high)
            return symbols_local(teller->symbols, frames->pc[i], range, address);
    }
    return NULL;
}

/* Names a variable on a thread's stack. Its frame is searched for in the stacks of all the thread's
 * steps. */
static const char *local_of(struct teller *teller, thread_id thread, uint64_t address)
{
    const struct board *board = teller->board;
    uint32_t which = board->trace[board->which].count > 0 ? board->which : 1 - board->which;
    const struct step *steps = board_steps(board, which);
    const struct frames *frames = board_at(board, board->layout.frames);
    const char *name = NULL;
    for (uint32_t i = 0; name == NULL && i < board->trace[which].count; i++)
        if (steps[i].thread == thread)
            name = local_in(teller, &frames[i], address);
    if (name == NULL && thread < THREADS_MAX)
        name = local_in(teller, &board->trace[which].pending_frames[thread], address);
    if (name == NULL)
        return text_print("T%u's stack", thread);
    return thread == 0 ? name : text_print("T%u's %s", thread, name);
}

static const char *describe(struct teller *teller, uint32_t number, uint64_t address, bool full)
{
    const struct object *object = &teller->board->objects[number];
    const char *label = label_of(teller->board, address);
    if (label != NULL)
        return label;
    const char *variable = symbols_variable(teller->symbols, address);
    switch ((enum object_place)object->place) {
    case OBJECT_HEAP:
        return block_name(teller, object, address - object->start, full);
    case OBJECT_STACK:
        return local_of(teller, object->thread, address);
    case OBJECT_THREAD:
        return text_print("T%u", object->thread);
    case OBJECT_STATIC:
    case OBJECT_UNKNOWN:
        break;
    }
    return variable != NULL ? variable : text_print("object #%u", number);
}

static const char *object_name(struct teller *teller, uint32_t number)
{
    if (number == NO_OBJECT || number > teller->board->object_count)
        return "";
    if (teller->names[number] == NULL)
        teller->names[number] =
            describe(teller, number, teller->board->objects[number].address, false);
    return teller->names[number];
}

static const char *signal_name(int number)
{
    const char *short_name = sigabbrev_np(number);
    return short_name != NULL ? text_print("SIG%s", short_name) : text_print("signal %d", number);
}

static const char *operand(struct teller *teller, const struct op *op)
{
    switch ((enum op_operand)op_traits(op->kind)->operand) {
    case OP_OPERAND_NEW_THREAD: /* before the step it is unknown which thread */
        return op->second == 0 ? "a thread" : text_print("T%u", op->second);
    case OP_OPERAND_THREAD:
        return text_print("T%u", op->second);
    case OP_OPERAND_SIGNAL_AND_TARGET:
        return text_print("%s to %s", signal_name(op->size),
                          op->second == NO_THREAD ? "the process" : text_print("T%u", op->second));
    case OP_OPERAND_SIGNAL: /* the signal whose action changes, or all that the thread blocks */
        return op->size != 0 ? signal_name(op->size) : object_name(teller, op->object);
    case OP_OPERAND_NOTHING: /* the object stands for all processes, or all timers */
        return "";
    case OP_OPERAND_OBJECT_AND_SECOND:
        return text_print("%s, %s", object_name(teller, op->object),
                          object_name(teller, op->second));
    /* a wake takes the mutex; the condition variable comes second */
    case OP_OPERAND_SECOND_AND_OBJECT:
        return text_print("%s, %s", object_name(teller, op->second),
                          object_name(teller, op->object));
    case OP_OPERAND_OBJECT:
        return object_name(teller, op->object);
    }
    UNREACHABLE();
}

static bool is_users(const struct named_site *at)
{
    static const char *const libraries[] = {"libc.so.", "libstdc++.so.", "libgcc_s.so.",
                                            "ld-linux"};
    if (at->file == NULL || at->module == NULL || strncmp(at->file, "/usr/", 5) == 0)
        return false;
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (strncmp(at->module, libraries[i], strlen(libraries[i])) == 0)
            return false;
    return true;
}

/* The innermost frame with a source line of the user's own. */
static struct named_site own_frame(const struct named_stack *stack)
{
    for (uint32_t i = 0; i < stack->count; i++)
        if (is_users(&stack->frames[i]))
            return stack->frames[i];
    return (struct named_site){0};
}

/* The place of a site. For a site in library code, the line of the user's that led there. */
static struct named_site user_site(struct teller *teller, uint64_t site,
                                   const struct frames *frames)
{
    struct named_site at = symbols_site(teller->symbols, site);
    if (is_users(&at) || frames->count > FRAMES_MAX)
        return at;
    struct named_stack stack = symbols_stack(teller->symbols, frames, false);
    struct named_site own = own_frame(&stack);
    return own.file != NULL ? own : at;
}

static void tell_steps(struct teller *teller, struct reported *out, uint32_t which)
{
    const struct board_trace *kept = &teller->board->trace[which];
    struct trace trace = {.steps = (struct step *)board_steps(teller->board, which),
                          .count = kept->count};
    const struct frames *frames = board_at(teller->board, teller->board->layout.frames);
    const struct step_value *values = board_at(teller->board, teller->board->layout.values);
    out->steps = text_room((trace.count + 1) * sizeof *out->steps);
    out->step_count = trace.count;
    for (uint32_t i = 0; i < trace.count; i++) {
        const struct step *step = &trace.steps[i];
        out->steps[i] = (struct story_step){
            .number = i,
            .thread = step->thread,
            .kind = step->op.kind,
            .preempts = trace_step_preempts(&trace, i),
            .failed = step->flags & STEP_FAILED,
            .choice = step->choice,
            .choices = step->op.choices,
            .object = operand(teller, &step->op),
            .object_number = step->op.object,
            .second_number = step->op.kind == OP_COND_WAIT || step->op.kind == OP_COND_WAKE
                                 ? step->op.second
                                 : NO_OBJECT,
            .value = values[i],
            .site = step->op.site,
            .at = user_site(teller, step->op.site, &frames[i]),
        };
    }
}

/* Threads alive at the end are stuck only in these findings. In others the execution just ended
 * first. */
static bool is_stuck(enum finding_kind kind)
{
    return kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK;
}

/* The threads that took part in the last quarter of a cut execution; of others: none. */
static thread_set who_goes_on(const struct reported *out)
{
    thread_set who = {0};
    uint32_t from =
        finding_is_unended(&out->finding) ? out->step_count - out->step_count / 4 : out->step_count;
    for (uint32_t i = from; i < out->step_count; i++)
        thread_set_add(&who, out->steps[i].thread);
    return who;
}

static void tell_waits(struct teller *teller, struct reported *out, uint32_t which)
{
    if (!is_stuck(out->finding.kind))
        return;
    thread_set going = who_goes_on(out);
    const struct board_trace *trace = &teller->board->trace[which];
    out->waits = text_room((thread_set_count(&trace->waiting) + 1) * sizeof *out->waits);
    THREADS_EACH(thread, &trace->waiting)
    {
        const struct op *op = &trace->pending[thread];
        if (thread_set_has(&going, thread))
            continue;
        out->waits[out->wait_count++] = (struct story_wait){
            .thread = thread,
            .owner = trace->owner[thread],
            .readers = trace->readers[thread],
            .kind = op->kind,
            .site = op->site,
            .object = operand(teller, op),
            .at = user_site(teller, op->site, &trace->pending_frames[thread]),
            .stack = symbols_stack(teller->symbols, &trace->pending_frames[thread], false),
        };
    }
}

static const char *place_text(const struct named_site *at)
{
    if (at->file == NULL)
        return "";
    const char *slash = strrchr(at->file, '/');
    return text_print(" at %s:%u", slash == NULL ? at->file : slash + 1, at->line);
}

static bool find_lost(const struct trace *trace, const struct story_wait *wait,
                      struct lost_wakeup *out)
{
    return (wait->kind == OP_COND_WAKE && lost_wakeup_find(trace, wait->thread, out)) ||
           (wait->kind == OP_FUTEX_WAKE && lost_futex_find(trace, wait->thread, out)) ||
           (wait->kind == OP_SIGNAL_SLEEP && lost_signal_find(trace, wait->thread, out));
}

/* Tells the cause of the first wait for a signal that came before the wait. */
static void tell_cause(struct teller *teller, struct reported *out, uint32_t which)
{
    struct trace trace = {.steps = (struct step *)board_steps(teller->board, which),
                          .count = teller->board->trace[which].count};
    for (uint32_t i = 0; i < out->wait_count; i++) {
        struct lost_wakeup lost;
        thread_id waiter = out->waits[i].thread;
        if (!find_lost(&trace, &out->waits[i], &lost))
            continue;
        const struct story_step *signal = &out->steps[lost.signal], *wait = &out->steps[lost.wait];
        out->lost.signal = lost.signal;
        out->lost.wait = lost.wait;
        if (out->waits[i].kind == OP_SIGNAL_SLEEP)
            out->cause = text_print(CAUSE_PERHAPS
                                    "a lost wake-up: T%u's %s %s%s was handled before T%u slept%s",
                                    signal->thread, op_word(signal->kind), signal->object,
                                    place_text(&signal->at), waiter, place_text(&out->waits[i].at));
        else
            out->cause = text_print(CAUSE_PERHAPS
                                    "a lost wake-up: T%u's %s of %s%s met nobody, T%u waits only "
                                    "afterwards%s",
                                    signal->thread, op_word(signal->kind), signal->object,
                                    place_text(&signal->at), waiter, place_text(&wait->at));
        return;
    }
}

static uint32_t object_at(const struct board *board, uint64_t address)
{
    for (uint32_t i = 1; address != 0 && i <= board->object_count; i++)
        if (board->objects[i].address == address)
            return i;
    return NO_OBJECT;
}

/* The operand of a turn. The object has another number in this execution, and may not occur in
 * it. */
static const char *turn_operand(struct teller *teller, const struct turn *turn)
{
    struct op op = turn->op;
    op.object = object_at(teller->board, turn->address[0]);
    if (turn->address[1] != 0)
        op.second = object_at(teller->board, turn->address[1]);
    if (turn->address[0] == 0 || op.object != NO_OBJECT)
        return operand(teller, &op);
    const char *variable = symbols_variable(teller->symbols, turn->address[0]);
    return variable != NULL ? variable : "another object";
}

static const char *turn_text(struct teller *teller, const struct turn *turn)
{
    struct named_site at = symbols_site(teller->symbols, turn->op.site);
    const char *operand = turn->op.site == 0 ? "" : turn_operand(teller, turn);
    const char *doing = "go on";
    if (turn->op.site != 0 || turn->is == TURN_STEP)
        doing = text_print("%s%s%s%s", op_word(turn->op.kind), *operand == 0 ? "" : " ", operand,
                           place_text(&at));
    switch ((enum turn_is)turn->is) {
    case TURN_UNKNOWN:
        return "something else";
    case TURN_END:
        return "the end";
    case TURN_ABLE:
        return text_print("T%u able to %s", turn->thread, doing);
    case TURN_UNABLE:
        return text_print("T%u unable to %s", turn->thread, doing);
    case TURN_STEP:
        break;
    }
    return turn->choice == 0
               ? text_print("T%u %s", turn->thread, doing)
               : text_print("T%u %s with outcome %u", turn->thread, doing, turn->choice);
}

/* Shows the steps up to the difference. Later steps are those of yet another execution. */
static void tell_divergence(struct teller *teller, struct reported *out)
{
    const struct divergence *divergence = &out->finding.divergence;
    if (divergence->expected.is == TURN_UNKNOWN && divergence->got.is == TURN_UNKNOWN)
        return;
    if (out->step_count > divergence->step + 1)
        out->step_count = divergence->step + 1;
    out->diverged.step = divergence->step;
    out->diverged.expected = turn_text(teller, &divergence->expected);
    out->diverged.got = turn_text(teller, &divergence->got);
    if (divergence->before != 0)
        out->diverged.expected =
            text_print("something else, here or at a step before step %u", divergence->before);
    snprintf(out->finding.message, sizeof out->finding.message, "step %u: expected %s, got %s",
             divergence->step, out->diverged.expected, out->diverged.got);
}

static bool stands_at_pc(enum finding_kind kind)
{
    return kind == FINDING_CRASH || kind == FINDING_HANG;
}

static void tell_places(struct teller *teller, struct reported *out, uint32_t finding)
{
    for (int i = 0; i < FINDING_PLACES_MAX; i++) {
        out->places[i] = symbols_site(teller->symbols, out->finding.places[i].site);
        if (finding >= FINDINGS_MAX)
            continue;
        out->stacks[i] = symbols_stack(teller->symbols, &teller->board->finding_frames[finding][i],
                                       i == 0 && stands_at_pc(out->finding.kind));
        if (!is_users(&out->places[i]) && own_frame(&out->stacks[i]).file != NULL)
            out->places[i] = own_frame(&out->stacks[i]);
    }
    if (finding_is_unended(&out->finding) && out->finding.places[0].step < out->step_count)
        out->places[0] = out->steps[out->finding.places[0].step].at;
    struct named_site own = own_frame(&out->stacks[0]);
    bool at_end = out->finding.kind == FINDING_EXIT && own.file == NULL;
    if (at_end || out->finding.kind == FINDING_LEAK) /* the stack says nothing about the cause */
        out->stacks[0].count = 0;
    out->at = out->places[0].file != NULL ? out->places[0] : own;
    if (out->finding.file[0] != 0) {
        out->at.file = out->finding.file;
        out->at.line = out->finding.line;
        if (own.function != NULL)
            out->at.function = own.function;
    }
    if (out->at.file == NULL && out->wait_count > 0)
        out->at = out->waits[0].at;
}

/* Puts the expected exit status beside the actual one. */
static void tell_status(struct teller *teller, struct reported *out)
{
    if (out->finding.kind == FINDING_EXIT && teller->board->options.expect_exit != EXIT_ANY)
        snprintf(out->finding.message, sizeof out->finding.message, "status %d is expected",
                 teller->board->options.expect_exit);
}

static void tell_object(struct teller *teller, struct reported *out)
{
    const struct finding *finding = &out->finding;
    if (finding->object != NO_OBJECT && finding->object <= teller->board->object_count)
        out->object =
            describe(teller, finding->object,
                     finding->address != 0 ? finding->address
                                           : teller->board->objects[finding->object].address,
                     true);
    else if (finding->address != 0)
        out->object = symbols_variable(teller->symbols, finding->address);
}

static void tell_locks(struct teller *teller, struct reported *out, const struct finding *finding)
{
    for (int side = 0; side < FINDING_PLACES_MAX; side++) {
        out->holds[side] = "";
        for (uint32_t i = 0; i < finding->held_count[side]; i++)
            out->holds[side] = text_print("%s%s%s", out->holds[side], i == 0 ? "" : ", ",
                                          object_name(teller, finding->held[side][i]));
    }
}

static void tell_leaks(struct teller *teller, struct reported *out)
{
    const struct board *board = teller->board;
    uint32_t count = board->leak_count < LEAKS_MAX ? board->leak_count : LEAKS_MAX;
    out->leaks = text_room((count + 1) * sizeof *out->leaks);
    out->leak_count = board->leak_count;
    for (uint32_t i = 0; i < count; i++)
        out->leaks[i] =
            describe(teller, board->leaks[i], board->objects[board->leaks[i]].address, true);
    out->leaks[count] = NULL;
}

void story_tell(struct reported *out, const struct board *board, uint32_t finding)
{
    CHECK(board->options.detail);
    struct teller teller = {.board = board, .symbols = symbols_of(board)};
    teller.names = calloc(board->object_count + 1, sizeof *teller.names);
    CHECK(teller.names != NULL);
    uint32_t which = board->trace[board->which].count > 0 ? board->which : 1 - board->which;
    if (finding < FINDINGS_MAX) {
        out->finding.object = board->findings[finding].object;
        out->finding.address = board->findings[finding].address;
        memcpy(out->finding.places, board->findings[finding].places, sizeof out->finding.places);
        memcpy(out->finding.file, board->findings[finding].file, sizeof out->finding.file);
        out->finding.line = board->findings[finding].line;
        out->finding.status = board->findings[finding].status;
        out->finding.thread = board->findings[finding].thread;
        out->finding.adjacent = board->findings[finding].adjacent;
    }
    tell_steps(&teller, out, which);
    tell_waits(&teller, out, which);
    tell_cause(&teller, out, which);
    tell_places(&teller, out, finding);
    tell_object(&teller, out);
    if (finding < FINDINGS_MAX && out->finding.kind == FINDING_RACE)
        tell_locks(&teller, out, &board->findings[finding]);
    tell_leaks(&teller, out);
    tell_status(&teller, out);
    tell_divergence(&teller, out);
    out->why = why_text(out);
    free(teller.names);
}
