#include "grammar/derivation.h"

#include <math.h>
#include <string.h>

#include "base/options.h"
#include "text/unicode.h"

enum { FIRST_SYLLABLE = 0xac00, LAST_SYLLABLE = 0xd7a3, FINALS = 28, FINAL_L = 8 };

typedef struct {
    Letters *letters;
    int depth;
    int texts;  /* number of texts inserted so far */
    bool tells; /* the text being written belongs to the sentence */
    Arena *arena;
    Error *error;
} LetterWriter;

/* Return what fills the slot of that name, in this rule or else in the enclosing
 * rules. */
static Derivation *find_slot(const Derivation *at, const char *name) {
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

/* Return the final consonant of the last letter: 0 for a vowel, -1 if it is not a
 * Hangul syllable. */
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

static bool write_text(LetterWriter *writer, const Derivation *at, const char *text);

const char *letters_text(const Letters *letters, Arena *arena) {
    char *text = arena_take(arena, (size_t)letters->count + 1);
    for (int i = 0; i < letters->count; i++) text[i] = letters->letter[i].byte;
    return text;
}

/* Get the text as a string, separately from the text being written. */
static bool find_text(LetterWriter *outer, const Derivation *at, const char *text,
                      const char **string) {
    Letters letters = {0};
    LetterWriter writer = *outer;
    writer.letters = &letters;
    bool done = write_text(&writer, at, text);
    outer->texts = writer.texts;
    if (done) *string = letters_text(&letters, outer->arena);
    return done;
}

/* Write the reference between braces: "N.ko", "V.$S.form" or "ko", a field of a slot or
 * of `at`, or "asked". */
static bool write_reference(LetterWriter *writer, const Derivation *at,
                            const char *text) {
    const char *name = text;
    const char *dot = strchr(text, '.');
    if (dot) {
        const char *slot = arena_copy(writer->arena, text, (size_t)(dot - text));
        const Derivation *rule = at;
        Derivation *filling = find_slot(rule, slot);
        if (!filling) return fail(writer->error, "no slot '%s' for {%s}", slot, text);
        if (writer->tells) filling->is_told = true;
        at = filling;
        name = dot + 1;
        if (*name == '$' &&
            !find_text(writer, rule, arena_print(writer->arena, "{%s}", name + 1),
                       &name))
            return false;
    }
    const Alternative *chosen = at->chosen;
    const char *field =
        strcmp(name, "asked") == 0 ? at->asked : grammar_field(chosen, name);
    if (field) return write_text(writer, at, field);
    return fail(writer->error, "no field '%s' in '%s'", name,
                chosen->fields ? chosen->field[0].text : "");
}

/* Write a run of letters up to a space or a reference, and its mark. For "을/를", write
 * the one that fits the letter before it. */
static bool write_run(LetterWriter *writer, const Derivation *at, const char *text,
                      size_t length, bool marked) {
    int label = marked ? 10 * at->number + 1 : 0;
    if (length > 2 && text[length - 2] == '=') {
        length -= 2;
        int mark = text[length + 1] - '0';
        label = mark ? 10 * at->number + mark : 0;
    }
    const char *end = text + length;
    const char *slash = memchr(text, '/', length);
    if (slash) {
        int final = last_final(writer->letters);
        if (final < 0)
            return fail(writer->error, "no Korean letter before '%.*s'", (int)length,
                        text);
        bool after_l = final == FINAL_L && strncmp(text, "으", strlen("으")) == 0;
        bool left = final > 0 && !after_l;
        label = 0;
        if (left)
            end = slash;
        else
            text = slash + 1;
    }
    for (; text < end; text++) add_letter(writer, *text, label);
    return true;
}

/* Write letters, references and the text between them. */
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

bool derivation_write(const Derivation *at, const char *text, Arena *arena,
                      Letters *letters, Error *error) {
    LetterWriter writer = {
        .letters = letters, .tells = true, .arena = arena, .error = error};
    return write_text(&writer, at, text);
}

double derivation_nats(const Derivation *sentence) {
    double nats = sentence->nats;
    for (int i = 0; i < sentence->children; i++)
        if (sentence->child[i].is_told) nats += derivation_nats(&sentence->child[i]);
    return nats;
}

bool derivation_text(const Derivation *at, const char *text, Arena *arena,
                     const char **string, Error *error) {
    *string = text;
    LetterWriter writer = {.arena = arena, .error = error};
    return !strchr(text, '{') || find_text(&writer, at, text, string);
}

/* What a slot requires: an alternative of `category` with these kinds. */
typedef struct {
    const Category *category;
    const char *kinds; /* "": any */
} Demand;

typedef struct {
    const Grammar *grammar;
    Random *random;
    int number;
    int depth;
    Arena *arena;
    Error *error;
} DeriveState;

/* Do alternatives with these kinds satisfy the request? */
static bool fits(const char *kinds, const char *asked) {
    if (strcmp(kinds, "*") == 0 || *asked == '\0') return true;
    bool fits = false;
    for (const char *at = asked;; at += strspn(at, " ")) {
        size_t length = strcspn(at, " &");
        if (length > 0 && option_listed(kinds, ' ', at, length)) fits = true;
        at += length;
        at += strspn(at, " ");
        if (*at == '\0') return fits;
        if (*at != '&') continue;
        if (!fits) return false;
        fits = false;
        at++;
    }
}

/* Parse the request `spec` of a slot, after inserting fields of the slots of `at` that
 * are already filled. */
static bool ask(const Grammar *grammar, const Derivation *at, const char *spec,
                Arena *arena, Demand *asked, Error *error) {
    *asked = (Demand){grammar_category(grammar, spec), ""}; /* also "[a|b]" */
    if (asked->category) return true;
    /* Without the enclosing rules, the possible fillings do not depend on the
     * position. */
    Derivation alone = *at;
    alone.parent = NULL;
    const char *text;
    if (!derivation_text(&alone, spec, arena, &text, error)) return false;
    size_t length = strcspn(text, ":");
    const char *name = arena_copy(arena, text, length);
    *asked = (Demand){grammar_category(grammar, name),
                      text[length] ? text + length + 1 : ""};
    return asked->category || fail(error, "%s: no category '%s' for the slot '%s'",
                                   grammar->path, name, spec);
}

/* `nats`: minus the logarithm of the probability of the choice. */
static const Alternative *draw(DeriveState *walk, Demand asked, double *nats) {
    const Category *category = asked.category;
    const Alternative **fitting =
        ARENA_ARRAY(walk->arena, const Alternative *, category->count);
    int count = 0;
    double total = 0;
    for (int i = 0; i < category->count; i++) {
        const Alternative *alternative = &category->alternative[i];
        if (!fits(alternative->kinds, asked.kinds)) continue;
        fitting[count++] = alternative;
        total += alternative->weight;
    }
    if (count == 0) return NULL;
    double left = random_unit(walk->random) * total;
    int index = 0;
    while (index < count - 1 && (left -= fitting[index]->weight) >= 0) index++;
    *nats = log(total / fitting[index]->weight);
    return fitting[index];
}

static bool derive(DeriveState *walk, Demand asked, const Derivation *parent,
                   Derivation *derivation) {
    double nats;
    const Alternative *chosen = draw(walk, asked, &nats);
    const char *path = walk->grammar->path;
    if (!chosen)
        return fail(walk->error, "%s: nothing in '%s' is '%s'", path,
                    asked.category->name, asked.kinds);
    if (++walk->depth > RULES_DEEPEST)
        return fail(walk->error, "%s: the rules of '%s' use themselves without end",
                    path, asked.category->name);
    if (walk->number >= RULES_MAX)
        return fail(walk->error, "%s: a sentence uses more than %d rules", path,
                    RULES_MAX);
    Derivation *child = ARENA_ARRAY(walk->arena, Derivation, chosen->slots);
    *derivation = (Derivation){.chosen = chosen,
                               .parent = parent,
                               .child = child,
                               .asked = asked.kinds,
                               .number = walk->number++,
                               .nats = nats};
    for (int i = 0; i < chosen->slots; i++) {
        Demand next;
        if (!ask(walk->grammar, derivation, chosen->slot[i].text, walk->arena, &next,
                 walk->error) ||
            !derive(walk, next, derivation, &child[i]))
            return false;
        derivation->children++;
    }
    walk->depth--;
    return true;
}

bool derivation_draw(const Grammar *grammar, Random *random, Arena *arena,
                     Derivation *sentence, Error *error) {
    DeriveState walk = {
        .grammar = grammar, .random = random, .arena = arena, .error = error};
    const Demand asked = {grammar_category(grammar, "sentence"), ""};
    return derive(&walk, asked, NULL, sentence);
}
