/* Decides when a search stops: at its time limit, or when the user interrupts. */
#ifndef COORDINATOR_WORKER_BUDGET_H
#define COORDINATOR_WORKER_BUDGET_H

#include "core/claim.h"

struct budget {
    double started, time_limit, hang_seconds;
    /* time limit of a search in which a thread waits on a condition variable; 0: time_limit */
    double early_limit;
    enum stop_reason stopped; /* STOP_NONE, STOP_TIME or STOP_INTERRUPT */
};

double budget_clock(void);
struct budget budget_open(double time_limit, double hang_seconds);
double budget_seconds(const struct budget *budget);
void budget_interrupt(struct budget *budget);
void budget_end_early(struct budget *budget);
/* whether the time is over, or the user has interrupted */
bool budget_is_spent(struct budget *budget);

#endif
