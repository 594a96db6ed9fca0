#include "report/svg_plot.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"

enum {
    LEFT = 84,
    TOP = 20,
    WIDTH = 640, /* width of the area between the axes */
    HEIGHT = 400,
    BELOW = 60,
    LEGEND_ROW = 20,
    LEGEND_LINE = 24,
    CHARACTER = 8, /* width of a character in the legend, at most */
    TICKS_WANTED = 6,
    COLOURS = 8,
};

/* Colours that most people can tell apart (Okabe and Ito 2008). */
static const char *const colours[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#000000", "#999933"};
/* all colours with the first pattern, then all with the next */
static const char *const dashes[] = {"", "6 3", "2 3", "8 3 2 3"};
enum { DASHES = sizeof dashes / sizeof dashes[0] };

struct axis {
    double low, high;
    double step; /* between two ticks, or the factor if the axis is logarithmic */
    bool log;
    double from, to; /* where low and high are in the picture */
};

static double along_of(const struct plot *plot, const struct curve_row *row)
{
    switch (plot->along) {
    case PLOT_EXECUTIONS:
        return (double)row->executions;
    case PLOT_SECONDS:
        return row->seconds;
    case PLOT_BOUND:
        return row->bound;
    }
    UNREACHABLE();
}

static double height_of(const struct plot *plot, const struct curve_row *row)
{
    switch (plot->of) {
    case PLOT_CLASSES:
        return (double)row->classes;
    case PLOT_WAITING:
        return row->waiting;
    case PLOT_WAITING_BYTES:
        return row->waiting_bytes;
    }
    UNREACHABLE();
}

static bool is_shown(const struct plot *plot, const struct curve *curve, size_t index)
{
    const struct curve_row *row = &curve->rows[index];
    double x = along_of(plot, row), y = height_of(plot, row);
    if (isnan(x) || isnan(y) || (plot->log_x && x <= 0) || (plot->log_y && y <= 0))
        return false;
    bool last = index + 1 == curve->count;
    return plot->along != PLOT_BOUND || last || curve->rows[index + 1].bound != row->bound;
}

size_t plot_points(const struct plot *plot, size_t curve)
{
    size_t count = 0;
    for (size_t i = 0; i < plot->curves[curve].curve.count; i++)
        count += is_shown(plot, &plot->curves[curve].curve, i);
    return count;
}

/* The distance of ticks: 1, 2 or 5 times a power of ten. */
static double round_step(double span, bool whole)
{
    double power = pow(10, floor(log10(span / TICKS_WANTED)));
    double step = power;
    static const double factors[] = {2, 5, 10};
    for (int i = 0; i < 3 && span / step > TICKS_WANTED; i++)
        step = factors[i] * power;
    return whole && step < 1 ? 1 : step;
}

static struct axis axis_linear(double high, bool whole)
{
    high = high > 0 ? high : 1;
    double step = round_step(high, whole);
    return (struct axis){.high = ceil(high / step - 1e-9) * step, .step = step};
}

static struct axis axis_log(double low, double high)
{
    double first = floor(log10(low) + 1e-9), last = ceil(log10(high) - 1e-9);
    last = last > first ? last : first + 1;
    return (struct axis){.low = pow(10, first),
                         .high = pow(10, last),
                         .step = pow(10, ceil((last - first) / (2 * TICKS_WANTED))),
                         .log = true};
}

struct extent {
    double low, high;
};

static void widen(struct extent *extent, double value)
{
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
}

static void make_axes(const struct plot *plot, struct axis *x, struct axis *y)
{
    struct extent along = {INFINITY, 0}, up = {INFINITY, 0};
    for (size_t k = 0; k < plot->count; k++)
        for (size_t i = 0; i < plot->curves[k].curve.count; i++) {
            const struct curve *curve = &plot->curves[k].curve;
            if (!is_shown(plot, curve, i))
                continue;
            widen(&along, along_of(plot, &curve->rows[i]));
            widen(&up, height_of(plot, &curve->rows[i]));
        }
    CHECK(isfinite(along.low));
    *x = plot->log_x ? axis_log(along.low, along.high)
                     : axis_linear(along.high, plot->along != PLOT_SECONDS);
    *y = plot->log_y ? axis_log(up.low, up.high) : axis_linear(up.high, true);
    x->from = LEFT;
    x->to = LEFT + WIDTH;
    y->from = TOP + HEIGHT;
    y->to = TOP;
}

static double place(const struct axis *axis, double value)
{
    double part = axis->log ? log10(value / axis->low) / log10(axis->high / axis->low)
                            : (value - axis->low) / (axis->high - axis->low);
    return axis->from + part * (axis->to - axis->from);
}

static void write_label(FILE *file, double value)
{
    if (value < 1e6) {
        fprintf(file, "%.6g", value);
        return;
    }
    double exponent = floor(log10(value) + 1e-9);
    fprintf(file, "%.4ge%.0f", value / pow(10, exponent), exponent);
}

static double next_tick(const struct axis *axis, double low, int number)
{
    return axis->log ? low * pow(axis->step, number) : low + axis->step * number;
}

static void write_tick(FILE *file, const struct axis *x, const struct axis *y, bool along,
                       double value)
{
    double at = place(along ? x : y, value);
    if (along)
        fprintf(file, "<path class=\"grid\" d=\"M%.2f %d V%d\"/>", at, TOP, TOP + HEIGHT);
    else
        fprintf(file, "<path class=\"grid\" d=\"M%d %.2f H%d\"/>", LEFT, at, LEFT + WIDTH);
    if (along)
        fprintf(file, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">", at, TOP + HEIGHT + 18);
    else
        fprintf(file, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">", LEFT - 8, at + 4);
    write_label(file, value);
    fputs("</text>\n", file);
}

static void write_ticks(FILE *file, const struct axis *x, const struct axis *y, bool along)
{
    const struct axis *axis = along ? x : y;
    double value;
    for (int i = 0; (value = next_tick(axis, axis->low, i)) <= axis->high * (1 + 1e-9); i++)
        write_tick(file, x, y, along, value);
}

static void write_axes(FILE *file, const struct plot *plot, const struct axis *x,
                       const struct axis *y)
{
    static const char *const names[] = {
        [PLOT_EXECUTIONS] = "executions", [PLOT_SECONDS] = "seconds", [PLOT_BOUND] = "bound"};
    static const char *const heights[] = {[PLOT_CLASSES] = "classes",
                                          [PLOT_WAITING] = "executions that wait",
                                          [PLOT_WAITING_BYTES] = "bytes for what waits"};
    write_ticks(file, x, y, true);
    write_ticks(file, x, y, false);
    fprintf(file, "<path class=\"axis\" d=\"M%d %d V%d H%d\"/>\n", LEFT, TOP, TOP + HEIGHT,
            LEFT + WIDTH);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + WIDTH / 2,
            TOP + HEIGHT + 44, names[plot->along]);
    fprintf(file,
            "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">"
            "%s</text>\n",
            TOP + HEIGHT / 2, heights[plot->of]);
}

