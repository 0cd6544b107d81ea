/* Each sentence of the walk has a row here: its claim is checked in every run next to
 * which it is shown, or the row states why a run cannot show it. A sentence without a
 * row fails. Definitions with numbers have rows as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "walk/glossary.h"
#include "walk/story_page.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "units/claims_rows.h"

/* Why there is nothing to check. */
#define OF_THE_PAPER NULL, "the paper"
#define OF_A_TUTORIAL NULL, "a tutorial"
#define OF_TRAINING NULL, "training"
#define MEANING NULL, "a meaning"
#define ON_THE_SCREEN NULL, "the screen"
#define CHECKED(check) check, "the run"

static const struct {
    const char *words; /* of the sentence */
    Holds *check;
    const char *about;
} claims[] = {
    /* ids and embedding */
    {"A model computes with numbers", MEANING},
    {"This model has no tokenizer", ON_THE_SCREEN},
    {"each token is replaced by its index in the vocabulary", MEANING},
    {"The prompt comes first", MEANING},
    {"<end> ends the sentence", MEANING},
    {"After each, it predicts", MEANING},
    {"A positive logit favors", MEANING},
    {"tokens on both sides of the position", MEANING},
    {"Each position predicts the next token", MEANING},
    {"The decoder reads <start> and the tokens so far", MEANING},
    {"The mask hides later tokens from each position", CHECKED(knows_nothing_later)},
    {"later tokens leak into earlier rows", CHECKED(leaks)},
    {"(causal is false), each position also sees", CHECKED(leaks)},
    {"Sentences in a batch must be equally long", MEANING},
    {"A 1 marks padding", CHECKED(marks_padding)},
    {"The first sentence of a pair", MEANING},
    {"Each type has a learned row, which is added", MEANING},
    {"Each id selects one row of the embedding table", CHECKED(picks_rows)},
    {"replaced by its row of the embedding table", CHECKED(picks_rows)},
    {"The table is a weight matrix", CHECKED(reads_weights)},
    {"The rows are multiplied by √d_model", CHECKED(scales_by_root_of_d_model)},
    {"In the paper, this keeps them from being outweighed", OF_THE_PAPER},
    {"Each position's number selects a row of the position table", MEANING},
    {"a query and a key would give the same score", MEANING},
    {"Nothing is learned", CHECKED(reads_no_weights)},
    {"So each position gets its own pattern", CHECKED(reads_no_weights)},
    {"So each position has a pattern of numbers", CHECKED(reads_no_weights)},
    {"So each position selects a row of a second table", CHECKED(reads_weights)},
    {"So each position has a row of weights", CHECKED(reads_weights)},
    {"The embedding row and the position row of each token are added",
     CHECKED(adds_two)},
    {"The rows are normalized before the first layer", CHECKED(norms_rows)},
    /* attention */
    {"multiplied by three weight matrices", CHECKED(has_three_matrices)},
    {"Queries come from the target", CHECKED(asks_from_target)},
    {"Queries and keys come from the encoder's output", CHECKED(asks_from_source)},
    {"queries come from the decoder, keys and values", CHECKED(asks_from_target)},
    {"In this model, queries and keys come from the source", CHECKED(asks_from_source)},
    {"Each head gets its own part of their columns", MEANING},
    {"Each row is split into pieces of d_head", CHECKED(cuts_into_heads)},
    {"So each head computes its own attention weights", MEANING},
    {"Queries are target tokens", MEANING},
    {"Here, queries and keys are source tokens", MEANING},
    {"each pair of numbers of a query or a key is rotated", CHECKED(keeps_lengths)},
    {"it rotates queries and keys by their positions", MEANING},
    {"Positions are not added here", MEANING},
    {"So a score depends on how far", MEANING},
    {"Several query heads share", CHECKED(repeats_heads)},
    {"Several heads share one", CHECKED(repeats_heads)},
    {"The dot product of each query (row)", CHECKED(multiplies_queries_and_keys)},
    {"The dot product of each token's query (row)",
     CHECKED(multiplies_queries_and_keys)},
    {"A high score means", MEANING},
    {"The dot product of each target query", CHECKED(asks_from_target)},
    {"The dot product of each source query", CHECKED(asks_from_source)},
    {"The target plays no part", CHECKED(asks_from_source)},
    {"A score is a sum of", CHECKED(divides_by_root)},
    {"If the products are independent", MEANING},
    {"Dividing by √d_head cancels this", CHECKED(divides_by_root)},
    {"The query is what the token looks for", MEANING},
    {"The decoder attends to these rows", MEANING},
    {"This is where the decoder reads the source", MEANING},
    {"it attends to the source tokens (columns)", CHECKED(asks_from_target)},
    {"All positions are computed at once", MEANING},
    {"Later ones are masked (hatched)", CHECKED(later_get_nothing)},
    {"Dividing by √d_head brings", CHECKED(divides_by_root)},
    {"In training, the model gets", OF_TRAINING},
    {"In training, the decoder gets", OF_TRAINING},
    {"The mask hides later tokens (and padding).", MEANING},
    {"cannot copy them", CHECKED(both_get_nothing)},
    {"later tokens leak through", CHECKED(leaks)},
    {"Two masks are combined", CHECKED(both_get_nothing)},
    {"Masked scores get the weight 0", CHECKED(both_get_nothing)},
    {"The scores of padding become so low", CHECKED(padding_gets_nothing)},
    {"Without padding, the scores do not change", MEANING},
    {"becomes weights from 0 to 1 that sum to 1", CHECKED(sums_to_one)},
    {"the tokens that are not masked", CHECKED(hidden_get_nothing)},
    {"The shade is the attention weight", ON_THE_SCREEN},
    {"A row is the last token that the decoder has read", MEANING},
    {"attends to itself and to earlier tokens", CHECKED(later_get_nothing)},
    {"Later tokens are masked (hatched)", CHECKED(later_get_nothing)},
    {"the decoder reads <start> and the whole target", MEANING},
    {"attends only to itself and to earlier tokens", CHECKED(later_get_nothing)},
    {"target token (row) attends to earlier tokens", CHECKED(sees_no_self)},
    {"Later ones should be masked (hatched)", CHECKED(leaks)},
    {"The decoder attends to all tokens of the target", CHECKED(later_get_something)},
    {"This model does not mask later tokens", CHECKED(later_get_something)},
    {"the values are multiplied by the row's attention weights", CHECKED(mixes_values)},
    {"each row of weights gives a weighted sum of the values", CHECKED(mixes_values)},
    {"The heads' outputs are joined into one row", CHECKED(joins_heads)},
    {"The output of the only head", CHECKED(joins_heads)},
    {"The heads' rows are concatenated", MEANING},
    {"One more weight matrix combines", CHECKED(reads_weights)},
    {"This model then applies an activation", MEANING},
    {"This model applies an activation to the heads' outputs", MEANING},
    /* a layer */
    {"The sublayer's input is added to its output", CHECKED(adds_its_input)},
    {"the sublayer's input is added and", CHECKED(adds_its_input)},
    {"The output of attention is added to its input", CHECKED(adds_its_input)},
    {"The row that bypasses", CHECKED(adds_its_input)},
    {"the row that bypasses", CHECKED(adds_its_input)},
    {"Layer norm gives each row mean 0", CHECKED(norms_rows)},
    {"RMSNorm divides each row by", CHECKED(norms_rows)},
    {"This norm divides each row by", CHECKED(norms_rows)},
    {"It has no weights", MEANING},
    {"Then each row is normalized to mean 0", CHECKED(norms_rows)},
    {"Then each row is scaled to the root mean square 1", CHECKED(norms_rows)},
    {"This model normalizes the sublayer's input", CHECKED(norms_before)},
    {"each row is normalized before the sublayer", CHECKED(norms_before)},
    {"This model has no residual connection", MEANING},
    {"Each row is projected separately to d_ff", CHECKED(is_d_ff_wide)},
    {"Another matrix projects them back", CHECKED(is_projected_back)},
    {"A second matrix projects", CHECKED(multiplies_by_gate)},
    {"Two matrices project each row to d_ff", CHECKED(is_d_ff_wide)},
    {"the gate, which multiplies the second ones", CHECKED(multiplies_by_gate)},
    {"A third matrix projects them back", MEANING},
    {"Each is multiplied by its number of the gate", CHECKED(multiplies_by_gate)},
    {"The paper has no gate", OF_THE_PAPER},
    {"GELU", CHECKED(activates)},
    {"ReLU adds nonlinearity", CHECKED(activates)},
    {"SiLU adds nonlinearity", CHECKED(activates)},
    {"Without an activation, two matrices", MEANING},
    {"The paper applies an activation (ReLU) here", CHECKED(is_linear)},
    {"a matrix projects it to d_ff", CHECKED(is_d_ff_wide)},
    {"The same computation as in the encoder, with other weights",
     CHECKED(sides_differ)},
    {"Each row is multiplied by two matrices", MEANING},
    {"The paper has an activation between them", MEANING},
    {"projects the d_ff numbers back", CHECKED(is_d_model_wide)},
    {"Then learned weights scale", MEANING},
    {"Then a learned weight (gain) scales", MEANING},
    {"each with its own weights", CHECKED(layers_differ)},
    {"with its own weights", CHECKED(layers_differ)},
    {"with the same weights", CHECKED(layers_share)},
    {"goes through this layer", CHECKED(layers_share)},
    {"the same layer again", CHECKED(layers_share)},
    {"All layers of this stack share", CHECKED(layers_share)},
    {"The table shows how much", ON_THE_SCREEN},
    {"Here is layer 0", ON_THE_SCREEN},
    {"Here is the first", ON_THE_SCREEN},
    {"Here are only its boxes", ON_THE_SCREEN},
    {"not from later ones", CHECKED(knows_nothing_later)},
    {"One row per", MEANING},
    {"The output of the last layer is normalized again", CHECKED(norms_rows)},
    /* remarks */
    {"does not divide the scores by √d_head", CHECKED(has_no_scaled_scores)},
    {"The tutorial of the preset pytorch", OF_A_TUTORIAL},
    {"does not multiply these rows", CHECKED(has_no_scaled_embedding)},
    {"adds no positions here", CHECKED(has_no_positions)},
    {"this model adds no positions.", CHECKED(has_no_positions)},
    {"Without a look-ahead mask, it cannot know the order", MEANING},
    {"an output projection W_O follows; this model has none",
     CHECKED(has_no_output_projection)},
    {"A layer with a window", CHECKED(window_hides)},
    {"`:option` shows which layers", ON_THE_SCREEN},
    {"neither adds the input here nor normalizes", CHECKED(has_no_add_and_norm)},
    {"The paper normalizes the sum", CHECKED(sum_is_not_normed)},
    {"a feed-forward network follows; this model has none",
     CHECKED(has_no_feed_forward)},
    {"attention is called with query = key", CHECKED(asks_from_source)},
    {"the normalized input is added to", CHECKED(adds_to_norm)},
    {"the result of the activation is not used", CHECKED(activation_is_not_read)},
    {"the decoder adds no positions, so only", CHECKED(decoder_has_no_positions)},
    {"adds no positions and does not rotate by them",
     CHECKED(decoder_has_no_positions)},
    {"the mask also covers the diagonal", CHECKED(sees_no_self)},
    {"No token sees itself", CHECKED(sees_no_self)},
    {"so its weights are equal", CHECKED(first_row_is_even)},
    {"The second matrix reads", CHECKED(activation_is_not_read)},
    {"This works only if both", MEANING},
    {"The whole first row is masked", CHECKED(first_row_is_even)},
    {"padding counts as a token", CHECKED(is_mean_with_padding)},
    {"tokens attend to padding", CHECKED(padding_gets_something)},
    {"the only key is one state", CHECKED(attends_across_batch)},
    {"it has no token axis", CHECKED(attends_across_batch)},
    {"the LSTM restarts from zero", CHECKED(begins_with_zeros)},
    {"the output layer reads the LSTM's cell", CHECKED(joins_context_and_cell)},
    {"In the paper", OF_THE_PAPER},
    {"Pre-norm adds the input from before the norm", OF_THE_PAPER},
    {"should", OF_A_TUTORIAL},
    /* recurrent networks */
    {"Each step adds its result to the state", MEANING},
    {"which starts at zero", CHECKED(begins_with_zeros)},
    {"State and cell start at zero", CHECKED(begins_with_zeros)},
    {"tanh keeps each number between -1 and 1", CHECKED(is_bounded)},
    {"An RNN has no gates", MEANING},
    {"the state after it", MEANING},
    {"It depends on this token and earlier ones", CHECKED(knows_nothing_later)},
    {"Each token's row is multiplied by", CHECKED(reads_weights)},
    {"The result has four parts, each as wide as the state",
     CHECKED(is_four_times_as_wide)},
    {"The same computation for the target", CHECKED(reads_weights)},
    {"the token and the previous state decide", CHECKED(is_bounded)},
    {"Padding is read like any other token", CHECKED(reads_padding)},
    {"The decoder's LSTM starts from the encoder's final state", CHECKED(goes_on)},
    {"the token alone decides", CHECKED(begins_with_zeros)},
    {"The dot product of each decoder state", CHECKED(multiplies_queries_and_keys)},
    {"Each row of scores becomes weights that sum to 1", CHECKED(sums_to_one)},
    {"Each encoder state is multiplied by its weight", CHECKED(mixes_values)},
    {"The contexts of the steps", MEANING},
    {"The state of each sentence in the batch", CHECKED(attends_across_batch)},
    {"then the decoder's state", CHECKED(joins_context_and_state)},
    {"then the LSTM's cell", CHECKED(joins_context_and_cell)},
    {"The output layer reads both", MEANING},
    {"This model reads without attention", MEANING},
    {"The decoder also has a state", MEANING},
    {"The state is the query", MEANING},
    {"Before each word, the decoder's state", MEANING},
    {"The formula of the cell", ON_THE_SCREEN},
    {"It is the query into the source", MEANING},
    {"The result is the weighted sum of the columns' states",
     CHECKED(attends_across_batch)},
    {"The larger the dot product of the two", CHECKED(larger_scores_weigh_more)},
    {"Dividing by √n", MEANING},
    {"What it has lost of earlier tokens", MEANING},
    {"Only the state after the last token", CHECKED(is_last_state)},
    {"only the state after its last word", CHECKED(is_last_state)},
    {"the rows of its tokens are averaged", CHECKED(is_mean_of_tokens)},
    {"The tokens' rows are averaged", CHECKED(is_mean_of_tokens)},
    {"Apply :why to one number", ON_THE_SCREEN},
    /* output */
    {"Before the logits", MEANING},
    {"The embedding table is also the output matrix", CHECKED(ties_the_table)},
    {"plus the token's bias", CHECKED(adds_a_bias)},
    {"embedding is the token's score", CHECKED(adds_no_bias)},
    {"The output matrix", CHECKED(has_a_row_for_each)},
    {"One row of weights", CHECKED(has_a_row_for_each)},
    {"Its dot product with the sentence's row", MEANING},
    {"that sum to 1", CHECKED(sums_to_one)},
    {"The sigmoid turns", CHECKED(sums_to_one)},
    {"The most probable", MEANING},
    {"The label with the higher probability", MEANING},
    {"Each row predicts the token after it", MEANING},
    {"The best scores at each position", ON_THE_SCREEN},
    {"the best scores at their positions are shown", ON_THE_SCREEN},
};

