/* How a property test fails: what ran, what was expected and why, what came, how to see it again.
 */
#ifndef SUPPORT_STORY_H
#define SUPPORT_STORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/listing.h"

/* The divisor of the number of random programs: all are run without sanitizers, which slow them
 * down, and every part of the code comes up in a few. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 10 };
#else
enum { SANITIZED = 1 };
#endif

struct story {
    const char *test; /* its name, as --only takes it */
    const struct toy_program *program;
    const char *reason; /* where the expectation comes from */
};

/* The arguments: --only NAME (with * and ?), --print, --program SEED, --long (as BOHR_TIER=all). */
int story_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count);
/* How many random programs: half of `usual`, ten times as many in `make test-all`, a tenth in
 * `make check` (tests/support/tier.py), 1 with --program. */
uint32_t story_programs(uint32_t usual);
/* The least that these programs must show, where `usual` is the least for the usual number: more
 * programs need show no more. */
uint64_t story_least(uint64_t usual);
/* So few are run that they say nothing about how often something happens. */
bool story_is_short(void);
/* The seed to begin with. */
uint64_t story_first_seed(void);

#define story_expect_count(story, expected, actual)                                                \
    story_expect_count_at(__FILE__, __LINE__, story, expected, actual)
void story_expect_count_at(const char *file, int line, const struct story *story, uint64_t expected,
                           uint64_t actual);

/* Sorts both and compares: names, costs, ends and values must be the same, each once. */
#define story_expect_listing(story, expected, actual)                                              \
    story_expect_listing_at(__FILE__, __LINE__, story, expected, actual)
void story_expect_listing_at(const char *file, int line, const struct story *story,
                             struct listing *expected, struct listing *actual);

#define story_expect(story, condition, what)                                                       \
    story_expect_at(__FILE__, __LINE__, story, condition, what)
void story_expect_at(const char *file, int line, const struct story *story, bool condition,
                     const char *what);

#endif
