#include "coordinator/explain/phrase.h"

#include <string.h>

#include "base/assert.h"
#include "coordinator/text.h"

/* Whether all steps that have a line are of one file, which then need not be named each time. */
static bool is_one_file(const struct reported *reported)
{
    const char *file = reported->at.file;
    for (uint32_t i = 0; i < reported->step_count; i++) {
        const char *other = reported->steps[i].at.file;
        if (other == NULL)
            continue;
        if (file != NULL && strcmp(file, other) != 0)
            return false;
        file = other;
    }
    return true;
}

static const char *place(const struct reported *reported, const struct named_site *at)
{
    if (at->file != NULL && is_one_file(reported))
        return text_print(" at line %u", at->line);
    if (at->file != NULL) {
        const char *slash = strrchr(at->file, '/');
        return text_print(" at %s:%u", slash == NULL ? at->file : slash + 1, at->line);
    }
    return at->function != NULL ? text_print(" in %s", at->function) : "";
}

/* The object of a step. Of a wait that is the condition variable, not its mutex. */
static const char *object_of(const struct story_step *step)
{
    const char *comma = strstr(step->object, ", ");
    return comma == NULL ? step->object : text_copy(step->object, (size_t)(comma - step->object));
}

enum tense { DID, DO_IT };

/* "locked queue.lock"; "locked it" if that object was named before. */
static const char *act(const struct story_step *step, enum tense tense, const char *before)
{
    struct op_verbs words = op_verbs(step->kind);
    const char *object = object_of(step);
    if (*words.did == 0) {
        words.did = text_print("came to its \"%s\"", op_word(step->kind));
        words.do_it = text_print("come to its \"%s\"", op_word(step->kind));
        words.noun = "";
    }
    const char *verb = tense == DID ? words.did : words.do_it;
    if (*object == 0)
        return verb;
    if (before != NULL && strcmp(object, before) == 0)
        return text_print("%s it", verb);
    return text_print("%s %s%s", verb, words.noun, object);
}

const char *phrase_order(const struct reported *reported, const struct ordering *order)
{
    const struct story_step *earlier = &order->earlier, *later = &order->later;
    bool came = later->number < reported->step_count;
    const char *who =
        later->thread == NO_THREAD ? "any other thread" : text_print("T%u", later->thread);
    return text_print("T%u %s%s before %s %s%s%s", earlier->thread, act(earlier, DID, NULL),
                      place(reported, &earlier->at), who, came ? "" : "could ",
                      act(later, came ? DID : DO_IT, object_of(earlier)),
                      place(reported, &later->at));
}

static const char *orders_text(const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    const char *text = "";
    for (uint32_t i = 0; i < explanation->order_count; i++)
        text = text_print("%s%s%s", text,
                          i == 0                              ? ""
                          : i + 1 == explanation->order_count ? ", and "
                                                              : ", ",
                          explanation->orders[i].text);
    return text;
}

/* The step that a thread was about to take when another thread preempted it. */
static const char *preempted_at(const struct reported *reported, uint32_t step)
{
    thread_id thread = reported->steps[step - 1].thread;
    for (uint32_t i = step; i < reported->step_count; i++)
        if (reported->steps[i].thread == thread)
            return text_print("T%u before it %s%s", thread, act(&reported->steps[i], DID, NULL),
                              place(reported, &reported->steps[i].at));
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        const struct story_wait *wait = &reported->waits[i];
        struct story_step next = {.kind = wait->kind, .object = wait->object};
        if (wait->thread == thread)
            return text_print("T%u before it could %s%s", thread, act(&next, DO_IT, NULL),
                              place(reported, &wait->at));
    }
    return text_print("T%u after it %s%s", thread, act(&reported->steps[step - 1], DID, NULL),
                      place(reported, &reported->steps[step - 1].at));
}

static const char *preemptions_text(const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    const char *text = "";
    for (uint32_t i = 0; i < explanation->preemption_count; i++)
        text = text_print("%s%s%s", text, i == 0 ? "" : "; ",
                          preempted_at(reported, explanation->preemptions[i]));
    return text_print(
        "%s: %s", explanation->preemption_count == 1 ? "the preemption that matters" : "preempted",
        text);
}

/* Where each preempted thread went on. For findings of which it is unknown which preemption
 * matters. */
