#include "text/letter_parts.h"

LetterParts letter_parts_of_byte(int byte) {
    if (byte < 0x80) return (LetterParts){0};
    if (byte < 0xc0) return (LetterParts){.loose = 1};
    return (LetterParts){.missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3};
}

bool letter_parts_join(LetterParts left, LetterParts right, LetterParts *joined) {
    *joined = (LetterParts){left.missing - right.loose, 0};
    if (left.missing > 0) return right.loose > 0 && joined->missing >= 0;
    *joined = (LetterParts){right.missing, left.loose + right.loose};
    return right.missing == 0 && (left.loose > 0) == (right.loose > 0);
}
