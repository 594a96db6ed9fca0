#define _GNU_SOURCE
#include "runtime/memory/shared_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/api.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"

/* The first words are those of the table. Files, positions, and threads or keys share the words of
 * their kind by their numbers; files without a number share one word. */
enum {
    WORDS_OF_A_KIND = 48,
    FILES = SHARED_WORDS - 3 * WORDS_OF_A_KIND - 1,
    POSITIONS = SHARED_WORDS - 2 * WORDS_OF_A_KIND,
    THREADS = SHARED_WORDS - WORDS_OF_A_KIND
};
_Static_assert((int)SHARED_STATES <= (int)FILES, "a word for each");

/* An open descriptor of the kernel's. An inode differs from execution to execution, so files and
 * positions are numbered as calls open them. Any two such calls are ordered (SHARED_DESCRIPTORS),
 * so equal executions number alike. The program's state: put back with the rest. */
static struct opened {
    uint64_t device, inode;
    uint32_t file, position; /* file: 0: it has no number */
} opened[DESCRIPTORS_MAX];
static uint32_t numbers, descriptors_end;

/* Files that were used without a number; one of them that a call opens later gets none. */
enum { NUMBERLESS_MAX = 16 };
static struct {
    uint64_t device, inode;
} numberless[NUMBERLESS_MAX];
static uint32_t numberless_count;

static const char *const labels[] = {
#define SHARED(name, label) label,
#include "runtime/memory/shared_state.def"
#undef SHARED
};

RETURNS_AS_USUAL bool shared_state_is_about(const void *address)
{
    return (uintptr_t)address - (uintptr_t)ex.pieces.words < sizeof ex.pieces.words;
}

static const char *label_of(uint32_t piece)
{
    return piece < SHARED_STATES ? labels[piece]
           : piece < POSITIONS   ? "what is in a file"
           : piece < THREADS     ? "the position in a file"
                                 : "what is known of a thread or a key";
}

/* In a detailed execution. */
static void name(uint32_t piece)
{
    uint64_t bit = 1ul << piece % 64, *named = &ex.pieces.named[piece / 64];
    if (likely(!rt.options->detail) || *named & bit)
        return;
    *named |= bit;
    api_name(&ex.pieces.words[piece], sizeof ex.pieces.words[piece], label_of(piece));
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
    uint32_t *word = &ex.pieces.words[piece], before = rt.trace.count;
    ex.memory.seen.piece = 1;
    name(piece);
    memory_called(word, sizeof *word, writes, site);
    if (rt.trace.count != before)
        ex.memory.shared_step = rt.trace.count;
    if (writes)
        changed(word, site);
}

/* Nothing is shared as long as there is one thread: it creates all others later. */
static bool counts(uintptr_t site)
{
    return ex.thread_count > 1 && called_counts(site) && rt.race_check;
}

/* Writes to standard output or standard error count as printed: no thread reads them. */
static bool is_printed(int descriptor, bool writes)
{
    return writes && (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO);
}

static uint32_t numbered(uint32_t first, uint64_t number)
{
    return first + (uint32_t)(mix_fold(number ^ 0x9e3779b97f4a7c15, 1) % WORDS_OF_A_KIND);
}

static struct opened *entry(int descriptor)
{
    return (unsigned)descriptor < DESCRIPTORS_MAX ? &opened[descriptor] : NULL;
}

static bool is_numberless(const struct stat *file)
{
    for (uint32_t i = 0; i < numberless_count; i++)
        if (numberless[i].device == file->st_dev && numberless[i].inode == file->st_ino)
            return true;
    return numberless_count == NUMBERLESS_MAX; /* more than are kept */
}

/* By another descriptor, or a mapping; 0: it has none. */
static uint32_t number_of(const struct stat *file)
{
    for (uint32_t i = 0; i < descriptors_end; i++)
        if (opened[i].inode == file->st_ino && opened[i].device == file->st_dev)
            return opened[i].file;
    return alias_file_number(file->st_dev, file->st_ino);
}

static bool status_of(int descriptor, struct stat *file)
{
    return os_call(SYS_fstat, descriptor, (long)file, 0, 0, 0, 0) == 0 && S_ISREG(file->st_mode);
}

static bool is_entry_of(const struct opened *at, const struct stat *file)
{
    return at != NULL && at->position != 0 && at->inode == file->st_ino &&
           at->device == file->st_dev;
}

