/* Memory of files that nobody can use any more. It is used again only while an execution is watched
 * for loops (memory/watch.h): one that opens and closes something in each turn comes back to the
 * same state only if it gets the same addresses. */
#ifndef RUNTIME_MODEL_FILE_SPARE_H
#define RUNTIME_MODEL_FILE_SPARE_H

#include "runtime/model/file.h"

void file_spares_begin(void); /* what is made from now on */
void file_spares_end(void);

void file_spare_note(void *block, bool is_file); /* it was made: a file, or what files share */
void file_spare_collect(void);                   /* a file was closed */

#endif
