/* bohr cc: the compiler with instrumentation for Bohr; gcc, or the compiler that BOHR_CC or
 * BOHR_CXX names. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "cli/cc_plan.h"
#include "cli/command.h"
#include "cli/runtime_library.h"
#include "coordinator/text.h"

struct words {
    char **word;
    int count, capacity;
};

static void add(struct words *words, const char *word)
{
    CHECK(words->count + 1 < words->capacity);
    words->word[words->count++] = (char *)word;
}

static void add_all(struct words *words, const char *const *list)
{
    for (; *list != NULL; list++)
        add(words, *list);
}

/* The compiler may be named with arguments: BOHR_CC="ccache clang". */
static void add_compiler(struct words *words, const char *compiler)
{
    char *rest, *copy = text_copy(compiler, strlen(compiler));
    for (char *at = strtok_r(copy, " ", &rest); at != NULL; at = strtok_r(NULL, " ", &rest))
        add(words, at);
}

static bool is_clang(const char *compiler)
{
    FILE *pipe = popen(text_print("%s --version 2>/dev/null", compiler), "r");
    if (pipe == NULL)
        return false;
    char line[512];
    bool found = false;
    while (fgets(line, sizeof line, pipe) != NULL)
        found = found || strstr(line, "clang") != NULL;
    pclose(pipe);
    return found;
}

/* Copies and comparisons that the compiler would expand stay calls, which the runtime sees. strlen
 * may be expanded: programs use its result for a literal as a constant. */
static const char *const both[] = {
    "-fsanitize=thread",
    "-fno-omit-frame-pointer",
    "-pthread",
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-memset",
    "-fno-builtin-memcmp",
    "-fno-builtin-mempcpy",
    "-fno-builtin-strcpy",
    "-fno-builtin-stpcpy",
    "-fno-builtin-strncpy",
    "-fno-builtin-strcat",
    "-fno-builtin-strncat",
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
    "-fno-builtin-bzero",
    "-fno-builtin-bcopy",
    "-fno-builtin-bcmp",
    "-fno-builtin-stpncpy",
    "-fno-builtin-sprintf",
    "-fno-builtin-snprintf",
    NULL,
};
static const char *const gcc_only[] = {
    "--param",      "tsan-distinguish-volatile=1", "-Wno-tsan", "-include",
    "bohr_calls.h", /* builtins that no option keeps from being expanded */
    NULL,
};
static const char *const clang_only[] = {
    "-mllvm",
    "-tsan-distinguish-volatile=1",
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-Qunused-arguments",
    "-fno-integrated-as", /* inline assembler shows in the assembly only (assemble.c) */
    NULL,
};

static void add_linking(struct words *words, const char *library, bool clang)
{
    add(words, text_print("-Wl,-rpath,%s", library));
    if (!clang) {
        add(words, text_print("-B%s/", library)); /* there the linker finds Bohr's libtsan */
        return;
    }
    add(words, "-fno-sanitize-link-runtime");
    add(words, "-x");
    add(words, "none");
    add(words, text_print("%s/" LIBRARY_NAME, library));
}

static void add_compiling(struct words *words, const char *library, bool clang)
{
    add_all(words, both);
    add_all(words, clang ? clang_only : gcc_only);
    add(words, text_print("-B%s/", library)); /* there it finds Bohr's assembler step */
    add(words, text_print("-I%s/../../include", library)); /* for bohr.h */
}

/* bohr cc --flags, --libs: prints what it adds to a compiler's command, for build systems that keep
 * their own compiler. */
static int print_flags(const char *compiler, bool libs)
{
    struct problem why;
    struct words words = {.capacity = 64};
    const char *library = library_folder(&why);
    if (library == NULL)
        return complain(&why);
    words.word = text_room((size_t)words.capacity * sizeof *words.word);
    if (libs) {
        add(&words, both[0]);
        add_linking(&words, library, is_clang(compiler));
    } else {
        add_compiling(&words, library, is_clang(compiler));
    }
    for (int i = 0; i < words.count; i++)
        printf("%s%s", i == 0 ? "" : " ", words.word[i]);
    puts("");
    return EXIT_CLEAN;
}

static int compile(const char *compiler, bool ask, int argc, char **argv)
{
    struct problem why;
    bool flags = argc == 2 && strcmp(argv[1], "--flags") == 0;
    if (flags || (argc == 2 && strcmp(argv[1], "--libs") == 0))
        return print_flags(compiler, !flags);
    struct cc_plan plan = cc_plan(argc - 1, argv + 1);
    if (plan.refused != NULL) {
        problem_is(&why, "bohr works between a program and its libraries: link without",
                   plan.refused, 0);
        return complain(&why);
    }
    struct words words = {.capacity = argc + (int)strlen(compiler) + 64};
    words.word = text_room((size_t)words.capacity * sizeof *words.word);
    add_compiler(&words, compiler);
    if (plan.has_input)
        add(&words, "-g"); /* first, so that a level given by the user takes precedence */
    for (int i = 1; i < argc; i++)
        add(&words, argv[i]);
    if (plan.has_input) {
        bool clang = ask && is_clang(compiler);
        const char *library = library_folder(&why);
        if (library == NULL)
            return complain(&why);
        add_compiling(&words, library, clang);
        if (plan.links)
            add_linking(&words, library, clang);
    }
    execvp(words.word[0], words.word);
    problem_is(&why, "cannot start the compiler", words.word[0], errno);
    return complain(&why);
}

static int compile_with(const char *variable, const char *standard, int argc, char **argv)
{
    const char *chosen = getenv(variable);
    bool given = chosen != NULL && chosen[strspn(chosen, " ")] != 0;
    return compile(given ? chosen : standard, given, argc, argv);
}

int command_cc(int argc, char **argv)
{
    return compile_with("BOHR_CC", "gcc", argc, argv);
}

int command_cxx(int argc, char **argv)
{
    return compile_with("BOHR_CXX", "g++", argc, argv);
}
