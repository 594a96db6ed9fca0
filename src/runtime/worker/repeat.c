#include "runtime/worker/repeat.h"

#include "base/out.h"
#include "runtime/engine/flight.h"
#include "runtime/snapshot/snapshot.h"
#include "runtime/worker/checkpoint.h"
#include "runtime/worker/execute.h"
#include "runtime/worker/worker.h"

enum { RARER = 4, ATTEMPTS = 3 };

struct steps {
    const struct step *at;
    uint32_t count;
    bool ended; /* all by itself: nothing would have followed */
};

static uint64_t address_of(uint32_t object)
{
    bool known = object != NO_OBJECT && object <= the_board->object_count;
    return known ? the_board->objects[object].address : 0;
}

static struct turn turn_of(enum turn_is is, thread_id thread, uint16_t choice, const struct op *op)
{
    bool waits = op->kind == OP_COND_WAIT || op->kind == OP_COND_WAKE;
    return (struct turn){.is = (uint8_t)is,
                         .thread = thread,
                         .choice = choice,
                         .op = *op,
                         .address = {address_of(op->object), waits ? address_of(op->second) : 0}};
}

static struct turn turn_of_step(const struct step *step)
{
    return turn_of(TURN_STEP, step->thread, step->choice, &step->op);
}

static struct turn turn_of_thread(enum turn_is is, thread_id thread)
{
    return (struct turn){.is = (uint8_t)is, .thread = thread};
}

static void put_turn(struct out *out, const struct turn *turn)
{
    switch ((enum turn_is)turn->is) {
    case TURN_UNKNOWN:
        out_text(out, "something else");
        return;
    case TURN_END:
        out_text(out, "the end");
        return;
    case TURN_STEP:
    case TURN_ABLE:
    case TURN_UNABLE:
        break;
    }
    out_text(out, "T");
    out_number(out, turn->thread);
    out_text(out, turn->is == TURN_STEP   ? " "
                  : turn->is == TURN_ABLE ? " able to "
                                          : " unable to ");
    out_text(out, turn->op.site == 0 ? "go on" : op_word(turn->op.kind));
}

/* Names are added by the coordinator. */
static void put_message(struct finding *finding)
{
    const struct divergence *divergence = &finding->divergence;
    struct out out = out_to(-1, finding->message, sizeof finding->message);
    out_text(&out, "step ");
    out_number(&out, divergence->step);
    if (divergence->before != 0) {
        out_text(&out, " or one after it, before step ");
        out_number(&out, divergence->before);
    }
    out_text(&out, ": expected ");
    put_turn(&out, &divergence->expected);
    out_text(&out, ", got ");
    put_turn(&out, &divergence->got);
    out_string(&out);
}

static struct finding *noted(void)
{
    for (uint32_t i = 0; i < the_board->flight.finding_count; i++)
        if (the_board->flight.findings[i].kind == FINDING_NONDETERMINISM)
            return &the_board->flight.findings[i];
    return NULL;
}

static void tell(struct divergence divergence)
{
    struct finding *finding = noted();
    if (finding == NULL)
        finding = finding_add(FINDING_NONDETERMINISM, "", 0, 0);
    if (finding == NULL)
        return;
    const struct turn *told =
        divergence.got.is == TURN_END ? &divergence.expected : &divergence.got;
    finding->divergence = divergence;
    finding->thread = told->is == TURN_END || told->is == TURN_UNKNOWN ? NO_THREAD : told->thread;
    finding->places[0].site = told->op.site;
    finding->places[0].thread = finding->thread;
    finding->places[0].step = divergence.step;
    put_message(finding);
}

void divergence_note(const struct decision *listed, bool enabled)
{
    struct divergence divergence = {.step = rt.trace.count};
    if (listed == NULL) {
        divergence.step = 0;
        divergence.before = rt.trace.count;
    } else {
        thread_id thread = listed->thread;
        bool live = thread_set_has(&ex.live, thread);
        divergence.expected = turn_of_thread(TURN_ABLE, thread);
        divergence.got =
            !live ? turn_of_thread(TURN_UNABLE, thread)
                  : turn_of(enabled ? TURN_STEP : TURN_UNABLE, thread, 0, &ex.pending[thread]);
        if (live && enabled) { /* what was chosen is none of its outcomes */
            divergence.expected = divergence.got;
            divergence.expected.choice = listed->choice;
        }
    }
    tell(divergence);
}