static void write_stroke(FILE *file, size_t number)
{
    const char *dash = dashes[number / COLOURS % DASHES];
    fprintf(file, " stroke=\"%s\"", colours[number % COLOURS]);
    if (*dash != 0)
        fprintf(file, " stroke-dasharray=\"%s\"", dash);
}

/* Draws a curve. Its end is marked, so that a curve of one point is visible. */
static void write_curve(FILE *file, const struct plot *plot, size_t number, const struct axis *x,
                        const struct axis *y)
{
    const struct curve *curve = &plot->curves[number].curve;
    double across = 0, up = 0;
    const char *blank = "";
    fputs("<polyline class=\"curve\"", file);
    write_stroke(file, number);
    fputs(" points=\"", file);
    for (size_t i = 0; i < curve->count; i++) {
        if (!is_shown(plot, curve, i))
            continue;
        across = place(x, along_of(plot, &curve->rows[i]));
        up = place(y, height_of(plot, &curve->rows[i]));
        fprintf(file, "%s%.2f,%.2f", blank, across, up);
        blank = " ";
    }
    fprintf(file, "\"/><circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", across, up,
            colours[number % COLOURS]);
}

static bool is_utf8(const char *text)
{
    json_t *string = json_string(text);
    json_decref(string);
    return string != NULL;
}

/* Escapes a text. Bytes that XML cannot contain become question marks. */
static void write_text(FILE *file, const char *text)
{
    bool whole = is_utf8(text);
    for (; *text != 0; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '&')
            fputs("&amp;", file);
        else if (byte == '<')
            fputs("&lt;", file);
        else if (byte == '>')
            fputs("&gt;", file);
        else
            fputc(byte < ' ' || byte == 0x7f || (byte > 0x7f && !whole) ? '?' : byte, file);
    }
}

static void write_legend(FILE *file, const struct plot *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        int left = LEFT + WIDTH + 20;
        size_t row = TOP + 12 + i * LEGEND_ROW;
        fprintf(file, "<path class=\"curve\" d=\"M%d %zu h%d\"", left, row - 4, LEGEND_LINE);
        write_stroke(file, i);
        fprintf(file, "/><text class=\"name\" x=\"%d\" y=\"%zu\">", left + LEGEND_LINE + 6, row);
        write_text(file, plot->curves[i].name);
        fputs("</text>\n", file);
    }
}

void plot_write(const struct plot *plot, FILE *file)
{
    struct axis x, y;
    size_t longest = 0, height = TOP + HEIGHT + BELOW, rows = 2 * TOP + plot->count * LEGEND_ROW;
    make_axes(plot, &x, &y);
    for (size_t i = 0; i < plot->count; i++) {
        size_t length = strlen(plot->curves[i].name);
        longest = longest > length ? longest : length;
    }
    size_t width = LEFT + WIDTH + 20 + LEGEND_LINE + 6 + longest * CHARACTER + 10;
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<style>.curve{fill:none;stroke-width:1.8}.axis{fill:none;stroke:#333}"
            ".grid{fill:none;stroke:#ddd}text{fill:#222}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, rows > height ? rows : height);
    write_axes(file, plot, &x, &y);
    for (size_t i = 0; i < plot->count; i++)
        write_curve(file, plot, i, &x, &y);
    write_legend(file, plot);
    fputs("</svg>\n", file);
}
