// Idioms that race and lock-order detectors are known to misreport, from their bug trackers: fences without
// atomics, condition variables with clocks, locks that are released before a circle closes, memory that is
// used again. Nothing is reported; their twins, where one thing is missing (`-broken`), are.
// build: gcc -O1 -std=c++20
// build: clang -O1 -std=c++20
// run: -s preempt -b 2 -n 1000 -- fence_publish
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- fence_refcount
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- timed_condition
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- released_before_cycle
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- shared_pointer
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- weak_pointer
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- call_once
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- latch
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- seqlock
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- hazard_pointers
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- recycled_stack
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- one_thread_inversion
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- try_lock_for
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- peterson
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- double_checked
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- promise
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- static_local
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- spin_flag
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- shared_locks
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- reused_mutex
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- release_sequence
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- ticket_handover
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- fresh_object_lock
// expect: no finding
// run: -s preempt -b 2 -n 1000 -- barrier_phases
// expect: no finding
// run: -s preempt -b 2 -n 1000 -k -- fence_publish broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- fence_refcount broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- seqlock broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- double_checked broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- spin_flag broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- release_sequence broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- timed_condition broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- ticket_handover broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- barrier_phases broken
// expect: finding race
// run: -s preempt -b 2 -n 1000 -k -- hazard_pointers broken
// expect: finding use-after-free
// expect: finding race
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static bool broken;

template <class A, class B> static void both(A a, B b)
{
    std::thread other(b);
    a();
    other.join();
}

/* google/sanitizers 1415: a fence that stands alone orders what relaxed accesses around it carry over. */
static void fence_publish()
{
    static int data;
    static std::atomic<bool> ready;
    both(
        [] {
            data = 1;
            std::atomic_thread_fence(std::memory_order_release);
            ready.store(true, std::memory_order_relaxed);
        },
        [] {
            if (!ready.load(std::memory_order_relaxed))
                return;
            if (!broken)
                std::atomic_thread_fence(std::memory_order_acquire);
            assert(data == 1);
        });
}

/* google/sanitizers 1352: the acquire fence of a reference count. */
static void fence_refcount()
{
    struct counted {
        std::atomic<int> count{2};
        int value = 0;
    };
    auto object = new counted;
    static std::mutex mutex;
    auto leave = [object] {
        {
            std::lock_guard hold(mutex);
            object->value++;
        }
        auto order = broken ? std::memory_order_relaxed : std::memory_order_release;
        if (object->count.fetch_sub(1, order) == 1) {
            if (!broken)
                std::atomic_thread_fence(std::memory_order_acquire);
            delete object;
        }
    };
    both(leave, leave);
}

/* google/sanitizers 1259: a wait on a condition variable with a clock. */
static void timed_condition()
{
    static std::mutex mutex;
    static std::condition_variable changed;
    static bool set;
    static int data;
    both(
        [] {
            std::unique_lock lock(mutex);
            bool came = changed.wait_for(lock, std::chrono::seconds(1), [] { return set; });
            if (broken)
                lock.unlock();
            if (came || broken)
                data++;
        },
        [] {
            std::lock_guard lock(mutex);
            data = 1;
            set = true;
            changed.notify_one();
        });
}

/* google/sanitizers 814: A, B, not A, C against C, A. */
static void released_before_cycle()
{
    static std::mutex a, b, c;
    both(
        [] {
            a.lock();
            b.lock();
            a.unlock();
            c.lock();
            c.unlock();
            b.unlock();
        },
        [] {
            std::lock_guard first(c), second(a);
        });
}

static void shared_pointer()
{
    auto shared = std::make_shared<std::string>("a text that does not fit inside of the object");
    both([copy = shared]() mutable { copy.reset(); },
         [copy = std::move(shared)]() mutable { copy.reset(); });
}

static void weak_pointer()
{
    auto shared = std::make_shared<int>(1);
    std::weak_ptr<int> weak = shared;
    both([&] { shared.reset(); },
         [weak] {
             if (auto alive = weak.lock())
                 assert(*alive == 1);
         });
}

