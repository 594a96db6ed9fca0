/* Random toy programs: few threads, few operations, nested locks, lost wake-ups, choices. */
#include "base/mix.h"
#include "support/toy.h"

struct maker {
    struct toy_program *program;
    bool calm;                                           /* nobody yields */
    bool timed;                                          /* waits may time out */
    bool looks;                                          /* the result depends on the clock */
    bool awaits;                                         /* there are loops that wait for a value */
    bool loops;                                          /* there are loops of several operations */
    bool reads;                                          /* those loops only read */
    enum { NO_ALERTS, SIGNALS, CANCELS, TIMERS } alerts; /* events that can strike a thread */
    struct rng rng;
    uint32_t list;
    uint32_t lists; /* how many there are */
};

static uint8_t below(struct maker *maker, uint32_t limit)
{
    return (uint8_t)rng_below(&maker->rng, limit);
}

static void add(struct maker *maker, struct toy_op op)
{
    toy_add(maker->program, maker->list, op);
}

/* Makes the operation at `from` skip all that was added after it. */
static void skip_from(struct maker *maker, uint32_t from)
{
    struct toy_list *list = &maker->program->lists[maker->list];
    list->ops[from].skip = (uint8_t)(list->count - from - 1);
}

static uint32_t position(const struct maker *maker)
{
    return maker->program->lists[maker->list].count;
}

static void add_variable_use(struct maker *maker)
{
    static const enum toy_kind kinds[] = {TOY_LOAD, TOY_STORE, TOY_ADD, TOY_ADD, TOY_ASSERT};
    struct toy_op op = {.kind = kinds[below(maker, 5)], .object = below(maker, 2)};
    if (op.kind == TOY_ASSERT && below(maker, 3) > 0)
        op.kind = TOY_LOAD;
    op.value = op.kind == TOY_ASSERT ? below(maker, 2) : 1;
    add(maker, op);
}

static void add_block(struct maker *maker, uint32_t depth);

static void add_critical_section(struct maker *maker, uint32_t depth, enum toy_kind kind)
{
    uint8_t mutex = below(maker, 2);
    uint32_t from = position(maker);
    add(maker, (struct toy_op){.kind = kind, .object = mutex});
    if (depth < 2 && below(maker, 2) == 0)
        add_block(maker, depth + 1);
    if (below(maker, 4) == 0)
        add(maker, (struct toy_op){.kind = TOY_WAIT, .second = mutex});
    add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
    if (kind == TOY_TRYLOCK)
        skip_from(maker, from);
}

static void add_block(struct maker *maker, uint32_t depth)
{
    uint32_t from = position(maker);
    switch (below(maker, 10)) {
    case 0:
    case 1:
    case 2:
        add_critical_section(maker, depth, TOY_LOCK);
        break;
    case 3:
        add_critical_section(maker, depth, TOY_TRYLOCK);
        break;
    case 4:
        add(maker, (struct toy_op){.kind = below(maker, 3) > 0 ? TOY_SIGNAL : TOY_BROADCAST});
        break;
    case 5:
        add(maker,
            (struct toy_op){.kind = below(maker, 2) > 0 && !maker->calm ? TOY_YIELD : TOY_SLEEP});
        break;
    case 6:
        add(maker, (struct toy_op){.kind = TOY_CHOOSE, .value = 2 + below(maker, 2)});
        add_variable_use(maker);
        skip_from(maker, from);
        break;
    case 7:
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = below(maker, 2), .value = 1});
        add_variable_use(maker);
        skip_from(maker, from);
        break;
    default:
        add_variable_use(maker);
    }
}

