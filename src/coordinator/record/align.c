#include "coordinator/record/align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/mix.h"

enum {
    CELLS_MAX = 1 << 27, /* cells of a table; longer sequences are matched from both ends only */
    OF_KIND = 2,         /* the scores of what two steps have in common */
    OF_FUNCTION = 3,
    OF_OBJECT = 4,
    OF_LIKE_OBJECT = 2,
    OF_CHILD = 16, /* for children of one thread, in their order */
};

struct key { /* hashes of a landmark's names, for quick comparison */
    uint64_t function, object, like;
    uint8_t kind;
};

struct sequence { /* the steps of one thread */
    uint32_t *steps;
    uint32_t count;
};

struct side { /* one of the two executions */
    const struct landmarks *marks;
    struct key *keys;
    struct sequence threads[THREADS_MAX];
    /* by parent: its children, which are threads, not steps */
    struct sequence children[THREADS_MAX];
};

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    CHECK(memory != NULL);
    return memory;
}

static uint64_t hash(const char *text)
{
    uint64_t sum = 1;
    for (; *text != 0; text++)
        sum = mix(sum, (uint8_t)*text);
    return sum;
}

/* Equal for "queue+8" and "queue": a member may have been added before it. */
static uint64_t hash_like(const char *text)
{
    size_t length = strlen(text), end = length;
    while (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9')
        end--;
    bool offset = end > 0 && end < length && text[end - 1] == '+';
    uint64_t sum = 1;
    for (size_t i = 0; i < (offset ? end - 1 : length); i++)
        if (text[i] < '0' || text[i] > '9')
            sum = mix(sum, (uint8_t)text[i]);
    return sum;
}

bool names_are_alike(const char *one, const char *other)
{
    return hash_like(one) == hash_like(other);
}

static void sequence_add(struct sequence *to, uint32_t value)
{
    if ((to->count & (to->count - 1)) == 0) { /* the capacity doubles at powers of two */
        to->steps = realloc(to->steps, (to->count == 0 ? 1 : 2 * to->count) * sizeof *to->steps);
        CHECK(to->steps != NULL);
    }
    to->steps[to->count++] = value;
}

static bool is_thread(const char *object, thread_id *thread)
{
    char *end;
    if (object[0] != 'T' || object[1] < '0' || object[1] > '9')
        return false;
    unsigned long number = strtoul(object + 1, &end, 10);
    *thread = (thread_id)number;
    return *end == 0 && number < THREADS_MAX;
}

static void side_open(struct side *side, const struct landmarks *marks)
{
    memset(side, 0, sizeof *side);
    side->marks = marks;
    side->keys = room(marks->count, sizeof *side->keys);
    for (uint32_t i = 0; i < marks->count; i++) {
        const struct landmark *mark = &marks->steps[i];
        thread_id child;
        CHECK(mark->thread < THREADS_MAX);
        side->keys[i] = (struct key){.function = hash(mark->function),
                                     .object = hash(mark->object),
                                     .like = hash_like(mark->object),
                                     .kind = mark->kind};
        sequence_add(&side->threads[mark->thread], i);
        if (mark->kind == OP_CREATE && is_thread(mark->object, &child))
            sequence_add(&side->children[mark->thread], child);
    }
}

static void side_close(struct side *side)
{
    free(side->keys);
    for (uint32_t i = 0; i < THREADS_MAX; i++) {
        free(side->threads[i].steps);
        free(side->children[i].steps);
    }
}

/* How much two steps have in common; 0: they are not the same step. */
static uint32_t step_score(const struct key *one, const struct key *other)
{
    if (one->kind != other->kind)
        return 0;
    uint32_t score = OF_KIND;
    if (one->function == other->function)
        score += OF_FUNCTION;
    if (one->object == other->object)
        score += OF_OBJECT;
    else if (one->like == other->like)
        score += OF_LIKE_OBJECT;
    return score == OF_KIND ? 0 : score;
}

typedef uint32_t (*score_of)(const void *context, uint32_t one, uint32_t other); /* 0: no match */

/* Finds the pairs, in order, with the highest sum of scores (Needleman and Wunsch 1970). Items
 * without a partner cost nothing. pairs[i] is the partner of i, or NO_STEP. */
static void pair_up(uint32_t one, uint32_t other, score_of score, const void *context,
                    uint32_t *pairs)
{
    size_t width = (size_t)other + 1;
    uint8_t *way =
        room((one + 1) * width, 1); /* 1: a pair; 2: `one` has no partner; 0: `other` has none */
    uint32_t *above = room(width, sizeof *above), *row = room(width, sizeof *row);
    for (uint32_t i = 1; i <= one; i++) {
        row[0] = 0;
        way[i * width] = 2;
        for (uint32_t k = 1; k <= other; k++) {
            uint32_t gain = score(context, i - 1, k - 1);
            row[k] = row[k - 1];
            if (above[k] > row[k])
                row[k] = above[k], way[i * width + k] = 2;
            if (gain > 0 && above[k - 1] + gain > row[k])
                row[k] = above[k - 1] + gain, way[i * width + k] = 1;
        }
        uint32_t *done = above;
        above = row;
        row = done;
    }
    for (uint32_t i = 0; i < one; i++)
        pairs[i] = NO_STEP;
    for (uint32_t i = one, k = other; i > 0 && k > 0;) {
        uint8_t here = way[i * width + k];
        if (here == 1)
            pairs[i - 1] = k - 1;
        i -= here != 0;
        k -= here != 2;
    }
    free(way);
    free(above);
    free(row);
}

struct two_sequences {
    const struct side *one, *other;
    const struct sequence *of_one, *of_other;
    uint32_t first; /* items at the front that are paired already */
};

static uint32_t sequence_score(const void *context, uint32_t one, uint32_t other)
{
    const struct two_sequences *both = context;
    return step_score(&both->one->keys[both->of_one->steps[both->first + one]],
                      &both->other->keys[both->of_other->steps[both->first + other]]);
}

static bool is_same(const struct two_sequences *both, uint32_t one, uint32_t other)
{
    const struct key *a = &both->one->keys[both->of_one->steps[one]];
    const struct key *b = &both->other->keys[both->of_other->steps[other]];
    return a->kind == b->kind && a->function == b->function && a->object == b->object;
}

static uint64_t cells(uint32_t one, uint32_t other)
{
    return (uint64_t)(one + 1) * (other + 1);
}

/* Equal steps at the front need no table. In long sequences, equal steps at the back need none,
 * either. */
static void align_threads(const struct side *one, const struct side *other, thread_id thread,
                          thread_id partner, uint32_t *to)
{
    struct two_sequences both = {.one = one,
                                 .other = other,
                                 .of_one = &one->threads[thread],
                                 .of_other = &other->threads[partner]};
    uint32_t count = both.of_one->count, came = both.of_other->count;
    uint32_t least = count < came ? count : came, back = 0;
    while (both.first < least && is_same(&both, both.first, both.first))
        both.first++;
    while (cells(count - both.first, came - both.first) > CELLS_MAX && back < least - both.first &&
           is_same(&both, count - 1 - back, came - 1 - back))
        back++;
    uint32_t left = count - both.first - back, came_left = came - both.first - back;
    uint32_t *pairs = room(left, sizeof *pairs);
    bool fits = cells(left, came_left) <= CELLS_MAX;
    if (fits)
        pair_up(left, came_left, sequence_score, &both, pairs);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t partner_step = i < both.first      ? i
                                : i >= count - back ? came - (count - i)
                                : !fits || pairs[i - both.first] == NO_STEP
                                    ? NO_STEP
                                    : both.first + pairs[i - both.first];
        if (partner_step != NO_STEP)
            to[both.of_one->steps[i]] = both.of_other->steps[partner_step];
    }
    free(pairs);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t *sorted_facts(const struct side *side, const struct sequence *thread)
{
    uint64_t *facts = room(thread->count, sizeof *facts);
    for (uint32_t i = 0; i < thread->count; i++) {
        const struct key *key = &side->keys[thread->steps[i]];
        facts[i] = mix(mix(key->function, key->like), key->kind);
    }
    qsort(facts, thread->count, sizeof *facts, compare_words);
    return facts;
}

struct two_families {
    const struct side *one, *other;
    thread_id parent, partner;
};

/* Two children match the better, the more of their steps are the same, in any order. */
static uint32_t child_score(const void *context, uint32_t one, uint32_t other)
{
    const struct two_families *both = context;
    const struct sequence *a = &both->one->threads[both->one->children[both->parent].steps[one]];
    const struct sequence *b =
        &both->other->threads[both->other->children[both->partner].steps[other]];
    uint64_t *left = sorted_facts(both->one, a), *right = sorted_facts(both->other, b);
    uint32_t common = 0;
    for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
        common += left[i] == right[k];
        bool step_left = left[i] <= right[k], step_right = left[i] >= right[k];
        i += step_left;
        k += step_right;
    }
    free(left);
    free(right);
    uint32_t most = a->count > b->count ? a->count : b->count;
    return OF_CHILD + (most == 0 ? OF_CHILD : 2 * OF_CHILD * common / most);
}

