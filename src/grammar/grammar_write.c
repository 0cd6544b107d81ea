#include <string.h>

#include "grammar/grammar_derivation.h"
#include "text/unicode.h"

enum { FIRST_SYLLABLE = 0xac00, LAST_SYLLABLE = 0xd7a3, FINALS = 28, FINAL_L = 8 };

typedef struct {
    Letters *letters;
    int depth;
    int texts; /* put in so far */
    Arena *arena;
    Error *error;
} LetterWriter;

const char *grammar_field(const Alternative *alternative, const char *name) {
    for (int i = 0; i < alternative->fields; i++)
        if (strcmp(alternative->field[i].name, name) == 0)
            return alternative->field[i].text;
    return NULL;
}

/* What fills the slot of that name: of this rule, or else of the rules around it. */
static const Derivation *find_slot(const Derivation *at, const char *name) {
    for (; at; at = at->parent)
        for (int i = 0; i < at->children; i++)
            if (strcmp(at->chosen->slot[i].name, name) == 0) return &at->child[i];
    return NULL;
}

static void add_letter(LetterWriter *writer, char byte, int label) {
    Letters *letters = writer->letters;
    ARENA_GROW(writer->arena, letters->letter, letters->count, letters->capacity);
    letters->letter[letters->count++] = (Letter){byte, label};
}

/* How the last letter sounds: -1 no Hangul syllable, 0 a vowel, else a consonant. */
static int last_final(const Letters *letters) {
    char syllable[3];
    if (letters->count < 3) return -1;
    for (int i = 0; i < 3; i++)
        syllable[i] = letters->letter[letters->count - 3 + i].byte;
    int length;
    int code = unicode_decode(syllable, sizeof syllable, &length);
    if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE || length != 3) return -1;
    return (code - FIRST_SYLLABLE) % FINALS;
}

/* Write the one of "을/를" that fits what stands before. */
static bool write_particle(LetterWriter *writer, const char *text, size_t length) {
    const char *slash = memchr(text, '/', length);
    int final = last_final(writer->letters);
    if (final < 0)
        return fail(writer->error, "no Korean letter in front of '%.*s'", (int)length,
                    text);
    bool after_l = final == FINAL_L && strncmp(text, "으", strlen("으")) == 0;
    bool left = final > 0 && !after_l;
    const char *from = left ? text : slash + 1;
    const char *end = left ? slash : text + length;
    for (; from < end; from++) add_letter(writer, *from, 0);
    return true;
}

static bool write_text(LetterWriter *writer, const Derivation *at, const char *text);

/* The text as a string, apart from what is being written. */
static bool find_text(LetterWriter *outer, const Derivation *at, const char *text,
                      const char **string) {
    Letters letters = {0};
    LetterWriter writer = *outer;
    writer.letters = &letters;
    bool done = write_text(&writer, at, text);
    outer->texts = writer.texts;
    if (!done) return false;
    char *bytes = arena_take(outer->arena, (size_t)letters.count + 1);
    for (int i = 0; i < letters.count; i++) bytes[i] = letters.letter[i].byte;
    *string = bytes;
    return true;
}

/* The field of `at`: its text, or what was asked of it. */
static bool write_field(LetterWriter *writer, const Derivation *at, const char *name) {
    const char *text =
        strcmp(name, "asked") == 0 ? at->asked : grammar_field(at->chosen, name);
    if (text) return write_text(writer, at, text);
    const Alternative *chosen = at->chosen;
    return fail(writer->error, "no field '%s' in '%s'", name,
                chosen->fields ? chosen->field[0].text : "");
}

/* "N.ko", "V.$S.form" or "ko", from between the braces. */
static bool write_reference(LetterWriter *writer, const Derivation *at,
                            const char *text) {
    const char *dot = strchr(text, '.');
    if (!dot) return write_field(writer, at, text);
    const char *slot = arena_copy(writer->arena, text, (size_t)(dot - text));
    const Derivation *child = find_slot(at, slot);
    if (!child) return fail(writer->error, "no slot '%s' for {%s}", slot, text);
    const char *name = dot + 1;
    if (*name == '$') {
        const char *inner = arena_print(writer->arena, "{%s}", name + 1);
        if (!find_text(writer, at, inner, &name)) return false;
    }
    return write_field(writer, child, name);
}

/* A run of letters up to a space or a reference, and its mark. */
static bool write_run(LetterWriter *writer, const Derivation *at, const char *text,
                      size_t length, bool marked) {
    size_t letters = length;
    int label = marked ? 10 * at->number + 1 : 0;
    if (length > 2 && text[length - 2] == '=') {
        letters = length - 2;
        int mark = text[length - 1] - '0';
        label = mark ? 10 * at->number + mark : 0;
    }
    if (memchr(text, '/', letters)) return write_particle(writer, text, letters);
    for (size_t i = 0; i < letters; i++) add_letter(writer, text[i], label);
    return true;
}

/* Letters, references and what stands between them. */
static bool write_parts(LetterWriter *writer, const Derivation *at, const char *text) {
    bool marked = !strchr(text, '{');
    for (const char *from = text; *from;) {
        size_t length = strcspn(from, " {.,?!");
        /* A mark ends its run, so that an ending can follow: "않았=2다". */
        const char *mark = memchr(from, '=', length);
        if (mark && mark + 2 < from + length) length = (size_t)(mark + 2 - from);
        if (length > 0) {
            if (!write_run(writer, at, from, length, marked)) return false;
            from += length;
        } else if (*from != '{') {
            add_letter(writer, *from++, 0);
        } else {
            size_t inside = strcspn(from, "}");
            const char *name = arena_copy(writer->arena, from + 1, inside - 1);
            if (!write_reference(writer, at, name)) return false;
            from += inside + (from[inside] == '}');
        }
    }
    return true;
}

static bool write_text(LetterWriter *writer, const Derivation *at, const char *text) {
    if (++writer->depth > RULES_DEEPEST)
        return fail(writer->error, "'%s' uses itself without end", text);
    if (++writer->texts <= TEXTS_MAX && !write_parts(writer, at, text)) return false;
    writer->depth--;
    bool fits = writer->texts <= TEXTS_MAX && writer->letters->count <= LETTERS_MAX;
    return fits || fail(writer->error, "it grows beyond %d bytes or %d parts",
                        LETTERS_MAX, TEXTS_MAX);
}

bool grammar_write(const Derivation *at, const char *text, Arena *arena,
                   Letters *letters, Error *error) {
    LetterWriter writer = {.letters = letters, .arena = arena, .error = error};
    return write_text(&writer, at, text);
}

bool grammar_text(const Derivation *at, const char *text, Arena *arena,
                  const char **string, Error *error) {
    *string = text;
    LetterWriter writer = {.arena = arena, .error = error};
    return !strchr(text, '{') || find_text(&writer, at, text, string);
}
