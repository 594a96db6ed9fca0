#define _GNU_SOURCE
#include "report/progress.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>

#include "report/remaining.h"

enum { WIDTH_USUAL = 80 };

/* Appends a part if it fits as a whole. Only the first part may be cut. */
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

struct short_number {
    char text[16];
};

/* A number in two significant digits, such as 26k or 1.4M. */
static struct short_number shorten(double value)
{
    static const char *const units[] = {"", "k", "M", "G"};
    struct short_number out;
    int unit = 0;
    for (; value >= 999.5 && unit < 3; value /= 1000)
        unit++;
    if (value >= 999.5)
        snprintf(out.text, sizeof out.text, "%.1e", value * 1e9);
    else if (value >= 99.5)
        snprintf(out.text, sizeof out.text, "%.0f%s", unit > 0 ? round(value / 10) * 10 : value,
                 units[unit]);
    else
        snprintf(out.text, sizeof out.text, "%.*f%s", value < 9.95 && unit > 0, value, units[unit]);
    return out;
}

static void add_estimate(char text[PROGRESS_TEXT_MAX], int width, const struct tally *tally,
                         double rate)
{
    struct remaining remaining;
    double chance;
    if (tally->claim == CLAIM_SAMPLED && new_class_probability(&chance, tally))
        add(text, width, chance < 0.095 ? "%.2g%% new" : "%.0f%% new", 100 * chance);
    if (!remaining_executions(&remaining, tally))
        return;
    add(text, width, "about %s left (%s to %s)", shorten(remaining.left).text,
        shorten(remaining.low).text, shorten(remaining.high).text);
    if (rate > 0 && remaining.left / rate < 1e6)
        add(text, width, "%.0f s more", remaining.left / rate);
}

void progress_text(char text[PROGRESS_TEXT_MAX], int width, const struct glance *now, double rate,
                   double seconds)
{
    const struct tally *tally = &now->tally;
    text[0] = 0;
    add(text, width, "%lu executions", tally->executions);
    if (tally->finding_count > 0)
        add(text, width, "%u found", tally->finding_count);
    if (tally->bound >= 0)
        add(text, width, "bound %d", tally->bound);
    add(text, width, "%.0f a second", rate);
    if (tally->classes != CLASSES_UNKNOWN)
        add(text, width, "%s%lu classes", now->classes_about ? "about " : "", tally->classes);
    add_estimate(text, width, tally, rate);
    if (now->leader != NULL)
        add(text, width, "%s leads", now->leader);
    add(text, width, "%.0f s", seconds);
    if (tally->pending > 0)
        add(text, width, "%lu pending", tally->pending);
    add(text, width, "depth %u", tally->max_steps);
}

/* The width of the terminal, read each time since it may change while the search runs. */
static int width_of(FILE *file)
{
    struct winsize size;
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                          : WIDTH_USUAL;
}

void progress_show(struct progress_line *line, const struct glance *now, double seconds)
{
    char text[PROGRESS_TEXT_MAX];
    double since = seconds - line->shown;
    double rate = since > 0 ? (double)(now->tally.executions - line->executions) / since : 0;
    progress_text(text, width_of(line->file), now, rate, seconds);
    fprintf(line->file, "\r\033[K%s", text);
    fflush(line->file);
    line->shown = seconds;
    line->executions = now->tally.executions;
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
