#include <gtest/gtest.h>

#include "../cases.h"

TEST(Stack, push)
{
    EXPECT_EQ(count_after_pushes(), 2);
}

TEST(Stack, pop)
{
    EXPECT_EQ(count_after_pops(), 0);
}
