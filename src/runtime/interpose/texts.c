/* Functions of libc that only look at what they are given: what they look at is noted, they themselves stay
 * as they are. A loop around them may merely wait, so they are not rows of the table. */
#include <string.h>

#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/real.h"

/* PURE(result, name, parameters, arguments, note) */
#define PURE(result, name, parameters, arguments, note)      \
    static result(*libc_##name) parameters;                  \
    EXPORT result name parameters                            \
    {                                                        \
        if (unlikely(libc_##name == NULL))                   \
            libc_##name = real_symbol(#name);                \
        uintptr_t site = CALL_SITE;                          \
        if (called_counts(site))                             \
            note;                                            \
        return libc_##name arguments;                        \
    }

/* A number's text is read up to the first character that is none of it. */
#define NUMBER(result, name)                                             \
    PURE(result, name, (const char *text, char **end, int base), (text, end, base), \
         ({                                                              \
             char *last = (char *)text; /* stays, if the base is wrong */ \
             libc_##name(text, &last, base);                             \
             called_reads(text, (size_t)(last - text) + 1, site);        \
             if (end != NULL)                                            \
                 called_writes(end, sizeof *end, site);                  \
         }))

NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)

static void note_number(const char *text, uintptr_t site)
{
    char *last;
    libc_strtol(text, &last, 10);
    called_reads(text, (size_t)(last - text) + 1, site);
}

PURE(int, atoi, (const char *text), (text), note_number(text, site))
PURE(long, atol, (const char *text), (text), note_number(text, site))
PURE(long long, atoll, (const char *text), (text), note_number(text, site))

static void note_both(const char *a, const char *b, size_t most, uintptr_t site)
{
    called_reads_text(a, most, site);
    called_reads_text(b, most, site);
}

static void note_found(const char *text, const char *found, const char *other, uintptr_t site)
{
    called_reads_text(other, SIZE_MAX, site);
    if (found == NULL)
        called_reads_text(text, SIZE_MAX, site);
    else
        called_reads(text, (size_t)(found - text) + 1, site);
}

PURE(char *, strstr, (const char *text, const char *part), (text, part),
     ({
         const char *found = libc_strstr(text, part);
         note_found(text, found == NULL ? NULL : found + strlen(part), part, site);
     }))
PURE(char *, strpbrk, (const char *text, const char *set), (text, set),
     note_found(text, libc_strpbrk(text, set), set, site))
PURE(size_t, strspn, (const char *text, const char *set), (text, set),
     note_found(text, text + libc_strspn(text, set), set, site))
PURE(size_t, strcspn, (const char *text, const char *set), (text, set),
     note_found(text, text + libc_strcspn(text, set), set, site))
PURE(int, strcasecmp, (const char *a, const char *b), (a, b), note_both(a, b, SIZE_MAX, site))
PURE(int, strncasecmp, (const char *a, const char *b, size_t most), (a, b, most),
     note_both(a, b, most, site))

void texts_find(void)
{
#define FIND(name) libc_##name = real_symbol(#name);
    FIND(strtol) FIND(strtoul) FIND(strtoll) FIND(strtoull) FIND(atoi) FIND(atol) FIND(atoll)
    FIND(strstr) FIND(strpbrk) FIND(strspn) FIND(strcspn) FIND(strcasecmp) FIND(strncasecmp)
#undef FIND
}
