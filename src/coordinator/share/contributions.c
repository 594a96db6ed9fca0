#include "coordinator/share/contributions.h"

#include "strategy/strategy.h"

/* Returns the number of rows; 0: the strategy is no portfolio. */
static uint32_t sum_up(struct contribution *sums, const struct board_handle *boards, uint32_t count)
{
    uint32_t row_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct board *board = boards[i].board;
        const struct strategy *strategy = strategy_find(board->options.strategy);
        struct contribution rows[CONTRIBUTIONS_MAX];
        if (strategy == NULL || strategy->contributions == NULL || !board->opened)
            continue;
        row_count = strategy->contributions(board->state, rows);
        for (uint32_t k = 0; k < row_count; k++) {
            struct contribution *sum = &sums[k];
            sum->strategy = rows[k].strategy;
            sum->executions += rows[k].executions;
            sum->classes += rows[k].classes;
            sum->lately += rows[k].lately;
            sum->failed += rows[k].failed;
        }
    }
    return row_count;
}

void contributions_add(struct verdict *out, const struct board_handle *boards, uint32_t count)
{
    uint32_t row_count = sum_up(out->contributions, boards, count);
    if (row_count > 0)
        out->contribution_count = row_count;
}

const char *contributions_leader(const struct board_handle *boards, uint32_t board_count)
{
    struct contribution rows[CONTRIBUTIONS_MAX] = {0};
    uint32_t count = sum_up(rows, boards, board_count), best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (rows[i].lately > rows[best].lately)
            best = i;
    return count > 0 && rows[best].lately > 0 ? rows[best].strategy : NULL;
}