enum { CLAIMS = sizeof claims / sizeof *claims };
static int shown[CLAIMS];  /* number of sentences with those words, in all models */
static int looked[CLAIMS]; /* number of those that were checked */

static int complaints;

/* The first few, and a sentence that was just complained of not again. */
static void complain(const Claimed *claimed, const char *what, const char *sentence) {
    enum { TOLD = 40, LONGEST = 400 };
    static char last[LONGEST];
    if (complaints++ > TOLD || strncmp(last, sentence, LONGEST - 1) == 0) return;
    printf("%s, %s: %s: %s\n", claimed->fixture->name, claimed->stage->name, what,
           sentence);
    (void)snprintf(last, sizeof last, "%s", sentence);
}

static void check_sentence(const Claimed *claimed, const char *sentence) {
    int found = 0;
    for (int c = 0; c < CLAIMS; c++) {
        if (!strstr(sentence, claims[c].words)) continue;
        found++;
        shown[c]++;
        if (!claims[c].check) continue;
        looked[c]++;
        if (!claims[c].check(claimed)) complain(claimed, "not so", sentence);
    }
    if (!found) complain(claimed, "no row for", sentence);
}

/* Split at a full stop before a blank. */
static void check_text(const Claimed *claimed, const char *text) {
    while (*text) {
        const char *stop = strstr(text, ". ");
        size_t length = stop ? (size_t)(stop - text) + 1 : strlen(text);
        check_sentence(claimed, arena_copy(&claimed->fixture->arena, text, length));
        text += length + strspn(text + length, " ");
    }
}

