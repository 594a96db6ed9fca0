// Loops that create and join threads in each iteration, and never end, are refused at the 257th thread. Those that end before
// are none: by a counter, wherever it is kept, or by what a thread of theirs brings back.
// build: gcc -O1
// build: clang -O2
// expect: silence create T0
// run: -s dfs -- one
// expect: exit 3
// expect: output more than 256 threads
// run: -s dfs -- turns
// expect: no finding
// expect: complete == true
// run: -s dfs -- handed
// expect: no finding
// expect: complete == true
// run: -s dfs -- own
// expect: no finding
// expect: complete == true
// run: -s dfs -- list
// expect: no finding
// expect: complete == true
// run: -s random -n 5 -- helped
// expect: no finding
// expect: cut == 0
#include <pthread.h>
#include <stdlib.h>
#include <atomic>
#include <string>

enum { TURNS = 200 };

static std::atomic<bool> flag;
static std::string way;

static void *look(void *)
{
    return flag.load() ? &flag : nullptr;
}

static void *run(void *(*start)(void *), void *argument)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, start, argument);
    pthread_join(thread, &result);
    return result;
}

/* Each thread gets a number and brings back the next one. */
static void *next_number(void *number)
{
    (void)flag.load();
    return (char *)number + 1;
}

/* A block of each thread's own, of which nothing is kept but what was in the last one. */
static void *next_block(void *last)
{
    auto *block = (int *)malloc(sizeof(int));
    *block = last != nullptr ? *(int *)last + 1 : 0;
    (void)flag.load();
    free(last);
    return block;
}

struct node {
    node *next;
};

static void *push(void *first)
{
    (void)flag.load();
    return new node{(node *)first};
}

static int length(const node *first)
{
    int count = 0;
    for (; first != nullptr; first = first->next)
        count++;
    return count;
}

static void *go_round(void *)
{
    void *last = nullptr;
    if (way == "one" || way == "helped")
        while (run(look, nullptr) == nullptr)
            ;
    else if (way == "turns")
        for (int turns = 0; turns < TURNS && run(look, nullptr) == nullptr; turns++)
            ;
    else if (way == "handed")
        while ((long)(last = run(next_number, last)) < TURNS)
            ;
    else if (way == "own")
        while (last == nullptr || *(int *)last < TURNS)
            last = run(next_block, last);
    else if (way == "list")
        while (length((node *)last) < TURNS)
            last = run(push, last);
    return nullptr;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "one";
    pthread_t thread;
    pthread_create(&thread, nullptr, go_round, nullptr);
    if (way == "helped")
        flag = true;
    pthread_join(thread, nullptr);
}
