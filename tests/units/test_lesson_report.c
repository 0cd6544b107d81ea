/* The results of a class in its lessons, as a table, as CSV and as a figure. */
#include <sys/stat.h>

#include "player/lessons.h"
#include "prompt/dispatch.h"
#include "units/progress_files.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const Flag flags[] = {{"csv", 0, NULL, ""}, {0}};
static const Command report = {.name = "lesson",
                               .words.min = 1,
                               .words.max = 2,
                               .flags = {flags, flags_output},
                               .run = lesson_report};

/* How a student answers one question. */
typedef struct {
    int number, tries;
    bool right, shown;
} Answered;

static void save(const Lesson *lesson, const char *folder, const Answered *answered,
                 int count) {
    LessonProgress progress = progress_begin(lesson, &arena);
    Error error;
    for (int a = 0; a < count; a++) {
        ProgressAnswer *answer =
            progress_answer(&progress, id_of(lesson, answered[a].number));
        answer->tries = answered[a].tries;
        answer->right = answered[a].right;
        answer->shown = answered[a].shown;
        answer->hints = 1;
        answer->last = "=1+1";
    }
    progress.done = count == 3;
    const char *path = inside(folder);
    if (!file_make_folder(path, &error) ||
        !progress_save(&progress,
                       progress_path(path, lesson->name, lesson->language, &arena),
                       &error))
        fail_msg("%s", error.message);
}

static void save_text(const char *name, const char *text) {
    Error error;
    if (!file_save(inside(name), text, strlen(text), true, &error))
        fail_msg("%s", error.message);
}

/* Two students in two lessons, one of them in a nested folder. */
static void save_class(void) {
    Lesson four = lesson_of("04-one-query.md", "Third");
    Lesson five = lesson_of("05-two.md", "Third");
    static const Answered good[] = {
        {0, 1, true, false}, {1, 2, true, false}, {2, 1, true, false}};
    static const Answered bad[] = {{0, 1, true, false}, {1, 3, false, true}};
    save(&four, "민지/.local/state/glassbox", good, 3);
    save(&four, "준호", bad, 2);
    save(&five, "준호", good, 1);
}

typedef struct {
    Session *session;
    bool done;
    Error error;
} Reported;

static Reported run_report(const char *first, const char *second) {
    const char *word[] = {"lesson", "report", class_folder, first, second};
    Reported outcome = {.session = session_new(&arena)};
    outcome.done =
        command_run_row(outcome.session, &report, word,
                        3 + (first != NULL) + (second != NULL), &outcome.error);
    return outcome;
}

static const Block *block_of(const Page *page, BlockKind kind, int number) {
    for (const Block *block = page->first; block; block = block->next)
        if (block->kind == kind && number-- == 0) return block;
    fail_msg("the page has no such block");
    return NULL;
}

static void check_lines(const Block *block, const char *expected) {
    assert_string_equal(table_text(&block->table, 80, &arena), expected);
}

static void the_table_has_a_row_for_each_student(void **state) {
    (void)state;
    save_class();
    Reported outcome = run_report(NULL, NULL);
    if (!outcome.done) fail_msg("%s", outcome.error.message);
    check_lines(block_of(&outcome.session->page, BLOCK_TABLE, 0),
                "student ↓  lesson →      4  5      total\n"
                "민지                 3/3    -        3/3\n"
                "준호                 1/3 …  1/3 …    2/6\n");
    check_lines(block_of(&outcome.session->page, BLOCK_TABLE, 1),
                "     missed  tries  hints  question\n"
                "4.2     1/2    2.5    1.0  =Second, \"quoted\"?\n");
    session_free(outcome.session);
}

