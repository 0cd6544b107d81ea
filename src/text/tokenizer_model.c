#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/tokenizer_parts.h"

enum {
    IDS_MAX = 1 << 20,
    GAPS_MAX = 4096, /* how many more ids may lack a token than have one */
    LETTERS_MAX = 200,
    BEST_BYTES_MAX = 256,
};

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

/* Read a map from tokens to ids or, for Unigram, a list of tokens with scores. */
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
            return part_fail(reading, entry->name, entry, N_("a whole number"));
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

/* Compare by text; if the texts are equal, the first in the file comes first. */
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

/* Fail if the key, which is not supported here, has a value. */
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
    /* Early files of byte pairs do not name their type. */
    const char *type = json_find(model, "type")     ? part_type(model)
                       : json_find(model, "merges") ? "BPE"
                                                    : "";
    for (size_t t = 0; t < sizeof model_types / sizeof *model_types; t++)
        if (strcmp(type, model_types[t].type) == 0) {
            subword->kind = model_types[t].kind;
            return true;
        }
    return fail(reading->error, "%s: the model %s is not supported", reading->path,
                part_type_shown(reading, model));
}

bool part_model_read(Reading *reading, const Json *json, TokenizerJson *tokenizer) {
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
    const Json *max = json_find(model, "max_input_chars_per_word");
    bool is_longest = subword->kind == SUBWORD_LONGEST;
    subword->continuing =
        prefix && prefix->type == JSON_TEXT
            ? arena_copy(reading->arena, prefix->text, strlen(prefix->text))
            : "##";
    subword->letters_max = max && max->type == JSON_WHOLE ? max->whole : 100;
    if (is_longest && (subword->letters_max < 1 || subword->letters_max > LETTERS_MAX))
        return fail(reading->error,
                    "%s: \"max_input_chars_per_word\" is out of "
                    "range; expected 1 to %d",
                    reading->path, LETTERS_MAX);
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
