/* csv.h - fields of a table for spreadsheets: RFC 4180. */
#pragma once

#include "base/arena.h"

/* `text` as one field, in `arena`: in quotes where it must be. A spreadsheet would take
 * a text that begins like a formula for one, so that stands behind an apostrophe. */
const char *csv_field(const char *text, Arena *arena);
