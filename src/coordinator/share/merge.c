#include "coordinator/share/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/mix.h"
#include "coordinator/share/merged_growth.h"
#include "core/address_name.h"
#include "core/class_table.h"

static void at_least(uint32_t *most, uint32_t value)
{
    if (*most < value)
        *most = value;
}

static struct bound_row *row_of(struct tally *tally, int32_t bound)
{
    for (uint32_t i = 0; i < tally->bounds; i++)
        if (tally->per_bound[i].bound == bound)
            return &tally->per_bound[i];
    if (tally->bounds == BOUNDS_MAX)
        return NULL;
    uint32_t at = tally->bounds++;
    for (; at > 0 && tally->per_bound[at - 1].bound > bound; at--)
        tally->per_bound[at] = tally->per_bound[at - 1];
    tally->per_bound[at] = (struct bound_row){.bound = bound};
    return &tally->per_bound[at];
}

static void merge_status(struct tally *to, const struct tally *from)
{
    to->statuses_differ |= from->statuses_differ;
    if (from->first_status < 0)
        return;
    if (to->first_status < 0)
        to->first_status = from->first_status;
    to->statuses_differ |= to->first_status != from->first_status;
}

/* The guarantee holds for the executions of the workers that have seen most threads and steps. */
static void merge_guarantee(struct guarantee *to, const struct guarantee *from)
{
    struct guarantee most = *to;
    at_least(&most.threads, from->threads);
    at_least(&most.steps, from->steps);
    most.executions = 0;
    if (to->threads == most.threads && to->steps == most.steps)
        most.executions += to->executions;
    if (from->threads == most.threads && from->steps == most.steps)
        most.executions += from->executions;
    *to = most;
}

/* Moves all addresses of a finding from the process of one board to that of another. */
static void move_finding(struct finding *finding, const struct board *to, const struct board *from)
{
    struct turn *turns[] = {&finding->divergence.expected, &finding->divergence.got};
    finding->address = address_moved(to, from, finding->address);
    for (int i = 0; i < FINDING_PLACES_MAX; i++)
        finding->places[i].site = address_moved(to, from, finding->places[i].site);
    for (uint32_t i = 0; i < finding->pair_count && i < FINDING_PAIRS_MAX; i++)
        for (int k = 0; k < FINDING_PLACES_MAX; k++)
            finding->pairs[i].site[k] = address_moved(to, from, finding->pairs[i].site[k]);
    for (int i = 0; i < 2; i++) {
        turns[i]->op.site = address_moved(to, from, turns[i]->op.site);
        for (int k = 0; k < 2; k++)
            turns[i]->address[k] = address_moved(to, from, turns[i]->address[k]);
    }
}

static void move_frames(struct frames *frames, const struct board *to, const struct board *from)
{
    for (uint32_t i = 0; i < frames->count && i < FRAMES_MAX; i++)
        frames->pc[i] = address_moved(to, from, frames->pc[i]);
}

static void merge_tally(struct board *to_board, const struct board *from_board)
{
    struct tally *to = &to_board->tally;
    const struct tally *from = &from_board->tally;
    to->executions += from->executions;
    to->steps += from->steps;
    to->looks += from->looks;
    to->buggy += from->buggy;
    for (uint32_t i = 0; i < ALWAYS_MAX; i++)
        to->always_shown[i] += from->always_shown[i];
    to->always_missed |= from->always_missed;
    to->cut += from->cut;
    to->cut_by_steps += from->cut_by_steps;
    to->cut_by_cycles += from->cut_by_cycles;
    to->cut_by_time += from->cut_by_time;
    to->classified += from->classified;
    to->fingerprint_sum += from->fingerprint_sum;
    to->pending += from->pending;
    to->spilled += from->spilled;
    to->lost += from->lost;
    to->tree_bytes += from->tree_bytes;
    to->findings_dropped += from->findings_dropped;
    to->races_unpromoted |= from->races_unpromoted;
    to->unreduced |= from->unreduced;
    to->vain |= from->vain;
    to->waits |= from->waits;
    to->left |= from->left;
    to->undisciplined |= from->undisciplined;
    if (to->shared.process == 0)
        to->shared = (struct shared_memory){
            from->shared.process, address_moved(to_board, from_board, from->shared.address)};
    if (to->first_bug == 0 || (from->first_bug > 0 && from->first_bug < to->first_bug))
        to->first_bug = from->first_bug;
    at_least(&to->threads, from->threads);
    at_least(&to->max_enabled, from->max_enabled);
    at_least(&to->max_points, from->max_points);
    at_least(&to->max_steps, from->max_steps);
    merge_guarantee(&to->guarantee, &from->guarantee);
    merge_status(to, from);
    for (uint32_t i = 0; i < from->bounds; i++) {
        struct bound_row *row = row_of(to, from->per_bound[i].bound);
        if (row != NULL)
            row->executions += from->per_bound[i].executions;
    }
}

