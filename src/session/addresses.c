#include "session/addresses.h"

#include <ctype.h>

#include "command/command.h"
#include "session/session.h"
#include "session/stops.h"

WalkPlace walk_place(const Session *session, Arena *arena) {
    WalkPlace here = {.record = session_record(session)};
    const Walk *walk = &session->run->walk;
    NamedStage *stage = ARENA_ARRAY(arena, NamedStage, walk->count);
    for (int s = 0; s < walk->count; s++)
        if (walk->stage[s].tensors == 1)
            stage[here.stages++] =
                (NamedStage){walk->stage[s].name, walk->stage[s].address[0]};
    here.stage = stage;
    here.shown = stops_shown(session, session->run->stage, arena, &here.count);
    return here;
}

bool expand_addresses(Session *session, Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const WalkPlace here = walk_place(session, arena);
    const char *note = NULL;
    bool done = true;
    if (arguments->command->shows_here) {
        Meant meant;
        done = short_meant(&here, arguments->word, arguments->words, arena, &meant,
                           error) &&
               (meant.count <= WORDS_MAX ||
                fail(error,
                     "the address matches more than %d tensors; write more of "
                     "it",
                     WORDS_MAX));
        if (done) {
            for (int m = 0; m < meant.count; m++) arguments->word[m] = meant.address[m];
            arguments->words = meant.count;
            note = meant.note;
        }
    } else {
        for (int w = 0; w < arguments->words; w++)
            if (!isdigit((unsigned char)arguments->word[w][0]))
                arguments->word[w] =
                    short_address(&here, arguments->word[w], arena, &note);
    }
    if (note) page_note(&session->messages, "%s", session_safe(session, note));
    page_flush(&session->messages);
    return done;
}
