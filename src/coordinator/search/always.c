#include "coordinator/search/always.h"

#include <string.h>

#include "coordinator/record/recording.h"
#include "coordinator/share/merge.h"
#include "core/sum.h"

enum {
    ORDERS = 12,     /* executions of other orders */
    PAST_MAX = 2000, /* executions of a search past an error, if the user gave no other number */
};

/* Whether no execution has passed without this error. */
static bool is_always(const struct board *board, const struct finding *finding)
{
    uint32_t index = options_always(&board->options, finding->key);
    return index < ALWAYS_MAX && !(board->tally.always_missed >> index & 1);
}

bool board_has_error(const struct board *board)
{
    for (uint32_t i = 0; i < board->tally.finding_count && i < FINDINGS_MAX; i++)
        if (finding_is_error(&board->findings[i]) && !is_always(board, &board->findings[i]))
            return true;
    return false;
}

/* Not hangs and livelocks, which take seconds each, nor kinds that are about several executions. */
static bool can_be_always(enum finding_kind kind)
{
    return kind != FINDING_HANG && kind != FINDING_LIVELOCK && kind != FINDING_NONDETERMINISM &&
           kind != FINDING_OUTPUT;
}

uint32_t always_candidate(const struct board *board)
{
    const struct tally *tally = &board->tally;
    for (uint32_t i = 0; i < tally->finding_count && i < FINDINGS_MAX; i++) {
        const struct finding *finding = &board->findings[i];
        if (finding_is_error(finding) && can_be_always(finding->kind) && finding->execution == 1 &&
            finding->count == tally->executions &&
            options_always(&board->options, finding->key) == ALWAYS_MAX)
            return i;
    }
    return FINDINGS_MAX;
}

bool always_is_shown(struct worker_pool *pool, const struct board *board, uint32_t candidate,
                     struct budget *budget)
{
    struct options options = options_again(&board->options, "random");
    struct worker_output to = {.output = -1, .errors = -1};
    struct board_handle handle;
    struct exploration exploration;
    struct problem why;
    options.samples = options.remember = 0;
    options.verify_every = board->options.verify_every;
    options.keep_going = 1;
    options.executions_max = ORDERS;
    if (board->options.output != OUTPUT_ANY || budget_is_spent(budget) ||
        !board_make(&handle, &options, &why))
        return false;
    bool shown = explore(pool, &handle, 1, to, budget, NULL, &exploration, &why) &&
                 exploration.stopped != STOP_REFUSED && exploration.stopped != STOP_INTERRUPT;
    const struct tally *tally = &handle.board->tally;
    bool found = false;
    for (uint32_t i = 0; i < tally->finding_count && i < FINDINGS_MAX; i++)
        found |= handle.board->findings[i].key == board->findings[candidate].key;
    shown = shown && found && tally->executions > 0 && tally->buggy == tally->executions;
    board_drop(&handle);
    return shown;
}

bool always_add(struct options *options, const struct finding *finding)
{
    if (options->always_count == ALWAYS_MAX)
        return false;
    options->always[options->always_count++] = finding->key;
    if (options->executions_max == 0 && !options->keep_going)
        options->executions_max = PAST_MAX;
    return true;
}

/* Sites that race are steps from the start of the next search. */
void always_begin(struct board *next, const struct board *before)
{
    for (uint32_t i = 0; i < before->tally.finding_count; i++)
        if (options_always(&next->options, before->findings[i].key) < ALWAYS_MAX)
            merge_finding(next, before, i);
    for (uint32_t i = 0; i < next->tally.finding_count; i++)
        next->findings[i].always = 1;
    next->tally.restarts = before->tally.restarts;
    next->tally.clock_matters = before->tally.clock_matters;
    next->module_count = before->module_count;
    memcpy(next->modules, before->modules, before->module_count * sizeof *before->modules);
    tally_seal(&next->tally);
}

static bool has_found(const struct board *board, uint64_t key)
{
    for (uint32_t i = 0; i < board->tally.finding_count && i < FINDINGS_MAX; i++)
        if (board->findings[i].key == key)
            return true;
    return false;
}

static void keep_counts(struct board *board, const struct board *before)
{
    board->tally.executions = before->tally.executions;
    board->tally.steps = before->tally.steps;
    board->tally.first_bug = before->tally.first_bug;
    board->tally.buggy = before->tally.buggy;
    board->options.instrumented = before->options.instrumented;
    board->options.marks = before->options.marks;
    board->module_count = before->module_count;
    memcpy(board->modules, before->modules, before->module_count * sizeof *before->modules);
}

void always_keep(struct board *board, const struct board *first)
{
    for (uint32_t i = 0; i < first->tally.finding_count && i < FINDINGS_MAX; i++)
        if (finding_is_error(&first->findings[i]) && !has_found(board, first->findings[i].key))
            merge_finding(board, first, i);
    if (board->tally.executions == 0)
        keep_counts(board, first);
    tally_seal(&board->tally);
}

void always_conclude(struct board *board)
{
    struct tally *tally = &board->tally;
    for (uint32_t i = 0; i < tally->finding_count && i < FINDINGS_MAX; i++) {
        struct finding *finding = &board->findings[i];
        uint32_t index = options_always(&board->options, finding->key);
        if (index == ALWAYS_MAX)
            continue;
        finding->count = tally->always_shown[index];
        finding->always = finding->count == tally->executions;
        if (finding->always)
            continue;
        tally->first_bug = 1;
        tally->buggy += finding->count;
    }
    tally_seal(tally);
}