void divergence_note_end(const struct decision *listed)
{
    struct turn expected = {.is = TURN_UNKNOWN};
    if (listed != NULL)
        expected = turn_of_thread(TURN_ABLE, listed->thread);
    tell(
        (struct divergence){.step = rt.trace.count, .expected = expected, .got = {.is = TURN_END}});
}

static thread_id first_difference(const thread_set *a, const thread_set *b)
{
    for (thread_id i = 0; i < THREADS_MAX; i++)
        if (thread_set_has(a, i) != thread_set_has(b, i))
            return i;
    return NO_THREAD;
}

/* The pending operation of a thread shows where it carries it out. */
static struct turn next_turn(const struct steps *steps, uint32_t from, thread_id thread)
{
    bool able = thread_set_has(&steps->at[from].enabled, thread);
    for (uint32_t i = from; i < steps->count; i++)
        if (steps->at[i].thread == thread)
            return turn_of(able ? TURN_ABLE : TURN_UNABLE, thread, 0, &steps->at[i].op);
    return turn_of_thread(able ? TURN_ABLE : TURN_UNABLE, thread);
}

/* While both take the same decisions, all they do must be the same. false: they do so up to
 * out->step, and what follows cannot be compared. */
static bool find_difference(const struct steps *expected, const struct steps *got,
                            struct divergence *out)
{
    uint32_t i = 0;
    for (; i < expected->count && i < got->count; i++) {
        const struct step *a = &expected->at[i], *b = &got->at[i];
        if (a->thread == b->thread &&
            (a->op.kind != b->op.kind || a->op.object != b->op.object || a->choice != b->choice)) {
            *out = (struct divergence){i, 0, turn_of_step(a), turn_of_step(b)};
            return a->op.kind != b->op.kind || a->op.object != b->op.object;
        }
        if (!thread_set_equal(&a->enabled, &b->enabled)) {
            thread_id thread = first_difference(&a->enabled, &b->enabled);
            *out = (struct divergence){i, 0, next_turn(expected, i, thread),
                                       next_turn(got, i, thread)};
            return true;
        }
        if (a->thread != b->thread) { /* another decision */
            out->step = i;
            return false;
        }
    }
    out->step = i;
    if (expected->count == got->count)
        return false;
    if (i == expected->count ? !expected->ended : !got->ended)
        return false;
    const struct turn end = {.is = TURN_END};
    *out = (struct divergence){i, 0, i < expected->count ? turn_of_step(&expected->at[i]) : end,
                               i < got->count ? turn_of_step(&got->at[i]) : end};
    return true;
}

static bool ended(uint32_t outcome)
{
    return outcome >= OUTCOME_FINISHED && outcome <= OUTCOME_FAILED;
}

static struct steps steps_in(uint32_t buffer, uint32_t count, uint32_t outcome)
{
    return (struct steps){.at = board_at(the_board, the_board->layout.steps[buffer]),
                          .count = count,
                          .ended = ended(outcome)};
}

static struct steps last_steps(void)
{
    const struct board_trace *last = &the_board->trace[1 - the_board->which];
    const struct board_trace *this = &the_board->trace[the_board->which];
    bool comparable = last->restarts == this->restarts && last->sites == this->sites &&
                      last->turns_skipped == this->turns_skipped && last->outcome != OUTCOME_NONE &&
                      last->count <= rt.options->steps_max;
    return comparable ? steps_in(1 - the_board->which, last->count, last->outcome)
                      : (struct steps){0};
}

/* Fingerprints are short: before anything is said, the steps themselves are compared. */
static __attribute__((noinline, cold)) bool parts_here(const struct steps *last, uint32_t step)
{
    struct divergence unused;
    struct steps so_far = {.at = rt.trace.steps, .count = step};
    struct steps before = {.at = last->at, .count = step};
    return !find_difference(&before, &so_far, &unused) && unused.step == step;
}

bool divergence_shows(const thread_set *enabled)
{
    uint32_t step = rt.trace.count;
    struct steps last = last_steps();
    if (step >= last.count || rt.trace.steps == last.at)
        return false;
    const struct step *before = &last.at[step];
    const struct op *now = &ex.pending[before->thread];
    bool same_kind = before->op.kind == now->kind || op_becomes(now->kind, before->op.kind);
    if (before->fingerprint != (uint32_t)ex.fingerprint ||
        (thread_set_equal(&before->enabled, enabled) && same_kind &&
         before->op.object == now->object))
        return false;
    if (!parts_here(&last, step))
        return false;
    bool able = thread_set_has(enabled, before->thread);
    tell((struct divergence){.step = step,
                             .expected = turn_of(TURN_ABLE, before->thread, 0, &before->op),
                             .got =
                                 turn_of(able ? TURN_ABLE : TURN_UNABLE, before->thread, 0, now)});
    return true;
}

