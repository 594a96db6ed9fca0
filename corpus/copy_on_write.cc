// A string that several share until one changes it. Who wants to change it looks whether it is the
// only owner; another thread makes a copy after that look, and the change is seen in the copy as
// well.
// group: idioms
// threads: 3
// finds: assertion
// lines: 38 53 65
// pb: 2
// db: 3
// options: --exit wait
// variants: copy_on_write
// variants: copy_on_write_fixed -DFIXED
// finds copy_on_write_fixed: nothing
// pb copy_on_write_fixed: -
// db copy_on_write_fixed: -
// twin: copy_on_write_fixed
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Text {
    std::atomic<int> owners{1};
    std::atomic<char> first{'a'};
};

class Document
{
  public:
    ~Document()
    {
        release(text);
    }

    Text *share()
    {
        std::lock_guard<std::mutex> guard(lock);
        text->owners++;
        return text;
    }

    void set_first(char letter)
    {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(lock);
        detach();
#else
        {
            std::lock_guard<std::mutex> guard(lock);
            detach();
        }
#endif
        text->first = letter;
    }

    static void release(Text *text)
    {
        if (--text->owners == 0)
            delete text;
    }

  private:
    void detach()
    {
        if (text->owners == 1)
            return;
        Text *own = new Text;
        own->first = text->first.load();
        release(text);
        text = own;
    }

    std::mutex lock;
    Text *text = new Text;
};

int main()
{
    Document document;
    std::thread printer([&document] {
        Text *copy = document.share();
        char before = copy->first, after = copy->first;
        assert(before == after);
        Document::release(copy);
    });
    std::thread editor([&document] { document.set_first('b'); });
    printer.join();
    editor.join();
    return 0;
}
