#include "core/numbers.h"

void numbers_put(struct numbers *out, uint64_t number)
{
    do {
        if (out->used == out->size) {
            out->wrong = true;
            return;
        }
        out->bytes[out->used++] = (uint8_t)(number & 0x7f) | (number >= 0x80 ? 0x80 : 0);
        number >>= 7;
    } while (number > 0);
}

uint64_t numbers_take(struct numbers *in, uint64_t most)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; in->used < in->size && shift < 64; shift += 7) {
        uint8_t byte = in->bytes[in->used++];
        uint64_t part = byte & 0x7f;
        bool lost = part << shift >> shift != part, idle = byte == 0 && shift > 0;
        if (lost || idle)
            break;
        number |= part << shift;
        if (byte < 0x80) {
            in->wrong |= number > most;
            return in->wrong ? 0 : number;
        }
    }
    in->wrong = true;
    return 0;
}

bool numbers_end(const struct numbers *in)
{
    return !in->wrong && in->used == in->size;
}
