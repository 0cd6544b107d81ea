/* manual.c - the man page, and lessons/REFERENCE.md. */
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "commands/help.h"
#include "learn/recipe.h"
#include "session/program.h"

const Topic topics[] = {
    {"addresses",
     N_("Addresses"),
     N_("Each tensor of a run has an address that says where it is: "
        "encoder.0.self_attention.weights belongs to the first layer of the encoder. "
        "In brackets after it, names of axes choose cells. Layers, heads and tokens "
        "count from 0. In tables and figures, rows are queries and columns are keys. "
        "At a stage, the last part is enough (:heat weights); for its own tensor, "
        "just the brackets (:why [에서, 부산])."),
     {{"[head=1, key=2]", N_("a number is an index")},
      {"[query=나는]", N_("anything else is the text of a token")},
      {"[query=나는#2]", N_("the second token with this text")},
      {"[key=\"2\"]", N_("the token with the text 2")},
      {"[key=1:4]", N_("a range: 1, 2 and 3")},
      {"[head=mean]", N_("the mean of all heads")},
      {"[key=\",\"#2]", N_("in quotes: the second token with the text ,")},
      {"[key=\"\\\"\"]", N_("the token with the text \"")},
      {"encoder.*.norm_1", N_("this tensor of each encoder layer")},
      {"decoder.0.weights", N_("a stage's name, if the stage shows one tensor")}}},
    {"folders",
     N_("A model is a folder"),
     N_(":new makes one with random initial weights, :train fills it, and :model opens "
        "it. "
        "Its files:"),
     {{"config.json", N_("every option: layers, heads, norm, positions, masks ...")},
      {"model.safetensors",
       N_("the weights, with the names that Hugging Face's Marian and BART use")},
      {"vocab.json",
       N_("the tokenizer: words, or byte pairs if there is a merges.txt")},
      {"tokenizer.json", N_("or a tokenizer as Hugging Face's library writes it")},
      {"target_vocab.json", N_("only if the target has its own tokenizer")},
      {"words.txt",
       N_("the words of the training data: the prompt names all others that are "
          "typed")}}},
    {"families",
     N_("Folders from Hugging Face"),
     N_("A folder downloaded from Hugging Face opens without changes and without a "
        "network. Weights are safetensors in F32, F16 or BF16, in one file or in "
        "several with their index. Each key of config.json is used, known to change "
        "no number, or rejected with its value and the expected one. Anything that a "
        "file needs and this program lacks is reported. Families:"),
     {{"GPT-2, GPT-Neo", N_("with tokenizer.json, or with vocab.json and merges.txt")},
      {"BERT, RoBERTa, DistilBERT",
       N_("with tokenizer.json or vocab.txt; predicts masked words if the file has "
          "the weights for it (BertForMaskedLM, BertForPreTraining), otherwise "
          "encoder-only; no classes, spans or next sentence")},
      {"Llama, Qwen2",
       N_("with tokenizer.json, or by ids (--source-ids) without it; no scaled rotary "
          "positions, at most 2^29 weights")}}},
    {"systems",
     N_("Other systems and screens"),
     N_("The program runs on Debian and Ubuntu (tried: Debian 12). On other systems it "
        "runs in a Debian of its own: README has the lines to type. `:options --save` "
        "keeps the options that suit you."),
     {{"Windows", N_("in WSL: wsl --install -d Debian; not tried")},
      {"macOS", N_("in the container of .devcontainer/, with podman or docker; built "
                   "and used on Linux, not tried on macOS")},
      {"SSH",
       N_("install the package once on a server; then ssh -t SERVER glassbox is enough "
          "for each student. History, lessons and options belong to the user, a "
          "session with a small model takes about 16 MB of memory, and scp copies "
          "figures. "
          "Tried with OpenSSH, in a terminal of 80 columns")},
      {N_("projector"),
       N_("enlarge the font until 80 columns and 24 lines are left: each stage fits. "
          "--theme dark draws a figure for a slide, and :page writes the walk for a "
          "browser. Only the sizes were tried, not a projector")},
      {N_("low vision"),
       N_(":options columns=8 digits=2 shows fewer numbers, for a larger font; "
          "palette=grey or cividis needs no hues, and color=never shows shades as "
          "characters. Figures have --font-size. Not tried by a reader with low "
          "vision")},
      {N_("screen reader"),
       N_("use the prompt, not --screen: it only adds lines. :options color=never "
          "pager=false; ask with :why and :because, and use :show rather than :heat "
          "and :map, which draw with characters. Tried with espeak-ng only: it speaks "
          "words, numbers and arrows, and skips bars, the · before a token and the ╱ "
          "of a masked cell")}}},
    {0},
};