/* Whether two findings are the same. They have addresses of the same process. Object numbers differ
 * between boards. */
static bool is_same(const struct finding *a, const struct finding *b)
{
    if (a->key == b->key)
        return true;
    if (a->kind != FINDING_RACE || b->kind != FINDING_RACE)
        return false;
    return finding_has_pair(a, b->key) || finding_has_pair(b, a->key) ||
           (a->object != NO_OBJECT && b->object != NO_OBJECT && a->address == b->address);
}

static uint32_t find(const struct board *board, const struct finding *finding)
{
    uint32_t at = 0;
    while (at < board->tally.finding_count && !is_same(&board->findings[at], finding))
        at++;
    return at;
}

static void add_pairs(struct finding *to, const struct finding *from)
{
    for (uint32_t i = 0; i < from->pair_count && i < FINDING_PAIRS_MAX; i++)
        finding_add_pair(to, &from->pairs[i]);
}

/* The last finding that is no error, which gives its place to one that is; FINDINGS_MAX: there is
 * none. */
static uint32_t place_of_less(const struct board *board, const struct finding *finding)
{
    for (uint32_t i = FINDINGS_MAX; finding_is_error(finding) && i-- > 0;)
        if (!finding_is_error(&board->findings[i]))
            return i;
    return FINDINGS_MAX;
}

/* Two workers may have found the same at the same time. Then the cheaper schedule counts as
 * earlier. */
static bool is_earlier(const struct finding *a, const struct finding *b)
{
    if (a->execution != b->execution)
        return a->execution < b->execution;
    if (a->preemptions != b->preemptions)
        return a->preemptions < b->preemptions;
    return a->steps < b->steps;
}

static bool has_sites(const struct board *to, const struct board *from)
{
    uint32_t count = from->tally.site_count, same = 0;
    if (count > to->tally.site_count)
        return false;
    while (same < count && to->sites[same] == address_moved(to, from, from->sites[same]))
        same++;
    return same == count;
}

/* Puts the sites of another board on this one and returns where they begin; SITES_MAX: there is no
 * room. Each worker may have found its sites in an order of its own. */
static uint32_t place_sites(struct board *to, const struct board *from)
{
    uint32_t at = to->tally.site_count, count = from->tally.site_count;
    if (has_sites(to, from))
        return 0;
    if (count > SITES_MAX - at)
        return SITES_MAX;
    for (uint32_t i = 0; i < count; i++)
        to->sites[at + i] = address_moved(to, from, from->sites[i]);
    to->tally.site_count += count;
    return at;
}

static void copy_finding(struct board *to, uint32_t at, const struct board *from, uint32_t index,
                         const struct finding *finding, uint32_t sites_at)
{
    struct taken *saved = (struct taken *)board_saved(to, at);
    to->findings[at] = *finding;
    to->findings[at].sites_first += sites_at;
    to->saved_count[at] = from->saved_count[index];
    memcpy(saved, board_saved(from, index), from->saved_count[index] * sizeof *saved);
    memcpy(to->finding_frames[at], from->finding_frames[index], sizeof to->finding_frames[at]);
    for (int i = 0; i < FINDING_PLACES_MAX; i++)
        move_frames(&to->finding_frames[at][i], to, from);
}

