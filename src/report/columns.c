#include "report/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    MARGIN = 8,        /* the width of "  step  " */
    COLUMN_LEAST = 21, /* narrower columns cannot be read: then all threads share one column */
    COLUMN_MOST = 44,
    STRETCH_SHOWN = 3, /* steps shown at either end of a long stretch of one thread */
    STRETCH_LONG = 9,
    ROWS_MAX = 80, /* most rows; of a longer story the end is shown */
    ROWS_AT_START = 12,
    CELL_MAX = 512,
    SHORT_STORY = 30, /* steps that are easily read without an explanation */
    /* columns of a terminal below which there is no table: each step has lines of its own */
    NARROW = 60,
};

struct table {
    const struct reported *reported;
    const struct report_style *style;
    FILE *file;
    int columns, width;
    int column[THREADS_MAX]; /* of each thread; -1: the thread took no part */
    bool narrow;
    bool shared;        /* too many threads: all are in one column, each step with its thread */
    const char *source; /* file of most steps, left out of cells that would be too wide with it */
};

static const char *commonest_file(const struct reported *reported)
{
    const char *best = NULL;
    uint32_t best_count = 0;
    for (uint32_t i = 0; i < reported->step_count && i < ROWS_MAX; i++) {
        const char *file = reported->steps[i].at.file;
        uint32_t count = 0;
        for (uint32_t k = 0; file != NULL && k < reported->step_count && k < ROWS_MAX; k++)
            count +=
                reported->steps[k].at.file != NULL && strcmp(reported->steps[k].at.file, file) == 0;
        if (count > best_count) {
            best = file;
            best_count = count;
        }
    }
    return best;
}

static void lay_out(struct table *table)
{
    const struct reported *reported = table->reported;
    bool takes_part[THREADS_MAX] = {0};
    for (uint32_t i = 0; i < reported->step_count; i++)
        takes_part[reported->steps[i].thread] = true;
    for (uint32_t i = 0; i < reported->wait_count; i++)
        takes_part[reported->waits[i].thread] = true;
    for (int thread = 0; thread < THREADS_MAX; thread++)
        table->column[thread] = takes_part[thread] ? table->columns++ : -1;
    int room = report_width(table->style) - MARGIN;
    table->narrow = report_width(table->style) < NARROW;
    table->width = room / (table->columns == 0 ? 1 : table->columns);
    table->shared = table->width < COLUMN_LEAST;
    if (table->shared)
        table->width = room;
    else if (table->width > COLUMN_MOST)
        table->width = COLUMN_MOST;
}

static void operation_text(const struct story_step *step, char *what)
{
    snprintf(what, CELL_MAX, "%s%s%s%s", op_word(step->kind), *step->object ? " " : "",
             step->object, step->failed ? " (fails)" : "");
    size_t length = strlen(what);
    if (step->kind == OP_COND_WAIT) {
        if (step->choice != 0)
            snprintf(what + length, CELL_MAX - length, ", wakes spuriously");
        return;
    }
    if (step->choices > 1)
        snprintf(what + length, CELL_MAX - length, " → %u of %u", step->choice, step->choices);
}

static void place_text(const struct table *table, const struct story_step *step, char *place)
{
    place[0] = 0;
    if (step->at.file == NULL)
        return;
    bool left_out = table->source != NULL && strcmp(table->source, step->at.file) == 0;
    snprintf(place, CELL_MAX, "  %s:%u", left_out ? "" : base_name(step->at.file), step->at.line);
}

static int cell_room(const struct table *table)
{
    return table->width - 3 - (table->shared ? 6 : 0); /* a mark may follow, and a blank */
}

static bool fits_whole(const struct table *table, const struct story_step *step)
{
    char place[CELL_MAX], what[CELL_MAX];
    operation_text(step, what);
    place_text(table, step, place);
    return text_width(what) + text_width(place) <= cell_room(table);
}