static const Generated nothing_said;

static void check_stage(const Claimed *claimed, Depth depth) {
    Fixture *fixture = claimed->fixture;
    const Stage *stage = claimed->stage;
    Page page = {.arena = &fixture->arena};
    const Story story = {
        .record = {.run = &fixture->tape, .weights = &fixture->model.weights},
        .model = &fixture->model,
        .digits = 3,
        .columns = 8,
        .candidates = 3,
        .generated = &nothing_said,
    };
    const StoryPlace place = {.heading = {.title = stage->title, .name = stage->name},
                              .walk = &fixture->walk,
                              .depth = depth};
    story_stage(&story, stage, &place, &page);
    for (const Block *block = page.first; block; block = block->next)
        if (block->kind == BLOCK_PROSE && strncmp(block->text, "Here:", 5) != 0)
            check_text(claimed, block->text);
}

static void check_model(Fixture *fixture) {
    for (int s = 0; s < fixture->walk.count; s++) {
        const Claimed claimed = {fixture, &fixture->walk.stage[s]};
        Depth depth = depth_of(claimed.stage, &fixture->model.config);
        for (Depth d = DEPTH_NUMBERS; d <= depth; d++) check_stage(&claimed, d);
    }
}

static const char *const options[] = {
    "",
    "norm=none",
    "norm_type=rms",
    "norm=pre norm_type=rms_plain embedding_norm=true",
    "position=rotary",
    "position=learned",
    "position=none",
    "feed_forward_gate=true activation=silu",
    "feed_forward_gate=true activation=none",
    "encoder_causal=true",
    "causal=false",
    "key_value_heads=1",
    "attention_window=2",
    "attention_window=2 full_attention_every=2",
    "final_norm=true",
    "activation=gelu",
    "activation=gelu_tanh",
    "scale_embedding=true",
    "attention_output_projection=false attention_output_activation=relu",
    "share_layers=true",
    "residual=false",
    "feed_forward_output_activation=relu",
    "norm=pre",
    "tie_embeddings=true",
};

