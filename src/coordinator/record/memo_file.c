#define _GNU_SOURCE
#include "coordinator/record/memo_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "coordinator/text.h"

#define HEAD "bohr memo 1\n"
#define NOT_A_MEMO                                                                                 \
    "this is no file of --remember, or it is damaged: name another file, or remove it"

/* The line that says which strategy and build the keys belong to. */
static const char *owner(const char *build_id, const char *strategy)
{
    return text_print("%s %s\n", strategy, build_id);
}

static bool read_keys(struct memo *out, FILE *file)
{
    for (int found;; out->count++) {
        uint64_t key[2];
        char end;
        found = fscanf(file, "%16" SCNx64 "%16" SCNx64 "%c", &key[0], &key[1], &end);
        if (found == EOF)
            return true;
        if (found != 3 || end != '\n' || out->count == MEMO_MAX)
            return false;
        memcpy(out->keys[out->count], key, sizeof key);
    }
}

bool memo_read(struct memo *out, const char *path, const char *build_id, const char *strategy,
               bool *other, struct problem *why)
{
    char line[512];
    out->count = 0;
    *other = false;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return errno == ENOENT ||
               problem_is(why, "cannot read what is to be remembered", path, errno);
    bool good = fgets(line, sizeof line, file) != NULL && strcmp(line, HEAD) == 0 &&
                fgets(line, sizeof line, file) != NULL;
    *other = good && strcmp(line, owner(build_id, strategy)) != 0;
    good = good && (*other || read_keys(out, file)) && !ferror(file);
    fclose(file);
    return good || problem_is(why, NOT_A_MEMO, path, 0);
}

void memo_write(const struct memo *memo, const char *build_id, const char *strategy, FILE *file)
{
    fputs(HEAD, file);
    fputs(owner(build_id, strategy), file);
    for (uint64_t i = 0; i < memo->count && i < MEMO_MAX; i++)
        fprintf(file, "%016" PRIx64 " %016" PRIx64 "\n", memo->keys[i][0], memo->keys[i][1]);
}
