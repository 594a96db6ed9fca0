#include "coordinator/code/unseen.h"

#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/code/code_scan.h"
#include "coordinator/symbols/symbols.h"
#include "coordinator/text.h"
#include "core/board.h"
#include "core/library.h"

enum { SHOWN_MAX = 3 };
enum sort { CODE, ASSEMBLER, COPIES, MADE, SORTS }; /* the fields of struct unseen */

struct finder {
    struct unseen *out;
    const struct board *board;
    const struct module *module;
    struct code_scan code;
    const char *shown[SORTS][SHOWN_MAX];
};

/* Several places of one function are listed once, by the first line. */
static bool is_listed(const struct unseen *out, const char *name)
{
    const char *line = strrchr(name, ':');
    size_t length = line == NULL ? strlen(name) + 1 : (size_t)(line - name);
    for (uint32_t i = 0; i < out->count; i++)
        if (strncmp(out->names[i], name, length) == 0)
            return true;
    return false;
}

static void add(struct finder *finder, const char *name, enum sort sort)
{
    struct unseen *out = finder->out;
    uint32_t *const counts[SORTS] = {&out->code, &out->assembler, &out->copies, &out->made};
    uint32_t *count = counts[sort];
    if (is_listed(out, name))
        return;
    if (*count < SHOWN_MAX)
        finder->shown[sort][*count] = name;
    (*count)++;
    if (out->count < UNSEEN_MAX)
        out->names[out->count++] = name;
}

static void add_place(struct finder *finder, uint64_t address, enum sort sort)
{
    const char *what = sort == ASSEMBLER ? "assembler" : "copying instructions";
    struct named_site at =
        symbols_site(symbols_of(finder->board), finder->module->base + address + 1);
    const char *function =
        at.function != NULL ? at.function : library_file_name(finder->module->path);
    add(finder,
        at.file != NULL
            ? text_print("%s in %s (%s:%u)", what, function, library_file_name(at.file), at.line)
            : text_print("%s in %s", what, function),
        sort);
}

/* Whether another function of the same compilation unit is instrumented. */
static bool unit_is_instrumented(struct finder *finder, const struct named_unit *unit)
{
    if (unit->instrumented)
        return true;
    for (size_t i = 0; i < finder->code.count; i++) {
        const struct code_function *function = &finder->code.functions[i];
        if (function->instrumented &&
            symbols_unit(symbols_of(finder->board), finder->module->base + function->start)
                    .identity == unit->identity)
            return true;
    }
    return false;
}

/* Lists a function that was not seen. A function that calls no hook may need none: in an
 * instrumented unit it is taken to read constants only. */
static void look_at_function(struct finder *finder, const struct code_function *function)
{
    if (function->instrumented || function->name == NULL) {
        if (function->locked != 0)
            add_place(finder, function->locked, ASSEMBLER);
        if (function->copy != 0)
            add_place(finder, function->copy, COPIES);
        return;
    }
    if (!function->uses_memory && function->locked == 0)
        return;
    struct named_unit unit =
        symbols_unit(symbols_of(finder->board), finder->module->base + function->start);
    bool plain_unit = unit.file != NULL && !unit_is_instrumented(finder, &unit);
    if (plain_unit)
        add(finder, library_file_name(unit.file), CODE);
    else if (unit.file == NULL || function->uses_statics || function->locked != 0)
        add(finder, symbols_type(function->name), CODE);
}

static bool is_in_assembler(const struct code_scan *code, const struct code_function *function)
{
    for (size_t i = 0; i < code->assembler_count; i++)
        if (code->assembler[i] >= function->start && code->assembler[i] < function->end)
            return true;
    return false;
}

static void look_inside(struct finder *finder, Elf *elf)
{
    finder->code = code_scan(elf);
    for (size_t i = 0; i < finder->code.assembler_count; i++)
        add_place(finder, finder->code.assembler[i], ASSEMBLER);
    for (size_t i = 0; i < finder->code.count; i++)
        if (!is_in_assembler(&finder->code, &finder->code.functions[i]))
            look_at_function(finder, &finder->code.functions[i]);
}

static void look_at_module(struct finder *finder)
{
    const char *path = finder->module->path;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (elf == NULL || !code_is_instrumented(elf))
        add(finder, library_file_name(path), CODE);
    else
        look_inside(finder, elf);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

/* "a", "a and b", "a, b and c", "a, b, c and 4 more". */
static const char *list(const char *const *shown, uint32_t count)
{
    const char *text = "";
    for (uint32_t i = 0; i < count && i < SHOWN_MAX; i++)
        text = text_print("%s%s%s", text, i == 0 ? "" : i + 1 == count ? " and " : ", ", shown[i]);
    return count > SHOWN_MAX ? text_print("%s and %u more", text, count - SHOWN_MAX) : text;
}

static void say(struct finder *finder)
{
    struct unseen *out = finder->out;
    const char *code = list(finder->shown[CODE], out->code);
    const char *assembler = list(finder->shown[ASSEMBLER], out->assembler);
    const char *claim = "";
    if (out->code > 0)
        claim = text_print("; code of %s was not instrumented: its accesses were not seen", code);
    if (out->made > 0)
        claim = text_print("%s; code made at run time was not instrumented: its accesses were not "
                           "seen",
                           claim);
    if (out->assembler > 0)
        claim = text_print("%s; accesses by %s were not seen", claim, assembler);
    if (out->copies > 0)
        claim = text_print("%s; accesses by %s were not seen", claim,
                           list(finder->shown[COPIES], out->copies));
    out->claim = claim;
    if (out->code > 0)
        out->doubt = text_print("code of %s was not instrumented and may order them", code);
    else if (out->made > 0)
        out->doubt = "code made at run time was not instrumented and may order them";
    else if (out->assembler > 0)
        out->doubt = text_print("%s was not seen and may order them", assembler);
}

struct unseen unseen_find(const struct board *board)
{
    struct unseen out = {0};
    struct finder finder = {.out = &out, .board = board};
    for (uint32_t i = 0; i < board->module_count && i < MODULES_MAX; i++) {
        finder.module = &board->modules[i];
        if (!library_is_system(finder.module->path))
            look_at_module(&finder);
    }
    if (board->options.marks & MARK_CODE)
        add(&finder, "code made at run time", MADE);
    if (out.count > 0)
        say(&finder);
    return out;
}
