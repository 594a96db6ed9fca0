#include "coordinator/verdict/conclude.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/code/unknown_functions.h"
#include "coordinator/code/unseen.h"
#include "coordinator/explain/why.h"
#include "coordinator/minimise/shrinker.h"
#include "coordinator/record/replay_file.h"
#include "coordinator/search/claim_facts.h"
#include "coordinator/text.h"
#include "coordinator/verdict/causes.h"
#include "coordinator/verdict/name_findings.h"
#include "strategy/strategy.h"

enum { EXPLAINED_MAX = 5 }; /* findings that are explained in full */

static void note(struct verdict *verdict, const char *text)
{
    if (verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] = text;
}

/* for compare_findings: findings and their files are numbered in the order of the report */
static const struct board *sorted_board;

static int compare_findings(const void *a, const void *b)
{
    const struct finding *left = &sorted_board->findings[*(const uint32_t *)a];
    const struct finding *right = &sorted_board->findings[*(const uint32_t *)b];
    return finding_comes_before(left, right) ? -1 : finding_comes_before(right, left);
}

static uint32_t sort_findings(const struct board *board, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < board->tally.finding_count; i++)
        if (board->findings[i].kind != FINDING_RACE || board->options.races != RACES_OFF)
            order[count++] = i;
    sorted_board = board;
    qsort(order, count, sizeof *order, compare_findings);
    return count;
}

static void add_nondeterminism(struct verdict *out, const struct reported *like,
                               const struct confirmed *confirmed)
{
    struct reported *added = &out->findings[out->finding_count++];
    *added = *like;
    added->finding = confirmed->different;
    added->diverged = confirmed->diverged;
    added->confirmed = false;
    added->object = NULL;
    added->leak_count = 0;
    added->leaks = NULL;
    added->why = why_text(added);
    added->step_count = added->wait_count = 0; /* the finding itself shows the steps */
    added->stacks[0].count = 0;
    added->output = added->errors = NULL;
    memset(added->places, 0, sizeof added->places);
}

/* Whether a second run with a different result is reported as nondeterminism. Not for a
 * nondeterminism, which never repeats. Nor for a cut execution, which is only a warning: how a long
 * execution is watched may move its clock, and that differs between modes. */
static bool says_nondeterminism(const struct finding *finding)
{
    return finding->kind != FINDING_NONDETERMINISM && !finding_is_unended(finding);
}

static void confirm_one(struct verdict *out, const struct confirmed *confirmed,
                        const struct board *board, struct reported *reported)
{
    const char *word = finding_word(reported->finding.kind);
    switch (confirmed->how) {
    case CONFIRM_SAME:
        return;
    case CONFIRM_DIFFERENT:
        if (says_nondeterminism(&reported->finding))
            add_nondeterminism(out, reported, confirmed);
        return;
    case CONFIRM_NOT_RUN:
        note(out, text_print("the %s could not be run again: %s", word, confirmed->why.text));
        name_places(reported, board);
        return;
    }
}

static enum fewest simplify(struct verdict *out, struct shrinker *shrinker,
                            struct recording *recording, uint32_t *apart)
{
    struct problem why;
    enum fewest fewest = shrink(shrinker, recording, &why);
    if (why.text[0] == 0)
        fewest = recording->finding.kind == FINDING_RACE
                     ? shrink_race(shrinker, recording, fewest, apart, &why)
                     : shrink_points(shrinker, recording, fewest, &why);
    if (why.text[0] != 0)
        note(out, text_print("the schedule of the %s may not be the simplest: %s",
                             finding_word(recording->finding.kind), why.text));
    return fewest;
}

/* Simplifies the schedule and runs it once more. If the result is not the same finding, falls back
 * to the schedule as it was found. */
static struct recording settle(struct verdict *out, struct shrinker *shrinker,
                               const struct recording *found, const struct board *board,
                               struct reported *reported)
{
    struct recording recording = *found;
    struct confirmed confirmed;
    /* a livelock that only a comparison of states can tell */
    bool turns = found->options.plain_loops && found->finding.kind == FINDING_LIVELOCK;
    bool shrinks = shrinker->pool->job->shrink && !turns && !finding_is_unended(&found->finding);
    uint32_t apart = 0;
    enum fewest fewest = shrinks ? simplify(out, shrinker, &recording, &apart) : FEWEST_NOT_ASKED;
    confirm(shrinker->pool, &recording, board->options.carrier, reported, &confirmed);
    if (recording.steps != found->steps && confirmed.how != CONFIRM_SAME) {
        recording = *found;
        fewest = FEWEST_UNKNOWN;
        apart = 0;
        confirm(shrinker->pool, &recording, board->options.carrier, reported, &confirmed);
    }
    reported->fewest = fewest;
    reported->apart = apart;
    reported->found = (struct trace_costs){.preemptions = found->finding.preemptions,
                                           .delays = found->finding.delays,
                                           .switches = found->finding.switches};
    reported->found_steps = found->finding.steps;
    confirm_one(out, &confirmed, board, reported);
    return recording;
}

