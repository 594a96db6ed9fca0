/* When to stop: the time limit, and the user's wish. */
#ifndef COORDINATOR_BUDGET_H
#define COORDINATOR_BUDGET_H

#include "core/claim.h"

struct budget {
    double started, time_limit, hang_seconds;
    double early_limit; /* … of a search in which condition variables take part; 0: the same */
    enum stop_reason stopped; /* STOP_NONE, STOP_TIME or STOP_INTERRUPT */
};

double budget_clock(void);
struct budget budget_open(double time_limit, double hang_seconds);
double budget_seconds(const struct budget *budget);
void budget_interrupt(struct budget *budget);
void budget_end_early(struct budget *budget);
bool budget_is_spent(struct budget *budget); /* it is time to stop, or the user said so */

#endif
