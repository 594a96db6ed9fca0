/* Recordings as text files: a head of named lines, the steps, and a checksum at the end. */
#ifndef COORDINATOR_RECORD_REPLAY_FILE_H
#define COORDINATOR_RECORD_REPLAY_FILE_H

#include "base/problem.h"
#include "coordinator/record/recording.h"

/* Writes the file under another name and renames it, so that no half file is ever seen. */
bool replay_file_write(const struct recording *recording, const char *path, struct problem *why);
/* Writes the file of a reported finding into the folder, and notes its path. `numbers` counts the
 * files of each kind. */
bool replay_file_keep(struct reported *reported, struct recording *recording, const char *folder,
                      uint32_t *numbers, struct problem *why);
bool replay_file_read(struct recording *out, const char *path, struct problem *why);

/* A recording as text in memory, and back. */
char *replay_text(const struct recording *recording, size_t *count);
bool replay_parse(struct recording *out, const char *text, size_t count, const char *path,
                  struct problem *why);

#endif
