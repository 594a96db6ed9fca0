/* Accesses in instrumented code that compilers do not instrument: string instructions and
 * stores of vectors, into which gcc turns a builtin such as __builtin_memset, and non-temporal
 * stores.
 *
 * A compiler calls a hook before what it instruments, and another call comes before the next one.
 * So a string instruction or a vector without a hook for a range in front of it, and a non-temporal
 * store without any hook, were not instrumented. Constants and the function's own stack do not
 * count: which registers hold its addresses is followed from instruction to instruction, as they
 * lie. */
#ifndef COORDINATOR_CODE_CODE_COPIES_H
#define COORDINATOR_CODE_CODE_COPIES_H

#include <stdbool.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

struct code_copies {
    uint64_t found;   /* address of the first such access; 0: none */
    uint32_t private; /* registers with addresses of the stack or of constants, a bit each */
    bool range, any;  /* what the last call was: a hook for a range, a hook for an access */
};

/* Begins a function. */
struct code_copies code_copies_begin(void);
/* The next instruction. `hook` is the name of the __tsan_* function that it calls, or NULL;
 * `constant`: it loads the address of memory that nobody may write. */
void code_copies_look(struct code_copies *copies, uint64_t address,
                      const ZydisDecodedInstruction *at, const ZydisDecodedOperand *operands,
                      const char *hook, bool constant);

#endif