static void merge_one(struct board *to, const struct board *from, uint32_t index, uint32_t sites_at)
{
    struct finding moved = from->findings[index], *finding = &moved;
    move_finding(finding, to, from);
    uint32_t at = find(to, finding), count = finding->count;
    if (at == FINDINGS_MAX || sites_at == SITES_MAX) {
        to->tally.findings_dropped++;
        at = sites_at == SITES_MAX ? FINDINGS_MAX : place_of_less(to, finding);
        if (at < FINDINGS_MAX)
            copy_finding(to, at, from, index, finding, sites_at);
        return;
    }
    if (at == to->tally.finding_count) {
        to->tally.finding_count++;
        copy_finding(to, at, from, index, finding, sites_at);
        return;
    }
    count += to->findings[at].count;
    struct finding before = to->findings[at];
    if (is_earlier(finding, &before))
        copy_finding(to, at, from, index, finding, sites_at);
    add_pairs(&to->findings[at], &before);
    add_pairs(&to->findings[at], finding);
    to->findings[at].count = count;
}

void merge_finding(struct board *to, const struct board *from, uint32_t index)
{
    merge_one(to, from, index, place_sites(to, from));
}

void merge_findings(struct board *to, const struct board *from)
{
    uint32_t sites_at = place_sites(to, from);
    for (uint32_t i = 0; i < from->tally.finding_count; i++)
        merge_one(to, from, i, sites_at);
}

/* Adds libraries that only some workers loaded. */
static void merge_modules(struct board *to, const struct board *from)
{
    for (uint32_t i = 0; i < from->module_count; i++) {
        const struct module *module = &from->modules[i];
        bool known = false;
        for (uint32_t k = 0; k < to->module_count && !known; k++)
            known = i < from->modules_at_start ||
                    (to->modules[k].start < module->end && module->start < to->modules[k].end);
        if (!known && to->module_count < MODULES_MAX)
            to->modules[to->module_count++] = *module;
    }
}

static bool entry_counts(const struct board *board, const struct class_entry *entry)
{
    return entry->transaction != 0 && entry->transaction <= board->journal.sequence;
}

struct class_set {
    struct class_entry *entries;
    uint64_t mask;
};

/* In the merged set, `transaction` is one plus the index of the point of the common curve that
 * first has the class. */
static void class_entry_merge(struct class_entry *known, const struct class_entry *entry)
{
    known->again = 1;
    if (entry->bound < known->bound)
        known->bound = entry->bound;
    if (entry->transaction < known->transaction)
        known->transaction = entry->transaction;
}

static void class_set_add(struct class_set *set, const struct class_entry *entry)
{
    for (uint64_t at = entry->class[0] & set -> mask;; at = (at + 1) & set->mask) {
        struct class_entry *known = &set->entries[at];
        bool same = known->class[0] == entry->class[0] && known->class[1] == entry->class[1];
        if (known->transaction == 0)
            *known = *entry;
        else if (!same)
            continue;
        else
            class_entry_merge(known, entry);
        return;
    }
}

static void class_set_add_board(struct class_set *set, const struct board *board, uint32_t worker,
                                const struct growth *growth)
{
    for (uint32_t level = 0; level < board->class_levels; level++) {
        const struct class_entry *table = class_table(board, level);
        for (uint32_t i = 0; i < class_table_capacity(level); i++) {
            struct class_entry entry = table[i];
            if (!entry_counts(board, &entry))
                continue;
            entry.transaction = growth_find(growth, worker, entry.transaction) + 1ul;
            class_set_add(set, &entry);
        }
    }
}

static void class_set_count(const struct class_set *set, struct tally *tally, struct growth *growth)
{
    for (uint64_t i = 0; i <= set->mask; i++) {
        const struct class_entry *entry = &set->entries[i];
        if (entry->transaction == 0)
            continue;
        tally->classes++;
        tally->class_sum += mix(entry->class[0], entry -> class[1]);
        tally->singletons += !entry->again;
        if (entry->transaction <= growth->count)
            growth->points[entry->transaction - 1].classes++;
        struct bound_row *row = entry->bound == 0 ? NULL : row_of(tally, (int32_t)entry->bound - 1);
        if (row != NULL)
            row->classes++;
    }
}

