#include "commands/help.h"

#include "base/builder.h"
#include "base/language.h"

/* ":why [ADDRESS[cell]]" */
static const char *typed(const Command *command, Arena *arena) {
    return arena_print(arena, ":%s%s%s", command->name, command->arguments ? " " : "",
                       command->arguments ? command->arguments : "");
}

void help_first(Page *page) {
    Arena *arena = page->arena;
    Builder names = {.arena = arena};
    ListItem *item = NULL;
    int count = 0;
    int capacity = 0;
    for (Group g = GROUP_NONE + 1; g < GROUPS; g++) {
        const char *name = tr(command_groups[g].name);
        build_item(&names, ", ", "%s", name);
        for (const Command *const *row = commands; *row; row++) {
            if ((*row)->group != g || !(*row)->is_first) continue;
            ARENA_GROW(arena, item, count, capacity);
            item[count++] = (ListItem){.name = name,
                                       .value = arena_print(arena, ":%s", (*row)->name),
                                       .text = tr((*row)->summary)};
            name = "";
        }
    }
    page_line(page, "Type a sentence. Then each Enter shows the next stage.");
    page_gap(page);
    page_list(page, LIST_FIRST_COMMANDS, item, count);
    page_gap(page);
    page_prose(page, trf(arena,
                         ":help all lists all commands, :help COMMAND explains "
                         "one, and :help GROUP lists a group: %s.",
                         builder_text(&names)));
}

void help_group(Group group, Page *page) {
    Arena *arena = page->arena;
    ListItem *item = NULL;
    int count = 0;
    int capacity = 0;
    for (const Command *const *row = commands; *row; row++) {
        if ((*row)->group != group) continue;
        ARENA_GROW(arena, item, count, capacity);
        item[count++] =
            (ListItem){.name = typed(*row, arena), .text = tr((*row)->summary)};
    }
    page_section(page, command_groups[group].title);
    page_list(page, LIST_COMMANDS, item, count);
}

void help_all(Page *page) {
    page_prose(page,
               "Most commands also work in a shell, without the colon: glassbox why "
               "... --source \"...\"");
    for (Group g = GROUP_NONE + 1; g < GROUPS; g++) help_group(g, page);
    page_gap(page);
    page_line(page, ":help COMMAND explains a command.");
}

void help_topic(const Topic *topic, Page *page) {
    int count = 0;
    ListItem *item = ARENA_ARRAY(page->arena, ListItem, TOPIC_ROWS);
    for (; count < TOPIC_ROWS && topic->row[count].name; count++)
        item[count] = (ListItem){.name = tr(topic->row[count].name),
                                 .text = tr(topic->row[count].text)};
    page_section(page, topic->title);
    page_prose(page, topic->text);
    page_gap(page);
    page_list(page, LIST_TERMS, item, count);
}

/* A list of flags in progress, with their help. */
typedef struct {
    ListItem *item;
    int count, capacity;
} FlagList;

static void add_flags(FlagList *list, const Flag *flag, Arena *arena) {
    for (; flag && flag->name; flag++) {
        const char *letter =
            flag->letter ? arena_print(arena, "-%c, ", flag->letter) : "";
        const char *name =
            arena_print(arena, "%s--%s%s%s", letter, flag->name, flag->value ? " " : "",
                        flag->value ? flag->value : "");
        ARENA_GROW(arena, list->item, list->count, list->capacity);
        list->item[list->count++] = (ListItem){.name = name, .text = tr(flag->help)};
    }
}

void help_flags(Page *page) {
    FlagList list = {0};
    page_line(page, "Options of many commands");
    for (int g = 0; flags_shared[g]; g++)
        add_flags(&list, flags_shared[g], page->arena);
    page_list(page, LIST_FLAGS, list.item, list.count);
}

void help_options(bool all, Page *page) {
    Arena *arena = page->arena;
    ListItem *item = NULL;
    int count = 0;
    int capacity = 0;
    for (const Option *key = config_keys; key->name; key++) {
        if (!all && !key->is_first) continue;
        ARENA_GROW(arena, item, count, capacity);
        item[count++] =
            (ListItem){.name = arena_print(arena, "--%s", option_flag(key, arena)),
                       .text = arena_print(arena, "%s (%s)", tr(key->help),
                                           option_range(key, arena))};
    }
    page_section(page,
                 all ? N_("Options of a model") : N_("The main options of a model"));
    page_list(page, all ? LIST_MODEL_FLAGS : LIST_TERMS, item, count);
}

