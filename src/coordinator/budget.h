/* When to stop: the time limit, the user's wish, and executions in which nothing moves. */
#ifndef COORDINATOR_BUDGET_H
#define COORDINATOR_BUDGET_H

#include "core/claim.h"
#include "core/wire.h"

enum budget_order {
    BUDGET_GO_ON,
    BUDGET_URGE, /* nothing moved for long: the runtime shall end the execution (SIGURG) */
    BUDGET_KILL, /* and not even that worked */
};

struct budget {
    double started, time_limit, hang_seconds;
    enum stop_reason stopped; /* STOP_NONE, STOP_TIME or STOP_INTERRUPT */
    uint64_t sequence;        /* what moved last, and when */
    uint32_t steps;
    double moved;
    bool urged;
};

double budget_clock(void);
struct budget budget_open(double time_limit, double hang_seconds);
double budget_seconds(const struct budget *budget);
void budget_interrupt(struct budget *budget, struct board *board);
void budget_rest(struct budget *budget); /* a worker was started: the watch begins anew */
enum budget_order budget_look(struct budget *budget, struct board *board);

#endif
