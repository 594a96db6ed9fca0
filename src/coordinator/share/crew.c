#define _GNU_SOURCE
#include "coordinator/share/crew.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/share/knowledge.h"
#include "coordinator/share/parcels.h"
#include "core/address_name.h"
#include "core/sum.h"

#define CROWN_ADDRESS 0x300000000000ul
_Static_assert((int)WORKERS_MAX <= (int)CROWN_HOLDERS_MAX, "each worker may hold a subtree");

static bool is_shared(const struct crew *crew)
{
    return crew->count > 1;
}

static void open_crown(struct crew *crew)
{
    CHECK(madvise(crew->crown_bytes, CROWN_BYTES, MADV_REMOVE) == 0);
    struct arena arena = {.bytes = crew->crown_bytes, .capacity = CROWN_BYTES};
    const struct board *board = crew->members[0].board;
    crown_open(&crew->crown, &arena, crew->strategy, board->options.steps_max, crew->bound,
               board->tally.fails);
}

/* Gives the whole search to the first worker. */
static void deliver_whole(struct crew *crew)
{
    struct parcel parcel = member_inbox(&crew->members[0]);
    struct subtree whole = strategy_whole(crew->strategy, crew->left);
    if (crew->crown_bytes != NULL) {
        open_crown(crew);
        CHECK(crown_give(&crew->crown, 0, &parcel));
    } else {
        parcel_put(&parcel, &whole);
    }
    member_deliver(&crew->members[0], parcel.used);
}

static void begin_search(struct crew *crew)
{
    crew->bound = 0;
    crew->bound_done = NO_BOUND;
    deliver_whole(crew);
    crew->search++;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[i];
        member->board->sharing.bound = 0;
        member->board->sharing.search = crew->search;
        __atomic_store_n(&member->board->control.order, ORDER_GO_ON, __ATOMIC_SEQ_CST);
        crew_wake(crew, member);
    }
}

char *crown_memory_open(int *fd)
{
    *fd = memfd_create("bohr-crown", MFD_CLOEXEC);
    if (*fd < 0)
        return NULL;
    void *bytes = MAP_FAILED;
    if (ftruncate(*fd, (off_t)CROWN_BYTES) == 0)
        bytes = mmap((void *)CROWN_ADDRESS, CROWN_BYTES, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, *fd, 0);
    if (bytes != MAP_FAILED)
        return bytes;
    close(*fd);
    return NULL;
}

void crown_memory_close(char *bytes, int fd)
{
    munmap(bytes, CROWN_BYTES);
    close(fd);
}

/* The limit of executions minus those already run is free to be granted. */
static void share_limit(struct crew *crew)
{
    uint64_t run = 0;
    for (uint32_t i = 0; crew->executions_max > 0 && i < crew->count; i++) {
        struct member *member = &crew->members[i];
        member->board->control.granted = member_executions(member);
        run += member_executions(member);
    }
    crew->left = run < crew->executions_max ? crew->executions_max - run : 0;
}

static void go_on(struct crew *crew, const struct crew_state *from)
{
    crew->search = from->search;
    crew->site_count = from->site_count;
    crew->turn = from->turn;
    crew->bound = from->bound;
    crew->bound_done = from->bound_done;
    if (crew->crown_bytes != NULL) {
        crew->crown = from->crown;
        crown_go_on(&crew->crown);
    }
    double now = crew_seconds();
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[i];
        member->taken = from->taken[i];
        member->since = now;
        member->before = member_executions(member);
        crew_grant(crew, member);
    }
}

void crew_open(struct crew *crew, const struct board_handle *boards, uint32_t count,
               const struct crew_left *left)
{
    CHECK(count > 0 && count <= WORKERS_MAX);
    memset(crew, 0, sizeof *crew);
    const struct options *options = &boards[0].board->options;
    crew->count = count;
    crew->strategy = strategy_of_worker(options->strategy);
    for (uint32_t i = 0; i < count; i++)
        crew->members[i] = member_open(&boards[i]);
    if (!is_shared(crew))
        return;
    CHECK(crew->strategy != NULL && crew->strategy->sharing.split != NULL);
    if (left != NULL) {
        crew->crown_bytes = left->crown_bytes;
        crew->crown_fd = left->crown_fd;
    } else if (crew->strategy->sharing.crown != CROWN_NONE) {
        crew->crown_bytes = crown_memory_open(&crew->crown_fd);
        CHECK(crew->crown_bytes != NULL);
    }
    crew->copy = malloc(board_box_size(boards[0].board));
    CHECK(crew->copy != NULL);
    crew->executions_max = options->executions_max;
    for (uint32_t i = 0; i < count; i++) {
        boards[i].board->sharing.shared = 1;
        boards[i].board->sharing.number = i;
    }
    share_limit(crew);
    if (left != NULL)
        go_on(crew, &left->state);
    else
        begin_search(crew);
}

