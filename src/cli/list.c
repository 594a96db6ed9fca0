/* bohr list: prints the tables in the code. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/runtime_library.h"
#include "coordinator/symbols/near.h"
#include "coordinator/text.h"
#include "core/op.h"
#include "detector/detector.h"
#include "report/report.h"
#include "strategy/guided/priority.h"
#include "strategy/strategy.h"

static bool list_strategies(struct problem *why)
{
    for (int i = 0; strategies[i] != NULL; i++)
        printf("%-16s%s\n", strategies[i]->name, strategies[i]->summary);
    return true;
}

static bool list_priorities(struct problem *why)
{
    for (int i = 0; i < PRIORITY_KINDS; i++)
        printf("%-16s%s\n", priority_name((enum priority_kind)i),
               priority_summary((enum priority_kind)i));
    return true;
}

static bool list_detectors(struct problem *why)
{
    for (int i = 0; i < DETECTORS; i++)
        printf("%-16s%s%s\n", detectors[i]->word, detectors[i]->on ? "" : "(off) ",
               detectors[i]->summary);
    return true;
}

/* Prints a line for each kind of operation, with the columns of core/op.def by name. */
static bool list_operations(struct problem *why)
{
    for (int kind = 1; kind < OP_KINDS; kind++) {
        printf("%-20s", op_row_name(kind));
        for (uint32_t column = 0; column < OP_COLUMNS; column++)
            printf(column == 0 ? "%s='%s'" : " %s=%s", op_column_names[column],
                   op_column(kind, column));
        printf("\n");
    }
    return true;
}

static bool list_reports(struct problem *why)
{
    for (int i = 0; reports[i] != NULL; i++)
        printf("%-16s%s\n", reports[i]->name, reports[i]->summary);
    return true;
}

static bool symbol_in(Elf *elf, Elf_Scn *section, const char *name, GElf_Sym *out)
{
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM)
        return false;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; data != NULL && gelf_getsym(data, i, out) != NULL; i++) {
        const char *text = elf_strptr(elf, header.sh_link, out->st_name);
        if (text != NULL && strcmp(text, name) == 0 && out->st_shndx != SHN_UNDEF)
            return true;
    }
    return false;
}

/* The bytes of an exported variable, as they are in the file. */
static const char *exported_bytes(Elf *elf, const char *name, size_t *size)
{
    GElf_Sym symbol;
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL)
        if (symbol_in(elf, section, name, &symbol))
            break;
    GElf_Shdr header;
    Elf_Scn *home = section == NULL ? NULL : elf_getscn(elf, symbol.st_shndx);
    if (home == NULL || gelf_getshdr(home, &header) == NULL)
        return NULL;
    Elf_Data *data = elf_rawdata(home, NULL);
    uint64_t offset = symbol.st_value - header.sh_addr;
    if (data == NULL || data->d_buf == NULL || offset > data->d_size ||
        symbol.st_size > data->d_size - offset)
        return NULL;
    *size = symbol.st_size;
    return (const char *)data->d_buf + offset;
}

/* Prints the table of functions. The runtime exports it as text: lines that end in a zero, an empty
 * line at the end. */
static bool list_functions(struct problem *why)
{
    const char *folder = library_folder(why);
    if (folder == NULL)
        return false;
    const char *path = text_print("%s/" LIBRARY_NAME, folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return problem_is(why, "cannot open the runtime library", path, errno);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    size_t size = 0;
    const char *text = elf == NULL ? NULL : exported_bytes(elf, "bohr_functions", &size);
    const char *end = text == NULL ? NULL : text + size;
    for (const char *at = text; at < end && *at != 0; at += strnlen(at, (size_t)(end - at)) + 1) {
        size_t left = (size_t)(end - at), kind = strcspn(at, " ");
        if (kind >= left)
            break;
        printf("%-9.*s%.*s\n", (int)kind, at, (int)strnlen(at, left) - (int)kind - 1,
               at + kind + 1);
    }
    elf_end(elf);
    close(fd);
    return text != NULL || problem_is(why, "the runtime library has no list of functions", path, 0);
}

static const struct {
    const char *name;
    bool (*print)(struct problem *why);
} lists[] = {
    {"strategies", list_strategies}, {"detectors", list_detectors}, {"functions", list_functions},
    {"priorities", list_priorities}, {"reports", list_reports},     {"operations", list_operations},
};

int command_list(int argc, char **argv)
{
    struct problem why;
    for (size_t i = 0; argc == 2 && i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(argv[1], lists[i].name) == 0)
            return lists[i].print(&why) ? EXIT_CLEAN : complain(&why);
    struct near near = {0};
    for (size_t i = 0; argc >= 2 && i < sizeof lists / sizeof lists[0]; i++)
        near_add(&near, lists[i].name, strlen(lists[i].name), argv[1], strlen(argv[1]));
    problem_is(
        &why,
        text_print(
            "what shall be listed? bohr list strategies|detectors|functions|priorities|reports%s",
            near_text(&near)),
        argc >= 2 ? argv[1] : NULL, 0);
    return complain(&why);
}
