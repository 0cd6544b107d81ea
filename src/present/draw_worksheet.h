/* draw_worksheet.h - `draw --blank 0.3`: a worksheet for students, and the key to it in
 * a file beside it. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* --blank, --seed. Fails on wrong values, and on figures without cells. */
bool draw_worksheet_read(const Arguments *arguments, Figure *figure, Error *error);

/* Write the worksheet to `path` and the key to "sheet-key.png" beside it, and say so.
 * Where one of them exists already, neither is written. */
bool draw_worksheet_save(Session *session, const Arguments *arguments,
                         const Figure *figure, const char *path, Error *error);
