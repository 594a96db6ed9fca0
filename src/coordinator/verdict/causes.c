#include "coordinator/verdict/causes.h"

#include <math.h>
#include <string.h>

#include "coordinator/explain/phrase.h"
#include "coordinator/explain/why.h"
#include "coordinator/minimise/confirm.h"
#include "coordinator/minimise/shrinker.h"
#include "coordinator/symbols/symbols.h"
#include "coordinator/text.h"
#include "strategy/minimise/critical.h"

enum {
    WORK = 1 << 21,    /* steps: well below a second */
    ENOUGH_TRIED = 16, /* fewer executions prove nothing */
    HANGS_TRIED = 24,  /* most executions for a hang: each hang takes its time */
};
#define HANG_SECONDS 0.1

struct explainer {
    struct worker_pool *pool;
    const struct recording *recording;
    struct reported *out;
    const struct orders *orders; /* on the board of the search for critical orders */
    struct symbols *symbols;
    struct reported passing; /* the nearest execution that passes, in names */
};

/* Checks the indices that the worker wrote: the tested program may have written over them. */
static bool orders_make_sense(const struct orders *orders, const struct recording *recording)
{
    const struct orders_now *now = &orders->now;
    if (now->failing_count != recording->step_count || now->event_count > EVENTS_MAX ||
        now->pair_count > PAIRS_MAX || now->passed_count > PASSED_MAX ||
        now->set_count > ORDERS_MAX)
        return false;
    for (uint32_t i = 0; i < now->set_count; i++) {
        if (now->set[i] >= now->pair_count)
            return false;
        const struct pair *pair = &orders->pairs[now->set[i]];
        if (pair->earlier >= now->failing_count || pair->later >= now->event_count)
            return false;
    }
    return now->nearest == EVENT_NEVER || (now->nearest < now->passed_count &&
                                           orders->passed_steps[now->nearest] <= TRACE_STEPS_MAX);
}

/* Runs the nearest execution that passes once more, for names. It must pass again. */
static bool tell_passing(struct explainer *explainer, struct problem *why)
{
    const struct orders *orders = explainer->orders;
    struct explanation *explanation = &explainer->out->explanation;
    struct recording recording = *explainer->recording;
    if (orders->now.nearest == EVENT_NEVER)
        return false;
    const struct event *steps = orders->passed[orders->now.nearest];
    recording.step_count = orders->passed_steps[orders->now.nearest];
    recording.steps = text_room((recording.step_count + 1) * sizeof *recording.steps);
    for (uint32_t i = 0; i < recording.step_count; i++)
        recording.steps[i] = (struct taken){.thread = (uint8_t)steps[i].thread,
                                            .kind = steps[i].op.kind,
                                            .choice = steps[i].choice};
    struct reported *passing = &explainer->passing;
    if (!run_in_detail(explainer->pool, &recording, recording.options.carrier, passing, why) ||
        passing->confirmed || passing->step_count != recording.step_count)
        return false;
    for (uint32_t i = 0; i < recording.step_count; i++)
        if (passing->steps[i].thread != steps[i].thread ||
            passing->steps[i].kind != steps[i].op.kind)
            return false;
    explanation->passing = passing->steps;
    explanation->passing_count = passing->step_count;
    explanation->reversed = orders->now.nearest_broken;
    uint32_t at = 0;
    while (at < passing->step_count && at < explainer->out->step_count &&
           passing->steps[at].thread == explainer->out->steps[at].thread &&
           passing->steps[at].choice == explainer->out->steps[at].choice)
        at++;
    explanation->leaves = at;
    if (explainer->out->finding.kind == FINDING_OUTPUT && *recording.options.output_path == 0) {
        explanation->output = passing->output;
        explainer->out->why = why_output(explainer->out);
    }
    return true;
}

/* A step that the failing execution never comes to. Its names come from a thread that waits there,
 * from the passing execution, or from its site alone. */
static struct story_step step_never_taken(const struct explainer *explainer,
                                          const struct event *event)
{
    const struct reported *out = explainer->out;
    struct story_step step = {.number = out->step_count,
                              .thread = event->thread,
                              .kind = event->op.kind,
                              .object = "",
                              .site = event->op.site};
    bool any = event->thread == NO_THREAD;
    for (uint32_t i = 0; i < out->wait_count; i++)
        if ((any || out->waits[i].thread == event->thread) &&
            out->waits[i].site == event->op.site) {
            step.object = out->waits[i].object;
            step.at = out->waits[i].at;
            return step;
        }
    const struct explanation *explanation = &out->explanation;
    for (uint32_t i = 0; i < explanation->passing_count; i++)
        if ((any || explanation->passing[i].thread == event->thread) &&
            explanation->passing[i].site == event->op.site &&
            explanation->passing[i].kind == event->op.kind) {
            step.object = explanation->passing[i].object;
            step.at = explanation->passing[i].at;
            return step;
        }
    step.at = symbols_site(explainer->symbols, event->op.site);
    return step;
}

