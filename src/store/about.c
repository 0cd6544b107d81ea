#include "store/about.h"

#include <limits.h>

#include "base/json.h"
#include "base/language.h"

/* Of {"en": "...", "ko": "..."} the text in the language of the program. */
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

static void take_examples(About *about, const Json *examples) {
    if (!examples || examples->type != JSON_LIST) return;
    for (int e = 0; e < examples->count && e < ABOUT_EXAMPLES; e++)
        if (examples->child[e].type == JSON_TEXT)
            about->example[e] = examples->child[e].text;
}

bool about_read(About *about, const char *folder, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 16 };
    *about = (About){.purpose = "", .knows = "", .reads = "", .writes = ""};
    for (int e = 0; e < ABOUT_EXAMPLES; e++) about->example[e] = "";
    const char *path = file_join(arena, folder, "about.json");
    Bytes bytes;
    const Json *json;
    if (!file_exists(path)) return true;
    if (!file_read_regular(path, LARGEST, arena, &bytes, error) ||
        !json_read(bytes, path, arena, &json, error))
        return false;
    if (json->type != JSON_MAP)
        return fail(error, "%s holds %s, not an object of keys", path,
                    json_type_name(json));
    about->purpose = text_of(json, "purpose");
    about->knows = text_of(json, "knows");
    about->reads = word_of(json, "reads");
    about->writes = word_of(json, "writes");
    const Json *one = json_find(json, "one_sentence");
    about->one_sentence = one && one->type == JSON_TRUTH && one->number != 0;
    about->likely_from = count_of(json, "likely_from");
    about->sure_from = count_of(json, "sure_from");
    about->doubtful = count_of(json, "doubtful");
    about->doubtful_right = count_of(json, "doubtful_right");
    take_examples(about, json_find(json, "examples"));
    return true;
}
