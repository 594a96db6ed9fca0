#include "runtime/worker/account.h"

#include <string.h>

#include "base/mix.h"
#include "runtime/engine/flight.h"
#include "runtime/worker/class_growth.h"
#include "runtime/worker/class_set.h"

bool account_is_aside(void)
{
    return rt.reduces && rt.strategy->traits.reduces_in_part;
}

bool account_is_astray(void)
{
    return rt.reduces && rt.trace.outcome == OUTCOME_DIVERGED &&
           (account_is_aside() || the_board->flight.unreduced || the_board->tally.unreduced);
}

static bool execution_counts(void)
{
    return !account_is_astray() && rt.trace.outcome != OUTCOME_CUT_STEPS &&
           rt.trace.outcome != OUTCOME_CUT_STRATEGY && rt.trace.outcome != OUTCOME_CUT_CYCLE;
}

static bool failed(void)
{
    for (uint32_t i = 0; i < the_board->flight.finding_count; i++)
        if (finding_is_error(&the_board->flight.findings[i]))
            return true;
    return false;
}

static bool is_target(const struct finding *finding)
{
    uint8_t kind = rt.options->target_kind;
    return (kind != 0 ? finding->kind + 1 == kind : finding->key == rt.options->target) &&
           (finding->adjacent || !rt.options->target_adjacent);
}

bool account_shows_target(void)
{
    for (uint32_t i = 0; rt.options->target != 0 && i < the_board->flight.finding_count; i++)
        if (is_target(&the_board->flight.findings[i]))
            return true;
    return false;
}

/* Of all workers, with the one in flight. */
static uint64_t executions_so_far(void)
{
    uint64_t sum = the_board->tally.executions;
    const struct sharing *sharing = &the_board->sharing;
    for (uint32_t i = 0; sharing->shared && i < WORKERS_MAX; i++)
        if (i != sharing->number)
            sum += __atomic_load_n(&the_common->workers[i].executions, __ATOMIC_RELAXED);
    return sum;
}

static void save_steps(uint32_t index, uint32_t count)
{
    struct taken *taken = board_at(the_board, the_board->layout.saved);
    taken += (size_t)index * rt.options->steps_max;
    uint32_t objects = 0;
    uint32_t *order = rt.objects.orders;
    memset(order, 0, (the_board->object_count + 1) * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &rt.trace.steps[i];
        uint32_t object = step->op.object;
        if (object != NO_OBJECT && order[object] == 0)
            order[object] = ++objects;
        taken[i] = (struct taken){.thread = (uint8_t)step->thread,
                                  .kind = step->op.kind,
                                  .choice = step->choice,
                                  .object = object == NO_OBJECT ? 0 : order[object]};
    }
    the_board->saved_count[index] = count;
}

static void finding_store(uint32_t index, uint32_t flight, const struct trace_costs *costs)
{
    struct finding *kept = &the_board->findings[index];
    *kept = the_board->flight.findings[flight];
    kept->count = 1;
    kept->execution = rt.worker.number_in_flight;
    kept->preemptions = costs->preemptions;
    kept->delays = costs->delays;
    kept->switches = costs->switches;
    kept->spurious = costs->spurious;
    if (kept->steps == 0) /* or it is about the first so many */
        kept->steps = rt.trace.count;
    kept->stays = rt.trace.outcome == OUTCOME_LIVELOCK;
    kept->stops = kept->steps == rt.trace.count && rt.trace.outcome == OUTCOME_CUT_STRATEGY;
    kept->sites_first = 0;
    kept->sites = rt.memory.site_count;
    memcpy(the_board->finding_frames[index], the_board->flight.frames[flight],
           sizeof the_board->finding_frames[index]);
    kept->counted = rt.worker.number_in_flight;
    kept->pair_count = 0;
    if (kept->kind == FINDING_RACE)
        finding_add_pair(kept,
                         &(struct race_pair){.key = kept->key,
                                             .site = {kept->places[0].site, kept->places[1].site}});
    save_steps(index, kept->steps);
}

static bool is_simpler(const struct trace_costs *costs, const struct finding *than)
{
    if (costs->spurious != than->spurious)
        return costs->spurious < than->spurious;
    if (costs->preemptions != than->preemptions)
        return costs->preemptions < than->preemptions;
    if (costs->switches != than->switches)
        return costs->switches < than->switches;
    return rt.trace.count < than->steps;
}

