#include "coordinator/contribution.h"

#include "strategy/strategy.h"

void contributions_add(struct verdict *out, const struct board_handle *boards, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct board *board = boards[i].board;
        const struct strategy *strategy = strategy_find(board->options.strategy);
        struct contribution rows[CONTRIBUTIONS_MAX];
        if (strategy == NULL || strategy->contributions == NULL || !board->opened)
            continue;
        uint32_t row_count = strategy->contributions(board->state, rows);
        for (uint32_t k = 0; k < row_count; k++) {
            struct contribution *sum = &out->contributions[k];
            sum->strategy = rows[k].strategy;
            sum->executions += rows[k].executions;
            sum->classes += rows[k].classes;
            sum->lately += rows[k].lately;
            sum->failed += rows[k].failed;
        }
        out->contribution_count = row_count;
    }
}

const char *contributions_leader(const struct board *board)
{
    const struct strategy *strategy = strategy_find(board->options.strategy);
    struct contribution rows[CONTRIBUTIONS_MAX];
    if (strategy == NULL || strategy->contributions == NULL || !board->opened)
        return NULL;
    uint32_t count = strategy->contributions(board->state, rows), best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (rows[i].lately > rows[best].lately)
            best = i;
    return count > 0 && rows[best].lately > 0 ? rows[best].strategy : NULL;
}
