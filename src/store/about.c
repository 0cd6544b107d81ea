#include "store/about.h"

#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/language.h"
#include "text/unicode.h"

/* Return the text in the program's language from {"en": "...", "ko": "..."}. */
static const char *text_of(const Json *about, const char *key) {
    const Json *texts = json_find(about, key);
    if (!texts || texts->type != JSON_MAP) return "";
    const Json *text = json_find(texts, language_name());
    if (!text) text = json_find(texts, "en");
    return text && text->type == JSON_TEXT ? text->text : "";
}

static const char *word_of(const Json *about, const char *key) {
    const Json *word = json_find(about, key);
    return word && word->type == JSON_TEXT ? word->text : "";
}

static int count_of(const Json *about, const char *key) {
    const Json *count = json_find(about, key);
    bool fits = count && count->type == JSON_WHOLE && count->whole >= 0 &&
                count->whole <= INT_MAX;
    return fits ? (int)count->whole : 0;
}

/* Return NULL if the file does not exist, or if it cannot be read, which sets `*done`
 * to false. */
static const Json *read_json(const char *folder, Arena *arena, bool *done,
                             Error *error) {
    enum { LARGEST = 1 << 16 };
    const char *path = file_join(arena, folder, "about.json");
    Bytes bytes;
    const Json *json;
    *done = true;
    if (!file_exists(path)) return NULL;
    *done = file_read_regular(path, LARGEST, arena, &bytes, error) &&
            json_read_map(bytes, path, arena, &json, error);
    return *done ? json : NULL;
}

const char *const *about_label_names(const char *folder, const char *const *labels,
                                     int count, int *rows, Arena *arena) {
    enum { LANGUAGES_MAX = 8 };
    bool done;
    Error unread;
    const Json *about = count ? read_json(folder, arena, &done, &unread) : NULL;
    const Json *named = about ? json_find(about, "labels") : NULL;
    if (!named || named->type != JSON_MAP) return NULL;
    const char **name = ARENA_ARRAY(arena, const char *, (size_t)count *LANGUAGES_MAX);
    *rows = 0;
    /* languages[0] is "auto". */
    for (int l = 1; languages[l] && *rows < LANGUAGES_MAX; l++, ++*rows)
        for (int i = 0; i < count; i++) {
            const Json *texts = json_find(named, labels[i]);
            const Json *text = texts && texts->type == JSON_MAP
                                   ? json_find(texts, languages[l])
                                   : NULL;
            const char *word = text && text->type == JSON_TEXT ? text->text : labels[i];
            name[*rows * count + i] = unicode_escape(word, strlen(word), arena);
        }
    return name;
}

bool about_read(About *about, const char *folder, Arena *arena, Error *error) {
    *about = (About){.purpose = "", .knows = "", .reads = "", .writes = ""};
    for (int e = 0; e < ABOUT_EXAMPLES; e++) about->example[e] = "";
    bool done;
    const Json *json = read_json(folder, arena, &done, error);
    if (!json) return done;
    about->purpose = text_of(json, "purpose");
    about->knows = text_of(json, "knows");
    about->reads = word_of(json, "reads");
    about->writes = word_of(json, "writes");
    const Json *one = json_find(json, "one_sentence");
    about->one_sentence = one && one->type == JSON_TRUTH && one->number != 0;
    about->likely_from = count_of(json, "likely_from");
    about->sure_from = count_of(json, "sure_from");
    about->least_from = count_of(json, "least_from");
    about->words_from = count_of(json, "words_from");
    about->doubtful = count_of(json, "doubtful");
    about->doubtful_right = count_of(json, "doubtful_right");
    const Json *examples = json_find(json, "examples");
    int count = examples && examples->type == JSON_LIST ? examples->count : 0;
    for (int e = 0; e < count && e < ABOUT_EXAMPLES; e++)
        if (examples->child[e].type == JSON_TEXT)
            about->example[e] = examples->child[e].text;
    return true;
}
