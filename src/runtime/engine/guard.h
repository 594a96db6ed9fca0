/* The lasting part of the board, made read only while the program's code runs.
 *
 * Code without instrumentation may store anywhere, also where the search keeps its tree and its
 * counts. Under the guard such a store is a crash at its place, before it does harm. The first
 * executions are guarded, then as many as cost less than 0.2 % of the time; each one is that
 * has a process of its own. What is not guarded is checked by sums (core/sum.h). */
#ifndef RUNTIME_ENGINE_GUARD_H
#define RUNTIME_ENGINE_GUARD_H

#include <stdbool.h>
#include <stdint.h>

void guard_raise(void);        /* for this execution, if its turn has come */
void guard_raise_always(void); /* this process is one execution */
void guard_lower(void);

/* Notes what the worker finds out about the program among the options, which stay guarded. */
void guard_note(uint8_t *options_field, uint8_t bits);

/* The runtime's own code wrote there: the guard is lowered, the store can be repeated. */
bool guard_lets_pass(const void *address, uintptr_t pc);
/* The program's code wrote there. */
bool guard_stops(const void *address, uintptr_t pc);

#endif
