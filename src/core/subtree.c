#include "core/subtree.h"

#include <string.h>

#include "base/assert.h"

/* A subtree as bytes: MARK, VERSION, length of all (4), then numbers of seven bits a byte, lowest
 * first; the strategy's own bytes; checksum of all before it (4).
 *
 * The numbers: the name's length, followed by its letters, bound, floor, check, first, count, how
 * many bytes of the strategy's own, how many decisions; and for each decision the steps since the
 * last one, thread and choice.
 *
 * There is one way only to write a subtree, so that equal bytes mean equal subtrees. */
enum { MARK = 0xb0, VERSION = 1, LENGTH_AT = 2, LENGTH_BYTES = 4, CHECKSUM_BYTES = 4 };
enum { NUMBERS_AT = LENGTH_AT + LENGTH_BYTES };

static uint32_t checksum(const uint8_t *bytes, uint32_t count)
{
    uint32_t sum = 0x811c9dc5; /* FNV-1a: no change of one byte goes unnoticed */
    for (uint32_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x01000193;
    return sum;
}

bool parcel_has_room(const struct parcel *parcel, uint32_t decisions)
{
    return decisions <= SUBTREE_DECISIONS_MAX &&
           SUBTREE_HEAD_BYTES + decisions * SUBTREE_DECISION_BYTES <= parcel->size - parcel->used;
}

static void put_number(struct parcel *parcel, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        parcel->bytes[parcel->used++] = (uint8_t)(number | 0x80);
    parcel->bytes[parcel->used++] = (uint8_t)number;
}

static uint64_t fold_sign(int32_t number) /* small numbers stay small */
{
    return number < 0 ? ((uint64_t) - (int64_t)number << 1) - 1 : (uint64_t)number << 1;
}

uint32_t parcel_room(const struct parcel *parcel, uint32_t decisions)
{
    if (!parcel_has_room(parcel, decisions))
        return 0;
    return parcel->size - parcel->used - SUBTREE_HEAD_BYTES - decisions * SUBTREE_DECISION_BYTES;
}

void parcel_put(struct parcel *parcel, const struct subtree *subtree)
{
    CHECK(parcel_has_room(parcel, subtree->prefix_count));
    CHECK(subtree->extra_size <= parcel_room(parcel, subtree->prefix_count));
    uint8_t *start = parcel->bytes + parcel->used;
    start[0] = MARK;
    start[1] = VERSION;
    parcel->used += NUMBERS_AT;
    size_t length = strlen(subtree->strategy);
    CHECK(length > 0 && length < SUBTREE_NAME_MAX);
    put_number(parcel, length);
    memcpy(parcel->bytes + parcel->used, subtree->strategy, length);
    parcel->used += (uint32_t)length;
    put_number(parcel, fold_sign(subtree->bound));
    put_number(parcel, subtree->floor);
    put_number(parcel, subtree->check);
    put_number(parcel, subtree->first);
    put_number(parcel, subtree->count);
    put_number(parcel, subtree->extra_size);
    put_number(parcel, subtree->prefix_count);
    uint32_t step = 0;
    for (uint32_t i = 0; i < subtree->prefix_count; i++) {
        const struct decision *decision = &subtree->prefix[i];
        CHECK(i == 0 || decision->step >= step);
        put_number(parcel, decision->step - step);
        put_number(parcel, decision->thread);
        put_number(parcel, decision->choice);
        step = decision->step + 1;
    }
    if (subtree->extra_size > 0)
        memmove(parcel->bytes + parcel->used, subtree->extra, subtree->extra_size);
    parcel->used += subtree->extra_size;
    uint32_t before = (uint32_t)(parcel->bytes + parcel->used - start);
    uint32_t all = before + CHECKSUM_BYTES;
    memcpy(start + LENGTH_AT, &all, LENGTH_BYTES);
    uint32_t sum = checksum(start, before);
    memcpy(start + before, &sum, CHECKSUM_BYTES);
    parcel->used += CHECKSUM_BYTES;
}

struct reader {
    const uint8_t *at, *end;
    bool wrong;
};

static uint64_t take_number(struct reader *reader, uint64_t most)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
        uint8_t byte = *reader->at++;
        uint64_t part = byte & 0x7f;
        bool lost = part << shift >> shift != part, idle = byte == 0 && shift > 0;
        if (lost || idle)
            break;
        number |= part << shift;
        if (byte < 0x80) {
            reader->wrong |= number > most;
            return reader->wrong ? 0 : number;
        }
    }
    reader->wrong = true;
    return 0;
}

