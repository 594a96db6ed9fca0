#define _GNU_SOURCE
#include "coordinator/code/live_table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/os.h"
#include "coordinator/code/code_scan.h"
#include "coordinator/code/live_code.h"
#include "coordinator/text.h"

/* More code than that would take seconds to look at. */
enum { TEXT_BYTES_MAX = 4 << 20 };
enum { SITES_MAX_LISTED = 1 << 20, WORDS_MAX_LISTED = 8 << 20 };

struct listing {
    struct live_table head;
    const void *text;
    struct live_site *sites;
    size_t count, capacity;
    struct live_word *words;
    size_t word_count, word_capacity;
};

static void *room_for(void *all, size_t count, size_t *capacity, size_t size)
{
    if (count <= *capacity)
        return all;
    *capacity = 2 * count;
    all = reallocarray(all, *capacity, size);
    CHECK(all != NULL);
    return all;
}

static void add_site(void *context, const struct liveness_site *site)
{
    struct listing *out = context;
    if (site->address - out->head.text_start > out->head.text_size || site->address > UINT32_MAX ||
        site->words > UINT16_MAX || site->count > UINT16_MAX || out->count == SITES_MAX_LISTED ||
        out->word_count + site->count > WORDS_MAX_LISTED)
        return;
    out->sites = room_for(out->sites, out->count + 1, &out->capacity, sizeof *out->sites);
    out->words = room_for(out->words, out->word_count + site->count, &out->word_capacity,
                          sizeof *out->words);
    struct live_site *added = &out->sites[out->count++];
    *added = (struct live_site){.site = (uint32_t)site->address,
                                .words = (uint16_t)site->words,
                                .own = site->own,
                                .last = site->last,
                                .count = (uint16_t)site->count,
                                .first = (uint32_t)out->word_count};
    memcpy(added->exits, site->exits, sizeof added->exits);
    if (site->count > 0)
        memcpy(out->words + out->word_count, site->live, site->count * sizeof *out->words);
    out->word_count += site->count;
}

/* The program's code: its largest part that can be executed. */
static bool find_text(struct listing *out, Elf *elf)
{
    size_t parts = 0, size = 0;
    const char *file = elf_rawfile(elf, &size);
    if (file == NULL || elf_getphdrnum(elf, &parts) != 0)
        return false;
    for (size_t i = 0; i < parts; i++) {
        GElf_Phdr part;
        if (gelf_getphdr(elf, (int)i, &part) == NULL || part.p_type != PT_LOAD ||
            !(part.p_flags & PF_X) || part.p_filesz <= out->head.text_size ||
            part.p_offset > size || part.p_filesz > size - part.p_offset)
            continue;
        out->head.text_start = part.p_vaddr;
        out->head.text_size = part.p_filesz;
        out->text = file + part.p_offset;
    }
    if (out->text == NULL || out->head.text_size > TEXT_BYTES_MAX)
        return false;
    out->head.text_sum = live_sum(out->text, out->head.text_size);
    return true;
}

/* All functions are explored before any is told of: whether a call passes arguments on the stack
 * shows in what it calls. */
static void list_sites(struct listing *out, struct live_code *code)
{
    for (size_t i = 0; i < code->piece_count; i++)
        if (code->pieces[i].known && !code->pieces[i].interrupts)
            code->pieces[i].function = liveness_explore(&code->code, code->pieces[i].start);
    for (size_t i = 0; i < code->piece_count; i++) {
        struct liveness_function *function = code->pieces[i].function;
        if (function != NULL && liveness_calls_hook(function))
            liveness_sites(function, add_site, out);
    }
}

static struct live_table *lay_out(struct listing *out)
{
    uint32_t places = 16;
    while (places < 2 * out->count)
        places *= 2;
    out->head.magic = LIVE_MAGIC;
    out->head.version = LIVE_VERSION;
    out->head.places = places;
    out->head.word_count = (uint32_t)out->word_count;
    out->head.size =
        sizeof out->head + places * sizeof *out->sites + out->word_count * sizeof *out->words;
    struct live_table *table = calloc(1, out->head.size);
    CHECK(table != NULL);
    *table = out->head;
    struct live_site *sites = (struct live_site *)(table + 1);
    for (size_t i = 0; i < out->count; i++) {
        uint32_t place = live_place(table, out->sites[i].site);
        while (sites[place].site != 0 && sites[place].site != out->sites[i].site)
            place = (place + 1) & (places - 1);
        sites[place] = out->sites[i];
    }
    if (out->word_count > 0)
        memcpy(sites + places, out->words, out->word_count * sizeof *out->words);
    table->sum = live_sum(table + 1, table->size - sizeof *table);
    CHECK(live_is_sound(table, table->size));
    return table;
}

static struct live_file publish(const struct live_table *table)
{
    struct live_file file = {.fd = memfd_create("bohr-live", MFD_CLOEXEC | MFD_ALLOW_SEALING),
                             .sum = table->sum};
    if (file.fd < 0 || os_write(file.fd, table, table->size) != 0 ||
        fcntl(file.fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0) {
        if (file.fd >= 0)
            close(file.fd);
        return (struct live_file){.fd = -1};
    }
    file.size = table->size;
    return file;
}

static struct live_file make(const char *path)
{
    struct live_file file = {.fd = -1};
    struct listing listing = {.count = 0};
    struct live_code code;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF && code_is_instrumented(elf) &&
        find_text(&listing, elf)) {
        if (live_code_open(&code, elf))
            list_sites(&listing, &code);
        live_code_close(&code);
    }
    if (listing.count > 0) {
        struct live_table *table = lay_out(&listing);
        if (table->size <= LIVE_BYTES_MAX)
            file = publish(table);
        free(table);
    }
    free(listing.sites);
    free(listing.words);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return file;
}

struct live_file live_table_of(const char *path)
{
    static struct live_file made;
    static const char *made_of;
    if (made_of == NULL || strcmp(made_of, path) != 0) {
        if (made_of != NULL && made.fd >= 0)
            close(made.fd);
        made = make(path);
        made_of = text_copy(path, strlen(path));
    }
    return made;
}
