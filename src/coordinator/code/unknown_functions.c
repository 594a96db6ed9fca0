#include "coordinator/code/unknown_functions.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/text.h"
#include "core/board.h"
#include "core/library.h"

enum { SHOWN_MAX = 8, UNKNOWN_MAX = 4096 };

static const char *const plain[] = {
#define PLAIN(name) #name,
#include "core/local.def"
#include "core/local_math.def"
#undef PLAIN
};

struct opened { /* the file of a module */
    int fd;
    Elf *elf;
};

static struct opened module_open(const char *path)
{
    struct opened opened = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    elf_version(EV_CURRENT);
    opened.elf = opened.fd < 0 ? NULL : elf_begin(opened.fd, ELF_C_READ, NULL);
    return opened;
}

static void module_close(struct opened *opened)
{
    elf_end(opened->elf);
    if (opened->fd >= 0)
        close(opened->fd);
}

struct section {
    GElf_Shdr header;
    Elf_Data *data; /* NULL: the file has no section of this type */
};

static struct section section_of(Elf *elf, uint32_t type)
{
    struct section section = {.data = NULL};
    for (Elf_Scn *at = NULL; elf != NULL && (at = elf_nextscn(elf, at)) != NULL;)
        if (gelf_getshdr(at, &section.header) != NULL && section.header.sh_type == type) {
            section.data = elf_getdata(at, NULL);
            return section;
        }
    return section;
}

/* The file that a version of an undefined symbol is taken from; NULL: unknown. */
static const char *file_of_version(Elf *elf, const struct section *needs, uint16_t version)
{
    GElf_Verneed need;
    GElf_Vernaux aux;
    for (int at = 0; gelf_getverneed(needs->data, at, &need) != NULL; at += (int)need.vn_next) {
        int inner = at + (int)need.vn_aux;
        for (int i = 0; i < need.vn_cnt; i++, inner += (int)aux.vna_next) {
            if (gelf_getvernaux(needs->data, inner, &aux) == NULL)
                break;
            if ((aux.vna_other & 0x7fff) == (version & 0x7fff))
                return elf_strptr(elf, needs->header.sh_link, need.vn_file);
        }
        if (need.vn_next == 0)
            break;
    }
    return NULL;
}

static bool is_of_libc(const char *file)
{
    static const char *const beginnings[] = {"libc.so", "libm.so", "libpthread.so", "librt.so",
                                             "libdl.so"};
    for (size_t i = 0; file != NULL && i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(file, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct search {
    struct unknown_functions out;
    const char **replaced; /* functions that the runtime replaces, sorted */
    size_t replaced_count;
};

static bool is_known(const struct search *search, const char *name)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(plain[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < search->out.count; i++)
        if (strcmp(search->out.names[i], name) == 0)
            return true;
    return bsearch(&name, search->replaced, search->replaced_count, sizeof name, compare_names) !=
           NULL;
}

static void read_replaced(struct search *search, const char *path)
{
    struct opened opened = module_open(path);
    struct section symbols = section_of(opened.elf, SHT_DYNSYM);
    size_t count = symbols.data == NULL ? 0 : symbols.header.sh_size / sizeof(Elf64_Sym);
    search->replaced = text_room((count + 1) * sizeof *search->replaced);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(symbols.data, (int)i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(opened.elf, symbols.header.sh_link, symbol.st_name);
        if (name != NULL)
            search->replaced[search->replaced_count++] = text_print("%s", name);
    }
    qsort(search->replaced, search->replaced_count, sizeof *search->replaced, compare_names);
    module_close(&opened);
}

static void look_at_module(struct search *search, const char *path)
{
    struct opened opened = module_open(path);
    struct section symbols = section_of(opened.elf, SHT_DYNSYM);
    struct section versions = section_of(opened.elf, SHT_GNU_versym);
    struct section needs = section_of(opened.elf, SHT_GNU_verneed);
    size_t count = symbols.data == NULL || versions.data == NULL || needs.data == NULL
                       ? 0
                       : symbols.header.sh_size / sizeof(Elf64_Sym);
    for (size_t i = 0; i < count && search->out.count < UNKNOWN_MAX; i++) {
        GElf_Sym symbol;
        GElf_Versym version;
        if (gelf_getsym(symbols.data, (int)i, &symbol) == NULL || symbol.st_shndx != SHN_UNDEF ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
            gelf_getversym(versions.data, (int)i, &version) == NULL ||
            !is_of_libc(file_of_version(opened.elf, &needs, version)))
            continue;
        const char *name = elf_strptr(opened.elf, symbols.header.sh_link, symbol.st_name);
        if (name != NULL && !is_known(search, name))
            search->out.names[search->out.count++] = text_print("%s", name);
    }
    module_close(&opened);
}

static const char *claim_of(const struct unknown_functions *found)
{
    const char *text = "; what these functions do was not seen: ";
    for (uint32_t i = 0; i < found->count && i < SHOWN_MAX; i++)
        text = text_print("%s%s%s", text, i == 0 ? "" : ", ", found->names[i]);
    return found->count > SHOWN_MAX ? text_print("%s and %u more", text, found->count - SHOWN_MAX)
                                    : text;
}

struct unknown_functions unknown_functions_find(const struct board *board)
{
    struct search search = {.out = {.names = text_room(UNKNOWN_MAX * sizeof(char *))}};
    uint32_t count = board->module_count < MODULES_MAX ? board->module_count : MODULES_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (library_is_runtime(board->modules[i].path))
            read_replaced(&search, board->modules[i].path);
    if (search.replaced_count == 0) /* without the list nothing is known */
        return search.out;
    for (uint32_t i = 0; i < count; i++)
        if (!library_is_system(board->modules[i].path))
            look_at_module(&search, board->modules[i].path);
    if (search.out.count > 0)
        search.out.claim = claim_of(&search.out);
    return search.out;
}