/* Two places take turns, so that the one in use stays whole until the change is sealed. */
static void target_keep(uint32_t flight)
{
    struct tally *tally = &the_board->tally;
    struct trace_costs costs = trace_costs(&rt.trace);
    if (tally->target_shown && !is_simpler(&costs, &the_board->findings[tally->target_slot]))
        return;
    tally->target_slot = tally->target_shown ? 1 - tally->target_slot : 0;
    tally->target_shown = 1;
    finding_store(tally->target_slot, flight, &costs);
    if (tally->finding_count <= tally->target_slot)
        tally->finding_count = tally->target_slot + 1;
}

/* Once for each execution, however many pairs of places show it. */
static void finding_count(struct finding *kept)
{
    journal_save(&the_board->journal, &kept->count, sizeof kept->count);
    journal_save(&the_board->journal, &kept->counted, sizeof kept->counted);
    kept->count += kept->counted != rt.worker.number_in_flight;
    kept->counted = rt.worker.number_in_flight;
}

/* The race on the same object that it belongs to; NULL: there is none. */
static struct finding *race_on_object(const struct finding *race)
{
    if (rt.options->replay) /* which looks for one pair */
        return NULL;
    for (uint32_t i = 0; i < the_board->tally.finding_count; i++) {
        struct finding *kept = &the_board->findings[i];
        if (kept->kind == FINDING_RACE && race->kind == FINDING_RACE && race->object != NO_OBJECT &&
            kept->object == race->object)
            return kept;
    }
    return NULL;
}

static void race_add_to(struct finding *kept, const struct finding *race)
{
    struct race_pair pair = {.key = race->key,
                             .site = {race->places[0].site, race->places[1].site}};
    uint32_t at = kept->pair_count;
    journal_save(&the_board->journal, &kept->pair_count, sizeof kept->pair_count);
    if (at < FINDING_PAIRS_MAX)
        journal_save(&the_board->journal, &kept->pairs[at], sizeof pair);
    finding_add_pair(kept, &pair);
    finding_count(kept);
}

/* Where to keep one more. The table is full: an error takes the place of a race or a warning, which
 * is lost. FINDINGS_MAX: there is no place. */
static uint32_t place_for(const struct finding *finding)
{
    struct tally *tally = &the_board->tally;
    if (tally->finding_count < FINDINGS_MAX)
        return tally->finding_count++;
    tally->findings_dropped++;
    for (uint32_t i = FINDINGS_MAX; finding_is_error(finding) && i-- > 0;)
        if (!finding_is_error(&the_board->findings[i]))
            return i;
    return FINDINGS_MAX;
}

static void finding_keep(uint32_t flight)
{
    struct tally *tally = &the_board->tally;
    const struct finding *finding = &the_board->flight.findings[flight];
    uint64_t key = finding->key;
    if (rt.options->target != 0) {
        if (is_target(&the_board->flight.findings[flight]))
            target_keep(flight);
        return;
    }
    for (uint32_t i = 0; i < tally->finding_count; i++)
        if (the_board->findings[i].key == key || finding_has_pair(&the_board->findings[i], key)) {
            finding_count(&the_board->findings[i]);
            return;
        }
    struct finding *same = race_on_object(finding);
    if (same != NULL) {
        race_add_to(same, finding);
        return;
    }
    uint32_t place = place_for(finding);
    if (place == FINDINGS_MAX)
        return;
    struct trace about = rt.trace;
    if (the_board->flight.findings[flight].steps != 0)
        about.count = the_board->flight.findings[flight].steps;
    struct trace_costs costs = trace_costs(&about);
    finding_store(place, flight, &costs);
}

/* Each class that is new is as likely as any other to be among those kept. A worker that is killed
 * here leaves a sample of no steps. */
static void sample_keep(uint64_t number)
{
    uint64_t slot = number <= SAMPLES_MAX ? number - 1 : mix(rt.options->seed, number) % number;
    if (slot >= SAMPLES_MAX)
        return;
    the_board->saved_count[FINDINGS_MAX + slot] = 0;
    the_board->sample_sites[slot] = rt.memory.site_count;
    save_steps(FINDINGS_MAX + (uint32_t)slot, rt.trace.count);
}

static struct bound_row *bound_row(void)
{
    struct tally *tally = &the_board->tally;
    if (tally->bound < 0 || tally->sampled)
        return NULL;
    for (uint32_t i = tally->bounds; i-- > 0;)
        if (tally->per_bound[i].bound == tally->bound)
            return &tally->per_bound[i];
    if (tally->bounds == BOUNDS_MAX)
        return NULL;
    struct bound_row *row = &tally->per_bound[tally->bounds++];
    *row = (struct bound_row){.bound = tally->bound};
    return row;
}

