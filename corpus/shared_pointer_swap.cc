// A configuration behind a std::shared_ptr is replaced while others copy the pointer. The count of
// its owners is atomic, the pointer itself is not: a reader has read it, the writer drops the last
// owner, and the reader counts itself as an owner of what is gone.
// group: idioms
// threads: 3
// finds: use-after-free
// lines: 36 42
// pb: 1
// db: 1
// options: --exit wait
// variants: shared_pointer_swap
// variants: shared_pointer_swap_fixed -DFIXED
// finds shared_pointer_swap_fixed: nothing
// pb shared_pointer_swap_fixed: -
// db shared_pointer_swap_fixed: -
// twin: shared_pointer_swap_fixed
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Configuration {
    explicit Configuration(int version) : version(version), checksum(-version) {}

    int version, checksum;
};

class Holder
{
  public:
    std::shared_ptr<Configuration> get()
    {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(lock);
#endif
        return current;
    }

    void set(std::shared_ptr<Configuration> next)
    {
        std::lock_guard<std::mutex> guard(lock);
        current.swap(next);
    }

  private:
    std::mutex lock;
    std::shared_ptr<Configuration> current = std::make_shared<Configuration>(1);
};

int main()
{
    Holder holder;
    std::thread reader([&holder] {
        std::shared_ptr<Configuration> seen = holder.get();
        assert(seen->version == -seen->checksum);
    });
    std::thread writer([&holder] { holder.set(std::make_shared<Configuration>(2)); });
    reader.join();
    writer.join();
    return 0;
}
