// Results of scanf, strtod and the functions of wide characters are those of libc.
// modes: all
// run: -s dfs
// expect: no finding
// input: 7 x\n
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* as programs call them that keep to C89 */
int old_sscanf(const char *text, const char *format, ...) __asm__("sscanf");
int old_vsscanf(const char *text, const char *format, va_list list) __asm__("vsscanf");

static int listed(const char *text, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int got = vsscanf(text, format, list) + old_vsscanf(text, format, again);
    va_end(again);
    va_end(list);
    return got;
}

static void reals(void)
{
    char text[] = "1.5x", *end;
    assert(strtod(text, &end) == 1.5 && end == text + 3);
    assert(strtof(text, &end) == 1.5f && *end == 'x');
    assert(strtold(text, &end) == 1.5L && *end == 'x');
    assert(atof("-0.25") == -0.25);
    long double sum = 0;
    for (int i = 0; i < 20; i++) /* more than the registers that results come back in */
        sum += strtold("0.5", NULL);
    assert(sum == 10);
}

static void scanned(void)
{
    int one = 0, two = 0, count = 0;
    char word[8], *made;
    double real;
    float small;
    assert(sscanf("1 2 word", "%d%n%d %7s", &one, &count, &two, word) == 3);
    assert(one == 1 && two == 2 && count == 1 && strcmp(word, "word") == 0);
    assert(sscanf("1.5,2.5", "%lf,%f", &real, &small) == 2 && real == 1.5 && small == 2.5f);
    assert(sscanf("abc", "%ms", &made) == 1 && strcmp(made, "abc") == 0);
    free(made);
    assert(listed("3 4", "%d %d", &one, &two) == 4 && one == 3 && two == 4);
    assert(old_sscanf("5", "%d", &one) == 1 && one == 5);
    assert(sscanf("", "%d", &one) == EOF && sscanf("x", "%d", &one) == 0);
    int got = scanf("%d %d", &one, &two); /* all of the input is there in each execution, or nothing is */
    assert((got == 1 && one == 7) || got == EOF);
}

static void wide(void)
{
    wchar_t to[8];
    assert(wcslen(L"123") == 3 && wcsnlen(L"123", 2) == 2);
    assert(wcscmp(L"a", L"b") < 0 && wcsncmp(L"ab", L"ac", 1) == 0);
    assert(wcscmp(wcscat(wcscpy(to, L"12"), L"34"), L"1234") == 0);
    assert(*wcschr(to, L'3') == L'3' && wcsrchr(to, L'9') == NULL && wcsstr(to, L"34") == to + 2);
    assert(wcsncpy(to, L"1", 4) == to && to[3] == 0);
    assert(wmemset(to, L'x', 8) == to && wmemchr(to, L'x', 8) == to);
    assert(wmemcpy(to, L"ab", 2) == to && wmemmove(to + 1, to, 2) == to + 1);
    assert(wmemcmp(to, L"aab", 3) == 0);
}

static void *all(void *unused)
{
    reals();
    scanned();
    wide();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, all, NULL);
    pthread_join(thread, NULL);
    return 0;
}
