#include "shell/help.h"

#include <string.h>

#include "shell/show.h"
#include "text/unicode.h"

static const char *usage(const Command *command, Arena *arena) {
    return *command->arguments
               ? arena_print(arena, "%s %s", command->name, command->arguments)
               : command->name;
}

void help_list(Session *session) {
    enum { USAGE_WIDTH = 28 };
    Arena *arena = &session->scratch;
    FILE *out = session->out;
    fputs("Type a sentence to run the model on it, and Enter for the next stage.\n"
          "Sentences with | between them are a batch (write \\| for a bar, \\: for a "
          "colon in front).\n",
          out);
    for (const Command *const *row = commands; *row; row++) {
        const Command *command = *row;
        if (command_opens_group(row)) fprintf(out, "\n%s\n", command->group);
        fprintf(out, "  :%s %s\n",
                unicode_pad(usage(command, arena), USAGE_WIDTH, false, arena),
                command->summary);
    }
    fputs("\n:help COMMAND tells more. Each works in a shell too: glassbox why ... "
          "--source \"...\"\n",
          out);
}

static void print_flags(Session *session, const Command *command) {
    enum { FLAG_WIDTH = 24 };
    Arena *arena = &session->scratch;
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++) {
        const char *letter =
            flag->letter ? arena_print(arena, "-%c, ", flag->letter) : "";
        const char *text = arena_print(arena, "%s--%s %s", letter, flag->name,
                                       flag->value ? flag->value : "");
        fprintf(session->out, "  %s %s\n", unicode_pad(text, FLAG_WIDTH, false, arena),
                flag->help);
    }
}

static void print_keys(Session *session) {
    enum { KEY_WIDTH = 34 };
    Arena *arena = &session->scratch;
    fputs("\nPresets\n", session->out);
    for (const Preset *preset = presets; preset->name; preset++)
        fprintf(session->out, "  %s %s\n",
                unicode_pad(preset->name, KEY_WIDTH, false, arena), preset->summary);
    fputs("\nOptions of a model\n", session->out);
    for (const ConfigKey *key = config_keys; key->name; key++)
        fprintf(session->out, "  --%s %s (%s)\n",
                unicode_pad(config_flag(key, arena), KEY_WIDTH - 2, false, arena),
                key->help, config_range(key, arena));
}

void help_command(Session *session, const Command *command) {
    FILE *out = session->out;
    fprintf(out, ":%s\n  %s\n\n", usage(command, &session->scratch), command->summary);
    show_text(session, command->details);
    fputs("\n", out);
    print_flags(session, command);
    if (command->takes_options) print_keys(session);
    fprintf(out, "\nExample\n  %s\n", command->example);
}

void help_markdown(FILE *out) {
    fputs("| command | what it does |\n|---|---|\n", out);
    for (const Command *const *row = commands; *row; row++) {
        fprintf(out, "| `%s%s", (*row)->name, *(*row)->arguments ? " " : "");
        for (const char *c = (*row)->arguments; *c; c++)
            fprintf(out, *c == '|' ? "\\%c" : "%c", *c);
        fprintf(out, "` | %s |\n", (*row)->summary);
    }
}

void help_program(FILE *out) {
    fputs("usage: glassbox                  start the prompt\n"
          "       glassbox COMMAND ...      run one command; glassbox help lists them\n"
          "       glassbox < FILE           run the lines of a file\n\n"
          "examples\n"
          "  glassbox draw 'encoder.0.self_attention.weights[head=0]' \\\n"
          "      --source \"나는 어제 친구를 만났다.\" -o weights.png\n"
          "  glassbox why 'logits[target=0, vocabulary=7]' --source \"good morning\"\n"
          "  glassbox trace --source \"good morning\" -o run.npz\n",
          out);
}
