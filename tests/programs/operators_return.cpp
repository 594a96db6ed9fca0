// operator new and delete, in all the ways in which they can be called.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
#include <cassert>
#include <cstdint>
#include <new>

/* By the names that compilers give them: not all can be called in every version of the language. */
extern "C" {
void *_ZnwmSt11align_val_t(std::size_t, std::size_t);
void *_ZnamSt11align_val_t(std::size_t, std::size_t);
void *_ZnwmSt11align_val_tRKSt9nothrow_t(std::size_t, std::size_t, const std::nothrow_t &);
void *_ZnamSt11align_val_tRKSt9nothrow_t(std::size_t, std::size_t, const std::nothrow_t &);
void _ZdlPvm(void *, std::size_t);
void _ZdaPvm(void *, std::size_t);
void _ZdlPvSt11align_val_t(void *, std::size_t);
void _ZdaPvSt11align_val_t(void *, std::size_t);
void _ZdlPvmSt11align_val_t(void *, std::size_t, std::size_t);
void _ZdaPvmSt11align_val_t(void *, std::size_t, std::size_t);
void _ZdlPvSt11align_val_tRKSt9nothrow_t(void *, std::size_t, const std::nothrow_t &);
void _ZdaPvSt11align_val_tRKSt9nothrow_t(void *, std::size_t, const std::nothrow_t &);
}

static void *check(void *block, std::size_t alignment)
{
    assert(block != nullptr && reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
    *static_cast<volatile char *>(block) = 1;
    return block;
}

int main()
{
    const std::size_t size = 24, wide = 256, too_large = std::size_t(1) << 60;
    const auto &quiet = std::nothrow;
    ::operator delete(check(::operator new(size), 16));
    ::operator delete(check(::operator new(size, quiet), 16), quiet);
    _ZdlPvm(check(::operator new(size), 16), size);
    _ZdlPvSt11align_val_t(check(_ZnwmSt11align_val_t(size, wide), wide), wide);
    _ZdlPvmSt11align_val_t(check(_ZnwmSt11align_val_t(size, wide), wide), size, wide);
    _ZdlPvSt11align_val_tRKSt9nothrow_t(
        check(_ZnwmSt11align_val_tRKSt9nothrow_t(size, wide, quiet), wide), wide, quiet);
    ::operator delete[](check(::operator new[](size), 16));
    ::operator delete[](check(::operator new[](size, quiet), 16), quiet);
    _ZdaPvm(check(::operator new[](size), 16), size);
    _ZdaPvSt11align_val_t(check(_ZnamSt11align_val_t(size, wide), wide), wide);
    _ZdaPvmSt11align_val_t(check(_ZnamSt11align_val_t(size, wide), wide), size, wide);
    _ZdaPvSt11align_val_tRKSt9nothrow_t(
        check(_ZnamSt11align_val_tRKSt9nothrow_t(size, wide, quiet), wide), wide, quiet);
    ::operator delete(nullptr);
    assert(::operator new(too_large, quiet) == nullptr);
    bool thrown = false;
    try {
        check(::operator new(too_large), 16);
    } catch (const std::bad_alloc &) {
        thrown = true;
    }
    assert(thrown);
    return 0;
}
