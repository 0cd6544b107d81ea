#include "present/question_page.h"

#include "base/language.h"

void question_say(Session *session) {
    const Questions *questions = &session->run->questions;
    const int branches = questions->because.numbers;
    if (!questions->because.tensor) {
        cell_say(&questions->why, &session->page);
        return;
    }
    because_say(&questions->because, &session->page);
    if (session->command && branches) /* a shell has no next line */
        page_hint(&session->page, N_("open a branch"),
                  branches > 1 ? trf(&session->scratch, ":why 1 … :why %d", branches)
                               : ":why 1");
}
