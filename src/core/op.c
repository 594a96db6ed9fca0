#include "core/op.h"

#include "base/assert.h"

static const struct {
    const char *word;
    enum op_access access;
} rows[OP_KINDS] = {
#define OP(name, word, access) [OP_##name] = {word, OP_ACCESS_##access},
#include "core/op.def"
#undef OP
};

const char *op_word(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return rows[kind].word;
}

enum op_access op_access(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return rows[kind].access;
}
