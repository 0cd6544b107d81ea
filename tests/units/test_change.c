/* Manual changes: each equals a full run in which the numbers were changed as they were
 * computed, bit for bit; the same for any list of changes in any order; and after
 * undoing them, the run is what it was. Only the steps that depend on a change run
 * again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/builder.h"
#include "base/random.h"
#include "explain/change.h"
#include "ops/ops.h"
#include "player/line.h"
#include "sample.h"
#include "session/session.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "small_model.h"

static const char *const presets_tested[] = {
    "paper",
    "paper norm=pre position=learned final_norm=true",
    "paper causal=false",
    "pytorch",
    "kit",
    "keras-as-written",
    "kit-as-written",
    "minimal",
    "classifier",
    "classifier-binary",
    "classifier-rnn",
    "seq2seq",
    "seq2seq-as-written"};

static Session *open(const char *preset, Arena *arena) {
    Session *session = session_new(arena);
    char name[64];
    sscanf(preset, "%63s", name);
    const char *options = preset + strlen(name);
    make_with(&session->model, name, options + (*options == ' '), arena);
    session->has_model = true;
    return session;
}

static bool say_line(Session *session, const char *line) {
    Error error;
    bool done = line_run(session, line, &error);
    if (!done) {
        page_clear(&session->page);
        page_clear(&session->messages);
    }
    return done;
}

static void read_ids(Session *session, const char *ids, const char *reads) {
    Error error;
    const Request request = {.source_ids = ids, .target_ids = reads, .limit = 6};
    session_clear(session);
    if (!session_run(session, &request, &error)) fail_msg("%s", error.message);
}

/* Check that all tensors of two tapes are equal. */
static void check_same(const Tape *one, const Tape *other, const char *what) {
    if (one->entries != other->entries)
        fail_msg("%s: %d addresses, %d", what, one->entries, other->entries);
    for (int e = 0; e < one->entries; e++) {
        const Tensor *a = one->entry[e].tensor;
        const Tensor *b = other->entry[e].tensor;
        assert_string_equal(one->entry[e].address, other->entry[e].address);
        if (tensor_size(a) != tensor_size(b) ||
            memcmp(a->data, b->data, (size_t)tensor_size(a) * sizeof(Number)) != 0)
            fail_msg("%s: %s differs", what, one->entry[e].address);
    }
}

/* A change, typed, and made directly in a tensor that was just computed. */
typedef struct {
    const char *line;
    void (*hand)(const Tape *tape, Tensor *tensor, const Step *step);
} Hands;

static void set_one(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor != tape_find(tape, "encoder.0.norm_1")) return;
    tensor->data[1 * tensor_row(tensor) + 2] = (Number)0.5;
}

static void zero_head_weights(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor != tape_find(tape, "encoder.0.self_attention.weights")) return;
    int head = tensor_size(tensor) / tensor->axis[1].size;
    for (int i = 0; i < head; i++) tensor->data[head + i] = 0;
}

static void zero_head(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor != tape_find(tape, "encoder.0.self_attention.context")) return;
    int head = tensor_size(tensor) / tensor->axis[1].size;
    for (int i = 0; i < head; i++) tensor->data[head + i] = 0;
}

static bool is_read_by_source_softmax(const Tape *tape, const Tensor *tensor) {
    for (int s = 0; s < tape->count; s++) {
        const Step *step = &tape->step[s];
        const char *name = step->output->name;
        bool own = strstr(name, "decoder.") && strstr(name, ".self_attention.");
        if (step->op == &op_softmax && step->input[0] == tensor && !own &&
            tensor_axis(step->output, "key") >= 0)
            return true;
    }
    return false;
}

static void hide_key(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (!is_read_by_source_softmax(tape, tensor)) return;
    int keys = tensor_row(tensor);
    for (int i = 1; i < tensor_size(tensor); i += keys) tensor->data[i] = -INFINITY;
}

static void zero_layer(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor == tape_find(tape, "encoder.1.self_attention.output") ||
        tensor == tape_find(tape, "encoder.1.feed_forward.output"))
        memset(tensor->data, 0, (size_t)tensor_size(tensor) * sizeof(Number));
}