static void at_least(uint32_t *most, uint32_t value)
{
    if (*most < value)
        *most = value;
}

static void count_class(struct bound_row *row)
{
    struct tally *tally = &the_board->tally;
    if (tally->classes == CLASSES_UNKNOWN)
        return;
    tally->classified++;
    switch (classes_add(rt.trace.class)) {
    case CLASS_KNOWN:
        return;
    case CLASS_SEEN_AGAIN:
        tally->singletons--;
        return;
    case CLASS_NO_ROOM:
        tally->classes = CLASSES_UNKNOWN;
        return;
    case CLASS_NEW:
        tally->classes++;
        tally->class_sum += mix(rt.trace.class[0], rt.trace.class[1]);
        tally->singletons++;
        if (row != NULL)
            row->classes++;
        if (unlikely(rt.options->samples))
            sample_keep(tally->classes);
    }
}

/* Loops that wait are not the same to a reduction: it has classes of its own. */
static void count_class_reduced(void)
{
    struct tally *tally = &the_board->tally;
    if (account_is_aside() && tally->classes != CLASSES_UNKNOWN)
        tally->classes_reduced += classes_add_reduced(rt.trace.class);
}

static void count_status(void)
{
    struct tally *tally = &the_board->tally;
    if (rt.trace.outcome != OUTCOME_FINISHED)
        return;
    if (tally->first_status < 0)
        tally->first_status = rt.trace.status;
    else if (tally->first_status != rt.trace.status)
        tally->statuses_differ = 1;
}

static void note_output(void)
{
    struct tally *tally = &the_board->tally;
    if (rt.options->output == OUTPUT_ANY || rt.trace.outcome != OUTCOME_FINISHED ||
        tally->output_known)
        return;
    tally->first_output = rt.worker.written;
    tally->output_known = 1;
}

/* All workers restart for what one worker alone would restart for. */
static void learn_for_all(void)
{
    struct flight *flight = &the_board->flight;
    bool hides = rt.trace.outcome == OUTCOME_FAILED || trace_strikes(&rt.trace, 0);
    if (hides && !the_board->tally.fails)
        flight->failure_seen = 1;
    for (uint32_t i = 0; i < rt.trace.count; i++) {
        uint64_t site = rt.trace.steps[i].op.site | SITE_WIDE;
        if (!step_is_wide(&rt.trace.steps[i]) || site_is_promoted(site))
            continue;
        site_promote(site);
        flight->wide_seen = 1;
    }
}

/* Errors that every execution is taken to have. One that an execution without any error does not
 * have depends on the order after all. */
static void count_always(void)
{
    struct tally *tally = &the_board->tally;
    uint32_t expected = (1u << rt.options->always_count) - 1, seen = the_board->flight.always_seen;
    for (uint32_t i = 0; i < rt.options->always_count && i < ALWAYS_MAX; i++)
        tally->always_shown[i] += seen >> i & 1;
    if (rt.trace.outcome == OUTCOME_FINISHED && !failed())
        tally->always_missed |= expected & ~seen;
}

void account_execution(void)
{
    struct tally *tally = &the_board->tally;
    struct journal *journal = &the_board->journal;
    journal_save(journal, tally, offsetof(struct tally, per_bound));
    struct bound_row *row = bound_row();
    if (row != NULL)
        journal_save(journal, row, sizeof *row);
    tally->steps += rt.trace.count;
    tally->looks += the_board->flight.looks;
    tally->accesses += the_board->flight.accesses;
    if (execution_counts()) {
        tally->executions++;
        tally->fingerprint_sum += rt.trace.fingerprint;
        if (row != NULL)
            row->executions++;
        count_class(row);
        count_class_reduced();
        coverage_grow();
        count_status();
        note_output();
        if (rt.options->always_count > 0)
            count_always();
    } else {
        tally->cut++;
        tally->cut_by_steps += rt.trace.outcome == OUTCOME_CUT_STEPS && !account_is_aside();
        tally->cut_by_cycles += rt.trace.outcome == OUTCOME_CUT_CYCLE;
        tally->cut_by_time +=
            the_board->flight.late && rt.trace.outcome == OUTCOME_CUT_STEPS && !account_is_aside();
    }
    at_least(&tally->threads, rt.trace.thread_count);
    at_least(&tally->max_enabled, the_board->flight.enabled_max);
    at_least(&tally->max_points, the_board->flight.points);
    at_least(&tally->max_steps, rt.trace.count);
    tally->races_unpromoted |=
        the_board->flight.unpromoted ||
        (rt.options->points_fixed && rt.points == POINTS_RACE && the_board->flight.site_count > 0);
    tally->undisciplined |= the_board->flight.undisciplined;
    if (tally->shared.process == 0)
        tally->shared = the_board->flight.shared;
    if (the_board->sharing.shared && rt.strategy->sharing.begins_anew)
        learn_for_all();
    if (rt.reduces && !account_is_aside())
        tally->unreduced |= the_board->flight.unreduced;
    tally->vain |= the_board->flight.vain;
    tally->waits |= the_board->flight.waits;
    tally->left |= the_board->flight.left;
    if (the_board->flight.finding_count == 0)
        return;
    rt.worker.number_in_flight = executions_so_far() + !execution_counts();
    if (failed()) {
        tally->buggy++;
        if (tally->first_bug == 0)
            tally->first_bug = rt.worker.number_in_flight;
    }
    if (the_board->flight.unkept)
        tally->findings_dropped++;
    uint32_t passed = the_board->flight.passed;
    for (uint32_t i = 0; i < the_board->flight.finding_count; i++) {
        the_board->flight.findings[i].passed = (uint8_t)(passed < UINT8_MAX ? passed : UINT8_MAX);
        finding_keep(i);
    }
}

