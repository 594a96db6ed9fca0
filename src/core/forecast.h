/* For how long a search leaves the first steps of its executions as they are.
 *
 * Each execution is noted by the first step that is not the one of the execution before. What that was in windows of
 * 1, 2, 4… executions says what it will be: in as many to come it falls as far as it fell from the window before
 * to the last one, if it did. Costs are counted in steps: what is run in the time that something takes. */
#ifndef CORE_FORECAST_H
#define CORE_FORECAST_H

#include <stdint.h>

enum { FORECAST_WINDOWS = 24 };

struct forecast { /* zero: nothing is known */
    uint64_t count; /* executions noted */
    uint32_t least[FORECAST_WINDOWS][2]; /* the first step that changed, in the last window of 2^i and the one before */
};

void forecast_note(struct forecast *forecast, uint32_t step);

/* The step to begin at, if it costs so much to move there and it is begun at `from` now; 0: it stays there, as no more
 * than `least` are gained in each execution. */
uint32_t forecast_best(const struct forecast *forecast, uint32_t from, uint64_t cost, uint32_t least);

#endif
