#include "base/builder.h"
#include "base/language.h"
#include "commands/help.h"
#include "session/program.h"

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

static void write_paragraph(Builder *out, const char *text) {
    write_plain(out, text);
    build_text(out, "\n");
}

static void write_section(Builder *out, const char *title) {
    build(out, ".SH %s\n", said(title));
}

static void write_command(Builder *out, const Command *command) {
    build_text(out, ".TP\n.B ");
    write_plain(out, command->name);
    build_text(out, " ");
    write_plain(out, command->arguments);
    build_text(out, "\n");
    write_paragraph(out, said(command->summary));
    build_text(out, ".br\n");
    write_paragraph(out, said(command->details));
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++) {
        if (flag == flags_display) break; /* they come last, and in every command */
        build_text(out, ".br\n.B \\-\\-");
        write_plain(out, flag->name);
        build(out, "\n.I %s\n", flag->value ? flag->value : "\\&");
        write_paragraph(out, said(flag->help));
    }
}

const char *help_manual(Arena *arena) {
    Builder builder = {.arena = arena};
    Builder *out = &builder;
    build(out, ".TH GLASSBOX 1 \"\" \"glassbox %s\"\n", program_version);
    write_section(out, N_("NAME"));
    build_text(out, "glassbox \\- ");
    write_paragraph(out, said("every number of a Transformer, seen, traced and drawn"));
    write_section(out, N_("SYNOPSIS"));
    build_text(out, ".B glassbox\n.RI [ \"COMMAND ...\" ]\n");
    write_section(out, N_("DESCRIPTION"));
    write_paragraph(
        out, said("Without a command it starts a prompt: type a sentence, press Enter "
                  "for the next stage, :help for the commands. Each works in a shell "
                  "too, without the colon."));
    for (const Command *const *row = commands; *row; row++) {
        if (command_opens_group(row)) write_section(out, (*row)->group);
        write_command(out, *row);
    }
    write_section(out, N_("EXIT STATUS"));
    write_paragraph(out, said("0 done, 1 it could not be done, 2 wrong usage, 128+n "
                              "ended by signal n."));
    write_section(out, N_("ENVIRONMENT"));
    build_text(out, ".TP\n.B NO_COLOR\n");
    write_paragraph(out, said("Where it is set, nothing is coloured."));
    write_section(out, N_("FILES"));
    build_text(out, ".TP\n.I $XDG_STATE_HOME/glassbox/history\n");
    write_paragraph(out, said("The lines that were typed at the prompt."));
    build_text(out, ".TP\n.I $XDG_STATE_HOME/glassbox/lessons\n");
    write_paragraph(out, said("How far each lesson is, and how it was answered."));
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
