#include "runtime/progress/round_search.h"

#include <string.h>

#include "base/mix.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/watch.h"

enum { STATES = 4096, STEPS = 16000, LED_MAX = 64, NO_STATE = STATES };

struct wander {
    uint32_t until;        /* steps */
    uint32_t count;        /* of states */
    uint32_t here, before; /* the states now and one step ago; NO_STATE */
    thread_id led;         /* the thread of that step */
    uint32_t open;         /* states out of which some thread has not been led */
    thread_set all;        /* threads enabled anywhere */
    struct state {
        uint64_t threads, memory;
        uint32_t end; /* steps up to the last time there */
        thread_set able, tried;
        uint16_t after[LED_MAX]; /* where each of those who were tried has led to */
        uint32_t search;         /* the last search that came here */
        thread_id begins;        /* the first thread of its way from here */
    } states[STATES];
    uint32_t searches;
    uint16_t queue[STATES];
};

void wander_begin(void)
{
    if (ex.progress.wander == NULL)
        ex.progress.wander = execution_take(sizeof *ex.progress.wander);
    struct wander *wander = ex.progress.wander;
    wander->until = rt.trace.count + STEPS;
    wander->count = wander->open = wander->searches = 0;
    wander->here = wander->before = NO_STATE;
    wander->all = (thread_set){0};
    rt.attention = ex.attention |= ATTENTION_WANDER;
    ex.due = 0; /* at each step */
    step_is_unreduced(UNREDUCED_ENDLESS);
}

void wander_end(void)
{
    rt.attention = ex.attention &= (uint8_t)~ATTENTION_WANDER;
    watch_end();
    if (rt.strategy->choose == choose_default && !rt.options->replay)
        execution_end(OUTCOME_CUT_CYCLE);
}

static uint32_t state_number(struct wander *wander, uint64_t threads, uint64_t memory)
{
    uint32_t i = 0;
    while (i < wander->count &&
           (wander->states[i].threads != threads || wander->states[i].memory != memory))
        i++;
    if (i == STATES || i < wander->count)
        return i;
    struct state *new = &wander->states[wander->count++];
    new->threads = threads;
    new->memory = memory;
    new->able = new->tried = (thread_set){0};
    new->end = new->search = 0;
    return i;
}

/* Every thread that could end the loop takes part. */
static bool goes_round(const struct wander *wander, uint32_t from)
{
    thread_set left = wander->all;
    for (uint32_t i = from; i < rt.trace.count; i++)
        thread_set_remove(&left, rt.trace.steps[i].thread);
    return thread_set_is_empty(&left);
}

void wander_visit(uint64_t threads, uint64_t memory)
{
    struct wander *wander = ex.progress.wander;
    wander->here = memory == 0 ? STATES : state_number(wander, threads, memory);
    if (wander->here == STATES || rt.trace.count > wander->until) {
        wander_end();
        return;
    }
    struct state *here = &wander->states[wander->here];
    if (wander->before != NO_STATE)
        wander->states[wander->before].after[wander->led] = (uint16_t)wander->here;
    if (wander->open == 0 && !rt.options->replay && here->end != 0 && goes_round(wander, here->end))
        thread_goes_round(rt.trace.count - here->end);
    here->end = rt.trace.count;
}

static bool is_open(const struct state *state)
{
    return !thread_set_equal(&state->able, &state->tried);
}

static void search_from(struct wander *wander, uint32_t from, thread_id begins, uint32_t *count)
{
    struct state *state = &wander->states[from];
    if (state->search == wander->searches)
        return;
    state->search = wander->searches;
    state->begins = begins;
    wander->queue[(*count)++] = (uint16_t)from;
}

/* The thread that leads towards the nearest state out of which some thread has not been led;
 * NO_THREAD: there is none. */
static thread_id who_leads_to_open(struct wander *wander, const struct state *here)
{
    uint32_t count = 0;
    wander->searches++;
    THREADS_EACH(thread, &here->tried)
    search_from(wander, here->after[thread], thread, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct state *state = &wander->states[wander->queue[i]];
        if (is_open(state))
            return state->begins;
        THREADS_EACH(thread, &state->tried)
        search_from(wander, state->after[thread], state->begins, &count);
    }
    return NO_THREAD;
}

/* As the schedule says. Where all were tried before: towards a state where that is not so, or
 * anywhere. */
static thread_id who_leads_on(struct wander *wander, const struct state *here,
                              const thread_set *able)
{
    const struct decision *listed = schedule_listed(rt.trace.count);
    if (listed != NULL && thread_set_has(able, listed->thread))
        return listed->thread;
    THREADS_EACH(thread, able)
    if (!thread_set_has(&here->tried, thread))
        return thread;
    thread_id thread = wander->open > 0 ? who_leads_to_open(wander, here) : NO_THREAD;
    if (thread != NO_THREAD && thread_set_has(able, thread))
        return thread;
    uint64_t turn = mix(rt.trace.count, wander->here) % thread_set_count(able);
    thread = thread_set_next(able, 0);
    while (turn-- > 0)
        thread = thread_set_next(able, thread + 1u);
    return thread;
}

static bool can_be_led(const thread_set *able)
{
    THREADS_EACH(thread, able)
    if (thread >= LED_MAX || ex.pending[thread].choices > 1)
        return false;
    return ex.progress.wander->here != NO_STATE;
}

thread_id wander_lead(const thread_set *able)
{
    struct wander *wander = ex.progress.wander;
    bool timer = wander->before != NO_STATE && ex.threads[wander->led].time.timer != NULL;
    if (wander->here == NO_STATE && timer)
        watch_timer(); /* which announces nothing */
    if (!wanders())
        return NO_THREAD;
    if (!can_be_led(able)) {
        wander_end();
        return NO_THREAD;
    }
    struct state *here = &wander->states[wander->here];
    bool was_open = is_open(here);
    THREADS_EACH(thread, able)
    {
        thread_set_add(&here->able, thread);
        thread_set_add(&wander->all, thread);
    }
    wander->led = who_leads_on(wander, here, able);
    thread_set_add(&here->tried, wander->led);
    wander->open += is_open(here);
    wander->open -= was_open;
    wander->before = wander->here;
    wander->here = NO_STATE; /* until it announces something */
    return wander->led;
}
