#define _GNU_SOURCE
#include "coordinator/minimise/shrinker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "coordinator/search/claim_facts.h"
#include "detector/detector.h"
#include "strategy/strategy.h"

enum {
    WORK = 1 << 24,   /* steps for all findings of a search with less than THREADS_FREE threads */
    THREADS_FREE = 8, /* with more threads a step takes longer, so there is less work */
    WORK_OF_START = 1 << 14,
    WORK_OF_RESET = 64, /* the cost of beginning an execution, in steps */
    WORK_OF_FORK = 1 << 12,
    /* the part of the remaining work for making a race's accesses adjacent: 1 / WORK_OF_RACE */
    WORK_OF_RACE = 8,
    MANY = 4, /* preemptions from which a search through all schedules with fewer takes long */
    WANDERS = 1 << 12,        /* executions; changes that have not helped by then do not help */
    BELOW = 8,                /* the part of the remaining work for that long search: 1 / BELOW */
    WORK_ELSEWHERE = 3 << 23, /* steps for all findings, to find them in other ways */
    ALIKE = 5,                /* ways with equally many preemptions that are enough */
    NEAR = 2,                 /* preemptions that shrinking may save */
    LOOKS = 200,              /* executions that look which accesses race */
};

struct shrinker shrinker_open(struct worker_pool *pool, const struct board *searched,
                              enum stop_reason stopped)
{
    return (struct shrinker){
        .pool = pool,
        .searched = searched,
        .stopped = stopped,
        .work = WORK / (1 + searched->tally.threads / THREADS_FREE) / (pool->busy ? 8 : 1),
        .elsewhere = WORK_ELSEWHERE / (1 + searched->tally.threads / THREADS_FREE)};
}

/* Whether only the death of a process shows that the finding happened again. */
static bool kills_its_process(const struct finding *finding)
{
    return finding->kind == FINDING_CRASH && finding->places[0].site == 0;
}

static struct options options_for(const struct shrinker *shrinker,
                                  const struct recording *recording, const char *strategy)
{
    struct options options = options_again(&recording->options, strategy);
    bool forks = options.isolate == ISOLATE_FORK || options.isolate == ISOLATE_EXEC ||
                 options.carrier == CARRIER_KERNEL || kills_its_process(&recording->finding);
    if (forks)
        options.isolate = ISOLATE_FORK;
    options.spurious = (uint8_t)recording->finding.spurious;
    options.target = recording->finding.key;
    options.work_max = shrinker->work / 2;
    options.work_each = forks ? WORK_OF_FORK : WORK_OF_RESET;
    return options;
}

static void put_sites(struct board *board, const struct board *searched)
{
    board->tally.site_count = searched->tally.site_count;
    memcpy(board->sites, searched->sites, searched->tally.site_count * sizeof *board->sites);
}

static void spend(struct shrinker *shrinker, const struct board *board)
{
    uint64_t spent = WORK_OF_START + tally_work(&board->tally, board->options.work_each);
    shrinker->work -= spent < shrinker->work ? spent : shrinker->work;
}

static bool run(struct shrinker *shrinker, struct board_handle *handle,
                struct exploration *exploration, struct problem *why)
{
    struct worker_output to = {.output = -1, .errors = -1};
    double hang_seconds = worker_pool_patience(shrinker->pool);
    struct budget budget =
        budget_open(0, shrinker->hang_seconds > 0 ? shrinker->hang_seconds : hang_seconds);
    if (handle->board->options.output != OUTPUT_ANY) {
        to.output = memfd_create("bohr-output", MFD_CLOEXEC);
        if (to.output < 0)
            return problem_is(why, "cannot keep the program's output", NULL, errno);
    }
    bool good = explore(shrinker->pool, handle, 1, to, &budget, NULL, exploration, why);
    if (to.output >= 0)
        close(to.output);
    spend(shrinker, handle->board);
    if (!good || shrinker->pool->interrupted)
        shrinker->work = shrinker->elsewhere = 0;
    if (good && exploration->stopped == STOP_REFUSED)
        problem_is(why, exploration->refusal, NULL, 0);
    return good;
}

