#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/nearest.h"
#include "commands/commands.h"
#include "commands/help.h"
#include "kernel/blas.h"
#include "player/line.h"
#include "prompt/dispatch.h"
#include "session/program.h"
#include "session/stops.h"
#include "walk/glossary.h"

static bool run_help(Session *session, const Arguments *arguments, Error *error) {
    /* For packagers, and for lessons/REFERENCE.md. */
    static const struct {
        const char *flag;
        const char *(*write)(Arena *arena);
    } documents[] = {{"markdown", help_reference}, {"man", help_manual}};
    Page *page = &session->page;
    for (size_t d = 0; d < sizeof documents / sizeof *documents; d++)
        if (arguments_flag(arguments, documents[d].flag)) {
            page_document(page, documents[d].write(&session->scratch));
            return true;
        }
    const char *shell = arguments_flag(arguments, "completion");
    if (shell) {
        const char *text = help_completion(shell, &session->scratch);
        if (text) page_document(page, text);
        return text || fail_usage(error,
                                  "--completion is '%s'; expected bash, zsh or "
                                  "fish",
                                  shell);
    }
    if (arguments->words == 0) return help_first(page), true;
    const char *name = arguments->word[0];
    if (strcmp(name, "all") == 0) return help_all(page), true;
    if (strcmp(name, "flags") == 0) return help_flags(page), true;
    if (strcmp(name, "figures") == 0) return help_figures(page), true;
    for (const Topic *topic = topics; topic->name; topic++)
        if (strcmp(name, topic->name) == 0) return help_topic(topic, page), true;
    bool is_group = false; /* a command may have the same name */
    for (Group g = GROUP_NONE + 1; g < GROUPS; g++)
        if (strcmp(name, command_groups[g].name) == 0 ||
            strcmp(name, tr(command_groups[g].name)) == 0) {
            help_group(g, page);
            is_group = true;
        }
    const Command *command = command_find(name + (name[0] == ':'));
    if (command && is_group) page_gap(page);
    if (command) help_command(command, page);
    if (command || is_group) return true;
    Nearest nearest = {.word = name};
    for (const Command *const *row = commands; *row; row++)
        nearest_offer(&nearest, (*row)->name);
    return fail(error, "there is no command '%s'%s", name,
                nearest_question(&nearest, &session->scratch));
}

static bool run_version(Session *session, const Arguments *arguments, Error *error) {
    page_line(&session->page, "glassbox %s", program_version);
    page_line(&session->page, "GPL-3.0-or-later; no warranty.");
    if (!arguments_flag(arguments, "verbose")) return true;
    const char *blas = blas_describe(&session->scratch, error);
    if (blas) page_line(&session->page, "%s", blas);
    return blas;
}

static bool run_quit(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    session->input.done = true;
    return true;
}

static const Flag flags_help[] = {
    {"markdown", 0, NULL, N_("the reference, as Markdown")},
    {"man", 0, NULL, N_("the manual page")},
    {"completion", 0, "SHELL", N_("the completion for bash, zsh or fish")},
    {0},
};

static const Flag flags_version[] = {
    {"verbose", 0, NULL, N_("also the library for matrix products, and its choices")},
    {0},
};

const Command command_help = {
    .name = "help",
    .group = GROUP_PROGRAM,
    .arguments = "[all | GROUP | COMMAND | TOPIC]",
    .summary = N_("list the commands, or explain one"),
    .details = N_(
        "Topics: addresses, folders, families, systems, figures, flags. The help of a "
        "command ends with an example that you can run as it is; a file that it "
        "reads must be one of yours."),
    .example = ":help why",
    .words = {0, 1},
    .flags = {flags_help},
    .pages = true,
    .choice = CHOICE_COMMAND,
    .run = run_help,
};

const Command command_version = {
    .name = "version",
    .group = GROUP_PROGRAM,
    .summary = N_("show the version and license"),
    .details = N_("The program is free software under the GNU General Public License."),
    .example = ":version",
    .flags = {flags_version},
    .run = run_version,
};

const Command command_quit = {
    .name = "quit",
    .group = GROUP_PROGRAM,
    .summary = N_("quit (also: Ctrl-D)"),
    .details = N_("It does not ask: files are written only when you say so."),
    .example = ":quit",
    .only_prompt = true,
    .run = run_quit,
};