static const char *interruptions_text(const struct reported *reported)
{
    const char *text = "";
    for (uint32_t i = 1; i < reported->step_count; i++) {
        if (!reported->steps[i].preempts)
            continue;
        thread_id thread = reported->steps[i - 1].thread;
        uint32_t next = i;
        while (next < reported->step_count && reported->steps[next].thread != thread)
            next++;
        bool came = next < reported->step_count;
        text = text_print("%s%sT%u %s%s", text, *text == 0 ? "" : ", ", thread,
                          came ? "before its step" : "after its step",
                          place(reported, &reported->steps[came ? next : i - 1].at));
    }
    return *text == 0
               ? NULL
               : text_print("which orders make it fail was not found out; preempted are %s", text);
}

/* Whether the program goes on after an error of this kind. */
static bool goes_on(enum finding_kind kind)
{
    return kind == FINDING_RACE || kind == FINDING_LOCKSET || kind == FINDING_ATOMICITY ||
           kind == FINDING_LOCK_ORDER || kind == FINDING_MISUSE || kind == FINDING_LEAK ||
           kind == FINDING_UNINITIALISED || kind == FINDING_MISMATCHED_FREE ||
           kind == FINDING_SIGNAL_UNSAFE;
}

static const char *tried_text(const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    bool one = explanation->tried == 1;
    const char *tried = one ? "the only execution"
                            : text_print("all %lu executions%s", explanation->tried,
                                         explanation->all ? "" : " tried");
    const char *fails =
        reported->finding.kind == FINDING_HANG
            ? text_print("hang%s (for %g s, at least)", one ? "s" : "", explanation->hang_seconds)
        : goes_on(reported->finding.kind) ? (one ? "shows it" : "show it")
                                          : (one ? "fails" : "fail");
    const char *coarse = explanation->coarse ? ", if accesses that race are not interrupted" : "";
    if (explanation->order_count == 0)
        return text_print("%s%s %s, whatever the order of steps%s", tried,
                          explanation->choices ? " with the same choices" : "", fails, coarse);
    return text_print("%s that keep%s %s%s %s%s%s", tried, one ? "s" : "",
                      explanation->order_count == 1 ? "this order" : "these orders",
                      explanation->choices ? " and the same choices" : "", fails, coarse,
                      !explanation->smallest          ? ""
                      : explanation->order_count == 1 ? "; without it some do not"
                                                      : "; with fewer orders some do not");
}

static const char *passing_text(const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    const struct story_step *step = &explanation->passing[explanation->leaves];
    return text_print("the nearest execution that passes differs from step %u on: there T%u %s%s",
                      explanation->leaves, step->thread, act(step, DID, NULL),
                      place(reported, &step->at));
}

/* Whether one of the orders that make it fail lets the signal come before the wait. */
static bool is_lost_by_order(const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    uint32_t signal = reported->lost.signal, wait = reported->lost.wait;
    for (uint32_t i = 0; i < explanation->order_count; i++) {
        const struct story_step *earlier = &explanation->orders[i].earlier,
                                *later = &explanation->orders[i].later;
        if (earlier->thread == reported->steps[signal].thread && earlier->number <= signal &&
            later->thread == reported->steps[wait].thread && later->number <= wait)
            return true;
    }
    return false;
}

void phrase_explanation(struct reported *reported)
{
    struct explanation *explanation = &reported->explanation;
    uint32_t count = 0;
    if (reported->cause != NULL && explanation->checked && explanation->order_count > 0)
        reported->cause = is_lost_by_order(reported)
                              ? reported->cause + strlen(CAUSE_PERHAPS)
                              : NULL; /* a signal came too early, but something else made it fail */
    if (explanation->order_count > 0)
        explanation->lines[count++] = orders_text(reported);
    if (explanation->preemption_count > 0)
        explanation->lines[count++] = preemptions_text(reported);
    const char *interrupted = explanation->checked ? NULL : interruptions_text(reported);
    if (interrupted != NULL)
        explanation->lines[count++] = interrupted;
    if (explanation->checked && (explanation->tried > 1 || explanation->order_count > 0))
        explanation->lines[count++] = tried_text(reported);
    if (explanation->passing != NULL && explanation->leaves < explanation->passing_count)
        explanation->lines[count++] = passing_text(reported);
    CHECK(count <= EXPLANATION_LINES_MAX);
}
