#include "runtime/worker/share.h"

#define _GNU_SOURCE
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "core/address_name.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/worker/worker.h"

enum { SPURIOUS_NAME = 1 };
_Static_assert(SPURIOUS_NAME < NAME_LEAST, "it is no name of an address");

static uint64_t name_of(void *context, uint32_t object)
{
    if (object == SPURIOUS_OBJECT)
        return SPURIOUS_NAME;
    return object == NO_OBJECT ? 0 : address_name(the_board, the_board->objects[object].address);
}

static uint32_t number_of(void *context, uint64_t name)
{
    if (name == SPURIOUS_NAME)
        return SPURIOUS_OBJECT;
    return name == 0 ? NO_OBJECT : object_number((const void *)address_named(the_board, name));
}

static const struct naming names = {.name = name_of, .number = number_of};

static void save_shared(void)
{
    journal_save(&the_board->journal, &the_board->shared, sizeof the_board->shared);
}

void share_open(void)
{
    save_shared();
    the_board->shared.search = the_board->sharing.search;
}

void share_give(void)
{
    struct board *board = the_board;
    struct parcel parcel = {.bytes = board_at(board, board->layout.outbox),
                            .size = (uint32_t)box_bytes(rt.options->steps_max),
                            .names = &names,
                            .news = board->sharing.news != 0};
    if (!rt.strategy->sharing.split(board->state, &rt.trace, &parcel))
        return;
    save_shared();
    board->shared.size = parcel.used;
    board->shared.given = board->sharing.asked;
}

static void adopt(void)
{
    struct board *board = the_board;
    struct parcel parcel = {.bytes = board_at(board, board->layout.inbox),
                            .size = board->sharing.size,
                            .names = &names};
    /* where the plan goes that follows from what is adopted */
    struct decision *room = board_at(board, board->layout.decisions[1 - board->which]);
    struct subtree subtree;
    bool fits = parcel.size <= box_bytes(rt.options->steps_max);
    worker_change_begin();
    save_shared();
    while (fits && parcel_take(&parcel, &subtree, room, rt.options->steps_max))
        fits = strcmp(subtree.strategy, rt.strategy->name) == 0 &&
               rt.strategy->sharing.adopt(board->state, &subtree);
    if (!fits || parcel.used != parcel.size)
        give_up("part of the search was damaged on its way to another worker");
    board->shared.adopted = board->sharing.delivered;
    worker_change_end();
}

/* A worker with nothing left to do still reports. */
static void report(void)
{
    worker_change_begin();
    save_shared();
    share_give();
    worker_change_end();
}

static void rise(void)
{
    worker_change_begin();
    rt.strategy->sharing.rise(the_board->state);
    worker_change_end();
}

/* While others search, too, a bound may be over here and not there. */
static bool may_rise(void)
{
    return rt.strategy->sharing.rise != NULL && !the_board->planned &&
           the_board->sharing.bound > the_board->tally.bound;
}

static bool find_work(void)
{
    struct board *board = the_board;
    if (!board->opened)
        return share_may_open();
    if (rt.strategy->sharing.crown != CROWN_NONE && share_is_asked() && !board->planned)
        report();
    if (board->shared.adopted != board->sharing.delivered)
        adopt();
    if (may_rise())
        rise();
    return board->planned && share_is_granted();
}

/* The coordinator looks after workers whenever a child of it is said to have changed. */
static void call_coordinator(void)
{
    long parent = os_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
    if (parent > 1)
        os_call(SYS_kill, parent, SIGCHLD, 0, 0, 0, 0);
}

bool share_rest(void)
{
    struct sharing *sharing = &the_board->sharing;
    if (!sharing->shared)
        return false;
    for (;;) {
        uint32_t bell = __atomic_load_n(&sharing->bell, __ATOMIC_SEQ_CST);
        uint32_t order = __atomic_load_n(&the_board->control.order, __ATOMIC_SEQ_CST);
        if (order == ORDER_LEAVE)
            return false;
        if (order == ORDER_GO_ON && find_work())
            return true;
        __atomic_store_n(&sharing->rests, bell, __ATOMIC_SEQ_CST);
        call_coordinator();
        os_call(SYS_futex, (long)&sharing->bell, FUTEX_WAIT, bell, 0, 0, 0);
    }
}
