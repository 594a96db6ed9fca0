/* bohr plot: curves of coverage, as run --coverage wrote them, in one picture. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "cli/command.h"
#include "cli/replace.h"
#include "coordinator/text.h"
#include "report/svg_plot.h"

#define USAGE        "bohr plot [OPTIONS] FILE…"
#define CANNOT_WRITE "cannot write the picture"

struct plot_settings {
    struct plot plot;
    struct plot_curve *curves; /* curves of the plot */
    const char *output;        /* NULL: standard output */
    bool help;
};

static void help(void)
{
    puts(USAGE "\n\n"
               "  -o, --output FILE                  the picture, as SVG (standard output)\n"
               "  -x, --along executions|seconds|bound  the horizontal axis (executions)\n"
               "  -y, --of classes|waiting|waiting_bytes  the vertical axis (classes)\n"
               "  -l, --log x|y|xy                   logarithmic axes (none)\n"
               "  -h, --help                         this list");
}

static bool parse_along(struct plot *plot, const char *value, struct problem *why)
{
    static const char *const words[] = {
        [PLOT_EXECUTIONS] = "executions", [PLOT_SECONDS] = "seconds", [PLOT_BOUND] = "bound"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(value, words[i]) == 0) {
            plot->along = (enum plot_along)i;
            return true;
        }
    return problem_is(why, text_print("--along takes executions|seconds|bound, not '%s'", value),
                      NULL, 0);
}

static bool parse_of(struct plot *plot, const char *value, struct problem *why)
{
    static const char *const words[] = {[PLOT_CLASSES] = "classes",
                                        [PLOT_WAITING] = "waiting",
                                        [PLOT_WAITING_BYTES] = "waiting_bytes"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(value, words[i]) == 0) {
            plot->of = (enum plot_of)i;
            return true;
        }
    return problem_is(why, text_print("--of takes classes|waiting|waiting_bytes, not '%s'", value),
                      NULL, 0);
}

static bool parse_log(struct plot *plot, const char *value, struct problem *why)
{
    if (*value == 0 || value[strspn(value, "xy")] != 0)
        return problem_is(why, text_print("--log takes x|y|xy, not '%s'", value), NULL, 0);
    plot->log_x = strchr(value, 'x') != NULL;
    plot->log_y = strchr(value, 'y') != NULL;
    return true;
}

static bool parse(struct plot_settings *out, int argc, char **argv, struct problem *why)
{
    static const struct option table[] = {
        {"output", required_argument, NULL, 'o'}, {"along", required_argument, NULL, 'x'},
        {"of", required_argument, NULL, 'y'},     {"log", required_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    int letter;
    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":o:x:y:l:h", table, NULL)) != -1) {
        switch (letter) {
        case 'o':
            out->output = optarg;
            break;
        case 'x':
            if (!parse_along(&out->plot, optarg, why))
                return false;
            break;
        case 'y':
            if (!parse_of(&out->plot, optarg, why))
                return false;
            break;
        case 'l':
            if (!parse_log(&out->plot, optarg, why))
                return false;
            break;
        case 'h':
            out->help = true;
            return true;
        case ':':
            return problem_is(why, text_print("%s needs a value", argv[optind - 1]), NULL, 0);
        default:
            return problem_is(why, "there is no such option (see --help)", argv[optind - 1], 0);
        }
    }
    if (out->plot.log_x && out->plot.along == PLOT_BOUND)
        return problem_is(why, "bounds begin with 0: leave out --log x", NULL, 0);
    return true;
}

static const char *name_of(const char *path)
{
    size_t length = strlen(path);
    bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
    return text_copy(path, csv ? length - 4 : length);
}

static bool read_curve(struct plot_curve *out, const char *path, struct problem *why)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return problem_is(why, "cannot read the coverage", path, errno);
    out->name = name_of(path);
    bool good = curve_read(&out->curve, file, path, why);
    fclose(file);
    return good;
}

static bool read_curves(struct plot_settings *settings, char **paths, size_t count,
                        struct problem *why)
{
    struct plot *plot = &settings->plot;
    settings->curves = text_room(count * sizeof *settings->curves);
    plot->curves = settings->curves;
    for (plot->count = 0; plot->count < count; plot->count++) {
        const char *path = paths[plot->count];
        if (!read_curve(&settings->curves[plot->count], path, why))
            return false;
        if (plot_points(plot, plot->count) == 0)
            return problem_is(why, "there is nothing to draw along these axes", path, 0);
    }
    return true;
}

static bool draw(const struct plot_settings *settings, struct problem *why)
{
    struct replacement to;
    if (settings->output == NULL) {
        plot_write(&settings->plot, stdout);
        return (fflush(stdout) == 0 && !ferror(stdout)) ||
               problem_is(why, CANNOT_WRITE, "standard output", errno);
    }
    if (!replacement_open(&to, settings->output, CANNOT_WRITE, why))
        return false;
    plot_write(&settings->plot, to.file);
    return replacement_close(&to, why);
}

int command_plot(int argc, char **argv)
{
    struct plot_settings settings = {0};
    struct problem why;
    if (!parse(&settings, argc, argv, &why))
        return complain(&why);
    if (settings.help) {
        help();
        return EXIT_CLEAN;
    }
    if (optind == argc) {
        problem_is(&why, "which files? " USAGE, NULL, 0);
        return complain(&why);
    }
    bool drawn = read_curves(&settings, argv + optind, (size_t)(argc - optind), &why) &&
                 draw(&settings, &why);
    for (size_t i = 0; i < settings.plot.count; i++)
        curve_drop(&settings.curves[i].curve);
    return drawn ? EXIT_CLEAN : complain(&why);
}