struct toy_program toy_random(uint64_t seed)
{
    struct toy_program program = {0};
    struct maker maker = {.program = &program, .rng = {.state = seed}};
    snprintf(program.name, sizeof program.name, "random program %lu", (unsigned long)seed);
    uint32_t workers = 2 + (below(&maker, 3) == 0);
    bool nested = workers > 2 && below(&maker, 2) == 0; /* the last is created by the first */
    for (maker.list = 1; maker.list <= workers; maker.list++) {
        if (nested && maker.list == 1)
            add(&maker, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)workers});
        uint32_t blocks = 1 + below(&maker, 3);
        for (uint32_t i = 0; i < blocks; i++)
            add_block(&maker, 0);
        if (nested && maker.list == 1 && below(&maker, 2) == 0)
            add(&maker, (struct toy_op){.kind = TOY_JOIN, .object = (uint8_t)workers});
        if (below(&maker, 16) == 0)
            add(&maker, (struct toy_op){.kind = TOY_EXIT});
    }
    maker.list = 0;
    uint32_t by_main = workers - nested;
    for (uint32_t i = 1; i <= by_main; i++)
        add(&maker, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)i});
    if (below(&maker, 3) == 0)
        add_block(&maker, 0);
    for (uint32_t i = 1; i <= by_main; i++)
        if (below(&maker, 8) > 0)
            add(&maker, (struct toy_op){.kind = TOY_JOIN, .object = (uint8_t)i});
    return program;
}

/* Two locks that are let go in the order in which they were taken, or one left locked. */
static void add_crossed_locks(struct maker *maker)
{
    uint8_t first = below(maker, 3), second = (uint8_t)((first + 1 + below(maker, 2)) % 3);
    add(maker, (struct toy_op){.kind = TOY_LOCK, .object = first});
    add(maker, (struct toy_op){.kind = TOY_LOCK, .object = second});
    if (below(maker, 2) == 0)
        add_variable_use(maker);
    add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = first});
    if (below(maker, 8) > 0)
        add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = second});
}

static void add_read_write_lock(struct maker *maker)
{
    static const enum toy_kind kinds[] = {TOY_READ_LOCK, TOY_READ_LOCK, TOY_TRY_READ_LOCK,
                                          TOY_WRITE_LOCK, TOY_TRY_WRITE_LOCK};
    enum toy_kind kind = kinds[below(maker, 5)];
    bool writes = kind == TOY_WRITE_LOCK || kind == TOY_TRY_WRITE_LOCK;
    uint32_t from = position(maker);
    uint8_t lock = below(maker, 2);
    add(maker, (struct toy_op){.kind = kind, .object = lock});
    if (below(maker, 3) == 0)
        add_block(maker, 2);
    if (below(maker, 10) > 0)
        add(maker,
            (struct toy_op){.kind = writes ? TOY_WRITE_UNLOCK : TOY_READ_UNLOCK, .object = lock});
    if (kind == TOY_TRY_READ_LOCK || kind == TOY_TRY_WRITE_LOCK)
        skip_from(maker, from);
}

static void add_semaphore(struct maker *maker)
{
    static const enum toy_kind kinds[] = {TOY_SEM_WAIT, TOY_SEM_TRY, TOY_SEM_POST, TOY_SEM_POST};
    uint32_t from = position(maker);
    struct toy_op op = {.kind = kinds[below(maker, 4)], .object = below(maker, 3)};
    add(maker, op);
    if (op.kind == TOY_SEM_TRY) {
        add_variable_use(maker);
        skip_from(maker, from);
    }
}

static void add_compare(struct maker *maker)
{
    uint32_t from = position(maker);
    add(maker, (struct toy_op){.kind = TOY_COMPARE,
                               .object = below(maker, 2),
                               .value = below(maker, 2),
                               .second = below(maker, 3)});
    if (below(maker, 2) == 0) {
        add_variable_use(maker);
        skip_from(maker, from);
    }
}

/* A loop that waits, or what others may wait for. */
static void add_loop(struct maker *maker)
{
    uint8_t variable = below(maker, 2), value = below(maker, 3);
    switch (below(maker, 6)) {
    case 0:
    case 1:
        add(maker, (struct toy_op){.kind = TOY_AWAIT, .object = variable, .value = 1 + value % 2});
        return;
    case 2:
        add(maker,
            (struct toy_op){.kind = TOY_AWAIT, .object = variable, .value = value, .second = 1});
        return;
    case 3:
        add(maker, (struct toy_op){.kind = TOY_ACQUIRE, .object = variable});
        if (below(maker, 2) == 0)
            add_variable_use(maker);
        add(maker, (struct toy_op){.kind = TOY_STORE, .object = variable});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_STORE, .object = variable, .value = value});
        return;
    }
}

