/* Which registers and bytes of its frame a function may still read after each of its calls.
 *
 * A backward data-flow analysis of machine code, from compiled instructions alone. Each location (a
 * register, a byte of the frame) carries a set of uses: the function itself reads it, or what it
 * holds goes back to the caller as one of the registers that a call preserves. A plain move hands
 * the uses of its target on to its source; every other instruction that reads a location uses it.
 *
 * Any doubt ends the analysis of a function, and all of its frame counts as live: a jump to
 * unknown places, a stack pointer that is not a fixed distance from the frame's end, call frame
 * information that is missing or says something else, a call that may return twice. Where the
 * address of the frame gets into a register or into memory, all of the frame counts as live but the
 * registers that the prologue saved. Landing pads of exceptions are successors of the calls that
 * they belong to. */
#ifndef COORDINATOR_CODE_LIVENESS_H
#define COORDINATOR_CODE_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/live.h"

enum { LIVENESS_SAME = 0, LIVENESS_UNKNOWN = 1 };

struct liveness_rule { /* call frame information at one address */
    bool from_rbp;     /* the frame ends at rbp + offset, else at rsp + offset */
    int32_t offset;
    int32_t saved[LIVE_REGISTERS]; /* where the caller's register is, from the frame's end (< 0), or
                                      LIVENESS_SAME: still in the register, or LIVENESS_UNKNOWN */
};

enum liveness_callee {
    CALLEE_OTHER,
    CALLEE_HOOK,   /* an atomic __tsan_*: the runtime adds its arguments to a local state itself */
    CALLEE_ACCESS, /* another __tsan_*: the runtime only looks at the address that it gets */
    CALLEE_LOCAL,  /* a function that was explored: it takes no arguments from the stack, and
                      jumps to no other one */
    CALLEE_NO_VALUES, /* it takes no arguments that matter */
    CALLEE_NEVER, /* it does not return, but may throw an exception; no arguments on the stack */
    CALLEE_TWICE, /* it may return twice */
};

struct liveness_code { /* what the analysis asks about the module that it looks at */
    void *context;
    /* The bytes from this address on, up to the end of its section; NULL: no code is there. */
    const uint8_t *(*bytes)(void *context, uint64_t address, size_t *count);
    /* The piece of code with one frame description that this address lies in. */
    bool (*range)(void *context, uint64_t address, uint64_t *start, uint64_t *end);
    bool (*rule)(void *context, uint64_t address, struct liveness_rule *out);
    /* A call that ends at this address: 0, or where its exceptions go; false: not known. */
    bool (*landing)(void *context, uint64_t address, uint64_t *out);
    /* The kind of a function, by its address or by the slot in which the loader keeps that. */
    enum liveness_callee (*callee)(void *context, uint64_t address, bool slot);
};

struct liveness_function;

struct liveness_site {
    uint64_t address; /* the call returns to */
    uint32_t words;   /* from the stack pointer there up to and with the return address */
    bool last;
    uint8_t own, exits[LIVE_REGISTERS];
    const struct live_word *live;
    uint32_t count;
};

/* NULL: nothing can be said about it. */
struct liveness_function *liveness_explore(const struct liveness_code *code, uint64_t start);
void liveness_free(struct liveness_function *function);
bool liveness_calls_hook(const struct liveness_function *function);
/* The function takes no arguments from the stack and jumps to no other one: see CALLEE_LOCAL. */
bool liveness_is_closed(const struct liveness_function *function);
bool liveness_returns(const struct liveness_function *function);
/* Once all functions are explored. */
void liveness_sites(struct liveness_function *function,
                    void (*found)(void *context, const struct liveness_site *site), void *context);

#endif
