// A thread takes from a stack that was not empty when it looked.
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> stack{7};

static bool empty()
{
    std::lock_guard<std::mutex> guard(lock);
    return stack.empty();
}

static int pop()
{
    std::lock_guard<std::mutex> guard(lock);
    if (stack.empty())
#ifdef FIXED
        return 0;
#else
        throw std::out_of_range("pop of an empty stack");
#endif
    int top = stack.back();
    stack.pop_back();
    return top;
}

static void take()
{
    if (!empty())
        pop();
}

int main()
{
    std::thread other(take);
    take();
    other.join();
    return 0;
}