/* A section that waits for at most some time, or sleeps, or looks at the clock. */
static void add_timed(struct maker *maker)
{
    uint32_t from = position(maker);
    uint8_t mutex = below(maker, 2), until = 1 + below(maker, 3);
    switch (below(maker, maker->looks ? 9 : 7)) {
    case 0:
    case 1:
    case 2:
        add(maker, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
        from = position(maker);
        add(maker, (struct toy_op){.kind = TOY_TIMED_WAIT, .second = mutex, .value = until});
        add_variable_use(maker);
        skip_from(maker, from);
        add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
        return;
    case 3:
        add(maker, (struct toy_op){.kind = TOY_TIMED_LOCK, .object = mutex, .value = until});
        if (below(maker, 2) == 0)
            add_variable_use(maker);
        add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
        skip_from(maker, from);
        return;
    case 4:
        add(maker,
            (struct toy_op){.kind = TOY_SEM_TIMED, .object = below(maker, 2), .value = until});
        add_variable_use(maker);
        skip_from(maker, from);
        return;
    case 5:
        add(maker, (struct toy_op){.kind = TOY_SLEEP, .value = until});
        return;
    case 6:
        add(maker, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
        add(maker, (struct toy_op){.kind = below(maker, 3) > 0 ? TOY_SIGNAL : TOY_BROADCAST});
        add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_LOOK, .object = below(maker, 2)});
        return;
    }
}

/* The part of an iteration before it looks whether it is the last. */
static void add_body(struct maker *maker)
{
    uint8_t variable = below(maker, 2), mutex = below(maker, 2);
    switch (below(maker, maker->reads ? 3 : 6)) {
    case 0:
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = variable, .value = 1});
        return;
    case 1:
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = variable, .value = 1, .skip = 1});
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = 1 - variable});
        return;
    case 2:
        add(maker, (struct toy_op){.kind = TOY_SLEEP, .value = 1});
        return;
    case 3:
        add(maker, (struct toy_op){.kind = TOY_TRYLOCK, .object = mutex, .skip = 1});
        add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = variable});
        add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
        return;
    }
}

static void add_long_loop(struct maker *maker)
{
    uint32_t head = position(maker);
    uint8_t variable = below(maker, 2), value = 1 + below(maker, 2);
    bool both = below(maker, 3) > 0;
    if (below(maker, 3) > 0)
        add_body(maker);
    add(maker, (struct toy_op){.kind = TOY_BACK,
                               .object = variable,
                               .value = value,
                               .second = (uint8_t)(position(maker) - head)});
    if (both)
        add(maker, (struct toy_op){.kind = TOY_BACK,
                                   .object = 1 - variable,
                                   .value = 1,
                                   .second = (uint8_t)(position(maker) - head)});
}

/* Any thread; it may not live yet or any more. */
static uint8_t any_list(struct maker *maker)
{
    return below(maker, maker->lists);
}

