/* execl, execlp, execle take any number of arguments: not rows of the table. */
#include <stdarg.h>

#include <errno.h>

#include "base/assert.h"
#include "runtime/engine/real.h"
#include "runtime/process/process.h"

enum { ARGUMENTS_MAX = 4096 };

/* The list up to its null pointer, which comes with it; 0: it is too long. */
static uint32_t collect(char **arguments, const char *first, va_list list)
{
    uint32_t count = 0;
    arguments[count++] = (char *)first;
    while (arguments[count - 1] != NULL) {
        if (count == ARGUMENTS_MAX)
            return 0;
        arguments[count++] = va_arg(list, char *);
    }
    return count;
}

#define EXEC(name, next, after, ...)                                                               \
    EXPORT int name(const char *path, const char *first, ...)                                      \
    {                                                                                              \
        char *arguments[ARGUMENTS_MAX];                                                            \
        va_list list;                                                                              \
        va_start(list, first);                                                                     \
        CHECK(collect(arguments, first, list) > 0);                                                \
        after;                                                                                     \
        va_end(list);                                                                              \
        int (*real)() = (int (*)())real_symbol(#next);                                             \
        bool modelled = running();                                                                 \
        if (modelled && !exec_begin(CALL_SITE))                                                    \
            return exec_end();                                                                     \
        int result = real(__VA_ARGS__);                                                            \
        if (modelled)                                                                              \
            exec_failed(errno);                                                                    \
        return result;                                                                             \
    }

EXEC(execl, execv, (void)0, path, arguments)
EXEC(execlp, execvp, (void)0, path, arguments)
EXEC(execle, execve, char **environment = va_arg(list, char **), path, arguments, environment)
