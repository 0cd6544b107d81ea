#include <string.h>

#include "base/language.h"
#include "text/decode.h"
#include "text/split.h"
#include "text/tokenizer_parts.h"
#include "text/unicode.h"

enum { STEPS_MAX = 8, KEYS_MAX = 6 };

typedef enum {
    KEY_TRUTH,
    KEY_TRUTH_OR_NULL, /* null: the next field becomes true */
    KEY_TEXT,
    KEY_LETTER, /* a text of one character */
    KEY_SCHEME,
    KEY_PATTERN,
    KEY_BEHAVIOR,
    KEY_COUNT,
    KEY_UNUSED, /* has no effect on ids */
} KeyKind;

typedef struct {
    const char *name;
    KeyKind kind;
    size_t field;
} StepKey;

typedef enum { ROLE_NORMALIZER, ROLE_PRE_TOKENIZER, ROLE_DECODER } Role;

typedef struct {
    const char *type;
    Role role;
    TextApply *apply;
    TextDecode *decode;
    TextStep otherwise; /* defaults for missing keys */
    StepKey key[KEYS_MAX];
} StepKind;

#define FIELD(name) offsetof(TextStep, name)
#define PATTERN_AND_CONTENT                                                            \
    {"pattern", KEY_PATTERN, FIELD(pattern)}, {                                        \
        "content", KEY_TEXT, FIELD(content)                                            \
    }
#define METASPACE                                                                      \
    {"replacement", KEY_LETTER, FIELD(content)},                                       \
        {"prepend_scheme", KEY_SCHEME, FIELD(scheme)},                                 \
        {"add_prefix_space", KEY_TRUTH, FIELD(prefix_space)},                          \
        {"split", KEY_TRUTH, FIELD(split)}, {                                          \
        "str_rep", KEY_UNUSED, 0                                                       \
    }

static const StepKind step_kinds[] = {
    {"NFC", ROLE_NORMALIZER, .apply = normalize_form, .otherwise.form = FORM_C},
    {"NFD", ROLE_NORMALIZER, .apply = normalize_form, .otherwise.form = FORM_D},
    {"NFKC", ROLE_NORMALIZER, .apply = normalize_form, .otherwise.form = FORM_KC},
    {"NFKD", ROLE_NORMALIZER, .apply = normalize_form, .otherwise.form = FORM_KD},
    {"Lowercase", ROLE_NORMALIZER, .apply = normalize_lowercase},
    {"StripAccents", ROLE_NORMALIZER, .apply = normalize_strip_accents},
    {"Prepend", ROLE_NORMALIZER, .apply = normalize_prepend,
     .key = {{"prepend", KEY_TEXT, FIELD(content)}}},
    {"Replace", ROLE_NORMALIZER, .apply = normalize_replace,
     .key = {PATTERN_AND_CONTENT}},
    {"Strip", ROLE_NORMALIZER, .apply = normalize_strip,
     .otherwise = {.left = true, .right = true},
     .key = {{"strip_left", KEY_TRUTH, FIELD(left)},
             {"strip_right", KEY_TRUTH, FIELD(right)}}},
    {"BertNormalizer", ROLE_NORMALIZER, .apply = normalize_bert,
     .otherwise = {.clean = true,
                   .chinese = true,
                   .lowercase = true,
                   .accents_as_lowercase = true},
     .key = {{"clean_text", KEY_TRUTH, FIELD(clean)},
             {"handle_chinese_chars", KEY_TRUTH, FIELD(chinese)},
             {"strip_accents", KEY_TRUTH_OR_NULL, FIELD(accents)},
             {"lowercase", KEY_TRUTH, FIELD(lowercase)}}},
    {"ByteLevel", ROLE_PRE_TOKENIZER, .apply = split_byte_level,
     .otherwise = {.prefix_space = true, .use_regex = true},
     .key = {{"add_prefix_space", KEY_TRUTH, FIELD(prefix_space)},
             {"use_regex", KEY_TRUTH, FIELD(use_regex)},
             {"trim_offsets", KEY_UNUSED, 0}}},
    {"Split", ROLE_PRE_TOKENIZER, .apply = split_pattern,
     .key = {{"pattern", KEY_PATTERN, FIELD(pattern)},
             {"behavior", KEY_BEHAVIOR, FIELD(behavior)},
             {"invert", KEY_TRUTH, FIELD(invert)}}},
    {"Digits", ROLE_PRE_TOKENIZER, .apply = split_digits,
     .key = {{"individual_digits", KEY_TRUTH, FIELD(individual)}}},
    {"BertPreTokenizer", ROLE_PRE_TOKENIZER, .apply = split_bert},
    {"WhitespaceSplit", ROLE_PRE_TOKENIZER, .apply = split_whitespace},
    {"Punctuation", ROLE_PRE_TOKENIZER, .apply = split_punctuation,
     .otherwise = {.behavior = SPLIT_ISOLATED},
     .key = {{"behavior", KEY_BEHAVIOR, FIELD(behavior)}}},
    {"Metaspace", ROLE_PRE_TOKENIZER, .apply = split_metaspace,
     .otherwise = {.content = "▁", .prefix_space = true, .split = true},
     .key = {METASPACE}},
    {"ByteLevel", ROLE_DECODER, .decode = decode_byte_level,
     .key = {{"add_prefix_space", KEY_UNUSED, 0},
             {"use_regex", KEY_UNUSED, 0},
             {"trim_offsets", KEY_UNUSED, 0}}},
    {"ByteFallback", ROLE_DECODER, .decode = decode_byte_fallback},
    {"Fuse", ROLE_DECODER, .decode = decode_fuse},
    {"Replace", ROLE_DECODER, .decode = decode_replace, .key = {PATTERN_AND_CONTENT}},
    {"Strip", ROLE_DECODER, .decode = decode_strip,
     .key = {{"content", KEY_LETTER, FIELD(content)},
             {"start", KEY_COUNT, FIELD(start)},
             {"stop", KEY_COUNT, FIELD(stop)}}},
    {"WordPiece", ROLE_DECODER, .decode = decode_wordpiece,
     .otherwise = {.content = "##", .cleanup = true},
     .key = {{"prefix", KEY_TEXT, FIELD(content)},
             {"cleanup", KEY_TRUTH, FIELD(cleanup)}}},
    {"Metaspace", ROLE_DECODER, .decode = decode_metaspace,
     .otherwise = {.content = "▁", .prefix_space = true}, .key = {METASPACE}},
};

