#include "coordinator/symbols/near.h"

#include <string.h>

#include "coordinator/text.h"

enum { LETTERS_MAX = 64 };

/* Number of letters to change, add or leave out (Levenshtein distance). */
static uint32_t distance(const char *one, size_t one_length, const char *other, size_t other_length)
{
    uint32_t row[LETTERS_MAX + 1];
    if (one_length > LETTERS_MAX || other_length > LETTERS_MAX)
        return UINT32_MAX;
    for (uint32_t k = 0; k <= other_length; k++)
        row[k] = k;
    for (uint32_t i = 1; i <= one_length; i++) {
        uint32_t before = row[0];
        row[0] = i;
        for (uint32_t k = 1; k <= other_length; k++) {
            uint32_t best = before + (one[i - 1] != other[k - 1]);
            best = row[k] + 1 < best ? row[k] + 1 : best;
            best = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
            before = row[k];
            row[k] = best;
        }
    }
    return row[other_length];
}

void near_add(struct near *near, const char *name, size_t length, const char *asked,
              size_t asked_length)
{
    uint32_t far = distance(name, length, asked, asked_length);
    if (far > asked_length / 3 + 1)
        return;
    for (uint32_t i = 0; i < near->count; i++)
        if (strlen(near->names[i]) == length && memcmp(near->names[i], name, length) == 0)
            return;
    uint32_t at = near->count < NEAR_MAX ? near->count++ : NEAR_MAX;
    for (; at > 0 && near->distances[at - 1] > far; at--)
        if (at < NEAR_MAX) {
            near->distances[at] = near->distances[at - 1];
            near->names[at] = near->names[at - 1];
        }
    if (at < NEAR_MAX) {
        near->distances[at] = far;
        near->names[at] = text_copy(name, length);
    }
}

const char *near_text(const struct near *near)
{
    const char *like = "";
    for (uint32_t i = 0; i < near->count && near->distances[i] <= near->distances[0] + 1; i++)
        like = text_print("%s%s%s", like, i == 0 ? "; there is " : ", ", near->names[i]);
    return like;
}
