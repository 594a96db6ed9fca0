/* Record of an execution below the top, read from its last byte to its first: how many decisions of
 * the execution above are left out, how many come instead, its check, and these decisions. Numbers
 * have seven bits a byte, lowest last. */
#include "strategy/bounded/pile.h"

#include <string.h>

enum {
    /* Bits of the first number for the decisions left out; a larger number comes after it. */
    DROP_BITS = 3,
    DROP_MOST = (1 << DROP_BITS) - 1,
    /* Most bytes of one decision and of the numbers that a record has once: six numbers of five
     * bytes. */
    RECORD_BYTES = 32,
    /* Most decisions of an execution that is given away: to move one saves its record. */
    LONGEST_GIVEN = JOURNAL_BYTES / 16,
};

void pile_open(struct pile *pile, struct arena *arena, uint32_t steps_max, struct chunks *chunks,
               uint32_t stream)
{
    *pile = (struct pile){.chunks = chunks, .stream = stream};
    for (int which = 0; which < 2; which++) {
        pile->tops[which] = arena_take(arena, steps_max * sizeof *pile->top);
        /* Touches the memory, should space run out before its first use. */
        pile->tops[which][0] = (struct decision){0};
    }
    pile->top = pile->tops[0];
}

static struct stream *save(struct pile *pile)
{
    struct journal *journal = pile->chunks->journal;
    if (pile->begun != journal->begun) {
        journal_save(journal, &pile->begun, sizeof *pile - offsetof(struct pile, begun));
        pile->begun = journal->begun;
        pile->top_held = pile->top_count;
    }
    return chunks_stream(pile->chunks, pile->stream);
}

struct writer { /* Gathers bytes for the stream. */
    struct pile *pile;
    uint32_t count;
    uint8_t bytes[128];
};

static void flush(struct writer *writer)
{
    chunks_put(writer->pile->chunks, writer->pile->stream, writer->bytes, writer->count);
    writer->count = 0;
}

static void put(struct writer *writer, uint32_t number)
{
    if (number >= 0x80) {
        put(writer, number >> 7);
        number |= 0x80;
    }
    writer->bytes[writer->count++] = (uint8_t)number;
}

static inline uint32_t take(struct taker *taker)
{
    uint32_t byte = taker_take(taker), number = byte & 0x7f;
    for (uint32_t shift = 7; byte >= 0x80; shift += 7) {
        byte = taker_take(taker);
        number |= (byte & 0x7f) << shift;
    }
    return number;
}

static uint32_t step_after(const struct decision *decisions, uint32_t count)
{
    return count > 0 ? decisions[count - 1].step + 1 : 0;
}

/* Makes room for decisions after the first `shared`. Decisions that were there when the transaction
 * began stay where they are, so the others go to the other buffer. */
static void make_room(struct pile *pile, uint32_t shared)
{
    if (shared >= pile->top_held)
        return;
    struct decision *other = pile->tops[pile->top == pile->tops[0]];
    memcpy(other, pile->top, shared * sizeof *other);
    pile->top = other;
    pile->top_held = 0;
}

/* Writes the top as a record, below a new top with `count` decisions that shares the first
 * `shared`. */
static void cover(struct pile *pile, uint32_t shared, uint32_t count)
{
    struct writer writer = {.pile = pile, .count = 0};
    uint32_t tail = pile->top_count - shared, drop = count - shared;
    for (uint32_t i = pile->top_count; i-- > shared;) {
        const struct decision *decision = &pile->top[i];
        if (writer.count > sizeof writer.bytes - RECORD_BYTES)
            flush(&writer);
        if (decision->choice > 0)
            put(&writer, decision->choice);
        put(&writer, (uint32_t)decision->thread << 1 | (decision->choice > 0));
        put(&writer, decision->step - step_after(pile->top, i));
    }
    put(&writer, pile->top_check);
    if (drop >= DROP_MOST)
        put(&writer, drop - DROP_MOST);
    put(&writer, tail << DROP_BITS | (drop < DROP_MOST ? drop : DROP_MOST));
    flush(&writer);
}

