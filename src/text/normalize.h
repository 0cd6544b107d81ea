/* normalize.h - the normalizers of tokenizer.json: they change the characters of a text
 * before it is split. */
#pragma once

#include "text/text_step.h"

typedef void TextApply(const TextStep *step, TextPart part, TextParts *out,
                       TextRoom *room);

/* Single steps on one part: prepend `text`, or replace each match of the step with its
 * content. */
TextPart normalize_with_front(TextPart part, const char *text, TextRoom *room);
TextPart normalize_with_replaced(const TextStep *step, TextPart part, TextRoom *room);

TextApply normalize_form, normalize_lowercase, normalize_strip_accents, normalize_bert;
TextApply normalize_prepend, normalize_replace, normalize_strip;
