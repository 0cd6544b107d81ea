/* The shipped models are worth looking at: no encoder head has collapsed onto one
 * column, the scores do not saturate the softmax, units of the feed-forward are active,
 * and heads of the translators have roles. Heads of the story model attend to names,
 * quotes and earlier mentions. Measured on sentences that no model was trained on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "data/batches.h"
#include "explain/role.h"
#include "model/model.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { SENTENCES = 100, LENGTH_MAX = 128, HEADS_MAX = 64 };

/* Measurements of one attention address, or one feed-forward. */
typedef struct {
    const char *address;
    HeadRoles head[HEADS_MAX];
    int heads;
} Seen;

typedef struct {
    Arena arena;
    Model model;
    Examples examples;
    Seen seen[16];
    int count;
    double largest_score, largest_of_decoder;
    double active, units; /* of the encoder's feed-forwards */
} Fixture;

static Seen *seen_at(Fixture *fixture, const Entry *entry) {
    for (int s = 0; s < fixture->count; s++)
        if (strcmp(fixture->seen[s].address, entry->address) == 0)
            return &fixture->seen[s];
    Seen *seen = &fixture->seen[fixture->count++];
    *seen = (Seen){.heads = entry->tensor->axis[1].size};
    seen->address = arena_copy(&fixture->arena, entry->address, strlen(entry->address));
    return seen;
}

static void look(Fixture *fixture, const Entry *entry) {
    const Tensor *tensor = entry->tensor;
    bool is_scores = strcmp(entry->name, "scaled") == 0;
    if (strcmp(entry->name, "weights") == 0) {
        Seen *seen = seen_at(fixture, entry);
        roles_add(seen->head, tensor, 0);
    }
    bool is_encoder = strcmp(entry->where.stack, "encoder") == 0;
    double *largest =
        is_encoder ? &fixture->largest_score : &fixture->largest_of_decoder;
    for (int i = 0; is_scores && i < tensor_size(tensor); i++)
        *largest = fmax(*largest, fabs((double)tensor->data[i]));
    bool is_units = is_encoder && strcmp(entry->part, "feed_forward.activated") == 0;
    for (int i = 0; is_units && i < tensor_size(tensor); i++) {
        fixture->active += tensor->data[i] > 0;
        fixture->units++;
    }
}

/* Return one side as the model reads it, with a label for each id. */
static Ids one_row(const Tokenizer *tokenizer, int first, const int *id, int count,
                   Arena *arena) {
    int *row = ARENA_ARRAY(arena, int, count + 1);
    const char **label = ARENA_ARRAY(arena, const char *, count + 1);
    int length = 0;
    if (first >= 0) row[length++] = first;
    for (int i = 0; i < count; i++) row[length++] = id[i];
    for (int i = 0; i < length; i++) label[i] = tokenizer_label(tokenizer, row[i]);
    return (Ids){row, 1, length, label};
}

static void look_at_sentence(Fixture *fixture, const Example *example) {
    Tape tape = {0};
    Arena arena = {0};
    const Model *model = &fixture->model;
    Ids source = {0};
    if (example->sources)
        source = one_row(&model->source, -1, example->source, example->sources, &arena);
    Ids target = {0};
    if (model->config.decoder_layers)
        target = one_row(&model->target, model->config.start_id, example->target,
                         example->targets, &arena);
    network_run(&tape, &model->network, &source, &target);
    assert_false(tape.failed);
    for (int e = 0; e < tape.entries; e++) look(fixture, &tape.entry[e]);
    tape_free(&tape);
    arena_free(&arena);
}

static void look_at_model(Fixture *fixture, const char *name) {
    Error error;
    *fixture = (Fixture){0};
    Arena *arena = &fixture->arena;
    const char *folder = arena_print(arena, "assets/models/%s", name);
    if (!model_open(&fixture->model, folder, &error)) fail_msg("%s", error.message);
    bool is_alone = config_is_decoder_alone(&fixture->model.config);
    Corpus corpus;
    const CorpusFile file = {.path = arena_print(arena, "%s/held-out.tsv", folder),
                             .source = "1",
                             .target = is_alone ? "" : "2"};
    if (!corpus_read(&corpus, &file, arena, &error) ||
        !examples_new(&fixture->examples, &corpus, &fixture->model, false, arena,
                      &error))
        fail_msg("%s", error.message);
    int count = fixture->examples.count;
    for (int s = 0; s < SENTENCES; s++)
        look_at_sentence(fixture,
                         &fixture->examples.example[(long long)s * count / SENTENCES]);
}

