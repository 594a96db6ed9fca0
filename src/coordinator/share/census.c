#include "coordinator/share/census.h"

#include <stdlib.h>
#include <string.h>

#include "core/class_table.h"

enum {
    /* each class lies in a table by the ending of its name: the low bits of class[0] */
    ENDINGS = 1 << CLASSES_FIRST_LOG,
    LOOKED_AT = 1 << 16, /* most entries that are compared */
    SET_SIZE = 4 * LOOKED_AT,
};

struct sample { /* the classes whose names end in a number below `endings` */
    uint64_t endings;
    uint64_t seen; /* a class counts once for each worker that has it */
    uint64_t distinct, once;
    struct known {
        uint64_t class[2];
        uint32_t count; /* 0: free; executions that had the class, 2 for more */
    } * set;
};

static void sample_add(struct sample *sample, const struct class_entry *entry)
{
    uint64_t at =
        (entry->class[0] >> CLASSES_FIRST_LOG ^ entry->class[0] ^ entry->class[1]) % SET_SIZE;
    struct known *known = &sample->set[at];
    for (; known->count > 0; known = &sample->set[at]) {
        if (known->class[0] == entry->class[0] && known->class[1] == entry->class[1])
            break;
        at = (at + 1) % SET_SIZE;
    }
    sample->seen++;
    sample->once -= known->count == 1;
    sample->distinct += known->count == 0;
    memcpy(known->class, entry->class, sizeof known->class);
    known->count += 1 + entry->again;
    sample->once += known->count == 1;
}

/* Entries whose names end alike lie at their place in the table, or behind it if that was taken. */
static void sample_add_run(struct sample *sample, const struct class_entry *table, uint32_t from,
                           uint32_t capacity)
{
    for (uint64_t i = 0; i < capacity; i++) {
        struct class_entry entry = table[(from + i) & (capacity - 1)];
        if (entry.transaction == 0 && i >= sample->endings)
            return;
        if (entry.transaction == 0 || sample->seen >= SET_SIZE / 2)
            continue;
        if ((entry.class[0] & (ENDINGS - 1)) < sample->endings &&
            (entry.class[0] & (capacity - 1)) >> CLASSES_FIRST_LOG == from >> CLASSES_FIRST_LOG)
            sample_add(sample, &entry);
    }
}

static void sample_add_board(struct sample *sample, const struct board *board)
{
    for (uint32_t level = 0; level < board->class_levels && level < CLASS_LEVELS_MAX; level++)
        for (uint32_t from = 0; from < class_table_capacity(level); from += ENDINGS)
            sample_add_run(sample, class_table(board, level), from, class_table_capacity(level));
}

static uint64_t tables_of(const struct board *board)
{
    uint64_t sum = 0;
    for (uint32_t level = 0; level < board->class_levels && level < CLASS_LEVELS_MAX; level++)
        sum += class_table_capacity(level);
    return sum;
}

struct class_count {
    uint64_t all, once;
    bool about;
};

static struct class_count count_classes(const struct crew *crew)
{
    struct class_count count = {.all = CLASSES_UNKNOWN};
    struct sample sample = {.endings = ENDINGS};
    uint64_t entries = 0, sum = 0;
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct board *board = crew->members[i].board;
        if (board->tally.classes == CLASSES_UNKNOWN)
            return count;
        entries += board->opened ? tables_of(board) : 0;
        sum += board->opened ? board->tally.classes : 0;
    }
    while (sample.endings > 1 && entries / ENDINGS * sample.endings > LOOKED_AT)
        sample.endings /= 2;
    sample.set = calloc(SET_SIZE, sizeof *sample.set);
    if (sample.set == NULL)
        return count;
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->members[i].board->opened)
            sample_add_board(&sample, crew->members[i].board);
    free(sample.set);
    bool whole = sample.endings == ENDINGS;
    double each = whole || sample.seen == 0 ? 1 : (double)sum / (double)sample.seen;
    count.about = !whole && sample.distinct < sample.seen;
    count.all = (uint64_t)(each * (double)sample.distinct);
    count.once = (uint64_t)(each * (double)sample.once);
    return count;
}

static void at_least(uint32_t *most, uint32_t value)
{
    if (*most < value)
        *most = value;
}

static void add_counters(struct tally *tally, const struct tally *other)
{
    tally->executions += other->executions;
    tally->cut += other->cut;
    tally->classified += other->classified;
    tally->pending += other->pending;
    at_least(&tally->finding_count, other->finding_count);
    at_least(&tally->max_steps, other->max_steps);
}