int shared_file_opened(int descriptor, int flags, uintptr_t site)
{
    struct stat file;
    struct opened *at = entry(descriptor);
    if (at == NULL || !status_of(descriptor, &file))
        return descriptor;
    *at = (struct opened){0};
    uint32_t number = number_of(&file);
    if (number == 0 && !is_numberless(&file))
        number = ++numbers;
    *at = (struct opened){file.st_dev, file.st_ino, number, ++numbers};
    if ((uint32_t)descriptor >= descriptors_end)
        descriptors_end = (uint32_t)descriptor + 1;
    if (flags & O_TRUNC)
        shared_state_of_file(descriptor, SHARED_NOTHING, SHARED_CONTENTS, site);
    return descriptor;
}

void *shared_stream_opened(void *stream, const char *mode, uintptr_t site)
{
    if (stream != NULL)
        shared_file_opened(((FILE *)stream)->_fileno, mode[0] == 'w' ? O_TRUNC : 0, site);
    return stream;
}

/* A copied descriptor shares its position with the original. */
int shared_file_copied(int from, int to)
{
    const struct opened *source = entry(from);
    struct opened *copy = entry(to);
    if (source == NULL || copy == NULL || from == to)
        return to;
    *copy = *source;
    if ((uint32_t)to >= descriptors_end)
        descriptors_end = (uint32_t)to + 1;
    return to;
}

bool shared_file_copies(int command, uintptr_t site)
{
    if (command != F_DUPFD && command != F_DUPFD_CLOEXEC)
        return false;
    shared_state_accessed(SHARED_NOTHING, SHARED_DESCRIPTORS, -1, site);
    return true;
}

void shared_files_closed(unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last && i < descriptors_end; i++)
        opened[i] = (struct opened){0};
}

uint32_t shared_file_number(int descriptor)
{
    const struct opened *at = entry(descriptor);
    return at == NULL ? 0 : at->file;
}

static uint32_t file_word(uint32_t number)
{
    return number == 0 ? FILES : FILES + 1 + number % WORDS_OF_A_KIND;
}

static uint32_t contents_of(int descriptor, const struct stat *file)
{
    const struct opened *at = entry(descriptor);
    uint32_t number = is_entry_of(at, file) ? at->file : number_of(file);
    if (number == 0 && !is_numberless(file)) {
        numberless[numberless_count].device = file->st_dev;
        numberless[numberless_count++].inode = file->st_ino;
    }
    return file_word(number);
}

static uint32_t position_of(int descriptor, const struct stat *file)
{
    const struct opened *at = entry(descriptor);
    return is_entry_of(at, file) ? POSITIONS + at->position % WORDS_OF_A_KIND
                                 : numbered(POSITIONS, (uint64_t)descriptor);
}

void shared_state_of_file(int descriptor, uint32_t reads, uint32_t writes, uintptr_t site)
{
    struct stat file;
    if (!counts(site) || is_printed(descriptor, writes != 0) || !status_of(descriptor, &file))
        return;
    if ((reads | writes) & SHARED_CONTENTS)
        note_access(contents_of(descriptor, &file), writes & SHARED_CONTENTS, site);
    if (writes & SHARED_POSITION)
        note_access(position_of(descriptor, &file), true, site);
}

void shared_state_of_mapping(const void *address, uintptr_t site)
{
    uint32_t number;
    if (counts(site) && alias_file_at(address, &number))
        note_access(file_word(number), false, site);
}

/* A stream's buffer is shared, whatever kind of file it is. */
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
    if (!status_of(descriptor, &status))
        return;
    note_access(contents_of(descriptor, &status), !(file->_flags & ONLY_READS), site);
    if (is_entry_of(entry(descriptor), &status))
        note_access(position_of(descriptor, &status), true, site);
}

void shared_state_of_thread(uintptr_t thread, bool writes, uintptr_t site)
{
    if (counts(site))
        note_access(numbered(THREADS, thread), writes, site);
}

void shared_state_of_key(uint32_t key, bool writes, uintptr_t site)
{
    ex.memory.shared_step = 0;
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
        if (ex.pieces.words[i] != 0)
            digest += mix_fold(ex.pieces.words[i] ^ 0xc4ceb9fe1a85ec53, i ^ 0xff51afd7ed558ccd);
    return digest;
}
