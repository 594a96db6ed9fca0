/* The verdict for people. For each finding: a few plain lines, the interleaving, and how to run it
 * again. Then what was explored, and the claim. */
#include <string.h>

#include "report/columns.h"
#include "report/opening.h"
#include "report/page.h"

enum {
    FINDINGS_IN_FULL = 5,
    FRAMES_SHOWN = 12,
    NAME_SHOWN = 50,
    OUTPUT_SHOWN = 2000,
    LABEL_WIDTH = 10
};

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
            break; /* callers of main are the same in every program */
    }
}

/* Writes how much output is left out. A program that ends with an error status says why in its last
 * lines. */
static const char *write_left_out(const struct page *page, const char *text)
{
    const char *last = text_last_lines(text);
    if (last != text)
        fprintf(page->file, "    … %td bytes before\n", last - text);
    return last;
}

static void write_output(const struct page *page, const struct reported *reported, const char *name,
                         const char *text)
{
    if (text == NULL || *text == 0)
        return;
    fprintf(page->file, "\n  the program's %s:\n", name);
    if (reported->finding.kind == FINDING_EXIT && !page->style->whole)
        text = write_left_out(page, text);
    size_t length = strlen(text), shown = length;
    if (!page->style->whole && length > OUTPUT_SHOWN)
        shown = OUTPUT_SHOWN;
    for (size_t i = 0; i < shown;) {
        size_t line = strcspn(text + i, "\n");
        if (i + line > shown)
            line = shown - i;
        fputs("    | ", page->file);
        for (size_t k = i; k < i + line; k++) /* control characters must not get through */
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

/* Writes the nearest execution that passes, for comparison. */
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
        return; /* a finding about all executions together: there is no execution to show */
    while (said < EXPLANATION_LINES_MAX && reported->explanation.lines[said] != NULL)
        text_line(page->file, page->style, reported->explanation.lines[said++], 4);
    write_facts(page, reported);
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
    write_output(page, reported, "output", reported->output);
    write_output(page, reported, "output in the nearest execution that passes",
                 reported->explanation.output);
    write_output(page, reported, "errors", reported->errors);
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

/* Whether a line is enough: things left behind at the end need no schedule to be understood, unless
 * the finding is replayed. */
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

/* Writes one line for each message. */
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
        fputs(" after new steps or overlaps", file);
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
    case ANSWER_INCOMPLETE:
        ink_text(page->file, page->style, INK_YELLOW, "no answer");
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

/* Writes the lines of `write`, wrapped and indented after the label that was just written. */
static void write_drafted(const struct page *page, void (*write)(const struct page *))
{
    struct draft draft;
    draft_open(&draft, page);
    write(&draft.page);
    draft_close(&draft, page, LABEL_WIDTH, LABEL_WIDTH);
}

static void write_summary(const struct page *page)
{
    const struct verdict *verdict = page->verdict;
    write_result(page);
    write_label(page, "explored");
    write_drafted(page, write_counts);
    if (page->style->verbose)
        write_details(page);
    write_label(page, "claim");
    text_wrap(page->file, page->style, verdict->claim.text, LABEL_WIDTH, LABEL_WIDTH);
    for (uint32_t i = 0; i < verdict->note_count; i++) {
        write_label(page, "note");
        text_wrap(page->file, page->style, verdict->notes[i], LABEL_WIDTH, LABEL_WIDTH);
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
