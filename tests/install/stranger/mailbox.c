#include "mailbox.h"

#include <stddef.h>

void mailbox_open(struct mailbox *mailbox)
{
    pthread_mutex_init(&mailbox->lock, NULL);
    mailbox->letters = 0;
}

/* The bug: the count is read in one critical section and written in another. */
void mailbox_put(struct mailbox *mailbox)
{
    int letters = mailbox_count(mailbox);
    pthread_mutex_lock(&mailbox->lock);
    mailbox->letters = letters + 1;
    pthread_mutex_unlock(&mailbox->lock);
}

int mailbox_count(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->lock);
    int letters = mailbox->letters;
    pthread_mutex_unlock(&mailbox->lock);
    return letters;
}
