// Atomic operations of every size and form do what they say, 128 bits and compare-exchange included.
// build: gcc -O1 -mcx16
// build: clang -O1 -mcx16
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#define CHECK_SIZE(type)                                                                   \
    do {                                                                                   \
        static type value;                                                                 \
        type expected = 5;                                                                 \
        __atomic_store_n(&value, 5, __ATOMIC_RELEASE);                                     \
        assert(__atomic_load_n(&value, __ATOMIC_ACQUIRE) == 5);                            \
        assert(__atomic_fetch_add(&value, 2, __ATOMIC_RELAXED) == 5);                      \
        assert(__atomic_fetch_sub(&value, 1, __ATOMIC_ACQ_REL) == 7);                      \
        assert(__atomic_fetch_or(&value, 8, __ATOMIC_SEQ_CST) == 6);                       \
        assert(__atomic_fetch_and(&value, 12, __ATOMIC_SEQ_CST) == 14);                    \
        assert(__atomic_fetch_xor(&value, 4, __ATOMIC_SEQ_CST) == 12);                     \
        assert(__atomic_fetch_nand(&value, 15, __ATOMIC_SEQ_CST) == 8);                    \
        assert(__atomic_exchange_n(&value, 6, __ATOMIC_SEQ_CST) == (type)~8);              \
        bool swapped = __atomic_compare_exchange_n(&value, &expected, 9, false,            \
                                                   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);    \
        assert(!swapped && expected == 6);                                                 \
        swapped = __atomic_compare_exchange_n(&value, &expected, 9, true, __ATOMIC_SEQ_CST, \
                                              __ATOMIC_SEQ_CST);                           \
        assert(swapped && value == 9);                                                     \
    } while (0)

static void *work(void *unused)
{
    CHECK_SIZE(uint8_t);
    CHECK_SIZE(uint16_t);
    CHECK_SIZE(uint32_t);
    CHECK_SIZE(uint64_t);
    CHECK_SIZE(unsigned __int128);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
