// Names in a folder come in their order, however the file system keeps them.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 40 };

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void check_order(DIR *folder)
{
    char last[256] = "";
    int count = 0;
    long third = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL; count++) {
        assert(strcmp(last, entry->d_name) < 0);
        strcpy(last, entry->d_name);
        if (count == 1)
            third = telldir(folder);
    }
    assert(count == FILES + 2);
    seekdir(folder, third);
    assert(strcmp(readdir(folder)->d_name, "file-0") == 0);
    rewinddir(folder);
    assert(strcmp(readdir(folder)->d_name, ".") == 0);
}

int main(void)
{
    char path[] = "/tmp/bohr-folders-XXXXXX", name[64];
    struct dirent **names;
    assert(mkdtemp(path) != NULL && chdir(path) == 0);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file-%d", i * 7 % FILES);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
    DIR *folder = opendir(".");
    check_order(folder);
    closedir(folder);
    int count = scandir(".", &names, is_file, NULL);
    assert(count == FILES && strcmp(names[0]->d_name, "file-0") == 0 &&
           strcmp(names[FILES - 1]->d_name, "file-9") == 0);
    for (int i = 0; i < count; i++)
        assert(unlink(names[i]->d_name) == 0);
    assert(rmdir(path) == 0);
    return 0;
}
