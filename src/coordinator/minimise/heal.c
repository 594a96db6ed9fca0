#define _GNU_SOURCE
#include "coordinator/minimise/heal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/explain/story.h"
#include "coordinator/text.h"
#include "strategy/strategy.h"

enum {
    SURVEYS = 2,    /* executions in which every access is a step, to find those that were steps */
    ROUNDS = 8,     /* how often the schedule is adapted and followed */
    ROUNDS_FEW = 3, /* the same, if no executions near it are to be tried */
    WORK_NEARBY = 1 << 22, /* steps of all executions near the schedule together */
    WORK_OF_RESET = 64,
};

struct plan { /* every decision of an execution that does not exist yet */
    struct decision *decisions;
    uint32_t count;
};

struct healer {
    struct worker_pool *pool;
    const struct recording *recorded;
    struct landmarks marks; /* steps of the recording */
    struct plan plan;       /* what to follow next */
    uint64_t *sites;        /* sites that are scheduling points now */
    uint32_t site_count;
    struct reported told;   /* the last execution */
    struct landmarks came;  /* steps of the last execution */
    uint64_t *came_sites;   /* the site of each step of the last execution */
    uint32_t *to;           /* by recorded step: the step of the last execution that it matches */
    struct recording found; /* what showed, if the outcome is not HEAL_PASSES */
    struct plan best;
    struct healed *out;
};

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static bool is_plain(uint8_t kind)
{
    return kind == OP_READ || kind == OP_WRITE || kind == OP_FREE;
}

static void put_plan(struct board *board, const struct healer *healer)
{
    memcpy(board_at(board, board->layout.replay), healer->plan.decisions,
           healer->plan.count * sizeof *healer->plan.decisions);
    board->replay_count = healer->plan.count;
    memcpy(board->sites, healer->sites, healer->site_count * sizeof *healer->sites);
    board->tally.site_count = healer->site_count;
}

static bool run(struct healer *healer, struct board_handle *handle, struct problem *why)
{
    struct budget budget = budget_open(0, worker_pool_patience(healer->pool));
    struct exploration exploration;
    struct worker_output to = {.output = memfd_create("bohr-output", MFD_CLOEXEC), .errors = -1};
    if (to.output < 0)
        return problem_is(why, "cannot keep the program's output", NULL, errno);
    bool good = explore(healer->pool, handle, 1, to, &budget, NULL, &exploration, why);
    close(to.output);
    healer->out->executions += handle->board->tally.executions + handle->board->tally.cut;
    if (good && exploration.stopped == STOP_REFUSED)
        return problem_is(why, "the program as it is now did what is not modelled",
                          exploration.refusal, 0);
    if (good && exploration.stopped == STOP_INTERRUPT)
        return problem_is(why, "interrupted", NULL, 0);
    return good;
}

/* Whether a finding is like the recorded one: of the same kind, and in the same function, about the
 * same object, or with the same message. */
static bool is_alike(const struct recording *recorded, const struct reported *told)
{
    const char *function = or_empty(recorded->function), *about = or_empty(recorded->about);
    const char *message = recorded->finding.message;
    if (told->finding.kind != recorded->finding.kind)
        return false;
    if (*function == 0 && *about == 0 && *message == 0)
        return true;
    return (*function != 0 && strcmp(function, or_empty(told->at.function)) == 0) ||
           (*about != 0 && names_are_alike(about, or_empty(told->object))) ||
           (*message != 0 && strcmp(message, told->finding.message) == 0);
}

static void take_finding(struct healer *healer, const struct board *board, uint32_t finding,
                         enum heal_outcome outcome)
{
    const struct recording *recorded = healer->recorded;
    if (healer->out->outcome != HEAL_PASSES && outcome != HEAL_SHOWN)
        return; /* another error was taken already */
    healer->out->outcome = outcome;
    healer->found = recording_of(healer->pool->job, board, finding);
    healer->found.options = recorded->options;
    healer->found.finding.execution = recorded->finding.execution;
    if (outcome == HEAL_SHOWN)
        healer->found.finding.severity = recorded->finding.severity;
}

static void look_for_finding(struct healer *healer, const struct board *board)
{
    for (uint32_t i = 0; i < board->tally.finding_count; i++) {
        struct reported told = {.finding = board->findings[i]};
        story_tell(&told, board, i);
        if (is_alike(healer->recorded, &told))
            take_finding(healer, board, i, HEAL_SHOWN);
        else if (finding_is_error(&board->findings[i]))
            take_finding(healer, board, i, HEAL_OTHER);
    }
}

