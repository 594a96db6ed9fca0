/* compile: -mcx16 */
/* Atomic instructions for programs that run without a board. Apart from atomic.c because the
 * 16-byte one needs a register that is fixed there. */
#include "runtime/memory/bare.h"

#include <stdint.h>
#include <string.h>

#include "base/assert.h"

#define TRY(type)                                                                                  \
    do {                                                                                           \
        type old, new;                                                                             \
        memcpy(&old, expected, sizeof old);                                                        \
        memcpy(&new, desired, sizeof new);                                                         \
        type seen = __sync_val_compare_and_swap((volatile type *)address, old, new);               \
        memcpy(expected, &seen, sizeof seen);                                                      \
        return seen == old;                                                                        \
    } while (0)

bool bare_exchange_if(volatile void *address, void *expected, const void *desired, size_t size)
{
    switch (size) {
    case 1:
        TRY(uint8_t);
    case 2:
        TRY(uint16_t);
    case 4:
        TRY(uint32_t);
    case 8:
        TRY(uint64_t);
    case 16:
        TRY(unsigned __int128);
    }
    UNREACHABLE();
}
