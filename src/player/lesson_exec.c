#include "player/lesson_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "change/answer.h"
#include "command/command.h"
#include "player/lessons.h"
#include "prompt/dispatch.h"
#include "session/program.h"

/* Commands for the user, not for lessons. */
static const char *const not_allowed[] = {
    "lesson", "hint",   "answer", "skip",           "where", "stop",
    "read",   "screen", "quit",   "options --save", NULL};

/* Commands that write without -o. */
static const char *const writers[] = {"train", "draw", NULL};

static bool is_among(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

/* Return true if the path leaves its folder: "/...", "~...", or ".." as a component. */
static bool is_outside(const char *path) {
    if (*path == '/' || *path == '~') return true;
    for (const char *c = path; (c = strstr(c, "..")); c += 2)
        if ((c == path || c[-1] == '/') && (c[2] == '/' || c[2] == '\0')) return true;
    return false;
}

bool lesson_exec_stays(const char *path, const char *folder, Arena *arena,
                       Error *error) {
    if (is_outside(path))
        return fail(error,
                    "a lesson cannot use '%s'; expected a plain file name in its own "
                    "folder",
                    path);
    for (const char *c = path; folder && *c; c++) {
        struct stat status;
        if (c[1] && c[1] != '/') continue;
        const char *part = arena_copy(arena, path, (size_t)(c + 1 - path));
        if (lstat(file_join(arena, folder, part), &status) == 0 &&
            S_ISLNK(status.st_mode))
            return fail(error,
                        "a lesson cannot use '%s', because that link leads out of "
                        "its folder",
                        path);
    }
    return true;
}

/* Return false for lines that are not commands or cannot be parsed: they fail without
 * any effect. */
static bool parse_command(const char *line, Arguments *arguments, Arena *arena) {
    const char **word = ARENA_ARRAY(arena, const char *, WORDS_MAX);
    const char *command = dispatch_command(line);
    int words = 0;
    Error unread;
    return command && command_split(command, arena, word, &words, &unread) && words &&
           command_parse(word, words, arguments, arena, &unread);
}

bool lesson_exec_allows(const char *line, const char *folder, Arena *arena,
                        Error *error) {
    Arguments arguments;
    if (!parse_command(line, &arguments, arena)) return true;
    const char *name =
        arguments_flag(&arguments, "save") ? "options --save" : arguments.command->name;
    if (is_among(name, not_allowed))
        return fail(error, "a lesson cannot run :%s; only you can type it", name);
    for (int w = 0; w < arguments.words; w++)
        if (!lesson_exec_stays(arguments.word[w], folder, arena, error)) return false;
    for (int f = 0; f < arguments.flags; f++) {
        /* "data=/etc/passwd" is not a path, but the part after = may be one. */
        const char *sign = strchr(arguments.value[f], '=');
        if (!lesson_exec_stays(arguments.value[f], folder, arena, error) ||
            (sign && !lesson_exec_stays(sign + 1, folder, arena, error)))
            return false;
    }
    return true;
}

bool lesson_exec_allows_recipe(const Recipe *recipe, Arena *arena, Error *error) {
    for (const Option *key = recipe_keys; key->name; key++)
        if (key->kind == &recipe_path_kind &&
            !lesson_exec_stays(option_print(key, recipe, arena), ".", arena, error))
            return false;
    return true;
}

bool lesson_exec_allows_grammar(const Grammar *grammar, Error *error) {
    long long sentences = 0;
    for (int s = 0; s < SPLITS; s++) sentences += grammar->size[s];
    return sentences <= LESSON_SENTENCES_MAX ||
           fail(error, "%s asks for %lld sentences; a lesson can generate at most %d",
                grammar->path, sentences, LESSON_SENTENCES_MAX);
}

static bool writes(const Arguments *arguments) {
    return is_among(arguments->command->name, writers) ||
           arguments_flag(arguments, "output");
}

bool lesson_exec_writes(const char *line, Arena *arena) {
    Arguments arguments;
    return parse_command(line, &arguments, arena) && writes(&arguments);
}

/* Return true if it reads or writes a file that must be in the lesson's folder. */
static bool names_files(const char *line, Arena *arena) {
    Arguments arguments;
    return parse_command(line, &arguments, arena) &&
           (writes(&arguments) || arguments.command->choice == CHOICE_FILE ||
            arguments_flag(&arguments, "tokenizer"));
}

bool lesson_exec_shares_folder(const Lesson *lesson, Arena *arena) {
    bool shares = lesson->files > 0;
    for (int s = 0; s < lesson->steps && !shares; s++) {
        const LessonStep *step = &lesson->step[s];
        const Quiz *question = step->question;
        shares = step->kind == STEP_FIGURE ||
                 (step->kind == STEP_TYPED && names_files(step->typed.text, arena));
        for (int c = 0; question && c < question->commands && !shares; c++)
            shares = names_files(question->command[c], arena);
    }
    return shares;
}

bool lesson_exec_enter(const char *folder, EnteredFolder *entered, Error *error) {
    entered->before = -1;
    if (!folder) return true;
    entered->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (entered->before < 0)
        return fail(error,
                    "cannot come back from %s, because this folder cannot be "
                    "opened: %s",
                    folder, error_reason(errno));
    /* Reject a link that has replaced the folder. */
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool done = file >= 0 && fchdir(file) == 0;
    if (!done) {
        fail(error, "cannot enter %s: %s", folder, error_reason(errno));
        lesson_exec_leave(entered);
    }
    if (file >= 0) close(file);
    return done;
}

void lesson_exec_leave(const EnteredFolder *entered) {
    if (entered->before < 0) return;
    if (fchdir(entered->before) != 0) errno = 0; /* if the folder is gone, stay */
    close(entered->before);
}

/* A lesson's line can access its folder, if there is one, and the program's models. */
static Confinement confinement(bool has_folder, Arena *arena) {
    return (Confinement){.is_on = true,
                         .has_folder = has_folder,
                         .own = program_folder("models", arena),
                         .bytes_max = LESSON_BYTES_MAX};
}

bool lesson_exec_begin(Session *session, const Lesson *lesson, Error *error) {
    Arena arena = {0};
    /* The user may have a model here that is not part of the program. */
    Confinement before = confine(confinement(true, &arena));
    bool done = !lesson->model || session_open(session, lesson->model, error);
    confine(before);
    arena_free(&arena);
    if (!done) return false;
    session_forget(session);
    tape_reset(&session->toy.tape);
    session->options.depth = lesson->depth;
    for (int l = 0; languages[l]; l++)
        if (strcmp(languages[l], lesson->language) == 0) session->options.language = l;
    language_choose(session->options.language);
    return true;
}

bool lesson_exec_by(Session *session, RunLine *run, const char *line,
                    const char *folder, Error *error) {
    EnteredFolder entered;
    if (!lesson_exec_allows(line, folder, &session->scratch, error) ||
        !lesson_exec_enter(folder, &entered, error))
        return false;
    Arena arena = {0};
    Confinement before = confine(confinement(folder != NULL, &arena));
    session->lesson.is_typing = true;
    bool done = run(session, line, error) && page_done(&session->page, error);
    session->lesson.is_typing = false;
    confine(before);
    arena_free(&arena);
    lesson_exec_leave(&entered);
    return done;
}

bool lesson_exec(Session *session, const char *line, const char *folder, Error *error) {
    return lesson_exec_by(session, dispatch_meant, line, folder, error);
}

bool lesson_exec_answer(Session *session, const Quiz *question, const char *folder,
                        Error *error) {
    for (int c = 0; c < question->commands; c++)
        if (!lesson_exec(session, question->command[c], folder, error)) return false;
    return true;
}

bool lesson_exec_replay(Session *session, const Lesson *lesson, int to,
                        const char *folder, Error *error) {
    const Window *page = session->page.window;
    const Window *messages = session->messages.window;
    Error unseen; /* if it fails, the lesson shows the error */
    session->page.window = session->messages.window = NULL;
    bool done = lesson_exec_begin(session, lesson, error);
    for (int s = 0; done && s < to; s++) {
        const LessonStep *step = &lesson->step[s];
        const char *line = step->typed.text;
        session_clear(session);
        if (step->kind == STEP_TYPED && !lesson_exec_writes(line, &session->scratch))
            lesson_exec(session, line, folder, &unseen);
        if (step->kind == STEP_QUESTION && step->question->asks == ASKS_STATE)
            lesson_exec_answer(session, step->question, folder, &unseen);
    }
    session_clear(session);
    session_did(session, DID_RUN);
    session->page.window = page;
    session->messages.window = messages;
    return done && interrupt_none(error);
}

AtHand lesson_exec_at_hand(Session *session) {
    Arena *arena = &session->scratch;
    Story story = session_story(session);
    const Run *run = session->run;
    /* The answer must come from the model without help. */
    const char *not_its_own =
        run->target_given && session->model.config.model_type != MODEL_CLASSIFIER
            ? N_("The target was given. Type the sentence again to let the model "
                 "answer on its own.")
        : run->branches.at > 0 ? N_("You picked tokens, so this is not the model's own "
                                    "answer. Type :branches 0 to go back to it.")
                               : NULL;
    bool has_answer = session->has_model && run->is_made && !not_its_own;
    return (AtHand){
        .record = session_record(session),
        .answer = has_answer ? answer_of(&story, arena).best : NULL,
        .no_answer = not_its_own,
        .config = session->has_model ? &session->model.config : NULL,
        .arena = arena,
    };
}

bool lesson_exec_right_answer(Session *session, const Quiz *question,
                              const char **answer, Error *error) {
    AtHand at_hand = lesson_exec_at_hand(session);
    if (!judge_right_answer(question, &at_hand, answer, error)) return false;
    if (question->asks == ASKS_CHOICE)
        *answer = arena_print(at_hand.arena, "%s) %s", *answer,
                              question->choice[(*answer)[0] - 'a'].text);
    return true;
}

bool lesson_exec_accepts(Session *session, const Quiz *question, const char *answer,
                         Error *error) {
    Judgement judgement;
    AtHand at_hand = lesson_exec_at_hand(session);
    if (!judge(question, answer, &at_hand, &judgement, error)) return false;
    if (judgement.verdict == JUDGED_RIGHT) return true;
    return question->asks == ASKS_STATE
               ? fail(error, "its answer does not make the condition true. %s",
                      judgement.reply)
               : fail(error, "its own answer, '%s', is not accepted as right", answer);
}

void recorder_begin(Recorder *recorder, Arena *arena) {
    enum { WIDTH = 80, NEVER = 1 };
    Session *session = session_new(arena);
    *recorder = (Recorder){.session = session, .arena = arena, .printed.arena = arena};
    recorder->out = builder_stream(&recorder->printed);
    session->options.width = WIDTH;
    session->options.color = NEVER;
    recorder->window = window_text_new(arena, recorder->out, &session->options.width,
                                       &session->options.color);
    session->page.window = session->messages.window = &recorder->window->window;
}

const char *recorder_run(Recorder *recorder, const char *line) {
    Session *session = recorder->session;
    Error error;
    fflush(recorder->out);
    recorder->printed.count = 0;
    if (!lesson_exec(session, line, recorder->scratch.folder, &error)) {
        session->page.failed = session->messages.failed = false;
        fprintf(recorder->out, "%s%s\n", session_safe(session, error.message),
                error.details);
    }
    fflush(recorder->out);
    return arena_copy(recorder->arena, recorder->printed.text,
                      (size_t)recorder->printed.count);
}

void recorder_end(Recorder *recorder, const Session *own) {
    window_text_free(recorder->window);
    fclose(recorder->out);
    if (recorder->scratch.folder) scratch_folder_remove(&recorder->scratch);
    session_free(recorder->session);
    language_choose(own->options.language);
}
