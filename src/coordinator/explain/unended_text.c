#include "coordinator/explain/unended_text.h"

#include <string.h>

#include "coordinator/text.h"

enum { LINES_MAX = 6, WHO_MAX = 4 };

/* The lines of one thread, in the file of its first step. */
struct round {
    thread_id thread;
    const struct named_site *at;
    uint32_t lines[LINES_MAX], count;
    bool more; /* there are more lines, or other files */
};

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void add_line(struct round *round, const struct named_site *at)
{
    uint32_t place = 0;
    while (place < round->count && round->lines[place] < at->line)
        place++;
    if (place < round->count && round->lines[place] == at->line)
        return;
    if (!is_same(at->file, round->at->file) || round->count == LINES_MAX) {
        round->more = true;
        return;
    }
    memmove(round->lines + place + 1, round->lines + place,
            (round->count - place) * sizeof *round->lines);
    round->lines[place] = at->line;
    round->count++;
}

static struct round round_of(const struct reported *reported, uint32_t from, thread_id thread)
{
    struct round round = {.thread = thread};
    for (uint32_t i = from; i < reported->step_count; i++) {
        const struct story_step *step = &reported->steps[i];
        if (step->thread != thread)
            continue;
        if (round.at == NULL)
            round.at = &step->at;
        add_line(&round, &step->at);
    }
    return round;
}

/* " at lines 11, 13 and 16 of queue.c" */
static const char *lines_text(const struct round *round)
{
    const struct named_site *at = round->at;
    if (at->file == NULL)
        return at->function != NULL ? text_print(" in %s", at->function)
               : at->module != NULL ? text_print(" in %s", at->module)
                                    : "";
    const char *text = text_print(" at line%s %u", round->count == 1 ? "" : "s", round->lines[0]);
    for (uint32_t i = 1; i < round->count; i++)
        text = text_print("%s%s %u", text, i + 1 < round->count || round->more ? "," : " and",
                          round->lines[i]);
    const char *slash = strrchr(at->file, '/');
    return text_print("%s%s of %s", text, round->more ? ", …" : "",
                      slash == NULL ? at->file : slash + 1);
}

/* "T1 and T2 at lines 11, 13 and 16 of queue.c; T3 at line 20 of main.c" */
static const char *who_text(const struct reported *reported, uint32_t from)
{
    thread_set who = {0};
    for (uint32_t i = from; i < reported->step_count; i++)
        thread_set_add(&who, reported->steps[i].thread);
    uint32_t left = thread_set_count(&who), told = 0;
    const char *text = "";
    while (left > 0 && told++ < WHO_MAX) {
        thread_id first = thread_set_next(&who, 0);
        struct round round = round_of(reported, from, first);
        const char *lines = lines_text(&round), *names = text_print("T%u", first), *last = NULL;
        THREADS_EACH(thread, &who)
        {
            struct round other = round_of(reported, from, thread);
            if (strcmp(lines_text(&other), lines) != 0)
                continue;
            thread_set_remove(&who, thread);
            left--;
            if (last != NULL)
                names = text_print("%s, %s", names, last);
            last = thread == first ? NULL : text_print("T%u", thread);
        }
        if (last != NULL)
            names = text_print("%s and %s", names, last);
        text = text_print("%s%s%s%s", text, *text == 0 ? "" : "; ", names, lines);
    }
    return left == 0 ? text : text_print("%s; %u more threads", text, left);
}

const char *unended_text(const struct reported *reported)
{
    uint32_t cycle = reported->finding.cycle, count = reported->step_count;
    if (count == 0)
        return FINDING_UNENDED;
    uint32_t from = cycle > 0 && cycle <= count ? count - cycle : count - count / 4;
    const char *what = cycle == 0   ? "the same ones come again and again"
                       : cycle == 1 ? "the last one comes again and again"
                                    : text_print("the last %u come again and again", cycle);
    return text_print("not over after %u steps, and %s: %s; nothing shows that it never ends "
                      "(if it should end, raise --steps)",
                      count, what, who_text(reported, from));
}
