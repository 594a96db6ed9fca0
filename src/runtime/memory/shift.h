/* Loops that look at the clock never come back to the same state, since time has passed. They come
 * back to one that is the same but for a shift: each word of the program's that has changed holds a
 * time, and has moved on exactly as far as the clock. Such a loop may still wait for a moment to
 * come. So the clock is moved on, which it may do at any time: by longer and longer, to each hour
 * of a day, each day of a month and each month of a year, and decades ahead; what ends at any of
 * these moments is no livelock. */
#ifndef RUNTIME_MEMORY_SHIFT_H
#define RUNTIME_MEMORY_SHIFT_H

#include "runtime/snapshot/digest.h"

/* Words that hold times near to now: all alike, or by how far away they are. */
void shift_see_times(struct digest_times *times, bool alike);

/* Moves the clock on for the `number`-th time; false: that was all. */
bool shift_clock(uint32_t number);
uint64_t shift_leap(uint32_t number); /* … by whole seconds: how far that was; 0: that was all */
void shift_away(void);     /* … so far that no word that is not written anew is near to it */
bool shift_has_room(void); /* the clock is not near its end */

#endif