/* Escape text for man(7): backslashes, hyphens, which may be broken, and periods and
 * apostrophes at the start of a line. */
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
    write_line(out, tr("Without a command it starts a prompt: type a sentence, press "
                       "Enter for the next stage, :help for the commands. Each command "
                       "also works in a shell, without the colon."));
    for (Group g = GROUP_NONE + 1; g < GROUPS; g++) {
        write_section(out, command_groups[g].title);
        for (const Command *const *row = commands; *row; row++) {
            const Command *command = *row;
            const Flag *flag;
            if (command->group != g) continue;
            build_text(out, ".TP\n.B ");
            write_plain(out, command->name);
            build_text(out, " ");
            if (command->arguments) write_plain(out, command->arguments);
            build_text(out, "\n");
            write_line(out, tr(command->summary));
            build_text(out, ".br\n");
            write_line(out, tr(command->details));
            for (int i = 0; (flag = command_flag(command, i)); i++) {
                if (flag == flags_display) break; /* they come last, in each command */
                build_text(out, ".br\n.B \\-\\-");
                write_plain(out, flag->name);
                build(out, "\n.I %s\n", flag->value ? flag->value : "\\&");
                write_line(out, tr(flag->help));
            }
        }
    }
    for (const Topic *topic = topics; topic->name; topic++) {
        write_section(out, topic->title);
        write_line(out, tr(topic->text));
        for (int r = 0; r < TOPIC_ROWS && topic->row[r].name; r++) {
            build_text(out, ".TP\n.B ");
            write_line(out, tr(topic->row[r].name));
            write_line(out, tr(topic->row[r].text));
        }
    }
    write_section(out, N_("EXIT STATUS"));
    write_line(out,
               tr("0 success, 1 failure, 2 wrong usage, 128+n ended by signal n."));
    write_section(out, N_("ENVIRONMENT"));
    build_text(out, ".TP\n.B NO_COLOR\n");
    write_line(out, tr("If set, output has no colors."));
    write_section(out, N_("FILES"));
    build_text(out, ".TP\n.I $XDG_CONFIG_HOME/glassbox/config.json\n");
    write_line(out, tr("The options saved by :options --save."));
    build_text(out, ".TP\n.I $XDG_STATE_HOME/glassbox/history\n");
    write_line(out, tr("The lines typed at the prompt."));
    build_text(out, ".TP\n.I $XDG_STATE_HOME/glassbox/lessons\n");
    write_line(out, tr("The progress and the answers of each lesson."));
    return builder_text(out);
}

/* Escape a cell of a Markdown table: a bar would end it, and <end> would be a tag. */
static void write_cell(Builder *out, const char *text) {
    for (; *text; text++) build(out, strchr("|<", *text) ? "\\%c" : "%c", *text);
}

/* "| `name rest` | text", without the end of the row. */
static void write_row(Builder *out, const char *name, const char *rest,
                      const char *text) {
    build(out, "| `%s%s", name, rest ? " " : "");
    write_cell(out, rest ? rest : "");
    build_text(out, "` | ");
    write_cell(out, tr(text));
}

/* Write the header of a table, with the first `columns` of these. */
static void write_head(Builder *out, int columns) {
    static const char *const head[] = {N_("name"), N_("meaning"), N_("default"),
                                       N_("values")};
    build_text(out, "\n");
    for (int c = 0; c < columns; c++) build(out, "| %s ", tr(head[c]));
    build_text(out, "|\n");
    for (int c = 0; c < columns; c++) build_text(out, "|---");
    build_text(out, "|\n");
}

static void write_options(Builder *out, const char *title, const Option *option) {
    build(out, "\n## %s\n", tr(title));
    write_head(out, 4);
    for (; option->name; option++) {
        write_row(out, option->name, NULL, option->help);
        build(out, " | %s | ", option->otherwise ? option->otherwise : "");
        write_cell(out, option_range(option, out->arena));
        build_text(out, " |\n");
    }
}

const char *help_reference(Arena *arena) {
    Builder builder = {.arena = arena};
    Builder *out = &builder;
    build(out, "# %s\n\n%s\n\n## %s\n", tr(N_("Reference")),
          tr(N_("The commands, addresses, model folders and options of glassbox. `make "
                "record` writes this file from the tables of the program; `:help "
                "COMMAND` and the man page say more about each command.")),
          tr(N_("Commands")));
    for (Group g = GROUP_NONE + 1; g < GROUPS; g++) {
        build(out, "\n### %s\n", tr(command_groups[g].title));
        write_head(out, 2);
        for (const Command *const *row = commands; *row; row++) {
            if ((*row)->group != g) continue;
            write_row(out, (*row)->name, (*row)->arguments, (*row)->summary);
            build_text(out, " |\n");
        }
    }
    for (const Topic *topic = topics; topic->name; topic++) {
        build(out, "\n## %s\n\n%s\n", tr(topic->title), tr(topic->text));
        write_head(out, 2);
        for (int r = 0; r < TOPIC_ROWS && topic->row[r].name; r++) {
            write_row(out, topic->row[r].name, NULL, topic->row[r].text);
            build_text(out, " |\n");
        }
    }
    build(out, "\n## %s\n", tr(N_("Presets")));
    write_head(out, 2);
    for (const Preset *preset = presets; preset->name; preset++) {
        write_row(out, preset->name, NULL, preset->summary);
        build_text(out, " |\n");
    }
    write_options(out, N_("Options of a model"), config_keys);
    write_options(out, N_("Keys of a training recipe"), recipe_keys);
    write_options(out, N_("Settings of the program"), display_options);
    return builder_text(out);
}
