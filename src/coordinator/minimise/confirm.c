#define _GNU_SOURCE
#include "coordinator/minimise/confirm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "coordinator/explain/story.h"
#include "coordinator/text.h"

/* The name of an object. It has the same number in both executions, but only `got` has names. */
static const char *object_text(const struct taken *got, uint32_t count,
                               const struct story_step *named, uint32_t object)
{
    if (object == NO_OBJECT)
        return "";
    for (uint32_t i = 0; named != NULL && i < count; i++)
        if (got[i].object == object && named[i].object[0] != 0)
            return text_print(" %s", named[i].object);
    return named != NULL ? " another object" : text_print(" object #%u", object);
}

static const char *step_text(const struct taken *step, const char *object)
{
    const char *choice = step->choice == 0 ? "" : text_print(" with outcome %u", step->choice);
    return text_print("T%u %s%s%s", step->thread, op_word(step->kind), object, choice);
}

bool steps_compare(const struct taken *expected, uint32_t expected_count, const struct taken *got,
                   uint32_t got_count, const struct story_step *named, struct diverged *out)
{
    uint32_t at = 0;
    while (at < expected_count && at < got_count &&
           memcmp(&expected[at], &got[at], sizeof *got) == 0)
        at++;
    if (at == expected_count && at == got_count)
        return true;
    const char *const end = "the end";
    *out = (struct diverged){.step = at, .expected = end, .got = end};
    if (at < expected_count)
        out->expected = step_text(&expected[at], object_text(got, at, named, expected[at].object));
    if (at < got_count)
        out->got = step_text(&got[at], object_text(got, at + 1, named, got[at].object));
    return false;
}

static enum replay_end end_of(const struct finding *finding)
{
    if (finding_is_unended(finding))
        return REPLAY_IS_CUT;
    if (finding->stops)
        return REPLAY_STOPS;
    return finding->kind == FINDING_LIVELOCK || finding->stays ? REPLAY_IN_LIVELOCK
                                                               : REPLAY_ENDS_ITSELF;
}

static struct options replay_options(const struct recording *recording, enum carrier carrier)
{
    struct options options = options_again(&recording->options, NULL);
    options.replay_end = end_of(&recording->finding);
    options.detail = 1;
    options.isolate = ISOLATE_FORK;
    options.carrier = carrier;
    options.keep_going = 0;
    options.always_count = 0;
    options.pass = recording->finding.passed;
    return options;
}

/* Modules may lie elsewhere than when the recording was made; true: sites were corrected. */
static bool move_sites(const struct recording *recording, const struct board *board)
{
    bool moved = false;
    for (uint32_t i = 0; i < recording->site_count; i++)
        for (uint32_t k = 0; k < board->module_count; k++) {
            const char *slash = strrchr(board->modules[k].path, '/');
            const char *name = slash == NULL ? board->modules[k].path : slash + 1;
            if (strcmp(name, recording->sites[i].module) != 0 ||
                board->modules[k].base == recording->sites[i].base)
                continue;
            recording->sites[i].base = board->modules[k].base;
            moved = true;
        }
    return moved;
}

static uint32_t find_again(const struct board *board, const struct finding *finding)
{
    for (uint32_t i = 0; i < board->tally.finding_count; i++)
        if (board->findings[i].kind == finding->kind && board->findings[i].key == finding->key)
            return i;
    return FINDINGS_MAX;
}

static const char *what_came(const struct board *board)
{
    if (board->tally.finding_count == 0)
        return "an execution without findings";
    const struct finding *finding = &board->findings[0];
    return text_print("%s%s%s", finding_word(finding->kind), finding->message[0] ? ": " : "",
                      finding->message);
}

static bool came_out_same(const struct recording *recording, const struct board *board,
                          const struct reported *told, uint32_t finding, struct diverged *out)
{
    uint32_t which = board->trace[board->which].count > 0 ? board->which : 1 - board->which;
    uint32_t count = board->trace[which].count;
    const struct step *steps = board_steps(board, which);
    struct taken *got = text_room((count + 1) * sizeof *got);
    for (uint32_t i = 0; i < count; i++)
        got[i] = (struct taken){.thread = (uint8_t)steps[i].thread,
                                .kind = steps[i].op.kind,
                                .choice = steps[i].choice,
                                .object = steps[i].op.object};
    taken_rename(got, count);
    const struct story_step *named = told->step_count == count ? told->steps : NULL;
    if (!steps_compare(recording->steps, recording->step_count, got, count, named, out))
        return false;
    *out = (struct diverged){
        .step = count, .expected = finding_word(recording->finding.kind), .got = what_came(board)};
    return finding < FINDINGS_MAX;
}

