/* A queue of bytes or of datagrams from one end to the other. */
#ifndef RUNTIME_FILE_CHANNEL_H
#define RUNTIME_FILE_CHANNEL_H

#include "runtime/file/file.h"

enum {
    CHANNEL_PAGE = 4096,
    PIPE_PAGES = 16,
    SOCKET_PAGES = 52
}; /* 212992 bytes, as Linux has it */

struct packet { /* a datagram, or some bytes of a stream */
    struct packet *next;
    uint32_t start, end, room;
    char *bytes;
    struct address from;
};

struct channel {
    struct source source;
    bool datagrams;
    bool apart;                          /* what is put there next begins a page of its own */
    uint32_t readers, writers;           /* ends that are open */
    uint32_t readers_ever, writers_ever; /* readers and writers that there ever were */
    uint32_t packets, packets_max;
    size_t bytes;
    struct packet *first, *last;
};

struct channel *channel_make(bool datagrams, uint32_t packets_max, uintptr_t site);
size_t channel_room(const struct channel *channel,
                    size_t size); /* what of so many bytes fits now */
void channel_put(struct channel *channel, struct transfer *transfer, size_t size);
void channel_put_datagram(struct channel *channel, struct transfer *transfer,
                          const struct address *from);
void channel_touch_taken(struct channel *channel); /* the step is about to take some */
long channel_take(struct channel *channel, struct transfer *transfer); /* there are some */
void channel_drain(struct channel *channel);
uint64_t channel_still(struct channel *channel, struct still *still); /* NULL: none */

#endif
