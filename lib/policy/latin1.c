#include "policy/latin1.h"

/*
 * A table is four: 256 bytes in lower case, 256 in the other case, ten sets of
 * 256 bits (space, xdigit, digit, upper, lower, word, graph, print, punct,
 * cntrl) and 256 bytes of flags, whose meaning is not the same in all versions.
 */
enum { OTHER_CASE = 256, SETS = 512, SET_SIZE = 32, SET_COUNT = 10 };
enum { FLAGS = SETS + SET_COUNT * SET_SIZE };

/* A byte of ASCII of the same classes; they are taken over from it. */
static unsigned like(unsigned byte)
{
    if (byte < 0xA0) {
        return 0x01;
    }
    if (byte == 0xAA || byte == 0xB5 || byte == 0xBA) {
        return 'z';
    }
    if (byte < 0xC0 || byte == 0xD7 || byte == 0xF7) {
        return '!';
    }
    return byte < 0xDF ? 'Z' : 'z';
}

/* Some letters have no other case in Latin-1. */
static unsigned other_case(unsigned byte)
{
    const unsigned other = byte ^ 0x20;

    return byte >= 0xC0 && byte != 0xDF && byte != 0xFF && byte != 0xD7 &&
                   byte != 0xF7
               ? other
               : byte;
}

static void copy_sets(uint8_t *sets, unsigned from, unsigned to)
{
    for (size_t i = 0; i < SET_COUNT; ++i) {
        uint8_t *const set = sets + i * SET_SIZE;
        const unsigned bit = ((unsigned)set[from / 8] >> (from % 8)) & 1U;
        const unsigned others = set[to / 8] & ~(1U << (to % 8));

        set[to / 8] = (uint8_t)(others | bit << (to % 8));
    }
}

void lq_latin1_classes(uint8_t classes[LQ_CLASSES_SIZE])
{
    for (unsigned byte = 0x80; byte <= 0xFF; ++byte) {
        const unsigned other = other_case(byte);

        classes[byte] = (uint8_t)(like(byte) == 'Z' ? other : byte);
        classes[OTHER_CASE + byte] = (uint8_t)other;
        copy_sets(classes + SETS, like(byte), byte);
        classes[FLAGS + byte] = classes[FLAGS + like(byte)];
    }
}
