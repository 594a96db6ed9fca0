#include "support/results.h"

#include <stdlib.h>
#include <string.h>

static int compare_results(const void *left, const void *right)
{
    const struct result *a = left, *b = right;
    int order = memcmp(a, b, offsetof(struct result, bound));
    return order != 0 ? order : a->bound - b->bound;
}

void results_add(struct results *results, const struct search *search, int32_t bound)
{
    if (results->count == results->capacity) {
        results->capacity = results->capacity * 2 + 64;
        results->items = realloc(results->items, results->capacity * sizeof *results->items);
        CHECK(results->items != NULL);
    }
    struct result *result = &results->items[results->count++];
    memset(result, 0, sizeof *result);
    memcpy(result->class, search->trace.class, sizeof result->class);
    memcpy(result->values, search->values, sizeof result->values);
    result->waiting = search->trace.waiting.word[0];
    result->outcome = search->trace.outcome;
    result->bound = bound;
}

void results_sort(struct results *results)
{
    qsort(results->items, results->count, sizeof *results->items, compare_results);
    size_t kept = 0;
    for (size_t i = 0; i < results->count; i++)
        if (i == 0 || memcmp(&results->items[i], &results->items[kept - 1],
                             offsetof(struct result, bound)) != 0)
            results->items[kept++] = results->items[i];
    results->count = kept;
}

bool results_without(const struct toy_program *program, const char *strategy, int32_t bound,
                     enum bpor_rule left_out, uint64_t most, struct results *results)
{
    struct search search;
    bool done = true;
    search_open(&search, program, strategy,
                (struct strategy_options){.bound = bound, .left_out = left_out});
    while (done && search_next(&search)) {
        uint32_t cost = trace_costs(&search.trace).preemptions;
        int32_t at = search_progress(&search).bound;
        CHECK(bound == NO_BOUND || cost <= (uint32_t)at);
        if (search.trace.outcome == OUTCOME_CUT_STRATEGY)
            results->cut++;
        else
            results_add(results, &search, bound == NO_BOUND ? 0 : at);
        done = ++results->executions <= most;
    }
    results->progress = search_progress(&search);
    search_close(&search);
    results_sort(results);
    return done;
}

bool results_of(const struct toy_program *program, const char *strategy, int32_t bound,
                uint64_t most, struct results *results)
{
    return results_without(program, strategy, bound, BPOR_EVERY_RULE, most, results);
}

void results_free(struct results *results)
{
    free(results->items);
    *results = (struct results){0};
}

bool results_same(const struct results *a, const struct results *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

uint64_t results_up_to(const struct results *results, int32_t bound)
{
    uint64_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->items[i].bound <= bound;
    return count;
}
