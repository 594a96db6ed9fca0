// A text is made with new[]; a thread that is cancelled meanwhile frees it with free.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<bool> cancelled;

static void give_back(char *text)
{
#ifdef FIXED
    delete[] text;
#else
    std::free(text);
#endif
}

static void compose()
{
    char *text = new char[80]{};
    if (cancelled)
        give_back(text);
    else
        delete[] text;
}

int main()
{
    std::thread thread(compose);
    cancelled = true;
    thread.join();
    return 0;
}
