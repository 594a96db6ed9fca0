/* The race detector's place in the runtime: its memory, and what happens when it finds
 * something. */
#include "runtime/engine/flight.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/api.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/shared_state.h"
#include "runtime/memory/witness.h"

struct kept_cell {
    struct cell *cell, content;
};

static void keep(struct cell *cell)
{
    CHECK((rt.memory.undo_count + 1) * sizeof(struct kept_cell) <= UNDO_SIZE);
    struct kept_cell *kept = (struct kept_cell *)UNDO_ADDRESS + rt.memory.undo_count;
    kept->cell = cell;
    kept->content = *cell;
    rt.memory.undo_count++; /* now it is whole: a signal may end the execution here */
}

void memory_forget(size_t from)
{
    while (rt.memory.undo_count > from) {
        struct kept_cell *kept = (struct kept_cell *)UNDO_ADDRESS + --rt.memory.undo_count;
        *kept->cell = kept->content;
    }
}

void memory_settle(size_t from)
{
    struct kept_cell *kept = (struct kept_cell *)UNDO_ADDRESS;
    for (size_t i = from; i < rt.memory.undo_count; i++)
        kept[i].cell->flags &= (uint8_t)~CELL_LOGGED;
}

static struct uses *uses_of(const void *address, const struct cell *cell)
{
    uint64_t granule = (uint64_t)address & ~(uint64_t)(GRANULE - 1);
    granule += (uint64_t)(cell - shadow_of(address)) * GRANULE;
    uint32_t object = object_lookup(granule);
    return object != NO_OBJECT ? &object_state(object)->uses : NULL;
}

static void describe(struct finding *finding, const void *address, uint8_t size, bool writes,
                     bool atomic)
{
    finding->address = (uint64_t)address;
    finding->object = object_number(address);
    finding->places[0].size = size;
    finding->places[0].writes = writes;
    finding->places[0].atomic = atomic;
}

static void describe_earlier(struct finding *finding, const struct race_place *earlier)
{
    finding->places[1] = (struct place){.site = site_whole((uint32_t)earlier->site),
                                        .thread = earlier->thread,
                                        .size = earlier->size,
                                        .writes = earlier->writes,
                                        .atomic = earlier->atomic};
}

/* In this execution; a site takes part in many a race. */
static bool was_seen(const struct race_place *earlier, bool atomic, uint64_t site)
{
    uint32_t low = (uint32_t)earlier->site;
    struct race_seen *seen = &rt.memory.races_seen[((uint32_t)site + 5 * low) % RACES_SEEN];
    if (seen->generation == rt.generation && seen->site == site && seen->earlier == low &&
        seen->atomic == atomic && seen->earlier_atomic == earlier->atomic)
        return true;
    *seen = (struct race_seen){.site = site,
                               .earlier = low,
                               .generation = rt.generation,
                               .atomic = atomic,
                               .earlier_atomic = earlier->atomic};
    return false;
}

/* The bytes where the two accesses meet: one place accesses many an object. */
static struct accessed earlier_access(const struct race_place *earlier, const void *address,
                                      uint8_t size)
{
    uint64_t first = (uint64_t)address, granule = first & ~(uint64_t)(GRANULE - 1);
    granule += (uint64_t)(earlier->cell - shadow_of(address)) * GRANULE;
    uint64_t end = granule + GRANULE;
    bool ends_within = size > 0 && size < RACE_SIZE_MAX && first + size < end;
    return (struct accessed){.from = first > granule ? first : granule,
                             .to = ends_within ? first + size : end,
                             .site = site_whole((uint32_t)earlier->site),
                             .thread = earlier->thread,
                             .writes = earlier->writes};
}

/* The step of the earlier access, if it is one; NO_STEP: it is not. Only reports ask for more than
 * the one before the last. */
static uint32_t step_of(const struct accessed *earlier, const struct witness *witness)
{
    if (witness != NULL)
        return witness->step;
    uint32_t count = rt.trace.count, last = rt.options->detail || count < 2 ? 0 : count - 2;
    for (uint32_t i = count > 0 ? count - 1 : 0; i-- > last;)
        if (step_accesses(&rt.trace.steps[i], earlier))
            return i;
    return NO_STEP;
}

/* Whether the two accesses are the last two steps. */
static bool is_adjacent(const struct accessed *earlier, bool writes, uint64_t site)
{
    struct accessed later = {.from = earlier->from,
                             .to = earlier->to,
                             .site = site,
                             .thread = ex.current,
                             .writes = writes};
    const struct step *end = &rt.trace.steps[rt.trace.count];
    return rt.trace.count >= 2 && step_accesses(end - 2, earlier) && step_accesses(end - 1, &later);
}

/* Of several times that two places race in an execution the first counts, or one where they do so
 * in steps that follow each other. */
static struct finding *find(uint64_t site, uint64_t earlier_site, bool adjacent)
{
    struct finding *finding = finding_add(FINDING_RACE, "data race", site, earlier_site);
    if (finding != NULL || !adjacent || !findings_are_told())
        return finding;
    finding = finding_shown(FINDING_RACE, site, earlier_site);
    if (finding == NULL || finding->adjacent)
        return NULL;
    finding_here(finding, site);
    return finding;
}

