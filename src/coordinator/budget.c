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

bool budget_is_spent(struct budget *budget)
{
    if (budget->stopped == STOP_NONE && budget->time_limit > 0 &&
        budget_seconds(budget) >= budget->time_limit)
        budget->stopped = STOP_TIME;
    return budget->stopped != STOP_NONE;
}

void pulse_rest(struct pulse *pulse)
{
    pulse->moved = budget_clock();
    pulse->urged = false;
}

static bool moves(struct pulse *pulse, const struct board *board)
{
    uint64_t sequence = __atomic_load_n(&board->journal.sequence, __ATOMIC_RELAXED);
    uint32_t steps = __atomic_load_n(&board->trace[board->which & 1].count, __ATOMIC_RELAXED);
    uint32_t beats = __atomic_load_n(&board->control.beats, __ATOMIC_RELAXED);
    bool same = sequence == pulse->sequence && steps == pulse->steps && beats == pulse->beats;
    pulse->sequence = sequence;
    pulse->steps = steps;
    pulse->beats = beats;
    return !same;
}

enum pulse_order pulse_look(struct pulse *pulse, const struct board *board, double hang_seconds)
{
    double now = budget_clock();
    if (moves(pulse, board)) {
        pulse_rest(pulse);
        return PULSE_GO_ON;
    }
    if (now - pulse->moved < hang_seconds)
        return PULSE_GO_ON;
    pulse->moved = now;
    if (pulse->urged)
        return PULSE_KILL;
    pulse->urged = true;
    return PULSE_URGE;
}
