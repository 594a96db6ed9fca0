/* Whether a long execution that was cut goes round at its end: the same steps come again and again,
 * in the same order each time or in others. Where nobody who could run was left out meanwhile, that
 * is how a program looks to a fair scheduler if it does not end (Musuvathi and Qadeer, Fair
 * stateless model checking, 2008). It does not prove that it never would. */
#ifndef DETECTOR_RECURRENCE_H
#define DETECTOR_RECURRENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECURRENCE_STEPS_LEAST = 1000 }; /* of an execution: shorter ones say nothing */

/* Of the names, equal for equal steps, of the second half of an execution. All of the last quarter
 * must have come in the quarter before, and on average sixteen times since; or the last quarter is
 * one round again and again: twice at least. `cycle`: the length of that; 0: there is none.
 * `room`: half as many numbers as there are names. */
bool recurrence_find(const uint64_t *names, uint32_t count, uint64_t *room, uint32_t *cycle);

#endif
