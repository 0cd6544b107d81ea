
#include "model/config.h"

static bool check_ids(const Config *config, Error *error) {
    const int id[] = {config->pad_id, config->start_id, config->end_id,
                      config->unknown_id};
    static const char *const name[] = {"pad_id", "start_id", "end_id", "unknown_id"};
    enum { IDS = sizeof id / sizeof *id };
    int words = config->source_vocabulary;
    if (config->decoder_layers && config->target_vocabulary < words)
        words = config->target_vocabulary;
    for (int i = 0; i < IDS; i++) {
        if (id[i] >= words)
            return fail(error, "%s is %d, but the vocabulary has only %d words",
                        name[i], id[i], words);
        for (int j = 0; j < i; j++)
            if (id[i] == id[j])
                return fail(error, "%s and %s are both %d; each needs its own", name[j],
                            name[i], id[i]);
    }
    return true;
}

static bool check_sizes(const Config *config, Error *error) {
    if (config->d_model % config->attention_heads != 0)
        return fail(error,
                    "d_model is %d, which %d attention_heads cannot share equally: "
                    "choose a multiple",
                    config->d_model, config->attention_heads);
    if (config->position == POSITION_SINUSOIDAL && config->d_model % 2 != 0)
        return fail(error,
                    "d_model is %d, but sinusoidal positions come in pairs of a sine "
                    "and a cosine: choose an even d_model or another position",
                    config->d_model);
    if (config->encoder_layers == 0)
        return fail(error, "encoder_layers is 0: a model needs at least one");
    return true;
}

static bool check_sharing(const Config *config, Error *error) {
    if (config->share_embeddings &&
        config->source_vocabulary != config->target_vocabulary)
        return fail(error,
                    "share_embeddings needs equal vocabularies, but the source has %d "
                    "words and the target %d",
                    config->source_vocabulary, config->target_vocabulary);
    return true;
}

/* Each mistake of a tutorial makes sense in one kind of model only. */
static bool check_mistakes(const Config *config, Error *error) {
    int flags = config->as_written;
    if (flags & CROSS_QUERY_FROM_ENCODER && config->decoder_layers == 0)
        return fail(error, "as_written has cross_query_from_encoder, which needs a "
                           "decoder");
    return true;
}

bool config_check(const Config *config, Error *error) {
    if (config->model_type != MODEL_TRANSFORMER)
        return fail(error, "model_type: this version runs only \"transformer\"");
    return check_sizes(config, error) && check_ids(config, error) &&
           check_sharing(config, error) && check_mistakes(config, error);
}