static void an_unreadable_file_affects_no_other(void **state) {
    (void)state;
    save_class();
    save_text("준호/notes.json", "{\"a\": 1}");
    save_text("민지/05-two.en.json", "\x1b[31m");
    save_text("민지/05-two.en.json.refused", "no");
    Reported outcome = run_report(NULL, NULL);
    assert_false(outcome.done);
    assert_non_null(strstr(outcome.error.message, "left out: 2"));
    const Page *messages = &outcome.session->messages;
    const char *first = block_of(messages, BLOCK_LINE, 0)->text;
    const char *second = block_of(messages, BLOCK_LINE, 1)->text;
    assert_non_null(strstr(first, "민지/05-two.en.json:1: this is not valid JSON"));
    assert_null(strchr(first, '\x1b'));
    assert_non_null(strstr(second,
                           "준호/notes.json is not the progress of a lesson: it has "
                           "no \"format\""));
    assert_int_equal(block_of(&outcome.session->page, BLOCK_TABLE, 0)->table.rows, 2);
    session_free(outcome.session);
}

/* Too many files, too many bytes, and links to another student and elsewhere. */
static void one_student_spoils_it_for_no_other(void **state) {
    (void)state;
    enum { MANY = 501, LARGE = 1 << 20 };
    Error error;
    save_class();
    char *spaces = arena_take(&arena, LARGE + 1);
    memset(spaces, ' ', LARGE);
    assert_true(file_make_folder(inside("많이"), &error));
    assert_true(file_make_folder(inside("크게"), &error));
    for (int i = 0; i < MANY; i++)
        save_text(arena_print(&arena, "많이/%d.json", i), "{}");
    for (int i = 0; i < 17; i++)
        save_text(arena_print(&arena, "크게/%d.json", i), spaces);
    assert_int_equal(symlink("준호", inside("zoe")), 0);
    assert_int_equal(symlink("/", inside("x")), 0);
    assert_int_equal(symlink("05-two.en.json", inside("준호/y.json")), 0);
    Reported outcome = run_report(NULL, NULL);
    assert_false(outcome.done);
    const Table *table = &block_of(&outcome.session->page, BLOCK_TABLE, 0)->table;
    assert_int_equal(table->rows, 2);
    assert_string_equal(table->row_label[0], "민지");
    assert_string_equal(table->row_label[1], "준호");
    const char *said = "";
    for (const Block *block = outcome.session->messages.first; block;
         block = block->next)
        if (block->kind == BLOCK_LINE)
            said = arena_print(&arena, "%s\n%s", said, block->text);
    static const char *const parts[] = {
        "많이 is left out: there are more than 500 files",
        "크게 is left out: the files of progress have more than 16 MiB in total",
        "zoe is a link", "x is a link", "y.json is a link"};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (!strstr(said, parts[p])) fail_msg("'%s' is not in %s", parts[p], said);
    session_free(outcome.session);
}

static void the_later_of_two_files_counts(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    save(&lesson, "민지/a", &(Answered){0, 1, true, false}, 1);
    const char *old = progress_path(inside("민지/a"), lesson.name, "en", &arena);
    Bytes bytes;
    Error error;
    assert_true(file_read(old, 1 << 20, &arena, &bytes, &error));
    char *text = arena_copy(&arena, bytes.bytes, bytes.size);
    memcpy(strstr(text, "\"changed\": \"") + strlen("\"changed\": \""), "1999", 4);
    save_text("민지/a/04-one-query.en.json", text);
    save(&lesson, "민지/b", &(Answered){0, 1, false, true}, 1);
    Reported outcome = run_report(NULL, NULL);
    assert_true(outcome.done);
    const Table *table = &block_of(&outcome.session->page, BLOCK_TABLE, 0)->table;
    assert_int_equal(table->rows, 1);
    assert_string_equal(table->cell[0], "0/3 …");
    session_free(outcome.session);
}

static void files_directly_in_the_folder_belong_to_one_student(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    save(&lesson, ".", &(Answered){0, 1, true, false}, 1);
    Reported outcome = run_report(NULL, NULL);
    assert_true(outcome.done);
    const Table *table = &block_of(&outcome.session->page, BLOCK_TABLE, 0)->table;
    assert_string_equal(table->row_label[0], strrchr(class_folder, '/') + 1);
    session_free(outcome.session);
}