static void match_threads(const struct side *one, const struct side *other, uint32_t *partner)
{
    bool taken[THREADS_MAX] = {true};
    thread_id waiting[THREADS_MAX] = {0};
    uint32_t count = 1;
    for (uint32_t i = 0; i < THREADS_MAX; i++)
        partner[i] = NO_STEP;
    partner[0] = 0;
    for (uint32_t at = 0; at < count; at++) {
        thread_id parent = waiting[at];
        struct two_families both = {
            .one = one, .other = other, .parent = parent, .partner = (thread_id)partner[parent]};
        const struct sequence *mine = &one->children[parent], *its = &other->children[both.partner];
        uint32_t *pairs = room(mine->count, sizeof *pairs);
        pair_up(mine->count, its->count, child_score, &both, pairs);
        for (uint32_t i = 0; i < mine->count; i++) {
            uint32_t child = mine->steps[i];
            if (pairs[i] == NO_STEP || partner[child] != NO_STEP || taken[its->steps[pairs[i]]])
                continue;
            partner[child] = its->steps[pairs[i]];
            taken[partner[child]] = true;
            waiting[count++] = (thread_id)child;
        }
        free(pairs);
    }
    for (uint32_t i = 0; i < THREADS_MAX; i++) /* timers, and threads whose creation has no name */
        if (partner[i] == NO_STEP && !taken[i] && other->threads[i].count > 0) {
            partner[i] = i;
            taken[i] = true;
        }
}

