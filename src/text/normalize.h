/* normalize.h - the normalizers of tokenizer.json: they change the letters of a text
 * before it is cut. */
#pragma once

#include "text/text_step.h"

typedef void TextApply(const TextStep *step, TextPart part, TextParts *out,
                       Arena *arena);

TextApply normalize_nfc, normalize_nfd, normalize_nfkc, normalize_nfkd;
TextApply normalize_lowercase, normalize_strip_accents, normalize_bert;
TextApply normalize_prepend, normalize_replace, normalize_strip;
