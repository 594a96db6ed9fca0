#include "coordinator/budget.h"

#include <time.h>

double budget_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct budget budget_open(double time_limit, double hang_seconds)
{
    double now = budget_clock();
    return (struct budget){
        .started = now, .time_limit = time_limit, .hang_seconds = hang_seconds, .moved = now};
}

double budget_seconds(const struct budget *budget)
{
    return budget_clock() - budget->started;
}

static void stop(struct budget *budget, struct board *board, enum stop_reason reason)
{
    if (budget->stopped == STOP_NONE)
        budget->stopped = reason;
    __atomic_store_n(&board->control.stop, 1, __ATOMIC_SEQ_CST);
}

void budget_interrupt(struct budget *budget, struct board *board)
{
    stop(budget, board, STOP_INTERRUPT);
}

void budget_rest(struct budget *budget)
{
    budget->moved = budget_clock();
    budget->urged = false;
}

static bool moves(struct budget *budget, const struct board *board)
{
    uint64_t sequence = __atomic_load_n(&board->journal.sequence, __ATOMIC_RELAXED);
    uint32_t steps = __atomic_load_n(&board->trace[board->which & 1].count, __ATOMIC_RELAXED);
    bool same = sequence == budget->sequence && steps == budget->steps;
    budget->sequence = sequence;
    budget->steps = steps;
    return !same;
}

enum budget_order budget_look(struct budget *budget, struct board *board)
{
    double now = budget_clock();
    if (budget->time_limit > 0 && now - budget->started >= budget->time_limit)
        stop(budget, board, STOP_TIME);
    if (moves(budget, board)) {
        budget_rest(budget);
        return BUDGET_GO_ON;
    }
    if (now - budget->moved < budget->hang_seconds)
        return BUDGET_GO_ON;
    budget->moved = now;
    if (budget->urged)
        return BUDGET_KILL;
    budget->urged = true;
    return BUDGET_URGE;
}
