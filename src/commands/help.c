#include "commands/help.h"

#include "base/builder.h"
#include "base/language.h"
#include "session/program.h"

/* "why ADDRESS[cell]" */
static const char *usage(const Command *command, Arena *arena) {
    return command->arguments
               ? arena_print(arena, "%s %s", command->name, command->arguments)
               : command->name;
}

static const char *typed(const Command *command, Arena *arena) {
    return arena_print(arena, ":%s", usage(command, arena));
}

void help_list(Page *page) {
    Arena *arena = page->arena;
    page_line(page,
              "Type a sentence to run the model on it, and Enter for the next stage.");
    page_line(page, "Sentences with | between them are a batch (write \\| for a bar, "
                    "\\: for a colon in front).");
    for (const Command *const *row = commands; *row;) {
        int count = 1;
        while (row[count] && !command_heading(row[count])) count++;
        ListItem *item = ARENA_ARRAY(arena, ListItem, count);
        for (int c = 0; c < count; c++)
            item[c] =
                (ListItem){.name = typed(row[c], arena), .text = tr(row[c]->summary)};
        page_section(page, command_heading(row[0]));
        page_list(page, LIST_COMMANDS, item, count);
        row += count;
    }
    page_gap(page);
    page_line(page, ":help COMMAND tells more. Each works in a shell too: glassbox why "
                    "... --source \"...\"");
}

/* Flags being listed, each with its help. */
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

/* Its own flags, and those that many commands share by name only. */
static void list_flags(const Command *command, Page *page) {
    Arena *arena = page->arena;
    FlagList list = {0};
    const char *names = "";
    for (int g = 0; g <= FLAG_GROUPS; g++) {
        const Flag *flag = g < FLAG_GROUPS ? command->flags[g] : flags_display;
        bool is_shared = false;
        for (int s = 0; flags_shared[s]; s++)
            is_shared = is_shared || flags_shared[s] == flag;
        if (!is_shared) add_flags(&list, flag, arena);
        for (; is_shared && flag && flag->name; flag++)
            names = arena_print(arena, "%s --%s", names, flag->name);
    }
    if (list.count) page_list(page, LIST_FLAGS, list.item, list.count);
    page_gap(page);
    page_prose(page, trf(arena, "As many commands (:help flags):%s", names));
}

void help_flags(Page *page) {
    FlagList list = {0};
    page_line(page, "Options that many commands take");
    for (int g = 0; flags_shared[g]; g++)
        add_flags(&list, flags_shared[g], page->arena);
    page_list(page, LIST_FLAGS, list.item, list.count);
}

/* The presets, and the keys of config.json as flags. */
static void list_model_options(Page *page) {
    Arena *arena = page->arena;
    int count = 0;
    int keys = 0;
    while (presets[count].name) count++;
    while (config_keys[keys].name) keys++;
    ListItem *item = ARENA_ARRAY(arena, ListItem, count + keys);
    for (count = 0; presets[count].name; count++)
        item[count] =
            (ListItem){.name = presets[count].name, .text = tr(presets[count].summary)};
    page_section(page, "Presets");
    page_list(page, LIST_PRESETS, item, count);
    for (count = 0; config_keys[count].name; count++) {
        const Option *key = &config_keys[count];
        item[count] =
            (ListItem){.name = arena_print(arena, "--%s", option_flag(key, arena)),
                       .text = arena_print(arena, "%s (%s)", tr(key->help),
                                           option_range(key, arena))};
    }
    page_section(page, "Options of a model");
    page_list(page, LIST_MODEL_FLAGS, item, count);
}

void help_command(const Command *command, Page *page) {
    page_line(page, "%s", typed(command, page->arena));
    page_note(page, "%s", tr(command->summary));
    page_gap(page);
    page_prose(page, command->details);
    list_flags(command, page);
    if (command->takes_options) list_model_options(page);
    page_section(page, "Example");
    page_note(page, "%s", command->example);
}

const char *help_markdown(Arena *arena) {
    Builder out = {.arena = arena};
    build_text(&out, "| command | what it does |\n|---|---|\n");
    for (const Command *const *row = commands; *row; row++) {
        build_text(&out, "| `");
        for (const char *c = usage(*row, arena); *c; c++)
            build(&out, *c == '|' ? "\\%c" : "%c", *c);
        build(&out, "` | %s |\n", (*row)->summary);
    }
    return builder_text(&out);
}