static void add_signal(struct maker *maker)
{
    uint8_t number = below(maker, TOY_SIGNALS);
    uint32_t from = position(maker);
    struct toy_op block = {.kind = TOY_BLOCK, .second = number};
    switch (below(maker, 12)) {
    case 0:
        add(maker, block);
        return;
    case 1:
        add(maker, block);
        add_variable_use(maker);
        add(maker, (struct toy_op){.kind = TOY_UNBLOCK, .second = number});
        return;
    case 2:
        add(maker, block);
        add(maker, (struct toy_op){.kind = TOY_SIGWAIT, .second = number});
        return;
    case 3:
        from++;
        add(maker, block);
        add(maker, (struct toy_op){.kind = below(maker, 2) == 0 ? TOY_SIGPOLL : TOY_PENDING,
                                   .second = number});
        add_variable_use(maker);
        skip_from(maker, from);
        return;
    case 4:
        add(maker, (struct toy_op){.kind = TOY_PAUSE});
        return;
    case 5:
        add(maker, (struct toy_op){.kind = TOY_SEM_WAIT});
        return;
    case 6:
        add(maker, (struct toy_op){.kind = below(maker, 3) == 0 ? TOY_IGNORE : TOY_UNBLOCK,
                                   .second = number});
        return;
    case 7:
        add(maker, (struct toy_op){.kind = TOY_KILL_ANY, .second = number});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_KILL, .object = any_list(maker), .second = number});
        return;
    }
}

static void add_cancel(struct maker *maker)
{
    switch (below(maker, 7)) {
    case 0:
        add(maker, (struct toy_op){.kind = TOY_SEM_WAIT, .object = below(maker, 2)});
        return;
    case 1:
        add(maker, (struct toy_op){.kind = TOY_TEST_CANCEL});
        return;
    case 2:
        add(maker, (struct toy_op){.kind = TOY_LOCK});
        add(maker, (struct toy_op){.kind = TOY_WAIT});
        add(maker, (struct toy_op){.kind = TOY_UNLOCK});
        return;
    case 3:
        add(maker, (struct toy_op){.kind = TOY_SLEEP});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_CANCEL, .object = any_list(maker)});
        return;
    }
}

static void add_timer(struct maker *maker)
{
    uint8_t after = below(maker, 3);
    switch (below(maker, 4)) {
    case 0:
    case 1:
        add(maker, (struct toy_op){.kind = TOY_ALARM, .value = after});
        return;
    case 2:
        add_signal(maker);
        return;
    default:
        add_timed(maker);
        return;
    }
}

static void add_handler(struct maker *maker, struct toy_list *list)
{
    uint8_t object = below(maker, 2);
    switch (below(maker, 5)) {
    case 0:
        return;
    case 1:
        list->ops[list->count++] = (struct toy_op){.kind = TOY_SEM_POST};
        return;
    case 2:
        list->ops[list->count++] = (struct toy_op){.kind = TOY_LOCK, .object = object};
        list->ops[list->count++] = (struct toy_op){.kind = TOY_UNLOCK, .object = object};
        return;
    default:
        list->ops[list->count++] = (struct toy_op){.kind = TOY_ADD, .object = object, .value = 1};
        return;
    }
}

static void add_more(struct maker *maker)
{
    if (maker->alerts != NO_ALERTS && below(maker, 3) > 0) {
        switch (maker->alerts) {
        case NO_ALERTS:
        case SIGNALS:
            add_signal(maker);
            return;
        case CANCELS:
            add_cancel(maker);
            return;
        case TIMERS:
            add_timer(maker);
            return;
        }
    }
    if (maker->timed && below(maker, 3) > 0) {
        add_timed(maker);
        return;
    }
    if (maker->loops && below(maker, 3) == 0) {
        add_long_loop(maker);
        return;
    }
    if (maker->loops && below(maker, 3) == 0) {
        add(maker, (struct toy_op){.kind = TOY_ADD, .object = below(maker, 2), .value = 1});
        return;
    }
    if (maker->awaits && below(maker, 2) == 0) {
        add_loop(maker);
        return;
    }
    switch (below(maker, 9)) {
    case 0:
        add_crossed_locks(maker);
        return;
    case 1:
    case 2:
        add_read_write_lock(maker);
        return;
    case 3:
    case 4:
        add_semaphore(maker);
        return;
    case 5:
        add(maker, (struct toy_op){.kind = TOY_BARRIER, .value = 2});
        return;
    case 6:
        add_compare(maker);
        return;
    default:
        add_block(maker, 1);
        return;
    }
}

