#include "cli/asm_scan.h"

#include <ctype.h>
#include <string.h>

struct piece {
    const char *text;
    size_t length;
};

static struct piece trimmed(struct piece piece)
{
    while (piece.length > 0 && isspace((unsigned char)piece.text[0]))
        piece.text++, piece.length--;
    while (piece.length > 0 && isspace((unsigned char)piece.text[piece.length - 1]))
        piece.length--;
    return piece;
}

static bool is_word_letter(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '.' || letter == '$';
}

/* Takes the word off the front and returns it. */
static struct piece take_word(struct piece *rest)
{
    struct piece word = {rest->text, 0};
    while (word.length < rest->length && is_word_letter(rest->text[word.length]))
        word.length++;
    *rest = trimmed((struct piece){rest->text + word.length, rest->length - word.length});
    return word;
}

static bool is(struct piece word, const char *text)
{
    return word.length == strlen(text) && strncmp(word.text, text, word.length) == 0;
}

static bool begins(struct piece word, const char *text)
{
    return word.length >= strlen(text) && strncmp(word.text, text, strlen(text)) == 0;
}

static bool is_among(struct piece word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (is(word, *words))
            return true;
    return false;
}

static bool is_prefix(struct piece word)
{
    static const char *const prefixes[] = {"lock",   "rep",      "repe",     "repz", "repne",
                                           "repnz",  "xacquire", "xrelease", "bnd",  "notrack",
                                           "data16", "addr32",   NULL};
    return is_among(word, prefixes);
}

static bool is_string_instruction(struct piece word)
{
    static const char *const names[] = {"movs", "stos", "lods", "cmps", "scas", NULL};
    struct piece stem = {word.text, word.length - (word.length > 0)};
    return is_among(word, names) ||
           (word.length == 5 && strchr("bwlqd", word.text[4]) != NULL && is_among(stem, names));
}

static bool enters_kernel(struct piece word)
{
    static const char *const names[] = {"syscall", "sysenter", "int", NULL};
    return is_among(word, names);
}

/* Instructions whose operands look like memory but do not access it. */
static bool only_names_memory(struct piece word)
{
    static const char *const beginnings[] = {"lea",     "nop",  "prefetch", "call",
                                             "clflush", "clwb", "cldemote", NULL};
    for (const char *const *at = beginnings; *at != NULL; at++)
        if (begins(word, *at))
            return true;
    return word.length > 0 && (word.text[0] == 'j' || begins(word, "loop"));
}

static bool is_register_of_stack(struct piece inner)
{
    static const char *const names[] = {"rsp", "esp", "rbp", "ebp", NULL};
    inner = trimmed(inner);
    if (inner.length > 0 && inner.text[0] == '%')
        inner.text++, inner.length--;
    struct piece word = take_word(&inner);
    return is_among(word, names);
}

/* True for "8(%rax,%rcx,4)", "[rax+8]", "counter"; false for "%rax", "$1", "8(%rsp)". */
static bool operand_is_shared_memory(struct piece operand)
{
    operand = trimmed(operand);
    if (operand.length == 0 || operand.text[0] == '%' || operand.text[0] == '$') {
        const char *colon = memchr(operand.text, ':', operand.length);
        if (colon == NULL) /* with a colon the register is a segment */
            return false;
    }
    for (size_t i = 0; i < operand.length; i++)
        if (operand.text[i] == '(' || operand.text[i] == '[')
            return !is_register_of_stack(
                (struct piece){operand.text + i + 1, operand.length - i - 1});
    return isalpha((unsigned char)operand.text[0]) || operand.text[0] == '_';
}

static bool operands_touch(struct piece operands, bool intel)
{
    size_t from = 0;
    int depth = 0;
    for (size_t i = 0; i <= operands.length; i++) {
        char letter = i < operands.length ? operands.text[i] : ',';
        depth += letter == '(' || letter == '[';
        depth -= letter == ')' || letter == ']';
        if (letter != ',' || (depth > 0 && i < operands.length))
            continue;
        struct piece operand = {operands.text + from, i - from};
        bool named = memchr(operand.text, '[', operand.length) == NULL &&
                     memchr(operand.text, '(', operand.length) == NULL;
        if (!(intel && named) && operand_is_shared_memory(operand))
            return true;
        from = i + 1;
    }
    return false;
}

/* Takes labels and prefixes, such as "1: lock", off the front. */
static struct piece take_mnemonic(struct piece *rest)
{
    for (;;) {
        struct piece word = take_word(rest);
        if (rest->length > 0 && rest->text[0] == ':')
            *rest = trimmed((struct piece){rest->text + 1, rest->length - 1});
        else if (!is_prefix(word))
            return word;
        if (rest->length == 0)
            return (struct piece){rest->text, 0};
    }
}

/* Intel's syntax has no % before registers. */
static bool is_intel(struct piece operands)
{
    return memchr(operands.text, '%', operands.length) == NULL &&
           memchr(operands.text, '$', operands.length) == NULL;
}

static bool statement_touches(struct piece statement)
{
    struct piece rest = trimmed(statement);
    if (rest.length == 0 || rest.text[0] == '#' || rest.text[0] == '/')
        return false;
    struct piece mnemonic = take_mnemonic(&rest);
    if (mnemonic.length == 0 || mnemonic.text[0] == '.' || only_names_memory(mnemonic))
        return false;
    if (enters_kernel(mnemonic))
        return true;
    if (is_string_instruction(mnemonic) && memchr(rest.text, '%', rest.length) == NULL)
        return true;
    return operands_touch(rest, is_intel(rest));
}

bool asm_line_touches(const char *line, size_t length)
{
    const char *comment = memchr(line, '#', length);
    if (comment != NULL)
        length = (size_t)(comment - line);
    for (size_t from = 0; from <= length;) {
        const char *end = memchr(line + from, ';', length - from);
        size_t to = end == NULL ? length : (size_t)(end - line);
        if (statement_touches((struct piece){line + from, to - from}))
            return true;
        from = to + 1;
    }
    return false;
}

bool asm_is_compiled(const char *text)
{
    return strstr(text, "__tsan_") != NULL || strstr(text, "\t.ident\t") != NULL;
}

bool asm_scan_line(struct asm_scan *scan, const char *line, size_t length)
{
    struct piece piece = trimmed((struct piece){line, length});
    if (is(piece, "#APP"))
        scan->inside = true;
    else if (is(piece, "#NO_APP"))
        scan->inside = false;
    return (scan->inside || scan->whole) && asm_line_touches(line, length);
}