static void uncover(struct pile *pile)
{
    struct taker taker = taker_begin(pile->chunks, pile->stream);
    uint32_t head = take(&taker), drop = head & DROP_MOST, tail = head >> DROP_BITS;
    if (drop == DROP_MOST)
        drop += take(&taker);
    pile->top_check = take(&taker);
    CHECK(drop <= pile->top_count);
    uint32_t count = pile->top_count - drop;
    make_room(pile, count);
    uint32_t step = step_after(pile->top, count);
    for (; tail > 0; tail--, count++, step++) {
        step += take(&taker);
        uint32_t thread = take(&taker);
        pile->top[count] = (struct decision){
            .step = step,
            .thread = (thread_id)(thread >> 1),
            .choice = thread & 1 ? (uint16_t)take(&taker) : 0,
        };
    }
    pile->top_count = count;
    taker_end(&taker);
}

static uint32_t decisions_shared(const struct pile *pile, const struct decision *decisions,
                                 uint32_t count)
{
    uint32_t most = count < pile->top_count ? count : pile->top_count, shared = 0;
    while (shared < most && memcmp(&decisions[shared], &pile->top[shared], sizeof *decisions) == 0)
        shared++;
    return shared;
}

bool pile_has_room(const struct pile *pile)
{
    return chunks_have_room(pile->chunks, (pile->top_count + 1ul) * RECORD_BYTES);
}

void pile_push(struct pile *pile, const struct decision *decisions, uint32_t count, uint64_t check)
{
    if (!pile_has_room(pile)) {
        chunks_lose(pile->chunks, 1);
        return;
    }
    struct stream *stream = save(pile);
    uint32_t shared = decisions_shared(pile, decisions, count);
    if (stream->count > 0)
        cover(pile, shared, count);
    make_room(pile, shared);
    for (uint32_t i = shared; i < count; i++)
        pile->top[i] = decisions[i];
    pile->top_count = count;
    pile->top_check = schedule_check(check);
    stream->count++;
}

void pile_pop(struct pile *pile)
{
    struct stream *stream = save(pile);
    CHECK(stream->count > 0);
    stream->count--;
    if (stream->count > 0) {
        uncover(pile);
        return;
    }
    pile->top_count = 0;
    chunks_clear(pile->chunks, pile->stream);
}

void pile_turn_to(struct pile *pile, uint32_t number)
{
    if (number == pile->stream)
        return;
    if (save(pile)->count > 0)
        cover(pile, 0, 0);
    pile->stream = number;
    pile->top_count = 0;
    if (save(pile)->count > 0)
        uncover(pile);
}

void pile_peek(const struct pile *pile, struct schedule *schedule)
{
    uint32_t count = pile->top_count;
    CHECK(count <= schedule->prefix_capacity);
    memcpy(schedule->prefix, pile->top, count * sizeof *pile->top);
    schedule->prefix_count = count;
    schedule->check_step = count > 0 ? pile->top[count - 1].step : 0;
    schedule->check = pile->top_check;
}

uint32_t pile_read(const struct pile *pile, struct decision *decisions)
{
    uint32_t count = pile->top_count;
    memcpy(decisions, pile->top, count * sizeof *decisions);
    decisions[count] = (struct decision){0};
    return count;
}

static void move_top(struct pile *from, struct pile *to)
{
    pile_push(to, from->top, from->top_count, from->top_check);
    pile_pop(from);
}

/* Gives away every second execution. Executions of one bound are alike, and those of one path
 * become larger towards the bottom, so both halves are alike either way. */
bool pile_split(struct pile *pile, struct pile *spare, struct subtree form, int32_t bound,
                struct parcel *out)
{
    bool given = false;
    while (pile_count(pile) > 1 && pile->chunks->journal->used < JOURNAL_BYTES / 4) {
        move_top(pile, spare);
        if (pile->top_count > LONGEST_GIVEN || !parcel_has_room(out, pile->top_count))
            break;
        form.bound = bound;
        form.check = pile->top_check;
        form.floor = pile->top_count > 0 ? pile->top[pile->top_count - 1].step : 0;
        form.prefix = pile->top;
        form.prefix_count = pile->top_count;
        parcel_put(out, &form);
        pile_pop(pile);
        given = true;
    }
    while (pile_count(spare) > 0)
        move_top(spare, pile);
    return given;
}
