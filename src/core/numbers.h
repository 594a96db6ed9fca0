/* Numbers as bytes, seven bits a byte, lowest first. There is one way only to write a number, so
 * that equal bytes mean equal values.
 *
 * A writer checks at the end that everything found room, a reader that everything was valid. */
#ifndef CORE_NUMBERS_H
#define CORE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* How object numbers, which only one worker understands, become names that all workers understand,
 * and back. */
struct naming {
    uint64_t (*name)(void *context, uint32_t object);
    uint32_t (*number)(void *context, uint64_t name);
    void *context;
};

struct numbers {
    uint8_t *bytes;
    uint32_t size, used;        /* writing: filled up to `used`; reading: read up to `used` */
    bool wrong;                 /* no room was left, or the bytes are not what was written */
    const struct naming *names; /* NULL: the number of an object is its name */
};

enum { NUMBER_BYTES = 10 }; /* most bytes of a number */

void numbers_put(struct numbers *out, uint64_t number);
/* 0, and `wrong`, if the number is larger than `most`. */
uint64_t numbers_take(struct numbers *in, uint64_t most);
/* Whether all that was there was taken, and was valid. */
bool numbers_end(const struct numbers *in);

#endif
