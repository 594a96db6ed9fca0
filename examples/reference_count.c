/* A shared document with a reference count that is atomic, and used wrongly: the count is lowered in
 * one step and looked at in another. Two owners that let go at once can both see zero, and one of
 * them reads the count in memory that the other has already freed.
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