/* Takes over a simpler execution. The facts of the finding itself stay as they are. */
static void take(struct recording *recording, const struct job *job, const struct board *board)
{
    struct recording simpler = recording_of(job, board, board->tally.target_slot);
    struct finding *finding = &recording->finding;
    struct finding before = *finding;
    *finding = simpler.finding;
    finding->severity = before.severity;
    finding->execution = before.execution;
    finding->count = before.count;
    finding->always = before.always;
    recording->steps = simpler.steps;
    recording->step_count = simpler.step_count;
    recording->sites = simpler.sites;
    recording->site_count = simpler.site_count;
}

bool shrink_run(struct shrinker *shrinker, const struct recording *recording, const char *strategy,
                uint64_t executions_max, struct board_handle *handle, struct problem *why)
{
    struct options options = options_for(shrinker, recording, strategy);
    struct exploration exploration;
    options.points_fixed = 1;
    options.executions_max = executions_max;
    if (!recording_board(handle, recording, &options, why))
        return false;
    if (run(shrinker, handle, &exploration, why))
        return true;
    board_drop(handle);
    return false;
}

/* Tries schedules that are like the recorded one, as `strategy` (shrink or wander) does. Returns
 * false if not even the recorded schedule showed the finding again. */
static bool shrink_locally(struct shrinker *shrinker, struct recording *recording,
                           const char *strategy, struct problem *why)
{
    struct board_handle handle;
    uint64_t executions_max = strcmp(strategy, "wander") == 0 ? WANDERS : 0;
    if (!shrink_run(shrinker, recording, strategy, executions_max, &handle, why))
        return false;
    bool shown = handle.board->tally.target_shown;
    if (shown)
        take(recording, shrinker->pool->job, handle.board);
    board_drop(&handle);
    return shown;
}

/* Whether the claim says that a finding which the search did not show needs at least so many
 * preemptions. */
static bool proves(const struct board *board, enum stop_reason stopped, uint32_t preemptions)
{
    struct claim_facts facts = claim_facts_of(board, stopped, NULL);
    struct claim claim;
    claim_state(&claim, &facts);
    if (claim.kind == CLAIM_ALL || claim.kind == CLAIM_ALL_CLASSES)
        return true;
    return claim.kind == CLAIM_WITHIN_BOUND && strcmp(claim.bound, "preemptions") == 0 &&
           (uint32_t)claim.value + 1 >= preemptions;
}

/* Whether the search itself went through the bounds in order, with the scheduling points of the
 * finding. Then it would have kept a simpler schedule. */
static bool search_proves(const struct shrinker *shrinker, const struct recording *recording)
{
    const struct board *board = shrinker->searched;
    bool in_order = strcmp(board->options.strategy, "preempt") == 0;
    return in_order && !board->sharing.shared && board->flight.site_count == 0 &&
           recording->finding.sites == board->tally.site_count &&
           proves(board, shrinker->stopped, recording->finding.preemptions);
}

/* Searches through all schedules with fewer preemptions, bound by bound, for the same finding. */
static enum fewest search_below(struct shrinker *shrinker, struct recording *recording,
                                struct problem *why)
{
    struct options options = options_for(shrinker, recording, "preempt");
    struct board_handle handle;
    struct exploration exploration;
    uint32_t fewer = recording->finding.preemptions - 1;
    options.bound = fewer < BOUNDS_MAX ? (int32_t)fewer : BOUNDS_MAX - 1;
    options.target_first = 1;
    if (fewer >= MANY)
        options.work_max = shrinker->work / BELOW;
    if (!board_make(&handle, &options, why))
        return FEWEST_UNKNOWN;
    put_sites(handle.board, shrinker->searched);
    enum fewest fewest = FEWEST_UNKNOWN;
    if (run(shrinker, &handle, &exploration, why)) {
        if (handle.board->tally.target_shown)
            take(recording, shrinker->pool->job, handle.board);
        if (recording->finding.preemptions == 0 ||
            proves(handle.board, exploration.stopped, recording->finding.preemptions))
            fewest = FEWEST_PROVED;
    }
    board_drop(&handle);
    return fewest;
}

