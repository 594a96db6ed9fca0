#include "coordinator/share/merged_growth.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const struct growth_point *left = a, *right = b;
    const struct coverage_point *one = &left->point, *other = &right->point;
    if (one->bound != other->bound)
        return one->bound < other->bound ? -1 : 1;
    if (one->nanoseconds != other->nanoseconds)
        return one->nanoseconds < other->nanoseconds ? -1 : 1;
    if (left->worker != right->worker)
        return left->worker < right->worker ? -1 : 1;
    return one->executions < other->executions ? -1 : one->executions > other->executions;
}

static void note_positions(struct growth *growth, uint32_t workers)
{
    uint32_t noted = 0;
    for (uint32_t worker = 0; worker < workers; worker++) {
        growth->first[worker] = noted;
        for (uint32_t i = 0; i < growth->count; i++)
            if (growth->points[i].worker == worker)
                growth->positions[noted++] = i;
    }
    growth->first[workers] = noted;
}

struct growth growth_open(const struct crew *crew)
{
    struct growth growth = {0};
    growth.points = calloc((size_t)crew->count * COVERAGE_POINTS_MAX, sizeof *growth.points);
    for (uint32_t i = 0; growth.points != NULL && i < crew->count; i++) {
        const struct coverage *coverage = &crew->members[i].board->coverage;
        for (uint32_t k = 0; k < coverage->count; k++)
            growth.points[growth.count++] =
                (struct growth_point){.point = coverage->points[k], .worker = i};
    }
    growth.positions = calloc((size_t)growth.count + 1, sizeof *growth.positions);
    if (growth.positions == NULL)
        growth.count = 0;
    if (growth.count > 0)
        qsort(growth.points, growth.count, sizeof *growth.points, compare);
    note_positions(&growth, crew->count);
    return growth;
}

void growth_close(struct growth *growth)
{
    free(growth->points);
    free(growth->positions);
}

uint32_t growth_find(const struct growth *growth, uint32_t worker, uint64_t transaction)
{
    uint32_t low = growth->first[worker], high = growth->first[worker + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (growth->points[growth->positions[middle]].point.transaction < transaction)
            low = middle + 1;
        else
            high = middle;
    }
    return low < growth->first[worker + 1] ? growth->positions[low] : growth->count;
}

/* Points are kept as with one worker: one where the executions have grown by a hundredth, and one
 * at the end of each bound. */
static bool is_kept(const struct growth *growth, uint32_t at, uint64_t executions, uint64_t next)
{
    bool ends = at + 1 < growth->count &&
                growth->points[at + 1].point.bound > growth->points[at].point.bound;
    return ends || executions >= next;
}

void growth_put(const struct growth *growth, struct coverage *out)
{
    uint64_t of_worker[WORKERS_MAX] = {0}, executions = 0, classes = 0, latest = 0;
    out->count = 0;
    out->next = 0;
    for (uint32_t i = 0; i < growth->count && out->count < COVERAGE_POINTS_MAX; i++) {
        const struct growth_point *at = &growth->points[i];
        executions += at->point.executions - of_worker[at->worker];
        of_worker[at->worker] = at->point.executions;
        classes += at->classes;
        if (latest < at->point.nanoseconds)
            latest = at->point.nanoseconds;
        if (!is_kept(growth, i, executions, out->next))
            continue;
        out->points[out->count++] = (struct coverage_point){.executions = executions,
                                                            .classes = classes,
                                                            .waiting = WAITING_UNKNOWN,
                                                            .waiting_bytes = WAITING_UNKNOWN,
                                                            .nanoseconds = latest,
                                                            .bound = at->point.bound};
        out->next = executions + coverage_stride(executions);
    }
}