static const struct {
    const char *key, *parts, *name;
} roles[] = {
    [ROLE_NORMALIZER] = {"normalizer", "normalizers", N_("normalizer")},
    [ROLE_PRE_TOKENIZER] = {"pre_tokenizer", "pretokenizers", N_("pre-tokenizer")},
    [ROLE_DECODER] = {"decoder", "decoders", N_("decoder")},
};

static bool read_pattern(const Reading *reading, const Json *value, TextStep *step) {
    const Json *text = json_find(value, "String");
    const Json *expression = json_find(value, "Regex");
    if (text && text->type == JSON_TEXT && *text->text) {
        step->pattern = arena_copy(reading->arena, text->text, strlen(text->text));
        step->find = find_text;
        return true;
    }
    if (!expression || expression->type != JSON_TEXT)
        return part_fail(
            reading, "pattern", value,
            N_("an object with a non-empty \"String\", or with a \"Regex\""));
    step->find = find_expression(expression->text);
    if (step->find && !step->decode) return true;
    return fail(reading->error,
                "%s: the %s has the regular expression %s, which is not supported",
                reading->path, tr(reading->part),
                vocabulary_show(expression->text, (int)strlen(expression->text),
                                reading->scratch));
}

static bool read_behavior(const Reading *reading, const Json *value, TextStep *step) {
    static const char *const names[] = {
        [SPLIT_REMOVED] = "Removed",
        [SPLIT_ISOLATED] = "Isolated",
        [SPLIT_WITH_PREVIOUS] = "MergedWithPrevious",
        [SPLIT_WITH_NEXT] = "MergedWithNext",
        [SPLIT_CONTIGUOUS] = "Contiguous",
    };
    for (size_t b = 0; value->type == JSON_TEXT && b < sizeof names / sizeof *names;
         b++)
        if (strcmp(names[b], value->text) == 0) {
            step->behavior = (SplitBehavior)b;
            return true;
        }
    return part_fail(reading, "behavior", value,
                     N_("Removed, Isolated, MergedWithPrevious, MergedWithNext or "
                        "Contiguous"));
}

static bool read_key(const Reading *reading, const StepKey *key, const Json *value,
                     TextStep *step) {
    char *field = (char *)step + key->field;
    const char *text = value->type == JSON_TEXT ? value->text : "";
    int length;
    switch (key->kind) {
    case KEY_TRUTH_OR_NULL:
        step->accents_as_lowercase = value->type == JSON_NOTHING;
        if (step->accents_as_lowercase) return true;
        /* fall through */
    case KEY_TRUTH:
        if (value->type != JSON_TRUTH)
            return part_fail(reading, key->name, value, N_("true or false"));
        *(bool *)(void *)field = value->number != 0;
        return true;
    case KEY_LETTER:
    case KEY_SCHEME:
    case KEY_TEXT:
        unicode_decode(text, strlen(text), &length);
        if (key->kind == KEY_LETTER && (!*text || text[length]))
            return part_fail(reading, key->name, value,
                             N_("a string of one character"));
        if (key->kind == KEY_SCHEME && strcmp(text, "always") != 0 &&
            strcmp(text, "first") != 0 && strcmp(text, "never") != 0)
            return part_fail(reading, key->name, value, N_("always, first or never"));
        if (value->type != JSON_TEXT || strlen(text) > CONTENT_BYTES_MAX)
            return part_fail(reading, key->name, value,
                             N_("a string of at most 64 bytes"));
        *(const char **)(void *)field = arena_copy(reading->arena, text, strlen(text));
        return true;
    case KEY_COUNT:
        if (value->type != JSON_WHOLE || value->whole < 0)
            return part_fail(reading, key->name, value, N_("a number, 0 or more"));
        *(long long *)(void *)field = value->whole;
        return true;
    case KEY_PATTERN:
        return read_pattern(reading, value, step);
    case KEY_BEHAVIOR:
        return read_behavior(reading, value, step);
    case KEY_UNUSED:
        return true;
    }
    return true;
}

