/* svg.h - a picture written as SVG: boxes, lines, and text that can be searched, copied
 * and edited. No scripts. An SVG of outlines is made by image.h.
 *
 * Texts are measured in the fonts of this machine; where it is shown, the same families
 * are asked for by name. Those who hear it are told the title and a description. */
#pragma once

#include "view/picture.h"

Canvas *svg_new(Arena *arena, const PictureWish *wish);