static void keep_steps(struct healer *healer, struct board *board)
{
    struct reported told = {0};
    if (!board->planned && board->trace[1 - board->which].count > 0)
        board->which = 1 - board->which; /* the last execution that ran */
    story_tell(&told, board, FINDINGS_MAX);
    healer->told = told;
    const struct step *steps =
        board_steps(board, board->trace[board->which].count > 0 ? board->which : 1 - board->which);
    healer->came = (struct landmarks){.count = told.step_count};
    healer->came.steps = text_room((told.step_count + 1) * sizeof *healer->came.steps);
    healer->came_sites = text_room((told.step_count + 1) * sizeof *healer->came_sites);
    for (uint32_t i = 0; i < told.step_count; i++) {
        const struct story_step *step = &told.steps[i];
        healer->came.steps[i] = (struct landmark){.thread = step->thread,
                                                  .kind = step->kind,
                                                  .choice = step->choice,
                                                  .function = or_empty(step->at.function),
                                                  .object = or_empty(step->object)};
        healer->came_sites[i] = steps[i].op.site;
    }
}

/* Runs one execution along the plan, in full detail. */
static bool follow(struct healer *healer, bool survey, struct problem *why)
{
    struct options options = options_again(&healer->recorded->options, "follow");
    struct board_handle handle;
    options.keep_going = 0;
    options.detail = 1;
    options.isolate = ISOLATE_FORK;
    if (survey)
        options.points = POINTS_ALL;
    if (!board_make(&handle, &options, why))
        return false;
    put_plan(handle.board, healer);
    bool good = run(healer, &handle, why);
    if (good) {
        struct board *board = handle.board;
        keep_steps(healer, board);
        if (!survey) {
            look_for_finding(healer, board);
            healer->site_count = board->tally.site_count;
            memcpy(healer->sites, board->sites, healer->site_count * sizeof *healer->sites);
        }
        healer->out->tally = board->tally;
        healer->out->control = board->control;
        healer->out->instrumented = board->options.instrumented;
        healer->out->marks = board->options.marks;
        healer->out->module_count = board->module_count;
        healer->out->modules = text_room(board->module_count * sizeof *board->modules + 1);
        memcpy(healer->out->modules, board->modules, board->module_count * sizeof *board->modules);
    }
    board_drop(&handle);
    return good;
}

static bool same_names(const struct landmark *one, const struct landmark *other)
{
    return one->kind == other->kind && strcmp(one->function, other->function) == 0 &&
           names_are_alike(one->object, other->object);
}

static bool was_a_point(const struct healer *healer, const struct landmark *mark)
{
    for (uint32_t i = 0; i < healer->marks.count; i++)
        if (same_names(&healer->marks.steps[i], mark))
            return true;
    return false;
}

static bool has_site(const struct healer *healer, uint64_t site)
{
    for (uint32_t i = 0; i < healer->site_count; i++)
        if (healer->sites[i] == site)
            return true;
    return false;
}

/* Finds the accesses of the edited program that were scheduling points in the recording. Other
 * accesses of the survey are dropped. */
static void find_sites(struct healer *healer)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < healer->came.count; i++) {
        const struct landmark *mark = &healer->came.steps[i];
        uint64_t site = healer->came_sites[i];
        if (is_plain(mark->kind) && !has_site(healer, site)) {
            if (healer->site_count == SITES_MAX || !was_a_point(healer, mark))
                continue;
            healer->sites[healer->site_count++] = site;
        }
        healer->came.steps[kept] = *mark;
        healer->came_sites[kept++] = site;
    }
    healer->came.count = kept;
}

/* while a plan is made: which steps of the last execution the thread has taken */
struct progress_of_thread {
    uint32_t *steps;
    uint32_t count, taken;
};

static void emit(const struct healer *healer, struct progress_of_thread *thread, struct plan *plan,
                 uint32_t choice)
{
    const struct landmark *mark = &healer->came.steps[thread->steps[thread->taken++]];
    if (plan->count < healer->recorded->options.steps_max)
        plan->decisions[plan->count++] =
            (struct decision){.step = plan->count,
                              .thread = mark->thread,
                              .choice = choice == UINT32_MAX ? mark->choice : (uint16_t)choice};
}

/* Takes the steps that still exist in the recorded order. A new step of a thread comes right before
 * its next recorded step, or (eager) right after the one before it. */
