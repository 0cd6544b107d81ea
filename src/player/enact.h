/* enact.h - the lines of a lesson, typed by nobody: what the player, the checker and a
 * page of a lesson have in common.
 *
 * A lesson comes from anywhere. Its lines are the program's own commands and sentences
 * and nothing else; those that name files work in the lesson's output folder, with
 * plain names. */
#pragma once

#include "grammar/grammar.h"
#include "learn/recipe.h"
#include "lesson/judge.h"
#include "lesson/lesson.h"
#include "session/session.h"

/* Open the lesson's model and stand where it begins; its depth and language hold from
 * here on. */
bool enact_begin(Session *session, const Lesson *lesson, Error *error);

/* Type the line of a step, in `folder`, which it cannot leave; with NULL it reads and
 * writes no file but those of the program. What it says goes to the
 * session's pages; it fails as the line would. */
bool enact_typed(Session *session, const TypedLine *typed, const char *folder,
                 Error *error);

/* Type an answer that the lesson knows, as a person would; the same holds for it. */
bool enact_rehearsed(Session *session, const char *typed, const char *folder,
                     Error *error);

/* Stand where the lesson stands before step `to`: all lines of the steps before it are
 * typed anew, unseen, those that write files apart. */
bool enact_again(Session *session, const Lesson *lesson, int to, const char *folder,
                 Error *error);

/* Type the lines by which the state is reached that a question asks for. */
bool enact_answer(Session *session, const Quiz *question, const char *folder,
                  Error *error);

/* What questions are judged by. */
AtHand enact_at_hand(Session *session);

/* Stand in a lesson's folder (NULL: stay), and go back to where we stood before. The
 * person's own lines may lead anywhere from there, a lesson's may not. */
typedef struct {
    int before; /* a descriptor; -1: we stayed */
} Entered;
bool enact_enter(const char *folder, Entered *entered, Error *error);
void enact_leave(const Entered *entered);

/* May a lesson type this line? Fails with the reason why not. With a `folder` nothing
 * that the line names may be a link there. */
bool enact_allows(const char *typed, const char *folder, Arena *arena, Error *error);

/* Does a path stay in the folder, also by no link there? NULL: links are not asked
 * about. */
bool enact_stays(const char *path, const char *folder, Arena *arena, Error *error);

/* May a lesson learn by this recipe, and draw the sentences of this grammar? It brought
 * them along. */
bool enact_allows_recipe(const Recipe *recipe, Arena *arena, Error *error);
bool enact_allows_grammar(const Grammar *grammar, Error *error);

/* Steps of a training, and sentences of a grammar, that a lesson may take. */
enum { LESSON_STEPS_MAX = 3000, LESSON_SENTENCES_MAX = 100000 };

/* Does the line write files? */
bool enact_writes(const char *typed, Arena *arena);

/* How many bytes the files in a lesson's folder may have together. */
enum { LESSON_BYTES_MAX = 256 << 20 };

/* Is its folder one that a person works in, too, since lines of the lesson write there,
 * or it brings files along? */
bool enact_shares_folder(const Lesson *lesson, Arena *arena);

/* Its output folder in the person's data folder, made, and with the files that it
 * brings along; in `arena`. */
const char *enact_folder(const Lesson *lesson, Page *messages, Arena *arena,
                         Error *error);

/* Put the files that a lesson brings along into `folder`. A file of that name that is
 * another, since the person has changed it, is kept under a free name, which is said.
 */
bool enact_bring_files(const Lesson *lesson, const char *folder, Page *messages,
                       Error *error);