static struct toy_program random_of(uint64_t seed, struct maker maker)
{
    struct toy_program program = {0};
    maker.program = &program;
    maker.calm = true;
    maker.rng.state = mix(seed, 1);
    snprintf(program.name, sizeof program.name, "random program %lu", (unsigned long)seed);
    maker.looks = maker.timed && below(&maker, 3) == 0;
    uint32_t workers = 2 + (below(&maker, 2) == 0) + (below(&maker, 6) == 0);
    bool bare = below(&maker, 3) == 0, nested = !bare && workers > 2 && below(&maker, 3) == 0;
    program.bare = bare;
    maker.lists = workers + !bare;
    for (uint32_t i = 0; maker.alerts != NO_ALERTS && i <= TOY_SIGNALS; i++)
        add_handler(&maker, &program.handlers[i]);
    for (maker.list = !bare; maker.list < workers + !bare; maker.list++) {
        if (nested && maker.list == 1)
            add(&maker, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)workers});
        uint32_t blocks = 1 + below(&maker, workers > 2 ? 2 : 3);
        for (uint32_t i = 0; i < blocks; i++)
            add_more(&maker);
        if (!bare && below(&maker, 24) == 0)
            add(&maker, (struct toy_op){.kind = TOY_EXIT});
    }
    if (bare)
        return program;
    maker.list = 0;
    for (uint32_t i = 1; i <= workers - nested; i++)
        add(&maker, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)i});
    if (below(&maker, 4) == 0)
        add_more(&maker);
    for (uint32_t i = 1; i <= workers - nested; i++)
        if (below(&maker, 12) > 0)
            add(&maker, (struct toy_op){.kind = TOY_JOIN, .object = (uint8_t)i});
    return program;
}

struct toy_program toy_random_more(uint64_t seed)
{
    return random_of(seed, (struct maker){0});
}

struct toy_program toy_random_awaits(uint64_t seed)
{
    return random_of(seed, (struct maker){.awaits = true});
}

struct toy_program toy_random_loops(uint64_t seed, bool reads)
{
    return random_of(seed, (struct maker){.loops = true, .reads = reads});
}

struct toy_program toy_random_timed(uint64_t seed)
{
    return random_of(seed, (struct maker){.timed = true});
}

struct toy_program toy_random_alerts(uint64_t seed)
{
    return random_of(seed, (struct maker){.alerts = 1 + seed % 3});
}

static void add_handshake(struct maker *maker)
{
    uint8_t semaphore = below(maker, 2);
    switch (below(maker, 4)) {
    case 0:
        add(maker, (struct toy_op){.kind = TOY_SEM_POST, .object = semaphore});
        return;
    case 1:
        add(maker, (struct toy_op){.kind = TOY_SEM_WAIT, .object = semaphore});
        return;
    case 2:
        add(maker, (struct toy_op){.kind = TOY_SEM_WAIT, .object = semaphore});
        add(maker, (struct toy_op){.kind = TOY_SEM_POST, .object = 1 - semaphore});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_SEM_POST, .object = semaphore});
        add(maker, (struct toy_op){.kind = TOY_SEM_WAIT, .object = 1 - semaphore});
        return;
    }
}

static void add_reading_section(struct maker *maker)
{
    static const enum toy_kind kinds[] = {TOY_READ_LOCK,     TOY_READ_LOCK,  TOY_READ_LOCK,
                                          TOY_TRY_READ_LOCK, TOY_WRITE_LOCK, TOY_WRITE_LOCK,
                                          TOY_TRY_WRITE_LOCK};
    enum toy_kind kind = kinds[below(maker, 7)];
    bool writes = kind == TOY_WRITE_LOCK || kind == TOY_TRY_WRITE_LOCK;
    uint8_t lock = below(maker, 5) == 0;
    uint32_t from = position(maker);
    add(maker, (struct toy_op){.kind = kind, .object = lock});
    if (below(maker, 2) == 0)
        add_handshake(maker);
    if (below(maker, 8) > 0)
        add(maker,
            (struct toy_op){.kind = writes ? TOY_WRITE_UNLOCK : TOY_READ_UNLOCK, .object = lock});
    if (kind == TOY_TRY_READ_LOCK || kind == TOY_TRY_WRITE_LOCK)
        skip_from(maker, from);
}