/* The execution took seconds or a process: others like it would, too. */
static bool was_costly(void)
{
    if (the_board->flight.left)
        return true;
    for (uint32_t i = 0; i < the_board->flight.finding_count; i++) {
        const struct finding *finding = &the_board->flight.findings[i];
        if (finding->key != rt.options->target &&
            (finding->kind == FINDING_HANG ||
             (finding->kind == FINDING_CRASH && finding->places[0].site == 0)))
            return true;
    }
    return false;
}

bool account_wants_stop(void)
{
    if (rt.options->target != 0)
        return rt.trace.outcome == OUTCOME_DIVERGED || was_costly() ||
               (rt.trace.shown && rt.options->target_first);
    bool stops = !rt.options->keep_going || (rt.options->keep_going == KEEP_GOING_FROM_SECOND &&
                                             the_board->tally.executions <= 1);
    return (rt.trace.outcome == OUTCOME_DIVERGED && !account_is_astray()) ||
           (stops && (failed() || the_board->tally.always_missed != 0));
}

bool account_wants_points(void)
{
    const struct board *board = the_board;
    if (rt.options->points_fixed)
        return false;
    bool sites = board->flight.site_count > 0 && rt.options->points != POINTS_SYNC;
    return sites || board->flight.clock_seen || board->flight.overlap_seen ||
           board->flight.told_apart || board->flight.failure_seen || board->flight.wide_seen;
}

void account_add_points(void)
{
    struct tally *tally = &the_board->tally;
    for (uint32_t i = 0; i < the_board->flight.site_count; i++) {
        if (tally->site_count == SITES_MAX) {
            tally->races_unpromoted = 1;
            break;
        }
        the_board->sites[tally->site_count++] = the_board->flight.sites[i];
    }
}

void account_restart(void)
{
    struct tally *tally = &the_board->tally;
    tally->clock_matters |= the_board->flight.clock_seen;
    tally->fails |= the_board->flight.failure_seen;
    tally->restarts++;
    tally->buggy = tally->classes = tally->fingerprint_sum = tally->unreduced = 0;
    tally->class_sum = tally->classes_reduced = tally->vain = 0;
    tally->singletons = tally->classified = 0;
    memset(tally->always_shown, 0, sizeof tally->always_shown);
    tally->bounds = 0;
    tally->bound = tally->bound_done = NO_BOUND;
    coverage_forget();
}

void account_progress(const struct progress *progress, bool planned)
{
    struct tally *tally = &the_board->tally;
    if (progress->bound > tally->bound && tally->bound >= 0) {
        tally->bound_done = tally->bound;
        if (tally->bound < BOUNDS_MAX)
            coverage_note();
    }
    if (!planned && the_board->sharing.shared)
        coverage_rest();
    tally->bound = progress->bound;
    tally->sampled = progress->sampled;
    tally->pending = progress->pending;
    tally->kept_bytes = progress->kept_bytes;
    tally->lost = progress->lost;
    tally->tree_bytes = progress->tree_bytes;
    tally->states = progress->states;
    tally->estimate = progress->estimate;
    tally->guarantee = progress->guarantee;
    tally->claim = progress->claim;
    tally->complete = progress->complete;
    tally->over = progress->over;
    tally->ended = !planned;
    if (!planned && progress->complete && !progress->over)
        tally->bound_done = progress->bound;
}
