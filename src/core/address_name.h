/* Names of addresses. Programs, libraries and mappings of two workers may lie at different
 * addresses, so an address leaves its worker as a name only:
 *
 * code and data     module among those that the loader maps at the start, distance from its base
 * own mappings      distance from the first library: equal calls of mmap give equal distances
 * the rest          the address. What threads create (heap blocks, stacks, threads) lies in ranges
 *                   of Bohr's own, at the same place in each worker, a range for each creating
 *                   thread. A thread fills its range in the order of its own creations and uses no
 *                   byte twice, so a place there names the creating thread and the number of the
 * creation.
 *
 * The marks SITE_OF_THREADS and SITE_WIDE of an address are marks of its name, too. */
#ifndef CORE_ADDRESS_NAME_H
#define CORE_ADDRESS_NAME_H

#include "core/board.h"

/* 0 is the name of address 0. No name is larger than NAME_LARGEST, and none is between 0 and
 * NAME_LEAST. */
#define NAME_LEAST   2ul
#define NAME_LARGEST (UINT64_MAX >> 2)

uint64_t address_name(const struct board *board, uint64_t address);
/* The address of a name in the process of this board; 0: no address has this name. */
uint64_t address_named(const struct board *board, uint64_t name);
/* The address in the process of one board of what has this address in that of another; the same one
 * as long as one of them has not come up. */
uint64_t address_moved(const struct board *to, const struct board *from, uint64_t address);

#endif