static struct plan make_plan(const struct healer *healer, bool eager)
{
    const struct landmarks *came = &healer->came;
    struct progress_of_thread *threads = text_room(THREADS_MAX * sizeof *threads);
    bool *known = text_room(came->count + 1);
    uint32_t *steps = text_room((came->count + 1) * sizeof *steps), used = 0;
    struct plan plan = {.decisions = text_room((healer->recorded->options.steps_max + 1ul) *
                                               sizeof *plan.decisions)};
    for (uint32_t i = 0; i < came->count; i++)
        threads[came->steps[i].thread].count++;
    for (uint32_t i = 0; i < THREADS_MAX; i++) {
        threads[i].steps = steps + used;
        used += threads[i].count;
        threads[i].count = 0;
    }
    for (uint32_t i = 0; i < came->count; i++) {
        struct progress_of_thread *thread = &threads[came->steps[i].thread];
        thread->steps[thread->count++] = i;
    }
    for (uint32_t i = 0; i < healer->marks.count; i++)
        if (healer->to[i] != NO_STEP)
            known[healer->to[i]] = true;
    for (uint32_t i = 0; i < healer->marks.count; i++) {
        uint32_t to = healer->to[i];
        if (to == NO_STEP)
            continue;
        struct progress_of_thread *thread = &threads[came->steps[to].thread];
        while (thread->taken < thread->count && thread->steps[thread->taken] < to)
            emit(healer, thread, &plan, UINT32_MAX);
        if (thread->taken < thread->count && thread->steps[thread->taken] == to)
            emit(healer, thread, &plan, healer->marks.steps[i].choice);
        while (eager && thread->taken < thread->count && !known[thread->steps[thread->taken]])
            emit(healer, thread, &plan, UINT32_MAX);
    }
    return plan;
}

static bool same_plan(const struct plan *one, const struct plan *other)
{
    return one->count == other->count &&
           memcmp(one->decisions, other->decisions, one->count * sizeof *one->decisions) == 0;
}

static bool is_new(const struct plan *plan, const struct plan *tried, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (same_plan(plan, &tried[i]))
            return false;
    return true;
}

static const char *mark_text(const struct landmark *mark)
{
    return text_print("T%u %s%s%s%s%s", mark->thread, op_word(mark->kind), *mark->object ? " " : "",
                      mark->object, *mark->function ? " in " : "", mark->function);
}

/* Compares the last execution with the recording. */
static void compare(struct healer *healer)
{
    align(&healer->marks, &healer->came, healer->to);
    struct followed followed = align_followed(&healer->marks, &healer->came, healer->to);
    struct healed *out = healer->out;
    bool nearer = followed.matched > out->followed.matched || out->followed.steps == 0;
    if (!nearer && out->outcome != HEAL_SHOWN)
        return;
    out->followed = followed;
    out->stray = followed.stray == NO_STEP
                     ? NULL
                     : text_print("step %u, %s,", followed.stray,
                                  mark_text(&healer->marks.steps[followed.stray]));
    healer->best = healer->plan;
}

static bool survey(struct healer *healer, struct problem *why)
{
    for (int i = 0; i < SURVEYS; i++) {
        if (!follow(healer, true, why))
            return false;
        if (i + 1 == SURVEYS)
            find_sites(healer);
        align(&healer->marks, &healer->came, healer->to);
        healer->plan = make_plan(healer, false);
    }
    return true;
}

static bool mend(struct healer *healer, uint32_t rounds, struct problem *why)
{
    struct plan tried[ROUNDS];
    for (uint32_t round = 0; round < rounds; round++) {
        tried[round] = healer->plan;
        if (!follow(healer, false, why))
            return false;
        compare(healer);
        if (healer->out->outcome == HEAL_SHOWN)
            return true;
        struct plan lazy = make_plan(healer, false), eager = make_plan(healer, true);
        if (is_new(&lazy, tried, round + 1))
            healer->plan = lazy;
        else if (is_new(&eager, tried, round + 1))
            healer->plan = eager;
        else
            return true;
    }
    return true;
}

static struct plan plan_of(const struct taken *steps, uint32_t count)
{
    struct plan plan = {.decisions = text_room((count + 1) * sizeof *plan.decisions),
                        .count = count};
    for (uint32_t i = 0; i < count; i++)
        plan.decisions[i] =
            (struct decision){.step = i, .thread = steps[i].thread, .choice = steps[i].choice};
    return plan;
}

/* Runs executions that differ a little from the best one, until one of them shows a finding of the
 * recorded kind. */
