#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "../cases.h"

TEST_CASE("push")
{
    REQUIRE(count_after_pushes() == 2);
}

TEST_CASE("pop")
{
    REQUIRE(count_after_pops() == 0);
}
