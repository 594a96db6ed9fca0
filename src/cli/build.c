#define _GNU_SOURCE
#include "cli/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "coordinator/text.h"
#include "coordinator/worker/program.h"

#define BLANKS " \t\n"

/* Appends the words of `text`, which are separated by blanks, to the arguments. */
static int add_words(char **arguments, int count, char *text)
{
    char *rest;
    for (char *word = strtok_r(text, BLANKS, &rest); word != NULL;
         word = strtok_r(NULL, BLANKS, &rest))
        arguments[count++] = word;
    return count;
}

/* The user's flags come after Bohr's, so that they take precedence. */
static char **compiler_arguments(const char *source, const char *program, const char *flags,
                                 int *count)
{
    char *const before[] = {"cc", "-O1", "-o", (char *)program, (char *)source};
    enum { BEFORE = sizeof before / sizeof before[0], AFTER = 2 };
    size_t length = strlen(flags);
    char **arguments = text_room((BEFORE + length / 2 + 1 + AFTER) * sizeof *arguments);
    memcpy(arguments, before, sizeof before);
    *count = add_words(arguments, BEFORE, text_copy(flags, length));
    arguments[(*count)++] = "-lm";
    arguments[*count] = NULL;
    return arguments;
}

static bool compile(const char *source, const char *program, struct problem *why)
{
    bool cplusplus = program_is_cplusplus(source);
    const char *variable = cplusplus ? "CXXFLAGS" : "CFLAGS", *flags = getenv(variable);
    int count;
    char **arguments = compiler_arguments(source, program, flags != NULL ? flags : "", &count);
    pid_t pid = fork();
    if (pid < 0)
        return problem_is(why, "cannot start the compiler", NULL, errno);
    if (pid == 0)
        _exit(cplusplus ? command_cxx(count, arguments) : command_cc(count, arguments));
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return problem_is(why, "cannot wait for the compiler", NULL, errno);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return problem_is(
            why, text_print("it does not compile (flags can be given in %s)", variable), source, 0);
    return true;
}

bool build_source(struct built *out, const char *source, struct problem *why)
{
    if (access(source, R_OK) != 0)
        return problem_is(why, "cannot read the source file", source, errno);
    const char *temporary = getenv("TMPDIR");
    char *folder = text_print("%s/bohr-XXXXXX", temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL)
        return problem_is(why, "cannot make a temporary folder", folder, errno);
    const char *slash = strrchr(source, '/');
    const char *name = slash == NULL ? source : slash + 1;
    out->folder = folder;
    out->program = text_print("%s/%.*s", folder, (int)strcspn(name, "."), name);
    if (compile(source, out->program, why))
        return true;
    build_remove(out);
    return false;
}

void build_remove(const struct built *built)
{
    if (built->folder == NULL)
        return;
    unlink(built->program);
    rmdir(built->folder);
}