static void take_name(struct reader *reader, char name[SUBTREE_NAME_MAX])
{
    uint64_t length = take_number(reader, SUBTREE_NAME_MAX - 1);
    if (length == 0 || length > (uint64_t)(reader->end - reader->at)) {
        reader->wrong = true;
        return;
    }
    for (uint64_t i = 0; i < length; i++) {
        name[i] = (char)reader->at[i];
        reader->wrong |= name[i] == 0;
    }
    reader->at += length;
}

static void take_prefix(struct reader *reader, struct subtree *subtree, struct decision *prefix)
{
    subtree->prefix = prefix;
    subtree->prefix_count = (uint32_t)take_number(reader, SUBTREE_DECISIONS_MAX);
    uint64_t step = 0;
    for (uint32_t i = 0; i < subtree->prefix_count && !reader->wrong; i++) {
        step += take_number(reader, UINT32_MAX);
        reader->wrong |= step >= UINT32_MAX;
        prefix[i].step = (uint32_t)step++;
        prefix[i].thread = (thread_id)take_number(reader, THREADS_MAX - 1);
        prefix[i].choice = (uint16_t)take_number(reader, UINT16_MAX);
    }
}

/* Bytes of the whole subtree that begins here; 0: no subtree does. */
static uint32_t whole(const uint8_t *bytes, uint32_t size)
{
    uint32_t all, sum;
    if (size < NUMBERS_AT + CHECKSUM_BYTES || bytes[0] != MARK || bytes[1] != VERSION)
        return 0;
    memcpy(&all, bytes + LENGTH_AT, LENGTH_BYTES);
    if (all < NUMBERS_AT + CHECKSUM_BYTES || all > size)
        return 0;
    memcpy(&sum, bytes + all - CHECKSUM_BYTES, CHECKSUM_BYTES);
    return sum == checksum(bytes, all - CHECKSUM_BYTES) ? all : 0;
}

bool parcel_take(struct parcel *parcel, struct subtree *subtree,
                 struct decision prefix[SUBTREE_DECISIONS_MAX])
{
    const uint8_t *bytes = parcel->bytes + parcel->used;
    uint32_t all = whole(bytes, parcel->size - parcel->used);
    if (all == 0)
        return false;
    struct reader reader = {.at = bytes + NUMBERS_AT, .end = bytes + all - CHECKSUM_BYTES};
    memset(subtree, 0, sizeof *subtree);
    take_name(&reader, subtree->strategy);
    uint64_t bound = take_number(&reader, UINT32_MAX);
    subtree->bound = bound & 1 ? (int32_t) - (int64_t)((bound + 1) >> 1) : (int32_t)(bound >> 1);
    subtree->floor = (uint32_t)take_number(&reader, UINT32_MAX);
    subtree->check = (uint32_t)take_number(&reader, UINT32_MAX);
    subtree->first = take_number(&reader, UINT64_MAX);
    subtree->count = take_number(&reader, UINT64_MAX);
    subtree->extra_size = (uint32_t)take_number(&reader, UINT32_MAX);
    take_prefix(&reader, subtree, prefix);
    subtree->extra = reader.at;
    subtree->names = parcel->names;
    if (reader.wrong || subtree->extra_size != (uint64_t)(reader.end - reader.at))
        return false;
    parcel->used += all;
    return true;
}

bool parcel_is_sound(const uint8_t *bytes, uint32_t size)
{
    struct parcel parcel = {.bytes = (uint8_t *)bytes, .size = size};
    struct subtree subtree;
    struct decision prefix[SUBTREE_DECISIONS_MAX];
    while (parcel_take(&parcel, &subtree, prefix))
        continue;
    return size > 0 && parcel.used == size;
}
