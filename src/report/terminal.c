/* The verdict for people: each finding in a few plain lines, how it came about, how to see it
 * again; then what was done and what is therefore known. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "report/columns.h"
#include "report/opening.h"

enum { FINDINGS_IN_FULL = 5, FRAMES_SHOWN = 12, NAME_SHOWN = 50, OUTPUT_SHOWN = 2000 };

struct page {
    const struct verdict *verdict;
    const struct report_style *style;
    FILE *file;
};

/* With a blank before it, if anything is known. */
static void write_site(const struct page *page, const struct named_site *at)
{
    if (at->file != NULL)
        fprintf(page->file, " at %s:%u", at->file, at->line);
    else if (at->module != NULL)
        fprintf(page->file, " in %s", at->module);
    if (at->function != NULL)
        fprintf(page->file, " (%s)", at->function);
}

static void write_access(const struct page *page, const struct reported *reported, int i)
{
    const struct place *place = &reported->finding.places[i];
    if (place->site == 0 && reported->places[i].file == NULL)
        return;
    enum verb verb = reported_verb(reported, (uint32_t)i);
    bool accesses = verb == VERB_READS || verb == VERB_WRITES;
    fprintf(page->file, "    %sT%u %s%s", i == 0 ? "" : "unordered with: ", place->thread,
            place->atomic && accesses ? "atomically " : "", verb_word(verb));
    if (!accesses)
        fputs(" it", page->file);
    else if (place->size > 0)
        fprintf(page->file, " %u byte%s", place->size, place->size == 1 ? "" : "s");
    write_site(page, &reported->places[i]);
    if (i == 0 || place->step != 0) /* of the earlier access it may be unknown */
        fprintf(page->file, ", step %u", place->step);
    if (reported->holds[i] != NULL && *reported->holds[i] != 0)
        fprintf(page->file, ", holding %s", reported->holds[i]);
    fputc('\n', page->file);
}

/* "; T1, T2 and T3 hold it to read" */
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

/* How far the two accesses of a race are from each other in the schedule that is shown. */
static void write_distance(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    uint32_t later = finding->places[0].step, earlier = finding->places[1].step;
    if (finding->adjacent)
        fprintf(page->file, "    one right after the other, in steps %u and %u\n", earlier, later);
    else if (reported->apart > 0)
        fprintf(page->file, "    one right after the other it takes %u preemption%s\n",
                reported->apart, reported->apart == 1 ? "" : "s");
}

