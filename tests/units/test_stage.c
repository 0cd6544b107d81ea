/* What the walk says about each model: nothing about parts that it does not have, the
 * formulas of the steps that ran, and every mistake of a tutorial at the step that it
 * affects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "explain/formula.h"
#include "model/network.h"
#include "ops/ops.h"
#include "walk/story_page.h"

#include "sample.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* A tiny model of a preset, run on a batch with padding, and its walk. */
typedef struct {
    Arena arena;
    Model model;
    Tape tape;
    Walk walk;
    Story story;
} Fixture;

static const int source_id[] = {5, 6, 7, 2, 9, 2, 0, 0};
static const int target_id[] = {1, 4, 5, 6, 1, 8, 0, 0};
static const Ids source = {source_id, 2, 4, NULL};
static const Ids target = {target_id, 2, 4, NULL};

static void set(Config *config, const char *key, int value, Arena *arena) {
    Error error;
    if (!config_set(config, key, arena_print(arena, "%d", value), arena, &error))
        fail_msg("%s", error.message);
}

static void shrink(Config *config, Arena *arena) {
    set(config, "d_model", 8, arena);
    set(config, "source_vocabulary", 11, arena);
    set(config, "target_vocabulary", 11, arena);
    set(config, "max_length", 16, arena);
    if (config->attention_heads > 1) set(config, "attention_heads", 2, arena);
    if (config->encoder_layers > 2) set(config, "encoder_layers", 2, arena);
    if (config->decoder_layers > 2) set(config, "decoder_layers", 2, arena);
    if (config->hidden_size) set(config, "hidden_size", 6, arena);
    if (config->d_ff) set(config, "d_ff", 12, arena);
}

static const Generated nothing_said;

/* `changes` are options "key=value" in addition to the preset's, or NULL. */
static void open_fixture(Fixture *fixture, const char *preset, const char *changes) {
    Config config;
    Error error;
    *fixture = (Fixture){0};
    Arena *arena = &fixture->arena;
    if (!config_preset(&config, preset, arena, &error)) fail_msg("%s", error.message);
    shrink(&config, arena);
    char *rest = changes ? arena_print(arena, "%s", changes) : NULL;
    for (char *key; rest && (key = strtok_r(rest, " ", &rest));) {
        char *value = strchr(key, '=');
        *value++ = '\0';
        if (!config_set(&config, key, value, arena, &error))
            fail_msg("%s", error.message);
    }
    if (!model_new(&fixture->model, &config, 3, NULL, &error))
        fail_msg("%s: %s", preset, error.message);
    network_run(&fixture->tape, &fixture->model.network, &source, &target);
    assert_false(fixture->tape.failed);
    fixture->walk = walk_new(&fixture->tape, &fixture->model.config, 0, arena);
    fixture->story = (Story){
        .record = {.run = &fixture->tape, .weights = &fixture->model.weights},
        .model = &fixture->model,
        .digits = 3,
        .columns = 8,
        .candidates = 3,
        .generated = &nothing_said,
    };
}

static void close_fixture(Fixture *fixture) {
    model_free(&fixture->model);
    tape_free(&fixture->tape);
    arena_free(&fixture->arena);
}

/* Append the words of stage `s` at that depth to `words`. */
static const char *add_words(Fixture *fixture, int s, Depth depth, const char *words) {
    Arena *arena = &fixture->arena;
    Page page = {.arena = arena};
    const Stage *stage = &fixture->walk.stage[s];
    const StoryPlace place = {.heading = {.number = s + 1,
                                          .count = fixture->walk.count,
                                          .title = stage->title,
                                          .name = stage->name},
                              .walk = &fixture->walk,
                              .depth = depth};
    story_stage(&fixture->story, stage, &place, &page);
    for (const Block *block = page.first; block; block = block->next) {
        if (block->kind == BLOCK_PROSE)
            words = arena_print(arena, "%s\n%s", words, block->text);
        for (int l = 0; block->kind == BLOCK_FORMULA && l < block->formula.count; l++)
            words = arena_print(arena, "%s\n%s", words, block->formula.line[l]);
    }
    return words;
}

/* Return all its words, up to the depth of a walk there. */
static const char *words_of(Fixture *fixture, int s) {
    const Stage *stage = &fixture->walk.stage[s];
    const char *words = stage->title;
    for (Depth depth = DEPTH_NUMBERS; depth <= depth_of(stage, &fixture->model.config);
         depth++)
        words = add_words(fixture, s, depth, words);
    return words;
}

