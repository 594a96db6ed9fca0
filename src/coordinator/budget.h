/* When to stop: the time limit, the user's wish, and executions in which nothing moves. */
#ifndef COORDINATOR_BUDGET_H
#define COORDINATOR_BUDGET_H

#include "core/claim.h"
#include "core/wire.h"

struct budget {
    double started, time_limit, hang_seconds;
    enum stop_reason stopped; /* STOP_NONE, STOP_TIME or STOP_INTERRUPT */
};

double budget_clock(void);
struct budget budget_open(double time_limit, double hang_seconds);
double budget_seconds(const struct budget *budget);
void budget_interrupt(struct budget *budget);
bool budget_is_spent(struct budget *budget); /* it is time to stop, or the user said so */

enum pulse_order {
    PULSE_GO_ON,
    PULSE_URGE, /* nothing moved for long: the runtime shall end the execution (SIGURG) */
    PULSE_KILL, /* and not even that worked */
};

struct pulse {         /* of one worker */
    uint64_t sequence; /* what moved last, and when */
    uint32_t steps, beats;
    double moved;
    bool urged;
};

void pulse_rest(struct pulse *pulse); /* the watch begins anew */
enum pulse_order pulse_look(struct pulse *pulse, const struct board *board, double hang_seconds);

#endif