/* Names the most common file once above the table if the cells would be too wide with it. */
static void shorten(struct table *table)
{
    const struct reported *reported = table->reported;
    for (uint32_t i = 0; i < reported->step_count && i < ROWS_MAX; i++)
        if (!fits_whole(table, &reported->steps[i])) {
            table->source = commonest_file(reported);
            return;
        }
}

/* The text of a cell. If it is too wide, the operation is cut before its source line is. */
static void cell_text(const struct table *table, const struct story_step *step, char *cell)
{
    char place[CELL_MAX], what[CELL_MAX];
    operation_text(step, what);
    place_text(table, step, place);
    if (table->narrow) {
        snprintf(cell, CELL_MAX, "%.*s%.*s", CELL_MAX / 2, what, CELL_MAX / 4, place);
        return;
    }
    int room = cell_room(table) - text_width(place);
    if (room < 8) {
        place[0] = 0;
        room = cell_room(table);
    }
    size_t end = strlen(what);
    if (text_width(what) > room) {
        end = 0;
        for (int width = 0; what[end] != 0; end++)
            if ((what[end] & 0xc0) != 0x80 && width++ == room - 1)
                break;
        snprintf(what + end, sizeof what - end, "…");
    }
    snprintf(cell, CELL_MAX, "%.*s%.*s", CELL_MAX / 2, what, CELL_MAX / 4, place);
}

static void write_number(const struct table *table, uint32_t number)
{
    ink_set(table->file, table->style, INK_FAINT);
    fprintf(table->file, table->narrow ? "%u " : "%6u  ", number);
    ink_set(table->file, table->style, INK_PLAIN);
}

/* Writes "12 T1 lock mutex  :40 ◀". */
static void write_narrow(const struct table *table, const char *before, thread_id thread,
                         const char *text, enum ink ink, const char *mark)
{
    char line[CELL_MAX + 64];
    int at = fprintf(table->file, "%s", before);
    snprintf(line, sizeof line, "T%u %s%s%s", thread, text, mark == NULL ? "" : " ",
             mark == NULL ? "" : mark);
    ink_set(table->file, table->style, ink);
    text_wrap(table->file, table->style, line, at, 4);
    ink_set(table->file, table->style, INK_PLAIN);
}

static void write_cell(const struct table *table, thread_id thread, const char *text, enum ink ink,
                       const char *mark)
{
    if (table->narrow) {
        write_narrow(table, "", thread, text, ink, mark);
        return;
    }
    int column = table->shared ? 0 : table->column[thread];
    fprintf(table->file, "%*s", column * table->width, "");
    if (table->shared)
        fprintf(table->file, "T%-4u ", thread);
    ink_text(table->file, table->style, ink, text);
    if (mark != NULL) {
        fputc(' ', table->file);
        ink_text(table->file, table->style, INK_RED, mark);
    }
    fputc('\n', table->file);
}

/* Fills the margin of a row that has no number. */
static void write_margin(const struct table *table)
{
    if (!table->narrow)
        fprintf(table->file, "%*s", MARGIN, "");
}

static void write_heading(const struct table *table)
{
    if (table->narrow)
        return;
    ink_text(table->file, table->style, INK_FAINT, "  step  ");
    for (int thread = 0; thread < THREADS_MAX && !table->shared; thread++) {
        if (table->column[thread] < 0)
            continue;
        char name[16];
        snprintf(name, sizeof name, "T%d", thread);
        bool last = table->column[thread] == table->columns - 1;
        ink_set(table->file, table->style, INK_BOLD);
        text_fit(table->file, name, last ? text_width(name) : table->width);
        ink_set(table->file, table->style, INK_PLAIN);
    }
    if (table->shared)
        ink_text(table->file, table->style, INK_BOLD, "thread and operation");
    fputc('\n', table->file);
}

