/* lesson_exec.h - run the lines of a lesson, for the player, the checker and the page.
 *
 * A lesson comes from anywhere. Its lines are the program's own commands and sentences
 * and nothing else; those that name files work in the lesson's output folder, with
 * plain names. */
#pragma once

#include <stdio.h>

#include "base/builder.h"
#include "grammar/grammar.h"
#include "learn/recipe.h"
#include "lesson/judge.h"
#include "session/session.h"
#include "window/text.h"

/* Open the lesson's model and choose its depth and language. */
bool lesson_exec_begin(Session *session, const Lesson *lesson, Error *error);

/* Run a line in `folder`, which it cannot leave; with NULL it reads and writes no file
 * but those of the program. */
bool lesson_exec(Session *session, const char *line, const char *folder, Error *error);

/* The same by another function, such as one that takes the line for an answer. */
typedef bool RunLine(Session *session, const char *line, Error *error);
bool lesson_exec_by(Session *session, RunLine *run, const char *line,
                    const char *folder, Error *error);

/* Run the lines by which the state is reached that a question asks for. */
bool lesson_exec_answer(Session *session, const Quiz *question, const char *folder,
                        Error *error);

/* Put the session where the lesson is before step `to`: the lines before it are run
 * again, unseen, but not those that write files. */
bool lesson_exec_replay(Session *session, const Lesson *lesson, int to,
                        const char *folder, Error *error);

/* What questions are judged by; an answer that is right, in the session's scratch, of a
 * choice its number and text. */
AtHand lesson_exec_at_hand(Session *session);
bool lesson_exec_right_answer(Session *session, const Quiz *question,
                              const char **answer, Error *error);

/* Change to a lesson's folder (NULL: stay), and back. */
typedef struct {
    int before; /* a descriptor of the folder to go back to; -1: none */
} EnteredFolder;
bool lesson_exec_enter(const char *folder, EnteredFolder *entered, Error *error);
void lesson_exec_leave(const EnteredFolder *entered);

/* May a lesson run this line? Fails with the reason why not. With a `folder` nothing
 * that the line names may be a link there. */
bool lesson_exec_allows(const char *line, const char *folder, Arena *arena,
                        Error *error);

/* Does a path stay in the folder, also by no link there? NULL: links are not checked.
 */
bool lesson_exec_stays(const char *path, const char *folder, Arena *arena,
                       Error *error);

/* May a lesson train by this recipe, and draw the sentences of this grammar? */
bool lesson_exec_allows_recipe(const Recipe *recipe, Arena *arena, Error *error);
bool lesson_exec_allows_grammar(const Grammar *grammar, Error *error);

/* Steps of a training, sentences of a grammar, and bytes of all files in its folder. */
enum {
    LESSON_STEPS_MAX = 3000,
    LESSON_SENTENCES_MAX = 100000,
    LESSON_BYTES_MAX = 256 << 20
};

/* Does the line write files? */
bool lesson_exec_writes(const char *line, Arena *arena);

/* Does a person work in the lesson's folder, too, since lines of the lesson read or
 * write there, or it brings files along? */
bool lesson_exec_shares_folder(const Lesson *lesson, Arena *arena);

/* A session that is not the person's own, in which a lesson is done, and what its lines
 * print as text: in a window of 80 columns without colours. */
typedef struct {
    Session *session;
    FolderLock scratch; /* its folder, removed in the end; NULL: none */
    Arena *arena;
    TextWindow *window;
    FILE *out;
    Builder printed;
} Recorder;

void recorder_begin(Recorder *recorder, Arena *arena);

/* The language of the program is that of the person's session again. */
void recorder_end(Recorder *recorder, const Session *own);

/* Run the line: what it printed, with the reason where it failed; in the arena. */
const char *recorder_run(Recorder *recorder, const char *line);
