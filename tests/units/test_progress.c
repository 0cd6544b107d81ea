/* A student's progress in a lesson: what is saved, what is rejected, and what
 * counts. */
#include <sys/stat.h>

#include "base/random.h"
#include "units/progress_files.h"

#include <cmocka.h> /* last: it has a macro named fail */

static LessonProgress begun(const Lesson *lesson) {
    LessonProgress progress = progress_begin(lesson, &arena);
    ProgressAnswer *first = progress_answer(&progress, id_of(lesson, 0));
    first->right = true;
    first->tries = 2;
    first->hints = 1;
    first->last = "부산 \"1\" \x1b[31m";
    progress_answer(&progress, id_of(lesson, 1))->skipped = true;
    progress.step = 2;
    return progress;
}

static LessonProgress saved(const Lesson *lesson, const char *path) {
    LessonProgress progress = begun(lesson);
    Error error;
    if (!progress_save(&progress, path, &error)) fail_msg("%s", error.message);
    return progress;
}

static Bytes bytes_of(const char *path) {
    Bytes bytes;
    Error error;
    if (!file_read(path, 1 << 20, &arena, &bytes, &error))
        fail_msg("%s", error.message);
    return bytes;
}

static void check_same(const LessonProgress *a, const LessonProgress *b) {
    assert_string_equal(a->lesson, b->lesson);
    assert_string_equal(a->language, b->language);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->digest, b->digest);
    assert_string_equal(a->changed, b->changed);
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->questions, b->questions);
    assert_int_equal(a->done, b->done);
    assert_int_equal(a->answers, b->answers);
    for (int i = 0; i < a->answers; i++) {
        const ProgressAnswer *one = &a->answer[i];
        const ProgressAnswer *other = &b->answer[i];
        assert_string_equal(one->id, other->id);
        assert_string_equal(one->ask, other->ask);
        assert_string_equal(one->last, other->last);
        assert_int_equal(one->number, other->number);
        assert_int_equal(one->tries, other->tries);
        assert_int_equal(one->hints, other->hints);
        assert_int_equal(one->right, other->right);
        assert_int_equal(one->shown, other->shown);
        assert_int_equal(one->skipped, other->skipped);
    }
}

static void what_was_saved_is_read_back(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    const char *path = progress_path(class_folder, lesson.name, "en", &arena);
    LessonProgress written = saved(&lesson, path);
    LessonProgress read;
    Error error;
    assert_string_equal(path, inside("04-one-query.en.json"));
    assert_int_equal(written.questions, 3);
    assert_int_equal(strlen(written.changed), strlen("2026-11-22T02:49:54Z"));
    if (!progress_read(&read, path, &lesson, &arena, &error))
        fail_msg("%s", error.message);
    check_same(&written, &read);
    assert_false(progress_follow(&read, &lesson));
    check_same(&written, &read);
}

static void only_questions_still_in_the_lesson_count(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    Lesson later = lesson_of("04-one-query.md", "Another");
    LessonProgress progress = begun(&lesson);
    *progress_answer(&progress, id_of(&lesson, 2)) =
        (ProgressAnswer){.id = id_of(&lesson, 2),
                         .number = 2,
                         .right = true,
                         .tries = 1,
                         .ask = "",
                         .last = ""};
    progress_answer(&progress, "a prediction")->right = true;
    ProgressScore score = progress_score(&progress);
    assert_int_equal(score.right, 2);
    assert_int_equal(score.first, 1);
    assert_int_equal(score.answered, 2);
    assert_int_equal(score.all, 3);
    int answers = progress.answers;
    assert_true(progress_follow(&progress, &later));
    assert_int_equal(progress.answers, answers + 1);
    assert_int_equal(progress_answer(&progress, id_of(&lesson, 2))->number, -1);
    assert_true(progress_answer(&progress, id_of(&lesson, 2))->right);
    assert_int_equal(progress_score(&progress).right, 1);
    assert_int_equal(progress_score(&progress).all, 3);
}

static void an_answer_is_worth_less_the_later_it_is_right(void **state) {
    (void)state;
    assert_true(isnan(progress_share(&(ProgressAnswer){.skipped = true})));
    assert_float_equal(progress_share(&(ProgressAnswer){.right = true, .tries = 1}), 1,
                       0);
    assert_float_equal(progress_share(&(ProgressAnswer){.right = true, .tries = 2}),
                       0.5, 0);
    assert_float_equal(progress_share(&(ProgressAnswer){.tries = 1}), 0, 0);
    assert_float_equal(progress_share(&(ProgressAnswer){.shown = true}), 0, 0);
}

