#include "strategy/guided/portion.h"

void portion_open(struct portion *portion, struct arena *arena, uint32_t steps_max)
{
    portion->before = arena_take(arena, (steps_max + 1) * sizeof *portion->before);
}

uint64_t portion_of(struct portion *portion, const struct trace *trace, uint32_t changed)
{
    portion->before[0] = UINT64_MAX;
    for (uint32_t step = changed; step < trace->count; step++) {
        uint64_t here = portion->before[step];
        if (trace->steps[step].alternatives > 1)
            here /= thread_set_count(&trace->steps[step].enabled) * trace->steps[step].op.choices;
        portion->before[step + 1] = here;
    }
    return portion->before[trace->count];
}