static void what_is_stated_is_so(void **state) {
    (void)state;
    enum { EVERY = 5 };
    static const char *const shipped[] = {"chatbot", "classifier", "en-ko",
                                          "ko-en",   "stories",    "seq2seq-ko-en"};
    for (const Preset *preset = presets; preset->name; preset++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++)
            if (o == 0 || in_sample((int)(preset - presets) + (int)o, EVERY))
                check_preset(preset->name, options[o], check_model);
    for (const char *const *name = activation_names; *name; name++) {
        char option[32];
        (void)snprintf(option, sizeof option, "activation=%s", *name);
        check_preset("paper", option, check_model);
    }
    for (size_t m = 0; m < sizeof shipped / sizeof *shipped; m++)
        check_shipped(shipped[m], check_model);
    int facts = 0;
    int sentences = 0;
    for (int c = 0; c < CLAIMS; c++) {
        if (checks_all() && !shown[c] && ++complaints)
            printf("no model says \"%s\"\n", claims[c].words);
        facts += claims[c].check != NULL;
        sentences += looked[c];
    }
    printf("%d kinds of sentences, %d state facts, looked up %d times\n", CLAIMS, facts,
           sentences);
    assert_int_equal(complaints, 0);
}

/* Claims of a definition, checked in the model that computes it. */
static const struct {
    const char *term, *words, *preset, *stage;
    Holds *check;
} definitions[] = {
    {"embedding", "represents a token", "paper", "encoder.embedding", picks_rows},
    {"positional encoding", "are added", "paper", "encoder.input", adds_two},
    {"batch", "they do, by mistake", "seq2seq-as-written",
     "decoder.attention.0.attention", attends_across_batch},
    {"attention", "adds up their values", "paper", "encoder.0.context", mixes_values},
    {"cross-attention", "queries from the target", "paper",
     "decoder.0.cross_attention.scores", asks_from_target},
    {"projection", "three of them", "paper", "encoder.0.projections",
     has_three_matrices},
    {"attention score", "dot product of a query", "paper", "encoder.0.scores",
     multiplies_queries_and_keys},
    {"scaling", "are divided by √d_head", "paper", "encoder.0.scaled", divides_by_root},
    {"mask", "their weight is 0", "paper", "encoder.0.masked", padding_gets_nothing},
    {"padding mask", "from every query", "paper", "encoder.0.masked",
     padding_gets_nothing},
    {"look-ahead mask", "come after it", "paper", "decoder.0.masked",
     later_get_nothing},
    {"softmax", "between 0 and 1 and sum to 1", "paper", "encoder.0.weights",
     sums_to_one},
    {"attention weight", "sums to 1", "paper", "encoder.0.weights", sums_to_one},
    {"weighted sum", "times its weight", "paper", "encoder.0.context", mixes_values},
    {"multi-head attention", "split among them", "paper", "encoder.0.heads",
     cuts_into_heads},
    {"rotary position embeddings", "are rotated", "llama", "decoder.0.rotated",
     keeps_lengths},
    {"grouped-query attention", "share the keys", "llama key_value_heads=1",
     "decoder.0.shared", repeats_heads},
    {"layer", "their own weights", "paper", "encoder.0.projections", layers_differ},
    {"masked self-attention", "hides later tokens", "paper", "decoder.0.masked",
     later_get_nothing},
    {"RMSNorm", "divided by its root mean square", "llama", "decoder.0.norm-1",
     norms_rows},
    {"pre-norm", "is normalized", "prenorm", "encoder.0.norm-1", norms_before},
    {"d_ff", "between the two projections", "paper", "encoder.0.feed-forward",
     is_d_ff_wide},
    {"ReLU", "negative numbers become 0", "paper", "encoder.0.feed-forward", activates},
    {"GELU", "small negative numbers", "prenorm", "encoder.0.feed-forward", activates},
    {"residual connection", "is added to its output", "paper", "encoder.0.add-norm-1",
     adds_its_input},
    {"layer norm", "mean 0 and deviation 1", "paper", "encoder.0.add-norm-1",
     norms_rows},
    {"gated feed-forward", "how much of the other", "llama", "decoder.0.feed-forward",
     multiplies_by_gate},
    {"probability", "sum to 1", "paper", "probabilities", sums_to_one},
    {"LSTM", "gates, which control", "seq2seq", "encoder.lstm.0.step", is_bounded},
    {"RNN", "has no gates", "classifier-rnn", "encoder.rnn.0.step", is_bounded},
};

