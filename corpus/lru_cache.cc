// A cache that forgets what was not used for longest, with a lock for the table and one for the
// order of use. A lookup moves what it finds to the front and takes the table's lock first; an
// eviction begins at the end of the order and takes that lock first.
// group: idioms
// threads: 3
// finds: deadlock
// lines: 36 40 52 53
// pb: 1
// db: 1
// options: --exit wait
// variants: lru_cache
// variants: lru_cache_fixed -DFIXED
// finds lru_cache_fixed: nothing
// pb lru_cache_fixed: -
// db lru_cache_fixed: -
// twin: lru_cache_fixed
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <thread>

class LruCache
{
  public:
    void put(int key, int value)
    {
        std::lock_guard<std::mutex> table_guard(table_lock);
        std::lock_guard<std::mutex> order_guard(order_lock);
        order.push_front(key);
        table[key] = {value, order.begin()};
    }

    bool get(int key, int *value)
    {
        std::lock_guard<std::mutex> table_guard(table_lock);
        auto found = table.find(key);
        if (found == table.end())
            return false;
        std::lock_guard<std::mutex> order_guard(order_lock);
        order.splice(order.begin(), order, found->second.place);
        *value = found->second.value;
        return true;
    }

    void evict()
    {
#ifdef FIXED
        std::lock_guard<std::mutex> table_guard(table_lock);
        std::lock_guard<std::mutex> order_guard(order_lock);
#else
        std::lock_guard<std::mutex> order_guard(order_lock);
        std::lock_guard<std::mutex> table_guard(table_lock);
#endif
        if (order.empty())
            return;
        table.erase(order.back());
        order.pop_back();
    }

  private:
    struct Entry {
        int value;
        std::list<int>::iterator place;
    };

    std::mutex table_lock, order_lock;
    std::map<int, Entry> table;
    std::list<int> order;
};

int main()
{
    LruCache cache;
    cache.put(1, 10);
    cache.put(2, 20);
    std::thread reader([&cache] {
        int value;
        if (cache.get(1, &value))
            assert(value == 10);
    });
    std::thread cleaner([&cache] { cache.evict(); });
    reader.join();
    cleaner.join();
    return 0;
}
