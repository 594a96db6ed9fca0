// Observers are called without the lock, since they may want to unsubscribe: the list is copied
// under the lock and then walked. An observer that another thread removes and destroys after the
// copy was made is called all the same.
// group: idioms
// threads: 3
// finds: use-after-free, misuse
// lines: 27 84
// pb: 1
// db: 1
// options: --exit wait
// variants: observer_list
// variants: observer_list_fixed -DFIXED
// finds observer_list_fixed: nothing
// pb observer_list_fixed: -
// db observer_list_fixed: -
// twin: observer_list_fixed
#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Observer {
    void notify()
    {
        std::lock_guard<std::mutex> guard(lock);
        calls++;
    }

    std::mutex lock;
    int calls = 0;
};

#ifdef FIXED
using Handle = std::shared_ptr<Observer>;
#else
using Handle = Observer *;
#endif

class Subject
{
  public:
    void subscribe(Handle observer)
    {
        std::lock_guard<std::mutex> guard(lock);
        observers.push_back(observer);
    }

    void unsubscribe(Handle observer)
    {
        std::lock_guard<std::mutex> guard(lock);
        observers.erase(std::find(observers.begin(), observers.end(), observer));
    }

    void notify_all()
    {
        std::vector<Handle> copy;
        {
            std::lock_guard<std::mutex> guard(lock);
            copy = observers;
        }
        for (const Handle &observer : copy)
            observer->notify();
    }

  private:
    std::mutex lock;
    std::vector<Handle> observers;
};

int main()
{
    Subject subject;
    std::shared_ptr<Observer> observer = std::make_shared<Observer>();
#ifdef FIXED
    Handle handle = observer;
#else
    Handle handle = observer.get();
#endif
    subject.subscribe(handle);
    std::thread notifier([&subject] { subject.notify_all(); });
    std::thread owner([&subject, observer = std::move(observer), handle]() mutable {
        subject.unsubscribe(handle);
        observer.reset();
    });
    notifier.join();
    owner.join();
    return 0;
}
