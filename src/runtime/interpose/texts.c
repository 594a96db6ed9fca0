/* Texts, of narrow and of wide characters, beyond those of strings.c. */
#include <string.h>
#include <wchar.h>

#include "runtime/interpose/interpose.h"
#include "runtime/interpose/pure.h"
#include "runtime/memory/memory.h"

/* A number's text is read up to the first character that is none of it. */
#define NUMBER(result, name)                                                                       \
    PURE(result, name, (const char *text, char **end, int base), (text, end, base), ({             \
             char *last = (char *)text; /* stays, if the base is wrong */                          \
             libc_##name(text, &last, base);                                                       \
             called_reads(text, (size_t)(last - text) + 1, site);                                  \
             if (end != NULL)                                                                      \
                 called_writes(end, sizeof *end, site);                                            \
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

PURE(char *, strstr, (const char *text, const char *part), (text, part), ({
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

/* Behind the next token of a text, which is read with what ends it; that is overwritten, unless it
 * is the end. */
static char *token_end(char *text, const char *ends, uintptr_t site)
{
    size_t skipped = libc_strspn(text, ends), size = libc_strcspn(text + skipped, ends);
    char *end = text + skipped + size;
    called_reads_text(ends, SIZE_MAX, site);
    called_reads(text, skipped + size + 1, site);
    if (*end == 0)
        return end;
    called_writes(end, 1, site);
    return end + 1;
}

#define TOKEN(name)                                                                                \
    PURE(char *, name, (char *text, const char *ends, char **next), (text, ends, next), ({         \
             char *from = text != NULL ? text : *next;                                             \
             if (text == NULL)                                                                     \
                 called_reads(next, sizeof *next, site);                                           \
             if (from != NULL)                                                                     \
                 token_end(from, ends, site);                                                      \
             called_writes(next, sizeof *next, site);                                              \
         }))
TOKEN(strtok_r)
TOKEN(__strtok_r)

/* Where libc goes on is a variable of its own that each call writes. */
void token_taken(char *text, const char *ends, void *function, uintptr_t site)
{
    char *from = text != NULL ? text : ex.interpose.token;
    called_writes(function, 1, site);
    if (from != NULL)
        ex.interpose.token = token_end(from, ends, site);
}

/* From one code to another: as much of the text as was taken, and what came of it. */
size_t text_converted(size_t (*convert)(void *, char **, size_t *, char **, size_t *), void *how,
                      char **in, size_t *in_left, char **out, size_t *out_left, uintptr_t site)
{
    char *from = in != NULL ? *in : NULL, *to = out != NULL ? *out : NULL;
    called_writes(how, 1, site);
    if (from != NULL) {
        called_writes(in, sizeof *in, site);
        called_writes(in_left, sizeof *in_left, site);
    }
    if (to != NULL) {
        called_writes(out, sizeof *out, site);
        called_writes(out_left, sizeof *out_left, site);
        called_may_write(to, *out_left, site);
    }
    size_t result = convert(how, in, in_left, out, out_left);
    if (from != NULL && called_counts(site))
        memory_done(from, (size_t)(*in - from), false, site);
    if (to != NULL)
        called_wrote(to, *out - to, site);
    return result;
}

/* Wide characters. */
#define WIDTH sizeof(wchar_t)

static void wide_both(const wchar_t *a, const wchar_t *b, size_t most, uintptr_t site)
{
    size_t size = 0;
    while (size < most && a[size] == b[size] && a[size] != 0)
        size++;
    size += size < most; /* they differ there, or end */
    called_reads(a, size * WIDTH, site);
    called_reads(b, size * WIDTH, site);
}

static void wide_found(const wchar_t *text, const wchar_t *found, uintptr_t site)
{
    if (found == NULL)
        called_reads_wide(text, SIZE_MAX, site);
    else
        called_reads(text, (size_t)(found - text + 1) * WIDTH, site);
}

/* Copies so much of `from`, and a zero if there is room; the rest of `size` is filled up. */
static void wide_copied(wchar_t *to, const wchar_t *from, size_t read, size_t written,
                        uintptr_t site)
{
    called_reads_wide(from, read, site);
    called_writes(to, written * WIDTH, site);
}

PURE(size_t, wcslen, (const wchar_t *text), (text), called_reads_wide(text, SIZE_MAX, site))
PURE(size_t, wcsnlen, (const wchar_t *text, size_t most), (text, most),
     called_reads_wide(text, most, site))
PURE(int, wcscmp, (const wchar_t *a, const wchar_t *b), (a, b), wide_both(a, b, SIZE_MAX, site))
PURE(int, wcsncmp, (const wchar_t *a, const wchar_t *b, size_t most), (a, b, most),
     wide_both(a, b, most, site))
PURE(wchar_t *, wcschr, (const wchar_t *text, wchar_t c), (text, c),
     wide_found(text, libc_wcschr(text, c), site))
PURE(wchar_t *, wcsrchr, (const wchar_t *text, wchar_t c), (text, c),
     called_reads_wide(text, SIZE_MAX, site))
PURE(wchar_t *, wcsstr, (const wchar_t *text, const wchar_t *part), (text, part), ({
         const wchar_t *found = libc_wcsstr(text, part);
         called_reads_wide(part, SIZE_MAX, site);
         wide_found(text, found == NULL ? NULL : found + libc_wcslen(part), site);
     }))
PURE(wchar_t *, wcscpy, (wchar_t * to, const wchar_t *from), (to, from),
     wide_copied(to, from, SIZE_MAX, libc_wcslen(from) + 1, site))
PURE(wchar_t *, wcsncpy, (wchar_t * to, const wchar_t *from, size_t size), (to, from, size),
     wide_copied(to, from, size, size, site))
PURE(wchar_t *, wcscat, (wchar_t * to, const wchar_t *from), (to, from), ({
         called_reads_wide(to, SIZE_MAX, site);
         wide_copied(to + libc_wcslen(to), from, SIZE_MAX, libc_wcslen(from) + 1, site);
     }))
PURE(wchar_t *, wmemcpy, (wchar_t * to, const wchar_t *from, size_t count), (to, from, count),
     (called_reads(from, count *WIDTH, site), called_writes(to, count *WIDTH, site)))
PURE(wchar_t *, wmemmove, (wchar_t * to, const wchar_t *from, size_t count), (to, from, count),
     (called_reads(from, count *WIDTH, site), called_writes(to, count *WIDTH, site)))
PURE(wchar_t *, wmemset, (wchar_t * to, wchar_t c, size_t count), (to, c, count),
     called_writes(to, count *WIDTH, site))
PURE(int, wmemcmp, (const wchar_t *a, const wchar_t *b, size_t count), (a, b, count),
     (called_reads(a, count *WIDTH, site), called_reads(b, count *WIDTH, site)))
PURE(wchar_t *, wmemchr, (const wchar_t *text, wchar_t c, size_t count), (text, c, count), ({
         const wchar_t *found = libc_wmemchr(text, c, count);
         called_reads(text, (found == NULL ? count : (size_t)(found - text) + 1) * WIDTH, site);
     }))

/* Between narrow and wide characters: where there is no room for all, only what is surely read
 * counts. */
PURE(size_t, mbstowcs, (wchar_t * to, const char *from, size_t most), (to, from, most), ({
         size_t size = libc_mbstowcs(NULL, from, 0);
         called_reads_text(from, to == NULL || size < most ? SIZE_MAX : most, site);
         if (to != NULL && size != SIZE_MAX)
             called_writes(to, (size < most ? size + 1 : most) * WIDTH, site);
     }))
PURE(size_t, wcstombs, (char *to, const wchar_t *from, size_t most), (to, from, most), ({
         size_t size = libc_wcstombs(NULL, from, 0);
         called_reads_wide(from, to == NULL || size < most ? SIZE_MAX : most > 0, site);
         if (to != NULL && size < most)
             called_writes(to, size + 1, site);
     }))

void texts_find(void)
{
#define FIND(name) libc_##name = real_symbol(#name)
    FIND(strtol);
    FIND(strtoul);
    FIND(strtoll);
    FIND(strtoull);
    FIND(atoi);
    FIND(atol);
    FIND(atoll);
    FIND(strstr);
    FIND(strpbrk);
    FIND(strspn);
    FIND(strcspn);
    FIND(strcasecmp);
    FIND(strncasecmp);
    FIND(wcslen);
    FIND(wcsnlen);
    FIND(wcscmp);
    FIND(wcsncmp);
    FIND(wcschr);
    FIND(wcsrchr);
    FIND(wcsstr);
    FIND(wcscpy);
    FIND(wcsncpy);
    FIND(wcscat);
    FIND(wmemcpy);
    FIND(wmemmove);
    FIND(wmemset);
    FIND(wmemcmp);
    FIND(wmemchr);
    FIND(strtok_r);
    FIND(__strtok_r);
    FIND(mbstowcs);
    FIND(wcstombs);
#undef FIND
}
