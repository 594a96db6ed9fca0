// Loops that make, write, read, rename, list and remove files in each iteration, and never end, may be livelocks: what is in
// the kernel's files is not compared. Those that end are none: by a number that is kept in a file, in a name, in how many
// names there are, or in where a folder is read.
// modes: all first
// run: -s dfs --steps 2000 -- all
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- temporary
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s random -n 1 --steps 2000 -- two
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs -- number
// expect: no finding
// expect: complete == true
// run: -s dfs -- replaced
// expect: no finding
// expect: complete == true
// run: -s dfs --isolate fork --carrier kernel -- replaced
// expect: no finding
// run: -s dfs -- name
// expect: no finding
// expect: complete == true
// run: -s dfs -- count
// expect: no finding
// expect: complete == true
// run: -s dfs -- place
// expect: no finding
// expect: complete == true
// run: -s dfs -- links
// expect: no finding
// expect: complete == true
// run: -s dfs -- large
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TURNS = 1200, NAMES = 150, LARGE = 1 << 19 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way;
static int stop;

static void must(int right)
{
    if (!right)
        abort();
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int pass(void)
{
    pthread_mutex_lock(&mutex);
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static void pass_often(void)
{
    for (int i = 0; i < 8; i++)
        pass();
}

static __attribute__((noinline)) int count_names(void)
{
    DIR *folder = opendir("folder");
    int count = 0;
    must(folder != NULL);
    while (readdir(folder) != NULL)
        count++;
    rewinddir(folder);
    while (readdir(folder) != NULL)
        count++;
    must(closedir(folder) == 0);
    return count / 2 - 2;
}

static __attribute__((noinline)) void make_and_remove(void)
{
    char byte;
    int file = open("folder/made", O_CREAT | O_EXCL | O_RDWR, 0600);
    must(file >= 0 && write(file, "xy", 2) == 2);
    must(pass() == 0 && pread(file, &byte, 1, 1) == 1 && byte == 'y' && count_names() == 2);
    must(close(file) == 0 && rename("folder/made", "folder/moved") == 0 && pass() == 0);
    must(access("folder/made", F_OK) != 0 && link("folder/moved", "folder/made") == 0);
    must(unlink("folder/moved") == 0 && unlink("folder/made") == 0);
}

static __attribute__((noinline)) void make_folder(void)
{
    must(mkdir("folder/lock", 0700) == 0 && mkdir("folder/lock", 0700) < 0 && errno == EEXIST);
    must(pass() == 0 && symlink("lock", "folder/way") == 0 && count_names() == 3);
    must(unlink("folder/way") == 0 && rmdir("folder/lock") == 0);
}

static __attribute__((noinline)) void write_and_read(void)
{
    char text[8];
    FILE *stream = fopen("folder/kept", "w+");
    must(fputs("once", stream) >= 0);
    rewind(stream);
    must(fgets(text, sizeof text, stream) != NULL && strcmp(text, "once") == 0 && fclose(stream) == 0);
}

static __attribute__((noinline)) void write_without_name(void)
{
    FILE *stream = tmpfile();
    must(fputs("once", stream) >= 0 && pass() == 0);
    rewind(stream);
    must(fgetc(stream) == 'o' && fclose(stream) == 0);
}

static __attribute__((noinline)) int count_in_file(void)
{
    int number = 0, file = open("folder/kept", O_RDWR);
    must(file >= 0 && read(file, &number, sizeof number) >= 0);
    number++;
    must(pwrite(file, &number, sizeof number, 0) == sizeof number && close(file) == 0);
    int goes_on = number < TURNS;
    number = file = 0;
    return goes_on;
}

/* As careful programs do it: a new file takes the place of the old one. */
static __attribute__((noinline)) int replace_file(void)
{
    int number = 0, file = open("folder/kept", O_RDONLY);
    must(file >= 0 && read(file, &number, sizeof number) >= 0 && close(file) == 0);
    number++;
    file = open("folder/new", O_CREAT | O_EXCL | O_WRONLY, 0600);
    must(write(file, &number, sizeof number) == sizeof number && close(file) == 0);
    must(rename("folder/new", "folder/kept") == 0);
    int goes_on = number < TURNS;
    number = file = 0;
    return goes_on;
}

static __attribute__((noinline)) int count_in_name(void)
{
    char from[32], to[32];
    DIR *folder = opendir("folder");
    int number = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] == 'n')
            number = atoi(entry->d_name + 1);
    must(closedir(folder) == 0);
    sprintf(from, "folder/n%d", number);
    sprintf(to, "folder/n%d", number + 1);
    must(rename(from, to) == 0);
    memset(from, 0, sizeof from);
    memset(to, 0, sizeof to);
    return number < NAMES;
}

/* One more in each turn. */
static __attribute__((noinline)) int count_by_names(int links)
{
    char name[32];
    int count = count_names();
    sprintf(name, "folder/c%d", count);
    int file = links ? -1 : open(name, O_CREAT | O_EXCL, 0600);
    must(links ? link("folder/kept", name) == 0 : file >= 0 && close(file) == 0);
    memset(name, 0, sizeof name);
    return count < NAMES;
}

static __attribute__((noinline)) int count_in_large(void)
{
    int number = 0, file = open("folder/kept", O_RDWR);
    must(file >= 0 && pread(file, &number, sizeof number, LARGE) >= 0);
    number++;
    must(pwrite(file, &number, sizeof number, LARGE) == sizeof number && close(file) == 0);
    int goes_on = number < TURNS;
    number = file = 0;
    return goes_on;
}

static void read_on(void)
{
    char name[32];
    for (int i = 0; i < NAMES; i++) {
        sprintf(name, "folder/c%d", i);
        close(open(name, O_CREAT | O_EXCL, 0600));
    }
    DIR *folder = opendir("folder");
    while (readdir(folder) != NULL)
        pass_often();
    closedir(folder);
}

static void *go_round(void *unused)
{
    if (is("all"))
        do {
            make_and_remove();
            make_folder();
            write_and_read();
        } while (pass() == 0);
    else if (is("temporary"))
        do
            write_without_name();
        while (pass() == 0);
    else if (is("two"))
        while (pass() == 0)
            if (open("folder/flag", O_RDONLY) >= 0)
                break;
    while (is("number") && count_in_file())
        pass();
    while (is("replaced") && replace_file())
        pass();
    while (is("name") && count_in_name())
        pass_often();
    while ((is("count") || is("links")) && count_by_names(is("links")))
        pass_often();
    while (is("large") && count_in_large())
        pass();
    if (is("place"))
        read_on();
    return NULL;
}

static void clean(void)
{
    char name[300];
    DIR *folder = opendir("folder");
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        sprintf(name, "folder/%s", entry->d_name);
        remove(name);
    }
    if (folder != NULL)
        closedir(folder);
    mkdir("folder", 0700);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "all";
    clean();
    must(close(open("folder/kept", O_CREAT | O_WRONLY, 0600)) == 0);
    must(close(open("folder/n0", O_CREAT | O_WRONLY, 0600)) == 0);
    if (!is("name"))
        unlink("folder/n0");
    pthread_create(&thread, NULL, go_round, NULL);
    while (is("two") && pass() == 0) {
        must(close(open("folder/other", O_CREAT | O_EXCL, 0600)) == 0);
        must(unlink("folder/other") == 0);
    }
    pthread_join(thread, NULL);
    clean();
    rmdir("folder");
    return 0;
}
