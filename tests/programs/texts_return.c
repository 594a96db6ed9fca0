// Functions on texts return what libc's return.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char buffer[32];
    assert(strlen("") == 0 && strlen("four") == 4 && strnlen("four", 2) == 2);
    assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("a", "a") == 0);
    assert(strcmp("\xff", "a") > 0 && strcmp("a", "ab") < 0);
    assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("", "", 9) == 0);
    assert(memcmp("a\0b", "a\0c", 3) < 0 && memcmp("x", "y", 0) == 0);
    assert(memcmp("0123456789", "0123456780", 10) > 0);
    const char *abcabc = "abcabc";
    assert(strchr(abcabc, 'c') == abcabc + 2 && strchr(abcabc, 'x') == NULL);
    assert(strchr(abcabc, 0) == abcabc + 6 && strrchr(abcabc, 0) == abcabc + 6);
    assert(strrchr(abcabc, 'b') == abcabc + 4 && strrchr(abcabc, 'x') == NULL);
    assert(memchr(abcabc, 'c', 2) == NULL && memchr(abcabc, 'c', 3) == abcabc + 2);
    assert(strcpy(buffer, "one") == buffer && stpcpy(buffer + 3, " two") == buffer + 7);
    assert(strcat(buffer, " three") == buffer && strncat(buffer, "xyz", 1) == buffer);
    assert(strcmp(buffer, "one two threex") == 0);
    memset(buffer, 'z', sizeof buffer);
    assert(strncpy(buffer, "ab", 4) == buffer && memcmp(buffer, "ab\0\0z", 5) == 0);
    assert(strncpy(buffer, "abcdef", 3) == buffer && memcmp(buffer, "abc\0z", 5) == 0);
    char *copy = strdup(abcabc), *part = strndup(abcabc, 2);
    assert(strcmp(copy, abcabc) == 0 && strcmp(part, "ab") == 0);
    free(copy);
    free(part);
    return 0;
}
