#define _GNU_SOURCE
#include "coordinator/share/parcels.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TASKS_JUDGED = 32, TASK_EXECUTIONS = 100 };
#define TASK_SECONDS  0.02
#define ALONE_SECONDS 0.5 /* the first time; doubled each time */
#define ALONE_LONGEST 60.0
/* a worker that has been at work for less may be through before it is asked */
#define BUSY_SECONDS 0.01

uint64_t member_executions(const struct member *member)
{
    return member->board->tally.executions + member->board->tally.cut;
}

double crew_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void crew_grant(struct crew *crew, struct member *member)
{
    if (crew->executions_max == 0)
        return;
    uint64_t share = crew->left / (2 * crew->count);
    share = share > 0 ? share : crew->left > 0;
    crew->left -= share;
    member->board->control.granted += share;
}

void member_ring(struct member *member)
{
    uint32_t *bell = &member->board->sharing.bell;
    __atomic_add_fetch(bell, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Wakes a resting worker: there is something to do for it. */
void crew_wake(struct crew *crew, struct member *member)
{
    crew_grant(crew, member);
    member_ring(member);
    crew->woken++;
}

uint32_t board_box_size(const struct board *board)
{
    return (uint32_t)box_bytes(board->options.steps_max);
}

struct parcel member_inbox(const struct member *member)
{
    const struct board *board = member->board;
    return (struct parcel){.bytes = board_at(board, board->layout.inbox),
                           .size = board_box_size(board)};
}

void member_deliver(struct member *member, uint32_t size)
{
    struct sharing *sharing = &member->board->sharing;
    sharing->size = size;
    __atomic_store_n(&sharing->delivered, sharing->delivered + 1, __ATOMIC_SEQ_CST);
}

bool member_is_idle(const struct member *member)
{
    const struct board *board = member->board;
    return member_rests(member) && board->opened && !board->planned &&
           board->shared.adopted == board->sharing.delivered;
}

/* Size of the parcel that was asked for, read between two transactions of the worker; 0: not given
 * yet. */
static uint32_t parcel_waits(const struct member *member)
{
    const struct board *board = member->board;
    uint64_t sealed = __atomic_load_n(&board->journal.sequence, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&board->journal.begun, __ATOMIC_SEQ_CST) != sealed)
        return 0;
    uint32_t given = __atomic_load_n(&board->shared.given, __ATOMIC_SEQ_CST);
    uint32_t size = __atomic_load_n(&board->shared.size, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&board->journal.begun, __ATOMIC_SEQ_CST) != sealed)
        return 0;
    return given != member->taken ? size : 0;
}

static bool is_overwritten(struct problem *why)
{
    return problem_is(why,
                      "the tested program overwrote the memory in which the search is kept; "
                      "try --isolate fork",
                      NULL, 0);
}

static bool carry(struct crew *crew, struct member *from, struct member *to, uint32_t size,
                  struct problem *why)
{
    struct parcel inbox = member_inbox(to);
    const uint8_t *outbox = board_at(from->board, from->board->layout.outbox);
    bool sound = size <= inbox.size;
    if (sound)
        memcpy(inbox.bytes, outbox, size);
    if (!sound || !parcel_is_sound(inbox.bytes, size))
        return is_overwritten(why);
    from->taken = from->board->sharing.asked;
    member_deliver(to, size);
    crew_wake(crew, to);
    return true;
}

static struct member *somebody_idle(struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (member_is_idle(&crew->members[i]))
            return &crew->members[i];
    return NULL;
}

/* Brings parcels to idle workers. A parcel that no worker can take stays where it is. */
bool crew_carry(struct crew *crew, struct problem *why)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *from = &crew->members[i];
        if (from->board->sharing.asked == from->taken)
            continue;
        /* asked first: the worker may give something and rest meanwhile */
        bool rests = member_rests(from);
        uint32_t size = parcel_waits(from);
        if (size == 0) {
            if (rests) /* the worker has nothing left itself */
                from->board->sharing.asked = from->taken;
            continue;
        }
        struct member *to = somebody_idle(crew);
        if (to != NULL && !carry(crew, from, to, size, why))
            return false;
    }
    return true;
}

