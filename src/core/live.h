/* The live registers and stack slots after each call: a table that the coordinator makes from the
 * machine code of the tested program, and that the runtime looks up where it hashes the local state
 * of a thread.
 *
 * For each call in instrumented code there is a site, keyed by its return address. It says how
 * large the frame is, and which of the registers that a call preserves and which bytes of the frame
 * may be read after the call returns. A location may also hold a register of the calling function,
 * saved by the prologue; it is then live if that register is live where the calling function goes
 * on. A site that is not in the table stands for a frame of unknown size in which all is live. */
#ifndef CORE_LIVE_H
#define CORE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_MAGIC 0x6576696c2d726f62ul

enum { LIVE_VERSION = 1, LIVE_BYTES_MAX = 64 << 20 };

/* Registers that a call preserves, as bits. */
enum live_register { LIVE_RBX, LIVE_RBP, LIVE_R12, LIVE_R13, LIVE_R14, LIVE_R15, LIVE_REGISTERS };
enum { LIVE_ALL = (1 << LIVE_REGISTERS) - 1 };

struct live_site {
    uint32_t site;  /* return address, from the program's base; 0: a free place of the table */
    uint16_t words; /* from the stack pointer there up to and with the frame's return address */
    uint8_t own;    /* registers that this function may read */
    uint8_t last;   /* the function reads the frame of its caller, of which nothing is known then */
    uint8_t exits[LIVE_REGISTERS]; /* what each register may be where the caller goes on */
    uint16_t count;                /* of its words in the table */
    uint32_t first;                /* the first of these words */
};

struct live_word {
    uint16_t word; /* of the frame, from the stack pointer */
    uint8_t bytes; /* that are live, as bits */
    uint8_t saved; /* they are live if one of these registers is live in the caller; 0: always */
};

struct live_table {
    uint64_t magic;
    uint32_t version, reserved;
    uint64_t size, sum;                       /* of all of it; of what follows this head */
    uint64_t text_start, text_size, text_sum; /* of the code it was made from, from the base */
    uint32_t places, word_count;              /* of the table of sites: a power of two */
    /* struct live_site[places], then struct live_word[word_count] */
};

_Static_assert(sizeof(struct live_site) == 20 && sizeof(struct live_word) == 4, "no gaps");

static inline const struct live_site *live_sites(const struct live_table *table)
{
    return (const struct live_site *)(table + 1);
}

static inline const struct live_word *live_words(const struct live_table *table)
{
    return (const struct live_word *)(live_sites(table) + table->places);
}

static inline uint32_t live_place(const struct live_table *table, uint32_t site)
{
    return (uint32_t)(site * 0x9e3779b97f4a7c15ul >> 32) & (table->places - 1);
}

/* NULL: nothing is known of that frame. */
static inline const struct live_site *live_find(const struct live_table *table, uint32_t site)
{
    const struct live_site *sites = live_sites(table);
    uint32_t place = live_place(table, site);
    while (sites[place].site != site && sites[place].site != 0)
        place = (place + 1) & (table->places - 1);
    return sites[place].site == 0 ? NULL : &sites[place];
}

/* The registers of the function at this site that are live, if these are live in its caller. */
static inline uint8_t live_registers(const struct live_site *site, uint8_t above)
{
    uint64_t exits = 0;
    __builtin_memcpy(&exits, site->exits, sizeof site->exits);
    exits &= above * 0x0101010101010101;
    /* 1 in each byte that is not 0, the highest bit of which is free; then a bit for each byte */
    uint64_t some = (exits + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    return (uint8_t)(site->own | some * 0x0102040810204080 >> 56);
}

uint64_t live_sum(const void *bytes, size_t size);
/* Whether what lies there is a whole table: all that it refers to lies inside, and its sum is
 * right. */
bool live_is_sound(const struct live_table *table, size_t size);

#endif
