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
    {"A model cannot read", MEANING},
    {"This model has no tokenizer", ON_THE_SCREEN},
    {"Each token is replaced by its place in the vocabulary", MEANING},
    {"First come those of the prompt", MEANING},
    {"first those of the prompt", MEANING},
    {"At each place the model is to say what comes next", MEANING},
    {"The decoder reads <start> and what has been said", MEANING},
    {"the mask hides from each what comes after it", CHECKED(knows_nothing_later)},
    {"later tokens leak into earlier rows", CHECKED(leaks)},
    {"(causal is false) each position also sees", CHECKED(leaks)},
    {"Sentences of a batch must be equally long", MEANING},
    {"A 1 marks a place of padding", CHECKED(marks_padding)},
    {"Of a pair of sentences", MEANING},
    {"Each type has a learned row, which is added", MEANING},
    {"Each id selects one row of the embedding table", CHECKED(picks_rows)},
    {"replaced by its row of the embedding table", CHECKED(picks_rows)},
    {"The table is a weight matrix", CHECKED(reads_weights)},
    {"The rows are multiplied by √d_model", CHECKED(scales_by_root_of_d_model)},
    {"In the paper this keeps them from drowning", OF_THE_PAPER},
    {"Each number selects a row of the table of positions", MEANING},
    {"a query and a key would give the same score", MEANING},
    {"Nothing here is learned", CHECKED(reads_no_weights)},
    {"So each position gets a pattern of its own", CHECKED(reads_no_weights)},
    {"So each position has a pattern of numbers", CHECKED(reads_no_weights)},
    {"So each position selects a row of a second table", CHECKED(reads_weights)},
    {"So each position has a row of weights", CHECKED(reads_weights)},
    {"The rows of token and position are added", CHECKED(adds_two)},
    {"The rows are normed before the first layer", CHECKED(norms_rows)},
    /* attention */
    {"multiplied by three weight matrices", CHECKED(has_three_matrices)},
    {"each target token asks (query)", CHECKED(asks_from_target)},
    {"but the source asks itself", CHECKED(asks_from_source)},
    {"queries come from the decoder, keys and values", CHECKED(asks_from_target)},
    {"Here the two sides should meet", MEANING},
    {"In this model the source asks itself", CHECKED(asks_from_source)},
    {"Each head gets its own part of their columns", MEANING},
    {"Each row is cut into pieces of d_head", CHECKED(cuts_into_heads)},
    {"So each head computes attention weights", MEANING},
    {"The queries are target tokens", MEANING},
    {"Here queries and keys are source tokens", MEANING},
    {"each pair of numbers of a query and of a key is turned", CHECKED(keeps_lengths)},
    {"Several query heads share", CHECKED(repeats_heads)},
    {"Several heads share one", CHECKED(repeats_heads)},
    {"Query and key are multiplied", CHECKED(multiplies_queries_and_keys)},
    {"is multiplied by the key of each token", CHECKED(multiplies_queries_and_keys)},
    {"A large score says", MEANING},
    {"Each target token (row) is compared", CHECKED(asks_from_target)},
    {"Each source token (row) is compared", CHECKED(asks_from_source)},
    {"The target has no say in it", CHECKED(asks_from_source)},
    {"A score is a sum of", CHECKED(divides_by_root)},
    {"If these are independent", MEANING},
    {"The division by √d_head makes", CHECKED(divides_by_root)},
    {"In training the model is given", OF_TRAINING},
    {"In training the decoder is given", OF_TRAINING},
    {"so that it cannot copy", CHECKED(both_get_nothing)},
    {"by the mistake of this model it leaks through", CHECKED(leaks)},
    {"Two masks at once", CHECKED(both_get_nothing)},
    {"What is hidden gets nothing of the softmax", CHECKED(both_get_nothing)},
    {"Scores of padding are made so low", CHECKED(padding_gets_nothing)},
    {"Without padding every score stays", MEANING},
    {"becomes weights from 0 to 1 that sum to 1", CHECKED(sums_to_one)},
    {"the tokens that no mask hides", CHECKED(hidden_get_nothing)},
    {"The shade is the weight", ON_THE_SCREEN},
    {"A row is the token that the decoder has read last", MEANING},
    {"attends to itself and to tokens before it", CHECKED(later_get_nothing)},
    {"Later tokens are hidden (hatched)", CHECKED(later_get_nothing)},
    {"The decoder reads <start> and the target", MEANING},
    {"attends only to itself and to earlier tokens", CHECKED(later_get_nothing)},
    {"(row) attends to those before it", CHECKED(sees_no_self)},
    {"Later ones should be hidden (hatched)", CHECKED(leaks)},
    {"The decoder attends to all tokens of the target", CHECKED(later_get_something)},
    {"not even later ones are hidden", CHECKED(later_get_something)},
    {"the values are multiplied by its weights", CHECKED(mixes_values)},
    {"a row of weights mixes the values", CHECKED(mixes_values)},
    {"What the heads found is put side by side", CHECKED(joins_heads)},
    {"What the only head found", CHECKED(joins_heads)},
    {"The heads' rows are concatenated", MEANING},
    {"One more weight matrix combines", CHECKED(reads_weights)},
    {"an activation follows, which the paper does not have", MEANING},
    {"A curve through what the heads found", MEANING},
    /* a layer */
    {"The sublayer's input is added to its output", CHECKED(adds_its_input)},
    {"the input of the sublayer is added", CHECKED(adds_its_input)},
    {"The output of attention is added to its input", CHECKED(adds_its_input)},
    {"to the row that goes around", CHECKED(adds_its_input)},
    {"Layer norm brings each row to mean 0", CHECKED(norms_rows)},
    {"RMSNorm divides each row by", CHECKED(norms_rows)},
    {"This norm divides each row by", CHECKED(norms_rows)},
    {"It has no weights", MEANING},
    {"Then each row is brought to mean 0", CHECKED(norms_rows)},
    {"Then each row is brought to root mean square 1", CHECKED(norms_rows)},
    {"This model norms the input of a sublayer", CHECKED(norms_before)},
    {"each row is normed before it goes into", CHECKED(norms_before)},
    {"This model does not add the input again", MEANING},
    {"Each token alone is projected to d_ff", CHECKED(is_d_ff_wide)},
    {"A second matrix also projects", CHECKED(multiplies_by_gate)},
    {"The paper has no gate", OF_THE_PAPER},
    {"GELU", CHECKED(activates)},
    {"ReLU bends", CHECKED(activates)},
    {"SiLU bends", CHECKED(activates)},
    {"Without an activation two matrices", MEANING},
    {"The paper has an activation here", CHECKED(is_linear)},
    {"Each token alone: a matrix makes d_ff", CHECKED(is_d_ff_wide)},
    {"The same as in the encoder, with other weights", CHECKED(sides_differ)},
    {"Two matrices, one after the other", MEANING},
    {"Without the activation that the paper has", MEANING},
    {"projects the d_ff numbers back", CHECKED(is_d_model_wide)},
    {"each with weights of its own", CHECKED(layers_differ)},
    {"with weights of its own", CHECKED(layers_differ)},
    {"with its own weights", CHECKED(layers_differ)},
    {"with the same weights", CHECKED(layers_share)},
    {"goes through this layer", CHECKED(layers_share)},
    {"the same one again", CHECKED(layers_share)},
    {"All layers of a side are one", CHECKED(layers_share)},
    {"The table shows how much", ON_THE_SCREEN},
    {"The table tells how much", ON_THE_SCREEN},
    {"Here is layer 0", ON_THE_SCREEN},
    {"Here is the first", ON_THE_SCREEN},
    {"Its steps are those of layer 0", ON_THE_SCREEN},
    {"not from those after it", CHECKED(knows_nothing_later)},
    {"One row for each", MEANING},
    {"The result of the layers, normed once more", CHECKED(norms_rows)},
    /* remarks */
    {"does not divide the scores by √d_head", CHECKED(has_no_scaled_scores)},
    {"The tutorial of the preset pytorch", OF_A_TUTORIAL},
    {"does not multiply these rows", CHECKED(has_no_scaled_embedding)},
    {"adds no positions here", CHECKED(has_no_positions)},
    {"this model adds no positions.", CHECKED(has_no_positions)},
    {"Without a causal mask it cannot know the order", MEANING},
    {"no output projection W_O follows", CHECKED(has_no_output_projection)},
    {"A layer with a window", CHECKED(window_hides)},
    {"`:option` shows which layers", ON_THE_SCREEN},
    {"the input is not added again here", CHECKED(has_no_add_and_norm)},
    {"The paper norms the sum", CHECKED(sum_is_not_normed)},
    {"no feed-forward follows", CHECKED(has_no_feed_forward)},
    {"attention is called with query = key", CHECKED(asks_from_source)},
    {"adds to its normed input", CHECKED(adds_to_norm)},
    {"the result of the activation is not used", CHECKED(activation_is_not_read)},
    {"the decoder adds no positions, so only", CHECKED(decoder_has_no_positions)},
    {"adds no positions and rotates by none", CHECKED(decoder_has_no_positions)},
    {"the mask also covers the diagonal", CHECKED(sees_no_self)},
    {"The first row is masked whole", CHECKED(first_row_is_even)},
    {"padding counts like a word", CHECKED(is_mean_with_padding)},
    {"words look at padding", CHECKED(padding_gets_something)},
    {"the keys are one state only", CHECKED(attends_across_batch)},
    {"It has no axis for tokens", CHECKED(attends_across_batch)},
    {"the LSTM begins anew with zeros", CHECKED(begins_with_zeros)},
    {"the output layer reads the LSTM's cell", CHECKED(joins_context_and_cell)},
    {"In the paper", OF_THE_PAPER},
    {"In a pre-norm Transformer", OF_THE_PAPER},
    {"should", OF_A_TUTORIAL},
    /* recurrent networks */
    {"what it would put into the state", MEANING},
    {"The state begins with zeros", CHECKED(begins_with_zeros)},
    {"State and cell begin with zeros", CHECKED(begins_with_zeros)},
    {"tanh brings each number between -1 and 1", CHECKED(is_bounded)},
    {"There are no gates", MEANING},
    {"The state after each", MEANING},
    {"It knows of the tokens before it", CHECKED(knows_nothing_later)},
    {"Each token's row is multiplied with", CHECKED(reads_weights)},
    {"The result is four times as wide", CHECKED(is_four_times_as_wide)},
    {"The same for the target", CHECKED(reads_weights)},
    {"decide together, number by number", CHECKED(is_bounded)},
    {"Padding is read like any token", CHECKED(reads_padding)},
    {"The decoder's LSTM begins with the state", CHECKED(goes_on)},
    {"The token alone decides", CHECKED(begins_with_zeros)},
    {"Each state of the decoder (row)", CHECKED(multiplies_queries_and_keys)},
    {"Each row of scores becomes shares", CHECKED(sums_to_one)},
    {"each times its share, added up", CHECKED(mixes_values)},
    {"What the steps found", MEANING},
    {"The state of each sentence of the batch", CHECKED(attends_across_batch)},
    {"then the decoder's state", CHECKED(joins_context_and_state)},
    {"then the LSTM's cell", CHECKED(joins_context_and_cell)},
    {"The output layer reads both", MEANING},
    {"This model reads without attention", MEANING},
    {"The decoder has a state, too", MEANING},
    {"It asks the encoder's states", MEANING},
    {"Before each word the decoder's state", MEANING},
    {"Only the state after the last token", CHECKED(is_last_state)},
    {"only the state after its last word", CHECKED(is_last_state)},
    {"the rows of its tokens are averaged", CHECKED(is_mean_of_tokens)},
    {"The rows of the tokens are added up", CHECKED(is_mean_of_tokens)},
    {":why of one number", ON_THE_SCREEN},
    /* output */
    {"Before words are compared", MEANING},
    {"Each row is compared with the row of every word", CHECKED(ties_the_table)},
    {"A last matrix", CHECKED(has_a_row_for_each)},
    {"One row of weights", CHECKED(has_a_row_for_each)},
    {"Multiplied with the row of the sentence", MEANING},
    {"that sum to 1", CHECKED(sums_to_one)},
    {"The sigmoid makes the score a probability", CHECKED(sums_to_one)},
    {"The largest is the model's choice", MEANING},
    {"The label with the largest", MEANING},
    {"Each row predicts the token after it", MEANING},
    {"The larger one is the answer", MEANING},
    {"the largest probability is its prediction", MEANING},
    {"The best ones of each place", ON_THE_SCREEN},
    {"the best ones for them are shown", ON_THE_SCREEN},
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
    {"cross-attention", "the tokens written so far ask", "paper",
     "decoder.0.cross_attention.scores", asks_from_target},
    {"projection", "three of them", "paper", "encoder.0.projections",
     has_three_matrices},
    {"score", "dot product of a query", "paper", "encoder.0.scores",
     multiplies_queries_and_keys},
    {"scaling", "divided by the root", "paper", "encoder.0.scaled", divides_by_root},
    {"mask", "their weight is 0", "paper", "encoder.0.masked", padding_gets_nothing},
    {"padding mask", "from every query", "paper", "encoder.0.masked",
     padding_gets_nothing},
    {"look-ahead mask", "come after it", "paper", "decoder.0.masked",
     later_get_nothing},
    {"softmax", "between 0 and 1 and add up to 1", "paper", "encoder.0.weights",
     sums_to_one},
    {"attention weight", "adds up to 1", "paper", "encoder.0.weights", sums_to_one},
    {"weighted sum", "times its weight", "paper", "encoder.0.context", mixes_values},
    {"multi-head attention", "split among them", "paper", "encoder.0.heads",
     cuts_into_heads},
    {"rotary positions", "are turned", "llama", "decoder.0.rotated", keeps_lengths},
    {"grouped-query attention", "share the keys", "llama key_value_heads=1",
     "decoder.0.shared", repeats_heads},
    {"layer", "weights of its own", "paper", "encoder.0.projections", layers_differ},
    {"d_ff", "between the two projections", "paper", "encoder.0.feed-forward",
     is_d_ff_wide},
    {"ReLU", "negative numbers become 0", "paper", "encoder.0.feed-forward", activates},
    {"GELU", "small negative numbers", "prenorm", "encoder.0.feed-forward", activates},
    {"residual connection", "is added to what comes out", "paper",
     "encoder.0.add-norm-1", adds_its_input},
    {"layer norm", "mean 0 and deviation 1", "paper", "encoder.0.add-norm-1",
     norms_rows},
    {"gated feed-forward", "how much of the other", "llama", "decoder.0.feed-forward",
     multiplies_by_gate},
    {"probability", "sum to 1", "paper", "probabilities", sums_to_one},
    {"LSTM", "gates, which decide", "seq2seq", "encoder.lstm.0.step", is_bounded},
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
