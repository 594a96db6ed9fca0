// Reference counts inside std::shared_ptr: the last owner destroys, whichever it is; a weak_ptr gets the
// object or nothing. Assigning one shared_ptr from two threads is a race.
// build: gcc -O1
// build: clang -O1
// run: -b 1
// expect: no finding
// run: -b 1 -k -- assign
// expect: exit 1
// expect: output race
// expect: output use-after-free
#include <cassert>
#include <memory>
#include <thread>

struct Owned {
    int value = 5;
    static int destroyed;
    ~Owned()
    {
        destroyed++;
    }
};

int Owned::destroyed;
static std::shared_ptr<Owned> global = std::make_shared<Owned>();

static void assign()
{
    std::thread writer([] { global = std::make_shared<Owned>(); });
    std::thread reader([] { std::shared_ptr<Owned> copy = global; });
    writer.join();
    reader.join();
}

int main(int argc, char **)
{
    if (argc > 1) {
        assign();
        return 0;
    }
    std::weak_ptr<Owned> weak = global;
    std::thread owner([copy = global] { assert(copy->value == 5); });
    std::thread looker([weak] {
        if (auto copy = weak.lock())
            assert(copy->value == 5);
    });
    global.reset();
    owner.join();
    looker.join();
    assert(weak.expired() && Owned::destroyed == 1);
}
