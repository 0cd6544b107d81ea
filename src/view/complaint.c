#include "view/complaint.h"

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "text/unicode.h"

/* GLib takes one function for the whole process, once, and threads of its own call it.
 */
static _Atomic(Complaint *) listener;

static const char *message_of(const GLogField *field, gsize count) {
    for (gsize i = 0; i < count; i++)
        if (strcmp(field[i].key, "MESSAGE") == 0 && field[i].length < 0)
            return field[i].value;
    return said("no reason was given");
}

static GLogWriterOutput keep(GLogLevelFlags level, const GLogField *field, gsize count,
                             void *context) {
    (void)context;
    Complaint *complaint = listener;
    const char *reason = message_of(field, count);
    if (level & G_LOG_LEVEL_ERROR) {
        fprintf(stderr, said("glassbox: cannot draw: %s\n"), reason);
        exit(EXIT_FAILURE);
    }
    if (complaint && complaint->text[0] == '\0')
        snprintf(complaint->text, sizeof complaint->text, "%s", reason);
    return G_LOG_WRITER_HANDLED;
}

void complaint_listen(Complaint *complaint) {
    static bool ready;
    if (!ready) g_log_set_writer_func(keep, NULL, NULL);
    ready = true;
    listener = complaint;
}

const char *complaint_print(const Complaint *complaint, const char *name,
                            Arena *arena) {
    size_t length = strlen(complaint->text);
    return length ? say(arena, "%s: text may be missing in the picture: %s", name,
                        unicode_escape(complaint->text, length, arena))
                  : NULL;
}
