#define _GNU_SOURCE
#include "cli/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "coordinator/program.h"
#include "coordinator/text.h"

static bool compile(const char *source, const char *program, struct problem *why)
{
    char *arguments[] = {"cc", "-O1", "-o", (char *)program, (char *)source, "-lm", NULL};
    int count = sizeof arguments / sizeof arguments[0] - 1;
    pid_t pid = fork();
    if (pid < 0)
        return problem_is(why, "cannot start the compiler", NULL, errno);
    if (pid == 0)
        _exit(program_is_cplusplus(source) ? command_cxx(count, arguments)
                                           : command_cc(count, arguments));
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return problem_is(why, "cannot wait for the compiler", NULL, errno);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return problem_is(why, "it does not compile", source, 0);
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
