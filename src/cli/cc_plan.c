#include "cli/cc_plan.h"

#include <stddef.h>
#include <string.h>

static bool is_among(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* Options whose value is the next argument. */
static const char *const with_value[] = {
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-B",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "-target",
    "-arch",
    "--param",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-specs",
    "--sysroot",
    "-wrapper",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-rpath",
    "-soname",
    NULL,
};

static const char *const stops_early[] = {
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "--precompile", "-emit-ast", NULL,
};

static const char *const refused[] = {"-static", "-static-pie", "-static-libtsan", NULL};

struct cc_plan cc_plan(int argc, char **argv)
{
    struct cc_plan plan = {.links = true};
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-' || word[1] == 0) {
            plan.has_input = true;
            continue;
        }
        if (is_among(word, stops_early))
            plan.links = false;
        if (is_among(word, refused))
            plan.refused = word;
        if (strcmp(word, "-l") == 0 || strncmp(word, "-l", 2) == 0)
            plan.has_input = true;
        if (is_among(word, with_value))
            i++;
    }
    plan.links = plan.links && plan.has_input;
    if (!plan.links)
        plan.refused = NULL;
    return plan;
}