static int compare_orders(const struct ordering *one, const struct ordering *other)
{
    return (one->earlier.number > other->earlier.number) -
           (one->earlier.number < other->earlier.number);
}

static void tell_orders(struct explainer *explainer)
{
    const struct orders *orders = explainer->orders;
    struct reported *out = explainer->out;
    struct explanation *explanation = &out->explanation;
    explanation->orders = text_room((orders->now.set_count + 1) * sizeof *explanation->orders);
    for (uint32_t i = 0; i < orders->now.set_count; i++) {
        const struct pair *pair = &orders->pairs[orders->now.set[i]];
        const struct event *later = &orders->events[pair->later];
        struct ordering order = {.earlier = out->steps[pair->earlier],
                                 .later = pair->later < orders->now.failing_count
                                              ? out->steps[pair->later]
                                              : step_never_taken(explainer, later)};
        order.object = order.earlier.object;
        if (*order.later.object == 0 && later->op.object != NO_OBJECT &&
            later->op.object == orders->events[pair->earlier].op.object)
            order.later.object = order.object;
        order.text = phrase_order(out, &order);
        uint32_t at = explanation->order_count++;
        for (; at > 0 && compare_orders(&explanation->orders[at - 1], &order) > 0; at--)
            explanation->orders[at] = explanation->orders[at - 1];
        explanation->orders[at] = order;
    }
}

/* A preemption matters if it lets a step come before a later one of the preempted thread, and that
 * order is one of those that make the execution fail. */
static bool preemption_matters(const struct reported *out, uint32_t step)
{
    const struct explanation *explanation = &out->explanation;
    thread_id preempted = out->steps[step - 1].thread;
    for (uint32_t i = 0; i < explanation->order_count; i++) {
        const struct ordering *order = &explanation->orders[i];
        bool holds_up = order->later.thread == preempted ||
                        (order->later.thread == NO_THREAD && order->earlier.thread != preempted);
        if (holds_up && order->earlier.number >= step &&
            order->later.number > order->earlier.number)
            return true;
    }
    return false;
}

static void tell_preemptions(struct reported *out)
{
    struct explanation *explanation = &out->explanation;
    explanation->preemptions = text_room((out->step_count + 1) * sizeof *explanation->preemptions);
    for (uint32_t i = 1; i < out->step_count; i++)
        if (out->steps[i].preempts && preemption_matters(out, i))
            explanation->preemptions[explanation->preemption_count++] = i;
}

static bool has_choices(const struct reported *out)
{
    for (uint32_t i = 0; i < out->step_count; i++)
        if (out->steps[i].choices > 1)
            return true;
    return false;
}

static void tell(struct explainer *explainer, const struct critical_result *result, bool coarse,
                 struct problem *why)
{
    struct reported *out = explainer->out;
    struct explanation *explanation = &out->explanation;
    const struct orders *orders = explainer->orders;
    explanation->asked = true;
    explanation->choices = has_choices(out);
    tell_passing(explainer, why);
    bool known = !orders->now.full && (result->now.all || result->now.tried >= ENOUGH_TRIED);
    if (known) {
        explanation->checked = true;
        explanation->all = result->now.all;
        explanation->tried = result->now.tried;
        explanation->coarse = coarse;
        explanation->smallest = orders->now.smallest;
        tell_orders(explainer);
        tell_preemptions(out);
    }
    phrase_explanation(out);
}

static bool can_explain(const struct reported *out, const struct recording *recording)
{
    const struct finding *finding = &out->finding;
    return out->confirmed && finding->kind != FINDING_NONDETERMINISM &&
           !finding_is_untidy(finding) && !finding_is_unended(finding) &&
           out->step_count == recording->step_count;
}

void explain(struct worker_pool *pool, const struct recording *recording, struct reported *out,
             struct problem *why)
{
    why->text[0] = 0;
    if (!can_explain(out, recording))
        return;
    struct shrinker shrinker = {.pool = pool, .work = pool->busy ? WORK / 4 : 2 * WORK};
    bool hangs = out->finding.kind == FINDING_HANG;
    if (hangs)
        out->explanation.hang_seconds = shrinker.hang_seconds =
            fmin(pool->job->hang_seconds, HANG_SECONDS);
    struct board_handle handle;
    if (!shrink_run(&shrinker, recording, "critical", hangs ? HANGS_TRIED : 0, &handle, why))
        return;
    const struct board *board = handle.board;
    const struct critical_result *result = board_at(board, board->layout.arena);
    struct explainer explainer = {.pool = pool,
                                  .recording = recording,
                                  .out = out,
                                  .orders = &result->orders,
                                  .symbols = symbols_of(board)};
    if (board->opened && result->now.shown && orders_make_sense(&result->orders, recording))
        tell(&explainer, result, board->tally.races_unpromoted, why);
    board_drop(&handle);
}
