#include "coordinator/search/claim_facts.h"

#include "core/board.h"
#include "strategy/strategy.h"

static uint64_t last_executions(const struct tally *tally)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tally->bounds; i++)
        sum += tally->per_bound[i].executions;
    if (sum > 0)
        return sum;
    return tally->restarts == 0 ? tally->executions : 0;
}

static uint32_t told_apart(const struct board *board)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < board->tally.site_count && i < SITES_MAX; i++)
        count += (board->sites[i] & SITE_OF_THREADS) != 0;
    return count;
}

/* The classes that the claim is about; 0: unknown. If a portfolio ends because its reduction has
 * explored all, these are the reduction's classes: those of other strategies may count futile
 * iterations. */
static uint64_t classes_claimed(const struct tally *tally)
{
    if (tally->classes == CLASSES_UNKNOWN)
        return 0;
    return tally->classes_reduced > 0 ? tally->classes_reduced : tally->classes;
}

static bool leaves_out_turns(const struct tally *tally)
{
    bool fewer = classes_claimed(tally) > 0 && classes_claimed(tally) < tally->classes;
    return tally->claim == CLAIM_ALL_CLASSES && tally->complete && (tally->vain || fewer);
}

/* Executions that a reduction or the comparison of states has cut. For --cache the claim has
 * another sentence. */
static uint64_t cut_as_explored(const struct board *board, const struct strategy *strategy)
{
    const struct tally *tally = &board->tally;
    bool explores =
        strategy != NULL &&
        (strategy->traits.reduces || strategy->reduces_now != NULL || strategy->traits.compares);
    if (!explores || board->options.cache)
        return 0;
    uint64_t otherwise = tally->cut_by_steps + tally->cut_by_cycles;
    return tally->cut > otherwise ? tally->cut - otherwise : 0;
}

struct claim_facts claim_facts_of(const struct board *board, enum stop_reason stopped,
                                  const char *refusal)
{
    const struct tally *tally = &board->tally;
    const struct options *options = &board->options;
    const struct strategy *strategy = strategy_find(options->strategy);
    bool never_opened = !board->opened && tally->executions == 0;
    return (struct claim_facts){
        .kind = never_opened ? CLAIM_NOTHING : (enum claim_kind)tally->claim,
        .complete = tally->complete && stopped != STOP_REFUSED,
        .stopped = stopped,
        .bound_name = strategy == NULL ? NULL : strategy->traits.bound_name,
        .reduces = strategy != NULL && strategy->traits.reduces,
        .bound_is_depth = strategy != NULL && strategy->traits.bound_is_depth,
        .cached = options->cache,
        .symmetry = options->symmetry && options->instrumented,
        .told_apart = told_apart(board),
        .points_added = strategy != NULL && strategy->more_points != NULL && tally->site_count > 0,
        .guarantee = tally->guarantee,
        .states = tally->states,
        .bound_done = tally->executions == 0 ? NO_BOUND : tally->bound_done,
        .executions = tally->executions,
        .last_executions = last_executions(tally),
        .classes = classes_claimed(tally),
        .turns_left_out = leaves_out_turns(tally),
        .cut_by_steps = tally->cut_by_steps - tally->cut_by_time,
        .cut_by_time = tally->cut_by_time,
        .left = tally->left,
        .cut_by_cycles = tally->cut_by_cycles,
        .cut_as_explored = cut_as_explored(board, strategy),
        .steps_max = options->steps_max,
        .findings_dropped = tally->findings_dropped,
        .races_unpromoted = tally->races_unpromoted,
        .lost = tally->lost,
        .unreduced = tally->unreduced,
        .faulty = options->fault != 0 || options->state_fault != 0,
        .undisciplined = tally->undisciplined,
        .shared = tally->shared,
        .synchronisation_only = options->points == POINTS_SYNC || !options->instrumented,
        .instrumented = options->instrumented,
        .waits = tally->waits,
        .spurious = options->spurious,
        .atomic_sections = options->marks & MARK_ATOMIC,
        .ignored_accesses = options->marks & MARK_IGNORE,
        .benign_races = options->marks & MARK_BENIGN,
        .trusted = options->marks & MARK_TRUST,
        .gives_way = options->marks & MARK_GIVES_WAY,
        .all_points = options->points == POINTS_ALL,
        .refusal = refusal == NULL ? "" : refusal,
    };
}
