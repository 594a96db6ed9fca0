#include "runtime/engine/environment.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/control.h"

extern char **environ;

static const char *value_of(const char *entry, const char *name)
{
    size_t size = strlen(name);
    return strncmp(entry, name, size) == 0 && entry[size] == '=' ? entry + size + 1 : NULL;
}

int environment_number(const char *name)
{
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        const char *value = value_of(*entry, name);
        if (value == NULL)
            continue;
        int number = 0;
        for (; *value >= '0' && *value <= '9'; value++)
            number = number * 10 + (*value - '0');
        return number;
    }
    return -1;
}

/* LD_PRELOAD and GLIBC_TUNABLES may hold the user's own entries behind ours. */
static bool keep_rest(char *entry, const char *name, char separator)
{
    char *value = (char *)value_of(entry, name);
    if (value == NULL)
        return true;
    char *rest = value;
    while (*rest != 0 && *rest != separator)
        rest++;
    if (*rest == 0)
        return false;
    memmove(value, rest + 1, strlen(rest + 1) + 1);
    return true;
}

static bool keep(char *entry)
{
    if (value_of(entry, BOARD_VARIABLE) != NULL || value_of(entry, "LD_BIND_NOW") != NULL)
        return false;
    return keep_rest(entry, "LD_PRELOAD", ':') && keep_rest(entry, "GLIBC_TUNABLES", ':');
}

void environment_clean(void)
{
    char **to = environ;
    for (char **entry = environ; *entry != NULL; entry++)
        if (keep(*entry))
            *to++ = *entry;
    *to = NULL;
}
