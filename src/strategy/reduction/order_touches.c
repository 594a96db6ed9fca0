/* The last touches of each object, and the steps that led to a thread since its last step. They are
 * noted with each step, and undone for the steps that the next trace does not share with this
 * one. */
#include "strategy/reduction/order_parts.h"

static void lead_on(struct order *order, thread_id thread, uint32_t step)
{
    uint32_t *clock = order->current + (size_t)thread * order->threads;
    const struct order_step *at = &order->by_step[step];
    struct order_thread *led = &order->by_thread[thread];
    bool first = led->last == 0 && !led->led_on;
    if (!led->led_on)
        clock_copy(clock, first ? at->clock : led->known, order->threads);
    led->led_on = true;
    led->known = clock;
    if (first)
        clock_join_count(clock, at->thread, at->index);
    else
        clock_join_step(order, clock, step);
}

/* Notes that a step leads to a thread. A thread struck by a signal or a cancellation could have run
 * its operation before that, and a timed wait that was woken could have timed out before. All other
 * threads were disabled. */
static void lead(struct order *order, uint32_t step, thread_id thread)
{
    CHECK(thread < order->threads);
    if (step_strikes(&order->trace->steps[step])) {
        order->by_thread[thread].struck = step + 1;
        return;
    }
    if (thread_set_has(&order->trace->steps[step].enabled, thread)) {
        order->by_thread[thread].led = step + 1;
        return;
    }
    lead_on(order, thread, step);
    order->by_thread[thread].arrived = step + 1;
}

/* Restores the state of a thread after its last step and the steps that led to it since. */
static void restore_thread(struct order *order, thread_id thread)
{
    struct order_thread *restored = &order->by_thread[thread];
    uint32_t last = restored->last;
    restored->known = last != 0 ? order->by_step[last - 1].clock : order->nothing;
    restored->count = last != 0 ? order->by_step[last - 1].index : 0;
    restored->led_on = false;
    restored->arrived = last;
    restored->led = restored->struck = 0;
    for (uint32_t at = restored->leads; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        if (step + 1 < last)
            return;
        if (step_strikes(&order->trace->steps[step])) {
            if (restored->struck < step + 1)
                restored->struck = step + 1;
            continue;
        }
        if (thread_set_has(&order->trace->steps[step].enabled, thread)) {
            if (restored->led == 0)
                restored->led = step + 1;
            continue;
        }
        lead_on(order, thread, step);
        if (restored->arrived < step + 1)
            restored->arrived = step + 1;
    }
}

static void undo_touch(struct order *order, const struct order_touch *at, thread_set *changed)
{
    uint32_t number = at->touch.object;
    switch (at->touch.access) {
    case TOUCH_LEADS:
        order->by_thread[number].leads = at->previous;
        thread_set_add(changed, (thread_id)number);
        return;
    case TOUCH_READS:
    case TOUCH_WRITES: {
        struct order_object *object = object_at(order, number);
        object->last = at->previous;
        object->write = at->write;
        return;
    }
    case TOUCH_FOLLOWS:
        return;
    }
}

void order_undo_steps(struct order *order, uint32_t same)
{
    thread_set changed = {0};
    uint32_t touches = trace_touches_begin(order->trace->steps, same);
    CHECK(touches <= order->touch_count);
    for (uint32_t i = order->touch_count; i-- > touches;)
        undo_touch(order, &order->touches[i], &changed);
    for (uint32_t step = order->steps; step-- > same;) {
        const struct order_step *undone = &order->by_step[step];
        order->by_thread[undone->thread].last = undone->last;
        order->last_all = undone->last_all;
        thread_set_add(&changed, undone->thread);
    }
    order->steps = same;
    order->touch_count = touches;
    while (order->grown_count > 0 && order->grown[order->grown_count - 1].subject >= same)
        order->grown_count--;
    THREADS_EACH(thread, &changed)
    restore_thread(order, thread);
}

static void note_lead(struct order *order, uint32_t at, uint32_t step, thread_id thread)
{
    lead(order, step, thread);
    order->touches[at] = (struct order_touch){
        .touch = {thread, TOUCH_LEADS}, .step = step, .previous = order->by_thread[thread].leads};
    order->by_thread[thread].leads = at + 1;
}

void order_note_touches(struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++) {
        struct touch touch = trace->touches[i];
        if (touch.access == TOUCH_LEADS) {
            note_lead(order, i, step, (thread_id)touch.object);
            continue;
        }
        if (touch.access != TOUCH_READS && touch.access != TOUCH_WRITES) {
            order->touches[i] = (struct order_touch){.touch = {0, TOUCH_FOLLOWS}};
            continue;
        }
        struct order_object *object = object_at(order, touch.object);
        order->touches[i] = (struct order_touch){
            .touch = touch, .step = step, .previous = object->last, .write = object->write};
        object->last = i + 1;
        if (touch.access == TOUCH_WRITES)
            object->write = i + 1;
    }
    order->touch_count = trace->steps[step].touches_end;
}
