#include "core/board.h"

static uint64_t take(uint64_t *end, uint64_t size)
{
    uint64_t at = *end;
    *end += (size + BOARD_PAGE - 1) & ~(BOARD_PAGE - 1ul);
    return at;
}

void board_lay_out(struct layout *layout, const struct options *options)
{
    uint64_t end = 0, steps = options->steps_max;
    take(&end, sizeof(struct board));
    for (int i = 0; i < 2; i++) {
        layout->steps[i] = take(&end, steps * sizeof(struct step));
        layout->touches[i] = take(&end, steps * TOUCHES_EACH * sizeof(struct touch));
    }
    layout->frames = take(&end, options->detail ? steps * sizeof(struct frames) : 0);
    layout->values = take(&end, options->detail ? steps * sizeof(struct step_value) : 0);
    layout->inbox = take(&end, box_bytes(options->steps_max));
    layout->outbox = take(&end, box_bytes(options->steps_max));
    layout->unused_size = 1ul << 24;
    layout->unused = take(&end, layout->unused_size);
    layout->lasting = end;
    for (int i = 0; i < 2; i++)
        layout->decisions[i] = take(&end, steps * sizeof(struct decision));
    layout->replay = take(&end, steps * sizeof(struct decision));
    layout->saved = take(&end, (FINDINGS_MAX + (options->samples ? SAMPLES_MAX : 0)) * steps *
                                   sizeof(struct taken));
    layout->memo = take(&end, options->remember ? sizeof(struct memo) : 0);
    layout->classes_size = 1ul << 30;
    layout->classes = take(&end, layout->classes_size);
    layout->arena_size = 1ul << 36;
    layout->arena = take(&end, layout->arena_size);
    layout->size = end;
}
