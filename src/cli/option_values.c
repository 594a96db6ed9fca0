#include "cli/option_values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/text.h"

bool value_is_wrong(const char *name, const char *value, const char *wanted, struct problem *why)
{
    return problem_is(why, text_print("%s takes %s, not '%s'", name, wanted, value), NULL, 0);
}

bool value_number(const char *value, uint64_t least, uint64_t most, uint64_t *out, const char *name,
                  struct problem *why)
{
    char *end;
    errno = 0;
    bool digits = *value >= '0' && *value <= '9';
    *out = strtoull(value, &end, 10);
    if (digits && *end == 0 && errno == 0 && *out >= least && *out <= most)
        return true;
    const char *wanted = most == UINT64_MAX
                             ? text_print("a whole number from %lu", least)
                             : text_print("a whole number from %lu to %lu", least, most);
    return value_is_wrong(name, value, wanted, why);
}

bool value_duration(const char *value, double *out, const char *name, struct problem *why)
{
    char *end;
    errno = 0;
    bool digits = (*value >= '0' && *value <= '9') || *value == '.';
    *out = strtod(value, &end);
    double unit = strcmp(end, "") == 0 || strcmp(end, "s") == 0 ? 1
                  : strcmp(end, "ms") == 0                      ? 0.001
                  : strcmp(end, "m") == 0                       ? 60
                  : strcmp(end, "h") == 0                       ? 3600
                                                                : 0;
    *out *= unit;
    if (digits && end != value && errno == 0 && isfinite(*out) && *out > 0)
        return true;
    return value_is_wrong(name, value, "a duration such as 30s or 5m", why);
}

bool value_word(const char *value, const char *const *words, int count, uint8_t *out,
                const char *name, struct problem *why)
{
    const char *wanted = "";
    for (int i = 0; i < count; i++) {
        if (words[i] == NULL)
            continue;
        if (strcmp(value, words[i]) == 0) {
            *out = (uint8_t)i;
            return true;
        }
        wanted = *wanted == 0 ? words[i] : text_print("%s|%s", wanted, words[i]);
    }
    return value_is_wrong(name, value, wanted, why);
}

bool value_size(const char *value, uint64_t *out, const char *name, struct problem *why)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    bool digits = *value >= '0' && *value <= '9';
    *out = strtoull(value, &end, 10);
    const char *unit = *end != 0 ? strchr(units, *end) : NULL;
    bool known = *end == 0 || (unit != NULL && end[1] == 0);
    for (long i = unit != NULL ? unit - units + 1 : 0; known && i > 0; i--)
        if (__builtin_mul_overflow(*out, 1024, out))
            known = false;
    if (digits && known && errno == 0 && *out > 0)
        return true;
    return value_is_wrong(name, value, "a size such as 500M or 2G", why);
}
