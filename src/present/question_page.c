#include "present/question_page.h"

void question_say(Session *session) {
    const Questions *questions = &session->run->questions;
    if (questions->because.tensor)
        because_say(&questions->because, &session->page);
    else
        cell_say(&questions->why, &session->page);
}