static bool look_nearby(struct healer *healer, uint64_t executions, struct problem *why)
{
    struct options options = options_again(&healer->recorded->options, "wander");
    struct board_handle handle;
    uint64_t before = healer->out->executions;
    options.keep_going = 0;
    options.isolate = ISOLATE_AUTO;
    if (options.carrier == CARRIER_KERNEL)
        options.isolate = ISOLATE_FORK;
    options.executions_max = executions;
    options.work_max = WORK_NEARBY;
    options.work_each = WORK_OF_RESET;
    options.target = 1;
    options.target_kind = (uint8_t)(healer->recorded->finding.kind + 1);
    options.target_first = 1;
    if (!board_make(&handle, &options, why))
        return false;
    healer->plan = healer->best;
    put_plan(handle.board, healer);
    bool good = run(healer, &handle, why);
    healer->out->nearby = healer->out->executions - before;
    bool shown = good && handle.board->tally.target_shown;
    if (shown) {
        uint32_t slot = handle.board->tally.target_slot;
        healer->plan = plan_of(board_saved(handle.board, slot), handle.board->saved_count[slot]);
        healer->site_count = handle.board->findings[slot].sites;
        memcpy(healer->sites, handle.board->sites + handle.board->findings[slot].sites_first,
               healer->site_count * sizeof *healer->sites);
    }
    board_drop(&handle);
    if (shown && (good = follow(healer, false, why)))
        compare(healer);
    return good;
}

static struct healer *healer_open(struct worker_pool *pool, const struct recording *recording,
                                  struct healed *out)
{
    struct healer *healer = text_room(sizeof *healer);
    *out = (struct healed){.outcome = HEAL_PASSES, .was = recording_word(recording)};
    out->same_build = strcmp(pool->job->build_id, recording->build_id) == 0;
    healer->pool = pool;
    healer->recorded = recording;
    healer->out = out;
    healer->marks = recording_marks(recording);
    healer->to = text_room((healer->marks.count + 1) * sizeof *healer->to);
    healer->sites = text_room(SITES_MAX * sizeof *healer->sites);
    healer->plan = healer->best = plan_of(recording->steps, recording->step_count);
    for (; out->same_build && healer->site_count < recording->site_count; healer->site_count++) {
        const struct recorded_site *site = &recording->sites[healer->site_count];
        healer->sites[healer->site_count] = site->base + site->offset;
    }
    return healer;
}

bool heal(struct worker_pool *pool, struct recording *recording, uint64_t nearby,
          struct healed *out, struct problem *why)
{
    struct healer *healer = healer_open(pool, recording, out);
    bool lost_sites = !out->same_build && recording->site_count > 0;
    if (lost_sites && recording->names_count > 0 && !survey(healer, why))
        return false;
    if (!mend(healer, nearby > 0 ? ROUNDS : ROUNDS_FEW, why))
        return false;
    if (out->followed.matched == 0 && recording->names_count > 0)
        return problem_is(
            why,
            "the program is not the one that was recorded: none of the recorded steps "
            "is in it: search again",
            recording->source != NULL ? recording->source : recording->program, 0);
    if (out->outcome != HEAL_SHOWN && nearby > 0 && !look_nearby(healer, nearby, why))
        return false;
    if (out->outcome != HEAL_PASSES)
        *recording = healer->found;
    return true;
}

bool heal_name(struct worker_pool *pool, struct recording *recording, struct problem *why)
{
    struct healed healed;
    struct healer *healer = healer_open(pool, recording, &healed);
    if (!follow(healer, false, why))
        return false;
    recording_name(recording, &healer->told);
    return true;
}

static const char *what_shows(const struct healed *healed)
{
    bool of_nothing = strcmp(healed->was, "nothing") == 0;
    switch (healed->outcome) {
    case HEAL_SHOWN:
        return text_print("the %s shows again", healed->was);
    case HEAL_OTHER:
        return of_nothing ? "a finding shows"
                          : text_print("the %s no longer shows, but another finding", healed->was);
    case HEAL_PASSES:
        return of_nothing ? "nothing shows" : text_print("the %s no longer shows", healed->was);
    }
    UNREACHABLE();
}

const char *healed_text(const struct healed *healed)
{
    const struct followed *followed = &healed->followed;
    bool whole = followed->matched == followed->steps;
    const char *far = whole ? text_print("to its end, all %u steps", followed->steps)
                            : text_print("to step %u of %u", followed->reached, followed->steps);
    const char *part = whole ? "" : text_print("; %u of them came in order", followed->matched);
    const char *added = followed->added == 0
                            ? ""
                            : text_print(", with %u new step%s in between", followed->added,
                                         followed->added == 1 ? "" : "s");
    const char *stray =
        healed->stray == NULL ? "" : text_print("; %s did not come in its place", healed->stray);
    const char *nearby =
        healed->nearby == 0
            ? ""
            : text_print("; %lu execution%s near it %s run, too", healed->nearby,
                         healed->nearby == 1 ? "" : "s", healed->nearby == 1 ? "was" : "were");
    const char *built =
        healed->same_build ? "" : "the program was built again since this was recorded; ";
    return text_print("%sthe schedule was followed %s%s%s%s%s: %s", built, far, part, added, stray,
                      nearby, what_shows(healed));
}