static uint64_t classes_at_most(const struct board *board)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < board->class_levels; i++)
        sum += board->class_counts[i];
    return sum;
}

/* A class that several workers have seen counts once, at the lowest bound at which any of them saw
 * it. */
static void merge_classes(const struct crew *crew)
{
    struct tally *tally = &crew->members[0].board->tally;
    uint64_t most = 0;
    bool known = true;
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct board *board = crew->members[i].board;
        known &= board->tally.classes != CLASSES_UNKNOWN;
        most += board->opened ? classes_at_most(board) : 0;
    }
    for (uint32_t i = 0; i < tally->bounds; i++)
        tally->per_bound[i].classes = 0;
    struct class_set set = {.mask = 1023};
    while (set.mask < 2 * most)
        set.mask = 2 * set.mask + 1;
    set.entries = known ? calloc(set.mask + 1, sizeof *set.entries) : NULL;
    tally->classes = set.entries != NULL ? 0 : CLASSES_UNKNOWN;
    tally->singletons = tally->class_sum = 0;
    if (set.entries == NULL) {
        crew->members[0].board->coverage.count = 0;
        return;
    }
    struct growth growth = growth_open(crew);
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->members[i].board->opened)
            class_set_add_board(&set, crew->members[i].board, i, &growth);
    class_set_count(&set, tally, &growth);
    growth_put(&growth, &crew->members[0].board->coverage);
    growth_close(&growth);
    free(set.entries);
}

/* The search is as far as the worker that is least far. */
static void merge_progress(const struct crew *crew)
{
    struct board *first = crew->members[0].board;
    struct tally *tally = &first->tally;
    bool bounded = crew->strategy->traits.bound_name != NULL;
    uint32_t complete = crew->over;
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct board *board = crew->members[i].board;
        if (!board->opened)
            continue;
        complete &= board->tally.complete;
        complete &= board->shared.given == crew->members[i].taken;
        complete &= board->shared.adopted == board->sharing.delivered;
        if (!first->opened || board->tally.claim < tally->claim)
            tally->claim = board->tally.claim;
        first->opened = 1;
    }
    if (crew->crown_bytes != NULL && crew->crown.overflow)
        tally->claim = CLAIM_NOTHING;
    else if (crew->crown_bytes != NULL && tally->claim == CLAIM_ALL_CLASSES && bounded &&
             (crew->crown.beyond || !complete))
        tally->claim = CLAIM_WITHIN_BOUND;
    if (crew->proved && first->opened) {
        tally->claim = CLAIM_ALL_CLASSES;
        complete = 1;
    }
    tally->complete = complete;
    int32_t bound = crew_bound(crew);
    tally->bound = bounded ? bound : NO_BOUND;
    tally->bound_done = !bounded ? NO_BOUND : complete && !crew->proved ? bound : crew->bound_done;
}

static void merge_control(struct board *to, const struct board *from)
{
    to->control.checkpoints += from->control.checkpoints;
    to->control.verified += from->control.verified;
    for (uint32_t i = 0; i < from->control.busy_count && i < BUSY_MAX; i++)
        if (to->control.busy_count < BUSY_MAX)
            to->control.busy[to->control.busy_count++] = from->control.busy[i];
    to->options.instrumented |= from->options.instrumented;
    to->options.marks |= from->options.marks;
}

void merge_crew(struct crew *crew)
{
    CHECK(crew->count > 1);
    if (crew_wants_restart(crew))
        crew_forget_search(crew);
    struct board *first = crew->members[0].board;
    merge_classes(crew);
    merge_progress(crew);
    for (uint32_t i = 1; i < crew->count; i++) {
        const struct board *board = crew->members[i].board;
        merge_tally(first, board);
        merge_findings(first, board);
        merge_modules(first, board);
        merge_control(first, board);
    }
}
