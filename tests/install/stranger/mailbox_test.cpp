#include <cassert>
#include <thread>

extern "C" {
#include "mailbox.h"
}

int main()
{
    mailbox box;
    mailbox_open(&box);
    std::thread first([&] { mailbox_put(&box); });
    std::thread second([&] { mailbox_put(&box); });
    first.join();
    second.join();
    assert(mailbox_count(&box) == 2);
    return 0;
}
