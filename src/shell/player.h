/* player.h - a lesson that is played: its words and commands one step after the other,
 * its questions asked and answered. At the prompt a person types the lines; the checker
 * and scripts type them, too. */
#pragma once

#include "lesson/judge.h"
#include "lesson/pages.h"
#include "lesson/progress.h"

typedef struct Player {
    Arena arena; /* of the lesson and of what is kept of it */
    bool is_open;
    Lesson lesson;
    int at;         /* the step that comes next; of a question that waits, that one */
    bool asks;      /* the question at `at` waits for an answer */
    bool is_typing; /* a line of the lesson: it has its usual meaning */
    bool was_own;   /* the last line was :hint or the like, which move nothing */
    bool is_moved;  /* something else was done since: the lesson's run is made anew */
    const char *folder;      /* its own, for files; NULL where none can be made */
    bool shares_folder;      /* what the person types meanwhile works there, too */
    bool keeps;              /* how far it is, for the next day */
    LessonProgress progress; /* and what became of its questions */
    bool is_lost;            /* which it could not be, for this reason */
    Error lost;
    const char *path;    /* of the file that keeps it; NULL: none does */
    const char *place;   /* the folder of that file */
    int kept_step;       /* what the file was given last, to find out whether another */
    const char *kept_at; /* program has written it since; NULL: nothing yet */
    int depth, language; /* of the session before, put back at the end */
} Player;

struct Session;

/* Play the lesson at `path`, from where it was left. With a folder `scratch` it is only
 * tried: from its beginning, it writes there, and how far it is will not be kept. What
 * is wrong with it is said, and is left out. */
bool player_begin(struct Session *session, const char *path, const char *scratch,
                  Error *error);

/* "Lesson 4: One query by hand", safe to print; one without a number has its title. */
const char *player_name(struct Session *session);

/* The question at hand, and an answer to it that is right, in the session's scratch; of
 * a choice its number and text. */
const Quiz *player_question(const struct Session *session);
bool player_right_answer(struct Session *session, const char **answer, Error *error);

/* The question at hand is over: what explains it, and on. */
void player_go_on(struct Session *session);

/* What became of the question at hand. */
ProgressAnswer *player_answers(struct Session *session);

/* Go on: the words up to the next command, figure or question, and that. */
bool player_next(struct Session *session, Error *error);

/* Show the page before once more. */
bool player_back(struct Session *session, Error *error);

/* Does a question wait to which a plain line is the answer? */
bool player_wants_answer(const struct Session *session);

/* Take the line as an answer. */
bool player_take(struct Session *session, const char *typed, Error *error);

/* Something else was typed and done: perhaps what a question asks for is true now. */
bool player_follow(struct Session *session, Error *error);

/* What :hint, :answer, :skip, :where and :stop do; each fails without a lesson. */
bool player_hint(struct Session *session, Error *error);
bool player_answer(struct Session *session, Error *error);
bool player_skip(struct Session *session, Error *error);
bool player_where(struct Session *session, Error *error);
bool player_stop(struct Session *session, Error *error);

/* Give back what it took. */
void player_free(struct Session *session);
