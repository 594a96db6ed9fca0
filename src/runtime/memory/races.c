/* The race detector's place in the runtime: its memory, and what happens when it finds
 * something. */
#include "runtime/board.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/witness.h"
#include "runtime/model/api.h"
#include "runtime/modules.h"
#include "runtime/object.h"
#include "runtime/scheduler.h"
#include "runtime/symmetry.h"

struct kept_cell {
    struct cell *cell, content;
};

static void keep(struct cell *cell)
{
    CHECK((rt.undo_count + 1) * sizeof(struct kept_cell) <= UNDO_SIZE);
    struct kept_cell *kept = (struct kept_cell *)UNDO_ADDRESS + rt.undo_count;
    kept->cell = cell;
    kept->content = *cell;
    rt.undo_count++; /* now it is whole: a signal may end the execution here */
}

void memory_forget(size_t from)
{
    while (rt.undo_count > from) {
        struct kept_cell *kept = (struct kept_cell *)UNDO_ADDRESS + --rt.undo_count;
        *kept->cell = kept->content;
    }
}

void memory_settle(size_t from)
{
    struct kept_cell *kept = (struct kept_cell *)UNDO_ADDRESS;
    for (size_t i = from; i < rt.undo_count; i++)
        kept[i].cell->flags &= (uint8_t)~CELL_LOGGED;
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
    struct race_seen *seen = &rt.races_seen[((uint32_t)site + 5 * low) % RACES_SEEN];
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

/* One place may free many blocks. */
static bool frees_another(const struct op *op, const void *address)
{
    struct heap_block block;
    return op->kind == OP_FREE && heap_find(address, &block) &&
           the_board->objects[op->object].address != (uint64_t)block.start;
}

static bool is_step(const struct step *step, thread_id thread, uint64_t site, bool writes,
                    const void *address)
{
    bool other_way = step->op.kind == (writes ? OP_READ : OP_WRITE); /* memcpy does both */
    return step->thread == thread && step->op.site == site && !other_way &&
           !frees_another(&step->op, address);
}

/* The step of the earlier access, if it is one; UINT32_MAX: it is not. Only reports ask for more
 * than the last one. */
static uint32_t step_of(const struct race_place *earlier, uint64_t earlier_site,
                        const void *address)
{
    uint32_t count = rt.trace.count, last = rt.options->detail || count < 2 ? 0 : count - 2;
    for (uint32_t i = count > 0 ? count - 1 : 0; i-- > last;)
        if (is_step(&rt.trace.steps[i], earlier->thread, earlier_site, earlier->writes, address))
            return i;
    return UINT32_MAX;
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
    if (ex.benign == NULL && !findings_are_told() && was_seen(earlier, atomic, site))
        return;
    uint64_t earlier_site = site_whole((uint32_t)earlier->site);
    if (rt.points == POINTS_SYNC) {
        the_board->flight.unpromoted = 1;
    } else {
        if (!atomic)
            site_promote(site);
        if (!earlier->atomic)
            site_promote(earlier_site);
    }
    if (rt.options->races == RACES_OFF)
        return;
    if (unlikely(ex.benign != NULL) && api_is_benign(address, size)) {
        the_board->options.marks |= MARK_BENIGN;
        return;
    }
    uint32_t step = step_of(earlier, earlier_site, address), count = rt.trace.count;
    bool adjacent = step != UINT32_MAX && step + 2 == count &&
                    is_step(&rt.trace.steps[count - 1], ex.current, site, writes, address);
    struct finding *finding = find(site, earlier_site, adjacent);
    if (finding == NULL)
        return;
    finding->adjacent = adjacent;
    finding->severity = rt.options->races == RACES_WARN ? SEVERITY_WARNING : SEVERITY_ERROR;
    describe(finding, address, size, writes, atomic);
    describe_earlier(finding, earlier);
    if (step != UINT32_MAX)
        finding->places[1].step = step;
    witness_tell(finding);
}

static void on_use_after_free(const struct race_place *freed, const void *address, uint8_t size,
                              bool writes, bool atomic, uint64_t site)
{
    struct finding *finding =
        finding_add(FINDING_USE_AFTER_FREE, "use after free", site, (uint32_t)freed->site);
    if (finding != NULL) {
        describe(finding, address, size, writes, atomic);
        describe_earlier(finding, freed);
    }
    if (detecting(DETECT_HEAP))
        execution_fail();
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

void memory_open(void)
{
    ex.race = (struct race){.generation = rt.generation,
                            .setups = rt.setups,
                            .threads = rt.threads_ready,
                            .memory = (char *)ARENA_ADDRESS - PAGE, /* no handle is 0 */
                            .take = execution_take,
                            .undo = keep,
                            .met_setup = &rt.unwiped,
                            .report = on_race,
                            .look = heap_look,
                            .use_after_free = on_use_after_free};
    if (detecting(DETECT_HEAP) || detecting(DETECT_UNINITIALISED)) {
        ex.race.watched_low = SETUP_HEAP_ADDRESS;
        ex.race.watched_size = HEAPS_SPAN;
    }
    race_open(&ex.race);
}