static void zero_position(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)tape;
    (void)step;
    if (strcmp(tensor->short_name, "position") == 0)
        memset(tensor->data, 0, (size_t)tensor_size(tensor) * sizeof(Number));
}

static void copy_scores(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)tape;
    for (int i = 0; step && step->op == &op_mask && i < tensor_size(tensor); i++)
        tensor->data[i] = step->input[0]->data[i];
}

static void swap_ids(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor != tape_find(tape, "encoder.ids")) return;
    Number first = tensor->data[0];
    tensor->data[0] = tensor->data[2];
    tensor->data[2] = first;
}

static void set_target_row(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor != tape_find(tape, "decoder.0.norm_1") || tensor->axis[1].size < 2)
        return;
    tensor->data[1 * tensor_row(tensor) + 3] = 2;
}

static void zero_cross(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor == tape_find(tape, "decoder.0.cross_attention.output"))
        memset(tensor->data, 0, (size_t)tensor_size(tensor) * sizeof(Number));
}

static void zero_embedding(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor == tape_find(tape, "encoder.embedding"))
        memset(tensor->data + tensor_row(tensor), 0,
               (size_t)tensor_row(tensor) * sizeof(Number));
}

static void set_logits(const Tape *tape, Tensor *tensor, const Step *step) {
    (void)step;
    if (tensor != tape_find(tape, "logits") || tensor->rank < 3) return;
    if (tensor->axis[1].size > 1) tensor->data[tensor_row(tensor) + 7] = 50;
}

static const Hands hands[] = {
    {":set encoder.0.norm_1[source=1, d_model=2] = 0.5", set_one},
    {":zero encoder.0.self_attention.weights[head=1]", zero_head_weights},
    {":mask encoder.0 head 1", zero_head},
    {":mask key 1", hide_key},
    {":mask layer encoder.1", zero_layer},
    {":no position", zero_position},
    {":no mask", copy_scores},
    {":swap 0 2", swap_ids},
    {":set decoder.0.norm_1[target=1, d_model=3] = 2", set_target_row},
    {":zero decoder.0.cross_attention.output", zero_cross},
    {":zero encoder.embedding[source=1]", zero_embedding},
    {":set logits[target=1, vocabulary=7] = 50", set_logits},
};
enum { HANDS = sizeof hands / sizeof *hands };

/* A whole run in which `hand` changes each tensor as it is computed. */
static void run_by_hand(Tape *tape, const Model *model, const Ids *ids, const Ids *read,
                        const Hands *hand) {
    Encoded encoded = network_encode(tape, &model->network, ids);
    Tensor *reads = read ? network_target(tape, read) : NULL;
    network_decode(tape, &model->network, &encoded, reads, NULL);
    assert_false(tape->failed);
    for (int e = 0; e < tape->entries; e++)
        if (tape->entry[e].tensor->step == STEP_NONE)
            hand->hand(tape, tape->entry[e].tensor, NULL);
    for (int s = 0; s < tape->count; s++) {
        Step *step = &tape->step[s];
        tape_rerun_part(tape, s, s + 1);
        hand->hand(tape, step->output, step);
    }
}

static void check_tensors(const Tape *expected, const Tape *found, const char *what) {
    for (int e = 0; e < expected->entries; e++) {
        const Tensor *a = expected->entry[e].tensor;
        const Tensor *b = tape_find(found, expected->entry[e].address);
        if (!b || tensor_size(a) != tensor_size(b) ||
            memcmp(a->data, b->data, (size_t)tensor_size(a) * sizeof(Number)) != 0)
            fail_msg("%s: %s is not as by hand", what, expected->entry[e].address);
    }
}

/* Decode word by word, reading the whole target again for each: the expected result of
 * the decoding. */
static void check_decoding(const Session *session, const Hands *hand) {
    const Model *model = &session->model;
    int id[16] = {model->config.start_id};
    int count = 1;
    for (int t = 0; t < session->run->generated.count; t++) {
        Tape tape = {0};
        run_by_hand(&tape, model, &session->run->source.ids, &(Ids){id, 1, count, NULL},
                    hand);
        const Tensor *logits = tape_find(&tape, "logits");
        const Number *row = logits->data + tensor_size(logits) - tensor_row(logits);
        int best = 0;
        for (int i = 1; i < tensor_row(logits); i++)
            if (row[i] > row[best]) best = i;
        tape_free(&tape);
        if (best != session->run->generated.id[t])
            fail_msg("%s: word %d is %d, by hand %d", hand->line, t,
                     session->run->generated.id[t], best);
        id[count++] = best;
    }
}

