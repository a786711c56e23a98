#include "json/lexer.h"

#include "base/text.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_sign(char c)
{
    return c == ',' || c == ':' || c == '{' || c == '}' || c == '[' || c == ']';
}

static void read_string(const struct lq_json_lexer *lexer,
                        struct lq_json_token *token)
{
    const char *at = lexer->text + token->start + 1;

    token->kind = LQ_JSON_STRING;
    /* the NUL after the text counts as a control character */
    while (*at != '"' && (unsigned char)*at >= 0x20) {
        at += *at == '\\' && at[1] ? 2 : 1;
    }
    token->whole = *at == '"';
    token->end = (size_t)(at - lexer->text) + token->whole;
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at)) {
        ++at;
    }
    return at;
}

static void read_number(const struct lq_json_lexer *lexer,
                        struct lq_json_token *token)
{
    const char *const start = lexer->text + token->start;
    const char *digits = start + (*start == '-');
    const char *at = skip_digits(digits);

    token->kind = LQ_JSON_NUMBER;
    /* no digit may follow a leading 0 */
    token->whole = at > digits && (*digits != '0' || at == digits + 1);
    if (token->whole && *at == '.') {
        digits = at + 1;
        at = skip_digits(digits);
        token->whole = at > digits;
    }
    if (token->whole && (*at == 'e' || *at == 'E')) {
        digits = at + 1;
        digits += *digits == '-' || *digits == '+';
        at = skip_digits(digits);
        token->whole = at > digits;
    }
    token->end = (size_t)(at - lexer->text);
}

static void read_other(const struct lq_json_lexer *lexer,
                       struct lq_json_token *token)
{
    uint32_t code = 0;

    token->kind = LQ_JSON_OTHER;
    token->end = token->start;
    while (is_letter(lexer->text[token->end])) {
        ++token->end;
    }
    if (token->end == token->start) {
        token->end += lq_utf8_decode(lexer->text + token->start,
                                     lexer->length - token->start, &code);
    }
}

bool lq_json_next(struct lq_json_lexer *lexer, struct lq_json_token *out)
{
    char first = '\0';

    while (is_blank(lexer->text[lexer->at])) {
        ++lexer->at;
    }
    if (lexer->at == lexer->length) {
        return false;
    }
    first = lexer->text[lexer->at];
    out->start = lexer->at;
    out->sign = '\0';
    out->whole = false;
    if (first == '"') {
        read_string(lexer, out);
    } else if (is_sign(first)) {
        out->kind = LQ_JSON_SIGN;
        out->sign = first;
        out->end = lexer->at + 1;
    } else if (first == '-' || is_digit(first)) {
        read_number(lexer, out);
    } else {
        read_other(lexer, out);
    }
    lexer->at = out->end;
    return true;
}

/* A string while its escapes are undone: from `at`, to `to`. */
struct unescaping {
    const char *at;
    const char *end;
    char *to;
    bool nul;
};

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hexadecimal digits, after \u. */
static bool take_unit(const char **at, const char *end, uint32_t *out)
{
    *out = 0;
    if (end - *at < 4) {
        return false;
    }
    for (int i = 0; i < 4; ++i) {
        const int digit = digit_of(*(*at)++);

        if (digit < 0) {
            return false;
        }
        *out = *out * 16 + (uint32_t)digit;
    }
    return true;
}

static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

static bool begins_unit(const char *at, const char *end)
{
    return end - at >= 2 && at[0] == '\\' && at[1] == 'u';
}