/* Whether the finding showed at this step; a race shows at two steps. */
static bool step_is_marked(const struct reported *reported, uint32_t number)
{
    const struct finding *finding = &reported->finding;
    if (finding->kind == FINDING_RACE)
        return number == finding->places[0].step ||
               (number == finding->places[1].step && number != 0); /* 0: it may be unknown */
    if (finding->kind == FINDING_MISUSE || finding->kind == FINDING_SIGNAL_UNSAFE)
        /* the execution went on */
        return number == finding->places[0].step;
    return number + 1 == reported->step_count && reported->wait_count == 0 &&
           finding->kind != FINDING_KINDS; /* not in an execution that passes */
}

/* Whether the step is one of the last steps that a livelock repeats. */
static bool step_repeats(const struct reported *reported, uint32_t number)
{
    return number < reported->step_count &&
           number + reported->finding.cycle >= reported->step_count;
}

static void write_preemption(const struct table *table, thread_id thread)
{
    char text[64];
    snprintf(text, sizeof text, "── T%u is preempted ──", thread);
    if (table->narrow)
        snprintf(text, sizeof text, "is preempted");
    write_margin(table);
    write_cell(table, thread, text, INK_YELLOW, NULL);
}

static void write_step(const struct table *table, uint32_t i)
{
    const struct reported *reported = table->reported;
    const struct story_step *step = &reported->steps[i];
    if (step->preempts)
        write_preemption(table, reported->steps[i - 1].thread);
    char cell[CELL_MAX];
    cell_text(table, step, cell);
    write_number(table, step->number);
    bool marked = step_is_marked(reported, step->number);
    const char *mark = step_repeats(reported, step->number) ? "↻" : marked ? "◀" : NULL;
    write_cell(table, step->thread, cell, marked ? INK_BOLD : INK_PLAIN, mark);
}

/* Writes "… 12 more steps" in the column of a single thread, or "… 12 steps of T1 and T2". */
static void write_folded(const struct table *table, uint32_t from, uint32_t to)
{
    const struct story_step *steps = table->reported->steps;
    thread_set who = {0};
    for (uint32_t i = from; i < to; i++)
        thread_set_add(&who, steps[i].thread);
    uint32_t threads = thread_set_count(&who), named = 0;
    const char *more = to - from == 1 ? "step" : "steps";
    write_margin(table);
    if (threads == 1) {
        char text[64];
        snprintf(text, sizeof text, "… %u more %s", to - from, more);
        write_cell(table, steps[from].thread, text, INK_FAINT, NULL);
        return;
    }
    ink_set(table->file, table->style, INK_FAINT);
    fprintf(table->file, "… %u %s of ", to - from, more);
    THREADS_EACH(thread, &who)
    {
        named++;
        fprintf(table->file, "%sT%u", named == 1 ? "" : named == threads ? " and " : ", ", thread);
    }
    ink_set(table->file, table->style, INK_PLAIN);
    fputc('\n', table->file);
}

static bool cycle_is_shown(const struct reported *reported, uint32_t number)
{
    return reported->finding.cycle <= ROWS_MAX && step_repeats(reported, number);
}

static void show_around(bool *shown, uint32_t count, uint32_t step)
{
    for (uint32_t i = step > 0 ? step - 1 : 0; i <= step + 1 && i < count; i++)
        shown[i] = true;
}

/* Shows the steps that are known to matter: the orders that make the execution fail, the
 * preemptions, and the last step of each thread. */