struct crew_state crew_state_of(const struct crew *crew)
{
    struct crew_state state = {.search = crew->search,
                               .site_count = crew->site_count,
                               .turn = crew->turn,
                               .crowned = crew->crown_bytes != NULL,
                               .bound = crew->bound,
                               .bound_done = crew->bound_done,
                               .crown = crew->crown};
    for (uint32_t i = 0; i < crew->count; i++)
        state.taken[i] = crew->members[i].taken;
    return state;
}

void crew_close(struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        member_close(&crew->members[i]);
    free(crew->copy);
    if (crew->crown_bytes != NULL)
        crown_memory_close(crew->crown_bytes, crew->crown_fd);
}

struct member *crew_member_of(struct crew *crew, const struct worker *worker)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->members[i].worker == worker)
            return &crew->members[i];
    UNREACHABLE();
}

bool crew_is_finished(const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (!crew->members[i].finished)
            return false;
    return true;
}

static void order(struct crew *crew, enum order order)
{
    for (uint32_t i = 0; i < crew->count; i++)
        __atomic_store_n(&crew->members[i].board->control.order, order, __ATOMIC_SEQ_CST);
}

void crew_leave(struct crew *crew)
{
    if (crew->leaving)
        return;
    crew->leaving = true;
    order(crew, ORDER_LEAVE);
    for (uint32_t i = 0; is_shared(crew) && i < crew->count; i++)
        member_ring(&crew->members[i]);
}

/* The functions that follow say why a worker rests. */

static bool wants_restart(const struct member *member)
{
    const struct board *board = member->board;
    return !board->opened && board->shared.search == board->sharing.search;
}

static bool is_out_of_grant(const struct member *member)
{
    return member_rests(member) && member->board->opened && member->board->planned;
}

static bool everybody_rests(const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (!member_rests(&crew->members[i]))
            return false;
    return true;
}

bool crew_wants_restart(const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (wants_restart(&crew->members[i]))
            return true;
    return false;
}

/* Executions granted to a resting worker can be granted to others. */
static void count_left(struct crew *crew)
{
    if (crew->executions_max == 0)
        return;
    uint64_t granted = 0;
    for (uint32_t i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[i];
        if (member_rests(member))
            member->board->control.granted = member_executions(member);
        granted += member->board->control.granted;
    }
    crew->left = granted < crew->executions_max ? crew->executions_max - granted : 0;
}

static void grant_more(struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (is_out_of_grant(&crew->members[i]) && crew->left > 0)
            crew_wake(crew, &crew->members[i]);
}

int32_t crew_bound(const struct crew *crew)
{
    int32_t bound = crew->bound;
    for (uint32_t i = 0; i < crew->count; i++)
        if (crew->members[i].board->opened && crew->members[i].board->tally.bound > bound)
            bound = crew->members[i].board->tally.bound;
    return bound;
}

/* Whether the crown is done with a bound, and parts of the search lie beyond that bound. */
static bool crown_goes_on(const struct crew *crew)
{
    int32_t last = crew->members[0].board->options.bound;
    return crown_is_done(&crew->crown) && crew->crown.beyond && crew->bound != last;
}

/* For a crown the next bound is a search from the start. */
static void go_to_next_bound(struct crew *crew)
{
    crew->bound_done = crew_bound(crew);
    crew->bound = crew->bound_done + 1;
    if (crew->crown_bytes != NULL)
        deliver_whole(crew);
    for (uint32_t i = 0; i < crew->count; i++) {
        crew->members[i].board->sharing.bound = crew->bound;
        crew_wake(crew, &crew->members[i]);
    }
}

/* All workers rest, and none could be given work: the bound, the limit of executions or the search
 * is at its end. */