static void with_each_model(void (*check)(Fixture *fixture, const char *name)) {
    static const char *const changes[] = {
        NULL,
        "norm=pre",
        "norm=none final_norm=false",
        "residual=false",
        "position=learned",
        "position=none",
        "position=rotary",
        "feed_forward_gate=true",
        "feed_forward_gate=true activation=silu",
        "feed_forward_gate=true activation=none",
        "key_value_heads=1",
        "activation=gelu_tanh",
        "activation=gelu",
        "activation=none",
        "activation=silu",
        "norm_type=rms",
        "norm=pre norm_type=rms_plain embedding_norm=true",
        "scale_scores=false",
        "scale_embedding=true",
        "scale_embedding=false",
        "final_norm=true",
        "causal=false",
        "mask_mode=add",
        "mask_value=-1e4",
        "encoder_causal=true",
        "attention_output_projection=false",
        "attention_output_activation=relu",
        "feed_forward_output_activation=gelu",
    };
    for (const Preset *preset = presets; preset->name; preset++)
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            if (!in_sample((int)(preset - presets) + (int)c, 10)) continue;
            Fixture fixture;
            Arena arena = {0};
            Config config;
            Error error;
            assert_true(config_preset(&config, preset->name, &arena, &error));
            /* The options of layers have no meaning without layers. */
            bool has_layers = config.model_type != MODEL_SEQ2SEQ && config.d_ff > 0;
            arena_free(&arena);
            if (changes[c] && !has_layers) continue;
            open_fixture(&fixture, preset->name, changes[c]);
            check(&fixture, preset->name);
            close_fixture(&fixture);
        }
}

/* Words that belong to an option: they may occur only if the model has it, or as
 * something that the paper has and this model does not. */
static const struct {
    const char *when, *words;
    const char *unless; /* or NULL */
} reserved[] = {
    {"position=sinusoidal", "sin(", NULL},
    {"position=sinusoidal", "waves", NULL},
    {"position=learned", "second table", NULL},
    {"feed_forward_gate=true", "times the gate", NULL},
    {"position=rotary", "is rotated", NULL},
    {"norm_type=layer", "Layer norm", NULL},
    {"norm_type=layer", "mean 0", NULL},
    {"activation!=none", "d_ff, then an activation", NULL},
    {"attention_window!=0", "with a window", NULL},
    {"norm=post residual=true", "input is added to its output", NULL},
    {"norm_type=layer", "mean and deviation", NULL},
    {"norm_type=layer", "and deviation 1", NULL},
    {"norm_type=rms", "RMSNorm", NULL},
    {"norm_type!=layer", "rms²", NULL},
    {"causal=true", "k > q", NULL},
    {"causal=true", "later tokens are hidden", NULL},
    {"causal=true as_written=mask_hides_self", "k ≥ q", NULL},
    {"encoder_causal=true", "and later tokens", NULL},
    {"attention_output_projection=true", "One more weight matrix combines", NULL},
    {"attention_output_projection=false", "W_O follows; this model has none", NULL},
    {"mask_mode=add", "[q, k] + ", NULL},
    {"norm=pre", "before the sublayer", NULL},
    {"norm!=none", "mean) / √", "embedding_norm=true"},
    {"scale_scores=true", "spreads √d_head times", NULL},
    {"scale_embedding=true", "Embedding ×", NULL},
    {"final_norm=true", "is normalized again", NULL},
    {"embedding_norm=true", "normalized before the first layer", NULL},
    {"as_written=cross_query_from_encoder", "swapped", NULL},
    {"as_written=residual_from_norm", "normalized input is added to", NULL},
    {"as_written=activation_dropped feed_forward_gate=false", "activation is not used",
     NULL},
    {"as_written=decoder_without_positions", "decoder adds no positions", NULL},
    {"as_written=mask_hides_self", "covers the diagonal", NULL},
    {"as_written=mask_hides_self mask_value=-1e+09 norm!=none",
     "so its weights are equal", NULL},
    {"label_activation=sigmoid", "sigmoid", NULL},
    {"as_written=mean_with_padding", "padding counts as", NULL},
    {"as_written=padding_not_hidden", "tokens attend to padding", NULL},
    {"as_written=keys_are_last_state", "across the batch", NULL},
    {"as_written=lstm_restarts", "restarts from zero", NULL},
    {"as_written=cell_for_state", "reads the LSTM's cell", NULL},
    {"label_activation=softmax", "gives each label a score, and the softmax", NULL},
    {"as_written!=keys_are_last_state", "The state is the query", NULL},
    {"as_written!=keys_are_last_state", "the query into the source", NULL},
    {"as_written!=lstm_restarts", "each word that it reads updates", NULL},
};

