/* decode.h - the decoders of tokenizer.json: they turn tokens into readable text. */
#pragma once

#include "text/text_step.h"

typedef void TextDecode(const TextStep *step, Bytes *token, int count, TextRoom *room);

TextDecode decode_byte_level, decode_byte_fallback, decode_fuse, decode_metaspace;
TextDecode decode_replace, decode_strip, decode_wordpiece;

/* Used if a file has no decoder: tokens are words. */
TextDecode decode_spaced;

/* Return the byte that a word such as "<0xEA>" represents, or -1. */
int decode_byte(const char *word, size_t length);
