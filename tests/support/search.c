#include "support/search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/board.h"

enum { ARENA_SIZE = 1 << 30, ARENA_COMPARED = 1 << 16 };

struct memory {
    char state[STATE_MAX] __attribute__((aligned(16)));
    struct journal journal;
    char arena[ARENA_SIZE] __attribute__((aligned(4096)));
};

static void *allocate(size_t count, size_t size)
{
    void *bytes = calloc(count, size);
    CHECK(bytes != NULL);
    return bytes;
}

void search_open(struct search *search, const struct toy_program *program, const char *strategy,
                 struct strategy_options options)
{
    *search = (struct search){.program = program, .strategy = strategy_of_worker(strategy)};
    CHECK(search->strategy != NULL);
    CHECK(search->strategy->state_size <= STATE_MAX);
    search->memory = mmap(NULL, sizeof *search->memory, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(search->memory != MAP_FAILED);
    search->memory->journal.origin = search->memory->state;
    for (int i = 0; i < 2; i++) {
        search->schedule[i].prefix = allocate(TOY_STEPS_MAX, sizeof(struct decision));
        search->schedule[i].prefix_capacity = TOY_STEPS_MAX;
    }
    search->trace.steps = allocate(TOY_STEPS_MAX, sizeof(struct step));
    search->trace.capacity = TOY_STEPS_MAX;
    search->trace.touches = allocate(TOY_TOUCHES_MAX, sizeof(struct touch));
    search_restart(search, options);
}

void search_restart(struct search *search, struct strategy_options options)
{
    search->executions = 0;
    search->cache = options.cache;
    search->ran = search->planned = false;
    options.steps_max = TOY_STEPS_MAX;
    CHECK(madvise(search->memory->arena, ARENA_SIZE, MADV_DONTNEED) == 0);
    struct arena arena = {.bytes = search->memory->arena, .capacity = ARENA_SIZE};
    journal_begin(&search->memory->journal);
    search->strategy->open(search->memory->state, &options, &arena, &search->memory->journal);
    journal_seal(&search->memory->journal);
    search->sequence = search->memory->journal.sequence;
}

void search_close(struct search *search)
{
    munmap(search->memory, sizeof *search->memory);
    for (int i = 0; i < 2; i++)
        free(search->schedule[i].prefix);
    free(search->trace.steps);
    free(search->trace.touches);
}

size_t search_memory_size(void)
{
    return sizeof(struct memory);
}

void *search_arena(const struct search *search)
{
    return search->memory->arena;
}

bool search_advance(struct search *search)
{
    struct memory *memory = search->memory;
    bool given = false;
    journal_begin(&memory->journal);
    if (search->wanted != NULL)
        search->wanted->used = 0; /* somebody may have died over it */
    if (search->ran) {
        search->strategy->learn(memory->state, &search->trace);
        if (search->wanted != NULL)
            given = search->strategy->sharing.split(memory->state, &search->trace, search->wanted);
    }
    search->planned = search->strategy->plan(memory->state, &search->schedule[!search->which]);
    journal_seal(&memory->journal);
    search->ran = false;
    if (given)
        search->wanted = NULL;
    return search->planned;
}

bool search_adopt(struct search *search, struct parcel *parcel)
{
    struct decision prefix[TOY_STEPS_MAX];
    struct subtree subtree;
    bool fits = true;
    CHECK(!search->planned);
    journal_begin(&search->memory->journal);
    while (fits && parcel_take(parcel, &subtree, prefix, TOY_STEPS_MAX))
        fits = search->strategy->sharing.adopt(search->memory->state, &subtree);
    journal_seal(&search->memory->journal);
    return fits && parcel->used == parcel->size;
}

bool search_give(struct search *search, struct parcel *out)
{
    CHECK(!search->planned);
    journal_begin(&search->memory->journal);
    bool given = search->strategy->sharing.split(search->memory->state, &search->trace, out);
    journal_seal(&search->memory->journal);
    return given;
}

void search_rise(struct search *search)
{
    CHECK(!search->planned);
    journal_begin(&search->memory->journal);
    search->strategy->sharing.rise(search->memory->state);
    journal_seal(&search->memory->journal);
}

void search_fill(struct search *search)
{
    journal_begin(&search->memory->journal);
    search->strategy->full(search->memory->state);
    journal_seal(&search->memory->journal);
}

bool search_is_sealed(const struct search *search)
{
    const struct journal *journal = &search->memory->journal;
    return !journal_is_open(journal) && journal->sequence != search->sequence;
}

void search_recover(struct search *search)
{
    journal_roll_back(&search->memory->journal);
    search->sequence = search->memory->journal.sequence;
}

static char end_letter(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_FINISHED:
        return 'f';
    case OUTCOME_DEADLOCK:
        return 'd';
    case OUTCOME_FAILED:
        return 'a';
    case OUTCOME_NONE:
    case OUTCOME_LIVELOCK:
    case OUTCOME_CUT_STEPS:
    case OUTCOME_CUT_STRATEGY:
    case OUTCOME_CUT_CYCLE:
    case OUTCOME_DIVERGED:
    case OUTCOMES:
        break;
    }
    return '?';
}