void help_command(const Command *command, Page *page) {
    Arena *arena = page->arena;
    FlagList list = {0};
    Builder names = {.arena = arena}; /* of the flags that many commands share */
    page_line(page, "%s", typed(command, page->arena));
    page_note(page, "%s", tr(command->summary));
    page_gap(page);
    page_prose(page, command->details);
    for (int g = 0; g <= FLAG_GROUPS; g++) {
        const Flag *flag = g < FLAG_GROUPS ? command->flags[g] : flags_display;
        bool is_shared = false;
        for (int s = 0; flags_shared[s]; s++)
            is_shared = is_shared || flags_shared[s] == flag;
        if (!is_shared) add_flags(&list, flag, arena);
        for (; is_shared && flag && flag->name; flag++)
            build(&names, " --%s", flag->name);
    }
    if (list.count) page_list(page, LIST_FLAGS, list.item, list.count);
    page_gap(page);
    page_prose(page, trf(arena, "Options of many commands (:help flags):%s",
                         builder_text(&names)));
    if (command->takes_options) {
        help_options(false, page);
        page_gap(page);
        page_hint(page, "all options", ":new --options");
        page_hint(page, "the presets", ":models");
    }
    page_section(page, "Example");
    page_note(page, "%s", command->example);
}

void help_program(Page *page) {
    page_document(page,
                  tr("usage: glassbox                  start the prompt\n"
                     "       glassbox COMMAND ...      run one command; glassbox "
                     "help lists them\n"
                     "       glassbox < FILE           run the lines of a file\n\n"
                     "Without --model, the prompt opens the model passive in English "
                     "and ko-en in\nKorean; a command opens ko-en.\n\n"
                     "examples\n"
                     "  glassbox draw 'encoder.0.self_attention.weights[head=0]' \\\n"
                     "      --source \"나는 어제 친구를 만났다.\" -o weights.png\n"
                     "  glassbox why 'logits[target=0, vocabulary=7]' --source "
                     "\"배고파요.\"\n"
                     "  glassbox trace --source \"배고파요.\" -o run.npz\n"));
}

/* The use of each kind of figure, and a line that draws one. */
static const struct {
    const char *shows, *line;
} examples[] = {
    {N_("one head, with every number"),
     ":draw encoder.0.self_attention.weights[head=0] -o head.png"},
    {N_("all heads of all layers"),
     ":draw encoder.*.self_attention.weights -o heads.pdf"},
    {N_("cross-attention of each layer, mean of its heads: a row is the token that "
        "was read; the token predicted is the next"),
     ":draw decoder.*.cross_attention.weights[head=mean] -o cross.png"},
    {N_("what each predicted token attended to; also as a moving picture"),
     ":draw decoding -o said.png"},
    {NULL, ":draw decoding -o decoding.apng"},
    {N_("a line for each weight, from query to key"),
     ":draw encoder.0.self_attention.weights --as lines -o lines.svg"},
    {N_("one token through all layers"),
     ":draw encoder.*.self_attention.weights[query=1] --as flow -o flow.svg"},
    {N_("how often each number occurs"),
     ":draw encoder.*.self_attention.scores --as histogram -o scores.png"},
    {N_("the boxes of the model, with the shapes of this run"), ":draw map -o map.svg"},
    {N_("positions, as a map and as curves"),
     ":draw position --length 100 -o position.png"},
    {NULL, ":draw position --dimensions 0,1,4,8 -o waves.png"},
    {N_("the best tokens at each position, or at one"),
     ":draw probabilities -o words.png"},
    {NULL, ":draw probabilities[target=0] --best 12 -o first.png"},
    {N_("the decoding step by step"), ":draw steps -o steps.png"},
    {N_("two sentences, models or options: side by side, or subtracted"),
     ":draw encoder.0.self_attention.weights[head=0] --minus option=scale_scores=false "
     "-o less.png"},
    {N_("a file for each head, on one scale"),
     ":draw encoder.0.self_attention.scores --same-scale -o head-*.png"},
    {N_("a worksheet with empty cells, and its key"),
     ":draw encoder.0.self_attention.weights[head=0] --blank 0.2 -o sheet.pdf"},
    {N_("for a page of a book: size, letters, no colors"),
     ":draw encoder.0.self_attention.weights[head=0] --width 12cm --font-size 8 "
     "--theme print --caption none -o print.png"},
};

void help_figures(Page *page) {
    page_line(page, "What can be drawn, each with the command");
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        if (examples[e].shows) page_gap(page);
        if (examples[e].shows) page_line(page, "%s", tr(examples[e].shows));
        page_note(page, "%s", examples[e].line);
    }
    page_gap(page);
    page_prose(page,
               "The ending of the file sets the format: .png, .svg with searchable "
               "text, .pdf, .tex (TikZ), .apng (moving) or .txt. Set the style of "
               "figures for a handout once, in a file figures.json of the folder: "
               "{\"theme\": \"print\", \"width\": \"12cm\"}; its keys are options "
               "that :help flags lists. Each figure contains the command that draws "
               "it again.");
}
