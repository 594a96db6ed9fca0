/* Operands of one instruction: registers and slots that it reads and writes, and pointers into the
 * frame. */
#ifndef COORDINATOR_CODE_LIVENESS_OPERANDS_H
#define COORDINATOR_CODE_LIVENESS_OPERANDS_H

#include <Zydis/Zydis.h>

#include "coordinator/code/liveness_parts.h"

struct pointers { /* into the frame */
    int32_t rsp, rbp;
    uint16_t others; /* the registers that hold one, from wherever it counts */
};

struct decoded {
    ZydisDecodedInstruction head;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

int register_number(ZydisRegister name);
bool writes_rbp(const struct decoded *at);
void look_at_operands(struct liveness_function *function, struct node *node,
                      const struct decoded *at, int from, int to);
/* A value that goes from one place to another; true: it is one, described in the node. */
bool look_at_move(struct liveness_function *function, struct node *node, const struct decoded *at);
bool is_zeroing(const struct decoded *at);
void look_at_push(struct liveness_function *function, struct node *node, const struct decoded *at,
                  struct pointers *after);
void look_at_pop(struct liveness_function *function, struct node *node, const struct decoded *at,
                 struct pointers *after);
void look_at_leave(struct liveness_function *function, struct node *node, struct pointers *after);
/* Follows an instruction that moves a pointer into the frame by a known distance. Returns whether
 * the instruction is one. */
bool moves_pointer(struct node *node, const struct decoded *at, struct pointers *after);
/* A register gets an address in the frame; true: that is all. */
bool takes_address(struct liveness_function *function, struct node *node, const struct decoded *at);

#endif