void help_program(Page *page) {
    page_document(page,
                  tr("usage: glassbox                  start the prompt\n"
                     "       glassbox COMMAND ...      run one command; glassbox "
                     "help lists them\n"
                     "       glassbox < FILE           run the lines of a file\n\n"
                     "Without --model, the prompt opens the model stories in English "
                     "and ko-en in\nKorean; a command opens ko-en.\n\n"
                     "examples\n"
                     "  glassbox draw 'encoder.0.self_attention.weights[head=0]' \\\n"
                     "      --source \"나는 어제 친구를 만났다.\" -o weights.png\n"
                     "  glassbox why 'logits[target=0, vocabulary=7]' --source "
                     "\"배고파요.\"\n"
                     "  glassbox trace --source \"배고파요.\" -o run.npz\n"));
}

/* What figures are for, and a line that draws one of the kind. */
static const struct {
    const char *shows, *line;
} examples[] = {
    {N_("one head, with every number"),
     ":draw encoder.0.self_attention.weights[head=0] -o head.png"},
    {N_("all heads of all layers"),
     ":draw encoder.*.self_attention.weights -o heads.pdf"},
    {N_("cross-attention of each layer, the mean of its heads: a row is the word that "
        "was read, whose next one is said"),
     ":draw decoder.*.cross_attention.weights[head=mean] -o cross.png"},
    {N_("what each word that was said had looked at; and as a picture that moves"),
     ":draw decoding -o said.png"},
    {NULL, ":draw decoding -o decoding.apng"},
    {N_("a line for each weight, from those who ask to those who are asked"),
     ":draw encoder.0.self_attention.weights --as lines -o lines.svg"},
    {N_("one word, followed down through all layers"),
     ":draw encoder.*.self_attention.weights[query=1] --as flow -o flow.svg"},
    {N_("how often which number occurs"),
     ":draw encoder.*.self_attention.scores --as histogram -o scores.png"},
    {N_("the boxes of the model, with the shapes of this run"), ":draw map -o map.svg"},
    {N_("positions, as a map and as curves"),
     ":draw position --length 100 -o position.png"},
    {NULL, ":draw position --dimensions 0,1,4,8 -o waves.png"},
    {N_("the best words at each place, or only at one"),
     ":draw probabilities -o words.png"},
    {NULL, ":draw probabilities[target=0] --best 12 -o first.png"},
    {N_("the decoding step by step"), ":draw steps -o steps.png"},
    {N_("two sentences, models or options: beside each other, or subtracted"),
     ":draw encoder.0.self_attention.weights[head=0] --minus option=scale_scores=false "
     "-o less.png"},
    {N_("a file for each head, under one scale"),
     ":draw encoder.0.self_attention.scores --same-scale -o head-*.png"},
    {N_("a worksheet with empty cells, and its key"),
     ":draw encoder.0.self_attention.weights[head=0] --blank 0.2 -o sheet.pdf"},
    {N_("for a page in a book: size, letters, no colours"),
     ":draw encoder.0.self_attention.weights[head=0] --width 12cm --font-size 8 "
     "--theme print --caption none -o print.png"},
};

void help_figures(Page *page) {
    page_line(page, "What can be drawn, each with a line that draws it");
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        if (examples[e].shows) page_gap(page);
        if (examples[e].shows) page_line(page, "%s", tr(examples[e].shows));
        page_note(page, "%s", examples[e].line);
    }
    page_gap(page);
    page_prose(page,
               "The ending of the file says which kind it is: .png, .svg with text "
               "that can be searched, .pdf, .tex (TikZ), .apng, which moves, or "
               ".txt. How figures look for a hand-out is said once in a file "
               "figures.json of the folder, {\"theme\": \"print\", \"width\": "
               "\"12cm\"}: its keys are options that :help flags lists. Each "
               "figure carries the command that draws it again.");
}

/* In man(7) a backslash begins an escape and a hyphen may be broken: both are spelled
 * out, and so is a point or an apostrophe that begins a line. */