static bool wander(struct shrinker *shrinker, struct recording *recording, struct problem *why)
{
    return shrinker->work >= WORK_OF_START && shrink_locally(shrinker, recording, "wander", why);
}

/* Looks for the finding elsewhere. Changing one execution leads to others that go wrong in the same
 * way; another way may need fewer preemptions. */
static bool find_again(struct shrinker *shrinker, struct recording *recording, uint64_t seed,
                       struct problem *why)
{
    struct options options = options_for(shrinker, recording, "rare");
    struct board_handle handle;
    struct exploration exploration;
    options.seed = seed;
    options.work_max = shrinker->work;
    options.target_first = 1;
    if (!board_make(&handle, &options, why))
        return false;
    put_sites(handle.board, shrinker->searched);
    bool shown = run(shrinker, &handle, &exploration, why) && handle.board->tally.target_shown;
    if (shown)
        take(recording, shrinker->pool->job, handle.board);
    board_drop(&handle);
    return shown;
}

/* Returns true if the finding was found once more. It was then shrunk, unless it is much worse than
 * `best`. */
static bool another_way(struct shrinker *shrinker, struct recording *other, uint64_t seed,
                        uint32_t best, struct problem *why)
{
    if (shrinker->work < WORK_OF_START || !find_again(shrinker, other, seed, why) ||
        !wander(shrinker, other, why))
        return false;
    return other->finding.preemptions > best + NEAR ||
           (shrinker->work >= WORK_OF_START && shrink_locally(shrinker, other, "shrink", why));
}

static void search_elsewhere(struct shrinker *shrinker, struct recording *recording,
                             struct problem *why)
{
    uint64_t kept = shrinker->work, seed = recording->options.seed;
    struct recording other = *recording;
    shrinker->work = shrinker->elsewhere;
    for (int alike = 1; alike < ALIKE; other = *recording) {
        uint32_t best = recording->finding.preemptions;
        if (!another_way(shrinker, &other, ++seed, best, why))
            break;
        if (other.finding.preemptions < best) {
            *recording = other;
            alike = 1;
        } else {
            alike += other.finding.preemptions == best;
        }
    }
    shrinker->elsewhere = shrinker->work;
    shrinker->work = kept;
}

static bool can_shrink(const struct shrinker *shrinker, const struct finding *finding)
{
    return shrinker->work >= WORK_OF_START && !shrinker->pool->interrupted &&
           finding->execution > 0 && finding->kind != FINDING_HANG &&
           finding->kind != FINDING_NONDETERMINISM && !finding_is_untidy(finding);
}

enum fewest shrink(struct shrinker *shrinker, struct recording *recording, struct problem *why)
{
    struct finding *finding = &recording->finding;
    why->text[0] = 0;
    if (!can_shrink(shrinker, finding))
        return finding->preemptions == 0 ? FEWEST_PROVED : FEWEST_UNKNOWN;
    enum fewest fewest = search_proves(shrinker, recording) ? FEWEST_PROVED : FEWEST_UNKNOWN;
    if (!shrink_locally(shrinker, recording, "shrink", why))
        return fewest;
    if (finding->preemptions == 0 || fewest == FEWEST_PROVED)
        return FEWEST_PROVED;
    uint32_t before = finding->preemptions;
    bool wandered = before >= MANY && wander(shrinker, recording, why);
    fewest = search_below(shrinker, recording, why);
    if (fewest == FEWEST_UNKNOWN && !wandered)
        wander(shrinker, recording, why);
    if (finding->preemptions < before && shrinker->work >= WORK_OF_START)
        shrink_locally(shrinker, recording, "shrink", why);
    if (fewest == FEWEST_UNKNOWN && finding->preemptions >= MANY)
        search_elsewhere(shrinker, recording, why);
    return fewest;
}