/* Gives a thread that is created or joined the name of its partner. */
static void rename_threads(struct side *side, const uint32_t *partner)
{
    for (uint32_t i = 0; i < side->marks->count; i++) {
        char name[16];
        thread_id thread;
        if (!is_thread(side->marks->steps[i].object, &thread) || partner[thread] == NO_STEP)
            continue;
        snprintf(name, sizeof name, "T%u", partner[thread]);
        side->keys[i].object = hash(name);
    }
}

void align(const struct landmarks *recorded, const struct landmarks *came, uint32_t *to)
{
    struct side *one = room(1, sizeof *one), *other = room(1, sizeof *other);
    uint32_t partner[THREADS_MAX];
    side_open(one, recorded);
    side_open(other, came);
    for (uint32_t i = 0; i < recorded->count; i++)
        to[i] = NO_STEP;
    match_threads(one, other, partner);
    rename_threads(one, partner);
    for (uint32_t thread = 0; thread < THREADS_MAX; thread++)
        if (partner[thread] != NO_STEP)
            align_threads(one, other, (thread_id)thread, (thread_id)partner[thread], to);
    side_close(one);
    side_close(other);
    free(one);
    free(other);
}

/* Finds the longest part of the recorded steps that came in order (longest increasing
 * subsequence). */
struct followed align_followed(const struct landmarks *recorded, const struct landmarks *came,
                               const uint32_t *to)
{
    uint32_t count = recorded->count, length = 0;
    uint32_t *ends =
        room(count, sizeof *ends); /* ends[n]: the step that ends the best part of n + 1 steps */
    uint32_t *before = room(count, sizeof *before);
    for (uint32_t i = 0; i < count; i++) {
        if (to[i] == NO_STEP)
            continue;
        uint32_t low = 0, high = length;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (to[ends[middle]] < to[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low == 0 ? NO_STEP : ends[low - 1];
        ends[low] = i;
        length += low == length;
    }
    struct followed followed = {.steps = count, .matched = length, .stray = NO_STEP};
    if (length > 0) {
        followed.reached = ends[length - 1] + 1;
        followed.added = to[ends[length - 1]] + 1 - length;
    }
    uint32_t expected = length == 0 ? NO_STEP : ends[length - 1];
    uint32_t next = count; /* the first of the steps that came in order */
    for (uint32_t i = expected; i != NO_STEP; i = before[i]) {
        if (i + 1 != next)
            followed.stray = i + 1;
        next = i;
    }
    if (next != 0 && count > 0)
        followed.stray = 0;
    free(ends);
    free(before);
    CHECK(came->count >= length);
    return followed;
}
