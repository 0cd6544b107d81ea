#include "text/tokenizer_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/json.h"
#include "base/language.h"
#include "text/decode.h"
#include "text/split.h"
#include "text/unicode.h"

enum {
    FILE_BYTES = 64 * 1024 * 1024,
    STEPS_MAX = 8,
    KEYS_MAX = 6,
    TEXT_BYTES_MAX = 1 << 20, /* limit for the text that steps produce */
    CONTENT_BYTES_MAX = 64,
    IDS_MAX = 1 << 20,
    GAPS_MAX = 4096, /* limit for ids without a token, besides the number of tokens */
    AROUND_MAX = 16,
    PARTS_MAX = 64, /* limit for a template: each part is searched for */
    LETTERS_MOST = 200,
    BEST_BYTES_MAX = 256,
};

/* The file being read. */
typedef struct {
    const char *path;
    Arena *arena;   /* for the result */
    Arena *scratch; /* for the JSON tree */
    Error *error;
    const char *part; /* "normalizer", for messages */
} Reading;

static bool fail_type(const Reading *reading, const char *key, const Json *value,
                      const char *must) {
    const char *found = json_type_name(value);
    if (value->type == JSON_TEXT)
        found = arena_print(
            reading->scratch, "\"%s\"",
            vocabulary_show(value->text, (int)strlen(value->text), reading->scratch));
    return fail(reading->error, "%s: \"%s\" of the %s is %s; expected %s",
                reading->path, key, tr(reading->part), found, tr(must));
}

