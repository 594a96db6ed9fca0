#include "runtime/model/file_spare.h"

#include "runtime/heap/heap.h"
#include "runtime/model/socket.h"

enum { BLOCKS_MAX = 128 };

struct file_spares {
    uint32_t count;
    struct made {
        char *block;
        size_t size;
        bool is_file;
        bool used;    /* as far as is known */
        bool visited; /* … and what it points to */
    } all[BLOCKS_MAX];
};

void file_spares_begin(void)
{
    ex.file_spares = execution_take(sizeof *ex.file_spares);
    ex.file_spares->count = 0;
}

void file_spares_end(void)
{
    ex.file_spares = NULL;
}

void file_spare_note(void *block, bool is_file)
{
    struct file_spares *spares = ex.file_spares;
    if (likely(spares == NULL) || spares->count == BLOCKS_MAX)
        return;
    spares->all[spares->count++] =
        (struct made){.block = block, .size = heap_size(block), .is_file = is_file};
}

static void use(uintptr_t word)
{
    struct file_spares *spares = ex.file_spares;
    for (uint32_t i = 0; i < spares->count; i++)
        if (word - (uintptr_t)spares->all[i].block < spares->all[i].size)
            spares->all[i].used = true;
}

/* Files point only to what files are made of. */
static void use_words(const void *block, size_t size)
{
    const uintptr_t *words = block;
    for (size_t i = 0; i < size / sizeof *words; i++)
        if (words[i] != 0)
            use(words[i]);
}

static void use_wait(const struct file_wait *wait)
{
    use((uintptr_t)wait->file);
    for (uint32_t i = 0; i < wait->look_count; i++)
        use((uintptr_t)wait->looks[i].file);
}

static void use_roots(struct file_spares *spares)
{
    for (uint32_t i = 0; i < spares->count; i++) {
        struct made *made = &spares->all[i];
        made->visited = false;
        made->used = made->is_file && !((const struct file *)made->block)->closed;
    }
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (file_of(i) != NULL)
            use_words(file_of(i), heap_size(file_of(i)));
    THREADS_EACH(thread, &ex.live)
    if (thread != ex.current && file_op_waits(ex.pending[thread].kind))
        use_wait(ex.threads[thread].mutex);
    address_visit(use);
    epolls_visit(use);
}

static bool visit_one(struct file_spares *spares)
{
    for (uint32_t i = 0; i < spares->count; i++) {
        struct made *made = &spares->all[i];
        if (!made->used || made->visited)
            continue;
        made->visited = true;
        use_words(made->block, made->size);
        return true;
    }
    return false;
}

void file_spare_collect(void)
{
    struct file_spares *spares = ex.file_spares;
    if (likely(spares == NULL) || spares->count == 0)
        return;
    use_roots(spares);
    while (visit_one(spares))
        ;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spares->count; i++)
        if (spares->all[i].used)
            spares->all[kept++] = spares->all[i];
        else
            heap_give(spares->all[i].block);
    spares->count = kept;
}