static void there_is_always_room_for_an_answer(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    LessonProgress progress = begun(&lesson);
    for (int i = 0; i < PROGRESS_ANSWERS_MAX + 10; i++)
        progress_answer(&progress, arena_print(&arena, "id %d", i))->tries = i;
    assert_int_equal(progress.answers, PROGRESS_ANSWERS_MAX);
    assert_int_equal(progress_score(&progress).right, 1);
    Error error;
    assert_true(progress_save(&progress, inside("full.json"), &error));
    LessonProgress read;
    if (!progress_read(&read, inside("full.json"), &lesson, &arena, &error))
        fail_msg("%s", error.message);
}

static void long_and_broken_texts_are_kept_as_they_can_be(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    LessonProgress progress = begun(&lesson);
    char typed[3000] = "a";
    for (size_t i = 1; i + 3 < sizeof typed; i += 3) memcpy(typed + i, "가", 3);
    progress_answer(&progress, id_of(&lesson, 0))->last = typed;
    progress_answer(&progress, id_of(&lesson, 1))->last = "\xff\xfe \xed\xa0\x80";
    Error error;
    LessonProgress read;
    assert_true(progress_save(&progress, inside("long.json"), &error));
    if (!progress_read(&read, inside("long.json"), &lesson, &arena, &error))
        fail_msg("%s", error.message);
    size_t kept = strlen(read.answer[0].last);
    assert_in_range(kept, PROGRESS_TEXT_MAX - 3, PROGRESS_TEXT_MAX);
    assert_memory_equal(read.answer[0].last, typed, kept);
    assert_int_equal((kept - 1) % 3, 0);
}

/* `text` with the first `from` replaced by `to`. */
static const char *changed(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (!at) fail_msg("no %s in %s", from, text);
    return arena_print(&arena, "%.*s%s%s", (int)(at - text), text, to,
                       at + strlen(from));
}

static void check_refused(const Lesson *lesson, const char *text,
                          const char *expected) {
    const char *path = inside("changed.json");
    LessonProgress progress;
    Error error;
    assert_true(file_save(path, text, strlen(text), true, &error));
    if (progress_read(&progress, path, lesson, &arena, &error))
        fail_msg("taken for progress: %s", expected);
    if (!strstr(error.message, expected) || !strstr(error.message, path))
        fail_msg("'%s' does not say '%s'", error.message, expected);
}

static void rejected_files_are_named_with_the_reason(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *expected;
    } rows[] = {
        {"progress 1", "progress 2", "has the format 'glassbox progress 2'"},
        {"glassbox progress 1", "word 1", "its format is 'word 1'"},
        {"\"04-one-query\"", "\"05-two\"",
         "belongs to the lesson 05-two (en), not to 04-one"},
        {"\"language\": \"en\"", "\"language\": \"ko\"",
         "belongs to the lesson 04-one-query"},
        {"\"step\": 2", "\"step\": -1", "its \"step\" is -1, not a number from 0 to"},
        {"\"step\": 2", "\"step\": 2000", "its \"step\" is 2000"},
        {"\"step\": 2", "\"step\": 2.5",
         "its \"step\" is a number, not a whole number"},
        {"\"step\": 2,", "", "it has no \"step\""},
        {"\"step\": 2", "\"step\": \"2\"",
         "its \"step\" is a string, not a whole number"},
        {"\"questions\": 3", "\"questions\": 1", "its \"number\" is 1"},
        {"\"questions\": 3", "\"questions\": 99999", "its \"questions\" is 99999"},
        {"\"done\": false", "\"done\": 0", "its \"done\" is a number, not true or"},
        {"\"tries\": 2", "\"tries\": 9999999999999", "its \"tries\" is 9999999999999"},
        {"\"number\": 1", "\"number\": 0", "two of its answers are for one question"},
        {"\"answers\": [", "\"answers\": [7, ", "it has no \"id\""},
        {"\"answers\": [", "\"answers\": {}, \"others\": [",
         "its \"answers\" is an obj"},
        {"}", "", "this is not valid JSON"},
        {"{", "[", "this is not valid JSON"},
    };
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    saved(&lesson, inside("whole.json"));
    const char *text = bytes_of(inside("whole.json")).bytes;
    for (size_t r = 0; r < COUNT(rows); r++)
        check_refused(&lesson, changed(text, rows[r].from, rows[r].to),
                      rows[r].expected);
    char wide[PROGRESS_TEXT_MAX + 2] = "";
    memset(wide, 'a', sizeof wide - 1);
    check_refused(&lesson, changed(text, "One query", wide), "more than 500 bytes");
    check_refused(&lesson, "", "this is not valid JSON");
    check_refused(&lesson, "[]", "it contains a list");
}

static void additions_of_a_later_version_are_ignored(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    LessonProgress progress;
    Error error;
    saved(&lesson, inside("whole.json"));
    const char *text = bytes_of(inside("whole.json")).bytes;
    text = changed(text, "\"step\"", "\"mood\": {\"good\": [true]}, \"step\"");
    text = changed(text, "\"tries\"", "\"minutes\": 1.5, \"tries\"");
    assert_true(file_save(inside("more.json"), text, strlen(text), true, &error));
    if (!progress_read(&progress, inside("more.json"), &lesson, &arena, &error))
        fail_msg("%s", error.message);
}

