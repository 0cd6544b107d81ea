#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "commands/commands.h"
#include "commands/help.h"
#include "ops/blas.h"
#include "session/program.h"

static const char *const group = N_("The program");

static void list_settings(Session *session) {
    Arena *arena = &session->scratch;
    int count = 0;
    while (display_options[count].name) count++;
    ListItem *item = ARENA_ARRAY(arena, ListItem, count);
    for (int s = 0; s < count; s++)
        item[s] = (ListItem){
            .name = display_options[s].name,
            .value = option_print(&display_options[s], &session->options, arena),
            .text = said(display_options[s].help),
        };
    page_list(&session->page, LIST_SETTINGS, item, count);
}

static bool set_option(Display *options, const char *assignment, Arena *arena,
                       Error *error) {
    size_t length = strcspn(assignment, "=");
    const char *name = arena_copy(arena, assignment, length);
    const char *value = assignment + length + 1;
    if (!assignment[length])
        return fail(error,
                    "write name=value, such as digits=4; :options lists the names");
    const Option *setting = option_find(display_options, name);
    if (!setting)
        return fail(error, "there is no option '%s'; :options lists them", name);
    return option_set(setting, options, value, arena) ||
           fail(error, "%s is '%s'; it must be %s", name, value,
                option_range(setting, arena));
}

static bool run_options(Session *session, const Arguments *arguments, Error *error) {
    for (int w = 0; w < arguments->words; w++)
        if (!set_option(&session->options, arguments->word[w], &session->scratch,
                        error))
            return false;
    language_choose(session->options.language);
    list_settings(session);
    return true;
}

/* What packagers and README are made from. */
typedef struct {
    const char *flag;
    const char *(*write)(Arena *arena);
} Document;

static const Document documents[] = {
    {"markdown", help_markdown},
    {"man", help_manual},
    {"completion", help_completion},
    {0},
};

/* What concerns several commands. */
typedef struct {
    const char *name;
    void (*write)(Page *page);
} Topic;

static const Topic topics[] = {
    {"flags", help_flags},
    {"figures", help_figures},
    {0},
};

static bool run_help(Session *session, const Arguments *arguments, Error *error) {
    for (const Document *document = documents; document->flag; document++)
        if (arguments_flag(arguments, document->flag)) {
            page_document(&session->page, document->write(&session->scratch));
            return true;
        }
    if (arguments->words == 0) {
        help_list(&session->page);
        return true;
    }
    const char *name = arguments->word[0];
    for (const Topic *topic = topics; topic->name; topic++)
        if (strcmp(name, topic->name) == 0) {
            topic->write(&session->page);
            return true;
        }
    const Command *command = command_find(name + (name[0] == ':'));
    if (command) {
        help_command(command, &session->page);
        return true;
    }
    Nearest nearest = {.word = name};
    for (const Command *const *row = commands; *row; row++)
        nearest_offer(&nearest, (*row)->name);
    return fail(error, "there is no command '%s'%s", name,
                nearest_question(&nearest, &session->scratch));
}

static bool run_version(Session *session, const Arguments *arguments, Error *error) {
    page_line(&session->page, "glassbox %s", program_version);
    page_line(&session->page, "GPL-3.0-or-later; there is no warranty.");
    if (!arguments_flag(arguments, "verbose")) return true;
    const char *blas = blas_describe(&session->scratch, error);
    if (blas) page_line(&session->page, "%s", blas);
    return blas;
}

static bool run_quit(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    session->done = true;
    return true;
}

static const Flag flags_help[] = {
    {"markdown", 0, NULL, N_("the table of commands, for README")},
    {"man", 0, NULL, N_("the manual page")},
    {"completion", 0, NULL, N_("the completion for bash")},
    {0},
};

static const Flag flags_version[] = {
    {"verbose", 0, NULL, N_("also the library that multiplies, and its choices")},
    {0},
};

const Command command_options = {
    .name = "options",
    .group = group,
    .arguments = "[NAME=VALUE ...]",
    .summary = N_("show or change how numbers are shown"),
    .details = N_("They hold until the program ends."),
    .example = ":options digits=4 candidates=3",
    .most = WORDS_MAX,
    .only_prompt = true,
    .pages = true,
    .choice = CHOICE_SETTING,
    .run = run_options,
};

const Command command_help = {
    .name = "help",
    .group = group,
    .arguments = "[COMMAND | figures | flags]",
    .summary = N_("list the commands, or tell all about one"),
    .details = N_("Ends with an example that runs as it stands; a file it reads is one "
                  "of yours."),
    .example = ":help why",
    .most = 1,
    .flags = {flags_help},
    .pages = true,
    .choice = CHOICE_COMMAND,
    .run = run_help,
};

const Command command_version = {
    .name = "version",
    .group = group,
    .arguments = "",
    .summary = N_("show the version and the licence"),
    .details = N_("The program is free software under the GNU General Public License."),
    .example = ":version",
    .flags = {flags_version},
    .run = run_version,
};

const Command command_quit = {
    .name = "quit",
    .group = group,
    .arguments = "",
    .summary = N_("leave (so does Ctrl-D)"),
    .details = N_("Nothing is asked: files are written when you ask for them."),
    .example = ":quit",
    .only_prompt = true,
    .run = run_quit,
};