static void choose_what_matters(const struct reported *reported, bool *shown)
{
    const struct explanation *explanation = &reported->explanation;
    uint32_t count = reported->step_count, preemptions = 0;
    thread_set last = {0};
    for (uint32_t i = 0; i < explanation->order_count; i++) {
        show_around(shown, count, explanation->orders[i].earlier.number);
        if (explanation->orders[i].later.number < count)
            show_around(shown, count, explanation->orders[i].later.number);
    }
    for (uint32_t i = 0; i < explanation->preemption_count; i++)
        show_around(shown, count, explanation->preemptions[i]);
    for (uint32_t i = count; i-- > 0;) {
        preemptions += reported->steps[i].preempts;
        shown[i] |= step_is_marked(reported, i) || cycle_is_shown(reported, i) ||
                    !thread_set_has(&last, reported->steps[i].thread);
        thread_set_add(&last, reported->steps[i].thread);
        if (reported->steps[i].preempts && preemptions <= ROWS_AT_START)
            shown[i] = shown[i - 1] = true;
    }
}

/* Rows for the end of the story. For a possible livelock: two rounds of its steps, or some steps if
 * the rounds are unknown. */
static uint32_t rows_at_end(const struct reported *reported)
{
    uint32_t usual = ROWS_MAX - ROWS_AT_START, cycle = reported->finding.cycle;
    if (!finding_is_unended(&reported->finding) || cycle > usual / 2)
        return usual;
    return cycle == 0 ? 2 * ROWS_AT_START : 2 * cycle;
}

/* For a finding without explanation: folds long stretches of one thread, and the middle of a long
 * story. */
static void choose_by_length(const struct reported *reported, bool *shown)
{
    uint32_t count = reported->step_count;
    memset(shown, 1, count);
    for (uint32_t start = 0, end; start < count; start = end) {
        end = start + 1;
        while (end < count && reported->steps[end].thread == reported->steps[start].thread)
            end++;
        for (uint32_t i = start + STRETCH_SHOWN;
             end - start >= STRETCH_LONG && i < end - STRETCH_SHOWN; i++)
            shown[i] = step_is_marked(reported, i) || cycle_is_shown(reported, i);
    }
    uint32_t rows = 0, at_end = rows_at_end(reported);
    for (uint32_t i = 0; i < count; i++)
        rows += shown[i];
    for (uint32_t i = 0, row = 0; i < count && rows > ROWS_AT_START + at_end; i++) {
        if (!shown[i])
            continue;
        row++;
        if (row > ROWS_AT_START && row <= rows - at_end)
            shown[i] = step_is_marked(reported, i) || cycle_is_shown(reported, i);
    }
}

/* Sets shown[i] if step i is a row of its own. */
static void choose_rows(const struct table *table, bool *shown)
{
    const struct reported *reported = table->reported;
    if (table->style->whole)
        memset(shown, 1, reported->step_count);
    else if (reported->explanation.order_count > 0 && reported->step_count > SHORT_STORY)
        choose_what_matters(reported, shown);
    else
        choose_by_length(reported, shown);
}

static void write_waits(const struct table *table)
{
    const struct reported *reported = table->reported;
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        const struct story_wait *wait = &reported->waits[i];
        struct story_step step = {
            .thread = wait->thread, .kind = wait->kind, .object = wait->object, .at = wait->at};
        char cell[CELL_MAX];
        cell_text(table, &step, cell);
        ink_text(table->file, table->style, INK_FAINT, table->narrow ? "waits " : " waits  ");
        write_cell(table, wait->thread, cell, INK_BOLD, "◀");
    }
}

void columns_write(const struct reported *reported, const struct report_style *style, FILE *file)
{
    struct table table = {.reported = reported, .style = style, .file = file};
    lay_out(&table);
    shorten(&table);
    if (table.source != NULL)
        fprintf(file, "  lines without a file are of %s\n", table.source);
    write_heading(&table);
    bool *shown = calloc(reported->step_count + 1, sizeof *shown);
    CHECK(shown != NULL);
    choose_rows(&table, shown);
    for (uint32_t i = 0, next; i < reported->step_count; i = next) {
        next = i + 1;
        if (shown[i]) {
            write_step(&table, i);
            continue;
        }
        while (next < reported->step_count && !shown[next])
            next++;
        write_folded(&table, i, next);
    }
    write_waits(&table);
    free(shown);
}