static void check_reserved(Fixture *fixture, const char *name) {
    for (int s = 0; s < fixture->walk.count; s++) {
        const char *words = words_of(fixture, s);
        if (strchr(words, '$')) fail_msg("%s: not filled in: %s", name, words);
        if (strstr(words, ".  ") || strstr(words, "  Without"))
            fail_msg("%s: an operation says nothing: %s", name, words);
        for (size_t r = 0; r < sizeof reserved / sizeof *reserved; r++)
            if (strstr(words, reserved[r].words) &&
                !config_holds(&fixture->model.config, reserved[r].when) &&
                !(reserved[r].unless &&
                  config_holds(&fixture->model.config, reserved[r].unless)))
                fail_msg("%s, %s: \"%s\" only where %s", name,
                         fixture->walk.stage[s].name, reserved[r].words,
                         reserved[r].when);
        for (int a = 0; activation_names[a]; a++)
            if (activation_ops[a] && a != (int)fixture->model.config.activation &&
                strstr(words, activation_ops[a]->says))
                fail_msg("%s, %s: \"%s\" only where activation=%s", name,
                         fixture->walk.stage[s].name, activation_ops[a]->says,
                         activation_names[a]);
    }
}

static void no_stage_mentions_parts_that_the_model_lacks(void **state) {
    (void)state;
    with_each_model(check_reserved);
}

static void check_mistakes(Fixture *fixture, const char *name) {
    const Config *config = &fixture->model.config;
    if (config->model_type != MODEL_SEQ2SEQ && config->norm != NORM_PRE &&
        config->as_written & RESIDUAL_FROM_NORM)
        return; /* it has an effect only with pre-norm */
    bool acts = config->causal && config->position != POSITION_NONE && config->residual;
    for (size_t r = 0; acts && r < sizeof reserved / sizeof *reserved; r++) {
        if (!strstr(reserved[r].when, "as_written=") ||
            !config_holds(config, reserved[r].when))
            continue;
        bool said = false;
        for (int s = 0; s < fixture->walk.count && !said; s++)
            said = strstr(words_of(fixture, s), reserved[r].words) != NULL;
        if (!said) fail_msg("%s: no stage says \"%s\"", name, reserved[r].words);
    }
}

static void every_mistake_is_reported_at_its_step(void **state) {
    (void)state;
    with_each_model(check_mistakes);
}

/* Among the boxes, a remark is in those that show the part it names, and nowhere else;
 * each remark that holds has a box, except one that a box expresses in other words. */
static void check_remarks(Fixture *fixture, const char *name) {
    for (const StageRemark *remark = stage_remarks; remark->text; remark++) {
        bool holds = config_holds(&fixture->model.config, remark->when);
        bool about = false;
        bool has_box = false;
        for (int s = 0; s < fixture->walk.count; s++) {
            const Stage *stage = &fixture->walk.stage[s];
            bool shown = false;
            for (int t = 0; t < stage->tensors; t++) {
                about |= remark_stands(remark, stage->stack, stage->part[t], false);
                shown |= remark_stands(remark, stage->stack, stage->part[t], true);
            }
            const Config *config = &fixture->model.config;
            if (depth_of(stage, config) != DEPTH_BOXES ||
                !stop_words(stage, config, DEPTH_BOXES))
                continue;
            has_box |= shown;
            bool said = strstr(add_words(fixture, s, DEPTH_BOXES, ""), remark->text);
            if (said != (holds && shown))
                fail_msg("%s, %s: %s \"%s\"", name, stage->name,
                         said ? "says" : "does not say", remark->text);
        }
        if (holds && about && remark->box && !has_box)
            fail_msg("%s: no box says \"%s\"", name, remark->text);
    }
}

static void a_remark_is_in_the_box_it_is_about(void **state) {
    (void)state;
    with_each_model(check_remarks);
}

