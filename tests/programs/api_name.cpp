// Reports call objects as the program does: on the heap, on a stack, and fields of a named object by
// their distance from its start.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- race
// expect: finding race
// expect: output queue.head
// run: -s dfs -- field
// expect: finding race
// expect: output the queue+8
// run: -s dfs -- deadlock
// expect: finding deadlock
// expect: output lock outer lock
#include <bohr.h>
#include <mutex>
#include <string>
#include <thread>

struct queue {
    long tail;
    long head;
};

int main(int argc, char **argv)
{
    std::string way = argc > 1 ? argv[1] : "";
    std::mutex outer;
    queue *q = new queue();
    if (way == "deadlock") {
        bohr_name(&outer, "outer lock");
        outer.lock();
        std::thread other([&] { outer.lock(); });
        other.join();
    }
    if (way == "field")
        bohr_name(q, "the queue");
    if (way == "race")
        bohr_name(&q->head, "queue.head");
    std::thread other([&] { q->head++; });
    q->head++;
    other.join();
    delete q;
}
