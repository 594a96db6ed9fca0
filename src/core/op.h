/* One visible operation, announced before it happens. */
#ifndef CORE_OP_H
#define CORE_OP_H

#include <stdbool.h>
#include <stdint.h>

enum op_access { OP_ACCESS_NONE, OP_ACCESS_READ, OP_ACCESS_WRITE };

enum op_kind {
#define OP(name, word, access) OP_##name,
#include "core/op.def"
#undef OP
    OP_KINDS
};

enum { NO_OBJECT = 0 }; /* objects are numbered from 1 */

struct op {
    uint8_t kind;     /* enum op_kind */
    uint8_t size;     /* bytes accessed, where that means something */
    uint16_t choices; /* outcomes of its data choice; 1 where there is none */
    uint32_t object;  /* small, dense, equal in every run: never an address */
    uint32_t second;  /* the mutex of a wait; the thread of create, join, detach */
    uint32_t reserved;
    uint64_t site;    /* return address in the tested program */
};
_Static_assert(sizeof(struct op) == 24, "ops are compared and copied as bytes");

const char *op_word(enum op_kind kind);
enum op_access op_access(enum op_kind kind);

/* Leaving the thread after it is no preemption. */
static inline bool op_gives_way(enum op_kind kind)
{
    return kind == OP_YIELD || kind == OP_SLEEP || kind == OP_TIMER_EXPIRE;
}

#endif
