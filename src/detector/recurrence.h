/* Whether a long execution that was cut was in a loop at its end: the same steps recur, in the same
 * order each time or in others. If no enabled thread was left out meanwhile, this is how a program
 * that does not end looks to a fair scheduler (Musuvathi and Qadeer, Fair stateless model checking,
 * 2008). It does not prove that the program never ends. */
#ifndef DETECTOR_RECURRENCE_H
#define DETECTOR_RECURRENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECURRENCE_STEPS_LEAST = 1000 }; /* shorter executions prove nothing */

/* Looks for recurring steps in the second half of an execution; equal steps have equal names.
 * Either every step of the last quarter was in the quarter before, and comes sixteen times there on
 * average; or the last quarter repeats one cycle, at least twice.
 *
 * `cycle` is the length of that cycle; 0: there is none. `room` holds half as many numbers as there
 * are names. */
bool recurrence_find(const uint64_t *names, uint32_t count, uint64_t *room, uint32_t *cycle);

#endif
