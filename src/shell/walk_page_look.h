/* walk_page_look.h - how the page of a walk looks, and the script that shows the number
 * under the pointer. Without the script everything can be read all the same. */
#pragma once

/* Rules behind those of every page, see lesson/html_frame.c, part by part up to NULL:
 * the head and the list of stops, what is said, drawings, the frame for wide windows.
 */
extern const char *const walk_page_style[];

/* The script, part by part: what a number is, those of tables, those of drawings, the
 * list of stops; and its digest, by which a browser knows that it may run: the SHA-256
 * of what stands between the tags. tests/terminal/test_walk_page.py computes it anew.
 */
extern const char *const walk_page_script[];
extern const char walk_page_digest[];