void search_execute(struct search *search)
{
    search->sequence = search->memory->journal.sequence;
    search->which = !search->which;
    search->executions++;
    search->ran = true;
    toy_execute(search->program, search->strategy, search->cache, search->memory->state,
                &search->schedule[search->which], &search->trace, search->values);
    search->trace.shown =
        search->target != 0 && end_letter(search->trace.outcome) == search->target;
}

bool search_next(struct search *search)
{
    if (!search_advance(search))
        return false;
    search_execute(search);
    return true;
}

bool search_keeps_same(const struct search *left, const struct search *right)
{
    return memcmp(left->memory->arena, right->memory->arena, ARENA_COMPARED) == 0;
}

struct progress search_progress(const struct search *search)
{
    return search->strategy->progress(search->memory->state);
}

bool search_replays(struct search *search)
{
    static struct trace again;
    static struct step steps[TOY_STEPS_MAX];
    static struct decision prefix[TOY_STEPS_MAX];
    static struct touch touches[TOY_TOUCHES_MAX];
    const struct trace *trace = &search->trace;
    struct schedule schedule = {.prefix = prefix};
    for (uint32_t i = 0; i < trace->count; i++)
        if (trace->steps[i].alternatives > 1)
            prefix[schedule.prefix_count++] =
                (struct decision){i, trace->steps[i].thread, trace->steps[i].choice};
    int32_t values[TOY_OBJECTS_MAX];
    again.steps = steps;
    again.capacity = TOY_STEPS_MAX;
    again.touches = touches;
    toy_execute(search->program, search->strategy, false, search->memory->state, &schedule, &again,
                values);
    return again.count == trace->count && again.outcome == trace->outcome &&
           again.fingerprint == trace->fingerprint && again.class[0] == trace->class[0] &&
           again.class[1] == trace->class[1] && thread_set_equal(&again.waiting, &trace->waiting) &&
           memcmp(values, search->values, sizeof values) == 0 &&
           memcmp(steps, trace->steps, trace->count * sizeof *steps) == 0;
}

static uint32_t depth_of(const struct trace *trace)
{
    uint32_t decisions = 0, depth = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        decisions += trace->steps[i].alternatives > 1;
        if (trace->steps[i].choice > 0 || trace_step_delays(trace, i) > 0)
            depth = decisions;
    }
    return depth;
}

void search_list(const struct search *search, struct listing *listing)
{
    char name[2 * TOY_STEPS_MAX + 1];
    uint32_t length = 0;
    for (uint32_t i = 0; i < search->trace.count; i++) {
        name[length++] = (char)('A' + search->trace.steps[i].thread);
        if (search->trace.steps[i].choice > 0)
            name[length++] = (char)('0' + search->trace.steps[i].choice);
    }
    name[length] = 0;
    struct trace_costs costs = trace_costs(&search->trace);
    uint32_t listed[LISTED_COSTS] = {costs.preemptions, costs.delays, depth_of(&search->trace)};
    listing_add(listing, name, listed, end_letter(search->trace.outcome), search->values);
}
