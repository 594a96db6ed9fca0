/* Names and source lines for addresses of the tested program, through libdw. */
#ifndef COORDINATOR_SYMBOLS_SYMBOLS_H
#define COORDINATOR_SYMBOLS_SYMBOLS_H

#include "core/verdict.h"

struct board;

struct symbols;

/* The symbols of the modules that a worker listed. Reading debug information takes longer than a
 * small search, so it is read once for each list of modules and kept until the tool ends. */
struct symbols *symbols_of(const struct board *board);

/* The call before a site, which is a return address. */
struct named_site symbols_site(struct symbols *symbols, uint64_t site);
/* A stack with inlined calls as frames of their own, and without the runtime's frames. */
struct named_stack symbols_stack(struct symbols *symbols, const struct frames *frames,
                                 bool first_is_pc);
/* The compilation unit around an address. */
struct named_unit {
    const char *file;  /* NULL: no debug information covers the address */
    bool instrumented; /* the debug information says so; not every compiler writes it */
    uint64_t identity; /* equal for addresses in the same unit */
};
struct named_unit symbols_unit(struct symbols *symbols, uint64_t pc);
/* "counter", "queue.head", "queue+16"; NULL: no symbol covers the address. */
const char *symbols_variable(struct symbols *symbols, uint64_t address);
/* A local variable, or part of one, of the function of this frame, whose return address is `pc`:
 * "counter", "q.head", "slots[2]". NULL: no local variable covers the address. */
const char *symbols_local(struct symbols *symbols, uint64_t pc, const struct frame_range *range,
                          uint64_t address);
/* A C++ type as people write it: "St12out_of_range" is "std::out_of_range". */
const char *symbols_type(const char *mangled);

#endif