static void call_once()
{
    static std::once_flag once;
    static int made;
    auto use = [] {
        std::call_once(once, [] { made++; });
        assert(made == 1);
    };
    both(use, use);
}

static void latch()
{
    static std::latch done(1);
    static int result;
    both(
        [] {
            done.wait();
            assert(result == 1);
        },
        [] {
            result = 1;
            done.count_down();
        });
}

static void seqlock()
{
    static std::atomic<unsigned> version;
    static std::atomic<int> first, second;
    static int plain;
    both(
        [] {
            version.store(1, std::memory_order_relaxed);
            std::atomic_thread_fence(std::memory_order_release);
            first.store(1, std::memory_order_relaxed);
            second.store(1, std::memory_order_relaxed);
            if (broken)
                plain = 1;
            version.store(2, std::memory_order_release);
        },
        [] {
            unsigned before = version.load(std::memory_order_acquire);
            int a = first.load(std::memory_order_relaxed);
            int b = second.load(std::memory_order_relaxed);
            if (broken)
                a += plain;
            std::atomic_thread_fence(std::memory_order_acquire);
            if (before % 2 == 0 && version.load(std::memory_order_relaxed) == before)
                assert(a == b || broken);
        });
}

static void hazard_pointers()
{
    struct node {
        int value;
    };
    static std::atomic<node *> head, hazard;
    head = new node{1};
    both(
        [] {
            node *old = head.exchange(nullptr);
            if (broken || hazard.load() != old)
                delete old; /* else it is the reader's */
        },
        [] {
            node *seen = head.load();
            if (seen == nullptr)
                return;
            hazard.store(seen);
            if (!broken && head.load() != seen)
                return;
            assert(seen->value == 1);
        });
}

static __attribute__((noinline)) void with_own_frame(int value)
{
    int local = value;
    std::thread([&local] { local++; }).join();
    assert(local == value + 1);
}

static void recycled_stack()
{
    with_own_frame(1);
    with_own_frame(5);
    both([] { with_own_frame(2); }, [] { with_own_frame(3); });
}

/* google/sanitizers 488: one thread alone takes two locks in both orders. */
static void one_thread_inversion()
{
    static std::mutex a, b;
    both(
        [] {
            a.lock();
            b.lock();
            a.unlock();
            a.lock();
            a.unlock();
            b.unlock();
        },
        [] {
            {
                std::lock_guard hold(a);
            }
            std::lock_guard hold(b);
        });
}

/* google/sanitizers 1620: a timed try on a clock takes the lock. */
static void try_lock_for()
{
    static std::timed_mutex mutex;
    static int data;
    auto use = [] {
        std::unique_lock lock(mutex, std::defer_lock);
        if (lock.try_lock_for(std::chrono::milliseconds(500)))
            data++;
    };
    both(use, use);
}

