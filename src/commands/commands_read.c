#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "commands/commands.h"
#include "player/line.h"
#include "text/unicode.h"

/* A file of lines on the way; all of it in an arena of its own, since each line empties
 * the one of the command. */
typedef struct {
    const char *path;
    Bytes rest;
    int line; /* from 1 on */
    Arena arena;
} Script;

/* Without the mark that some editors put in front of UTF-8. */
static Bytes without_mark(Bytes text) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t size = strlen(mark);
    bool has_mark = text.size >= size && memcmp(text.bytes, mark, size) == 0;
    return has_mark ? (Bytes){text.bytes + size, text.size - size} : text;
}

/* Before any line runs: a file that holds a NUL is none of text. */
static bool is_text(const Script *script, Error *error) {
    const char *nul = memchr(script->rest.bytes, '\0', script->rest.size);
    int line = 1;
    for (const char *c = script->rest.bytes; nul && c < nul; c++) line += *c == '\n';
    return !nul || fail(error, "%s:%d: the line holds a NUL byte: this is no text",
                        script->path, line);
}

static bool open_script(Script *script, const char *path, Error *error) {
    enum { LARGEST = 1 << 20 };
    Bytes text;
    *script = (Script){0};
    script->path = arena_copy(&script->arena, path, strlen(path));
    if (!file_read_regular(script->path, LARGEST, &script->arena, &text, error))
        return false;
    script->rest = without_mark(text);
    return is_text(script, error);
}

/* The next line without its end. */
static Bytes cut_line(Script *script) {
    Bytes *rest = &script->rest;
    const char *end = memchr(rest->bytes, '\n', rest->size);
    size_t size = end ? (size_t)(end - rest->bytes) : rest->size;
    size_t used = size + (end != NULL);
    Bytes line = {rest->bytes, size};
    *rest = (Bytes){rest->bytes + used, rest->size - used};
    if (size && line.bytes[size - 1] == '\r') line.size--;
    script->line++;
    return line;
}

/* As it would stand at the prompt; a comment as it is. */
static void echo(Session *session, Bytes line) {
    size_t blanks = 0;
    while (blanks < line.size && strchr(" \t", line.bytes[blanks])) blanks++;
    bool is_comment = blanks < line.size && line.bytes[blanks] == '#';
    session_clear(session);
    page_line(&session->page, "%s%s",
              is_comment  ? ""
              : line.size ? "> "
                          : ">",
              unicode_escape(line.bytes, line.size, &session->scratch));
    page_flush(&session->page);
}

static bool run_lines(Session *session, Script *script, Error *error) {
    while (script->rest.size && !session->done) {
        Bytes line = cut_line(script);
        Error problem;
        echo(session, line);
        if (line_run(session, line.bytes, line.size, &problem)) continue;
        if (interrupt_signal()) return interrupt_none(error);
        fail(error, "%s:%d: %s", script->path, script->line, problem.message);
        memcpy(error->details, problem.details, sizeof error->details);
        return false;
    }
    return true;
}

static bool run_read(Session *session, const Arguments *arguments, Error *error) {
    Script script;
    if (session->reads_file)
        return fail(error, "a file is being read: its lines cannot read another one");
    bool done = open_script(&script, arguments->word[0], error);
    session->reads_file = true;
    done = done && run_lines(session, &script, error);
    session->reads_file = false;
    arena_free(&script.arena);
    return done;
}

const Command command_read = {
    .name = "read",
    .group = N_("The program"),
    .arguments = "FILE",
    .summary = N_("run the lines of a file as if they were typed"),
    .details = N_(
        "Each line is shown before it runs; # begins a comment. A line that "
        "fails is named, and ends the reading. The lines do what they would do if you "
        "typed them: one that ends with --force overwrites any file that you "
        "may write, so look into a file that is not yours before."),
    .example = ":read lines.txt",
    .least = 1,
    .most = 1,
    .choice = CHOICE_FILE,
    .run = run_read,
};
