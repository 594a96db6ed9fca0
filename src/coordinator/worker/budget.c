#include "coordinator/worker/budget.h"

#include <time.h>

double budget_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct budget budget_open(double time_limit, double hang_seconds)
{
    return (struct budget){
        .started = budget_clock(), .time_limit = time_limit, .hang_seconds = hang_seconds};
}

double budget_seconds(const struct budget *budget)
{
    return budget_clock() - budget->started;
}

void budget_interrupt(struct budget *budget)
{
    if (budget->stopped == STOP_NONE)
        budget->stopped = STOP_INTERRUPT;
}

void budget_end_early(struct budget *budget)
{
    if (budget->stopped == STOP_NONE && budget->early_limit > 0 &&
        budget_seconds(budget) >= budget->early_limit)
        budget->stopped = STOP_TIME;
}

bool budget_is_spent(struct budget *budget)
{
    if (budget->stopped == STOP_NONE && budget->time_limit > 0 &&
        budget_seconds(budget) >= budget->time_limit)
        budget->stopped = STOP_TIME;
    return budget->stopped != STOP_NONE;
}