struct toy_program toy_random_readers(uint64_t seed)
{
    struct toy_program program = {0};
    struct maker maker = {.program = &program, .rng = {.state = mix(seed, 4)}};
    snprintf(program.name, sizeof program.name, "random program %lu", (unsigned long)seed);
    for (maker.list = 1; maker.list <= 3; maker.list++) {
        if (below(&maker, 3) == 0)
            add_handshake(&maker);
        add_reading_section(&maker);
    }
    maker.list = 0;
    add(&maker, (struct toy_op){.kind = TOY_SEM_WAIT, .object = 1});
    toy_create_all(&program);
    toy_join_all(&program);
    return program;
}

/* The list of the thread before it again. */
static void add_twin(struct maker *maker)
{
    struct toy_program *program = maker->program;
    program->lists[maker->list] = program->lists[maker->list - 1];
    program->twin_of[maker->list] = (uint8_t)(maker->list - 1);
    program->thread_count = maker->list + 1;
    maker->list++;
}

struct toy_program toy_random_twins(uint64_t seed)
{
    struct toy_program program = {0};
    struct maker maker = {.program = &program, .calm = true, .rng = {.state = mix(seed, 2)}};
    snprintf(program.name, sizeof program.name, "random program %lu", (unsigned long)seed);
    maker.timed = below(&maker, 4) == 0;
    maker.awaits = !maker.timed && below(&maker, 4) == 0;
    uint32_t twins = 2 + (below(&maker, 3) == 0), others = below(&maker, 3) > 0;
    bool joined = below(&maker, 4) > 0, pairs = twins == 2 && others && below(&maker, 3) == 0;
    maker.list = 1;
    if (maker.awaits) /* a turn of a loop cannot be the first step */
        add(&maker, (struct toy_op){.kind = TOY_ADD, .object = below(&maker, 2), .value = 1});
    uint32_t blocks = 1 + below(&maker, twins > 2 || pairs ? 2 : 3);
    for (uint32_t i = 0; i < blocks; i++)
        add_more(&maker);
    maker.list++;
    while (maker.list <= twins)
        add_twin(&maker);
    for (uint32_t i = 0; i < others; i++) {
        add(&maker, (struct toy_op){.kind = TOY_ADD, .object = below(&maker, 2), .value = 1});
        if (!pairs || below(&maker, 2) == 0)
            add_more(&maker);
        maker.list++;
    }
    if (pairs)
        add_twin(&maker);
    uint32_t end = maker.list;
    maker.list = 0;
    for (uint32_t i = 1; i < end; i++)
        add(&maker, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)i});
    if (below(&maker, 4) == 0)
        add_more(&maker);
    for (uint32_t i = 1; i < end; i++)
        if (i <= twins || pairs ? joined : below(&maker, 8) > 0)
            add(&maker, (struct toy_op){.kind = TOY_JOIN, .object = (uint8_t)i});
    return program;
}

enum { GUARDS = 3 };

static void add_guarded_use(struct maker *maker, uint8_t variable)
{
    uint32_t from = position(maker);
    switch (below(maker, 6)) {
    case 0:
        add(maker,
            (struct toy_op){.kind = TOY_ASSERT, .object = variable, .value = below(maker, 3)});
        return;
    case 1:
    case 2:
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = variable, .value = below(maker, 2)});
        add(maker,
            (struct toy_op){.kind = TOY_STORE, .object = variable, .value = 2 + below(maker, 2)});
        skip_from(maker, from);
        return;
    case 3:
        add(maker,
            (struct toy_op){.kind = TOY_STORE, .object = variable, .value = below(maker, 4)});
        return;
    default:
        add(maker, (struct toy_op){.kind = TOY_ADD, .object = variable, .value = 1});
        return;
    }
}

