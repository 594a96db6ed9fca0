// Bytes side by side do not race; two bit-fields of one byte do.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
// run: -s dfs -k -- bits
// expect: finding race
// expect: output bits
#include <pthread.h>

struct bytes {
    char a, b;
    short c;
} bytes;

struct bits {
    unsigned a : 4, b : 4;
} bits;

static void *write_a(void *unused)
{
    bytes.a = 1;
    return unused;
}

static void *write_b(void *unused)
{
    bytes.b = 2;
    return unused;
}

static void *write_c(void *unused)
{
    bytes.c = 3;
    return unused;
}

static void *write_bits_a(void *unused)
{
    bits.a = 1;
    return unused;
}

static void *write_bits_b(void *unused)
{
    bits.b = 2;
    return unused;
}

int main(int argc, char **argv)
{
    void *(*for_bytes[])(void *) = {write_a, write_b, write_c};
    void *(*for_bits[])(void *) = {write_bits_a, write_bits_b, write_c};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, (argc > 1 ? for_bits : for_bytes)[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
