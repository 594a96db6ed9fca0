#include "runtime/arch/x86_64/local.h"

#include <stddef.h>

#include "base/mix.h"
#include "core/live.h"

enum {
    STACK_BYTES_MAX = 1 << 16,
    FRAMES_KNOWN_MAX = 16, /* of one stack; what is above them is all taken to be live */
};

struct live_frame {
    const struct live_site *site;
    const uint64_t *words;
};

/* Frames that the table does not know count as a whole. */
static uint64_t hash_words(const uint64_t *word, uintptr_t high, uint64_t hash, uint64_t other)
{
    for (; (uintptr_t)(word + 4) <= high; word += 4) {
        hash = mix_fold(word[0] ^ 0xa0761d6478bd642f, word[1] ^ hash);
        other = mix_fold(word[2] ^ 0xe7037ed1a0b428db, word[3] ^ other);
    }
    for (; (uintptr_t)(word + 1) <= high; word++)
        hash = mix_fold(*word ^ 0x8ebc6af09c88c6e3, hash ^ 0x589965cc75374cc3);
    return mix(hash, other);
}

static uint64_t hash_registers(const struct local *local, uint8_t live)
{
    uint64_t rbx = live >> LIVE_RBX & 1 ? local->rbx : 0;
    uint64_t rbp = live >> LIVE_RBP & 1 ? local->rbp : 0;
    uint64_t r12 = live >> LIVE_R12 & 1 ? local->r12 : 0;
    uint64_t r13 = live >> LIVE_R13 & 1 ? local->r13 : 0;
    uint64_t r14 = live >> LIVE_R14 & 1 ? local->r14 : 0;
    uint64_t r15 = live >> LIVE_R15 & 1 ? local->r15 : 0;
    uint64_t hash = mix_fold(rbx ^ 0x9e3779b97f4a7c15, r12 ^ 0xbf58476d1ce4e5b9) ^
                    mix_fold(r13 ^ 0x94d049bb133111eb, r14 ^ 0xff51afd7ed558ccd);
    return hash ^ mix_fold(r15 ^ 0x2545f4914f6cdd1d, rbp ^ hash);
}

static uint64_t bytes_of(uint64_t word, uint8_t bytes)
{
    if (__builtin_expect(bytes == UINT8_MAX, 1))
        return word;
    uint64_t spread = bytes * 0x0101010101010101 & 0x8040201008040201;
    uint64_t marks = (spread + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    return word & marks * 0xff;
}

static uint64_t hash_frame(const struct live_table *live_code, const struct live_frame *frame,
                           uint8_t above, uint64_t hash)
{
    const struct live_word *words = live_words(live_code) + frame->site->first;
    for (uint32_t i = 0; i < frame->site->count; i++)
        if (words[i].saved == 0 || words[i].saved & above)
            hash =
                mix_fold(bytes_of(frame->words[words[i].word], words[i].bytes) ^ 0xa0761d6478bd642f,
                         hash ^ words[i].word ^ 0xe7037ed1a0b428db);
    return mix_fold(frame->words[frame->site->words - 1] ^ 0x8ebc6af09c88c6e3, hash);
}

/* The frames that the table knows, from the innermost on, then all that is above them. */
static uint64_t hash_live(const struct local *local, const struct live_site *site, uintptr_t high,
                          const struct live_table *live_code, uintptr_t live_base)
{
    struct live_frame frames[FRAMES_KNOWN_MAX];
    uint32_t count = 0;
    uintptr_t at = local->frame;
    while (site != NULL && count < FRAMES_KNOWN_MAX && at + 8ul * site->words <= high) {
        frames[count++] = (struct live_frame){.site = site, .words = (const uint64_t *)at};
        at += 8ul * site->words;
        uintptr_t back = ((const uint64_t *)at)[-1] - live_base;
        site = site->last || back > UINT32_MAX ? NULL : live_find(live_code, (uint32_t)back);
    }
    uint64_t hash = hash_words((const uint64_t *)at, high, at, local->frame ^ local->site);
    uint8_t live = LIVE_ALL;
    for (uint32_t i = count; i-- > 0;) {
        hash = hash_frame(live_code, &frames[i], live, hash);
        live = live_registers(frames[i].site, live);
    }
    return mix(hash_registers(local, live), hash);
}

uint64_t local_hash_below(const struct local *local, uintptr_t high, const struct live_table *live,
                          uintptr_t live_base)
{
    if (local->frame > high || high - local->frame > STACK_BYTES_MAX)
        return 0;
    uintptr_t site = local->site - live_base;
    const struct live_site *known = __builtin_expect(live == NULL, 1) || site > UINT32_MAX
                                        ? NULL
                                        : live_find(live, (uint32_t)site);
    if (known != NULL)
        return hash_live(local, known, high, live, live_base) | 1;
    return hash_words((const uint64_t *)local->frame, high, hash_registers(local, LIVE_ALL),
                      local->frame ^ local->site) |
           1;
}
