#include "core/claim.h"

#include <stddef.h>

#include "base/assert.h"
#include "base/out.h"

const char *claim_word(enum claim_kind kind)
{
    switch (kind) {
    case CLAIM_NOTHING:
        return "nothing";
    case CLAIM_SAMPLED:
        return "sampled";
    case CLAIM_WITHIN_BOUND:
        return "within-bound";
    case CLAIM_ALL_CLASSES:
        return "all-classes";
    case CLAIM_ALL_STATES:
        return "all-states";
    case CLAIM_ALL:
        return "all";
    case CLAIM_BLOCKS:
        return "blocks";
    case CLAIM_BLOCKS_AND_CIRCLES:
        return "blocks-and-circles";
    }
    UNREACHABLE();
}

static const struct {
    const char *word, *text;
} causes[UNREDUCED_CAUSES] = {
#define UNREDUCED(name, word, text) [UNREDUCED_##name] = {word, text},
#include "core/unreduced.def"
#undef UNREDUCED
};

const char *unreduced_word(enum unreduced cause)
{
    CHECK(cause < UNREDUCED_CAUSES);
    return causes[cause].word;
}

static void count_text(struct out *out, uint64_t count, const char *noun)
{
    out_number(out, count);
    out_char(out, ' ');
    out_text(out, noun);
    if (count != 1)
        out_char(out, 's');
}

static void say_count(struct out *out, const char *before, uint64_t count, const char *noun,
                      const char *after)
{
    out_text(out, before);
    count_text(out, count, noun);
    out_text(out, after);
}

/* A plural, without its last letter where there is one. */
static void noun_text(struct out *out, const char *nouns, bool one)
{
    for (; nouns[0] != 0 && !(one && nouns[1] == 0); nouns++)
        out_char(out, nouns[0]);
}

static bool is_blocks(const struct claim_facts *facts)
{
    return facts->kind == CLAIM_BLOCKS || facts->kind == CLAIM_BLOCKS_AND_CIRCLES;
}

/* Losses that no bound contains. */
static bool lost_something(const struct claim_facts *facts)
{
    enum effect { KEEPS, LOSES };
#define CLAUSE(effect, condition, words) ((effect) == LOSES && (condition)) ||
    return
#include "core/claim.def"
        facts->stopped == STOP_REFUSED || facts->stopped == STOP_REPLAY;
#undef CLAUSE
}

static enum claim_kind kind_left(const struct claim_facts *facts)
{
    if (facts->kind == CLAIM_SAMPLED && facts->stopped != STOP_REFUSED &&
        facts->stopped != STOP_REPLAY)
        return CLAIM_SAMPLED;
    if (lost_something(facts))
        return CLAIM_NOTHING;
    if (facts->complete)
        return facts->kind;
    if (facts->bound_name != NULL && facts->bound_done >= 0)
        return CLAIM_WITHIN_BOUND;
    return CLAIM_NOTHING;
}

/* A bug of depth d shows in an execution with a probability of at least 1 / (n k^(d-1)). Returns n
 * k^(d-1), or UINT64_MAX if it is larger. */
static uint64_t chance_inverse(const struct guarantee *guarantee)
{
    uint64_t inverse = guarantee->threads;
    for (uint32_t i = 1; i < guarantee->depth; i++)
        if (__builtin_mul_overflow(inverse, guarantee->steps, &inverse))
            return UINT64_MAX;
    return inverse;
}

/* The probability that all executions miss the bug, in units of 2^-64, rounded up after each
 * multiplication. */
static uint64_t all_miss(const struct guarantee *guarantee)
{
    uint64_t inverse = chance_inverse(guarantee);
    if (inverse < 2)
        return 0;
    uint64_t base = UINT64_MAX - UINT64_MAX / inverse + 1, result = UINT64_MAX;
    for (uint64_t left = guarantee->executions; left > 0; left >>= 1) {
        if (left & 1)
            result = (uint64_t)((unsigned __int128)result * base >> 64) + 1;
        base = (uint64_t)((unsigned __int128)base * base >> 64) + 1;
    }
    return result;
}

/* Rounds up: the text says "at most". */
static void percent_text(struct out *out, uint64_t fraction)
{
    uint64_t thousandths = (uint64_t)((unsigned __int128)fraction * 100000 >> 64) + 1;
    out_number(out, thousandths / 1000);
    out_char(out, '.');
    out_number(out, thousandths / 100 % 10);
    out_number(out, thousandths / 10 % 10);
    out_number(out, thousandths % 10);
    out_char(out, '%');
}

static void say_guarantee(struct out *out, const struct guarantee *guarantee)
{
    out_text(out, "; each shows a bug of depth ");
    out_number(out, guarantee->depth);
    out_text(out, " with a probability of at least 1/(");
    out_number(out, guarantee->threads);
    out_text(out, " threads * ");
    out_number(out, guarantee->steps);
    out_text(out, " steps ^ ");
    out_number(out, guarantee->depth - 1);
    out_text(out, "), so that all ");
    out_number(out, guarantee->executions);
    out_text(out, " miss one with at most ");
    percent_text(out, all_miss(guarantee));
}

