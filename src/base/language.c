#include "base/language.h"

#include <ctype.h>
#include <libintl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"

const char *const languages[] = {"auto", "en", "ko", NULL};

enum { LANGUAGE_ENGLISH = 1 };

static int spoken = LANGUAGE_ENGLISH;

void language_begin(const char *folder) {
    if (folder) {
        bindtextdomain("glassbox", folder);
        bind_textdomain_codeset("glassbox", "UTF-8");
        textdomain("glassbox");
    }
    language_choose(0);
}

void language_choose(int choice) {
    /* The first of the variables that is set, in the order given in gettext's
     * manual, 2.3. */
    static const char *const variables[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES",
                                            "LANG"};
    static char asked[32]; /* a copy, since LANGUAGE is overwritten below */
    for (size_t v = 0; !*asked && v < sizeof variables / sizeof *variables; v++) {
        const char *value = getenv(variables[v]);
        if (value && *value) snprintf(asked, sizeof asked, "%s", value);
    }
    spoken = choice > 0 ? choice : LANGUAGE_ENGLISH;
    /* "ko_KR.UTF-8" selects "ko". An unknown language selects English. */
    for (int l = LANGUAGE_ENGLISH; choice <= 0 && languages[l]; l++) {
        size_t length = strlen(languages[l]);
        if (strncmp(asked, languages[l], length) == 0 &&
            !isalpha((unsigned char)asked[length])) {
            spoken = l;
            break;
        }
    }
    setenv("LANGUAGE", languages[spoken], 1);
    system_language_changed();
}

const char *language_name(void) {
    return languages[spoken];
}

int language_place(void) {
    return spoken - LANGUAGE_ENGLISH;
}

const char *tr(const char *text) {
    if (spoken == LANGUAGE_ENGLISH || !*text) return text;
    return gettext(text);
}

char *trf_list(Arena *arena, const char *format, va_list arguments) {
    char *text = arena_print_list(arena, tr(format), arguments);
    if (spoken != LANGUAGE_ENGLISH) language_fit(text);
    return text;
}

char *trf(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = trf_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

void trf_into(char *text, size_t size, const char *format, va_list arguments) {
    vsnprintf(text, size, tr(format), arguments);
    if (spoken != LANGUAGE_ENGLISH) language_fit(text);
}

/* The last sound of a word, as far as a particle depends on it. */
typedef enum { SOUND_VOWEL, SOUND_CONSONANT, SOUND_RIEUL } Sound;

static bool is_one_of(const char *letters, char letter) {
    return strchr(letters, tolower((unsigned char)letter)) != NULL;
}

/* The last sound of a word of `length` Latin letters when it is written in Hangul:
 * logit 로짓, apple 애플, heat 히트. */
static Sound sound_of_word(const char *word, size_t length) {
    static const char vowels[] = "aeiouy";
    size_t v = 0;
    while (v < length && !is_one_of(vowels, word[v])) v++;
    char last = word[length - 1];
    if (length == 1 || v == length) /* spelled out, like png */
        return is_one_of("lr", last)   ? SOUND_RIEUL
               : is_one_of("mn", last) ? SOUND_CONSONANT
                                       : SOUND_VOWEL;
    char before = word[length - 2];
    bool is_le = is_one_of("e", last) && is_one_of("l", before);
    bool is_ng = is_one_of("g", last) && is_one_of("n", before);
    bool is_short = is_one_of("ptkbc", last) && is_one_of(vowels, before) &&
                    (length == 2 || !is_one_of(vowels, word[length - 3]));
    if (is_le || is_one_of("l", last)) return SOUND_RIEUL;
    return is_ng || is_short || is_one_of("mn", last) ? SOUND_CONSONANT : SOUND_VOWEL;
}

/* Return the code point of the three bytes before `end` if they are a Hangul syllable,
 * else 0. */
static unsigned syllable_before(const char *start, const char *end) {
    if (end - start < 3) return 0;
    const unsigned char *b = (const unsigned char *)end - 3;
    if (b[0] < 0xEA || b[0] > 0xED || (b[1] & 0xC0) != 0x80 || (b[2] & 0xC0) != 0x80)
        return 0;
    unsigned code = (b[0] & 0x0Fu) << 12 | (b[1] & 0x3Fu) << 6 | (b[2] & 0x3Fu);
    return code >= 0xAC00 && code <= 0xD7A3 ? code : 0;
}

/* Quotes and brackets have no sound: look at what is before them. */
static Sound sound_before(const char *start, const char *end) {
    enum { FIRST = 0xAC00, FINALS = 28, RIEUL = 8 };
    static const Sound of_digit[] = {
        SOUND_CONSONANT, SOUND_RIEUL,     SOUND_VOWEL, SOUND_CONSONANT, SOUND_VOWEL,
        SOUND_VOWEL,     SOUND_CONSONANT, SOUND_RIEUL, SOUND_RIEUL,     SOUND_VOWEL};
    for (; end > start; end--) {
        unsigned code = syllable_before(start, end);
        char last = end[-1];
        unsigned final = (code - FIRST) % FINALS;
        if (code)
            return final == RIEUL ? SOUND_RIEUL : final ? SOUND_CONSONANT : SOUND_VOWEL;
        if (isdigit((unsigned char)last)) return of_digit[last - '0'];
        if (last == '%') return SOUND_VOWEL;
        if (isalpha((unsigned char)last)) {
            const char *word = end - 1;
            while (word > start && isalpha((unsigned char)word[-1])) word--;
            return sound_of_word(word, (size_t)(end - word));
        }
    }
    return SOUND_VOWEL;
}

/* Is there a pair "{은/는}" at `text`? Get the positions of its slash and its end. */
static bool is_pair(const char *text, const char **slash, const char **end) {
    enum { PARTICLE_BYTES = 12 };
    *slash = strchr(text, '/');
    *end = strchr(text, '}');
    return *slash && *end && *slash < *end && *end - text < 2 * PARTICLE_BYTES &&
           (unsigned char)text[1] >= 0xEA;
}

void language_fit(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        const char *slash;
        const char *end;
        if (*from != '{' || !is_pair(from, &slash, &end)) {
            *to++ = *from++;
            continue;
        }
        Sound sound = sound_before(text, to);
        bool is_directional = strncmp(from, "{으로", strlen("{으로")) == 0;
        bool first =
            sound == SOUND_CONSONANT || (sound == SOUND_RIEUL && !is_directional);
        const char *part = first ? from + 1 : slash + 1;
        size_t length = (size_t)((first ? slash : end) - part);
        memmove(to, part, length);
        to += length;
        from = end + 1;
    }
    *to = '\0';
}
