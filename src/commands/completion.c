/* completion.c - the completions of commands and flags for shells. */
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "commands/help.h"

/* The file of a shell, built from templates in which %c is a command, %f a flag, and
 * %t what it does. */
typedef struct {
    const char *name;
    const char *begin, *command, *middle, *flags, *flag, *value, *after_flags, *end;
} Shell;

static const Shell shells[] = {
    {.name = "bash",
     .begin =
         "# Completion of glassbox for bash.\n_glassbox() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=\n"
         "    if [ $COMP_CWORD = 1 ]; then words=\"",
     .command = "%c ",
     .middle = "\"; else case $command in\n",
     .flags = "        %c) words=\"",
     .flag = "--%f ",
     .value = "--%f ",
     .after_flags = "\" ;;\n",
     .end = "    esac; fi\n"
            "    case $word in\n"
            "        -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
            "        *) [ $COMP_CWORD = 1 ] && "
            "COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
            "           [ $COMP_CWORD = 1 ] || "
            "COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
            "    esac\n}\ncomplete -F _glassbox glassbox\n"},
    {.name = "zsh",
     .begin = "#compdef glassbox\nlocal -a words_of\n"
              "if (( CURRENT == 2 )); then\n    words_of=(\n",
     .command = "        '%c:%t'\n",
     .middle = "    )\n    _describe command words_of\n    return\nfi\n"
               "case $words[2] in\n",
     .flags = "    %c) words_of=(\n",
     .flag = "        '--%f:%t'\n",
     .value = "        '--%f:%t'\n",
     .after_flags = "    ) ;;\n",
     .end = "esac\nif [[ $PREFIX == -* ]]; then\n    _describe -o option words_of\n"
            "else\n    _files\nfi\n"},
    {.name = "fish",
     .begin = "# Completion of glassbox for fish.\n",
     .command = "complete -c glassbox -n __fish_use_subcommand -f -a %c -d '%t'\n",
     .middle = "",
     .flags = "",
     .flag = "complete -c glassbox -n '__fish_seen_subcommand_from %c' -l %f -d '%t'\n",
     .value =
         "complete -c glassbox -n '__fish_seen_subcommand_from %c' -l %f -r -d '%t'\n",
     .after_flags = "",
     .end = ""},
};

/* Append a template. The text stands between single quotes. */
static void fill(Builder *out, const char *form, const char *command, const char *flag,
                 const char *text) {
    for (; *form; form++) {
        const char *place = form[0] == '%' && form[1] ? strchr("cft", form[1]) : NULL;
        if (!place) {
            build(out, "%c", *form);
            continue;
        }
        const char *word = *place == 'c' ? command : *place == 'f' ? flag : text;
        for (; *word; word++) build(out, *word == '\'' ? "'\\''" : "%c", *word);
        form++;
    }
}

const char *help_completion(const char *shell_name, Arena *arena) {
    Builder out = {.arena = arena};
    const Shell *shell = shells;
    while (strcmp(shell->name, shell_name) != 0)
        if (++shell == shells + sizeof shells / sizeof *shells) return NULL;
    build_text(&out, shell->begin);
    for (const Command *const *row = commands; *row; row++)
        if (!(*row)->only_prompt)
            fill(&out, shell->command, (*row)->name, "", tr((*row)->summary));
    build_text(&out, shell->middle);
    for (const Command *const *row = commands; *row; row++) {
        if ((*row)->only_prompt) continue;
        fill(&out, shell->flags, (*row)->name, "", "");
        const Flag *flag;
        for (int i = 0; (flag = command_flag(*row, i)); i++)
            fill(&out, flag->value ? shell->value : shell->flag, (*row)->name,
                 flag->name, tr(flag->help));
        for (const Option *key = config_keys; (*row)->takes_options && key->name; key++)
            fill(&out, shell->value, (*row)->name, option_flag(key, arena),
                 tr(key->help));
        build_text(&out, shell->after_flags);
    }
    build_text(&out, shell->end);
    return builder_text(&out);
}
