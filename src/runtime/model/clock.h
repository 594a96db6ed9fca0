/* Virtual time: it passes when a thread sleeps or a timed operation times out, never by itself. */
#ifndef RUNTIME_MODEL_CLOCK_H
#define RUNTIME_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

uint64_t clock_now(clockid_t clock);          /* nanoseconds on that clock */
bool clock_is_valid(const struct timespec *time); /* nanoseconds below a second */
void clock_jump(clockid_t clock, const struct timespec *deadline); /* at least to there */
void clock_pass(const struct timespec *duration);

#endif
