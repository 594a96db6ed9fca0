/* Reads numbers and texts in the lines of a replay file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/record/replay_reader.h"
#include "coordinator/text.h"

bool replay_number(const char *text, int base, uint64_t max, uint64_t *out)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    *out = strtoull(text, &end, base);
    return errno == 0 && *end == 0 && *out <= max;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *replay_quoted(const char *text, size_t *count)
{
    size_t length = strlen(text);
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return NULL;
    char *out = text_room(length);
    *count = 0;
    for (const char *at = text + 1; at < text + length - 1; at++) {
        char c = *at;
        if (c == '"')
            return NULL;
        if (c == '\\') {
            at++;
            if (*at == 'x') {
                if (text + length - 1 - at < 3)
                    return NULL;
                int high = hex_digit(at[1]), low = hex_digit(at[2]);
                if (high < 0 || low < 0)
                    return NULL;
                c = (char)(high * 16 + low);
                at += 2;
            } else if ((*at == '"' || *at == '\\') && at < text + length - 1) {
                c = *at;
            } else {
                return NULL;
            }
        }
        out[(*count)++] = c;
    }
    return out;
}

bool replay_read_text(const char *value, const char **out)
{
    size_t count;
    *out = replay_quoted(value, &count);
    return *out != NULL && strlen(*out) == count;
}

bool replay_read_u32(const char *value, uint32_t max, uint32_t *out)
{
    uint64_t number;
    if (!replay_number(value, 10, max, &number))
        return false;
    *out = (uint32_t)number;
    return true;
}