static void write_wait(const struct page *page, const struct story_wait *wait)
{
    fprintf(page->file, "    T%u waits: %s%s%s", wait->thread, op_word(wait->kind),
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
    fputs("   ", page->file);
    if (finding->thread != NO_THREAD)
        fprintf(page->file, " T%u", finding->thread);
    write_site(page, &reported->at);
    fputc('\n', page->file);
}

static void write_signal(const struct page *page, const struct finding *finding)
{
    const char *name = sigabbrev_np(finding->status);
    if (name != NULL)
        fprintf(page->file, "    SIG%s (%s)", name, sigdescr_np(finding->status));
    else
        fprintf(page->file, "    signal %d", finding->status);
    if (finding->status == SIGSEGV || finding->status == SIGBUS)
        fprintf(page->file, " at address 0x%lx", finding->address);
    fputc('\n', page->file);
}

static void write_amount(FILE *file, uint64_t count, const char *one, const char *many)
{
    fprintf(file, "%lu %s", count, count == 1 ? one : many);
}

/* Which execution it was, and how much simpler the one is that is shown. */
static void write_costs(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    bool asked = reported->fewest != FEWEST_NOT_ASKED;
    uint32_t found = asked ? reported->found.preemptions : finding->preemptions;
    if (finding->execution == 0)
        return;
    fprintf(page->file, "    in %sexecution %lu, with ",
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

static bool has_lines(const struct reported *reported)
{
    bool has = reported->step_count == 0; /* an assertion says its own */
    for (uint32_t i = 0; i < reported->step_count && !has; i++)
        has = reported->steps[i].at.file != NULL;
    return has;
}

static void write_plain_lines(const struct page *page, const struct reported *reported)
{
    const struct finding *finding = &reported->finding;
    bool unended = finding_is_unended(finding); /* the opening has said so */
    if (!opening_says(reported, finding->message) && !unended)
        text_line(page->file, page->style, finding->message, 4);
    if (finding->kind == FINDING_CRASH)
        write_signal(page, finding);
    bool cyclic = finding->kind == FINDING_DEADLOCK || finding->kind == FINDING_LIVELOCK;
    if (reported->object != NULL && *reported->object != 0 && !cyclic)
        fprintf(page->file, "    on %s\n", reported->object);
    if (finding->kind == FINDING_RACE) {
        write_access(page, reported, 0);
        write_access(page, reported, 1);
        write_distance(page, reported);
    } else if (!cyclic) {
        write_where(page, reported);
    }
    if (finding->kind == FINDING_USE_AFTER_FREE || finding->kind == FINDING_DOUBLE_FREE)
        if (reported->places[1].file != NULL) {
            fprintf(page->file, "    freed by T%u", finding->places[1].thread);
            write_site(page, &reported->places[1]);
            fputc('\n', page->file);
        }
    bool others = finding->kind == FINDING_MISUSE || finding->kind == FINDING_LOCKSET ||
                  finding->kind == FINDING_ATOMICITY || finding->kind == FINDING_LOCK_ORDER;
    if (others && finding->places[1].thread != NO_THREAD) {
        fprintf(page->file, "    also involved: T%u", finding->places[1].thread);
        write_site(page, &reported->places[1]);
        fputc('\n', page->file);
    }
    for (uint32_t i = 0; i < reported->wait_count; i++)
        write_wait(page, &reported->waits[i]);
    if (finding->kind == FINDING_NONDETERMINISM)
        text_line(page->file, page->style,
                  "it may be a file that changes (--fresh), another process, the processor's own "
                  "clock or random "
                  "numbers, or a call that is not modelled",
                  4);
    if (!reported->confirmed && (reported->replay != NULL || unended) &&
        finding->kind != FINDING_NONDETERMINISM)
        fputs("    run again, it did not come out the same\n", page->file);
    if (finding->cycle > 0)
        fprintf(page->file, "    the last %u step%s %s (↻)\n", finding->cycle,
                finding->cycle == 1 ? " repeats" : "s repeat",
                unended ? "again and again" : "for ever");
    write_costs(page, reported);
    if (!has_lines(reported))
        fputs("    there are no source lines to show: build the program with -g\n", page->file);
}

static void write_stack(const struct page *page, const struct named_stack *stack, thread_id thread)
{
    if (stack->count == 0)
        return;
    if (thread != NO_THREAD)
        fprintf(page->file, "\n  stack of T%u:\n", thread);
    else
        fprintf(page->file, "\n  stack:\n");
    for (uint32_t i = 0; i < stack->count; i++) {
        const struct named_site *frame = &stack->frames[i];
        if (i == FRAMES_SHOWN && !page->style->whole) {
            fprintf(page->file, "    … %u more\n", stack->count - i);
            break;
        }
        fputs("    ", page->file);
        const char *function = frame->function != NULL ? frame->function : "?";
        text_fit(page->file, function,
                 text_width(function) < NAME_SHOWN || page->style->whole ? text_width(function)
                                                                         : NAME_SHOWN);
        if (frame->file != NULL)
            fprintf(page->file, " at %s:%u", frame->file, frame->line);
        else if (frame->module != NULL)
            fprintf(page->file, " in %s", frame->module);
        fputc('\n', page->file);
        if (frame->function != NULL && strcmp(frame->function, "main") == 0 && !page->style->whole)
            break; /* what calls main is the same in every program */
    }
}

static void write_output(const struct page *page, const char *name, const char *text)
{
    if (text == NULL || *text == 0)
        return;
    fprintf(page->file, "\n  the program's %s:\n", name);
    size_t length = strlen(text), shown = length;
    if (!page->style->whole && length > OUTPUT_SHOWN)
        shown = OUTPUT_SHOWN;
    for (size_t i = 0; i < shown;) {
        size_t line = strcspn(text + i, "\n");
        if (i + line > shown)
            line = shown - i;
        fputs("    | ", page->file);
        for (size_t k = i; k < i + line; k++) /* what it prints must not reach the terminal raw */
            fputc((unsigned char)text[k] < 32 && text[k] != '\t' ? '?' : text[k], page->file);
        fputc('\n', page->file);
        i += line + 1;
    }
    if (shown < length)
        fprintf(page->file, "    … %zu more bytes\n", length - shown);
}

static void write_leaks(const struct page *page, const struct reported *reported)
{
    if (reported->leak_count == 0 || reported->leaks == NULL)
        return;
    fputs("\n  never freed in this execution, and nothing points there any more:\n", page->file);
    uint32_t shown = 0;
    for (const char **leak = reported->leaks; *leak != NULL; leak++, shown++)
        fprintf(page->file, "    %s\n", *leak);
    if (shown < reported->leak_count)
        fprintf(page->file, "    … %u more\n", reported->leak_count - shown);
}

/* The nearest execution that passes, to compare with. */
static void write_passing(const struct page *page, const struct reported *reported)
{
    const struct explanation *explanation = &reported->explanation;
    if (explanation->passing == NULL)
        return;
    struct reported passing = {.finding.kind = FINDING_KINDS,
                               .at = reported->at,
                               .steps = explanation->passing,
                               .step_count = explanation->passing_count};
    fprintf(page->file, "\n  the nearest execution that passes; it differs from step %u on:\n\n",
            explanation->leaves);
    columns_write(&passing, page->style, page->file);
}

static void write_finding(const struct page *page, const struct reported *reported, uint32_t number)
{
    uint32_t said = opening_write(reported, page->style, page->file, number);
    fputc('\n', page->file);
    if (reported->finding.execution == 0 && reported->replay == NULL)
        return; /* of all executions together: none of them is to be shown */
    while (said < EXPLANATION_LINES_MAX && reported->explanation.lines[said] != NULL)
        text_line(page->file, page->style, reported->explanation.lines[said++], 4);
    write_plain_lines(page, reported);
    if (reported->step_count > 0) {
        fputc('\n', page->file);
        columns_write(reported, page->style, page->file);
    }
    if (page->style->whole)
        write_passing(page, reported);
    if (reported->wait_count == 0)
        write_stack(page, &reported->stacks[0], reported->finding.thread);
    if (reported->finding.kind == FINDING_RACE)
        write_stack(page, &reported->stacks[1], reported->finding.places[1].thread);
    for (uint32_t i = 0; i < reported->wait_count; i++)
        write_stack(page, &reported->waits[i].stack, reported->waits[i].thread);
    write_leaks(page, reported);
    write_output(page, "output", reported->output);
    write_output(page, "output in the nearest execution that passes", reported->explanation.output);
    write_output(page, "errors", reported->errors);
    if (reported->replay != NULL) {
        fputs("\n  run it again: ", page->file);
        ink_set(page->file, page->style, INK_BOLD);
        fprintf(page->file, "bohr replay %s\n", reported->replay);
        ink_set(page->file, page->style, INK_PLAIN);
    }
    fputc('\n', page->file);
}

static void write_finding_line(const struct page *page, const struct reported *reported,
                               uint32_t number)
{
    opening_heading(reported, page->style, page->file, number);
    fputs("   ", page->file);
    write_site(page, &reported->at);
    if (reported->replay != NULL)
        fprintf(page->file, "  bohr replay %s", reported->replay);
    fputc('\n', page->file);
}

/* What is left behind at the end needs no schedule to be understood, unless it is replayed. */
static bool is_brief(const struct page *page, const struct reported *reported)
{
    return finding_is_untidy(&reported->finding) && reported->replay != NULL &&
           !page->style->verbose;
}

static bool says_the_same(const struct page *page, uint32_t one, uint32_t other)
{
    const struct reported *findings = page->verdict->findings;
    return is_brief(page, &findings[one]) && is_brief(page, &findings[other]) &&
           strcmp(findings[one].finding.message, findings[other].finding.message) == 0;
}

/* One line for each kind of object. */
static void write_brief(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    bool any = false;
    for (uint32_t i = 0; i < verdict->finding_count; i++) {
        uint64_t before = 0, behind = 0;
        for (uint32_t k = 0; k < verdict->finding_count; k++) {
            before += k < i && says_the_same(page, k, i);
            behind += k > i && says_the_same(page, i, k);
        }
        if (!is_brief(page, &verdict->findings[i]) || before > 0)
            continue;
        any = true;
        ink_text(page->file, page->style, INK_YELLOW, "warning: ");
        fputs(verdict->findings[i].finding.message, page->file);
        write_site(page, &verdict->findings[i].at);
        if (behind > 0) {
            fputs(", and at ", page->file);
            write_amount(page->file, behind, "other place", "other places");
        }
        fputc('\n', page->file);
    }
    if (any)
        fputc('\n', page->file);
}

static void write_counts(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    const struct tally *tally = verdict->tally;
    FILE *file = page->file;
    write_amount(file, tally->executions, "execution", "executions");
    if (tally->classes != CLASSES_UNKNOWN && tally->classes > 0) {
        fputs(", ", file);
        write_amount(file, tally->classes, "class", "classes");
    }
    if (tally->restarts > 0) {
        fputs(", ", file);
        write_amount(file, tally->restarts, "restart", "restarts");
        fputs(" after new races or overlaps", file);
    }
    fprintf(file, " in %.2f s", verdict->wall_seconds);
    if (verdict->wall_seconds > 0 && tally->executions > 1)
        fprintf(file, " (%.0f a second)", (double)tally->executions / verdict->wall_seconds);
    fputc('\n', file);
}

static void write_details(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    const struct tally *tally = verdict->tally;
    FILE *file = page->file;
    fprintf(file,
            "%-10s%u threads, at most %u enabled; at most %u steps, %u of them with a choice\n",
            "size", tally->threads, tally->max_enabled, tally->max_steps, tally->max_points);
    for (uint32_t i = 0; i < tally->bounds; i++)
        fprintf(file, "%-10s%d: %lu executions, %lu classes\n", i == 0 ? "bounds" : "",
                tally->per_bound[i].bound, tally->per_bound[i].executions,
                tally->per_bound[i].classes);
    fprintf(file, "%-10s%s isolation, %s; %.2f s of processor time, %.1f MB\n", "engine",
            isolate_word(verdict->options->isolate), carrier_word(verdict->options->carrier),
            verdict->cpu_seconds, (double)verdict->peak_bytes / 1e6);
}

static void write_label(const struct page *page, const char *label)
{
    ink_set(page->file, page->style, INK_FAINT);
    fprintf(page->file, "%-10s", label);
    ink_set(page->file, page->style, INK_PLAIN);
}

static void write_result(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    uint32_t errors = 0;
    for (uint32_t i = 0; i < verdict->finding_count; i++)
        errors += verdict->findings[i].finding.severity == SEVERITY_ERROR;
    write_label(page, "result");
    switch (verdict->answer) {
    case ANSWER_CLEAN:
        ink_text(page->file, page->style, INK_GREEN, "nothing wrong found");
        break;
    case ANSWER_REFUSED:
        ink_text(page->file, page->style, INK_YELLOW, "refused");
        break;
    case ANSWER_BUG:
        ink_set(page->file, page->style, INK_RED);
        write_amount(page->file, errors, "finding", "findings");
        ink_set(page->file, page->style, INK_PLAIN);
        break;
    }
    if (verdict->finding_count > errors) {
        fputs(", ", page->file);
        write_amount(page->file, verdict->finding_count - errors, "warning", "warnings");
    }
    fputc('\n', page->file);
}

static void write_refusal(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    if (verdict->refusal == NULL)
        return;
    ink_text(page->file, page->style, INK_YELLOW, "refused: ");
    fprintf(page->file, "%s\n", verdict->refusal);
    if (verdict->refusal_at.file != NULL || verdict->refusal_at.function != NULL) {
        fputs("    called", page->file);
        write_site(page, &verdict->refusal_at);
        fputc('\n', page->file);
    }
    fputc('\n', page->file);
}

static void write_summary(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    write_result(page);
    write_label(page, "explored");
    write_counts(page);
    if (page->style->verbose)
        write_details(page);
    write_label(page, "claim");
    text_wrap(page->file, page->style, verdict->claim.text, 10, 10);
    for (uint32_t i = 0; i < verdict->note_count; i++) {
        write_label(page, "note");
        text_wrap(page->file, page->style, verdict->notes[i], 10, 10);
    }
}

static void terminal_write(const struct verdict *verdict, const struct report_style *style,
                           FILE *file)
{
    struct page page = {.verdict = verdict, .style = style, .file = file};
    uint32_t shown = 0;
    for (uint32_t i = 0; i < verdict->finding_count; i++) {
        if (is_brief(&page, &verdict->findings[i]))
            continue;
        shown++;
        if (i < FINDINGS_IN_FULL && !style->quiet)
            write_finding(&page, &verdict->findings[i], i + 1);
        else
            write_finding_line(&page, &verdict->findings[i], i + 1);
    }
    if (shown > FINDINGS_IN_FULL)
        fputc('\n', file);
    if (!style->quiet)
        write_brief(&page);
    write_refusal(&page);
    if (!style->quiet)
        write_summary(&page);
}

const struct report report_terminal = {
    .name = "terminal",
    .summary = "findings and their interleavings, for people",
    .write = terminal_write,
};