/* A code point: one unit, or the two of a surrogate pair. */
static bool take_code(struct unescaping *string, uint32_t *out)
{
    uint32_t low = 0;

    if (!take_unit(&string->at, string->end, out) || is_low(*out)) {
        return false;
    }
    if (!is_high(*out)) {
        return true;
    }
    if (!begins_unit(string->at, string->end)) {
        return false;
    }
    string->at += 2;
    if (!take_unit(&string->at, string->end, &low) || !is_low(low)) {
        return false;
    }
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static void put(struct unescaping *string, uint32_t byte)
{
    *string->to++ = (char)(unsigned char)byte;
}

static void put_code(struct unescaping *string, uint32_t code)
{
    if (code == 0) {
        string->nul = true;
    }
    if (code > 0 && code < 0x80) {
        put(string, code);
    } else if (code < 0x800) {
        put(string, 0xc0 | code >> 6);
        put(string, 0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(string, 0xe0 | code >> 12);
        put(string, 0x80 | (code >> 6 & 0x3f));
        put(string, 0x80 | (code & 0x3f));
    } else {
        put(string, 0xf0 | code >> 18);
        put(string, 0x80 | (code >> 12 & 0x3f));
        put(string, 0x80 | (code >> 6 & 0x3f));
        put(string, 0x80 | (code & 0x3f));
    }
}

/* What a letter after a backslash stands for; 0: nothing. */
static char escaped(char letter)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    const char *const found = letter ? strchr(letters, letter) : NULL;

    if (!found) {
        return '\0';
    }
    return meant[found - letters];
}

/* One escape, after its backslash. */
static bool take_escape(struct unescaping *string)
{
    uint32_t code = 0;
    char letter = '\0';

    if (string->at == string->end) {
        return false;
    }
    letter = *string->at++;
    if (letter == 'u') {
        if (!take_code(string, &code)) {
            return false;
        }
        put_code(string, code);
        return true;
    }
    letter = escaped(letter);
    *string->to++ = letter;
    return letter != '\0';
}

bool lq_json_unescape(char *text, size_t length, bool *nul)
{
    char *const first = memchr(text, '\\', length);
    struct unescaping string = {
        .at = first, .end = text + length, .to = first, .nul = false};

    *nul = false;
    if (!first) {
        text[length] = '\0';
        return true;
    }
    while (string.at < string.end) {
        if (*string.at != '\\') {
            *string.to++ = *string.at++;
            continue;
        }
        ++string.at;
        if (!take_escape(&string)) {
            return false;
        }
    }
    *string.to = '\0';
    *nul = string.nul;
    return true;
}

/* Whether a backslash begins a valid escape; moves past it. */
static bool is_escape(const char **at, const char *end)
{
    uint32_t unit = 0;
    char letter = '\0';

    if (*at == end) {
        return false;
    }
    letter = *(*at)++;
    return letter == 'u' ? take_unit(at, end, &unit) : escaped(letter) != '\0';
}

/* Names the surrogate that stands alone among valid escapes. */
static const char *pair_fault(const char *at, const char *end,
                              struct lq_arena *arena)
{
    uint32_t unit = 0;
    uint32_t low = 0;

    while ((at = memchr(at, '\\', (size_t)(end - at)))) {
        const bool is_unit = begins_unit(at, end);

        at += 2;
        if (!is_unit || !take_unit(&at, end, &unit)) {
            continue;
        }
        if (is_low(unit) || (is_high(unit) && !begins_unit(at, end))) {
            break;
        }
        if (is_high(unit)) {
            at += 2;
            if (take_unit(&at, end, &low) && !is_low(low)) {
                return lq_format(arena, "invalid Unicode '\\u%04X\\u%04X'",
                                 (unsigned)unit, (unsigned)low);
            }
        }
    }
    return lq_format(arena, "invalid Unicode '\\u%04X'", (unsigned)unit);
}

const char *lq_json_string_fault(const char *text, size_t length,
                                 struct lq_arena *arena)
{
    const char *const end = text + length;
    const char *at = text + 1;

    while (at < end && *at != '"') {
        const char byte = *at++;

        if (byte == '\n') {
            return "unexpected newline";
        }
        if ((unsigned char)byte < 0x20) {
            return lq_format(arena, "control character 0x%x", (unsigned)byte);
        }
        if (byte == '\\' && !is_escape(&at, end)) {
            return "invalid escape";
        }
    }
    return at < end ? pair_fault(text + 1, at, arena)
                    : "premature end of input";
}