static void explain_one(struct verdict *out, struct worker_pool *pool,
                        const struct recording *recording, struct reported *reported)
{
    struct problem why;
    explain(pool, recording, reported, &why);
    if (why.text[0] != 0)
        note(out, text_print("why the %s shows was not found out: %s",
                             finding_word(reported->finding.kind), why.text));
}

/* Whether the verdict has a deadlock in which two threads wait at the places of the predicted
 * one. */
static bool is_shown(const struct verdict *verdict, uint32_t count, const struct finding *predicted)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct reported *other = &verdict->findings[i];
        bool waits[2] = {false, false};
        for (uint32_t k = 0; k < other->wait_count; k++)
            for (int side = 0; side < 2; side++)
                waits[side] |= other->waits[k].site == predicted->places[side].site;
        if (other->finding.kind == FINDING_DEADLOCK && waits[0] && waits[1])
            return true;
    }
    return false;
}

static bool proves_none(const struct claim *claim)
{
    return claim->kind == CLAIM_ALL || claim->kind == CLAIM_ALL_CLASSES ||
           claim->kind == CLAIM_ALL_STATES;
}

/* Searches for the predicted deadlock. If it is found, the recording is of that deadlock; otherwise
 * the prediction stays a warning. */
static void search_predicted(struct verdict *out, struct shrinker *shrinker,
                             struct recording *recording)
{
    struct problem why = {.text = ""};
    if (!shrink_predicted(shrinker, recording, &why) && why.text[0] != 0)
        note(out, text_print("the deadlock that may come was not searched for: %s", why.text));
}

static void drop(struct verdict *out, const bool *dropped, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->finding_count; i++)
        if (i >= count || !dropped[i])
            out->findings[kept++] = out->findings[i];
    out->finding_count = kept;
}

static void add_statuses_differ(struct verdict *out, const struct tally *tally)
{
    struct reported *added = &out->findings[out->finding_count++];
    memset(added, 0, sizeof *added);
    added->finding.kind = FINDING_EXIT;
    added->finding.severity = SEVERITY_WARNING;
    added->finding.thread = NO_THREAD;
    added->finding.count = 1;
    added->finding.status = tally->first_status;
    snprintf(added->finding.message, FINDING_TEXT_MAX,
             "the exit status is not the same in every execution (the first had %d)",
             tally->first_status);
    added->why = text_print("%s; --expect-exit %d shows an execution with another one",
                            added->finding.message, tally->first_status);
}

/* Why the search cannot answer: findings were lost, or no execution was completed. NULL: it can. */
static const char *shortfall_of(const struct board *board, enum stop_reason stopped)
{
    const struct tally *tally = &board->tally;
    if (tally->findings_dropped > 0)
        return text_print("%u findings were lost for want of room: report fewer kinds (--detect)",
                          tally->findings_dropped);
    if (tally->executions > 0 || stopped == STOP_REFUSED)
        return NULL;
    if (tally->cut_by_steps > tally->cut_by_time)
        return text_print("no execution was completed: all %lu were cut at the limit of %u steps "
                          "(--steps)",
                          tally->cut_by_steps - tally->cut_by_time, board->options.steps_max);
    if (tally->cut > 0 && tally->cut_by_time == 0)
        return text_print("no execution was completed: all %lu were abandoned", tally->cut);
    return stopped == STOP_TIME ? "no execution was completed within the time limit (--time)"
                                : "no execution was completed";
}

/* Whether the finding is about the order of accesses, which code that was not seen may
 * determine. */
static bool rests_on_order(const struct finding *finding)
{
    return finding->kind == FINDING_RACE || finding->kind == FINDING_LOCKSET;
}

static void begin(struct verdict *out, const struct job *job, const struct worker_pool *pool)
{
    memset(out, 0, sizeof *out);
    out->program = job->name;
    out->arguments = job->arguments + 1;
    out->cpu_seconds = pool->cpu_seconds;
    out->peak_bytes = pool->peak_bytes;
}