static void close_fixture(Fixture *fixture) {
    model_free(&fixture->model);
    arena_free(&fixture->arena);
}

static void report(const Fixture *fixture, const char *name) {
    printf("%s: |score| up to %.1f, of the decoder %.1f\n", name,
           fixture->largest_score, fixture->largest_of_decoder);
    if (fixture->units)
        printf("  %.0f %% of the units active\n",
               100 * fixture->active / fixture->units);
    for (int s = 0; s < fixture->count; s++)
        for (int h = 0; h < fixture->seen[s].heads; h++) {
            const HeadRoles *head = &fixture->seen[s].head[h];
            int role = roles_best(head);
            printf("  %s[head=%d]: column %.2f, %s %.2f\n", fixture->seen[s].address, h,
                   head->column / head->sentences, role < 0 ? "-" : role_name(role),
                   role < 0 ? 0 : roles_share(head, role));
        }
}

/* Heads rest on the end or the full stop, so attending to these does not count. */
static bool tells(int role) {
    return role >= 0 && strcmp(role_name(role), "the last token") != 0 &&
           strcmp(role_name(role), "the full stop") != 0;
}

static void check_model(const char *name, int roles_min, double column_max,
                        double score_max) {
    static Fixture fixture;
    look_at_model(&fixture, name);
    report(&fixture, name);
    int roles = 0;
    for (int s = 0; s < fixture.count; s++)
        for (int h = 0; h < fixture.seen[s].heads; h++) {
            const HeadRoles *head = &fixture.seen[s].head[h];
            roles += tells(roles_best(head));
            if (strncmp(fixture.seen[s].address, "encoder", 7) == 0)
                assert_true(head->column / head->sentences <= column_max);
        }
    assert_true(fixture.largest_score < score_max);
    assert_true(fixture.active >= 0.1 * fixture.units);
    if (roles < roles_min) fail_msg("%s: only %d heads have a role", name, roles);
    close_fixture(&fixture);
}

static void heads_of_ko_en_have_roles(void **state) {
    (void)state;
    check_model("ko-en", 5, 0.5, 15);
}

static void heads_of_en_ko_have_roles(void **state) {
    (void)state;
    check_model("en-ko", 5, 0.5, 15);
}

static void heads_of_passive_have_roles(void **state) {
    (void)state;
    check_model("passive", 5, 0.5, 15);
}

static void heads_of_the_chatbot_have_not_collapsed(void **state) {
    (void)state;
    check_model("chatbot", 0, 0.5, 15);
}

static void heads_of_the_classifier_have_not_collapsed(void **state) {
    (void)state;
    check_model("classifier", 0, 0.5, 15);
}

/* Does the head attend to such a position in most rows that have one? */
static bool stands_out(const HeadRoles *head, int role) {
    return head->rows[role] > SENTENCES && 2 * head->first[role] > head->rows[role] &&
           head->share[role] > 5 * head->even[role];
}

static void heads_of_the_story_model_attend_to_what_a_story_needs(void **state) {
    (void)state;
    static const char *const kinds[] = {
        "the previous token",
        "the opening quote",
        "an earlier mention of the word that comes next",
        "what followed an earlier occurrence of this token and comes again (induction)",
    };
    static Fixture fixture;
    look_at_model(&fixture, "stories");
    report(&fixture, "stories");
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        int found = 0;
        for (int s = 0; s < fixture.count; s++)
            for (int h = 0; h < fixture.seen[s].heads; h++)
                for (int role = 0; role_name(role); role++)
                    found += strcmp(role_name(role), kinds[kind]) == 0 &&
                             stands_out(&fixture.seen[s].head[h], role);
        if (found == 0) fail_msg("no head looks at %s", kinds[kind]);
    }
    close_fixture(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_of_ko_en_have_roles),
        cmocka_unit_test(heads_of_en_ko_have_roles),
        cmocka_unit_test(heads_of_passive_have_roles),
        cmocka_unit_test(heads_of_the_chatbot_have_not_collapsed),
        cmocka_unit_test(heads_of_the_classifier_have_not_collapsed),
        cmocka_unit_test(heads_of_the_story_model_attend_to_what_a_story_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
