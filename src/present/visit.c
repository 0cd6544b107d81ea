#include "present/visit.h"

#include <string.h>

#include "base/language.h"
#include "present/answers.h"
#include "present/tokens.h"
#include "present/walk_back.h"
#include "session/stops.h"

void visit_show(Session *session, int index) {
    Page *page = &session->page;
    /* A stop that the walk does not visit is shown at its own, finer depth. */
    Depth depth = (Depth)session->options.depth;
    if (stops_depth(session, index) < depth) depth = stops_depth(session, index);
    const StopNumber at = stops_number(session, index);
    const StopNumber last = stops_number(session, stops_all(session) - 1);
    StoryPlace place = {
        .heading = {.number = at.number,
                    .part = at.part,
                    .count = last.number,
                    .title = stops_title(session, index, page->arena),
                    .name = stops_name(session, index, page->arena)},
        .walk = &session->run->walk,
        .depth = depth,
    };
    const Story story = session_story(session);
    const Stage *stage = stops_stage(session, index);
    const int step = stops_step(session, index);
    const char *told = NULL;
    if (stage)
        told = story_stage(&story, stage, &place, page);
    else if (step >= 0)
        story_step(&story, step, &place, page);
    else if (index == 0)
        show_tokens(session, &place);
    else
        told = story_decoding_whole(&story, &place, page);
    session->run->told =
        told ? arena_copy(&session->run->arena, told, strlen(told)) : NULL;
}

bool visit_stop(Session *session, int index, Error *error) {
    if (!stops_enter(session, index, error)) return false;
    visit_show(session, index);
    return true;
}

bool visit_next(Session *session, Error *error) {
    if (session->run->walks_back && walk_back_next(session)) return true;
    int index = session->run->stage + 1;
    while (index < stops_all(session) && !stops_visits(session, index)) index++;
    return visit_stop(session, index, error);
}

bool visit_previous(Session *session, Error *error) {
    if (session->run->walks_back) {
        if (walk_back_previous(session)) return true;
        if (session->run->stage >= 0)
            return visit_stop(session, session->run->stage, error);
    }
    int index = session->run->stage - 1;
    while (index >= 0 && !stops_visits(session, index)) index--;
    if (index >= 0) return visit_stop(session, index, error);
    if (!session->run->is_made)
        return fail(error, "type a sentence first; :help explains more");
    session->run->stage = -1;
    session_did(session, DID_MOVE);
    answers_say(session);
    return true;
}

bool visit_at_depth(Session *session, int change, Error *error) {
    Page *page = &session->page;
    const int farthest = change < 0 ? 0 : DEPTH_KINDS - 1;
    int depth = session->options.depth + change;
    if (session->options.depth == farthest) {
        page_note(page, change < 0
                            ? N_("this is the finest depth: every tensor is shown")
                            : N_("this is the coarsest depth: the boxes"));
        return true;
    }
    if (depth < 0 || depth >= DEPTH_KINDS) depth = farthest;
    const bool adds_parts =
        session->options.depth > DEPTH_STEPS && depth <= DEPTH_STEPS;
    session->options.depth = depth;
    session_did(session, DID_MOVE);
    page_note(page,
              depth == DEPTH_NUMBERS ? N_("the walk now shows every tensor: %d stages")
              : depth == DEPTH_STEPS
                  ? N_("the walk now shows smaller steps and every layer: %d stages")
              : depth == DEPTH_PATH
                  ? N_("the walk now shows each stage once: %d stages")
                  : N_("the walk now shows the boxes: %d stages"),
              stops_count(session));
    if (adds_parts)
        page_note(page,
                  N_("stages keep their numbers, 1 to %d; 1.1 is the first step after "
                     "stage 1"),
                  stops_number(session, stops_all(session) - 1).number);
    if (session->run->stage < 0) return true;
    return visit_stop(session, stops_visited_instead(session, session->run->stage),
                      error);
}
