/* config.h - the options of a model, which are the keys of config.json, in one table.
 *
 * Reading and writing config.json, the flags of `glassbox new`, their help and their
 * checks are derived from it. A preset is a named row of options that differ from
 * another preset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "store/family.h"

typedef enum { MODEL_TRANSFORMER, MODEL_CLASSIFIER, MODEL_SEQ2SEQ } ModelType;
typedef enum { ENCODER_TRANSFORMER, ENCODER_RNN } EncoderType;
typedef enum { LABEL_SOFTMAX, LABEL_SIGMOID } LabelActivation;
typedef enum { NORM_POST, NORM_PRE, NORM_NONE } NormPlace;
typedef enum { NORM_TYPE_LAYER, NORM_TYPE_RMS, NORM_TYPE_RMS_PLAIN } NormType;
typedef enum {
    POSITION_SINUSOIDAL,
    POSITION_LEARNED,
    POSITION_ROTARY,
    POSITION_NONE
} PositionKind;
typedef enum { MASK_MODE_FILL, MASK_MODE_ADD } MaskMode;
typedef enum { STORED_F32, STORED_F16 } StoredAs;

/* The mistakes of the tutorials, kept for study; bits of Config.as_written. */
enum {
    CROSS_QUERY_FROM_ENCODER = 1 << 0,
    RESIDUAL_FROM_NORM = 1 << 1,
    ACTIVATION_DROPPED = 1 << 2,
    DECODER_WITHOUT_POSITIONS = 1 << 3,
    MASK_HIDES_SELF = 1 << 4,
    MEAN_WITH_PADDING = 1 << 5,
    KEYS_ARE_LAST_STATE = 1 << 6,
    LSTM_RESTARTS = 1 << 7,
    CELL_FOR_STATE = 1 << 8,
    PADDING_NOT_HIDDEN = 1 << 9,
};

enum { LAYERS_MAX = 64, LABELS_MAX = 64 };

typedef struct {
    const Family *family; /* the family of its folder; NULL: ours */
    int model_type;       /* ModelType */
    int encoder_type;     /* EncoderType */
    const char *preset;
    int d_model, encoder_layers, decoder_layers, attention_heads, d_ff, hidden_size;
    int key_value_heads; /* 0: same as attention_heads */
    int activation, attention_output_activation, feed_forward_output_activation;
    int norm;      /* NormPlace */
    int norm_type; /* NormType */
    bool embedding_norm, final_norm, residual, attention_output_projection,
        feed_forward_gate;
    bool query_key_value_bias, attention_output_bias, feed_forward_bias, logits_bias;
    int position; /* PositionKind */
    double rotary_base;
    int position_offset;
    int token_types;
    bool scale_embedding, scale_scores;
    int mask_mode; /* MaskMode */
    double mask_value;
    bool causal, encoder_causal, share_layers, share_embeddings, tie_embeddings;
    bool masked_words;
    int attention_window, full_attention_every, full_attention_first;
    double layer_norm_epsilon, dropout, attention_dropout, activation_dropout;
    int max_length, source_vocabulary, target_vocabulary;
    int pad_id, start_id, end_id, unknown_id, mask_id;
    int tokenizer; /* TokenizerKind */
    const char *labels[LABELS_MAX];
    int label_count;
    int label_activation; /* LabelActivation */
    int stored_as;        /* StoredAs */
    int as_written;       /* bits */
} Config;

/* The options, named as in config.json; a row without a name ends the table. */
extern const Option config_keys[];

typedef struct {
    const char *name;
    const char *based_on; /* another preset, or NULL for the first */
    const char *options;  /* "key=value key=value" that differ from it */
    const char *summary;  /* a one-line description */
} Preset;

extern const Preset presets[]; /* a row without a name ends the table */

/* Set one option from a typed word; its name may have - for _. Fails with the values
 * that the option accepts. */
bool config_set(Config *config, const char *name, const char *value, Arena *arena,
                Error *error);

/* Set the options of a preset. Fails with the list of presets. */
bool config_preset(Config *config, const char *preset, Arena *arena, Error *error);

/* Copy the strings of `config` to `arena`. */
void config_keep(Config *config, Arena *arena);

/* Return the name of bit `i` of as_written, or NULL. */
const char *config_mistake(int i);

/* Are the options consistent? Fails with a sentence that names those that are not. */
bool config_check(const Config *config, Error *error);

/* Is it decoder-only? Then input and output are one text. */
bool config_is_decoder_alone(const Config *config);

/* Is it trained on plain texts, without targets or labels? */
bool config_learns_texts(const Config *config);

/* Does it have an output layer over words, of either side? */
bool config_has_words(const Config *config);

/* Return the number of key/value heads. */
int config_key_value_heads(const Config *config);

/* Does it have all of these values: "norm=pre position!=none
 * as_written=mask_hides_self"? For a list: does it contain the value? */
bool config_holds(const Config *config, const char *conditions);

/* Read config.json. Missing keys have the value of the preset it names (or of `paper`);
 * an unknown key is an error. Strings are in `arena`. */
bool config_read(Config *config, const char *path, Arena *arena, Error *error);

/* Return config.json with every key, in `arena`. */
const char *config_print(const Config *config, Arena *arena);
