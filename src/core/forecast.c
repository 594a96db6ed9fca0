#include "core/forecast.h"

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Two windows make one of the next size. */
void forecast_note(struct forecast *forecast, uint32_t step)
{
    uint64_t count = ++forecast->count;
    for (int i = 0; i < FORECAST_WINDOWS; i++) {
        uint32_t *least = forecast->least[i];
        least[1] = least[0];
        least[0] = step;
        if (count >> i & 1)
            return;
        step = lesser(least[0], least[1]);
    }
}

uint32_t forecast_best(const struct forecast *forecast, uint32_t from, uint64_t cost, uint32_t least)
{
    uint32_t lowest = UINT32_MAX, best = 0;
    int64_t most = least;
    for (int i = 0; i < FORECAST_WINDOWS && forecast->count >> i > 1; i++) {
        const uint32_t *window = forecast->least[i];
        lowest = lesser(lowest, window[0]);
        uint32_t fall = window[1] > window[0] ? window[1] - window[0] : 0;
        if (lowest <= fall)
            continue;
        int64_t gain = (int64_t)(lowest - fall) - from - (int64_t)(cost >> i);
        if (gain > most) {
            best = lowest - fall;
            most = gain;
        }
    }
    return best;
}