static void check_definition(Fixture *fixture) {
    for (size_t d = 0; d < sizeof definitions / sizeof *definitions; d++) {
        const char *preset = definitions[d].preset;
        const char *name = arena_print(&fixture->arena, "%s ", preset);
        if (strcmp(fixture->name, name) != 0 && strcmp(fixture->name, preset) != 0)
            continue;
        const GlossaryTerm *term = glossary_find(definitions[d].term);
        if (!term || !strstr(term->text, definitions[d].words))
            fail_msg("%s: no \"%s\"", definitions[d].term, definitions[d].words);
        int at = walk_find(&fixture->walk, definitions[d].stage, 0);
        if (at < 0) fail_msg("%s: no stage %s", preset, definitions[d].stage);
        if (!definitions[d].check(&(Claimed){fixture, &fixture->walk.stage[at]}))
            fail_msg("%s: not so: %s", definitions[d].term, term->text);
    }
}

static void what_definitions_state_is_so(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++)
        check_preset(preset->name, "", check_definition);
    check_preset("llama", "key_value_heads=1", check_definition);
    for (int a = 0; activation_names[a]; a++)
        if (activation_ops[a] && !glossary_find(activation_ops[a]->title))
            fail_msg("no term defines %s", activation_ops[a]->title);
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++)
            if (strstr(term->text, "always") ||
                (strstr(term->text, "never") && strcmp(term->term, "padding_idx") != 0))
                fail_msg("%s: hardly so in every model: %s", term->term, term->text);
}

