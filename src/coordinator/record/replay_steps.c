/* Reads the steps of a replay file, and the names that they refer to. */
#include <string.h>

#include "coordinator/record/replay_reader.h"
#include "coordinator/text.h"

/* "<function>" "<object>"; steps refer to it by its number, counted from 1. */
bool replay_read_names(struct reader *reader, const char *value)
{
    struct recording *out = reader->out;
    const char *between = strstr(value, "\" \"");
    struct recorded_names names;
    if (between == NULL || reader->saw_steps || out->names_count == STEPS_LIMIT ||
        !replay_read_text(text_copy(value, (size_t)(between + 1 - value)), &names.function) ||
        !replay_read_text(between + 2, &names.object))
        return false;
    if (out->names_count == reader->names_capacity) {
        reader->names_capacity = 2 * reader->names_capacity + 16;
        struct recorded_names *larger = text_room(reader->names_capacity * sizeof *larger);
        if (out->names_count > 0)
            memcpy(larger, out->names, out->names_count * sizeof *larger);
        out->names = larger;
    }
    out->names[out->names_count++] = names;
    return true;
}

bool replay_read_steps(struct reader *reader, const char *value)
{
    if (reader->saw_steps || !replay_read_u32(value, STEPS_LIMIT, &reader->steps_wanted))
        return false;
    reader->saw_steps = true;
    reader->out->steps = text_room((reader->steps_wanted + 1) * sizeof *reader->out->steps);
    reader->out->named = text_room((reader->steps_wanted + 1) * sizeof *reader->out->named);
    return true;
}

static bool op_kind_find(const char *name, uint8_t *out)
{
    for (uint8_t kind = 0; kind < OP_KINDS; kind++) {
        char known[64];
        replay_op_name(known, sizeof known, kind);
        if (strcmp(name, known) == 0) {
            *out = kind;
            return true;
        }
    }
    return false;
}

/* <operation>[.<object>][@<names>][=<choice>][*<times>] */
static bool read_operation(struct reader *reader, char *word, uint8_t thread)
{
    struct recording *out = reader->out;
    struct taken taken = {.thread = thread};
    uint64_t number, times = 1, named = 0;
    char *part = strchr(word, '*');
    if (part != NULL) {
        *part = 0;
        if (!replay_number(part + 1, 10, STEPS_LIMIT, &times) || times == 0)
            return false;
    }
    part = strchr(word, '=');
    if (part != NULL) {
        *part = 0;
        if (!replay_number(part + 1, 10, UINT16_MAX, &number))
            return false;
        taken.choice = (uint16_t)number;
    }
    part = strchr(word, '@');
    if (part != NULL) {
        *part = 0;
        if (!replay_number(part + 1, 10, out->names_count, &named) || named == 0)
            return false;
    }
    part = strchr(word, '.');
    if (part != NULL) {
        *part = 0;
        if (!replay_number(part + 1, 10, UINT32_MAX, &number))
            return false;
        taken.object = (uint32_t)number;
    }
    if (!op_kind_find(word, &taken.kind) || times > reader->steps_wanted - out->step_count)
        return false;
    for (; times > 0; times--) {
        out->named[out->step_count] = (uint32_t)named;
        out->steps[out->step_count++] = taken;
    }
    return true;
}

bool replay_read_thread_line(struct reader *reader, char *line)
{
    uint64_t thread;
    char *rest, *word = strtok_r(line + 1, " ", &rest);
    if (!reader->saw_steps || word == NULL || !replay_number(word, 10, THREADS_MAX - 1, &thread))
        return false;
    while ((word = strtok_r(NULL, " ", &rest)) != NULL)
        if (!read_operation(reader, word, (uint8_t)thread))
            return false;
    return true;
}