static struct finding nondeterminism(const struct finding *finding, uint32_t step_count,
                                     const struct diverged *diverged)
{
    struct finding out = *finding;
    out.kind = FINDING_NONDETERMINISM;
    out.severity = (uint8_t)finding_severity(FINDING_NONDETERMINISM);
    out.count = 1;
    out.object = NO_OBJECT;
    out.address = 0;
    out.file[0] = 0;
    memset(out.places, 0, sizeof out.places);
    const char *at =
        diverged->step == step_count ? "the end" : text_print("step %u", diverged->step);
    snprintf(out.message, sizeof out.message,
             "run again, the %s came out otherwise; %s: expected %s, got %s",
             finding_word(finding->kind), at, diverged->expected, diverged->got);
    return out;
}

static const char *output_text(int fd)
{
    size_t count = 0;
    const char *text = text_of_file(fd, &count);
    return text == NULL || count == 0 ? NULL : text;
}

bool confirm_board(struct board_handle *out, const struct recording *recording,
                   enum carrier carrier, bool debugged, struct problem *why)
{
    struct options options = replay_options(recording, carrier);
    options.debugged = debugged;
    if (debugged) {
        options.detail = 0;
        options.isolate = ISOLATE_EXEC;
    }
    return recording_board(out, recording, &options, why);
}

static bool run_again(struct worker_pool *pool, const struct recording *recording,
                      enum carrier carrier, struct worker_output to, struct board_handle *handle,
                      struct problem *why)
{
    if (!confirm_board(handle, recording, carrier, false, why))
        return false;
    struct budget budget = budget_open(0, worker_pool_patience(pool));
    struct exploration exploration;
    bool good = explore(pool, handle, 1, to, &budget, NULL, &exploration, why);
    if (good && exploration.stopped == STOP_REFUSED)
        good = problem_is(why, "run again, the program did what is not modelled",
                          exploration.refusal, 0);
    const struct tally *tally = &handle->board->tally;
    if (good && exploration.stopped == STOP_INTERRUPT && tally->executions + tally->cut == 0)
        good = problem_is(why, "interrupted", NULL, 0);
    if (!good)
        board_drop(handle);
    return good;
}

bool run_in_detail(struct worker_pool *pool, const struct recording *recording,
                   enum carrier carrier, struct reported *out, struct problem *why)
{
    struct worker_output to = {.output = -1, .errors = -1};
    struct board_handle handle;
    memset(out, 0, sizeof *out);
    if (recording->options.output != OUTPUT_ANY) {
        to.output = memfd_create("bohr-output", MFD_CLOEXEC);
        if (to.output < 0)
            return problem_is(why, "cannot keep the program's output", NULL, errno);
    }
    bool ran = run_again(pool, recording, carrier, to, &handle, why);
    if (ran) {
        uint32_t finding = find_again(handle.board, &recording->finding);
        story_tell(out, handle.board, FINDINGS_MAX);
        out->confirmed = finding < FINDINGS_MAX;
        out->output = to.output >= 0 ? output_text(to.output) : NULL;
        board_drop(&handle);
    }
    if (to.output >= 0)
        close(to.output);
    return ran;
}

void confirm(struct worker_pool *pool, const struct recording *recording, enum carrier carrier,
             struct reported *out, struct confirmed *result)
{
    memset(out, 0, sizeof *out);
    memset(result, 0, sizeof *result);
    out->finding = recording->finding;
    result->how = CONFIRM_NOT_RUN;
    struct worker_output to = {.output = memfd_create("bohr-output", MFD_CLOEXEC),
                               .errors = memfd_create("bohr-errors", MFD_CLOEXEC)};
    struct board_handle handle;
    bool ran = to.output >= 0 && to.errors >= 0
                   ? run_again(pool, recording, carrier, to, &handle, &result->why)
                   : problem_is(&result->why, "cannot keep the program's output", NULL, errno);
    if (ran && move_sites(recording, handle.board)) {
        board_drop(&handle);
        ran = run_again(pool, recording, carrier, to, &handle, &result->why);
    }
    if (ran) {
        uint32_t finding = find_again(handle.board, &recording->finding);
        result->how = CONFIRM_SAME;
        if (finding < FINDINGS_MAX && handle.board->findings[finding].cycle != 0)
            out->finding.cycle = handle.board->findings[finding].cycle;
        story_tell(out, handle.board, finding);
        if (!came_out_same(recording, handle.board, out, finding, &result->diverged)) {
            result->how = CONFIRM_DIFFERENT;
            result->different =
                nondeterminism(&recording->finding, recording->step_count, &result->diverged);
        }
        out->confirmed = result->how == CONFIRM_SAME;
        result->tally = handle.board->tally;
        result->control = handle.board->control;
        out->output = output_text(to.output);
        out->errors = output_text(to.errors);
        board_drop(&handle);
    }
    close(to.output);
    close(to.errors);
}