static bool run_define(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    Page *page = &session->page;
    const char *typed = arguments_text(arguments, arena);
    const GlossaryTerm *term = arguments->words ? glossary_find(typed) : NULL;
    Nearest nearest = {.word = typed};
    if (term) { /* with the stage that shows it, if this walk has one */
        page_section(page, glossary_name(term, arena));
        page_prose(page, term->text);
        if (term->idea && stops_find(session, term->idea, arena) >= 0)
            page_hint(page, "a stage that shows it",
                      arena_print(arena, ":goto %s", term->idea));
        return true;
    }
    if (arguments->words) {
        glossary_offer(&nearest, arena);
        return nearest.count
                   ? fail(error, "there is no term '%s'%s", typed,
                          nearest_question(&nearest, arena))
                   : fail(error, "there is no term '%s'; :define lists them", typed);
    }
    for (const Glossary *glossary = glossaries; glossary->title; glossary++) {
        Builder out = {.arena = arena};
        for (term = glossary->term; term->term; term++)
            build(&out, "%s%s", term == glossary->term ? "" : ", ",
                  glossary_name(term, arena));
        page_section(page, glossary->title);
        page_prose(page, builder_text(&out));
    }
    page_gap(page);
    page_hint(page, "explain one, by its English or Korean name", ":define softmax");
    return true;
}

const Command command_define = {
    .name = "define",
    .group = GROUP_LESSONS,
    .is_first = true,
    .arguments = "[TERM]",
    .summary = N_("explain a term"),
    .details = N_("The definition names a stage that shows the term. Without a term, "
                  "all are listed. Korean names also work."),
    .example = ":define softmax",
    .words = {0, 8},
    .pages = true,
    .choice = CHOICE_TERM,
    .run = run_define,
};

/* A file of lines in progress, with its own arena, since each line empties that of the
 * command. */
typedef struct {
    const char *path;
    Bytes rest;
    Arena arena;
} Script;

/* Fail before any line runs if the file has a NUL, so it is not text. */
static bool open_script(Script *script, const char *path, Error *error) {
    enum { LARGEST = 1 << 20 };
    Bytes *rest = &script->rest;
    *script = (Script){0};
    script->path = arena_copy(&script->arena, path, strlen(path));
    if (!file_read_regular(script->path, LARGEST, &script->arena, rest, error))
        return false;
    *rest = file_without_mark(*rest);
    const char *nul = memchr(rest->bytes, '\0', rest->size);
    int line = 1;
    for (const char *c = rest->bytes; nul && c < nul; c++) line += *c == '\n';
    return !nul || fail(error,
                        "%s:%d: the line has a NUL byte, so this is not a "
                        "text file",
                        script->path, line);
}

static bool run_lines(Session *session, Script *script, Error *error) {
    Bytes *rest = &script->rest;
    for (int number = 1; rest->size && !session->input.done; number++) {
        const char *line = file_line(rest, &script->arena);
        Error problem;
        /* Print the line as at the prompt; a comment unchanged. */
        session_clear(session);
        page_line(&session->page, "%s%s",
                  dispatch_is_comment(line) ? ""
                  : *line                   ? "> "
                                            : ">",
                  session_safe(session, line));
        page_flush(&session->page);
        if (line_run(session, line, &problem)) continue;
        if (interrupt_signal()) return interrupt_none(error);
        fail(error, "%s:%d: %s", script->path, number, problem.message);
        memcpy(error->details, problem.details, sizeof error->details);
        return false;
    }
    return true;
}

static bool run_read(Session *session, const Arguments *arguments, Error *error) {
    Script script;
    if (session->input.is_file)
        return fail(error, "a file is being read; its lines cannot read another file");
    bool done = open_script(&script, arguments->word[0], error);
    session->input.is_file = true;
    done = done && run_lines(session, &script, error);
    session->input.is_file = false;
    arena_free(&script.arena);
    return done;
}

const Command command_read = {
    .name = "read",
    .group = GROUP_PROGRAM,
    .arguments = "FILE",
    .summary = N_("run the lines of a file"),
    .details = N_(
        "Each line is shown before it runs; # starts a comment. If a line fails, its "
        "number is reported and reading stops. Lines act as if you had typed them: "
        "one that ends with --force overwrites any file that you may write, so look "
        "into a file that is not yours before you run it."),
    .example = ":read lines.txt",
    .words = {1, 1},
    .choice = CHOICE_FILE,
    .run = run_read,
};
