/* Addresses of the tested program as names and source lines, through libdw. */
#ifndef COORDINATOR_SYMBOLS_H
#define COORDINATOR_SYMBOLS_H

#include "core/verdict.h"

struct symbols;

/* Of the modules that a worker listed. To read debug information takes longer than a small search,
 * so it is read once for each list of modules and kept until the tool ends. */
struct symbols *symbols_of(const struct board *board);

/* A site is a return address: what is named is the call before it. */
struct named_site symbols_site(struct symbols *symbols, uint64_t site);
/* With inlined calls as frames of their own, without our runtime's frames. */
struct named_stack symbols_stack(struct symbols *symbols, const struct frames *frames,
                                 bool first_is_pc);
/* The compilation unit around an address. */
struct named_unit {
    const char *file;  /* NULL: no debug information covers the address */
    bool instrumented; /* its compiler says so; not every compiler does */
    uint64_t identity; /* equal for addresses in the same unit */
};
struct named_unit symbols_unit(struct symbols *symbols, uint64_t pc);
/* "counter", "queue.head", "queue+16"; NULL: no symbol covers the address. */
const char *symbols_variable(struct symbols *symbols, uint64_t address);
/* A local variable, or part of one, of the function that this frame (of which the return address is
 * given) belongs to: "counter", "q.head", "slots[2]"; NULL: none lies there. */
const char *symbols_local(struct symbols *symbols, uint64_t pc, const struct frame_range *range,
                          uint64_t address);
/* A C++ type as people write it: "St12out_of_range" is "std::out_of_range". */
const char *symbols_type(const char *mangled);

#endif
