/* pdf.h - what a PDF says to those who hear it: alternative text and language.
 *
 * Cairo 1.16 marks a page as a document with a figure, but takes no words that stand
 * for it, and no language. So these are added to the finished file, as any program
 * updates a PDF: the changed objects stand behind its end, with a table of their own.
 * Titles, axes and notes are no paragraphs of their own: the page is one figure. */
#pragma once

#include "view/fact.h"

/* What follows behind the `count` bytes of a PDF in which one element is a Figure: its
 * alternative text, which is title and description, and `language` ("ko") as that of
 * all words; in `arena`. "" behind a file that is not built as Cairo 1.16 does. */
const char *pdf_update(const char *bytes, int count, const Facts *facts,
                       const char *language, Arena *arena);
