// A cache of shared images, each with a count of its users. A lookup finds the image under the lock
// and counts itself as a user after the lock was released; if the image is evicted in between it is
// gone.
// group: idioms
// threads: 3
// finds: use-after-free
// lines: 28 52
// pb: 1
// db: 1
// options: --exit wait
// variants: refcount_cache
// variants: refcount_cache_fixed -DFIXED
// finds refcount_cache_fixed: nothing
// pb refcount_cache_fixed: -
// db refcount_cache_fixed: -
// twin: refcount_cache_fixed
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

struct Image {
    explicit Image(int width) : width(width) {}

    void acquire()
    {
        users++;
    }

    void release()
    {
        if (--users == 0)
            delete this;
    }

    const int width;
    std::atomic<int> users{1}; // the cache itself
};

class ImageCache
{
  public:
    void insert(int key, int width)
    {
        std::lock_guard<std::mutex> guard(lock);
        images[key] = new Image(width);
    }

    Image *lookup(int key)
    {
        std::unique_lock<std::mutex> guard(lock);
        auto found = images.find(key);
        if (found == images.end())
            return nullptr;
        Image *image = found->second;
#ifdef FIXED
        image->acquire();
        guard.unlock();
#else
        guard.unlock();
        image->acquire();
#endif
        return image;
    }

    void evict(int key)
    {
        std::unique_lock<std::mutex> guard(lock);
        auto found = images.find(key);
        if (found == images.end())
            return;
        Image *image = found->second;
        images.erase(found);
        guard.unlock();
        image->release();
    }

  private:
    std::mutex lock;
    std::map<int, Image *> images;
};

int main()
{
    ImageCache cache;
    cache.insert(1, 640);
    std::thread painter([&cache] {
        if (Image *image = cache.lookup(1)) {
            assert(image->width == 640);
            image->release();
        }
    });
    std::thread cleaner([&cache] { cache.evict(1); });
    painter.join();
    cleaner.join();
    return 0;
}