static void peterson()
{
    static std::atomic<bool> wants[2];
    static std::atomic<int> turn;
    static int data;
    auto enter = [](int me) {
        wants[me].store(true, std::memory_order_relaxed);
        turn.store(1 - me, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        while (wants[1 - me].load(std::memory_order_acquire) &&
               turn.load(std::memory_order_acquire) == 1 - me)
            std::this_thread::yield();
        data++;
        wants[me].store(false, std::memory_order_release);
    };
    both([=] { enter(0); },
         [=] {
             enter(1);
         });
}

static void double_checked()
{
    static std::atomic<int *> made;
    static int *plain;
    static std::mutex mutex;
    auto use = [] {
        int *seen = broken ? plain : made.load(std::memory_order_acquire);
        if (seen == nullptr) {
            std::lock_guard lock(mutex);
            seen = broken ? plain : made.load(std::memory_order_relaxed);
            if (seen == nullptr) {
                seen = new int(7);
                if (broken)
                    plain = seen;
                else
                    made.store(seen, std::memory_order_release);
            }
        }
        assert(*seen == 7);
    };
    both(use, use);
}

static void promise()
{
    static int data;
    std::promise<int *> promise;
    auto future = promise.get_future();
    both([&] { assert(*future.get() == 3); },
         [&] {
             data = 3;
             promise.set_value(&data);
         });
}

static std::string &only()
{
    static std::string text("made by the first who comes, for all others too");
    return text;
}

static void static_local()
{
    both([] { assert(!only().empty()); }, [] { assert(only().size() > 3); });
}

static void spin_flag()
{
    static std::atomic_flag flag;
    static int data;
    auto use = [] {
        while (flag.test_and_set(std::memory_order_acquire))
            std::this_thread::yield();
        data++;
        flag.clear(broken ? std::memory_order_relaxed : std::memory_order_release);
    };
    both(use, use);
}

static void shared_locks()
{
    static std::shared_mutex first, second;
    both(
        [] {
            std::shared_lock a(first);
            std::shared_lock b(second);
        },
        [] {
            std::shared_lock b(second);
            std::shared_lock a(first);
        });
}

static __attribute__((noinline)) void lock_both(bool turned)
{
    std::mutex pair[2];
    std::lock_guard outer(pair[turned]);
    std::lock_guard inner(pair[!turned]);
}

/* google/sanitizers 1717: two mutexes, one after the other, at one address. */
static void reused_mutex()
{
    lock_both(false);
    lock_both(true);
    both([] { lock_both(false); }, [] { lock_both(true); });
}

static void release_sequence()
{
    static int data;
    static std::atomic<int> count;
    std::thread between([] {
        if (broken)
            count.store(5, std::memory_order_relaxed);
        else
            count.fetch_add(1, std::memory_order_relaxed);
    });
    both(
        [] {
            data = 1;
            count.fetch_add(4, std::memory_order_release);
        },
        [] {
            if (count.load(std::memory_order_acquire) >= 4)
                assert(data == 1 || broken);
        });
    between.join();
}

static void ticket_handover()
{
    static std::atomic<unsigned> next, serving;
    static int data;
    auto use = [] {
        unsigned mine = next.fetch_add(1, std::memory_order_relaxed);
        while (serving.load(broken ? std::memory_order_relaxed : std::memory_order_acquire) != mine)
            std::this_thread::yield();
        data++;
        serving.store(mine + 1, std::memory_order_release);
    };
    both(use, use);
}

/* google/sanitizers 1163: a new object is locked before it is put into a list: nobody else can know it. */
static void fresh_object_lock()
{
    static std::mutex list;
    static std::mutex *known;
    static std::mutex object;
    both(
        [] {
            std::lock_guard own(object);
            std::lock_guard hold(list);
            known = &object;
        },
        [] {
            std::mutex *seen;
            {
                std::lock_guard hold(list);
                seen = known;
            }
            if (seen != nullptr)
                std::lock_guard own(*seen);
        });
}

static void barrier_phases()
{
    static std::barrier barrier(2);
    static int cells[2];
    auto work = [](int me) {
        cells[me] = 1;
        if (!broken)
            barrier.arrive_and_wait();
        assert(cells[1 - me] == 1 || broken);
    };
    both([=] { work(0); }, [=] { work(1); });
}

static const struct {
    const char *name;
    void (*run)();
} idioms[] = {
#define IDIOM(name) {#name, name}
    IDIOM(fence_publish), IDIOM(fence_refcount), IDIOM(timed_condition),
    IDIOM(released_before_cycle), IDIOM(shared_pointer), IDIOM(weak_pointer),
    IDIOM(call_once), IDIOM(latch), IDIOM(seqlock), IDIOM(hazard_pointers),
    IDIOM(recycled_stack), IDIOM(one_thread_inversion), IDIOM(try_lock_for),
    IDIOM(peterson), IDIOM(double_checked), IDIOM(promise), IDIOM(static_local),
    IDIOM(spin_flag), IDIOM(shared_locks), IDIOM(reused_mutex), IDIOM(release_sequence),
    IDIOM(ticket_handover), IDIOM(fresh_object_lock), IDIOM(barrier_phases),
};

int main(int count, char **arguments)
{
    broken = count > 2;
    for (auto &idiom : idioms)
        if (count > 1 && idiom.name == std::string(arguments[1])) {
            idiom.run();
            return 0;
        }
    return 2;
}