/* A worker that is still at an earlier bound adds nothing to the estimate for the current bound. */
static struct estimate add_parts(const struct crew *crew)
{
    struct estimate sum = {.kind = ESTIMATE_PARTS};
    int32_t bound = crew_bound(crew);
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct tally *tally = &crew->members[i].board->tally;
        const struct parts *parts = &tally->estimate.parts;
        if (tally->estimate.kind != ESTIMATE_PARTS || tally->bound != bound)
            continue;
        sum.parts.left += parts->left;
        sum.parts.begun += parts->begun;
        sum.parts.done += parts->done;
        sum.parts.current += parts->current;
        sum.parts.sum += parts->sum;
        sum.parts.squares += parts->squares;
    }
    return sum;
}

/* Adds what each worker had explored when it had run half, a quarter and so on of its executions.
 * These moments differ between workers, but that does not matter for the estimate. */
static struct estimate add_shares(const struct crew *crew)
{
    struct estimate sum = {.kind = ESTIMATE_SHARES};
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct estimate *estimate = &crew->members[i].board->tally.estimate;
        for (int k = 0; k < SHARES; k++) {
            sum.shares[k].executions += estimate->shares[k].executions;
            sum.shares[k].share += estimate->shares[k].share;
        }
    }
    return sum;
}

/* Whether a worker's figures are about the bound being searched. */
static bool is_abreast(const struct crew *crew, uint32_t worker)
{
    int32_t bound = crew->members[worker].board->tally.bound;
    return bound < 0 || bound == crew_bound(crew);
}

static uint64_t executions_of(const struct crew *crew)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < crew->count; i++)
        if (is_abreast(crew, i))
            sum += crew->members[i].board->tally.estimate.shares[0].executions;
    return sum;
}

static void note_crown(struct census *census, const struct crew *crew)
{
    uint64_t of_worker[CROWN_HOLDERS_MAX] = {0};
    for (uint32_t i = 0; i < crew->count; i++)
        if (is_abreast(crew, i))
            of_worker[i] = crew->members[i].board->tally.estimate.shares[0].share;
    census->estimate.kind = ESTIMATE_CROWN;
    census->estimate.shares[0].executions = executions_of(crew);
    census->estimate.shares[0].share = crown_share(&crew->crown, of_worker);
}

void census_follow(struct census *census, const struct crew *crew)
{
    struct estimate *estimate = &census->estimate;
    if (crew->crown_bytes == NULL)
        return;
    if (census->search != crew->search || census->bound != crew->bound)
        *census = (struct census){.due = 1, .search = crew->search, .bound = crew->bound};
    if (executions_of(crew) < census->due)
        return;
    note_crown(census, crew);
    for (int i = SHARES - 1; i > 0; i--)
        estimate->shares[i] = estimate->shares[i - 1];
    census->due = 2 * estimate->shares[0].executions;
}

struct estimate census_estimate(struct census *census, const struct crew *crew)
{
    int kind = ESTIMATE_NONE;
    for (uint32_t i = 0; i < crew->count && kind == ESTIMATE_NONE; i++)
        if (crew->members[i].board->opened)
            kind = crew->members[i].board->tally.estimate.kind;
    if (crew->count == 1)
        return crew->members[0].board->tally.estimate;
    switch (kind) {
    case ESTIMATE_PARTS:
        return add_parts(crew);
    case ESTIMATE_SHARES:
        return add_shares(crew);
    case ESTIMATE_GROWING:
        if (crew_bound(crew) >
            0) /* the estimate would be far too high (strategy/reduction/pace.h) */
            return (struct estimate){0};
        census_follow(census, crew);
        note_crown(census, crew);
        return census->estimate;
    default: /* no estimate, or the tested program wrote over it */
        return (struct estimate){0};
    }
}

void census_take(struct census *census, const struct crew *crew, struct glance *out)
{
    memset(out, 0, sizeof *out);
    if (crew->count == 1) {
        out->tally = crew->members[0].board->tally;
        return;
    }
    struct class_count classes =
        count_classes(crew); /* before executions, so that there are not fewer of those */
    out->tally = crew->members[0].board->tally;
    for (uint32_t i = 1; i < crew->count; i++)
        add_counters(&out->tally, &crew->members[i].board->tally);
    out->tally.bound = crew->strategy->traits.bound_name != NULL ? crew_bound(crew) : NO_BOUND;
    out->tally.estimate = census_estimate(census, crew);
    out->tally.classes = classes.all;
    out->tally.singletons = classes.once;
    out->classes_about = classes.about;
}