/* The worker with most pending work. If that is unknown, workers take turns. */
static struct member *somebody_to_ask(struct crew *crew)
{
    struct member *best = NULL;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[(crew->turn + i) % crew->count];
        if (member_rests(member) || !member->board->opened ||
            member->board->sharing.asked != member->taken)
            continue;
        if (best == NULL || member->board->tally.pending > best->board->tally.pending)
            best = member;
    }
    if (best != NULL)
        crew->turn = (uint32_t)(best - crew->members) + 1;
    return best;
}

void crew_ask(struct crew *crew)
{
    uint32_t wanted = 0, asked = 0;
    for (uint32_t i = 0; i < crew->count; i++) {
        wanted += member_is_idle(&crew->members[i]);
        asked += crew->members[i].board->sharing.asked != crew->members[i].taken;
    }
    for (; asked < wanted; asked++) {
        struct member *member = somebody_to_ask(crew);
        if (member == NULL)
            return;
        member->board->sharing.asked = member->taken + 1;
    }
}

static bool is_asked(const struct member *member)
{
    return member->board->sharing.asked != member->taken;
}

/* Asks a worker for pending work, or only for news. The answer comes as soon as there is
 * something. */
static void ask_for(struct member *member, bool work)
{
    member->board->sharing.news = !work;
    if (!is_asked(member))
        __atomic_store_n(&member->board->sharing.asked, member->taken + 1, __ATOMIC_SEQ_CST);
}

/* Where most work is at the top of the tree, the subtrees that can be handed out are small, and
 * carrying one costs more than running it. Then one worker works alone for a while, with the whole
 * search. */
static void judge_task(struct crew *crew, const struct member *member, double now)
{
    crew->tasks.count++;
    crew->tasks.executions += member_executions(member) - member->before;
    crew->tasks.seconds += now - member->since;
    if (crew->tasks.count < TASKS_JUDGED)
        return;
    bool small = crew->tasks.executions < TASKS_JUDGED * TASK_EXECUTIONS &&
                 crew->tasks.seconds < TASKS_JUDGED * TASK_SECONDS;
    double longer = 2 * crew->alone_seconds;
    crew->alone_seconds = !small                   ? 0
                          : longer < ALONE_SECONDS ? ALONE_SECONDS
                          : longer < ALONE_LONGEST ? longer
                                                   : ALONE_LONGEST;
    crew->alone_until = now + crew->alone_seconds;
    memset(&crew->tasks, 0, sizeof crew->tasks);
}

static bool must_wait(const struct crew *crew, double now)
{
    if (now >= crew->alone_until)
        return false;
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->crown.held[i] != 0)
            return true;
    return false;
}

static bool bring_to_crown(struct crew *crew, uint32_t number, double now, struct problem *why)
{
    struct member *from = &crew->members[number];
    uint32_t size = is_asked(from) ? parcel_waits(from) : 0;
    if (size == 0)
        return true;
    struct parcel parcel = {.bytes = crew->copy, .size = size};
    if (size > board_box_size(from->board))
        return is_overwritten(why);
    memcpy(crew->copy, board_at(from->board, from->board->layout.outbox), size);
    if (!crown_take(&crew->crown, number, &parcel))
        return is_overwritten(why);
    from->taken = from->board->sharing.asked;
    if (crew->crown.held[number] == 0)
        judge_task(crew, from, now);
    return true;
}

/* Brings what workers have given to the crown, and subtrees from the crown to idle workers. */
bool crew_tend_crown(struct crew *crew, struct problem *why)
{
    bool wanted = false;
    double now = crew_seconds();
    for (uint32_t i = 0; i < crew->count; i++)
        if (!bring_to_crown(crew, i, now, why))
            return false;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[i];
        if (!member_is_idle(member) || crew->crown.held[i] != 0 || must_wait(crew, now))
            continue;
        struct parcel inbox = member_inbox(member);
        if (!crown_give(&crew->crown, i, &inbox)) {
            wanted = true;
            continue;
        }
        member->since = now;
        member->before = member_executions(member);
        member_deliver(member, inbox.used);
        crew_wake(crew, member);
    }
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[i];
        if (crew->crown.held[i] == 0)
            continue;
        ask_for(member,
                wanted && crown_has_room(&crew->crown) && now - member->since > BUSY_SECONDS);
        if (member_is_idle(member)) /* the worker is through, and has not said so */
            crew_wake(crew, member);
    }
    return true;
}
