#include "explain/map_words.h"

#include <string.h>

#include "base/language.h"

/* How long an axis is before there is a run; 0: only a run knows. */
static int size_of(const Config *config, const char *axis) {
    const struct {
        const char *name;
        int size;
    } sizes[] = {
        {"d_model", config->d_model},      {"d_ff", config->d_ff},
        {"head", config->attention_heads}, {"hidden", config->hidden_size},
        {"both", 2 * config->hidden_size}, {"vocabulary", config->target_vocabulary},
        {"label", config->label_count},    {"second label", 1},
    };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (strcmp(sizes[s].name, axis) == 0) return sizes[s].size;
    return 0;
}

static const char *shape_before(const MapBox *box, const Config *config, Arena *arena) {
    const char *text = "";
    for (const char *at = box->axes; *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        const char *axis = arena_copy(arena, at, length);
        const char *comma = *text ? ", " : "";
        int size = size_of(config, axis);
        if (strcmp(axis, "token") == 0)
            axis = strcmp(box->stack, "encoder") == 0 ? "source" : "target";
        text = size ? arena_print(arena, "%s%s%s %d", text, comma, axis, size)
                    : arena_print(arena, "%s%s%s", text, comma, axis);
        at += length;
    }
    return arena_print(arena, "[%s]", text);
}

static bool has_batch(const Tensor *tensor) {
    return tensor->rank > 1 && strcmp(tensor->axis[0].name, "batch") == 0;
}

const char *map_shape(const MapBox *box, const Config *config, Arena *arena) {
    const Tensor *tensor = box->tensor;
    const char *text = "";
    if (!tensor) return shape_before(box, config, arena);
    for (int a = has_batch(tensor) && tensor->axis[0].size == 1; a < tensor->rank; a++)
        text =
            arena_print(arena, "%s%s%d", text, *text ? ", " : "", tensor->axis[a].size);
    return arena_print(arena, "[%s]", text);
}

static bool is_recurrent(const Config *config) {
    return config->model_type == MODEL_SEQ2SEQ || config->encoder_type == ENCODER_RNN;
}

static int layers_of(const Config *config, bool is_decoder) {
    return is_decoder ? config->decoder_layers : config->encoder_layers;
}

const char *map_title(const Config *config, bool is_decoder, Arena *arena) {
    int layers = layers_of(config, is_decoder);
    if (is_recurrent(config)) return said(is_decoder ? N_("decoder") : N_("encoder"));
    if (layers == 1) return said(is_decoder ? N_("decoder 0") : N_("encoder 0"));
    return is_decoder ? say(arena, "decoder 0..%d  ×%d", layers - 1, layers)
                      : say(arena, "encoder 0..%d  ×%d", layers - 1, layers);
}

const char *map_title_note(const Config *config, bool is_decoder, Arena *arena) {
    int layers = layers_of(config, is_decoder);
    if (!config->share_layers || layers < 2) return NULL;
    return layers == 2 ? said(N_("one layer used twice"))
                       : say(arena, "one layer used %d times", layers);
}

/* What the numbers in the brackets count; before a run they have names. */
static const char *legend(const Map *map) {
    bool batch = false;
    bool heads = false;
    bool keys = false;
    for (int b = 0; b < map->diagram.count; b++) {
        const Tensor *tensor = map->box[b].tensor;
        if (!tensor) continue;
        batch = batch || (has_batch(tensor) && tensor->axis[0].size > 1);
        heads = heads || tensor_axis(tensor, "head") >= 0;
        keys = keys || tensor_axis(tensor, "key") >= 0;
    }
    if (batch && heads)
        return N_("In brackets: batch, head, query, key of attention; batch, tokens, "
                  "width of the others.");
    if (heads)
        return N_("In brackets: head, query, key of attention; tokens, width of the "
                  "others.");
    if (batch && keys)
        return N_(
            "In brackets: batch, query, key of attention; batch, tokens, width of "
            "the others.");
    if (keys)
        return N_("In brackets: query, key of attention; tokens, width of the others.");
    return batch ? N_("In brackets: batch, tokens, width.")
                 : N_("In brackets: tokens, width.");
}

/* What the drawing does not say, where `when` holds. */
static const struct {
    const char *when, *text;
} notes[] = {
    {"share_embeddings=true decoder_layers!=0",
     N_("Both sides look up the same embedding table.")},
    {"tie_embeddings=true decoder_layers!=0",
     N_("The last linear layer is the target's embedding table once more.")},
    {"as_written=cross_query_from_encoder",
     N_("As the tutorial wrote it, queries and keys (Q, K) of the cross-attention are "
        "made of the encoder's output, and only its values of the target.")},
    {"model_type=seq2seq as_written!=keys_are_last_state",
     N_("The encoder's states are keys and values (K, V) of the attention.")},
    {"as_written=keys_are_last_state",
     N_("As the tutorial wrote it, the only key is a state: first the encoder's last "
        "one (h), then the decoder's own of the step before.")},
    {"model_type=seq2seq as_written!=lstm_restarts",
     N_("The decoder begins with the state and cell (h, c) in which the encoder "
        "ended.")},
    {"as_written=residual_from_norm norm=pre residual=true",
     N_("As the tutorial wrote it, some ways around a sublayer begin behind the "
        "norm.")},
    {"as_written=activation_dropped d_ff!=0 activation!=none",
     N_("As the tutorial wrote it, the feed-forward throws away what the activation "
        "gives.")},
    {"as_written=decoder_without_positions decoder_layers!=0 position!=none",
     N_("As the tutorial wrote it, the decoder adds no positions.")},
};

const char *map_note(const Map *map, const Config *config, Arena *arena) {
    const char *text = map->run ? said(legend(map)) : "";
    for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        if (config_holds(config, notes[n].when))
            text = arena_print(arena, "%s%s%s", text, *text ? " " : "",
                               said(notes[n].text));
    return *text ? text : NULL;
}
