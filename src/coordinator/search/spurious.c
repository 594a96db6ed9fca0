#include "coordinator/search/spurious.h"

#include <string.h>

#include "coordinator/search/always.h"
#include "coordinator/search/claim_facts.h"
#include "coordinator/share/merge.h"
#include "coordinator/text.h"

static uint64_t runs(const struct tally *tally)
{
    return tally->executions + tally->cut;
}

bool spurious_is_wanted(const struct board *first, const struct exploration *exploration)
{
    const struct options *options = &first->options;
    bool over = exploration->stopped == STOP_NONE || exploration->stopped == STOP_TIME ||
                (exploration->stopped == STOP_FINDING && options->keep_going);
    return over && first->tally.waits && first->tally.executions > 0 &&
           (options->keep_going || !board_has_error(first)) &&
           (options->executions_max == 0 || runs(&first->tally) < options->executions_max);
}

struct options spurious_options(const struct board *first)
{
    struct options options = first->options;
    options.spurious = SPURIOUS_SECOND;
    if (options.executions_max > 0)
        options.executions_max -= runs(&first->tally);
    return options;
}

void spurious_begin(struct board *second, const struct board *first)
{
    uint32_t count = first->tally.site_count;
    memcpy(second->sites, first->sites, count * sizeof *first->sites);
    second->tally.site_count = count;
    second->tally.clock_matters = first->tally.clock_matters;
}

static bool is_known(const struct board *board, uint64_t key)
{
    for (uint32_t i = 0; i < board->tally.finding_count && i < FINDINGS_MAX; i++)
        if (board->findings[i].key == key)
            return true;
    return false;
}

bool spurious_counts(const struct board *second, const struct board *first)
{
    bool more = false;
    for (uint32_t i = 0; i < second->tally.finding_count && i < FINDINGS_MAX; i++)
        more |= !is_known(first, second->findings[i].key);
    return more || second->tally.complete;
}

/* Numbers the executions of the second search after those of the first. */
void spurious_join(struct board *second, const struct board *first)
{
    struct tally *tally = &second->tally;
    const struct tally *before = &first->tally;
    for (uint32_t i = 0; i < tally->finding_count && i < FINDINGS_MAX; i++)
        second->findings[i].execution += before->executions;
    merge_findings(second, first);
    if (before->first_bug != 0)
        tally->first_bug = before->first_bug;
    else if (tally->first_bug != 0)
        tally->first_bug += before->executions;
    tally->executions += before->executions;
    for (uint32_t i = 0; i < ALWAYS_MAX; i++)
        tally->always_shown[i] += before->always_shown[i];
    tally->always_missed |= before->always_missed;
    tally->steps += before->steps;
    tally->cut += before->cut;
    tally->restarts += before->restarts;
}

const char *spurious_note(const struct board *first, enum stop_reason stopped)
{
    struct claim_facts facts = claim_facts_of(first, stopped, NULL);
    struct claim claim;
    claim_state(&claim, &facts);
    return text_print("before that, another search: %s", claim.text);
}
