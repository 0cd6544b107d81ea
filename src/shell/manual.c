#include "shell/help.h"
#include "shell/version.h"

/* In man(7) a backslash begins an escape and a hyphen may be broken: both are spelled
 * out, and so is a point or an apostrophe that begins a line. */
static void write_plain(FILE *out, const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
    }
}

static void write_paragraph(FILE *out, const char *text) {
    write_plain(out, text);
    fputs("\n", out);
}

static void write_command(FILE *out, const Command *command) {
    fputs(".TP\n.B ", out);
    write_plain(out, command->name);
    fputs(" ", out);
    write_plain(out, command->arguments);
    fputs("\n", out);
    write_paragraph(out, command->summary);
    fputs(".br\n", out);
    write_paragraph(out, command->details);
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++) {
        if (flag == flags_display) break; /* they come last, and in every command */
        fputs(".br\n.B \\-\\-", out);
        write_plain(out, flag->name);
        fprintf(out, "\n.I %s\n", flag->value ? flag->value : "\\&");
        write_paragraph(out, flag->help);
    }
}

void help_manual(FILE *out) {
    fprintf(
        out,
        ".TH GLASSBOX 1 \"\" \"glassbox %s\"\n.SH NAME\nglassbox \\- every number of a "
        "Transformer, seen, traced and drawn\n.SH SYNOPSIS\n.B glassbox\n.RI [ "
        "\"COMMAND ...\" ]\n.SH DESCRIPTION\nWithout a command it starts a prompt: "
        "type a sentence, press Enter for the next stage, :help for the commands. "
        "Each works in a shell too, without the colon.\n",
        glassbox_version);
    for (const Command *const *row = commands; *row; row++) {
        if (command_opens_group(row)) fprintf(out, ".SH %s\n", (*row)->group);
        write_command(out, *row);
    }
    fputs(".SH EXIT STATUS\n0 done, 1 it could not be done, 2 wrong usage, 128+n ended "
          "by "
          "signal n.\n.SH ENVIRONMENT\n.B NO_COLOR\nswitches colours off. History is "
          "kept in "
          "\n.I $XDG_STATE_HOME/glassbox/history\n",
          out);
}

void help_completion(FILE *out) {
    fputs("# Completion of glassbox for bash.\n_glassbox() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
          "    if [ $COMP_CWORD = 1 ]; then words=\"",
          out);
    for (const Command *const *row = commands; *row; row++)
        if (!(*row)->only_prompt) fprintf(out, "%s ", (*row)->name);
    fputs("\"; else case $command in\n", out);
    for (const Command *const *row = commands; *row; row++) {
        if ((*row)->only_prompt) continue;
        fprintf(out, "        %s) words=\"", (*row)->name);
        const Flag *flag;
        for (int i = 0; (flag = command_flag(*row, i)); i++)
            fprintf(out, "--%s ", flag->name);
        Arena arena = {0};
        for (const ConfigKey *key = config_keys; (*row)->takes_options && key->name;
             key++)
            fprintf(out, "--%s ", config_flag(key, &arena));
        arena_free(&arena);
        fputs("\" ;;\n", out);
    }
    fputs(
        "    esac; fi\n"
        "    case $word in\n"
        "        -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
        "        *) [ $COMP_CWORD = 1 ] && COMPREPLY=($(compgen -W \"$words\" -- "
        "\"$word\"))\n"
        "           [ $COMP_CWORD = 1 ] || COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
        "    esac\n}\ncomplete -F _glassbox glassbox\n",
        out);
}
