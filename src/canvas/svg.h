/* svg.h - a picture written as SVG: boxes, lines, and text that can be searched, copied
 * and edited. No scripts. An SVG of outlines is made by image.h.
 *
 * Texts are measured in the fonts of this machine; where it is shown, the same families
 * are asked for by name. Those who hear it are told the title and a description. */
#pragma once

#include "canvas/picture.h"

Canvas *svg_new(Arena *arena, const PictureOptions *options);

/* `text` inside an element or an attribute of XML, in `arena`. */
const char *xml_escape(const char *text, Arena *arena);

/* The <title>, <desc> and <metadata> of an SVG, in `arena`. */
const char *svg_facts(const Facts *facts, Arena *arena);

/* The `svg` that Cairo wrote, with title and facts as its <title> and <metadata> and
 * without the number that differs from picture to picture, in `arena`; NULL if it is no
 * SVG. */
char *svg_add_facts(const char *svg, const Facts *facts, Arena *arena);
