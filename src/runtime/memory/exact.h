/* Does a loop ask whether it is exactly some moment, as `while (next != date)` does? Then it ends
 * there, however far off that is, and no number of other moments that are tried out can tell.
 *
 * So turns of it are gone one instruction at a time, each at another time. Where the program's own
 * code asks whether two numbers are equal (a jump, or the like, if the result was zero), the other
 * flags tell something of how far from each other they are. If that is the same in each turn,
 * nothing that moves with time is compared with what stays where it is.
 *
 * Our own code goes at its usual speed: a stop is set in the program's where it comes back to that.
 */
#ifndef RUNTIME_MEMORY_EXACT_H
#define RUNTIME_MEMORY_EXACT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

void exact_begin(void); /* a turn begins: all threads are in a call of ours */
uint64_t exact_end(
    void); /* what was asked in it, and how far that was from being so; 0: that is not known */
void exact_doubt(void); /* something is done in it that is not seen */

/* A stop, or one instruction was carried out, as a signal says; false: that was not it. */
bool exact_trap(const siginfo_t *info, void *context);

#endif
