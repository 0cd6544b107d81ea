/* map_fixture.h - the map of every preset with every option that changes it, and of the
 * shipped models. Include it after cmocka. */
#pragma once

#include "model/network.h"
#include "sample.h"
#include "units/small_model.h"
#include "walk/map.h"

/* A model, its run, and the map of both. */
typedef struct {
    const char *name;
    Arena arena;
    Model model;
    Tape tape;
    Walk walk;
    Map map;
} Fixture;

static inline void begin(Fixture *fixture, const Ids *from, const Ids *to) {
    network_run(&fixture->tape, &fixture->model.network, from, to);
    assert_false(fixture->tape.failed);
    const Config *config = &fixture->model.config;
    fixture->walk = walk_new(&fixture->tape, config, 0, &fixture->arena);
    fixture->map = map_new(config, &fixture->tape, NULL, &fixture->arena);
}

static inline void end(Fixture *fixture) {
    model_free(&fixture->model);
    tape_free(&fixture->tape);
    arena_free(&fixture->arena);
}

typedef void Check(Fixture *fixture);

static inline bool check_preset(const char *preset, const char *options, Check *check) {
    Fixture fixture = {0};
    Config config;
    Error error;
    fixture.name = arena_print(&fixture.arena, "%s %s", preset, options);
    if (!configure(&config, preset, options, &fixture.arena, &error))
        fail_msg("%s: %s", fixture.name, error.message);
    bool fits = config_check(&config, &error);
    if (fits) {
        if (!model_new(&fixture.model, &config, 3, NULL, &error))
            fail_msg("%s: %s", fixture.name, error.message);
        begin(&fixture, &source, &target);
        check(&fixture);
    }
    end(&fixture);
    return fits;
}

/* One sentence, as a user types it. */
static inline void check_shipped(const char *name, Check *check) {
    Fixture fixture = {.name = name};
    Error error;
    const char *path = arena_print(&fixture.arena, "assets/models/%s", name);
    static const int id[] = {5, 7, 9, 11, 2};
    static const int shifted[] = {1, 8, 12};
    if (!model_open(&fixture.model, path, &error)) fail_msg("%s", error.message);
    begin(&fixture, &(Ids){id, 1, 5, NULL}, &(Ids){shifted, 1, 3, NULL});
    check(&fixture);
    end(&fixture);
}

static inline void with_each_model(Check *check) {
    static const char *const options[] = {
        "",
        "norm=pre",
        "norm=none",
        "residual=false",
        "norm=pre residual=false",
        "norm=none residual=false",
        "norm=pre final_norm=true",
        "norm=pre norm_type=rms_plain embedding_norm=true",
        "embedding_norm=true",
        "position=learned",
        "position=none",
        "position=rotary",
        "activation=silu",
        "activation=gelu_tanh",
        "feed_forward_gate=true activation=silu",
        "feed_forward_gate=true activation=gelu",
        "key_value_heads=1",
        "d_ff=0",
        "d_ff=0 norm=pre as_written=residual_from_norm",
        "activation=gelu",
        "activation=none",
        "scale_embedding=true",
        "scale_embedding=false",
        "final_norm=true",
        "causal=false",
        "encoder_causal=true",
        "attention_output_projection=false",
        "share_layers=true",
        "tie_embeddings=true",
        "encoder_layers=1",
        "encoder_layers=3",
        "as_written=lstm_restarts",
        "as_written=keys_are_last_state",
        "as_written=cell_for_state",
    };
    static const char *const shipped[] = {"chatbot", "classifier", "en-ko", "ko-en",
                                          "seq2seq-ko-en"};
    int checked = 0;
    for (const Preset *preset = presets; preset->name; preset++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            if (!in_sample((int)(preset - presets) + (int)o, 10)) continue;
            bool fits = check_preset(preset->name, options[o], check);
            assert_true(fits || *options[o]);
            checked += fits;
        }
    assert_true(checked > (checks_all() ? 300 : 30));
    for (size_t m = 0; m < sizeof shipped / sizeof *shipped; m++)
        check_shipped(shipped[m], check);
}

static inline const char *label(const Fixture *fixture, int box) {
    return fixture->map.diagram.box[box].label;
}
