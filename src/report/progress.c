#define _GNU_SOURCE
#include "report/progress.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "report/estimate.h"

#define INTERVAL_SECONDS 0.2
enum { WIDTH_USUAL = 80 };

/* A part is there whole or not at all, but for the first, of which there is as much as fits. */
static void add(char text[PROGRESS_TEXT_MAX], int width, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char text[PROGRESS_TEXT_MAX], int width, const char *format, ...)
{
    char part[PROGRESS_TEXT_MAX];
    size_t used = strlen(text),
           most = width < PROGRESS_TEXT_MAX ? (size_t)width : PROGRESS_TEXT_MAX;
    va_list values;
    va_start(values, format);
    vsnprintf(part, sizeof part, format, values);
    va_end(values);
    if (used == 0)
        snprintf(text, most, "%s", part);
    else if (used + strlen(", ") + strlen(part) < most)
        snprintf(text + used, most - used, ", %s", part);
}

static void add_estimate(char text[PROGRESS_TEXT_MAX], int width, const struct tally *tally,
                         double rate)
{
    struct remaining remaining;
    double chance;
    if (tally->claim == CLAIM_SAMPLED && new_class_probability(&chance, tally))
        add(text, width, "%.2g%% new", 100 * chance);
    if (!remaining_estimate(&remaining, &tally->estimate))
        return;
    add(text, width, "about %.2g left (%.2g to %.2g)", remaining.left, remaining.low,
        remaining.high);
    if (rate > 0 && remaining.left / rate < 1e6)
        add(text, width, "%.0f s more", remaining.left / rate);
}

void progress_text(char text[PROGRESS_TEXT_MAX], int width, const struct tally *tally,
                   const char *leader, double rate, double seconds)
{
    text[0] = 0;
    add(text, width, "%lu executions", tally->executions);
    if (tally->finding_count > 0)
        add(text, width, "%u found", tally->finding_count);
    if (tally->bound >= 0)
        add(text, width, "bound %d", tally->bound);
    add(text, width, "%.0f a second", rate);
    if (tally->classes != CLASSES_UNKNOWN)
        add(text, width, "%lu classes", tally->classes);
    add_estimate(text, width, tally, rate);
    if (leader != NULL)
        add(text, width, "%s leads", leader);
    add(text, width, "%.0f s", seconds);
    if (tally->pending > 0)
        add(text, width, "%lu pending", tally->pending);
    add(text, width, "depth %u", tally->max_steps);
}

/* It may change while the search runs. */
static int width_of(FILE *file)
{
    struct winsize size;
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                          : WIDTH_USUAL;
}

void progress_show(struct progress_line *line, const struct tally *now, const char *leader,
                   double seconds)
{
    double since = seconds - line->shown;
    if (since < INTERVAL_SECONDS)
        return;
    struct tally tally = *now; /* numbers may be torn: they are only looked at */
    char text[PROGRESS_TEXT_MAX];
    double rate = (double)(tally.executions - line->executions) / since;
    progress_text(text, width_of(line->file), &tally, leader, rate, seconds);
    fprintf(line->file, "\r\033[K%s", text);
    fflush(line->file);
    line->shown = seconds;
    line->executions = tally.executions;
    line->visible = true;
}

void progress_clear(struct progress_line *line)
{
    if (!line->visible)
        return;
    fputs("\r\033[K", line->file);
    fflush(line->file);
    line->visible = false;
}
