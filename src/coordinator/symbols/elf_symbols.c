#include "coordinator/symbols/elf_symbols.h"

#include <stddef.h>

static bool next_table(struct elf_symbols *symbols, Elf *elf)
{
    while ((symbols->section = elf_nextscn(elf, symbols->section)) != NULL) {
        if (gelf_getshdr(symbols->section, &symbols->header) == NULL ||
            (symbols->header.sh_type != SHT_SYMTAB && symbols->header.sh_type != SHT_DYNSYM))
            continue;
        symbols->data = elf_getdata(symbols->section, NULL);
        symbols->next = 0;
        if (symbols->data != NULL)
            return true;
    }
    return false;
}

bool elf_symbols_next(struct elf_symbols *symbols, Elf *elf)
{
    while (symbols->data != NULL || next_table(symbols, elf)) {
        while (symbols->next < (int)(symbols->header.sh_size / sizeof(Elf64_Sym))) {
            GElf_Sym *symbol = &symbols->symbol;
            if (gelf_getsym(symbols->data, symbols->next++, symbol) == NULL ||
                symbol->st_shndx == SHN_UNDEF)
                continue;
            symbols->name = elf_strptr(elf, symbols->header.sh_link, symbol->st_name);
            if (symbols->name != NULL)
                return true;
        }
        symbols->data = NULL;
    }
    return false;
}