static void add_guarded_section(struct maker *maker, struct toy_random_locks locks, uint32_t held);

static void add_in_section(struct maker *maker, struct toy_random_locks locks, uint32_t held,
                           uint8_t mutex)
{
    uint32_t from = position(maker);
    uint32_t kind = below(maker, locks.conditions ? 6 : 4);
    if (kind == 0 && !locks.empty) { /* whether the rest is done depends on others */
        add(maker, (struct toy_op){.kind = TOY_LOAD, .object = mutex, .value = below(maker, 2)});
        add_guarded_section(maker, locks, held);
        skip_from(maker, from);
    } else if (kind <= 1) {
        add_guarded_section(maker, locks, held);
    } else if (kind == 4) {
        add(maker, (struct toy_op){.kind = TOY_WAIT, .object = below(maker, 2), .second = mutex});
    } else if (kind == 5) {
        add(maker, (struct toy_op){.kind = below(maker, 3) > 0 ? TOY_SIGNAL : TOY_BROADCAST,
                                   .object = below(maker, 2)});
    } else if (!locks.empty) {
        add_guarded_use(maker, mutex);
    }
}

static void add_guarded_section(struct maker *maker, struct toy_random_locks locks, uint32_t held)
{
    uint32_t least = 0;
    for (uint8_t i = 0; i < GUARDS; i++)
        if (locks.ordered && held >> i & 1)
            least = i + 1u;
    if (least == GUARDS || held == (1 << GUARDS) - 1 || position(maker) > TOY_OPS_MAX / 2)
        return;
    uint8_t mutex;
    do
        mutex = (uint8_t)(least + below(maker, GUARDS - least));
    while (held >> mutex & 1);
    add(maker, (struct toy_op){.kind = TOY_LOCK, .object = mutex});
    for (uint32_t left = 1 + below(maker, 2); left > 0; left--)
        add_in_section(maker, locks, held | 1u << mutex, mutex);
    add(maker, (struct toy_op){.kind = TOY_UNLOCK, .object = mutex});
}

struct toy_program toy_random_disciplined(uint64_t seed, struct toy_random_locks locks)
{
    struct toy_program program = {.plain = true};
    struct maker maker = {.program = &program, .calm = true, .rng = {.state = mix(seed, 3)}};
    snprintf(program.name, sizeof program.name, "random program %lu", (unsigned long)seed);
    uint32_t workers = 2 + (below(&maker, 3) == 0);
    program.bare = below(&maker, 2) == 0;
    for (maker.list = !program.bare; maker.list < workers + !program.bare; maker.list++)
        for (uint32_t left = 1 + below(&maker, workers > 2 ? 2 : 3); left > 0; left--)
            add_guarded_section(&maker, locks, 0);
    if (program.bare)
        return program;
    toy_create_all(&program);
    maker.list = 0;
    if (below(&maker, 3) == 0)
        add_guarded_section(&maker, locks, 0);
    if (!locks.empty && below(&maker, 4) > 0) {
        toy_join_all(&program);
        add(&maker,
            (struct toy_op){.kind = TOY_ASSERT, .object = below(&maker, GUARDS), .value = 1});
        return program;
    }
    toy_join_all(&program);
    return program;
}

struct toy_program toy_random_any(uint64_t seed)
{
    struct toy_program program = seed % 8 == 1   ? toy_random_timed(seed)
                                 : seed % 8 == 5 ? toy_random_alerts(seed)
                                 : seed % 8 == 2 ? toy_random_awaits(seed)
                                 : seed % 8 == 6 ? toy_random_loops(seed, true)
                                                 : toy_random_more(seed);
    for (uint32_t list = 0; seed % 4 == 0 && list < program.thread_count; list++)
        for (uint32_t i = 0; i < program.lists[list].count; i++)
            if (program.lists[list].ops[i].kind == TOY_ADD)
                program.lists[list].ops[i] = (struct toy_op){.kind = TOY_SLEEP};
    return program;
}