static void say_explored(struct out *out, const struct claim *claim,
                         const struct claim_facts *facts)
{
    switch (claim->kind) {
    case CLAIM_NOTHING:
        if (facts->stopped == STOP_REPLAY)
            out_text(out, "one recorded execution was run again");
        else
            count_text(out, facts->executions, "execution");
        out_text(out, "; nothing is proved");
        return;
    case CLAIM_SAMPLED:
        count_text(out, facts->executions, "execution");
        out_text(out, " sampled; nothing is proved");
        if (facts->guarantee.depth > 0 && facts->guarantee.executions > 0)
            say_guarantee(out, &facts->guarantee);
        return;
    case CLAIM_WITHIN_BOUND:
        if (facts->bound_is_depth) {
            out_text(out, "every interleaving of the first ");
            out_number(out, (uint64_t)claim->value);
            out_char(out, ' ');
            noun_text(out, claim->bound, claim->value == 1);
            out_text(out, " explored, each continued in the default order");
            return;
        }
        out_text(out, facts->reduces ? "every class that has an interleaving with at most "
                                     : "every interleaving with at most ");
        out_number(out, (uint64_t)claim->value);
        out_char(out, ' ');
        noun_text(out, claim->bound, claim->value == 1);
        out_text(out, " explored: a bug that remains needs at least ");
        out_number(out, (uint64_t)claim->value + 1);
        return;
    case CLAIM_ALL_CLASSES:
        out_text(out, facts->classes == 1 ? "the only class" : "all ");
        if (facts->classes > 1)
            out_number(out, facts->classes), out_char(out, ' ');
        out_text(out, facts->classes == 1 ? " of interleavings explored ("
                                          : "classes of interleavings explored (");
        count_text(out, facts->executions, "execution");
        out_char(out, ')');
        return;
    case CLAIM_ALL_STATES:
        if (facts->states.known == 1 && !facts->states.full) {
            out_text(out, "the only reachable state explored (");
        } else {
            out_text(out, "all ");
            if (!facts->states.full)
                out_number(out, facts->states.known), out_char(out, ' ');
            out_text(out, "reachable states explored (");
        }
        count_text(out, facts->executions, "execution");
        out_char(out, ')');
        return;
    case CLAIM_ALL:
        if (facts->last_executions == 1) {
            out_text(out, "the only interleaving explored");
            return;
        }
        out_text(out, "all ");
        if (facts->last_executions > 0)
            out_number(out, facts->last_executions), out_char(out, ' ');
        out_text(out, "interleavings explored");
        return;
    case CLAIM_BLOCKS:
    case CLAIM_BLOCKS_AND_CIRCLES:
        out_text(out, "all orders of atomic blocks that can make a difference explored (");
        count_text(out, facts->executions, "execution");
        out_text(out, claim->kind == CLAIM_BLOCKS
                          ? "): every failure and final state, but not every deadlock of locks "
                            "taken in a circle"
                          : "): every failure and final state, and a deadlock if there is one");
        return;
    }
    UNREACHABLE();
}

static void say_stop(struct out *out, const struct claim_facts *facts)
{
    switch (facts->stopped) {
    case STOP_NONE:
    case STOP_REPLAY:
        return;
    case STOP_FINDING:
        out_text(out, "; the search stopped at the first finding");
        return;
    case STOP_EXECUTIONS:
        out_text(out, "; the search stopped at the limit of executions");
        return;
    case STOP_TIME:
        out_text(out, "; the search stopped at the time limit");
        return;
    case STOP_INTERRUPT:
        out_text(out, "; the search was interrupted");
        return;
    case STOP_REFUSED:
        out_text(out, "; the program did what is not modelled: ");
        out_text(out, facts->refusal);
        return;
    }
    UNREACHABLE();
}

static void say_unreduced(struct out *out, uint32_t unreduced)
{
    out_text(out, "; the reduction does not know all orders with ");
    for (enum unreduced i = 0; i < UNREDUCED_CAUSES; i++) {
        uint32_t more = unreduced >> i >> 1;
        if (!(unreduced >> i & 1))
            continue;
        out_text(out, causes[i].text);
        if (more != 0)
            out_text(out, (more & (more - 1)) == 0 ? ", and " : ", ");
    }
}

static void say_shared(struct out *out, const struct shared_memory *shared)
{
    out_text(out, "; process ");
    out_number(out, shared->process);
    out_text(out, " shares memory at ");
    out_hex(out, shared->address);
    out_text(out, " with the program: its steps are not controlled, so interleavings with them "
                  "were not explored");
}

static void say_clauses(struct out *out, const struct claim_facts *facts)
{
#define CLAUSE(effect, condition, words)                                                           \
    if (condition)                                                                                 \
        (words);
#include "core/claim.def"
#undef CLAUSE
}

void claim_state(struct claim *claim, const struct claim_facts *facts)
{
    claim->kind = kind_left(facts);
    bool bounded = claim->kind == CLAIM_WITHIN_BOUND;
    CHECK(!bounded || facts->bound_name != NULL);
    claim->bound = bounded ? facts->bound_name : NULL;
    claim->value = bounded ? facts->bound_done : 0;
    claim->unreduced = facts->unreduced;
    claim->shared = facts->shared;
    struct out out = out_to(-1, claim->text, sizeof claim->text);
    say_explored(&out, claim, facts);
    say_stop(&out, facts);
    say_clauses(&out, facts);
    out_text(&out, "; under sequential consistency");
    out_string(&out);
}
