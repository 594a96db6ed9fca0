// Double-checked locking done wrong: the pointer is published before the object behind it is ready,
// and the fast path looks at it without the lock.
//
// Bohr says, in short:
//
//     finding 1: a failed assertion: in T1 (operator(), lazy_init.cpp:52) this does not hold:
//         settings().port == 8080
//
//       step  T0                                          T1
//          0  create T1  lazy_init.cpp:52
//          1  read instance  lazy_init.cpp:40
//          2  lock creation  lazy_init.cpp:41
//          3  write instance  lazy_init.cpp:43
//             ── T0 is preempted ──
//          4                                              read instance  lazy_init.cpp:40
//          5                                              read instance  lazy_init.cpp:47
//          6                                              read block #2 of T0  lazy_init.cpp:52 ◀
//
// expect: finding assertion
// expect: finding race
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Settings {
    int port = 0;

    void load()
    {
        port = 8080;
    }
};

static std::mutex creation;
static Settings *instance;

static Settings &settings()
{
    if (instance == nullptr) {
        std::lock_guard<std::mutex> guard(creation);
        if (instance == nullptr) {
            instance = new Settings;
            instance->load();
        }
    }
    return *instance;
}

int main()
{
    std::thread server([] { assert(settings().port == 8080); });
    assert(settings().port == 8080);
    server.join();
    std::unique_ptr<Settings> owner(instance);
    return 0;
}