/* Makes both accesses of a race steps. Returns whether that adds steps which the search did not
 * have. */
static bool put_places(struct board *board, const struct finding *race)
{
    bool more = false;
    for (int i = 0; i < FINDING_PLACES_MAX; i++) {
        uint32_t count = board->tally.site_count, at = 0;
        while (at < count && board->sites[at] != race->places[i].site)
            at++;
        if (race->places[i].atomic || at < count || count == SITES_MAX)
            continue;
        board->sites[board->tally.site_count++] = race->places[i].site;
        more = true;
    }
    return more;
}

/* Searches for the simplest execution, with at most `bound` preemptions, in which the race's
 * accesses are steps of their own. The recording takes it if it needs no more preemptions than
 * before. Returns its preemptions; NO_BOUND: none was found. */
static int32_t search_race(struct shrinker *shrinker, struct recording *recording, bool adjacent,
                           uint32_t bound, enum fewest *fewest, struct problem *why)
{
    struct finding *finding = &recording->finding;
    struct options options = options_for(shrinker, recording, "preempt");
    struct board_handle handle;
    struct exploration exploration;
    options.bound = (int32_t)bound;
    options.target_first = options.points_fixed = 1;
    options.target_adjacent = adjacent;
    options.work_max = shrinker->work / WORK_OF_RACE;
    if (!board_make(&handle, &options, why))
        return NO_BOUND;
    put_sites(handle.board, shrinker->searched);
    bool more = put_places(handle.board, finding);
    int32_t needed = NO_BOUND;
    if (run(shrinker, &handle, &exploration, why) && handle.board->tally.target_shown)
        needed = (int32_t)handle.board->findings[handle.board->tally.target_slot].preemptions;
    if (needed != NO_BOUND && needed <= (int32_t)finding->preemptions) {
        if (needed > 0 && (more || needed < (int32_t)finding->preemptions))
            *fewest = FEWEST_UNKNOWN;
        take(recording, shrinker->pool->job, handle.board);
    }
    board_drop(&handle);
    return needed;
}

static bool has_places(const struct recording *recording)
{
    for (int i = 0; i < FINDING_PLACES_MAX; i++) {
        const struct place *place = &recording->finding.places[i];
        bool has = place->atomic || recording->options.points == POINTS_ALL;
        for (uint32_t k = 0; k < recording->site_count && !has; k++)
            has = recording->sites[k].base + recording->sites[k].offset == place->site;
        if (!has)
            return false;
    }
    return true;
}

enum fewest shrink_race(struct shrinker *shrinker, struct recording *recording, enum fewest fewest,
                        uint32_t *apart, struct problem *why)
{
    uint32_t preemptions = recording->finding.preemptions;
    *apart = 0;
    why->text[0] = 0;
    if (!can_shrink(shrinker, &recording->finding) || recording->options.points == POINTS_SYNC ||
        preemptions + 1 >= BOUNDS_MAX)
        return fewest;
    int32_t needed = search_race(shrinker, recording, true, preemptions + 1, &fewest, why);
    if (needed == NO_BOUND || needed > (int32_t)preemptions) {
        *apart = needed == NO_BOUND ? 0 : (uint32_t)needed;
        if (shrinker->work >= WORK_OF_START && !has_places(recording))
            search_race(shrinker, recording, false, preemptions, &fewest, why);
    }
    return fewest;
}

/* Adds the accesses that the last execution showed to race. The search ended before they became
 * scheduling points. */
static void put_sites_seen_last(struct board *board, const struct board *searched)
{
    const struct flight *flight = &searched->flight;
    for (uint32_t i = 0; i < flight->site_count && board->tally.site_count < SITES_MAX; i++)
        board->sites[board->tally.site_count++] = flight->sites[i];
}

/* Runs some random executions to see which accesses race: a search that ends early has seen few.
 * The board that is left in `handle` has them as scheduling points. */
