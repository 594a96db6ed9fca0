/* A problem of the user, as one sentence: the cause is their input or their machine, never our
 * code. */
#ifndef BASE_PROBLEM_H
#define BASE_PROBLEM_H

#include <stdbool.h>

struct problem {
    char text[512];
};

/* Fills in "what: subject (reason)" and returns false, so that callers can `return problem_is(…)`.
 * subject may be NULL; error is an errno value, or 0 for none. */
bool problem_is(struct problem *why, const char *what, const char *subject, int error);

#endif
