#define _GNU_SOURCE
#include "runtime/model/shared_state.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/model/api.h"
#include "runtime/model/file.h"

/* The first words are those of the table; files and threads share the rest by their numbers. */
enum {
    WORDS_OF_A_KIND = 48,
    FILES = SHARED_WORDS - 2 * WORDS_OF_A_KIND,
    THREADS = FILES + WORDS_OF_A_KIND
};
_Static_assert((int)SHARED_STATES <= (int)FILES, "a word for each");

static const char *const labels[] = {
#define SHARED(name, label) label,
#include "runtime/model/shared_state.def"
#undef SHARED
};

bool shared_state_is_about(const void *address)
{
    return (uintptr_t)address - (uintptr_t)ex.shared_words < sizeof ex.shared_words;
}

static const char *label_of(uint32_t piece)
{
    return piece < SHARED_STATES ? labels[piece]
           : piece < THREADS     ? "what is in a file"
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

static void note_file(const struct stat *file, bool writes, uintptr_t site)
{
    note_access(FILES + (uint32_t)(mix_fold(file->st_ino, file->st_dev) % WORDS_OF_A_KIND), writes,
                site);
}

void shared_state_of_file(int descriptor, bool writes, uintptr_t site)
{
    struct stat file;
    if (counts(site) && !is_printed(descriptor, writes) &&
        os_call(SYS_fstat, descriptor, (long)&file, 0, 0, 0, 0) == 0 && S_ISREG(file.st_mode))
        note_file(&file, writes, site);
}

/* Its buffer and its place are shared, whatever kind of file it is. */
void shared_state_of_stream(const void *stream, uintptr_t site)
{
    int descriptor = ((const FILE *)stream)->_fileno;
    struct stat file;
    if (counts(site) && !is_printed(descriptor, true) && descriptor >= 0 &&
        file_of(descriptor) == NULL && os_call(SYS_fstat, descriptor, (long)&file, 0, 0, 0, 0) == 0)
        note_file(&file, true, site);
}

void shared_state_of_thread(uintptr_t thread, bool writes, uintptr_t site)
{
    if (counts(site))
        note_access(THREADS + (uint32_t)(mix_fold(thread, 1) % WORDS_OF_A_KIND), writes, site);
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
    if ((reads | writes) & SHARED_CONTENTS)
        shared_state_of_file(descriptor, writes & SHARED_CONTENTS, site);
}

uint64_t shared_state_digest(void)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < SHARED_WORDS; i++)
        if (ex.shared_words[i] != 0)
            digest += mix_fold(ex.shared_words[i] ^ 0xc4ceb9fe1a85ec53, i ^ 0xff51afd7ed558ccd);
    return digest;
}