static void numbers_of_the_paper_are_those_of_its_preset(void **state) {
    (void)state;
    Arena arena = {0};
    Config paper;
    Error error;
    assert_true(config_preset(&paper, "paper", &arena, &error));
    const struct {
        const char *term;
        int number;
    } told[] = {{"d_model", paper.d_model},
                {"d_ff", paper.d_ff},
                {"d_head", paper.d_model / paper.attention_heads}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_non_null(strstr(glossary_find(told[i].term)->text,
                               arena_print(&arena, " %d", told[i].number)));
    arena_free(&arena);
}

/* Count the facts in a text of a table. */
static int count_facts(const char *text) {
    int facts = 0;
    for (int c = 0; c < CLAIMS; c++)
        facts += claims[c].check && strstr(text, claims[c].words);
    return facts;
}

/* Print how many facts are conditional, one condition per line. */
static void facts_are_counted_by_condition(void **state) {
    (void)state;
    int any = 0;
    int some = 0;
    for (const StageKind *kind = stage_kinds; kind->name; kind++) {
        int facts = count_facts(kind->text);
        *(kind->when ? &some : &any) += facts;
        if (facts && kind->when && checks_all())
            printf("%d  %s: %s\n", facts, kind->name, kind->when);
    }
    for (const StageRemark *remark = stage_remarks; remark->text; remark++) {
        int facts = count_facts(remark->text);
        some += facts;
        if (facts && checks_all()) printf("%d  remark: %s\n", facts, remark->when);
    }
    printf("stages and remarks: %d facts stated of any model, %d of models with "
           "certain options; %d definitions looked up\n",
           any, some, (int)(sizeof definitions / sizeof *definitions));
    assert_true(any > 20 && some > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stated_is_so),
        cmocka_unit_test(what_definitions_state_is_so),
        cmocka_unit_test(numbers_of_the_paper_are_those_of_its_preset),
        cmocka_unit_test(facts_are_counted_by_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
