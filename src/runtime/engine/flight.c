#include "runtime/engine/flight.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "core/address_name.h"
#include "core/fresh.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/upper.h"

static bool map_fresh(int fd)
{
    long at = os_call(SYS_mmap, FRESH_ADDRESS, (long)the_board->options.fresh_size, PROT_READ,
                      MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0);
    os_close(fd);
    const struct fresh_image *image = (const struct fresh_image *)FRESH_ADDRESS;
    return at == (long)FRESH_ADDRESS && image->magic == FRESH_MAGIC;
}

static bool map_live(int fd)
{
    long at = os_call(SYS_mmap, LIVE_ADDRESS, (long)the_board->options.live_size, PROT_READ,
                      MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0);
    os_close(fd);
    return at == (long)LIVE_ADDRESS;
}

static bool map_common(int fd)
{
    bool mapped = os_map_file(COMMON_ADDRESS, sizeof(struct common), fd) != NULL;
    os_close(fd);
    return mapped && the_board->sharing.number < WORKERS_MAX;
}

enum { HEAD = 2 * PAGE };
_Static_assert(offsetof(struct board, layout) + sizeof(struct layout) <= HEAD, "read first");

bool board_open(void)
{
    int fd = environment_number(BOARD_VARIABLE);
    if (fd < 0)
        return false;
    struct board *head = os_map_file(0, HEAD, fd);
    if (head == NULL || head->magic != BOARD_MAGIC || head->version != BOARD_VERSION)
        return false;
    uint64_t size = head->layout.size;
    os_unmap(head, HEAD);
    if (os_map_file(BOARD_ADDRESS, size, fd) == NULL)
        return false;
    os_close(fd);
    if (the_board->options.fresh_size != 0 && !map_fresh(fd - FRESH_BELOW))
        return false;
    if (the_board->sharing.shared && !map_common(fd - COMMON_BELOW))
        return false;
    if (the_board->options.live_size != 0 && !map_live(fd - LIVE_BELOW))
        return false;
    return the_board->options.memory_max == 0 || spill_map(fd - SPILL_BELOW);
}

void finding_text(char *to, const char *text)
{
    size_t i = 0;
    for (; text[i] != 0 && i < FINDING_TEXT_MAX - 1; i++)
        to[i] = text[i];
    to[i] = 0;
}

/* One that was kept before is only counted: what there is to say of it was said. */
static const struct finding *kept_before(uint64_t key)
{
    if (findings_are_told())
        return NULL;
    for (uint32_t i = 0; i < the_board->tally.finding_count && i < FINDINGS_MAX; i++)
        if (the_board->findings[i].key == key || finding_has_pair(&the_board->findings[i], key))
            return &the_board->findings[i];
    return NULL;
}

uint64_t site_name(uint64_t site)
{
    bool is_small = site < PAGE; /* what tells findings apart may be a number */
    return !is_small && module_has(site) ? address_name(the_board, site) : site;
}

static uint64_t key_of(enum finding_kind kind, uint64_t site, uint64_t other)
{
    uint64_t a = site_name(site), b = site_name(other);
    return mix(mix(kind, a < b ? a : b), a < b ? b : a);
}

struct finding *finding_shown(enum finding_kind kind, uint64_t site, uint64_t other)
{
    uint64_t key = key_of(kind, site, other);
    for (uint32_t i = 0; i < the_board->flight.finding_count; i++)
        if (the_board->flight.findings[i].key == key)
            return &the_board->flight.findings[i];
    return NULL;
}

void finding_here(struct finding *finding, uint64_t site)
{
    struct frames *frames = the_board->flight.frames[finding - the_board->flight.findings];
    finding->thread = ex.current;
    finding->places[0] = (struct place){
        .site = site, .thread = ex.current, .step = rt.trace.count == 0 ? 0 : rt.trace.count - 1};
    finding->places[1].thread = NO_THREAD;
    frames[0].count = frames[1].count = 0;
    if (rt.options->detail && !rt.in_signal)
        frames_here(&frames[0]);
}

bool finding_is_passed(enum finding_kind kind, uint64_t site, uint64_t other)
{
    bool passes = options_always(rt.options, key_of(kind, site, other)) < ALWAYS_MAX ||
                  the_board->flight.passed < rt.options->pass;
    the_board->flight.passed += passes;
    return passes;
}

struct finding *finding_add(enum finding_kind kind, const char *message, uint64_t site,
                            uint64_t other)
{
    return finding_add_by(detector_of(kind), kind, message, site, other);
}

struct finding *finding_add_by(enum detector_id detector, enum finding_kind kind,
                               const char *message, uint64_t site, uint64_t other)
{
    if (detector != NO_DETECTOR && !detects(rt.options->detect, detector))
        return NULL;
    if (unlikely(rt.worker.aftermath.on))
        return NULL;
    uint32_t at = the_board->flight.finding_count;
    uint64_t key = key_of(kind, site, other);
    if (finding_shown(kind, site, other) != NULL)
        return NULL;
    for (uint32_t i = 0; i < rt.options->suppressed_count && i < SUPPRESSED_MAX; i++)
        if (rt.options->suppressed[i] == key)
            return NULL;
    uint32_t always = options_always(rt.options, key);
    if (unlikely(always < ALWAYS_MAX)) {
        the_board->flight.always_seen |= 1u << always;
        return NULL;
    }
    if (at == FLIGHT_MAX) {
        the_board->flight.unkept = 1;
        if (kind == FINDING_RACE)
            return NULL;
        at--; /* what ends the execution is worth more than one race among many */
    }
    struct finding *finding = &the_board->flight.findings[at];
    const struct finding *kept = kept_before(key);
    if (kept != NULL) {
        finding->kind = kept->kind;
        finding->severity = kept->severity;
        finding->key = key;
        the_board->flight.finding_count = at + 1;
        return NULL;
    }
    memset(finding, 0, offsetof(struct finding, message)); /* texts are long, and end early */
    finding->message[0] = finding->file[0] = 0;
    finding->line = finding->sites_first = finding->sites = 0;
    finding->kind = (uint8_t)kind;
    finding->severity = (uint8_t)finding_severity(kind);
    finding->key = key;
    finding_text(finding->message, message);
    finding_here(finding, site);
    the_board->flight.finding_count = at + 1;
    return finding;
}

bool site_is_promoted_slow(uint64_t site)
{
    for (uint32_t i = 0; i < rt.memory.site_count; i++)
        if (the_board->sites[i] == site)
            return true;
    return false;
}

void sites_load(void)
{
    memset(rt.memory.site_filter, 0, sizeof rt.memory.site_filter);
    rt.memory.site_count = the_board->tally.site_count;
    CHECK(rt.memory.site_count <= SITES_MAX);
    rt.plain_points = rt.memory.site_count > 0 || rt.points == POINTS_ALL;
    for (uint32_t i = 0; i < rt.memory.site_count; i++) {
        uint32_t hash = site_hash(the_board->sites[i]);
        rt.memory.site_filter[hash / 64] |= 1ul << hash % 64;
    }
}

void site_promote(uint64_t site)
{
    if (site == 0 || site_is_promoted(site))
        return;
    uint32_t count = the_board->flight.site_count;
    for (uint32_t i = 0; i < count; i++)
        if (the_board->flight.sites[i] == site)
            return;
    if (count == FLIGHT_SITES_MAX)
        return; /* it will race again after the restart */
    the_board->flight.sites[count] = site;
    the_board->flight.site_count = count + 1;
}