/* The steps of the first time stay those of the execution. */
static bool differs_again(const struct steps *expected, struct divergence *out)
{
    struct board_trace *trace = &the_board->trace[the_board->which];
    bool differs = false;
    for (int i = 0; !differs && i < ATTEMPTS; i++) {
        checkpoint_keep();
        worker_execute(1 - the_board->which);
        struct steps got = steps_in(1 - the_board->which, trace->count, trace->outcome);
        differs = find_difference(expected, &got, out);
    }
    trace->count = expected->count;
    trace->outcome = OUTCOME_DIVERGED;
    the_board->flight.finding_count = 0; /* of other steps than those */
    return differs;
}

void divergence_explain(void)
{
    const struct board_trace *trace = &the_board->trace[the_board->which];
    const struct finding *finding = noted();
    if (likely(trace->outcome != OUTCOME_DIVERGED) || finding == NULL || rt.options->target != 0)
        return;
    struct divergence divergence = finding->divergence;
    if (divergence.expected.op.site != 0)
        return;
    struct steps got = steps_in(the_board->which, trace->count, OUTCOME_DIVERGED);
    struct steps last = last_steps();
    struct divergence better = {0};
    bool again = rt.options->isolate != ISOLATE_EXEC;
    bool known = find_difference(&last, &got, &better);
    uint32_t parted = better.step;
    if (known || (again && differs_again(&got, &better))) {
        divergence = better;
    } else if (divergence.before != 0 && divergence.before <= got.count) {
        divergence.step = parted < divergence.before ? parted : 0;
        divergence.got = turn_of_step(&got.at[divergence.step]);
    }
    tell(divergence);
}

bool repeat_is_due(void)
{
    const struct board *board = the_board;
    const struct board_trace *trace = &board->trace[board->which];
    uint64_t number = board->tally.executions + board->tally.cut;
    if (likely(number < board->repeat.due))
        return false;
    bool anew =
        board->flight.site_count > 0 || board->flight.overlap_seen || board->flight.clock_seen;
    bool whole = trace->outcome == OUTCOME_FINISHED || trace->outcome == OUTCOME_DEADLOCK;
    return whole && !anew && /* what was learned would show as a difference */
           (number == 0 || board->schedule[board->which].count == 0) && rt.options->target == 0;
}

static void read_written(struct written *out)
{
    *out = (struct written){0};
    if (rt.options->output != OUTPUT_ANY)
        world_written(out);
}

bool repeat_begin(void)
{
    struct board *board = the_board;
    const struct board_trace *trace = &board->trace[board->which];
    board->repeat.due = RARER * (board->tally.executions + board->tally.cut + 1);
    board->repeat.count = trace->count;
    board->repeat.fingerprint = trace->fingerprint;
    board->repeat.outcome = trace->outcome;
    read_written(&board->repeat.written);
    board->repeat.pending = 1;
    if (rt.options->isolate == ISOLATE_EXEC)
        return false;
    repeat_end();
    return true;
}

void repeat_end(void)
{
    struct board *board = the_board;
    struct board_trace *trace = &board->trace[board->which];
    checkpoint_keep();
    worker_execute(1 - board->which);
    board->repeat.pending = 0;
    struct written written;
    read_written(&written);
    bool same =
        trace->count == board->repeat.count && trace->fingerprint == board->repeat.fingerprint;
    if (same && trace->outcome == board->repeat.outcome &&
        written_same(&board->repeat.written, &written))
        return;
    if (board->flight.finding_count > 0 && noted() == NULL)
        board->flight.finding_count = 0; /* told when it is found by itself */
    struct steps expected = steps_in(board->which, board->repeat.count, board->repeat.outcome);
    struct steps got = steps_in(1 - board->which, trace->count, trace->outcome);
    struct divergence divergence = {.step = trace->count};
    find_difference(&expected, &got, &divergence);
    tell(divergence);
    if (same && noted() != NULL)
        finding_text(noted()->message, trace->outcome != board->repeat.outcome
                                           ? "the same steps came to another end"
                                           : "the same schedule wrote something else");
    trace->count = board->repeat.count;
    trace->outcome = OUTCOME_DIVERGED;
}
