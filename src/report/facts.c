/* The facts of a finding: what is wrong, where, and at what cost, in a few plain lines. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "report/opening.h"
#include "report/page.h"

static void write_access(const struct page *page, const struct reported *reported, int i)
{
    const struct place *place = &reported->finding.places[i];
    if (place->site == 0 && reported->places[i].file == NULL)
        return;
    enum verb verb = reported_verb(reported, (uint32_t)i);
    bool accesses = verb == VERB_READS || verb == VERB_WRITES;
    fprintf(page->file, "%sT%u %s%s", i == 0 ? "" : "unordered with: ", place->thread,
            place->atomic && accesses ? "atomically " : "", verb_word(verb));
    if (!accesses)
        fputs(" it", page->file);
    else if (place->size > 0)
        fprintf(page->file, " %u byte%s", place->size, place->size == 1 ? "" : "s");
    write_site(page, &reported->places[i]);
    if (i == 0 || place->step != 0) /* the step of the earlier access may be unknown */
        fprintf(page->file, ", step %u", place->step);
    if (reported->holds[i] != NULL && *reported->holds[i] != 0)
        fprintf(page->file, ", holding %s", reported->holds[i]);
    fputc('\n', page->file);
}

/* Other places that race on the same object: the first pair, and the number of the rest. */
static void write_pairs(const struct page *page, const struct reported *reported)
{
    uint32_t others = reported->finding.pair_count - 1;
    if (reported->pair_count < 2)
        return;
    fputs("so do the accesses", page->file);
    write_site(page, &reported->pairs[1].site[0]);
    fputs(" and", page->file);
    write_site(page, &reported->pairs[1].site[1]);
    if (others > 1) {
        fputs(", and ", page->file);
        write_amount(page->file, others - 1, "other pair of places", "other pairs of places");
    }
    fputc('\n', page->file);
}

/* Writes "; T1, T2 and T3 hold it to read". */
static void write_readers(const struct page *page, const thread_set *readers)
{
    uint32_t count = thread_set_count(readers), written = 0;
    THREADS_EACH(thread, readers)
    {
        written++;
        fprintf(page->file, "%sT%u",
                written == 1       ? "; "
                : written == count ? " and "
                                   : ", ",
                thread);
    }
    if (count > 0)
        fprintf(page->file, " hold%s it to read", count == 1 ? "s" : "");
}

/* Writes how far apart the two accesses of a race are in the schedule that is shown. */
static void write_distance(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    uint32_t later = finding->places[0].step, earlier = finding->places[1].step;
    if (finding->adjacent)
        fprintf(page->file, "one right after the other, in steps %u and %u\n", earlier, later);
    else if (reported->apart > 0)
        fprintf(page->file, "one right after the other it takes %u preemption%s\n", reported->apart,
                reported->apart == 1 ? "" : "s");
}

static void write_wait(const struct page *page, const struct story_wait *wait)
{
    fprintf(page->file, "T%u waits: %s%s%s", wait->thread, op_word(wait->kind),
            *wait->object ? " " : "", wait->object);
    write_site(page, &wait->at);
    if (wait->owner != NO_THREAD && wait->kind != OP_JOIN)
        fprintf(page->file, "; T%u holds it", wait->owner);
    write_readers(page, &wait->readers);
    fputc('\n', page->file);
}

static void write_where(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    if (finding->thread == NO_THREAD && reported->at.file == NULL)
        return;
    if (finding->thread != NO_THREAD)
        fprintf(page->file, "T%u", finding->thread);
    write_site(page, &reported->at);
    fputc('\n', page->file);
}

static void write_signal(const struct page *page, const struct finding *finding)
{
    const char *name = sigabbrev_np(finding->status);
    if (name != NULL)
        fprintf(page->file, "SIG%s (%s)", name, sigdescr_np(finding->status));
    else
        fprintf(page->file, "signal %d", finding->status);
    if (finding->status == SIGSEGV || finding->status == SIGBUS)
        fprintf(page->file, " at address 0x%lx", finding->address);
    fputc('\n', page->file);
}

