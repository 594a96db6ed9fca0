/* strtod and its kin. The runtime leaves the registers alone in which their results come back: so
 * libc's function is called last, as if it returned nothing, and what it returns gets to the
 * program. */
#include "runtime/engine/real.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"

typedef void real_function(const char *text, char **end);

static real_function *libc_strtof, *libc_strtod, *libc_strtold, *libc_atof;

/* A number's text is read up to the first character that is none of it; that is the same for all
 * widths. */
static void note(const char *text, char **end, uintptr_t site)
{
    char *last;
    if (!called_counts(site))
        return;
    libc_strtod(text, &last);
    called_reads(text, (size_t)(last - text) + 1, site);
    if (end != NULL)
        called_writes(end, sizeof *end, site);
}

void reals_find(void)
{
    libc_strtof = real_symbol("strtof");
    libc_strtod = real_symbol("strtod");
    libc_strtold = real_symbol("strtold");
    libc_atof = real_symbol("atof");
}

#define REAL(name, where)                                                                          \
    EXPORT void our_##name(const char *text, char **end) __asm__(#name);                           \
    void our_##name(const char *text, char **end)                                                  \
    {                                                                                              \
        if (unlikely(libc_##name == NULL))                                                         \
            reals_find();                                                                          \
        note(text, where, CALL_SITE);                                                              \
        libc_##name(text, end);                                                                    \
    }

REAL(strtof, end)
REAL(strtod, end)
REAL(strtold, end)
REAL(atof,
     NULL) /* has no second argument: what is in its register is passed on, and nobody looks */