static bool look_for_points(struct shrinker *shrinker, const struct recording *recording,
                            struct board_handle *handle, struct problem *why)
{
    struct options options = options_for(shrinker, recording, "random");
    struct exploration exploration;
    options.executions_max = LOOKS;
    options.work_max = shrinker->work / WORK_OF_RACE;
    if (!board_make(handle, &options, why))
        return false;
    put_sites(handle->board, shrinker->searched);
    put_sites_seen_last(handle->board, shrinker->searched);
    if (run(shrinker, handle, &exploration, why))
        return true;
    board_drop(handle);
    return false;
}

/* Searches for the simplest execution that shows the finding with these points, and takes it if it
 * needs no more preemptions. */
static bool show_with_points(struct shrinker *shrinker, struct recording *recording,
                             const struct board *points, enum fewest *fewest, struct problem *why)
{
    struct finding *finding = &recording->finding;
    struct options options = options_for(shrinker, recording, "preempt");
    struct board_handle handle;
    struct exploration exploration;
    options.bound = (int32_t)finding->preemptions;
    options.target_first = options.points_fixed = 1;
    options.work_max = shrinker->work / WORK_OF_RACE;
    if (!board_make(&handle, &options, why))
        return false;
    put_sites(handle.board, points);
    bool shown = run(shrinker, &handle, &exploration, why) && handle.board->tally.target_shown;
    if (shown) {
        take(recording, shrinker->pool->job, handle.board);
        bool proved = finding->preemptions == 0 ||
                      proves(handle.board, exploration.stopped, finding->preemptions);
        *fewest = proved ? FEWEST_PROVED : FEWEST_UNKNOWN;
    }
    board_drop(&handle);
    return shown;
}

enum fewest shrink_points(struct shrinker *shrinker, struct recording *recording,
                          enum fewest fewest, struct problem *why)
{
    struct board_handle points;
    why->text[0] = 0;
    if (!can_shrink(shrinker, &recording->finding) || recording->options.points != POINTS_RACE ||
        recording->finding.preemptions >= MANY ||
        !look_for_points(shrinker, recording, &points, why))
        return fewest;
    bool more = points.board->tally.site_count > recording->finding.sites;
    if (more && shrinker->work >= WORK_OF_START &&
        show_with_points(shrinker, recording, points.board, &fewest, why) &&
        shrinker->work >= WORK_OF_START)
        shrink_locally(shrinker, recording, "shrink", why);
    board_drop(&points);
    return fewest;
}

/* Whether a thread waits at the site in one of the last two executions. The search stopped at one
 * of them. */
static bool waits_at(const struct board *board, uint64_t site)
{
    for (int i = 0; i < 2; i++) {
        const struct board_trace *trace = &board->trace[i];
        if (trace->outcome != OUTCOME_DEADLOCK && trace->outcome != OUTCOME_FAILED)
            continue;
        THREADS_EACH(thread, &trace->waiting)
        if (trace->pending[thread].site == site)
            return true;
    }
    return false;
}

bool shrink_predicted(struct shrinker *shrinker, struct recording *recording, struct problem *why)
{
    const struct recording predicted = *recording;
    if (shrinker->work < WORK_OF_START || shrinker->pool->interrupted)
        return false;
    struct options options = options_for(shrinker, recording, "preempt");
    struct board_handle handle;
    struct exploration exploration;
    options.target = 0;
    options.keep_going = 0;
    options.detect = 1u << DETECT_DEADLOCK;
    if (!board_make(&handle, &options, why))
        return false;
    put_sites(handle.board, shrinker->searched);
    bool found = false;
    if (run(shrinker, &handle, &exploration, why))
        for (uint32_t i = 0; i < handle.board->tally.finding_count && !found; i++) {
            if (handle.board->findings[i].kind != FINDING_DEADLOCK ||
                !waits_at(handle.board, predicted.finding.places[0].site) ||
                !waits_at(handle.board, predicted.finding.places[1].site))
                continue;
            *recording = recording_of(shrinker->pool->job, handle.board, i);
            recording->options = predicted.options;
            recording->finding.execution = predicted.finding.execution;
            found = true;
        }
    board_drop(&handle);
    return found;
}
