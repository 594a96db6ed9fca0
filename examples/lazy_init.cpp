// Double-checked locking done wrong: the pointer is published before the object behind it is ready,
// and the fast path looks at it without the lock.
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
