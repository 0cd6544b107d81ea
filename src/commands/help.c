#include "commands/help.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"

static const char *usage(const Command *command, Arena *arena) {
    return arena_print(arena, ":%s%s%s", command->name, *command->arguments ? " " : "",
                       command->arguments);
}

/* The commands from `row` on that belong to one group; the next row after them. */
static const Command *const *list_group(const Command *const *row, Page *page) {
    int count = 1;
    while (row[count] && !command_opens_group(row + count)) count++;
    ListItem *item = ARENA_ARRAY(page->arena, ListItem, count);
    for (int c = 0; c < count; c++)
        item[c] = (ListItem){.name = usage(row[c], page->arena),
                             .text = said(row[c]->summary)};
    page_section(page, row[0]->group);
    page_list(page, LIST_COMMANDS, item, count);
    return row + count;
}

void help_list(Page *page) {
    page_line(page,
              "Type a sentence to run the model on it, and Enter for the next stage.");
    page_line(page, "Sentences with | between them are a batch (write \\| for a bar, "
                    "\\: for a colon in front).");
    for (const Command *const *row = commands; *row;) row = list_group(row, page);
    page_gap(page);
    page_line(page, ":help COMMAND tells more. Each works in a shell too: glassbox why "
                    "... --source \"...\"");
}

static const char *flag_usage(const Flag *flag, Arena *arena) {
    const char *letter = flag->letter ? arena_print(arena, "-%c, ", flag->letter) : "";
    return arena_print(arena, "%s--%s%s%s", letter, flag->name, flag->value ? " " : "",
                       flag->value ? flag->value : "");
}

/* Flags being listed, each with its help. */
typedef struct {
    ListItem *item;
    int count, capacity;
} FlagList;

static void add_flags(FlagList *list, const Flag *flag, Arena *arena) {
    for (; flag && flag->name; flag++) {
        ARENA_GROW(arena, list->item, list->count, list->capacity);
        list->item[list->count++] =
            (ListItem){.name = flag_usage(flag, arena), .text = said(flag->help)};
    }
}

static bool is_shared(const Flag *group) {
    for (int g = 0; flags_shared[g]; g++)
        if (flags_shared[g] == group) return true;
    return false;
}

/* All flags; where these are many, those that many commands share by name only. */
static void list_flags(const Command *command, Page *page) {
    enum { MANY = 24 };
    Arena *arena = page->arena;
    FlagList list = {0};
    const char *names = "";
    bool is_long = command_flag(command, MANY) != NULL;
    for (int g = 0; g <= FLAG_GROUPS; g++) {
        const Flag *flag = g < FLAG_GROUPS ? command->flags[g] : flags_display;
        if (!is_long || !is_shared(flag)) {
            add_flags(&list, flag, arena);
            continue;
        }
        for (; flag->name; flag++)
            names = arena_print(arena, "%s --%s", names, flag->name);
    }
    page_list(page, LIST_FLAGS, list.item, list.count);
    if (!is_long) return;
    page_gap(page);
    page_prose(page, say(arena, "And as many commands (:help flags):%s", names));
}

void help_flags(Page *page) {
    FlagList list = {0};
    page_line(page, "Options that many commands take");
    for (int g = 0; flags_shared[g]; g++)
        add_flags(&list, flags_shared[g], page->arena);
    page_list(page, LIST_FLAGS, list.item, list.count);
}

static void list_presets(Page *page) {
    int count = 0;
    while (presets[count].name) count++;
    ListItem *item = ARENA_ARRAY(page->arena, ListItem, count);
    for (int p = 0; p < count; p++)
        item[p] = (ListItem){.name = presets[p].name, .text = said(presets[p].summary)};
    page_section(page, "Presets");
    page_list(page, LIST_PRESETS, item, count);
}

static void list_keys(Page *page) {
    Arena *arena = page->arena;
    int count = 0;
    while (config_keys[count].name) count++;
    ListItem *item = ARENA_ARRAY(arena, ListItem, count);
    for (int k = 0; k < count; k++) {
        const Option *key = &config_keys[k];
        item[k] =
            (ListItem){.name = arena_print(arena, "--%s", option_flag(key, arena)),
                       .text = arena_print(arena, "%s (%s)", said(key->help),
                                           option_range(key, arena))};
    }
    page_section(page, "Options of a model");
    page_list(page, LIST_MODEL_FLAGS, item, count);
}

void help_command(const Command *command, Page *page) {
    page_line(page, "%s", usage(command, page->arena));
    page_note(page, "%s", said(command->summary));
    page_gap(page);
    page_prose(page, command->details);
    list_flags(command, page);
    if (command->takes_options) {
        list_presets(page);
        list_keys(page);
    }
    page_section(page, "Example");
    page_note(page, "%s", command->example);
}

const char *help_markdown(Arena *arena) {
    Builder out = {.arena = arena};
    build_text(&out, "| command | what it does |\n|---|---|\n");
    for (const Command *const *row = commands; *row; row++) {
        build(&out, "| `%s%s", (*row)->name, *(*row)->arguments ? " " : "");
        for (const char *c = (*row)->arguments; *c; c++)
            build(&out, *c == '|' ? "\\%c" : "%c", *c);
        build(&out, "` | %s |\n", (*row)->summary);
    }
    return builder_text(&out);
}

void help_program(Page *page) {
    page_document(page,
                  said("usage: glassbox                  start the prompt\n"
                       "       glassbox COMMAND ...      run one command; glassbox "
                       "help lists them\n"
                       "       glassbox < FILE           run the lines of a file\n\n"
                       "examples\n"
                       "  glassbox draw 'encoder.0.self_attention.weights[head=0]' \\\n"
                       "      --source \"나는 어제 친구를 만났다.\" -o weights.png\n"
                       "  glassbox why 'logits[target=0, vocabulary=7]' --source "
                       "\"good morning\"\n"
                       "  glassbox trace --source \"good morning\" -o run.npz\n"));
}
