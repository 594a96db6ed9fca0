#include "core/subtree.h"

#include <string.h>

#include "base/assert.h"

/* A subtree as bytes: MARK, VERSION, length of all (4), then numbers (numbers.h), then the checksum
 * of all before it (4).
 *
 * The numbers: the name's length, followed by its letters, bound, floor, check, first, count, how
 * many decisions; for each decision the steps since the last one, thread and choice; then the
 * strategy's own. */
enum { MARK = 0xb0, VERSION = 2, LENGTH_AT = 2, LENGTH_BYTES = 4, CHECKSUM_BYTES = 4 };
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
    uint64_t most = SUBTREE_HEAD_BYTES + (uint64_t)decisions * SUBTREE_DECISION_BYTES;
    return most <= parcel->size - parcel->used &&
           (parcel->used == 0 || parcel->used + most <= PARCEL_BYTES);
}

static uint64_t fold_sign(int32_t number) /* small numbers stay small */
{
    return number < 0 ? ((uint64_t) - (int64_t)number << 1) - 1 : (uint64_t)number << 1;
}

static void put_name(struct numbers *out, const char *name)
{
    size_t length = strlen(name);
    CHECK(length > 0 && length < SUBTREE_NAME_MAX);
    numbers_put(out, length);
    memcpy(out->bytes + out->used, name, length);
    out->used += (uint32_t)length;
}

struct numbers parcel_begin(const struct parcel *parcel, const struct subtree *subtree)
{
    CHECK(parcel_has_room(parcel, subtree->prefix_count));
    struct numbers out = {.bytes = parcel->bytes + parcel->used,
                          .size = parcel->size - parcel->used - CHECKSUM_BYTES,
                          .used = NUMBERS_AT,
                          .names = parcel->names};
    put_name(&out, subtree->strategy);
    numbers_put(&out, fold_sign(subtree->bound));
    numbers_put(&out, subtree->floor);
    numbers_put(&out, subtree->check);
    numbers_put(&out, subtree->first);
    numbers_put(&out, subtree->count);
    numbers_put(&out, subtree->prefix_count);
    uint32_t step = 0;
    for (uint32_t i = 0; i < subtree->prefix_count; i++) {
        const struct decision *decision = &subtree->prefix[i];
        CHECK(i == 0 || decision->step >= step);
        numbers_put(&out, decision->step - step);
        numbers_put(&out, decision->thread);
        numbers_put(&out, decision->choice);
        step = decision->step + 1;
    }
    return out;
}

void parcel_end(struct parcel *parcel, const struct numbers *numbers)
{
    CHECK(!numbers->wrong);
    uint8_t *start = parcel->bytes + parcel->used;
    uint32_t before = numbers->used, all = before + CHECKSUM_BYTES;
    start[0] = MARK;
    start[1] = VERSION;
    memcpy(start + LENGTH_AT, &all, LENGTH_BYTES);
    uint32_t sum = checksum(start, before);
    memcpy(start + before, &sum, CHECKSUM_BYTES);
    parcel->used += all;
}

void parcel_put(struct parcel *parcel, const struct subtree *subtree)
{
    struct numbers numbers = parcel_begin(parcel, subtree);
    parcel_end(parcel, &numbers);
}

static void take_name(struct numbers *in, char name[SUBTREE_NAME_MAX])
{
    uint64_t length = numbers_take(in, SUBTREE_NAME_MAX - 1);
    if (length == 0 || length > in->size - in->used) {
        in->wrong = true;
        return;
    }
    for (uint64_t i = 0; i < length; i++) {
        name[i] = (char)in->bytes[in->used++];
        in->wrong |= name[i] == 0;
    }
}

static void take_prefix(struct numbers *in, struct subtree *subtree, struct decision *prefix,
                        uint32_t room)
{
    subtree->prefix = prefix;
    subtree->prefix_count = (uint32_t)numbers_take(in, prefix == NULL ? UINT32_MAX : room);
    uint64_t step = 0;
    for (uint32_t i = 0; i < subtree->prefix_count && !in->wrong; i++) {
        step += numbers_take(in, UINT32_MAX);
        in->wrong |= step >= UINT32_MAX;
        thread_id thread = (thread_id)numbers_take(in, THREADS_MAX - 1);
        uint16_t choice = (uint16_t)numbers_take(in, UINT16_MAX);
        if (prefix != NULL)
            prefix[i] = (struct decision){(uint32_t)step, thread, choice};
        step++;
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

bool parcel_take(struct parcel *parcel, struct subtree *subtree, struct decision *prefix,
                 uint32_t room)
{
    uint8_t *bytes = parcel->bytes + parcel->used;
    uint32_t all = whole(bytes, parcel->size - parcel->used);
    if (all == 0)
        return false;
    struct numbers in = {.bytes = bytes + NUMBERS_AT,
                         .size = all - NUMBERS_AT - CHECKSUM_BYTES,
                         .names = parcel->names};
    memset(subtree, 0, sizeof *subtree);
    take_name(&in, subtree->strategy);
    uint64_t bound = numbers_take(&in, UINT32_MAX);
    subtree->bound = bound & 1 ? (int32_t) - (int64_t)((bound + 1) >> 1) : (int32_t)(bound >> 1);
    subtree->floor = (uint32_t)numbers_take(&in, UINT32_MAX);
    subtree->check = (uint32_t)numbers_take(&in, UINT32_MAX);
    subtree->first = numbers_take(&in, UINT64_MAX);
    subtree->count = numbers_take(&in, UINT64_MAX);
    take_prefix(&in, subtree, prefix, room);
    if (in.wrong)
        return false;
    subtree->rest = in;
    parcel->used += all;
    return true;
}

bool parcel_is_sound(const uint8_t *bytes, uint32_t size)
{
    struct parcel parcel = {.bytes = (uint8_t *)bytes, .size = size};
    struct subtree subtree;
    while (parcel_take(&parcel, &subtree, NULL, 0))
        continue;
    return size > 0 && parcel.used == size;
}