static int check_hand(const char *preset, const Hands *hand) {
    Arena arena = {0};
    Session *session = open(preset, &arena);
    const char *what = arena_print(&arena, "%s, %s", preset, hand->line);
    Tape tape = {0};
    read_ids(session, "5,7,9,2", NULL);
    int done = say_line(session, hand->line);
    if (done) {
        const Ids *read = session->run->target.rows ? &session->run->target.ids : NULL;
        run_by_hand(&tape, &session->model, &session->run->source.ids, read, hand);
        check_tensors(&tape, &session->run->tape, what);
        if (session->run->generated.count) check_decoding(session, hand);
        assert_true(say_line(session, ":undo"));
        Session *again = open(preset, &arena);
        read_ids(again, "5,7,9,2", NULL);
        check_same(&again->run->tape, &session->run->tape, what);
        check_same(&again->run->steps, &session->run->steps, what);
        session_free(again);
    }
    tape_free(&tape);
    session_free(session);
    arena_free(&arena);
    return done;
}

static void every_change_equals_a_run_changed_manually(void **state) {
    (void)state;
    int models = sizeof presets_tested / sizeof *presets_tested;
    for (int p = 0; p < models; p++) {
        int done = 0;
        int tried = 0;
        for (int h = 0; h < HANDS; h++) {
            if (!in_sample(p + h, 3)) continue;
            tried++;
            done += check_hand(presets_tested[p], &hands[h]);
        }
        bool is_paper = strncmp(presets_tested[p], "paper", 5) == 0;
        if (done < (is_paper ? tried : 2 * checks_all()))
            fail_msg("%s: only %d changes were possible", presets_tested[p], done);
    }
}

static void a_patch_copies_the_numbers_of_the_other_run(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = open("paper", &arena);
    Session *other = open("paper", &arena);
    read_ids(session, "5,7,9,2", NULL);
    read_ids(other, "6,7,4,2", NULL);
    assert_true(say_line(session, ":patch encoder.0.norm_2[source=1:3] from 6,7,4,2"));
    const Tensor *here = tape_find(&session->run->tape, "encoder.0.norm_2");
    const Tensor *there = tape_find(&other->run->tape, "encoder.0.norm_2");
    int row = tensor_row(here);
    assert_memory_equal(here->data + row, there->data + row,
                        2 * (size_t)row * sizeof(Number));
    assert_int_not_equal(memcmp(here->data, there->data, (size_t)row * sizeof(Number)),
                         0);
    session_free(session);
    session_free(other);
    arena_free(&arena);
}

static void an_edited_weight_outlives_the_sentence_and_comes_back(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = open("paper", &arena);
    Session *fresh = open("paper", &arena);
    Tensor *weight = session->model.weights.weight[3].tensor;
    Number before = weight->data[1];
    read_ids(session, "5,7,9,2", NULL);
    const char *address = address_print(weight, 1, &arena);
    assert_true(say_line(session, arena_print(&arena, ":edit %s = 3", address)));
    assert_true(say_line(session, ":zero encoder.0.norm_1"));
    assert_true(weight->data[1] == 3);
    read_ids(session, "6,7,9,2", NULL);
    assert_int_equal(session->what_if.changes.done, 1);
    fresh->model.weights.weight[3].tensor->data[1] = 3;
    read_ids(fresh, "6,7,9,2", NULL);
    check_same(&fresh->run->tape, &session->run->tape, "an edited weight");
    assert_true(say_line(session, ":reset"));
    assert_true(weight->data[1] == before);
    fresh->model.weights.weight[3].tensor->data[1] = before;
    read_ids(fresh, "6,7,9,2", NULL);
    check_same(&fresh->run->tape, &session->run->tape, "a weight that is itself again");
    session_free(session);
    session_free(fresh);
    arena_free(&arena);
}

