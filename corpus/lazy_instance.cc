// A singleton that is made when it is first asked for. The fast path looks at the pointer without
// the lock, as it may; but the thread that then gets the lock does not look again, and makes a second
// instance.
// group: idioms
// threads: 3
// finds: assertion
// lines: 28 36
// pb: 1
// db: 1
// options: --exit wait
// variants: lazy_instance
// variants: lazy_instance_fixed -DFIXED
// finds lazy_instance_fixed: nothing
// pb lazy_instance_fixed: -
// db lazy_instance_fixed: -
// twin: lazy_instance_fixed
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

class Settings
{
  public:
    static Settings &get()
    {
        Settings *settings = instance.load(std::memory_order_acquire);
        if (settings == nullptr) {
            std::lock_guard<std::mutex> guard(creation);
#ifdef FIXED
            settings = instance.load(std::memory_order_relaxed);
#endif
            if (settings == nullptr) {
                settings = new Settings;
                instance.store(settings, std::memory_order_release);
            }
        }
        return *settings;
    }

    static void drop()
    {
        delete instance.exchange(nullptr);
    }

    int port() const
    {
        return port_;
    }

  private:
    Settings() : port_(8080) {}

    static std::atomic<Settings *> instance;
    static std::mutex creation;
    int port_;
};

std::atomic<Settings *> Settings::instance{nullptr};
std::mutex Settings::creation;

int main()
{
    Settings *seen[2];
    std::thread server([&seen] { seen[0] = &Settings::get(); });
    std::thread client([&seen] { seen[1] = &Settings::get(); });
    server.join();
    client.join();
    assert(seen[0] == seen[1]);
    assert(seen[0]->port() == 8080);
    Settings::drop();
    return 0;
}
