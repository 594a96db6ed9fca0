// An initialisation that throws comes before the one that is tried next: no race on what it counts.
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int tries, successes, constructions;

static void initialise()
{
    if (tries++ == 0)
        throw std::runtime_error("not yet");
    successes++;
}

struct Late {
    int value;
    Late()
    {
        if (constructions++ == 0)
            throw std::runtime_error("not yet");
        value = 4;
    }
};

static int late()
{
    for (;;)
        try {
            static Late object;
            return object.value;
        } catch (const std::runtime_error &) {
        }
}

static void both()
{
    try {
        std::call_once(once, initialise);
    } catch (const std::runtime_error &) {
        std::call_once(once, initialise);
    }
    assert(late() == 4);
}

int main()
{
    std::thread other(both);
    both();
    other.join();
    assert(successes == 1 && tries == 2 && constructions == 2);
}
