/* report_files.h - the files of progress below a folder, one after the other. */
#pragma once

#include "lesson/report.h"

/* Read them into the sheets of the report, in no order, and what refuses to be read
 * into its refusals; fails as report_read(). */
bool report_files(Report *report, const char *folder, Arena *arena, Error *error);