/* ---- The steps ---- */

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
    {"NFC", ROLE_NORMALIZER, .apply = normalize_nfc},
    {"NFD", ROLE_NORMALIZER, .apply = normalize_nfd},
    {"NFKC", ROLE_NORMALIZER, .apply = normalize_nfkc},
    {"NFKD", ROLE_NORMALIZER, .apply = normalize_nfkd},
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
        return fail_type(
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
    return fail_type(reading, "behavior", value,
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
            return fail_type(reading, key->name, value, N_("true or false"));
        *(bool *)(void *)field = value->number != 0;
        return true;
    case KEY_LETTER:
    case KEY_SCHEME:
    case KEY_TEXT:
        unicode_decode(text, strlen(text), &length);
        if (key->kind == KEY_LETTER && (!*text || text[length]))
            return fail_type(reading, key->name, value,
                             N_("a string of one character"));
        if (key->kind == KEY_SCHEME && strcmp(text, "always") != 0 &&
            strcmp(text, "first") != 0 && strcmp(text, "never") != 0)
            return fail_type(reading, key->name, value, N_("always, first or never"));
        if (value->type != JSON_TEXT || strlen(text) > CONTENT_BYTES_MAX)
            return fail_type(reading, key->name, value,
                             N_("a string of at most 64 bytes"));
        *(const char **)(void *)field = arena_copy(reading->arena, text, strlen(text));
        return true;
    case KEY_COUNT:
        if (value->type != JSON_WHOLE || value->whole < 0)
            return fail_type(reading, key->name, value, N_("a number, 0 or more"));
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

static const char *type_of(const Json *json) {
    const Json *type = json_find(json, "type");
    return type && type->type == JSON_TEXT ? type->text : "";
}

/* Return the type in a form that is safe for messages. */
static const char *shown_type(const Reading *reading, const Json *json) {
    const char *type = type_of(json);
    if (!*type) return tr(N_("without a \"type\""));
    return vocabulary_show(type, (int)strlen(type), reading->scratch);
}

static bool read_one_step(const Reading *reading, const Json *json, Role role,
                          TextStep *step) {
    const char *type = type_of(json);
    const StepKind *kind = NULL;
    for (size_t k = 0; k < sizeof step_kinds / sizeof *step_kinds && !kind; k++)
        if (step_kinds[k].role == role && strcmp(step_kinds[k].type, type) == 0)
            kind = &step_kinds[k];
    if (!kind)
        return fail(reading->error, "%s: the %s %s is not supported", reading->path,
                    tr(reading->part), shown_type(reading, json));
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
        return fail_type(reading, roles[role].key, json, N_("an object"));
    if (!steps->step) steps->step = ARENA_ARRAY(reading->arena, TextStep, STEPS_MAX);
    if (strcmp(type_of(json), "Sequence") == 0) {
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

/* ---- Words and their ids ---- */

/* Words by id while they are collected. */
typedef struct {
    const char **word;
    int count; /* ids 0 to count - 1; some may have no word yet */
    int capacity;
} Words;

static const char *show_word(const Reading *reading, const char *word) {
    size_t length = strlen(word);
    return vocabulary_show(word, (int)(length < 100 ? length : 100), reading->scratch);
}

static bool put_word(const Reading *reading, Words *words, const char *word,
                     long long id) {
    size_t length = strlen(word);
    if (!interrupt_none(reading->error)) return false;
    if (length == 0 || length > VOCABULARY_WORD_BYTES)
        return fail(
            reading->error, "%s: the token '%s' has %zu bytes; a token has 1 to %d",
            reading->path, show_word(reading, word), length, VOCABULARY_WORD_BYTES);
    if (id < 0 || id >= IDS_MAX)
        return fail(reading->error, "%s: '%s' has the id %lld; ids are 0 to %d",
                    reading->path, show_word(reading, word), id, IDS_MAX - 1);
    while (words->count <= id) {
        ARENA_GROW(reading->scratch, words->word, words->count, words->capacity);
        words->word[words->count++] = NULL;
    }
    const char *other = words->word[id];
    if (other && strcmp(other, word) != 0)
        return fail(reading->error, "%s: '%s' and '%s' have the same id %lld",
                    reading->path, show_word(reading, other), show_word(reading, word),
                    id);
    words->word[id] = word;
    return true;
}

/* Read an object of tokens and ids, or for Unigram a list of tokens and scores. */
static bool read_vocabulary(const Reading *reading, const Json *vocabulary,
                            Words *words, Subword *model) {
    bool is_list = model->kind == SUBWORD_BEST;
    if (!vocabulary || vocabulary->type != (is_list ? JSON_LIST : JSON_MAP))
        return fail(reading->error, "%s: the model has no \"vocab\" that is %s",
                    reading->path, tr(is_list ? N_("a list") : N_("an object")));
    double *score =
        is_list ? ARENA_ARRAY(reading->arena, double, vocabulary->count) : NULL;
    model->score = score;
    for (int i = 0; i < vocabulary->count; i++) {
        const Json *entry = &vocabulary->child[i];
        if (!is_list && entry->type != JSON_WHOLE)
            return fail_type(reading, entry->name, entry, N_("a whole number"));
        if (!is_list) {
            if (!put_word(reading, words, entry->name, entry->whole)) return false;
            continue;
        }
        const Json *pair = entry->child;
        if (entry->type != JSON_LIST || entry->count != 2 ||
            pair[0].type != JSON_TEXT ||
            (pair[1].type != JSON_DECIMAL && pair[1].type != JSON_WHOLE))
            return fail(reading->error,
                        "%s: item %d of \"vocab\" is not valid; expected a token and "
                        "its score",
                        reading->path, i);
        if (!put_word(reading, words, pair[0].text, i)) return false;
        int length = (int)strlen(pair[0].text);
        if (length > BEST_BYTES_MAX)
            return fail(reading->error,
                        "%s: item %d of \"vocab\" has more than %d "
                        "bytes",
                        reading->path, i, BEST_BYTES_MAX);
        score[i] = pair[1].number;
        if (i == 0 || score[i] < model->lowest) model->lowest = score[i];
        if (length > model->longest) model->longest = length;
    }
    return true;
}

static bool truth_of(const Json *json, const char *name) {
    const Json *value = json_find(json, name);
    return value && value->type == JSON_TRUTH && value->number != 0;
}

/* Compare by text; of two equal texts the first in the file comes first. */
static int compare_added(const void *a, const void *b) {
    const AddedToken *one = *(const AddedToken *const *)a;
    const AddedToken *other = *(const AddedToken *const *)b;
    int order = strcmp(one->text, other->text);
    return order ? order : (one > other) - (one < other);
}

static bool read_added(const Reading *reading, const Json *list, Words *words,
                       TokenizerJson *tokenizer) {
    if (!list || list->type == JSON_NOTHING) return true;
    if (list->type != JSON_LIST)
        return fail(reading->error, "%s: \"added_tokens\" is %s; expected a list",
                    reading->path, json_type_name(list));
    AddedToken *added = ARENA_ARRAY(reading->arena, AddedToken, list->count);
    for (int n = 0; n < 2; n++)
        tokenizer->added[n].sorted =
            ARENA_ARRAY(reading->arena, const AddedToken *, list->count);
    for (int i = 0; i < list->count; i++) {
        const Json *item = &list->child[i];
        const Json *id = json_find(item, "id");
        const Json *content = json_find(item, "content");
        if (!id || id->type != JSON_WHOLE || !content || content->type != JSON_TEXT)
            return fail(reading->error,
                        "%s: item %d of \"added_tokens\" needs an \"id\" and a "
                        "\"content\"",
                        reading->path, i);
        if (!put_word(reading, words, content->text, id->whole)) return false;
        added[i] = (AddedToken){
            .text = arena_copy(reading->arena, content->text, strlen(content->text)),
            .length = (int)strlen(content->text),
            .id = (int)id->whole,
            .special = truth_of(item, "special"),
            .single_word = truth_of(item, "single_word"),
            .left = truth_of(item, "lstrip"),
            .right = truth_of(item, "rstrip"),
            .normalized = truth_of(item, "normalized"),
        };
        AddedTokens *list_of = &tokenizer->added[added[i].normalized];
        list_of->sorted[list_of->count++] = &added[i];
    }
    for (int n = 0; n < 2; n++)
        if (tokenizer->added[n].count)
            qsort(tokenizer->added[n].sorted, (size_t)tokenizer->added[n].count,
                  sizeof(AddedToken *), compare_added);
    return true;
}

/* Set all words by id. A missing id between others is named after its number. */
static bool number_words(const Reading *reading, const Words *words,
                         TokenizerJson *tokenizer) {
    int named = 0;
    for (int id = 0; id < words->count; id++) named += words->word[id] != NULL;
    if (words->count - named > named + GAPS_MAX)
        return fail(reading->error,
                    "%s: it has %d tokens, but their ids go up to %d; too many ids "
                    "have no token",
                    reading->path, named, words->count - 1);
    bool *special = ARENA_ARRAY(reading->arena, bool, words->count);
    for (int id = 0; id < words->count; id++) {
        const char *word = words->word[id];
        if (!interrupt_none(reading->error)) return false;
        if (!word) word = arena_print(reading->scratch, "<unused %d>", id);
        if (vocabulary_add(&tokenizer->vocabulary, word, (int)strlen(word),
                           reading->arena) != id)
            return fail(reading->error, "%s: the token '%s' has two ids", reading->path,
                        vocabulary_show(word, (int)strlen(word), reading->scratch));
    }
    for (int n = 0; n < 2; n++)
        for (int a = 0; a < tokenizer->added[n].count; a++)
            if (tokenizer->added[n].sorted[a]->special)
                special[tokenizer->added[n].sorted[a]->id] = true;
    tokenizer->special = special;
    if (words->count) return true;
    return fail(reading->error, "%s: it has no tokens", reading->path);
}

/* ---- The model ---- */

static bool read_merges(const Reading *reading, const Json *list,
                        TokenizerJson *tokenizer) {
    Vocabulary *vocabulary = &tokenizer->vocabulary;
    BytePair *merges = &tokenizer->model.merges;
    if (!list || list->type != JSON_LIST)
        return fail(reading->error, "%s: the model has no list \"merges\"",
                    reading->path);
    merges->one_by_one = true;
    for (int i = 0; i < list->count; i++) {
        const Json *item = &list->child[i];
        const char *left = NULL, *right = NULL;
        int left_length = 0;
        if (!interrupt_none(reading->error)) return false;
        if (item->type == JSON_TEXT && strchr(item->text, ' ')) {
            left = item->text;
            left_length = (int)strcspn(left, " ");
            right = left + left_length + 1;
        } else if (item->type == JSON_LIST && item->count == 2 &&
                   item->child[0].type == JSON_TEXT &&
                   item->child[1].type == JSON_TEXT) {
            left = item->child[0].text;
            left_length = (int)strlen(left);
            right = item->child[1].text;
        } else {
            return fail(reading->error,
                        "%s: item %d of \"merges\" is not valid; "
                        "expected two tokens",
                        reading->path, i);
        }
        char joined[2 * VOCABULARY_WORD_BYTES];
        int right_length = (int)strlen(right);
        bool fits = left_length <= VOCABULARY_WORD_BYTES &&
                    right_length <= VOCABULARY_WORD_BYTES;
        if (fits) {
            memcpy(joined, left, (size_t)left_length);
            memcpy(joined + left_length, right, (size_t)right_length);
        }
        Merge merge = {
            .left = fits ? vocabulary_find(vocabulary, left, left_length) : -1,
            .right = fits ? vocabulary_find(vocabulary, right, right_length) : -1,
            .joined =
                fits ? vocabulary_find(vocabulary, joined, left_length + right_length)
                     : -1,
        };
        if (merge.left < 0 || merge.right < 0 || merge.joined < 0)
            return fail(reading->error,
                        "%s: item %d of \"merges\" joins text that is not a token, "
                        "or makes text that is not a token",
                        reading->path, i);
        bytepair_add(merges, merge, reading->arena);
    }
    return true;
}

/* Reject a value of a key that is not supported here. */
static bool must_be_empty(const Reading *reading, const Json *model, const char *key) {
    const Json *value = json_find(model, key);
    bool is_empty = !value || value->type == JSON_NOTHING ||
                    (value->type == JSON_TEXT && !*value->text) ||
                    (value->type == JSON_DECIMAL && value->number == 0) ||
                    (value->type == JSON_WHOLE && value->whole == 0);
    return is_empty ||
           fail(reading->error, "%s: the model has \"%s\", which is not supported",
                reading->path, key);
}

static bool find_unknown(const Reading *reading, const Json *model,
                         TokenizerJson *tokenizer) {
    const Json *token = json_find(model, "unk_token");
    const Json *id = json_find(model, "unk_id");
    Subword *subword = &tokenizer->model;
    subword->unknown = -1;
    if (id && id->type == JSON_WHOLE && id->whole >= 0 &&
        id->whole < tokenizer->vocabulary.count)
        subword->unknown = (int)id->whole;
    if (token && token->type == JSON_TEXT) {
        subword->unknown = vocabulary_find(&tokenizer->vocabulary, token->text,
                                           (int)strlen(token->text));
        if (subword->unknown < 0)
            return fail(reading->error, "%s: \"unk_token\" is not a token",
                        reading->path);
    }
    bool needs = subword->kind == SUBWORD_LONGEST || subword->kind == SUBWORD_WHOLE ||
                 (subword->kind == SUBWORD_BEST && !subword->byte_fallback);
    return !needs || subword->unknown >= 0 ||
           fail(reading->error, "%s: the model has no token for unknown text",
                reading->path);
}

static const struct {
    const char *type;
    SubwordKind kind;
} model_types[] = {
    {"BPE", SUBWORD_PAIRS},
    {"WordPiece", SUBWORD_LONGEST},
    {"Unigram", SUBWORD_BEST},
    {"WordLevel", SUBWORD_WHOLE},
};

static bool find_model(const Reading *reading, const Json *model, Subword *subword) {
    if (!model || model->type != JSON_MAP)
        return fail(reading->error, "%s: it has no \"model\"", reading->path);
    /* Early files of byte pairs do not state their type. */
    const char *type = json_find(model, "type")     ? type_of(model)
                       : json_find(model, "merges") ? "BPE"
                                                    : "";
    for (size_t t = 0; t < sizeof model_types / sizeof *model_types; t++)
        if (strcmp(type, model_types[t].type) == 0) {
            subword->kind = model_types[t].kind;
            return true;
        }
    return fail(reading->error, "%s: the model %s is not supported", reading->path,
                shown_type(reading, model));
}

static bool read_model(Reading *reading, const Json *json, TokenizerJson *tokenizer) {
    const Json *model = json_find(json, "model");
    Subword *subword = &tokenizer->model;
    reading->part = N_("model");
    if (!find_model(reading, model, subword)) return false;
    subword->vocabulary = &tokenizer->vocabulary;
    subword->byte_fallback = truth_of(model, "byte_fallback");
    subword->ignore_merges = truth_of(model, "ignore_merges");
    subword->fuse_unknown =
        subword->kind == SUBWORD_BEST || truth_of(model, "fuse_unk");
    const Json *prefix = json_find(model, "continuing_subword_prefix");
    const Json *most = json_find(model, "max_input_chars_per_word");
    bool is_longest = subword->kind == SUBWORD_LONGEST;
    subword->continuing =
        prefix && prefix->type == JSON_TEXT
            ? arena_copy(reading->arena, prefix->text, strlen(prefix->text))
            : "##";
    subword->letters_most = most && most->type == JSON_WHOLE ? most->whole : 100;
    if (is_longest &&
        (subword->letters_most < 1 || subword->letters_most > LETTERS_MOST))
        return fail(reading->error,
                    "%s: \"max_input_chars_per_word\" is out of "
                    "range; expected 1 to %d",
                    reading->path, LETTERS_MOST);
    if (is_longest && strlen(subword->continuing) > CONTENT_BYTES_MAX)
        return fail(reading->error, "%s: \"continuing_subword_prefix\" is too long",
                    reading->path);
    if (!must_be_empty(reading, model, "dropout") ||
        !must_be_empty(reading, model, "end_of_word_suffix") ||
        (!is_longest && !must_be_empty(reading, model, "continuing_subword_prefix")))
        return false;
    Words words = {0};
    return read_vocabulary(reading, json_find(model, "vocab"), &words, subword) &&
           read_added(reading, json_find(json, "added_tokens"), &words, tokenizer) &&
           number_words(reading, &words, tokenizer) &&
           (subword->kind != SUBWORD_PAIRS ||
            read_merges(reading, json_find(model, "merges"), tokenizer)) &&
           find_unknown(reading, model, tokenizer);
}

/* ---- Special tokens around a sentence ---- */

/* Ids before "A", then those after it. */
typedef struct {
    int *id[2];
    int count[2];
    bool has_sentence;
} Around;

static bool add_around(const Reading *reading, Around *around, long long id,
                       const TokenizerJson *tokenizer) {
    int side = around->has_sentence;
    if (id < 0 || id >= tokenizer->vocabulary.count ||
        around->count[side] == AROUND_MAX)
        return fail(reading->error,
                    "%s: the post-processor adds a token that does not exist to a "
                    "sentence, or adds too many",
                    reading->path);
    around->id[side][around->count[side]++] = (int)id;
    return true;
}

static bool read_template(const Reading *reading, const Json *json,
                          const TokenizerJson *tokenizer, Around *around) {
    const Json *single = json_find(json, "single");
    const Json *specials = json_find(json, "special_tokens");
    if (!single || single->type != JSON_LIST)
        return fail(reading->error, "%s: the post-processor has no list \"single\"",
                    reading->path);
    if (single->count > PARTS_MAX)
        return fail(reading->error,
                    "%s: \"single\" of the post-processor has %d parts; the limit is "
                    "%d",
                    reading->path, single->count, PARTS_MAX);
    for (int i = 0; i < single->count; i++) {
        const Json *special = json_find(&single->child[i], "SpecialToken");
        if (!special) {
            around->has_sentence = true;
            continue;
        }
        const Json *name = json_find(special, "id");
        const Json *entry =
            name && name->type == JSON_TEXT ? json_find(specials, name->text) : NULL;
        const Json *ids = entry ? json_find(entry, "ids") : NULL;
        for (int k = 0; ids && ids->type == JSON_LIST && k < ids->count; k++)
            if (!add_around(reading, around,
                            ids->child[k].type == JSON_WHOLE ? ids->child[k].whole : -1,
                            tokenizer))
                return false;
        if (!ids)
            return fail(reading->error,
                        "%s: \"special_tokens\" of the post-processor lacks a token of "
                        "\"single\"",
                        reading->path);
    }
    return true;
}

static long long id_of_pair(const Json *pair) {
    return pair && pair->type == JSON_LIST && pair->count == 2 &&
                   pair->child[1].type == JSON_WHOLE
               ? pair->child[1].whole
               : -1;
}

static bool read_around(const Reading *reading, const Json *json,
                        const TokenizerJson *tokenizer, Around *around) {
    if (!json || json->type == JSON_NOTHING) return true;
    const char *type = type_of(json);
    if (strcmp(type, "ByteLevel") == 0) return true;
    if (strcmp(type, "TemplateProcessing") == 0)
        return read_template(reading, json, tokenizer, around);
    if (strcmp(type, "BertProcessing") == 0 || strcmp(type, "RobertaProcessing") == 0) {
        bool begun =
            add_around(reading, around, id_of_pair(json_find(json, "cls")), tokenizer);
        around->has_sentence = true;
        return begun && add_around(reading, around, id_of_pair(json_find(json, "sep")),
                                   tokenizer);
    }
    const Json *list = json_find(json, "processors");
    if (strcmp(type, "Sequence") != 0 || !list || list->type != JSON_LIST)
        return fail(reading->error, "%s: the post-processor %s is not supported",
                    reading->path, shown_type(reading, json));
    for (int i = 0; i < list->count; i++)
        if (!read_around(reading, &list->child[i], tokenizer, around)) return false;
    return true;
}

static bool read_post_processor(const Reading *reading, const Json *json,
                                TokenizerJson *tokenizer) {
    Around around = {0};
    for (int side = 0; side < 2; side++)
        around.id[side] = ARENA_ARRAY(reading->arena, int, AROUND_MAX);
    if (!read_around(reading, json, tokenizer, &around)) return false;
    tokenizer->before = (AroundIds){around.id[0], around.count[0]};
    tokenizer->behind = (AroundIds){around.id[1], around.count[1]};
    return true;
}

static bool read_all(Reading *reading, TokenizerJson *tokenizer) {
    const Json *json;
    if (!json_read(tokenizer->file, reading->path, reading->scratch, &json,
                   reading->error))
        return false;
    if (json->type != JSON_MAP)
        return fail(reading->error, "%s: found %s; expected an object", reading->path,
                    json_type_name(json));
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
    return read_model(reading, json, tokenizer) &&
           read_post_processor(reading, json_find(json, "post_processor"), tokenizer);
}

const TokenizerJson *tokenizer_json_read(const char *path, Arena *arena, Error *error) {
    Bytes file;
    return file_read_regular(path, FILE_BYTES, arena, &file, error)
               ? tokenizer_json_parse(path, file, arena, error)
               : NULL;
}

const TokenizerJson *tokenizer_json_parse(const char *path, Bytes file, Arena *arena,
                                          Error *error) {
    Arena scratch = {0};
    Reading reading = {
        .path = path, .arena = arena, .scratch = &scratch, .error = error};
    TokenizerJson *tokenizer = ARENA_ARRAY(arena, TokenizerJson, 1);
    tokenizer->file = file;
    bool done = read_all(&reading, tokenizer);
    arena_free(&scratch);
    return done ? tokenizer : NULL;
}

const TokenizerJson *tokenizer_json_of_pairs(const char *words, const char *merges,
                                             Arena *arena, Error *error) {
    static const char end[] = "<|endoftext|>";
    TokenizerJson *tokenizer = ARENA_ARRAY(arena, TokenizerJson, 1);
    Vocabulary *vocabulary = &tokenizer->vocabulary;
    Subword *model = &tokenizer->model;
    if (!vocabulary_read(vocabulary, words, arena, error) ||
        !bytepair_read(&model->merges, vocabulary, merges, arena, error))
        return NULL;
    model->vocabulary = vocabulary;
    model->unknown = -1;
    tokenizer->by_bytes = true;
    TextSteps *steps[] = {&tokenizer->pre_tokenizers, &tokenizer->decoders};
    for (int s = 0; s < 2; s++)
        *steps[s] = (TextSteps){ARENA_ARRAY(arena, TextStep, 1), 1};
    steps[0]->step[0] =
        (TextStep){.type = "ByteLevel", .apply = split_byte_level, .use_regex = true};
    steps[1]->step[0] = (TextStep){.type = "ByteLevel", .decode = decode_byte_level};
    bool *special = ARENA_ARRAY(arena, bool, vocabulary->count);
    tokenizer->special = special;
    int id = vocabulary_find(vocabulary, end, (int)strlen(end));
    if (id < 0) return tokenizer;
    special[id] = true;
    AddedToken *added = ARENA_ARRAY(arena, AddedToken, 1);
    *added = (AddedToken){
        .text = end, .length = (int)strlen(end), .id = id, .special = true};
    tokenizer->added[0].sorted = ARENA_ARRAY(arena, const AddedToken *, 1);
    tokenizer->added[0].sorted[tokenizer->added[0].count++] = added;
    return tokenizer;
}

/* ---- Sentence to tokens ---- */

static bool is_word_letter(int code) {
    const char *category = unicode_category(code);
    return category[0] == 'L' || category[0] == 'M' || strcmp(category, "Nd") == 0 ||
           strcmp(category, "Nl") == 0 || strcmp(category, "Pc") == 0;
}

static int code_before(TextPart part, int at) {
    int bytes, start = at - 1;
    while (start > 0 && (part.text[start] & 0xC0) == 0x80) start--;
    return unicode_decode(part.text + start, (size_t)(at - start), &bytes);
}

static bool is_within_word(TextPart part, int at, int end) {
    int bytes;
    return (at > 0 && is_word_letter(code_before(part, at))) ||
           (end < part.length &&
            is_word_letter(
                unicode_decode(part.text + end, (size_t)(part.length - end), &bytes)));
}

/* Return the first of the sorted tokens `first` to `end` - 1 whose byte `i` is at least
 * `byte`. If all have the same byte there, no search is needed. */
static int first_from(const AddedTokens *added, int first, int end, int i, int byte) {
    if (first < end && (unsigned char)added->sorted[end - 1]->text[i] < byte)
        return end;
    if (first < end && (unsigned char)added->sorted[first]->text[i] >= byte)
        return first;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if ((unsigned char)added->sorted[middle]->text[i] < byte)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Return the longest added token at byte `at`, or NULL. In the sorted list the tokens
 * that match the text are adjacent, the shortest first. */
static const AddedToken *added_at(const AddedTokens *added, TextPart part, int at) {
    const AddedToken *best = NULL;
    int first = 0, end = added->count;
    for (int i = 0; first < end && at + i < part.length && part.text[at + i]; i++) {
        int byte = (unsigned char)part.text[at + i];
        first = first_from(added, first, end, i, byte);
        end = first_from(added, first, end, i, byte + 1);
        if (first < end && added->sorted[first]->length == i + 1)
            best = added->sorted[first];
    }
    return best;
}

static bool is_space_at(TextPart part, int at, int *bytes) {
    int code = unicode_decode(part.text + at, (size_t)(part.length - at), bytes);
    return unicode_kind(code) == KIND_SPACE;
}

/* Split the part at added tokens. */
static void find_added(const TokenizerJson *tokenizer, TextPart part, bool normalized,
                       TextParts *out, TextRoom *room) {
    int start = 0, bytes;
    for (int at = 0; at < part.length;) {
        const AddedToken *token = added_at(&tokenizer->added[normalized], part, at);
        if (!token) {
            at++;
            continue;
        }
        int begin = at, end = at + token->length;
        at = end;
        if (token->single_word && is_within_word(part, begin, end)) continue;
        while (token->left && begin > start) {
            int before = begin - 1;
            while (before > start && (part.text[before] & 0xC0) == 0x80) before--;
            if (!is_space_at(part, before, &bytes)) break;
            begin = before;
        }
        while (token->right && end < part.length && is_space_at(part, end, &bytes))
            end += bytes;
        at = end;
        text_parts_add(out, text_part_within(part, start, begin - start), room);
        TextPart found = text_part_within(part, begin, end - begin);
        found.id = token->id;
        text_parts_add(out, found, room);
        start = end;
    }
    text_parts_add(out, text_part_within(part, start, part.length - start), room);
}

static bool apply_steps(const TextSteps *steps, TextParts *parts, TextRoom *room,
                        Error *error) {
    for (int s = 0; s < steps->count; s++) {
        const TextStep *step = &steps->step[s];
        TextParts out = {0};
        long long length = 0;
        for (int i = 0; i < parts->count; i++)
            if (parts->part[i].id >= 0)
                text_parts_add(&out, parts->part[i], room);
            else
                step->apply(step, parts->part[i], &out, room);
        for (int i = 0; i < out.count; i++) length += out.part[i].length;
        if (room->is_spent || length > TEXT_BYTES_MAX)
            return fail(error,
                        "%s of the tokenizer turns the sentence into more than %d "
                        "bytes, or needs more than %d MiB of memory; shorten it",
                        step->type, TEXT_BYTES_MAX, TEXT_ROOM_BYTES >> 20);
        *parts = out;
    }
    return true;
}

bool tokenizer_json_pieces(const TokenizerJson *tokenizer, Bytes text, TextParts *parts,
                           Arena *arena, Error *error) {
    TextRoom room = text_room(arena);
    int length = (int)text.size;
    int *origin = arena_take_raw(arena, (text.size + 1) * sizeof *origin);
    for (int i = 0; i <= length; i++) origin[i] = i;
    const TextPart whole = {text.bytes, origin, length, -1};
    TextParts raw = {0}, normal = {0};
    *parts = (TextParts){0};
    find_added(tokenizer, whole, false, &raw, &room);
    if (!apply_steps(&tokenizer->normalizers, &raw, &room, error)) return false;
    for (int i = 0; i < raw.count; i++)
        if (raw.part[i].id >= 0)
            text_parts_add(&normal, raw.part[i], &room);
        else
            find_added(tokenizer, raw.part[i], true, &normal, &room);
    *parts = normal;
    return apply_steps(&tokenizer->pre_tokenizers, parts, &room, error);
}

/* Write the tokens of one part to `token`; return how many. */
static int cut_part(const TokenizerJson *tokenizer, TextPart part, JsonToken *token,
                    Arena *scratch) {
    if (part.id >= 0) {
        *token = (JsonToken){part.id, part.origin[0], part.origin[part.length]};
        return 1;
    }
    ArenaMark mark = arena_mark(scratch);
    int *id = arena_take_raw(scratch, (size_t)part.length * sizeof *id);
    int *bytes = arena_take_raw(scratch, (size_t)part.length * sizeof *bytes);
    int found =
        subword_cut(&tokenizer->model, part.text, part.length, id, bytes, scratch);
    for (int t = 0, at = 0; t < found; at += bytes[t++])
        token[t] = (JsonToken){id[t], part.origin[at], part.origin[at + bytes[t]]};
    arena_back(scratch, mark);
    return found;
}

bool tokenizer_json_encode(const TokenizerJson *tokenizer, Bytes text, Arena *arena,
                           JsonTokens *tokens, Error *error) {
    /* Reset for each part, so that it stays small. */
    Arena scratch = {0}, part = {0};
    TextParts parts;
    *tokens = (JsonTokens){0};
    bool done = tokenizer_json_pieces(tokenizer, text, &parts, &scratch, error);
    size_t room = 0;
    for (int i = 0; done && i < parts.count; i++) room += (size_t)parts.part[i].length;
    JsonToken *made = arena_take_raw(&scratch, room * sizeof *made);
    for (int i = 0; done && i < parts.count; i++)
        tokens->count +=
            cut_part(tokenizer, parts.part[i], made + tokens->count, &part);
    tokens->token = ARENA_ARRAY(arena, JsonToken, tokens->count);
    if (tokens->count)
        memcpy(tokens->token, made, (size_t)tokens->count * sizeof *made);
    arena_free(&part);
    arena_free(&scratch);
    return done;
}

/* ---- Tokens to text ---- */

static size_t bytes_of(const Bytes *token, int count) {
    size_t size = 0;
    for (int t = 0; t < count; t++) size += token[t].size;
    return size;
}

Bytes tokenizer_json_decode(const TokenizerJson *tokenizer, const int *id, int count,
                            Arena *arena) {
    static const TextStep as_words = {.type = "Words", .decode = decode_spaced};
    const TextSteps *decoders = &tokenizer->decoders;
    const TextStep *step = decoders->count ? decoders->step : &as_words;
    const TextStep *end = step + (decoders->count ? decoders->count : 1);
    Bytes *token = ARENA_ARRAY(arena, Bytes, count + 1);
    Bytes *before = ARENA_ARRAY(arena, Bytes, count + 1);
    TextRoom room = text_room(arena), last = text_room(arena);
    int tokens = 0;
    for (int i = 0; i < count; i++) {
        bool is_known = id[i] >= 0 && id[i] < tokenizer->vocabulary.count;
        if (!is_known || tokenizer->special[id[i]]) continue;
        token[tokens++] = (Bytes){tokenizer->vocabulary.word[id[i]],
                                  (size_t)tokenizer->vocabulary.length[id[i]]};
    }
    if (tokens == 0) return (Bytes){"", 0};
    for (; step < end; step++) {
        memcpy(before, token, (size_t)tokens * sizeof *token);
        step->decode(step, token, tokens, &room);
        if (room.is_spent || bytes_of(token, tokens) > TEXT_BYTES_MAX) break;
    }
    if (step == end) {
        decode_fuse(step, token, tokens, &last);
        return token[0];
    }
    size_t size = bytes_of(before, tokens);
    while (size > TEXT_BYTES_MAX) size -= before[--tokens].size;
    decode_fuse(step, before, tokens, &last);
    const char *text = arena_print(
        arena,
        tr("%.*s … [%s of the tokenizer turns this into more than %d bytes, or needs "
           "more than %d MiB of memory; this is the text before that step]"),
        (int)size, before[0].bytes, step->type, TEXT_BYTES_MAX, TEXT_ROOM_BYTES >> 20);
    return (Bytes){text, strlen(text)};
}
