/* Deadlocks of some threads, where others go on and end the program. */
#ifndef RUNTIME_SYNC_PARTIAL_H
#define RUNTIME_SYNC_PARTIAL_H

/* The program ends: a finding, and the end of the execution, if threads wait that nobody could ever
 * have let go on. */
void deadlock_among_some(void);

#endif
