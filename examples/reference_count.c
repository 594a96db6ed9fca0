/* A shared document with a reference count that is atomic, and used wrongly: the count is lowered
 * in one step and looked at in another. Two owners that let go at once can both see zero, and one of
 * them reads the count in memory that the other has already freed.
 *
 * Bohr says, in short:
 *
 *     finding 1: a use-after-free: heap block #1 of T0 (8 bytes, from reference_count.c:51): T0
 *         reads it atomically (document_release, line 39) after T1 freed it (document_release,
 *         line 40)
 *         T1 freed block #1 of T0 at line 40 before T0 read it at line 39
 *         the preemption that matters: T0 before it read block #1 of T0 at line 39
 *
 *       lines without a file are of reference_count.c
 *       step  T0                                          T1
 *          0  atomic store block #1 of T0  :54
 *          1  create T1  :58
 *          2  atomic update block #1 of T0  :38
 *             ── T0 is preempted ──
 *          3                                              atomic update block #1 of T0  :38
 *          4                                              atomic load block #1 of T0  :39
 *          5                                              free block #1 of T0  :40
 *          6  atomic load block #1 of T0  :39 ◀
 *
 * expect: finding use-after-free
 * expect: finding race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct document {
    atomic_int owners;
    int words;
};

static void document_release(struct document *document)
{
    atomic_fetch_sub(&document->owners, 1);
    if (atomic_load(&document->owners) == 0)
        free(document);
}

static void *print(void *document)
{
    document_release(document);
    return NULL;
}

int main(void)
{
    struct document *document = malloc(sizeof *document);
    if (document == NULL)
        return 1;
    atomic_init(&document->owners, 2);
    document->words = 250;

    pthread_t printer;
    pthread_create(&printer, NULL, print, document);
    document_release(document);
    pthread_join(printer, NULL);
    return 0;
}
