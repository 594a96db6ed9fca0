/* Mappings of the process, from /proc. */
#ifndef RUNTIME_SNAPSHOT_MAPS_H
#define RUNTIME_SNAPSHOT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Calls visit for every private writable mapping. */
void maps_writable(void (*visit)(char *low, char *high, bool file));
/* Which of count pages from low on were ever touched. */
void maps_present(const char *low, uint32_t count, uint64_t *entries);

/* The page is in memory, or swapped out. A page that userfaultfd protects has an entry even where
 * there is no page, which looks as if it were swapped out, but for the bit that says so; a page
 * that was, and that nobody may write, is as it was. */
static inline bool maps_is_present(uint64_t entry)
{
    bool in_memory = entry >> 63 & 1, swapped = entry >> 62 & 1, protected = entry >> 57 & 1;
    return in_memory || (swapped && !protected);
}

/* In a private mapping; one of a file that was only read comes and goes as the kernel likes. */
static inline bool maps_is_written(uint64_t entry)
{
    return maps_is_present(entry) && (entry >> 61 & 1) == 0;
}
/* No other process has it, too. One that is elsewhere than in memory may be. */
static inline bool maps_is_own(uint64_t entry)
{
    return (entry >> 56 & 1) != 0 || entry >> 63 == 0;
}

#endif
