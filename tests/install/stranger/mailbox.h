#ifndef MAILBOX_H
#define MAILBOX_H

#include <pthread.h>

struct mailbox {
    pthread_mutex_t lock;
    int letters;
};

void mailbox_open(struct mailbox *mailbox);
void mailbox_put(struct mailbox *mailbox);
int mailbox_count(struct mailbox *mailbox);

#endif