/* Writes which execution it was, and how much simpler the schedule is that is shown. */
static void write_costs(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    bool asked = reported->fewest != FEWEST_NOT_ASKED;
    uint32_t found = asked ? reported->found.preemptions : finding->preemptions;
    if (finding->execution == 0)
        return;
    if (finding->always) {
        fputs("in every execution, whatever the order of steps: the search went on past it\n",
              page->file);
        return;
    }
    fprintf(page->file, "in %sexecution %lu, with ",
            finding_is_unended(finding) ? "what would have been " : "", finding->execution);
    write_amount(page->file, found, "preemption", "preemptions");
    if (found != finding->preemptions)
        fprintf(page->file, "; shown here with %u", finding->preemptions);
    if (asked && finding->preemptions > 0)
        fputs(reported->fewest == FEWEST_PROVED ? ", the fewest that show it"
                                                : " (fewer may show it, too)",
              page->file);
    fputc('\n', page->file);
}

/* Writes the waits on condition variables that return without a signal in the execution that is
 * shown. */
static void write_spurious(const struct page *page, const struct reported *reported)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reported->step_count; i++) {
        const struct story_step *step = &reported->steps[i];
        if (!story_step_wakes_spuriously(step))
            continue;
        fprintf(page->file, "%sT%u's wait%s%s", count++ == 0 ? "" : ", ", step->thread,
                *step->object ? " for " : "", step->object);
        write_site(page, &step->at);
    }
    if (count > 0)
        fprintf(page->file,
                " return%s without a signal, as POSIX allows: \"Spurious wakeups from "
                "the pthread_cond_timedwait() or pthread_cond_wait() functions may "
                "occur.\"\n",
                count == 1 ? "s" : "");
}

static bool has_lines(const struct reported *reported)
{
    bool has = reported->step_count == 0; /* an assertion names its own line */
    for (uint32_t i = 0; i < reported->step_count && !has; i++)
        has = reported->steps[i].at.file != NULL;
    return has;
}

static void draft_facts(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    bool unended = finding_is_unended(finding); /* the opening has said it */
    if (!opening_says(reported, finding->message) && !unended)
        fprintf(page->file, "%s\n", finding->message);
    if (finding->kind == FINDING_CRASH)
        write_signal(page, finding);
    bool cyclic = finding->kind == FINDING_DEADLOCK || finding->kind == FINDING_LIVELOCK;
    if (reported->object != NULL && *reported->object != 0 && !cyclic)
        fprintf(page->file, "on %s\n", reported->object);
    if (finding->kind == FINDING_RACE) {
        write_access(page, reported, 0);
        write_access(page, reported, 1);
        write_distance(page, reported);
        write_pairs(page, reported);
    } else if (!cyclic) {
        write_where(page, reported);
    }
    if (finding->kind == FINDING_USE_AFTER_FREE || finding->kind == FINDING_DOUBLE_FREE)
        if (reported->places[1].file != NULL) {
            fprintf(page->file, "freed by T%u", finding->places[1].thread);
            write_site(page, &reported->places[1]);
            fputc('\n', page->file);
        }
    bool others = finding->kind == FINDING_MISUSE || finding->kind == FINDING_LOCKSET ||
                  finding->kind == FINDING_ATOMICITY || finding->kind == FINDING_LOCK_ORDER;
    if (others && finding->places[1].thread != NO_THREAD) {
        fprintf(page->file, "also involved: T%u", finding->places[1].thread);
        write_site(page, &reported->places[1]);
        fputc('\n', page->file);
    }
    for (uint32_t i = 0; i < reported->wait_count; i++)
        write_wait(page, &reported->waits[i]);
    if (finding->kind == FINDING_NONDETERMINISM)
        fputs("it may be a file that changes (--fresh), another process, the processor's own "
              "clock or random "
              "numbers, or a call that is not modelled\n",
              page->file);
    if (!reported->confirmed && (reported->replay != NULL || unended) &&
        finding->kind != FINDING_NONDETERMINISM)
        fputs("run again, it did not come out the same\n", page->file);
    if (finding->cycle > 0)
        fprintf(page->file, "the last %u step%s %s (↻)\n", finding->cycle,
                finding->cycle == 1 ? " repeats" : "s repeat",
                unended ? "again and again" : "forever");
    write_spurious(page, reported);
    write_costs(page, reported);
    if (!has_lines(reported))
        fputs("there are no source lines to show: build the program with -g\n", page->file);
}

void write_facts(const struct page *page, const struct reported *reported)
{
    struct draft draft;
    draft_open(&draft, page);
    draft_facts(&draft.page, reported);
    draft_close(&draft, page, 0, 4);
}
