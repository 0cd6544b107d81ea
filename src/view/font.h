/* font.h - which package has the letters that no font here has. */
#pragma once

/* A package of Debian with letters of `text`: those that fewest fonts have come first.
 */
const char *font_package(const char *text);
