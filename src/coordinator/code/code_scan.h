/* Finds code in one ELF file that accesses memory without telling the runtime.
 *
 * A compiler that instruments a function lets it call __tsan_* functions before its accesses, and
 * leaves no locked instruction. So a function that accesses memory without such a call was built
 * without instrumentation, and a locked instruction in an instrumented function is assembler.
 * libzydis decodes the functions that the symbol table lists, one after the other. */
#ifndef COORDINATOR_CODE_CODE_SCAN_H
#define COORDINATOR_CODE_CODE_SCAN_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_function {
    uint64_t start, end; /* addresses in the file */
    const char *name;    /* NULL: the file is stripped, and this entry is all of its code */
    uint64_t locked;     /* first locked instruction of the function; 0: none */
    uint64_t copy;     /* first access in the function that compilers do not instrument; 0: none */
    bool instrumented; /* the function calls a __tsan_* function */
    bool uses_statics; /* the function accesses a variable of its module */
    bool uses_memory;  /* the function accesses memory that is not on its stack */
};

struct code_scan {
    struct code_function *functions;
    size_t count;
    /* addresses of accesses by assembler, as the assembler step of `bohr cc` saw them */
    uint64_t *assembler;
    size_t assembler_count;
};

bool code_is_instrumented(Elf *elf); /* whether the file refers to __tsan_* functions */
struct code_scan code_scan(Elf *elf);

/* The section in which the assembler step keeps addresses, eight bytes each. Because of its name
 * linkers treat it as debug information: references to dropped copies of a function become zero. */
#define ASSEMBLER_SECTION ".debug_bohr_asm"

#endif
