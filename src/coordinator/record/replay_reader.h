/* Declarations that the files which read a replay file share. */
#ifndef COORDINATOR_RECORD_REPLAY_READER_H
#define COORDINATOR_RECORD_REPLAY_READER_H

#include "coordinator/record/replay_check.h"
#include "coordinator/record/replay_file.h"

struct reader {
    const char *at, *end; /* text that remains to be read */
    struct recording *out;
    uint32_t argument_count, fresh_count, steps_wanted;
    uint32_t sites_capacity, names_capacity;
    size_t input_capacity;
    char *input;
    bool saw_steps;
};

bool replay_number(const char *text, int base, uint64_t max, uint64_t *out);
/* A quoted text that ends the line; NULL: it is malformed. */
char *replay_quoted(const char *text, size_t *count);
bool replay_read_text(const char *value, const char **out);
bool replay_read_u32(const char *value, uint32_t max, uint32_t *out);

bool replay_read_names(struct reader *reader, const char *value);
bool replay_read_steps(struct reader *reader, const char *value);
bool replay_read_thread_line(struct reader *reader, char *line);

#endif