bool conclude_search(struct verdict *out, const struct job *job, struct worker_pool *pool,
                     const struct board *board, const struct exploration *exploration,
                     struct problem *why)
{
    begin(out, job, pool);
    struct options *used = text_room(sizeof *used);
    *used = board->options;
    if (used->isolate == ISOLATE_AUTO)
        used->isolate = ISOLATE_RESET; /* nothing made the search fall back to fork */
    out->options = used;
    out->tally = &board->tally;
    out->control = &board->control;
    out->complete = board->tally.complete && board->tally.cut_by_steps == 0;
    out->wall_seconds = exploration->seconds;
    out->interrupted = exploration->stopped == STOP_INTERRUPT;
    out->shortfall = shortfall_of(board, exploration->stopped);
    if (exploration->stopped == STOP_REFUSED)
        name_refusal(out, board, exploration);
    if (exploration->fallback != NULL)
        note(out, text_print("each execution ran in a process of its own (fork): %s",
                             exploration->fallback));
    if (board->tally.spilled > 0)
        note(out, text_print("up to %.1f MB of what was still to be run were in a file (--memory)",
                             (double)board->tally.spilled / 1e6));
    struct claim_facts facts = claim_facts_of(board, exploration->stopped, exploration->refusal);
    struct unseen *unseen = text_room(sizeof *unseen);
    *unseen = unseen_find(board);
    out->unseen = unseen->names;
    out->unseen_count = unseen->count;
    facts.unseen = unseen->claim;
    struct unknown_functions unknown = unknown_functions_find(board);
    out->unknown_functions = unknown.names;
    out->unknown_function_count = unknown.count;
    facts.unknown_functions = unknown.claim;
    uint32_t order[FINDINGS_MAX], numbers[FINDING_KINDS] = {0};
    uint32_t count = sort_findings(board, order);
    for (uint32_t i = 0; i < count; i++)
        facts.unrepeatable |= board->findings[order[i]].kind == FINDING_NONDETERMINISM;
    claim_state(&out->claim, &facts);
    out->findings = text_room((2 * count + 1) * sizeof *out->findings);
    out->finding_count = count; /* nondeterminism that confirming adds comes behind these */
    struct shrinker shrinker = shrinker_open(pool, board, exploration->stopped);
    bool written = true, dropped[FINDINGS_MAX] = {false};
    uint32_t explained = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct reported *reported = &out->findings[i];
        struct recording found = recording_of(job, board, order[i]);
        if (found.finding.kind == FINDING_LOCK_ORDER &&
            (is_shown(out, i, &found.finding) || proves_none(&out->claim))) {
            dropped[i] = true;
            continue;
        }
        if (found.finding.kind == FINDING_LOCK_ORDER)
            search_predicted(out, &shrinker, &found);
        if (found.finding.kind == FINDING_RACE && board->options.races == RACES_WARN)
            found.finding.severity = SEVERITY_WARNING;
        bool doubted = unseen->doubt != NULL && rests_on_order(&found.finding);
        if (doubted)
            found.finding.severity = SEVERITY_WARNING;
        struct recording recording = settle(out, &shrinker, &found, board, reported);
        name_pairs(reported, board, &board->findings[order[i]]);
        if (doubted)
            reported->why =
                text_print("%s; %s, so this is a warning", reported->why, unseen->doubt);
        if (job->explain && explained < EXPLAINED_MAX && !pool->interrupted) {
            explain_one(out, pool, &recording, reported);
            explained += reported->explanation.asked;
        }
        if (written)
            written = replay_file_keep(reported, &recording, job->output, numbers, why);
    }
    if (out->finding_count > count) {
        facts.unrepeatable = true;
        claim_state(&out->claim, &facts);
        out->complete = false;
    }
    drop(out, dropped, count);
    if (board->tally.statuses_differ && board->options.expect_exit == EXIT_ANY)
        add_statuses_differ(out, &board->tally);
    name_exceptions(out);
    out->interrupted |= pool->interrupted;
    out->answer = verdict_answer(out);
    return written;
}

static void begin_replay(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                         const struct tally *tally, const struct control *control, double seconds)
{
    begin(out, job, pool);
    struct options *options = text_room(sizeof *options);
    *options = job->options;
    out->options = options;
    out->tally = tally;
    out->control = control;
    out->wall_seconds = seconds;
    struct claim_facts facts = {.stopped = STOP_REPLAY, .bound_done = NO_BOUND};
    claim_state(&out->claim, &facts);
}

void conclude_replay(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                     struct reported *reported, const struct confirmed *confirmed, double seconds)
{
    begin_replay(out, job, pool, &confirmed->tally, &confirmed->control, seconds);
    out->findings = text_room(2 * sizeof *out->findings);
    out->findings[0] = *reported;
    out->finding_count = 1;
    if (confirmed->how == CONFIRM_DIFFERENT && !finding_is_unended(&reported->finding))
        add_nondeterminism(out, reported, confirmed);
    name_exceptions(out);
    out->answer = verdict_answer(out);
}

void conclude_healed(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                     const struct healed *healed, double seconds)
{
    begin_replay(out, job, pool, &healed->tally, &healed->control, seconds);
    note(out, healed_text(healed));
    out->answer = ANSWER_CLEAN;
}
