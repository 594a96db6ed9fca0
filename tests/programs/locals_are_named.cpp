// Memory on a stack is called by the name of the variable, down to the member that is meant.
// build: gcc -O1 -std=c++17
// build: clang -O0 -std=c++17
// run: -s preempt -b 1 -k --no-shrink
// expect: finding race
// expect: finding deadlock
// expect: output on counter
// expect: output on q.head
// expect: output on q.slots[2]
// expect: output lock q.first
// expect: output lock q.second
// expect: silence 's stack
#include <mutex>
#include <thread>

struct queue {
    int head = 0, slots[4] = {};
    std::mutex first, second;
};

static void both(std::mutex &a, std::mutex &b)
{
    a.lock();
    b.lock();
    b.unlock();
    a.unlock();
}

int main()
{
    int counter = 0;
    queue q;
    std::thread one([&] {
        counter = 1;
        both(q.first, q.second);
    });
    std::thread two([&] {
        counter = 2;
        both(q.second, q.first);
        q.head = 2;
        q.slots[2] = 2;
    });
    std::thread three([&] { /* clang does not tell of main's own accesses */
        q.head = 3;
        q.slots[2] = 3;
    });
    one.join();
    two.join();
    three.join();
}
