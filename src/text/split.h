/* split.h - the pre-tokenizers of tokenizer.json: they cut a text into the pieces that
 * the model cuts further. */
#pragma once

#include "text/normalize.h"

TextApply split_byte_level, split_pattern, split_digits, split_bert, split_metaspace;
TextApply split_whitespace, split_punctuation;

/* What finds a text, `pattern` of the step. */
TextFind find_text;

/* What finds a regular expression, or NULL: only these are known. */
TextFind *find_expression(const char *expression);
