#include "command/figure_flags.h"

#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/language.h"
#include "base/options.h"

/* The values of the flags and of the keys in the file. */
typedef struct {
    FigureLook look;
    int scale, palette; /* only from the file: draw has flags for them */
} FigureSettings;

static bool set_length(const Option *option, void *owner, const char *text,
                       Arena *arena) {
    Length *length = &((FigureSettings *)owner)->look.width;
    (void)option;
    return length_read(arena_copy(arena, text, strlen(text)), length);
}

static const char *print_length(const Option *option, const void *owner) {
    (void)option;
    return ((const FigureSettings *)owner)->look.width.typed;
}

static const OptionKind length_kind = {
    OPTION_OWN,
    N_("a length such as 12cm, 120mm, 5in or 900px, up to 100in; a number without a "
       "unit means columns of text"),
    .types = 1U << JSON_TEXT,
    .set = set_length,
    .print = print_length,
};

static const char *palette_choice(int i) {
    return i < palette_count ? palettes[i].name : NULL;
}

#define IN_LOOK(field) offsetof(FigureSettings, look.field)

/* A row: flag, name of its value, field of FigureLook, kind of option, help, and
 * limits. */
#define FIGURE_FLAGS(ROW)                                                              \
    ROW("dpi", "N", dpi, option_count, N_(".png pixels per inch"), .min = 30,          \
        .max = 2400)                                                                   \
    ROW("font-size", "POINTS", font_size, option_number,                               \
        N_("size of body text on the page, in points"), .min = 3, .max = 72)           \
    ROW("font", "NAME", font, option_text,                                             \
        N_("a font family, as listed by `fc-list : family`"), .max = 0)                \
    ROW("title", "TEXT", title, option_text,                                           \
        N_("the title above the figure; none omits it"), .max = 0)                     \
    ROW("caption", "LENGTH", caption, option_choice,                                   \
        N_("full, short (sentence and model) or none; the file contains the full "     \
           "caption"),                                                                 \
        .choices = caption_lengths)                                                    \
    ROW("theme", "PAPER", theme, option_choice,                                        \
        N_("light, dark, transparent or print, which needs no colors"),                \
        .choices = theme_names)                                                        \
    ROW("labels", "KIND", labels, option_choice,                                       \
        N_("marked, or plain: without · for a space and #2 for a second token"),       \
        .choices = label_marks)                                                        \
    ROW("text", "KIND", text, option_choice,                                           \
        N_("for an .svg: text, which can be searched, or outlines"),                   \
        .choices = letter_kinds)

#define FLAG_OF(name_, value_, field, kind_, help_, ...) {name_, 0, value_, help_},
#define KEY_OF(name_, value_, field, kind_, help_, ...)                                \
    {.name = (name_), .kind = &(kind_), .offset = IN_LOOK(field), __VA_ARGS__},

const Flag flags_figure[] = {FIGURE_FLAGS(FLAG_OF){0}};

/* "width" is a display flag, because it can be in columns. */
static const Option keys[] = {
    {.name = "width", .kind = &length_kind, .offset = IN_LOOK(width)},
    {.name = "scale",
     .kind = &option_count,
     .offset = offsetof(FigureSettings, scale),
     .min = 1,
     .max = FIGURE_SCALE_MAX},
    {.name = "palette",
     .kind = &option_choice,
     .offset = offsetof(FigureSettings, palette),
     .choice = palette_choice},
    FIGURE_FLAGS(KEY_OF){0},
};

bool figure_flags_taken(const Command *command) {
    return command_flag_named(command, flags_figure[0].name) != NULL;
}

bool figure_flags_has_width(const Arguments *arguments) {
    const char *width = arguments_flag(arguments, "width");
    const char *path = arguments_flag(arguments, "output");
    bool prints = arguments->command->group != GROUP_FILES ||
                  (path && file_has_ending(path, ".txt"));
    long long columns;
    return width && !(prints && option_whole(width, &columns)) &&
           figure_flags_taken(arguments->command);
}

/* --dpi and --scale exclude each other: if one was typed, ignore the other in the file.
 */
static bool is_settled(const Arguments *arguments, const char *name) {
    bool density = strcmp(name, "dpi") == 0 || strcmp(name, "scale") == 0;
    if (!density) return arguments_flag(arguments, name) != NULL;
    return arguments_flag(arguments, "dpi") || arguments_flag(arguments, "scale");
}

/* Add the keys of the file as if they had been typed, unless they were. */
static bool take_file(Arguments *arguments, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 16 };
    Bytes bytes;
    const Json *json;
    if (!file_exists(FIGURE_FILE)) return true;
    if (!file_read_regular(FIGURE_FILE, LARGEST, arena, &bytes, error) ||
        !json_read_map(bytes, FIGURE_FILE, arena, &json, error))
        return false;
    for (int i = 0; i < json->count; i++) {
        const Json *value = &json->child[i];
        const Option *key = option_find(keys, value->name);
        FigureSettings requested = {0};
        if (!option_take(keys, &requested, value, FIGURE_FILE, arena, error))
            return false;
        if (value->type == JSON_TEXT && !*value->text)
            return fail(error, "%s: \"%s\" is %s; expected %s", FIGURE_FILE, key->name,
                        "\"\"", option_range(key, arena));
        if (is_settled(arguments, key->name) ||
            !command_flag_named(arguments->command, key->name))
            continue;
        if (arguments->flags == WORDS_MAX)
            return fail(error, "more than %d words", WORDS_MAX);
        arguments->flag[arguments->flags] = key->name;
        arguments->value[arguments->flags++] = option_print(key, &requested, arena);
    }
    return true;
}

bool figure_flags_read(Arguments *arguments, FigureLook *look, Arena *arena,
                       Error *error) {
    FigureSettings requested = {0};
    if (arguments_flag(arguments, "dpi") && arguments_flag(arguments, "scale"))
        return fail_usage(error, "--dpi and --scale set the same thing; give one of "
                                 "them");
    if (!take_file(arguments, arena, error)) return false;
    for (const Option *key = keys; key->name; key++) {
        const char *value = arguments_flag(arguments, key->name);
        bool columns = key->kind == &length_kind && !figure_flags_has_width(arguments);
        bool own = strcmp(key->name, "scale") == 0 || strcmp(key->name, "palette") == 0;
        if (!value || columns || own) continue;
        if (!option_set(key, &requested, value, arena) || !*value)
            return fail_usage(error, "--%s is '%s'; expected %s", key->name, value,
                              option_range(key, arena));
    }
    *look = requested.look;
    return true;
}

const char *figure_flags_told(const Arguments *typed, const Arguments *settled,
                              Arena *arena) {
    Builder told = {.arena = arena};
    for (int f = typed->flags; f < settled->flags; f++) {
        const char *value = settled->value[f];
        const bool is_quoted = strpbrk(value, " \t'\"\\[]");
        build(&told, " --%s %s", settled->flag[f], is_quoted ? "\"" : value);
        if (!is_quoted) continue;
        for (const char *c = value; *c; c++)
            build(&told, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
        build_text(&told, "\"");
    }
    return builder_text(&told);
}

const char *figure_flags_choice(const Command *command, const char *flag, int i) {
    const char *name = flag + strspn(flag, "-");
    const Option *key = name == flag ? NULL : option_find(keys, name);
    bool chooses = key && key->kind == &option_choice;
    return chooses && command_flag_named(command, name) ? option_choice_name(key, i)
                                                        : NULL;
}