/* A line with a random change: any kind, any address of the run. */
static const char *random_line(const Session *session, Random *random, Arena *arena) {
    static const char *const fixed[] = {
        ":undo",
        ":redo",
        ":undo",
        ":no position",
        ":no mask",
        ":swap 0 2",
        ":mask key 1",
        ":mask key 2",
        ":mask encoder.0 head 0",
        ":swap 1 0",
        ":mask layer decoder.0",
        ":mask layer encoder.1",
        ":set decoder.ids[target=1] = 6",
        ":set encoder.ids[source=0] = 8",
        ":patch encoder.output[source=1] from 4,4,6,2",
        ":patch decoder.0.norm_1[target=0] from 4,4,6,2",
        ":set step.1.logits[vocabulary=5] = 40",
        ":reset",
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    int kind = random_below(random, 6);
    if (kind < 3) return fixed[random_below(random, FIXED)];
    const Tape *tape = &session->run->tape;
    if (random_below(random, 5) == 0 && session->run->steps.count)
        tape = &session->run->steps;
    const Tensor *tensor = tape->entry[random_below(random, tape->entries)].tensor;
    if (random_below(random, 8) == 0)
        tensor = session->model.weights
                     .weight[random_below(random, session->model.weights.count)]
                     .tensor;
    const char *cell =
        address_print(tensor, random_below(random, tensor_size(tensor)), arena);
    bool is_weight = weights_find(&session->model.weights, tensor->name) == tensor;
    if (is_weight) return arena_print(arena, ":edit %s = %d", cell, kind);
    if (kind == 3)
        return arena_print(arena, ":set %s = %d", cell, random_below(random, 4));
    return arena_print(arena, "%s %s", kind == 4 ? ":zero" : ":mask", cell);
}

/* The same changes, one after the other, in a fresh session. */
static void check_fresh(const Session *session, const char *preset, const char *what) {
    Arena arena = {0};
    Session *fresh = open(preset, &arena);
    const Changes *changes = &session->what_if.changes;
    Error error;
    read_ids(fresh, "5,7,9,2", NULL);
    for (int c = 0; c < changes->done; c++)
        if (!session_change(fresh, &changes->change[c], &error))
            fail_msg("%s: %s: %s", what, changes->change[c].text, error.message);
    check_same(&fresh->run->tape, &session->run->tape, what);
    check_same(&fresh->run->steps, &session->run->steps, what);
    for (int w = 0; w < fresh->model.weights.count; w++) {
        const Tensor *a = fresh->model.weights.weight[w].tensor;
        const Tensor *b = session->model.weights.weight[w].tensor;
        assert_memory_equal(a->data, b->data, (size_t)tensor_size(a) * sizeof(Number));
    }
    session_free(fresh);
    arena_free(&arena);
}

static void walk_at_random(const char *preset, unsigned long long seed) {
    enum { EVERY = 10 };
    const int actions = checks_all() ? 200 : 50;
    Arena arena = {0};
    Session *session = open(preset, &arena);
    Random random = random_new(seed);
    const char *last = "nothing";
    int done = 0;
    read_ids(session, "5,7,9,2", NULL);
    for (int a = 0; a < actions; a++) {
        last = random_line(session, &random, &arena);
        done += say_line(session, last);
        if (a % EVERY == 0)
            check_fresh(session, preset,
                        arena_print(&arena, "%s, %d: %s", preset, a, last));
    }
    check_fresh(session, preset, preset);
    if (done < actions / 4) fail_msg("%s: only %d changes were made", preset, done);
    while (session->what_if.changes.done) assert_true(say_line(session, ":undo"));
    check_fresh(session, preset, "all undone");
    session_free(session);
    arena_free(&arena);
}

static void random_changes_equal_their_list_made_freshly(void **state) {
    (void)state;
    int models = sizeof presets_tested / sizeof *presets_tested;
    for (int p = 0; p < models; p++)
        walk_at_random(presets_tested[p], (unsigned long long)p + 11);
}

static void no_step_before_the_change_runs_again(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = open("paper", &arena);
    read_ids(session, "5,7,9,2", "1,6,4");
    Tape *run = &session->run->tape;
    const Tensor *changed = tape_find(run, "encoder.1.norm_1");
    Tensor *early = tape_find(run, "encoder.1.self_attention.scores");
    early->data[0] = 12345; /* running its step again would fix this */
    assert_true(say_line(session, ":zero encoder.1.norm_1"));
    assert_true(early->data[0] == 12345);
    long long after = session->what_if.changes.made;
    assert_true(after == run->count - changed->step - 1);
    assert_true(say_line(session, ":set decoder.1.norm_2[target=0, d_model=0] = 1"));
    const Tensor *late = tape_find(run, "decoder.1.norm_2");
    assert_true(session->what_if.changes.made - after == run->count - late->step - 1);
    assert_true(early->data[0] == 12345);
    session_free(session);
    arena_free(&arena);
}

static void many_changes_are_told_in_order(void **state) {
    (void)state;
    enum { MANY = 50 };
    Arena arena = {0};
    Arena scratch = {0};
    Builder expected = {.arena = &scratch};
    Session *session = open("paper", &arena);
    read_ids(session, "5,6,7,2", "1,5,6"); /* given: decoding would take two paths */
    for (int c = 0; c < MANY; c++) {
        const char *line =
            arena_print(&scratch, ":set encoder.0.norm_1[source=%d, d_model=%d] = %d",
                        c % 4, c / 4 % 8, c % 9 + 1);
        build(&expected, "%s%s", c ? "; " : "", line);
        assert_true(say_line(session, line));
        session_clear(session);
    }
    assert_string_equal(changes_text(&session->what_if.changes, &scratch),
                        builder_text(&expected));
    arena_free(&scratch);
    session_free(session);
    arena_free(&arena);
}

static void what_is_refused_changes_nothing(void **state) {
    (void)state;
    static const char *const lines[] = {
        ":set encoder.0.norm_1[source=9] = 1",
        ":set encoder.0.norm_1[source=1] = 1,2",
        ":set encoder.0.norm_1[source=1] = one",
        ":set encoder.0.norm_1[source=1] = nan",
        ":set encoder.0.norm_1[source=1] = 1e999",
        ":set encoder.0.norm_1[source=1] = 1,",
        ":set encoder.0.norm_1[source=1] =",
        ":set encoder.0.norm_1[source=1]",
        ":set encoder.0.norm_7 = 1",
        ":set encoder.ids[source=0] = 4000",
        ":set encoder.ids[source=0] = 0.5",
        ":set step.0.choice = 99",
        ":set mask.padding = 1",
        ":set model.encoder.layers.0.fc1.weight[0, 0] = 1",
        ":edit encoder.0.norm_1[source=1] = 1",
        ":zero encoder.0.norm_1[source=",
        ":mask encoder.0 head 9",
        ":mask encoder.7 head 0",
        ":mask layer encoder.7",
        ":mask key 77",
        ":mask encoder.0.norm_1",
        ":no sense",
        ":swap 1 1",
        ":swap 1 9",
        ":patch encoder.output from 4,4,2",
        ":patch encoder.output[source=1] from",
        ":patch encoder.output[source=1] from 4,99999",
        ":compare nobody",
        ":keep a.b",
    };
    Arena arena = {0};
    Session *session = open("paper", &arena);
    Session *same = open("paper", &arena);
    read_ids(session, "5,7,9,2", NULL);
    read_ids(same, "5,7,9,2", NULL);
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        if (say_line(session, lines[l])) fail_msg("%s was taken", lines[l]);
        assert_int_equal(session->what_if.changes.done, 0);
        check_same(&same->run->tape, &session->run->tape, lines[l]);
    }
    assert_true(say_line(session, ":set encoder.0.norm_1[source=1] = nan --force"));
    session_free(session);
    session_free(same);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_equals_a_run_changed_manually),
        cmocka_unit_test(a_patch_copies_the_numbers_of_the_other_run),
        cmocka_unit_test(an_edited_weight_outlives_the_sentence_and_comes_back),
        cmocka_unit_test(random_changes_equal_their_list_made_freshly),
        cmocka_unit_test(no_step_before_the_change_runs_again),
        cmocka_unit_test(many_changes_are_told_in_order),
        cmocka_unit_test(what_is_refused_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
