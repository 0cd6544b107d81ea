#include "shell/setting.h"

#include <stdlib.h>
#include <string.h>

#include "view/palette.h"

static const char *color_choice(int i) {
    return color_modes[i];
}

static const char *palette_choice(int i) {
    if (i == 0) return "auto";
    return i <= palette_count ? palettes[i - 1].name : NULL;
}

#define SETTING(field, least_, most_, choice_, help_)                                  \
    {                                                                                  \
        .name = #field, .help = (help_), .offset = offsetof(Options, field),           \
        .least = (least_), .most = (most_), .choice = (choice_)                        \
    }

const DisplaySetting settings[] = {
    SETTING(digits, 0, 9, NULL, "digits behind the point"),
    SETTING(columns, 4, 10000, NULL, "numbers of a row that are shown at most"),
    SETTING(terms, 1, 10000, NULL, "terms of an explanation shown one by one"),
    SETTING(candidates, 1, 100, NULL, "candidates for the next token"),
    SETTING(limit, 0, 65536, NULL, "tokens to generate; 0: as many as the paper"),
    SETTING(width, 0, 10000, NULL, "columns to print within; 0: the terminal's"),
    SETTING(color, 0, 0, color_choice, "colours"),
    SETTING(palette, 0, 0, palette_choice, "colours of heatmaps"),
    {0},
};

static int *field(const DisplaySetting *setting, Options *options) {
    return (int *)(void *)((char *)options + setting->offset);
}

static bool read_choice(const DisplaySetting *setting, const char *text, int *value) {
    for (int c = 0; setting->choice(c); c++)
        if (strcmp(setting->choice(c), text) == 0) return *value = c, true;
    return false;
}

static bool read_number(const DisplaySetting *setting, const char *text, int *value) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < setting->least || number > setting->most)
        return false;
    *value = (int)number;
    return true;
}

static bool fail_value(const DisplaySetting *setting, const char *text, Error *error) {
    if (!setting->choice)
        return fail(error, "%s is '%s'; it must be a whole number from %d to %d",
                    setting->name, text, setting->least, setting->most);
    Arena arena = {0};
    const char *list = "";
    for (int c = 0; setting->choice(c); c++)
        list = arena_print(&arena, "%s%s%s", list, c ? ", " : "", setting->choice(c));
    fail(error, "%s is '%s'; it must be one of %s", setting->name, text, list);
    arena_free(&arena);
    return false;
}

bool setting_set(Options *options, const char *assignment, Error *error) {
    size_t length = strcspn(assignment, "=");
    if (!assignment[length])
        return fail(error,
                    "write name=value, such as digits=4; :options lists the names");
    for (const DisplaySetting *setting = settings; setting->name; setting++) {
        if (strlen(setting->name) != length ||
            strncmp(setting->name, assignment, length) != 0)
            continue;
        const char *text = assignment + length + 1;
        int *value = field(setting, options);
        bool done = setting->choice ? read_choice(setting, text, value)
                                    : read_number(setting, text, value);
        return done || fail_value(setting, text, error);
    }
    return fail(error, "there is no option '%.*s'; :options lists them", (int)length,
                assignment);
}

const char *setting_print(const DisplaySetting *setting, const Options *options,
                          Arena *arena) {
    int value = *(const int *)(const void *)((const char *)options + setting->offset);
    return setting->choice ? setting->choice(value) : arena_print(arena, "%d", value);
}