/* A formula names each input that is not a weight, and the walk shows that input. */
static void check_inputs(Fixture *fixture, const Step *step, const char *formula) {
    for (int i = 0; i < step->inputs; i++) {
        const Tensor *input = step->input[i];
        if (weights_find(&fixture->model.weights, input->name)) continue;
        if (!strstr(formula, input->short_name))
            fail_msg("'%s' does not name %s", formula, input->name);
        if (walk_find(&fixture->walk, input->name, 0) < 0)
            fail_msg("no way to %s", input->name);
    }
}

/* The formula of each step that a stage shows is displayed, and names all inputs. */
static void check_formulas(Fixture *fixture, const char *name) {
    for (int s = 0; s < fixture->walk.count; s++) {
        const Stage *stage = &fixture->walk.stage[s];
        const char *words = words_of(fixture, s);
        for (int t = 0; t < stage->tensors; t++) {
            const Tensor *tensor = stage->tensor[t];
            if (tensor->step == STEP_NONE) continue;
            const Step *step = &fixture->tape.step[tensor->step];
            const char *formula = formula_print(step, stage->place, &fixture->arena);
            if (!strstr(words, formula))
                fail_msg("%s, %s: no '%s'", name, stage->name, formula);
            bool reads_all = step->op != &op_sinusoid && step->op != &op_mask &&
                             step->op != &op_layer_norm && step->op != &op_rms_norm &&
                             step->op != &op_rms_plain && step->op != &op_mean &&
                             step->op != &op_last_token;
            if (reads_all) check_inputs(fixture, step, formula);
        }
    }
}

static void formulas_are_those_of_the_steps(void **state) {
    (void)state;
    with_each_model(check_formulas);
}

static void check_kinds(Fixture *fixture, const char *name) {
    (void)name;
    for (int s = 0; s < fixture->walk.count; s++)
        for (int before = 0; before < s; before++)
            if (strcmp(fixture->walk.stage[s].name, fixture->walk.stage[before].name) ==
                0)
                fail_msg("%s: two stages are called %s", name,
                         fixture->walk.stage[s].name);
}

static void no_two_stages_have_one_name(void **state) {
    (void)state;
    with_each_model(check_kinds);
}

static void formulas_follow_from_the_setting(void **state) {
    (void)state;
    static const struct {
        const char *preset, *address, *formula;
    } rows[] = {
        {"paper", "encoder.0.self_attention.scaled", "scaled = scores / √4"},
        {"paper", "encoder.embedding_scaled", "embedding_scaled = embedding · √8"},
        {"paper", "decoder.0.self_attention.masked",
         "masked[q, k] = scaled[q, k], but −∞ where k > q or k is padding"},
        {"pytorch", "encoder.0.self_attention.masked",
         "masked[q, k] = scores[q, k], but −10000 where k is padding"},
        {"kit-as-written", "decoder.0.self_attention.masked",
         "masked[q, k] = scaled[q, k], but scaled[q, k] + −1e+09 where k ≥ q or k is "
         "padding"},
        {"prenorm", "encoder.0.feed_forward.activated",
         "activated = hidden · Φ(hidden)"},
        {"keras", "encoder.0.self_attention.output",
         "output = max(0, output_projection)"},
        {"pytorch-as-written", "encoder.0.feed_forward.output",
         "output = hidden · W_2ᵀ + b_2"},
        {"seq2seq", "encoder.lstm.1.forget_gate",
         "forget_gate = σ(encoder.lstm.from_input[token, 6:12] + from_state[6:12])"},
        {"seq2seq", "encoder.lstm.1.from_state",
         "from_state = encoder.lstm.0.state · Uᵀ + b"},
        {"pytorch", "encoder.position", "position[token] = table[position_ids[token]]"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Fixture fixture;
        open_fixture(&fixture, rows[r].preset, NULL);
        for (int e = 0; e < fixture.tape.entries; e++) {
            const Entry *entry = &fixture.tape.entry[e];
            if (strcmp(entry->address, rows[r].address) != 0) continue;
            const Step *step = &fixture.tape.step[entry->tensor->step];
            assert_string_equal(formula_print(step, entry->where.place, &fixture.arena),
                                rows[r].formula);
        }
        close_fixture(&fixture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stage_mentions_parts_that_the_model_lacks),
        cmocka_unit_test(every_mistake_is_reported_at_its_step),
        cmocka_unit_test(a_remark_is_in_the_box_it_is_about),
        cmocka_unit_test(formulas_are_those_of_the_steps),
        cmocka_unit_test(no_two_stages_have_one_name),
        cmocka_unit_test(formulas_follow_from_the_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