static void write_plain(Builder *out, const char *text) {
    if (*text == '.' || *text == '\'') build_text(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\')
            build_text(out, "\\e");
        else if (*text == '-')
            build_text(out, "\\-");
        else
            build(out, "%c", *text);
    }
}

static void write_line(Builder *out, const char *text) {
    write_plain(out, text);
    build_text(out, "\n");
}

static void write_section(Builder *out, const char *title) {
    build(out, ".SH %s\n", tr(title));
}

static void write_command(Builder *out, const Command *command) {
    build_text(out, ".TP\n.B ");
    write_plain(out, command->name);
    build_text(out, " ");
    if (command->arguments) write_plain(out, command->arguments);
    build_text(out, "\n");
    write_line(out, tr(command->summary));
    build_text(out, ".br\n");
    write_line(out, tr(command->details));
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++) {
        if (flag == flags_display) break; /* they come last, and in every command */
        build_text(out, ".br\n.B \\-\\-");
        write_plain(out, flag->name);
        build(out, "\n.I %s\n", flag->value ? flag->value : "\\&");
        write_line(out, tr(flag->help));
    }
}

const char *help_manual(Arena *arena) {
    Builder builder = {.arena = arena};
    Builder *out = &builder;
    build(out, ".TH GLASSBOX 1 \"\" \"glassbox %s\"\n", program_version);
    write_section(out, N_("NAME"));
    build_text(out, "glassbox \\- ");
    write_line(out, tr("every number of a Transformer, seen, traced and drawn"));
    write_section(out, N_("SYNOPSIS"));
    build_text(out, ".B glassbox\n.RI [ \"COMMAND ...\" ]\n");
    write_section(out, N_("DESCRIPTION"));
    write_line(out,
               tr("Without a command it starts a prompt: type a sentence, press Enter "
                  "for the next stage, :help for the commands. Each works in a shell "
                  "too, without the colon."));
    for (const Command *const *row = commands; *row; row++) {
        if (command_heading(*row)) write_section(out, command_heading(*row));
        write_command(out, *row);
    }
    write_section(out, N_("EXIT STATUS"));
    write_line(out, tr("0 done, 1 it could not be done, 2 wrong usage, 128+n "
                       "ended by signal n."));
    write_section(out, N_("ENVIRONMENT"));
    build_text(out, ".TP\n.B NO_COLOR\n");
    write_line(out, tr("Where it is set, nothing is coloured."));
    write_section(out, N_("FILES"));
    build_text(out, ".TP\n.I $XDG_STATE_HOME/glassbox/history\n");
    write_line(out, tr("The lines that were typed at the prompt."));
    build_text(out, ".TP\n.I $XDG_STATE_HOME/glassbox/lessons\n");
    write_line(out, tr("How far each lesson is, and how it was answered."));
    return builder_text(out);
}

const char *help_completion(Arena *arena) {
    Builder builder = {.arena = arena};
    Builder *out = &builder;
    build_text(
        out,
        "# Completion of glassbox for bash.\n_glassbox() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
        "    if [ $COMP_CWORD = 1 ]; then words=\"");
    for (const Command *const *row = commands; *row; row++)
        if (!(*row)->only_prompt) build(out, "%s ", (*row)->name);
    build_text(out, "\"; else case $command in\n");
    for (const Command *const *row = commands; *row; row++) {
        if ((*row)->only_prompt) continue;
        build(out, "        %s) words=\"", (*row)->name);
        const Flag *flag;
        for (int i = 0; (flag = command_flag(*row, i)); i++)
            build(out, "--%s ", flag->name);
        for (const Option *key = config_keys; (*row)->takes_options && key->name; key++)
            build(out, "--%s ", option_flag(key, arena));
        build_text(out, "\" ;;\n");
    }
    build_text(
        out,
        "    esac; fi\n"
        "    case $word in\n"
        "        -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
        "        *) [ $COMP_CWORD = 1 ] && COMPREPLY=($(compgen -W \"$words\" -- "
        "\"$word\"))\n"
        "           [ $COMP_CWORD = 1 ] || COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
        "    esac\n}\ncomplete -F _glassbox glassbox\n");
    return builder_text(out);
}
