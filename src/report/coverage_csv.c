#define _GNU_SOURCE
#include "report/coverage_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static void write_waiting(FILE *file, uint64_t count)
{
    fputc(',', file);
    if (count != WAITING_UNKNOWN)
        fprintf(file, "%lu", count);
}

static void write_row(FILE *file, const struct coverage_point *point, double seconds)
{
    fprintf(file, "%lu,%lu,", point->executions, point->classes);
    if (point->bound >= 0)
        fprintf(file, "%d", point->bound);
    fprintf(file, ",%.6f", seconds > 0 ? seconds : 0);
    write_waiting(file, point->waiting);
    write_waiting(file, point->waiting_bytes);
    fputc('\n', file);
}

void coverage_write(const struct coverage_source *source, FILE *file)
{
    const struct tally *tally = source->tally;
    uint64_t last = 0;
    fputs(COVERAGE_COLUMNS "\n", file);
    for (uint32_t i = 0; i < source->coverage->count; i++) {
        const struct coverage_point *point = &source->coverage->points[i];
        last = point->executions;
        write_row(file, point, (double)(int64_t)point->nanoseconds / 1e9 - source->started);
    }
    struct coverage_point end = {.executions = tally->classified,
                                 .classes = tally->classes,
                                 .waiting = tally->pending,
                                 .waiting_bytes = tally->kept_bytes,
                                 .bound = tally->bound};
    if (tally->classes != CLASSES_UNKNOWN && tally->classified > last)
        write_row(file, &end, source->seconds);
}

static bool read_count(char **at, uint64_t *out)
{
    char *end;
    errno = 0;
    bool digits = **at >= '0' && **at <= '9';
    *out = strtoull(*at, &end, 10);
    *at = end;
    return digits && errno == 0;
}

/* Reads a number. An empty field is unknown. */
static bool read_measure(char **at, double *out)
{
    char *end;
    *out = NAN;
    if (**at == ',' || **at == '\n' || **at == 0)
        return true;
    bool digits = **at >= '0' && **at <= '9';
    *out = strtod(*at, &end);
    *at = end;
    return digits && isfinite(*out);
}

static bool read_comma(char **at)
{
    return *(*at)++ == ',';
}

static bool read_row(struct curve_row *row, char *at)
{
    return read_count(&at, &row->executions) && read_comma(&at) && read_count(&at, &row->classes) &&
           read_comma(&at) && read_measure(&at, &row->bound) && read_comma(&at) &&
           read_measure(&at, &row->seconds) && read_comma(&at) &&
           read_measure(&at, &row->waiting) && read_comma(&at) &&
           read_measure(&at, &row->waiting_bytes) && strcmp(at, "\n") == 0;
}

static bool wrong_line(struct problem *why, size_t line, const char *what, const char *path)
{
    char text[128];
    snprintf(text, sizeof text, "line %zu %s", line, what);
    return problem_is(why, text, path, 0);
}

static bool add_row(struct curve *curve, char *line, const char *path, struct problem *why)
{
    struct curve_row row;
    size_t number = curve->count + 2;
    if (!read_row(&row, line))
        return wrong_line(why, number, "is not " COVERAGE_COLUMNS, path);
    const struct curve_row *last = curve->count > 0 ? &curve->rows[curve->count - 1] : NULL;
    if (last != NULL && (row.executions < last->executions || row.classes < last->classes))
        return wrong_line(why, number, "has fewer executions or classes than the one before", path);
    if ((curve->count & (curve->count - 1)) == 0) {
        size_t capacity = curve->count == 0 ? 1 : 2 * curve->count;
        curve->rows = reallocarray(curve->rows, capacity, sizeof *curve->rows);
        CHECK(curve->rows != NULL);
    }
    curve->rows[curve->count++] = row;
    return true;
}

bool curve_read(struct curve *out, FILE *file, const char *path, struct problem *why)
{
    char *line = NULL;
    size_t size = 0;
    *out = (struct curve){0};
    errno = 0;
    bool good = getline(&line, &size, file) >= 0 && strcmp(line, COVERAGE_COLUMNS "\n") == 0;
    if (ferror(file))
        problem_is(why, "cannot read the coverage", path, errno);
    else if (!good)
        problem_is(why, "this is not what bohr run --coverage writes", path, 0);
    while (good && getline(&line, &size, file) >= 0)
        good = add_row(out, line, path, why);
    if (good && ferror(file))
        good = problem_is(why, "cannot read the coverage", path, errno);
    free(line);
    if (!good)
        curve_drop(out);
    return good;
}

void curve_drop(struct curve *curve)
{
    free(curve->rows);
    *curve = (struct curve){0};
}