static void on_race(const struct race_place *earlier, const void *address, uint8_t size,
                    bool writes, bool atomic, uint64_t site)
{
    if (symmetry_is_on() && symmetry_makes_race(earlier->thread))
        return;
    if (ex.memory.benign == NULL && !findings_are_told() && was_seen(earlier, atomic, site))
        return;
    uint64_t earlier_site = site_whole((uint32_t)earlier->site);
    the_board->flight.undisciplined |= rt.strategy != NULL && rt.strategy->traits.disciplined;
    if (descriptor_is_about(address)) {
        /* calls, not accesses: where their order matters they are steps already */
    } else if (rt.points == POINTS_SYNC) {
        the_board->flight.unpromoted = 1;
    } else {
        if (!atomic)
            site_promote(site);
        if (!earlier->atomic)
            site_promote(earlier_site);
    }
    if (rt.options->races == RACES_OFF || shared_state_is_about(address) ||
        memory_by_file_calls(site, earlier->site))
        return;
    if (unlikely(ex.memory.benign != NULL) && api_is_benign(address, size)) {
        guard_note(&the_board->options.marks, MARK_BENIGN);
        return;
    }
    struct accessed access = earlier_access(earlier, address, size);
    bool adjacent = is_adjacent(&access, writes, site);
    struct finding *finding = find(site, earlier_site, adjacent);
    if (finding == NULL)
        return;
    const struct witness *witness = witness_find(&access);
    uint32_t step = step_of(&access, witness);
    finding->adjacent = adjacent && step + 2 == rt.trace.count;
    finding->severity = rt.options->races == RACES_WARN ? SEVERITY_WARNING : SEVERITY_ERROR;
    describe(finding, address, size, writes, atomic);
    describe_earlier(finding, earlier);
    if (step != NO_STEP)
        finding->places[1].step = step;
    witness_tell(finding, witness);
}

_Noreturn void memory_fail(uint64_t site)
{
    bool is_step = rt.trace.count > 0 && rt.trace.steps[rt.trace.count - 1].thread == ex.current &&
                   rt.trace.steps[rt.trace.count - 1].op.site == site;
    if (rt.points != POINTS_SYNC && !is_step && !thread_is_last())
        site_promote(site);
    execution_fail();
}

static void on_use_after_free(const struct race_place *freed, const void *address, uint8_t size,
                              bool writes, bool atomic, uint64_t site)
{
    uint64_t freed_site = site_whole((uint32_t)freed->site);
    struct finding *finding =
        finding_add(FINDING_USE_AFTER_FREE, "use after free", site, freed_site);
    if (finding != NULL) {
        describe(finding, address, size, writes, atomic);
        describe_earlier(finding, freed);
    }
    if (detecting(DETECT_HEAP) && !finding_is_passed(FINDING_USE_AFTER_FREE, site, freed_site))
        memory_fail(site);
}

void memory_tell_freed(struct finding *finding, const void *block)
{
    struct race_place freed;
    if (rt.race_check && race_freed(&ex.race, shadow_of(block), &freed))
        describe_earlier(finding, &freed);
}

enum { CLEARED = 64 }; /* at once */

void *execution_take_as_is(size_t size)
{
    size = (size + 15) & ~15ul;
    if (unlikely(ex.used + size > ARENA_SIZE - PAGE))
        execution_end(OUTCOME_CUT_STEPS);
    char *memory = (char *)ARENA_ADDRESS + ex.used;
    ex.used += size;
    return memory;
}

void *execution_take(size_t size)
{
    char *memory = execution_take_as_is(size);
    for (char *at = memory; at < memory + size; at += CLEARED) /* what lies beyond is nobody's */
        __builtin_memset(at, 0, CLEARED);
    return memory;
}

static bool step_is_mute(void)
{
    return step_is_broken(OP_FAULT_SYNC);
}

void memory_open(void)
{
    ex.memory.file_calls = NULL;
    __builtin_memset(ex.pieces.words, 0, sizeof ex.pieces.words);
    __builtin_memset(ex.pieces.named, 0, sizeof ex.pieces.named);
    ex.race = (struct race){.generation = rt.generation,
                            .setups = rt.setups,
                            .threads = rt.threads_ready,
                            .memory = (char *)ARENA_ADDRESS - PAGE, /* no handle is 0 */
                            .take = execution_take,
                            .uses = uses_of,
                            .undo = keep,
                            .report = on_race,
                            .watched_low = SETUP_HEAP_ADDRESS,
                            .watched_size = HEAPS_SPAN,
                            .touched = (uint8_t *)TOUCHED_ADDRESS,
                            .first_cell = (const struct cell *)SHADOW_ADDRESS,
                            .use_after_free = on_use_after_free};
    if (detecting(DETECT_HEAP) || detecting(DETECT_UNINITIALISED))
        ex.race.look = heap_look;
    if (rt.options->fault != 0 && rt.options->fault_column == OP_FAULT_SYNC)
        ex.race.is_mute = step_is_mute;
    race_open(&ex.race);
}
