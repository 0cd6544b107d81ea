/* split.h - the pre-tokenizers of tokenizer.json: they split a text into pieces, which
 * the model splits into tokens. */
#pragma once

#include "text/normalize.h"

TextApply split_byte_level, split_pattern, split_digits, split_bert, split_metaspace;
TextApply split_whitespace, split_punctuation;

/* Finds the step's `pattern`, which is literal text. */
TextFind find_text;

/* Return the function for a regular expression, or NULL: only a few are supported. */
TextFind *find_expression(const char *expression);
