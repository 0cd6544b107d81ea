/* lesson_exec.h - run the lines of a lesson, for the player, the checker and the page.
 *
 * A lesson may come from anywhere. Its lines are commands and sentences of the program
 * and nothing else; those that name files use plain names in the lesson's output
 * folder. */
#pragma once

#include <stdio.h>

#include "base/builder.h"
#include "grammar/grammar.h"
#include "learn/recipe.h"
#include "lesson/judge.h"
#include "lesson/lesson.h"
#include "session/session.h"
#include "window/text.h"

/* Open the lesson's model and set its depth and language. */
bool lesson_exec_begin(Session *session, const Lesson *lesson, Error *error);

/* Run a line that can access only files in `folder` and those of the program; NULL:
 * only those of the program. */
bool lesson_exec(Session *session, const char *line, const char *folder, Error *error);

/* A function to use instead, for example one that takes the line as an answer. */
typedef bool RunLine(Session *session, const char *line, Error *error);
bool lesson_exec_by(Session *session, RunLine *run, const char *line,
                    const char *folder, Error *error);

/* Run the commands that make the condition of a question true. */
bool lesson_exec_answer(Session *session, const Quiz *question, const char *folder,
                        Error *error);

/* Restore the state of the lesson before step `to`: run the previous lines again,
 * without output and without those that write files. */
bool lesson_exec_replay(Session *session, const Lesson *lesson, int to,
                        const char *folder, Error *error);

/* Return the state that questions are judged by; return a correct answer, in the
 * session's scratch memory, with number and text for a choice. */
AtHand lesson_exec_at_hand(Session *session);
bool lesson_exec_right_answer(Session *session, const Quiz *question,
                              const char **answer, Error *error);

/* Fail unless the question accepts its own answer: `answer` or, for a condition, the
 * state after its commands. */
bool lesson_exec_accepts(Session *session, const Quiz *question, const char *answer,
                         Error *error);

/* Change to a lesson's folder (NULL: stay), and back. */
typedef struct {
    int before; /* descriptor of the previous folder; -1: none */
} EnteredFolder;
bool lesson_exec_enter(const char *folder, EnteredFolder *entered, Error *error);
void lesson_exec_leave(const EnteredFolder *entered);

/* Check that a lesson may run this line. Fail with the reason. With a `folder`, also
 * reject names that are links there. */
bool lesson_exec_allows(const char *line, const char *folder, Arena *arena,
                        Error *error);

/* Check that a path stays in the folder, also by links; NULL: do not check links. */
bool lesson_exec_stays(const char *path, const char *folder, Arena *arena,
                       Error *error);

/* Check that a lesson may use this recipe for training, and this grammar. */
bool lesson_exec_allows_recipe(const Recipe *recipe, Arena *arena, Error *error);
bool lesson_exec_allows_grammar(const Grammar *grammar, Error *error);

/* Limits: training steps, sentences of a grammar, and bytes of all files in the folder.
 */
enum {
    LESSON_STEPS_MAX = 3000,
    LESSON_SENTENCES_MAX = 100000,
    LESSON_BYTES_MAX = 256 << 20
};

/* Return true if the line writes files. */
bool lesson_exec_writes(const char *line, Arena *arena);

/* Return true if the user's own commands should also use the lesson's folder, because
 * lines of the lesson read or write files there, or it has files. */
bool lesson_exec_shares_folder(const Lesson *lesson, Arena *arena);

/* A separate session that runs a lesson, and collects its output as text, 80 columns
 * wide and without colors. */
typedef struct {
    Session *session;
    FolderLock scratch; /* its folder, removed at the end; NULL: none */
    Arena *arena;
    TextWindow *window;
    FILE *out;
    Builder printed;
} Recorder;

void recorder_begin(Recorder *recorder, Arena *arena);

/* End the recorder and restore the language of the user's session. */
void recorder_end(Recorder *recorder, const Session *own);

/* Run the line. Return its output, with the reason if it failed; in the arena. */
const char *recorder_run(Recorder *recorder, const char *line);
