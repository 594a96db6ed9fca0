/* Bytes are kept as Linux keeps those of a pipe: in so many pages, where a write goes on in the
 * last page if what does not fill a page fits there. So a pipe is full when Linux says so. */
#include "runtime/file/channel.h"

#include <string.h>

#include "base/mix.h"
#include "runtime/file/still.h"

enum { ROOM_FIRST = 128 };

struct channel *channel_make(bool datagrams, uint32_t packets_max, uintptr_t site)
{
    struct channel *channel = file_memory(sizeof *channel, site);
    channel->datagrams = datagrams;
    channel->packets_max = packets_max;
    channel->readers = channel->writers = 1;
    channel->readers_ever = channel->writers_ever = 1;
    return channel;
}

/* The bytes of a write that go on in the last page. */
static size_t merges(const struct channel *channel, size_t size)
{
    size_t odd = size % CHANNEL_PAGE;
    bool fits = channel->last != NULL && channel->last->end + odd <= CHANNEL_PAGE;
    return fits && !channel->apart ? odd : 0;
}

size_t channel_room(const struct channel *channel, size_t size)
{
    size_t merged = merges(channel, size);
    size_t free = channel->packets < channel->packets_max
                      ? (size_t)(channel->packets_max - channel->packets) * CHANNEL_PAGE
                      : 0;
    return size - merged <= free ? size : merged + free;
}

static void packet_reserve(struct packet *packet, size_t size)
{
    if (packet->room >= size)
        return;
    size_t room = packet->room == 0 ? ROOM_FIRST : packet->room;
    while (room < size)
        room *= 2;
    char *bytes = execution_take(room);
    if (packet->end > 0)
        memcpy(bytes, packet->bytes, packet->end);
    packet->bytes = bytes;
    packet->room = (uint32_t)room;
}

static struct packet *packet_add(struct channel *channel)
{
    struct packet *packet = execution_take(sizeof *packet);
    if (channel->last == NULL)
        channel->first = packet;
    else
        channel->last->next = packet;
    channel->last = packet;
    channel->packets++;
    return packet;
}

static void packet_fill(struct channel *channel, struct packet *packet, struct transfer *transfer,
                        size_t size)
{
    packet_reserve(packet, packet->end + size);
    transfer_copy(transfer, packet->bytes + packet->end, size, false);
    packet->end += (uint32_t)size;
    channel->bytes += size;
}

void channel_put(struct channel *channel, struct transfer *transfer, size_t size)
{
    size_t merged = merges(channel, transfer->size - transfer->done);
    if (merged > 0 && merged <= size) {
        packet_fill(channel, channel->last, transfer, merged);
        size -= merged;
    }
    while (size > 0) {
        size_t some = size < CHANNEL_PAGE ? size : CHANNEL_PAGE;
        packet_fill(channel, packet_add(channel), transfer, some);
        size -= some;
    }
}

void channel_put_datagram(struct channel *channel, struct transfer *transfer,
                          const struct address *from)
{
    struct packet *packet = packet_add(channel);
    packet->from = *from;
    packet_fill(channel, packet, transfer, transfer->size);
}

static void deliver(struct transfer *transfer, struct packet *packet, uint32_t start, size_t size)
{
    transfer_note(transfer, size);
    while (size > 0) { /* bytes that were read before are skipped, not moved */
        size_t some = packet->end - start < size ? packet->end - start : size;
        transfer_copy(transfer, packet->bytes + start, some, true);
        size -= some;
        packet = packet->next;
        start = 0; /* only the first can have been read in part */
    }
}

static void packet_drop(struct channel *channel)
{
    struct packet *packet = channel->first;
    channel->first = packet->next;
    if (channel->first == NULL)
        channel->last = NULL;
    channel->packets--;
}

static long take_datagram(struct channel *channel, struct transfer *transfer)
{
    struct packet *packet = channel->first;
    size_t whole = packet->end, size = transfer->size - transfer->done;
    transfer->whole = whole;
    transfer->cut = size < whole;
    transfer->address = packet->from;
    size = size < whole ? size : whole;
    if (!(transfer->flags & MSG_PEEK)) {
        packet_drop(channel);
        channel->bytes -= whole;
    }
    deliver(transfer, packet, 0, size);
    return (long)size;
}

/* Writers hear of it only if there was no room. */
void channel_touch_taken(struct channel *channel)
{
    if (channel->packets >= channel->packets_max)
        source_leave(&channel->source);
    else
        source_touch(&channel->source);
}

long channel_take(struct channel *channel, struct transfer *transfer)
{
    if (channel->datagrams)
        return take_datagram(channel, transfer);
    size_t size = transfer->size - transfer->done;
    size = size < channel->bytes ? size : channel->bytes;
    struct packet *first = channel->first;
    uint32_t start = first->start;
    if (!(transfer->flags & MSG_PEEK)) {
        channel->bytes -= size;
        for (size_t left = size; left > 0;) {
            struct packet *packet = channel->first;
            size_t some = packet->end - packet->start;
            if (some > left) {
                packet->start += (uint32_t)left;
                break;
            }
            left -= some;
            packet_drop(channel);
        }
    }
    deliver(transfer, first, start, size);
    return (long)size;
}

void channel_drain(struct channel *channel)
{
    channel->first = channel->last = NULL;
    channel->packets = 0;
    channel->bytes = 0;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        size_t some = size < sizeof(uint64_t) ? size : sizeof(uint64_t);
        uint64_t word = 0;
        memcpy(&word, at, some);
        hash = mix(hash, word);
        at += some;
        size -= some;
    }
    return hash;
}

/* Where a packet begins counts, too: how much can be added to it depends on where it ends. */
uint64_t channel_still(struct channel *channel, struct still *still)
{
    uint64_t hash = 1;
    if (channel == NULL)
        return 0;
    for (const struct packet *packet = channel->first; packet != NULL; packet = packet->next) {
        hash = mix(hash, (uint64_t)packet->start << 32 | packet->end);
        hash = hash_bytes(hash, packet->bytes + packet->start, packet->end - packet->start);
        hash = hash_bytes(hash, &packet->from, sizeof packet->from);
    }
    still_pointer(still, &channel->first);
    still_pointer(still, &channel->last);
    return hash;
}
