#define _GNU_SOURCE
#include "runtime/memory/shared_state.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/alias.h"
#include "runtime/file/file.h"
#include "runtime/memory/api.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"

/* The first words are those of the table. One word stands for what is in all files: an inode, and
 * the name of a temporary file, differ from execution to execution. Positions and threads share the
 * rest by their numbers. */
enum {
    WORDS_OF_A_KIND = 48,
    POSITIONS = SHARED_WORDS - 2 * WORDS_OF_A_KIND,
    THREADS = POSITIONS + WORDS_OF_A_KIND,
    FILES = POSITIONS - 1
};
_Static_assert((int)SHARED_STATES <= (int)FILES, "a word for each");

static const char *const labels[] = {
#define SHARED(name, label) label,
#include "runtime/memory/shared_state.def"
#undef SHARED
};

bool shared_state_is_about(const void *address)
{
    return (uintptr_t)address - (uintptr_t)ex.shared_words < sizeof ex.shared_words;
}

static const char *label_of(uint32_t piece)
{
    return piece < SHARED_STATES ? labels[piece]
           : piece == FILES      ? "what is in a file"
           : piece < THREADS     ? "the position in a file"
                                 : "what is known of a thread or a key";
}

/* In a detailed execution. */
static void name(uint32_t piece)
{
    uint64_t bit = 1ul << piece % 64, *named = &ex.shared_named[piece / 64];
    if (likely(!rt.options->detail) || *named & bit)
        return;
    *named |= bit;
    api_name(&ex.shared_words[piece], sizeof ex.shared_words[piece], label_of(piece));
}

/* The word changes with each write, and as the order of the writes says: so a loop that waits for
 * the state goes on, and states of the program are only equal if they are. */
static void changed(uint32_t *word, uintptr_t site)
{
    uint64_t by = mix_fold(*word ^ 0x9e3779b97f4a7c15, ex.me->name ^ site);
    *word = (uint32_t)(by ^ by >> 32) | 1;
}

static void note_access(uint32_t piece, bool writes, uintptr_t site)
{
    uint32_t *word = &ex.shared_words[piece], before = rt.trace.count;
    name(piece);
    memory_called(word, sizeof *word, writes, site);
    if (rt.trace.count != before)
        ex.shared_step = rt.trace.count;
    if (writes)
        changed(word, site);
}

/* Nothing is shared as long as there is one thread: it creates all others later. */
static bool counts(uintptr_t site)
{
    return ex.thread_count > 1 && called_counts(site) && rt.race_check;
}

/* What goes to standard output or standard error counts as printed: nobody reads it. */
static bool is_printed(int descriptor, bool writes)
{
    return writes && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO);
}

static uint32_t numbered(uint32_t first, uint64_t number)
{
    return first + (uint32_t)(mix_fold(number ^ 0x9e3779b97f4a7c15, 1) % WORDS_OF_A_KIND);
}

/* Two descriptors that dup made have one position, which is not known here. */
void shared_state_of_file(int descriptor, uint32_t reads, uint32_t writes, uintptr_t site)
{
    struct stat file;
    if (!counts(site) || is_printed(descriptor, writes != 0) ||
        os_call(SYS_fstat, descriptor, (long)&file, 0, 0, 0, 0) != 0 || !S_ISREG(file.st_mode))
        return;
    if ((reads | writes) & SHARED_CONTENTS)
        note_access(FILES, writes & SHARED_CONTENTS, site);
    if (writes & SHARED_POSITION)
        note_access(numbered(POSITIONS, (uint64_t)descriptor), true, site);
}

void shared_state_of_mapping(const void *address, uintptr_t site)
{
    struct file_part file;
    if (counts(site) && alias_file_at(address, &file))
        note_access(FILES, false, site);
}

/* A stream's buffer and position are shared, whatever kind of file it is. */
void shared_state_of_stream(const void *stream, uintptr_t site)
{
    enum { ONLY_READS = 0x8 }; /* _IO_NO_WRITES */
    const FILE *file = stream;
    struct stat status;
    int descriptor = file->_fileno;
    if (!counts(site) || is_printed(descriptor, true) || descriptor < 0 ||
        file_of(descriptor) != NULL)
        return;
    note_access(numbered(POSITIONS, (uintptr_t)stream), true, site);
    if (os_call(SYS_fstat, descriptor, (long)&status, 0, 0, 0, 0) == 0 && S_ISREG(status.st_mode))
        note_access(FILES, !(file->_flags & ONLY_READS), site);
}

void shared_state_of_thread(uintptr_t thread, bool writes, uintptr_t site)
{
    if (counts(site))
        note_access(numbered(THREADS, thread), writes, site);
}

void shared_state_of_key(uint32_t key, bool writes, uintptr_t site)
{
    ex.shared_step = 0;
    if (counts(site))
        note_access(THREADS + key % WORDS_OF_A_KIND, writes, site);
}

void shared_state_accessed(uint32_t reads, uint32_t writes, int descriptor, uintptr_t site)
{
    if (!counts(site))
        return;
    for (uint32_t piece = 0; piece < SHARED_STATES; piece++)
        if ((reads | writes) & 1u << piece)
            note_access(piece, writes & 1u << piece, site);
    if ((reads | writes) & (SHARED_CONTENTS | SHARED_POSITION))
        shared_state_of_file(descriptor, reads, writes, site);
}

uint64_t shared_state_digest(void)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < SHARED_WORDS; i++)
        if (ex.shared_words[i] != 0)
            digest += mix_fold(ex.shared_words[i] ^ 0xc4ceb9fe1a85ec53, i ^ 0xff51afd7ed558ccd);
    return digest;
}
