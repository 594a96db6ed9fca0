/* The symbols that an ELF file defines. */
#ifndef COORDINATOR_ELF_SYMBOLS_H
#define COORDINATOR_ELF_SYMBOLS_H

#include <gelf.h>
#include <stdbool.h>

struct elf_symbols { /* where a walk over them is; zeros: before the first */
    Elf_Scn *section;
    GElf_Shdr header;
    Elf_Data *data;
    int next;
    GElf_Sym symbol;  /* the one at hand … */
    const char *name; /* … and its name */
};

/* On to the next one; false: there is none. */
bool elf_symbols_next(struct elf_symbols *symbols, Elf *elf);

#endif
