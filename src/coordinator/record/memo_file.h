/* The file of --remember: text, one key of the strategy (core/memo.h) a line, for one build of one
 * program.
 */
#ifndef COORDINATOR_RECORD_MEMO_FILE_H
#define COORDINATOR_RECORD_MEMO_FILE_H

#include <stdio.h>

#include "base/problem.h"
#include "core/memo.h"

/* A missing file counts as empty. So does a file of another build or strategy, for which *other is
 * set. */
bool memo_read(struct memo *out, const char *path, const char *build_id, const char *strategy,
               bool *other, struct problem *why);
void memo_write(const struct memo *memo, const char *build_id, const char *strategy, FILE *file);

#endif
