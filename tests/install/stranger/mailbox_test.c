#include <assert.h>
#include <stddef.h>

#include "mailbox.h"

static void *write_letter(void *mailbox)
{
    mailbox_put(mailbox);
    return NULL;
}

int main(void)
{
    struct mailbox mailbox;
    pthread_t writers[2];
    mailbox_open(&mailbox);
    for (int i = 0; i < 2; i++)
        pthread_create(&writers[i], NULL, write_letter, &mailbox);
    for (int i = 0; i < 2; i++)
        pthread_join(writers[i], NULL);
    assert(mailbox_count(&mailbox) == 2);
    return 0;
}
