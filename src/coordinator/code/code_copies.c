#include "coordinator/code/code_copies.h"

#include <string.h>

static uint32_t bit_of(ZydisRegister name)
{
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
    return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
               ? 1u << (whole - ZYDIS_REGISTER_RAX)
               : 0;
}

static uint32_t stack_registers(void)
{
    return bit_of(ZYDIS_REGISTER_RSP) | bit_of(ZYDIS_REGISTER_RBP);
}

/* Calls preserve these. */
static uint32_t preserved(void)
{
    return stack_registers() | bit_of(ZYDIS_REGISTER_RBX) | bit_of(ZYDIS_REGISTER_R12) |
           bit_of(ZYDIS_REGISTER_R13) | bit_of(ZYDIS_REGISTER_R14) | bit_of(ZYDIS_REGISTER_R15);
}

struct code_copies code_copies_begin(void)
{
    return (struct code_copies){.private = stack_registers()};
}

static bool is_memory(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

static bool is_own(const struct code_copies *copies, const ZydisDecodedOperand *operand)
{
    return copies->private & bit_of(operand->mem.base);
}

static bool accesses_others(const struct code_copies *copies, const ZydisDecodedInstruction *at,
                            const ZydisDecodedOperand *operands)
{
    for (int i = 0; i < at->operand_count; i++)
        if (is_memory(&operands[i]) && !is_own(copies, &operands[i]))
            return true;
    return false;
}

static bool is_non_temporal(const ZydisDecodedInstruction *at)
{
    switch (at->mnemonic) {
    case ZYDIS_MNEMONIC_MOVNTI:
    case ZYDIS_MNEMONIC_MOVNTDQ:
    case ZYDIS_MNEMONIC_MOVNTPD:
    case ZYDIS_MNEMONIC_MOVNTPS:
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_VMOVNTDQ:
    case ZYDIS_MNEMONIC_VMOVNTPD:
    case ZYDIS_MNEMONIC_VMOVNTPS:
        return true;
    default:
        return false;
    }
}

/* Through a vector register. Such a store may also fill what the caller returns, which gcc does not
 * instrument either. */
static bool stores_vector(const struct code_copies *copies, const ZydisDecodedInstruction *at,
                          const ZydisDecodedOperand *operands)
{
    const ZydisDecodedOperand *to = &operands[0];
    return at->operand_count > 1 && is_memory(to) && !is_own(copies, to) && to->size >= 128 &&
           to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* Whether the value written to the first operand is an address of the stack. */
static bool makes_own(const struct code_copies *copies, const ZydisDecodedInstruction *at,
                      const ZydisDecodedOperand *operands)
{
    const ZydisDecodedOperand *from = &operands[1];
    switch (at->mnemonic) {
    case ZYDIS_MNEMONIC_LEA:
        return is_own(copies, from) || copies->private & bit_of(from->mem.index);
    case ZYDIS_MNEMONIC_MOV:
        return from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
               copies->private & bit_of(from->reg.value);
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_AND:
        return copies->private & bit_of(operands[0].reg.value);
    default:
        return false;
    }
}

static void follow(struct code_copies *copies, const ZydisDecodedInstruction *at,
                   const ZydisDecodedOperand *operands, bool constant)
{
    uint32_t keeps = stack_registers();
    if (at->meta.category == ZYDIS_CATEGORY_STRINGOP) /* moves rsi and rdi on */
        return;
    for (int i = 0; i < at->operand_count; i++) {
        const ZydisDecodedOperand *to = &operands[i];
        if (to->type != ZYDIS_OPERAND_TYPE_REGISTER ||
            !(to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            continue;
        bool own = i == 0 && (constant || makes_own(copies, at, operands));
        copies->private &= ~bit_of(to->reg.value);
        copies->private |= keeps | (own ? bit_of(to->reg.value) : 0);
    }
}

static bool is_for_range(const char *hook)
{
    return strstr(hook, "range") != NULL || strstr(hook, "16") != NULL ||
           strstr(hook, "mem") != NULL;
}

static bool is_for_access(const char *hook)
{
    return strstr(hook, "read") != NULL || strstr(hook, "write") != NULL ||
           strstr(hook, "mem") != NULL;
}

void code_copies_look(struct code_copies *copies, uint64_t address,
                      const ZydisDecodedInstruction *at, const ZydisDecodedOperand *operands,
                      const char *hook, bool constant)
{
    if (hook != NULL || at->mnemonic == ZYDIS_MNEMONIC_CALL) {
        copies->range = hook != NULL && is_for_range(hook);
        copies->any = hook != NULL && is_for_access(hook);
        copies->private &= preserved();
        return;
    }
    bool others = accesses_others(copies, at, operands) && at->mnemonic != ZYDIS_MNEMONIC_LEA &&
                  at->mnemonic != ZYDIS_MNEMONIC_NOP;
    bool unseen = (at->meta.category == ZYDIS_CATEGORY_STRINGOP && !copies->range) ||
                  (stores_vector(copies, at, operands) && !copies->range) ||
                  (is_non_temporal(at) && !copies->any);
    if (others && unseen && copies->found == 0)
        copies->found = address;
    if (others)
        copies->any = copies->range; /* the access that the hook was for */
    follow(copies, at, operands, constant);
}
