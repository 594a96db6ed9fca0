/* Virtual time: it passes when a thread sleeps or a timed operation times out, and a little
 * whenever somebody looks at a clock; never by itself. */
#ifndef RUNTIME_TIME_VIRTUAL_CLOCK_H
#define RUNTIME_TIME_VIRTUAL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_MICROSECOND 1000ul
#define CLOCK_SECOND      1000000000ul

uint64_t clock_now(clockid_t clock);              /* nanoseconds on that clock */
bool clock_is_valid(const struct timespec *time); /* nanoseconds below a second */
uint64_t clock_moment(clockid_t clock, const struct timespec *deadline); /* for clock_reach */
void clock_jump(clockid_t clock, const struct timespec *deadline);       /* at least to there */
void clock_pass(const struct timespec *duration);

uint64_t clock_length(const struct timespec *time); /* in nanoseconds; negative: 0 */
bool clock_is_known(clockid_t clock);
bool clock_is_for_work(clockid_t clock);    /* it counts the processor's time */
uint64_t clock_look(clockid_t clock);       /* what the program sees, and that takes time */
uint64_t clock_after(uint64_t nanoseconds); /* a moment so much later, for clock_reach */
void clock_reach(uint64_t moment);          /* time only grows: nothing happens if it was before */
void clock_work(uint64_t nanoseconds);      /* the processor was busy for so long */

#endif
