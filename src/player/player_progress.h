/* player_progress.h - the state of the open lesson, and the file with its progress,
 * which another program may save at the same time. */
#pragma once

#include "lesson/progress.h"
#include "session/session.h"

/* In a session with a lesson: session->lesson.player, in its arena, with everything
 * that is recorded about the lesson. */
typedef struct Player {
    Lesson lesson;
    int at;             /* the next step, or the question that waits for an answer */
    bool asks;          /* the question at `at` waits for an answer */
    bool was_own;       /* the last line was :hint or the like, which changes nothing */
    bool is_moved;      /* the user did something else: restore the lesson's run */
    const char *unmet;  /* last reported difference from the required state */
    int unmet_changes;  /* and the number of manual changes then */
    int missed;         /* changes of the run that did not lead to that state */
    const char *folder; /* the lesson's folder for files; NULL: it has none */
    bool shares_folder; /* the user's own commands also use this folder */
    bool keeps;         /* save the progress for the next day */
    LessonProgress progress; /* and the results of its questions */
    bool is_lost;            /* saving failed, with this error */
    Error lost;
    const char *path;    /* of the file with the progress; NULL: none */
    const char *place;   /* folder of that file */
    int kept_step;       /* last state written to the file, to detect whether */
    const char *kept_at; /* another program has changed it; NULL: nothing written yet */
    /* State of the session before the lesson, restored at the end. */
    int depth, language, stage;
    const char *model, *source, *target; /* NULL: there was none */
    bool takes_ids;                      /* the input was ids, not text */
} Player;

/* Load the progress and resume the lesson there. */
void player_load_progress(Session *session);

/* Save the progress, if possible; player_is_saved() reports a failure. */
void player_save_progress(Session *session);

/* Fail, once, if the progress could not be saved. */
bool player_is_saved(Session *session, Error *error);