static bool read_one_step(const Reading *reading, const Json *json, Role role,
                          TextStep *step) {
    const char *type = part_type(json);
    const StepKind *kind = NULL;
    for (size_t k = 0; k < sizeof step_kinds / sizeof *step_kinds && !kind; k++)
        if (step_kinds[k].role == role && strcmp(step_kinds[k].type, type) == 0)
            kind = &step_kinds[k];
    if (!kind)
        return fail(reading->error, "%s: the %s %s is not supported", reading->path,
                    tr(reading->part), part_type_shown(reading, json));
    *step = kind->otherwise;
    step->type = kind->type;
    step->apply = kind->apply;
    step->decode = kind->decode;
    for (int c = 0; c < json->count; c++) {
        const Json *value = &json->child[c];
        const StepKey *key = kind->key;
        if (strcmp(value->name, "type") == 0) continue;
        while (key->name && strcmp(key->name, value->name) != 0) key++;
        if (!key->name)
            return fail(reading->error,
                        "%s: the %s %s has \"%s\", which is not supported",
                        reading->path, tr(reading->part), type,
                        vocabulary_show(value->name, (int)strlen(value->name),
                                        reading->scratch));
        if (!read_key(reading, key, value, step)) return false;
    }
    bool needs_content = kind->key[0].name && (kind->key[0].kind == KEY_TEXT ||
                                               kind->key[0].kind == KEY_LETTER);
    bool needs_find = kind->key[0].name && kind->key[0].kind == KEY_PATTERN;
    if ((needs_content && !step->content) || (needs_find && !step->find) ||
        (needs_find && kind->key[1].kind == KEY_TEXT && !step->content))
        return fail(reading->error, "%s: the %s %s lacks \"%s\"", reading->path,
                    tr(reading->part), type, kind->key[step->find ? 1 : 0].name);
    return true;
}

/* Read one step, or a Sequence of them; null means none. */
static bool read_steps(Reading *reading, const Json *json, Role role,
                       TextSteps *steps) {
    reading->part = roles[role].name;
    if (!json || json->type == JSON_NOTHING) return true;
    if (json->type != JSON_MAP)
        return part_fail(reading, roles[role].key, json, N_("an object"));
    if (!steps->step) steps->step = ARENA_ARRAY(reading->arena, TextStep, STEPS_MAX);
    if (strcmp(part_type(json), "Sequence") == 0) {
        const Json *list = json_find(json, roles[role].parts);
        if (!list || list->type != JSON_LIST)
            return fail(reading->error, "%s: the %s Sequence has no list \"%s\"",
                        reading->path, tr(reading->part), roles[role].parts);
        for (int i = 0; i < list->count; i++)
            if (!read_steps(reading, &list->child[i], role, steps)) return false;
        return true;
    }
    if (steps->count == STEPS_MAX)
        return fail(reading->error,
                    "%s: more than %d steps of the %s are not "
                    "supported",
                    reading->path, STEPS_MAX, tr(reading->part));
    return read_one_step(reading, json, role, &steps->step[steps->count++]);
}

bool part_steps_read(Reading *reading, const Json *json, TokenizerJson *tokenizer) {
    TextSteps *steps[] = {
        [ROLE_NORMALIZER] = &tokenizer->normalizers,
        [ROLE_PRE_TOKENIZER] = &tokenizer->pre_tokenizers,
        [ROLE_DECODER] = &tokenizer->decoders,
    };
    for (int role = 0; role <= ROLE_DECODER; role++)
        if (!read_steps(reading, json_find(json, roles[role].key), (Role)role,
                        steps[role]))
            return false;
    const TextSteps *cuts = &tokenizer->pre_tokenizers;
    for (int s = 0; s < cuts->count; s++)
        if (cuts->step[s].apply == split_byte_level) tokenizer->by_bytes = true;
    return true;
}