static void deep_folders_and_circles_are_skipped(void **state) {
    (void)state;
    Lesson lesson = lesson_of("04-one-query.md", "Third");
    save(&lesson, "민지/1/2/3/4", &(Answered){0, 1, true, false}, 1);
    save(&lesson, "준호/1/2/3/4/5", &(Answered){0, 1, true, false}, 1);
    assert_int_equal(symlink("..", inside("민지/1/circle")), 0);
    Reported outcome = run_report(NULL, NULL);
    assert_true(outcome.done);
    const Table *table = &block_of(&outcome.session->page, BLOCK_TABLE, 0)->table;
    assert_int_equal(table->rows, 1);
    assert_string_equal(table->row_label[0], "민지");
    session_free(outcome.session);
}

static void the_spreadsheet_runs_nothing(void **state) {
    (void)state;
    save_class();
    Reported outcome = run_report("--csv", NULL);
    if (!outcome.done) fail_msg("%s", outcome.error.message);
    const char *text = block_of(&outcome.session->page, BLOCK_DOCUMENT, 0)->text;
    assert_ptr_equal(strstr(text, "student,lesson,language,question,ask,share,right,"),
                     text);
    assert_non_null(strstr(
        text, "\r\n준호,04-one-query,en,4.2,\"'=Second, \"\"quoted\"\"?\",0,0,3,1,"
              "1,0,'=1+1,2"));
    assert_non_null(strstr(text, "\r\n준호,05-two,en,5.3,Third?,,0,0,0,0,0,,2"));
    int lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 1 + 3 * 3);
    session_free(outcome.session);
}

static void the_figure_has_students_and_questions(void **state) {
    (void)state;
    save_class();
    const char *path = inside("class.txt");
    const char *flag = arena_print(&arena, "--output=%s", path);
    Reported outcome = run_report(flag, NULL);
    if (!outcome.done) fail_msg("%s", outcome.error.message);
    session_free(outcome.session);
    Bytes bytes;
    Error error;
    assert_true(file_read(path, 1 << 20, &arena, &bytes, &error));
    static const char *const parts[] = {"student ↓",
                                        "question →",
                                        "민지",
                                        "4.1",
                                        "5.3",
                                        "not answered",
                                        "glassbox lesson report"};
    for (size_t p = 0; p < COUNT(parts); p++)
        if (!strstr(bytes.bytes, parts[p]))
            fail_msg("%s not in %s", parts[p], bytes.bytes);
    outcome = run_report(flag, NULL);
    assert_false(outcome.done);
    session_free(outcome.session);
    outcome = run_report(flag, "--force");
    assert_true(outcome.done);
    session_free(outcome.session);
}

static void an_empty_folder_is_not_a_class(void **state) {
    (void)state;
    Reported outcome = run_report(NULL, NULL);
    assert_false(outcome.done);
    assert_non_null(strstr(outcome.error.message, "has no progress of students"));
    session_free(outcome.session);
    end_class(NULL);
    outcome = run_report(NULL, NULL);
    assert_non_null(strstr(outcome.error.message, "cannot read /tmp/test_progress."));
    session_free(outcome.session);
}

#define IN_CLASS(test) cmocka_unit_test_setup_teardown(test, make_class, end_class)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_CLASS(the_table_has_a_row_for_each_student),
        IN_CLASS(an_unreadable_file_affects_no_other),
        IN_CLASS(one_student_spoils_it_for_no_other),
        IN_CLASS(the_later_of_two_files_counts),
        IN_CLASS(files_directly_in_the_folder_belong_to_one_student),
        IN_CLASS(deep_folders_and_circles_are_skipped),
        IN_CLASS(the_spreadsheet_runs_nothing),
        IN_CLASS(the_figure_has_students_and_questions),
        IN_CLASS(an_empty_folder_is_not_a_class),
    };
    return cmocka_run_group_tests_name("lesson report", tests, NULL, NULL);
}
