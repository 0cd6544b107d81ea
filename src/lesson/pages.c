#include "lesson/pages.h"

bool pages_opens(const Lesson *lesson, int step) {
    const LessonStep *at = &lesson->step[step];
    return at->kind == STEP_WORDS && at->part->kind == PASSAGE_HEADING;
}

int pages_end(const Lesson *lesson, int from) {
    bool has_words = false;
    for (int s = from; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (has_words && pages_opens(lesson, s)) return s;
        if (step->kind != STEP_WORDS) return s + 1;
        has_words = has_words || step->part->kind != PASSAGE_HEADING;
    }
    return lesson->steps;
}

int pages_before(const Lesson *lesson, int step, int back) {
    int start = 0;
    int behind = 0; /* pages from there to the step */
    for (int s = 0; s <= step && s < lesson->steps; s = pages_end(lesson, s)) behind++;
    for (; behind > back + 1; behind--) start = pages_end(lesson, start);
    return start;
}

int pages_taken_up(const Lesson *lesson, int step) {
    int page = pages_before(lesson, step, 0);
    bool was_asked = page > 0 && lesson->step[page - 1].kind == STEP_QUESTION;
    return was_asked ? page : pages_before(lesson, step, 1);
}

int pages_stops(const Lesson *lesson, int to) {
    int stops = 0;
    for (int s = 0; s < to; s++) stops += lesson->step[s].kind != STEP_WORDS;
    return stops;
}