static void go_further(struct crew *crew)
{
    bool pending = false;
    for (uint32_t i = 0; i < crew->count; i++) {
        if (is_out_of_grant(&crew->members[i])) {
            crew_leave(crew);
            return;
        }
        pending |= crew->members[i].board->tally.pending > 0;
    }
    if (crew->crown_bytes != NULL ? crown_goes_on(crew) : pending) {
        go_to_next_bound(crew);
        return;
    }
    crew->over = crew->crown_bytes == NULL || crown_is_done(&crew->crown);
    crew_leave(crew);
}

static bool site_is_known(const struct board *board, uint32_t count, uint64_t site)
{
    for (uint32_t i = 0; i < count; i++)
        if (board->sites[i] == site)
            return true;
    return false;
}

/* Merges the sites of all boards. Sites that findings were made with keep their places in the
 * list. */
static uint32_t unite_sites(struct crew *crew)
{
    struct board *first = crew->members[0].board;
    uint32_t count = first->tally.site_count;
    for (uint32_t i = 1; i < crew->count; i++) {
        struct board *board = crew->members[i].board;
        for (uint32_t k = crew->site_count; k < board->tally.site_count; k++) {
            uint64_t site = address_moved(first, board, board->sites[k]);
            if (site_is_known(first, count, site))
                continue;
            if (count == SITES_MAX) {
                first->tally.races_unpromoted = 1;
                break;
            }
            first->sites[count++] = site;
        }
    }
    for (uint32_t i = 1; i < crew->count; i++) {
        struct board *board = crew->members[i].board;
        for (uint32_t k = 0; k < count; k++)
            board->sites[k] = address_moved(board, first, first->sites[k]);
    }
    return count;
}

void crew_forget_search(struct crew *crew)
{
    uint64_t restarts = crew->search;
    crew->site_count = unite_sites(crew);
    knowledge_unite(crew->members, crew->count);
    for (uint32_t i = 0; i < crew->count; i++) {
        struct board *board = crew->members[i].board;
        struct tally *tally = &board->tally;
        tally->site_count = crew->site_count;
        tally->restarts = restarts;
        tally->buggy = tally->classes = tally->fingerprint_sum = tally->pending = 0;
        memset(tally->always_shown, 0, sizeof tally->always_shown);
        tally->classified = tally->class_sum = tally->classes_reduced = tally->vain = 0;
        tally->bounds = tally->complete = tally->over = 0;
        tally->bound = tally->bound_done = NO_BOUND;
        tally_seal(tally);
        board->coverage.count = 0;
        board->coverage.next = 0;
        board->opened = 0;
        board->shared.adopted = board->sharing.delivered;
        board->sharing.asked = crew->members[i].taken = board->shared.given;
    }
    crew->bound = 0;
    crew->bound_done = NO_BOUND;
}

static bool restart(struct crew *crew, struct problem *why)
{
    for (uint32_t i = 0; i < crew->count; i++)
        if (!board_is_sound(crew->members[i].handle, why))
            return false;
    crew->resting = false;
    if (!crew_wants_restart(crew)) { /* the worker that wanted it died before that was sealed */
        order(crew, ORDER_GO_ON);
        for (uint32_t i = 0; i < crew->count; i++)
            crew_wake(crew, &crew->members[i]);
        return true;
    }
    crew_forget_search(crew);
    if (crew->executions_max > 0 && crew->left == 0)
        crew_leave(crew);
    else
        begin_search(crew);
    return true;
}

static bool somebody_is_through(const struct crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct member *member = &crew->members[i];
        if (member_rests(member) && member->board->opened && member->board->tally.over)
            return true;
    }
    return false;
}

bool crew_tend(struct crew *crew, struct problem *why)
{
    if (!is_shared(crew) || crew->leaving)
        return true;
    if (!crew->resting && crew_wants_restart(crew)) {
        crew->resting = true;
        order(crew, ORDER_REST);
    }
    bool all_rest = everybody_rests(crew); /* read before anything is counted or carried */
    uint64_t woken = crew->woken;
    count_left(crew);
    if (crew->resting)
        return !all_rest || restart(crew, why);
    if (somebody_is_through(crew)) {
        crew->over = crew->proved = true;
        crew_leave(crew);
        return true;
    }
    if (!(crew->crown_bytes != NULL ? crew_tend_crown(crew, why) : crew_carry(crew, why)))
        return false;
    grant_more(crew);
    if (crew->crown_bytes == NULL)
        crew_ask(crew);
    if (all_rest && crew->woken == woken) /* a woken worker may be at rest again already */
        go_further(crew);
    return true;
}
