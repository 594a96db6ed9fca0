/* What the machine code of one ELF file does in memory without telling the runtime.
 *
 * A compiler that instruments a function lets it call __tsan_* functions before its accesses, and
 * leaves no locked instruction. So a function that accesses memory without such a call was built
 * without instrumentation, and a locked instruction in another one is assembler
 * (design: libzydis decodes the functions that the symbol table lists, one after the other). */
#ifndef COORDINATOR_CODE_SCAN_H
#define COORDINATOR_CODE_SCAN_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_function {
    uint64_t start, end; /* addresses in the file */
    const char *name;    /* NULL: the file is stripped, this is all of its code */
    uint64_t locked;     /* its first locked instruction; 0: none */
    bool instrumented;   /* it calls a __tsan_* function */
    bool uses_statics;   /* it accesses a variable of its module */
    bool uses_memory;    /* it accesses memory that is not on its stack */
};

struct code_scan {
    struct code_function *functions;
    size_t count;
    uint64_t *assembler; /* where the assembler step of `bohr cc` saw accesses by assembler */
    size_t assembler_count;
};

bool code_is_instrumented(Elf *elf); /* it refers to __tsan_* functions */
struct code_scan code_scan(Elf *elf);

/* The section in which the assembler step keeps addresses, eight bytes each. Its name makes linkers
 * treat it as debug information: what refers to dropped copies of a function becomes zero. */
#define ASSEMBLER_SECTION ".debug_bohr_asm"

#endif
