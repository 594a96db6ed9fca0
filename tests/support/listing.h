/* Executions by name, to compare those that a strategy ran with those that exist.
 *
 * The name is one letter a step, A for main, followed by a digit where a data choice was not 0. */
#ifndef SUPPORT_LISTING_H
#define SUPPORT_LISTING_H

#include <stddef.h>

#include "support/toy.h"

enum listed_cost { LISTED_PREEMPTIONS, LISTED_DELAYS, LISTED_DEPTH, LISTED_COSTS };

struct listed {
    char *name;
    /* LISTED_DEPTH: the number of the last decision that was not by default, counted from 1 */
    uint32_t costs[LISTED_COSTS];
    char end; /* 'f'inished, 'd'eadlock, 'a'ssertion, or '?' */
    int32_t values[TOY_OBJECTS_MAX];
};

struct listing {
    struct listed *items;
    size_t count, capacity;
};

void listing_add(struct listing *listing, const char *name, const uint32_t costs[LISTED_COSTS],
                 char end, const int32_t values[TOY_OBJECTS_MAX]);
/* The decisions of an execution with this name, one for each step; returns how many. */
uint32_t listed_decisions(const struct listed *item, struct decision decisions[TOY_STEPS_MAX]);
void listing_sort(struct listing *listing); /* by name */
void listing_free(struct listing *listing);

/* All executions of a program, by plain recursion over a model of its own: it shares nothing with
 * the engine and the strategies. False: there are more than `limit`. */
bool enumerate(const struct toy_program *program, size_t limit, struct listing *listing);

#endif
