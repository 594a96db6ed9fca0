/* Types that the two halves of the liveness analysis share. liveness_explore.c lists the
 * instructions of a function as far as they matter; liveness.c carries uses backward over them. */
#ifndef COORDINATOR_CODE_LIVENESS_PARTS_H
#define COORDINATOR_CODE_LIVENESS_PARTS_H

#include "coordinator/code/liveness.h"

enum {
    MEMORY_MAX = 3, /* accesses of an instruction to the frame */
    NO_NODE = -1,
    GENERAL = INT32_MIN, /* the frame pointer holds something else */
    AT_ENTRY = -8,       /* the stack pointer, from the frame's end */
    FRAME_MAX = 1 << 14,
};

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, REGISTERS };
#define BIT(register_) (1u << (register_))
enum {
    CLOBBERED = BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) | BIT(RDI) | BIT(R8) | BIT(R9) |
                BIT(R10) | BIT(R11),
    RESULTS = BIT(RAX) | BIT(RDX),
};

enum node_kind { NODE_PLAIN, NODE_CALL, NODE_RETURN, NODE_LEAVES };
enum move { MOVE_NONE, MOVE_REGISTERS, MOVE_TO_FRAME, MOVE_FROM_FRAME };

struct access {
    int32_t low; /* from the frame's end */
    uint32_t size;
    bool reads, writes;
};

struct node { /* an instruction */
    uint64_t address;
    int32_t rsp, rbp;        /* before it, from the frame's end; rbp may be GENERAL */
    uint16_t addresses;      /* registers that point into the frame before it, beside those two */
    int32_t next, jump, pad; /* its successors */
    uint16_t reads, writes;
    uint8_t length, kind, move, from, to, count;
    uint8_t callee;
    uint8_t entries;               /* predecessors, up to 2 */
    bool takes_address;            /* `to` gets one in the frame */
    bool takes_stack;              /* what is called may read arguments on the stack */
    int16_t saved[LIVE_REGISTERS]; /* of a call: where the caller's registers are, see rules */
    uint64_t target; /* what is called, if that is fixed: a function, whose kind may show later */
    struct access memory[MEMORY_MAX];
};

struct block {
    uint32_t first, count; /* of order */
    uint8_t *in;           /* uses before it */
    bool stale;            /* uses after it have changed */
};

struct liveness_function {
    const struct liveness_code *code;
    struct node *nodes;
    uint32_t count, capacity;
    int32_t *index; /* a table from addresses to nodes */
    uint32_t places;
    uint32_t *todo, todo_count, todo_capacity;
    bool failed, escapes, above, jumps_away, hooks, returns;
    int32_t low; /* the lowest byte of the frame that is looked at */
    uint32_t *order;
    struct block *blocks;
    uint32_t block_count;
    int32_t *block_of;
};

static inline void liveness_fail(struct liveness_function *function)
{
    function->failed = true;
}

void *liveness_grown(void *old, size_t count, size_t size);

#endif
