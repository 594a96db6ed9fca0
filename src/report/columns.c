#include "report/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    MARGIN = 8,        /* "  step  " */
    COLUMN_LEAST = 21, /* narrower columns cannot be read: then threads share one */
    COLUMN_MOST = 44,
    STRETCH_SHOWN = 3, /* steps kept at either end of a long stretch of one thread */
    STRETCH_LONG = 9,
    ROWS_MAX = 80, /* rows shown; of a longer story its end counts */
    ROWS_AT_START = 12,
    CELL_MAX = 512,
};

struct table {
    const struct reported *reported;
    const struct report_style *style;
    FILE *file;
    int columns, width;
    int column[THREADS_MAX]; /* of each thread; -1: it took no part */
    bool shared;             /* too many threads: all in one column, each step with its thread */
    const char *source;      /* the file of most steps, left out of cells that it would burst */
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

/* The most common file is named once above the table if it would burst the cells. */
static void shorten(struct table *table)
{
    const struct reported *reported = table->reported;
    for (uint32_t i = 0; i < reported->step_count && i < ROWS_MAX; i++)
        if (!fits_whole(table, &reported->steps[i])) {
            table->source = commonest_file(reported);
            return;
        }
}

/* The operation is cut before its source line is. */
static void cell_text(const struct table *table, const struct story_step *step, char *cell)
{
    char place[CELL_MAX], what[CELL_MAX];
    operation_text(step, what);
    place_text(table, step, place);
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
    fprintf(table->file, "%6u  ", number);
    ink_set(table->file, table->style, INK_PLAIN);
}

static void write_cell(const struct table *table, thread_id thread, const char *text, enum ink ink,
                       const char *mark)
{
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

static void write_heading(const struct table *table)
{
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

/* The step at which the finding showed; of a race there are two. */
static bool step_is_marked(const struct reported *reported, uint32_t number)
{
    const struct finding *finding = &reported->finding;
    if (finding->kind == FINDING_RACE)
        return number == finding->places[0].step ||
               (number == finding->places[1].step && number != 0); /* 0: it may be unknown */
    if (finding->kind == FINDING_MISUSE) /* the execution went on */
        return number == finding->places[0].step;
    return number + 1 == reported->step_count && reported->wait_count == 0 &&
           finding->kind != FINDING_KINDS; /* of an execution that passes */
}

/* One of those at the end that a livelock does for ever. */
static bool step_repeats(const struct reported *reported, uint32_t number)
{
    return number < reported->step_count && number + reported->finding.cycle >= reported->step_count;
}

static void write_preemption(const struct table *table, thread_id thread)
{
    char text[64];
    snprintf(text, sizeof text, "── T%u is preempted ──", thread);
    fprintf(table->file, "%*s", MARGIN, "");
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

static void write_folded(const struct table *table, uint32_t from, uint32_t to)
{
    char text[64];
    snprintf(text, sizeof text, "… %u more steps", to - from);
    fprintf(table->file, "%*s", MARGIN, "");
    write_cell(table, table->reported->steps[from].thread, text, INK_FAINT, NULL);
}

static bool cycle_is_shown(const struct reported *reported, uint32_t number)
{
    return reported->finding.cycle <= ROWS_MAX && step_repeats(reported, number);
}

/* shown[i]: step i is a row of its own. */
static void choose_rows(const struct table *table, bool *shown)
{
    const struct reported *reported = table->reported;
    uint32_t count = reported->step_count;
    memset(shown, 1, count);
    if (table->style->whole)
        return;
    for (uint32_t start = 0, end; start < count; start = end) {
        end = start + 1;
        while (end < count && reported->steps[end].thread == reported->steps[start].thread)
            end++;
        for (uint32_t i = start + STRETCH_SHOWN;
             end - start >= STRETCH_LONG && i < end - STRETCH_SHOWN; i++)
            shown[i] = step_is_marked(reported, i) || cycle_is_shown(reported, i);
    }
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; i++)
        rows += shown[i];
    for (uint32_t i = 0, row = 0; i < count && rows > ROWS_MAX; i++) {
        if (!shown[i])
            continue;
        row++;
        if (row > ROWS_AT_START && row <= rows - (ROWS_MAX - ROWS_AT_START))
            shown[i] = step_is_marked(reported, i) || cycle_is_shown(reported, i);
    }
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
        ink_text(table->file, table->style, INK_FAINT, " waits  ");
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