static void what_is_set_aside_never_takes_the_place_of_another(void **state) {
    (void)state;
    static const char *const names[] = {"x.json.refused", "x.json.refused-2",
                                        "x.json.refused-3"};
    Error error;
    const char *kept;
    for (int i = 0; i < 3; i++) {
        const char *text = arena_print(&arena, "%d", i);
        assert_true(file_save(inside("x.json"), text, 1, true, &error));
        if (!progress_set_aside(inside("x.json"), "refused", &arena, &kept, &error))
            fail_msg("%s", error.message);
        assert_string_equal(kept, inside(names[i]));
        assert_false(file_exists(inside("x.json")));
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(bytes_of(inside(names[i])).bytes[0], '0' + i);
    assert_false(
        progress_set_aside(inside("x.json"), "refused", &arena, &kept, &error));
    assert_non_null(strstr(error.message, "x.json"));
}

/* Change, remove or insert one to three bytes. */
static Bytes mutated(Bytes bytes, Random *random) {
    char *text = arena_take(&arena, bytes.size + 8);
    memcpy(text, bytes.bytes, bytes.size);
    size_t size = bytes.size;
    for (int n = random_below(random, 3); n >= 0; n--) {
        size_t at = (size_t)random_below(random, (int)size);
        int kind = random_below(random, 3);
        if (kind == 1) memmove(text + at, text + at + 1, --size - at);
        if (kind == 2) memmove(text + at + 1, text + at, size++ - at);
        if (kind != 1) text[at] = (char)random_below(random, 256);
    }
    return (Bytes){text, size};
}

static void noise_is_refused_or_good(void **state) {
    (void)state;
    enum { TIMES = 300 };
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    Random random = random_new(7);
    saved(&lesson, inside("whole.json"));
    Bytes whole = bytes_of(inside("whole.json"));
    int refused = 0;
    for (int i = 0; i < TIMES; i++) {
        Bytes noise = mutated(whole, &random);
        const char *path = inside("noise.json");
        FILE *file = fopen(path, "w");
        assert_int_equal(fwrite(noise.bytes, 1, noise.size, file), noise.size);
        fclose(file);
        LessonProgress progress;
        LessonProgress again;
        Error error = {0};
        if (!progress_read(&progress, path, &lesson, &arena, &error)) {
            refused++;
            assert_non_null(strstr(error.message, path));
            continue;
        }
        assert_in_range(progress_score(&progress).right, 0, progress.questions);
        assert_true(progress_save(&progress, path, &error));
        if (!progress_read(&again, path, &lesson, &arena, &error))
            fail_msg("%s", error.message);
    }
    assert_in_range(refused, TIMES / 3, TIMES - 1);
}

static void a_failed_write_leaves_the_old_file(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    LessonProgress progress = begun(&lesson);
    Error error;
    assert_false(progress_save(&progress, inside("none/x.json"), &error));
    assert_non_null(strstr(error.message, "none/x.json"));
    mkdir(inside("x.json"), 0700);
    assert_false(progress_save(&progress, inside("x.json"), &error));
}

static void the_folder_is_made_in_the_state_folder(void **state) {
    (void)state;
    const char *folder;
    Error error;
    setenv("XDG_STATE_HOME", inside("state"), 1);
    assert_true(state_folder("lessons", &arena, &folder, &error));
    assert_string_equal(folder, inside("state/glassbox/lessons"));
    assert_true(file_exists(folder));
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", class_folder, 1);
    assert_true(state_folder("lessons", &arena, &folder, &error));
    assert_string_equal(folder, inside(".local/state/glassbox/lessons"));
    unsetenv("HOME");
    assert_false(state_folder("lessons", &arena, &folder, &error));
    assert_string_equal(progress_path("f", "a/b\n", "../c", &arena),
                        "f/a-b-...-c.json");
}

#define IN_CLASS(test) cmocka_unit_test_setup_teardown(test, make_class, end_class)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLASS(what_was_saved_is_read_back),
        IN_CLASS(only_questions_still_in_the_lesson_count),
        IN_CLASS(an_answer_is_worth_less_the_later_it_is_right),
        IN_CLASS(there_is_always_room_for_an_answer),
        IN_CLASS(long_and_broken_texts_are_kept_as_they_can_be),
        IN_CLASS(rejected_files_are_named_with_the_reason),
        IN_CLASS(additions_of_a_later_version_are_ignored),
        IN_CLASS(what_is_set_aside_never_takes_the_place_of_another),
        IN_CLASS(noise_is_refused_or_good),
        IN_CLASS(a_failed_write_leaves_the_old_file),
        IN_CLASS(the_folder_is_made_in_the_state_folder),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
