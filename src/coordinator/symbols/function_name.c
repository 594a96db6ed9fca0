#include "coordinator/symbols/function_name.h"

#include <stdbool.h>
#include <string.h>

#include "coordinator/text.h"

#define OPERATOR "operator"

static bool ends_with(const char *name, size_t length, const char *end)
{
    size_t count = strlen(end);
    return length >= count && memcmp(name + length - count, end, count) == 0;
}

/* Length up to the ")" of the parameters, without " const", " &&" and the like. */
static size_t qualifiers_cut(const char *name, size_t length)
{
    static const char *const ends[] = {" const", " volatile", " &", " &&"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(name, length, ends[i]))
            return qualifiers_cut(name, length - strlen(ends[i]));
    return length;
}

/* Cuts only the last list in parentheses: a lambda, or a function around it, keeps its own. */
static size_t parameters_cut(const char *name, size_t length)
{
    size_t end = qualifiers_cut(name, length), at = end;
    if (end == 0 || name[end - 1] != ')')
        return length;
    int depth = 0;
    do {
        at--;
        depth += (name[at] == ')') - (name[at] == '(');
    } while (depth > 0 && at > 0);
    return depth > 0 || at == 0 || ends_with(name, at, OPERATOR) ? length : at;
}

/* Where the name begins after the return type, which only templates show. */
static size_t returned_type(const char *name, size_t length)
{
    size_t start = 0;
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        if (ends_with(name, i, OPERATOR)) /* `operator bool`, `operator<` */
            break;
        depth += strchr("(<{[", name[i]) != NULL;
        depth -= strchr(")>}]", name[i]) != NULL;
        if (depth == 0 && name[i] == ' ')
            start = i + 1;
    }
    return start;
}

static const char *templates_cut(const char *name)
{
    char *out = text_copy(name, strlen(name)), *to = out;
    int depth = 0;
    for (const char *at = name; *at != 0; at++) {
        if (ends_with(name, (size_t)(at - name), OPERATOR))
            while (*at != 0 && strchr("<>=-", *at) != NULL) {
                if (depth == 0)
                    *to++ = *at;
                at++;
            }
        if (*at == 0)
            break;
        depth += *at == '<';
        if (depth == 0)
            *to++ = *at;
        depth -= *at == '>' && depth > 0;
    }
    while (to > out && to[-1] == ' ') /* the space in `operator< <int>` */
        to--;
    *to = 0;
    return out;
}

const char *function_name_short(const char *name, size_t most)
{
    size_t length = strlen(name);
    if (length <= most)
        return name;
    length = parameters_cut(name, length);
    size_t start = returned_type(name, length);
    name = text_copy(name + start, length - start);
    return strlen(name) <= most ? name : templates_cut(name);
}
