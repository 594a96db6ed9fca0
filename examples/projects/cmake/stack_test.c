#include <assert.h>
#include <string.h>

#include "../cases.h"

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    if (only == NULL || strcmp(only, "push") == 0)
        assert(count_after_pushes() == 2);
    if (only == NULL || strcmp(only, "pop") == 0)
        assert(count_after_pops() == 0);
    return 0;
}
