/* progress_files.h - a lesson, and a temporary folder for the students' files. */
#pragma once

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lesson/progress.h"
#include "units/scratch.h"

static char class_folder[] = "/tmp/test_progress.XXXXXX";

static inline const char *inside(const char *name) {
    return file_join(&arena, class_folder, name);
}

/* A lesson of three questions that count, and a prediction. */
static inline Lesson lesson_of(const char *name, const char *third) {
    static const char question[] = "```question\nask: %s?\nnumber: 1\nhint: count\n"
                                   "why: one\n```\n\n";
    const char *path = inside(name);
    const char *text = arena_print(
        &arena, "---\ntitle: One query\nlanguage: en\nmodel: ko-en\nminutes: 10\n"
                "depth: steps\nneeds: none\n---\n\n# One\n\n");
    const char *const asks[] = {"First", "=Second, \"quoted\"", third};
    for (size_t q = 0; q < COUNT(asks); q++)
        text =
            arena_print(&arena, "%s%s", text, arena_print(&arena, question, asks[q]));
    text = arena_print(&arena,
                       "%s```predict\nask: Which?\nright: a\nwrong: b\nhint: h\n"
                       "why: w\n```\n",
                       text);
    Error error;
    Lesson lesson;
    if (!file_save(path, text, strlen(text), true, &error) ||
        !lesson_read(&lesson, path, &arena, &error))
        fprintf(stderr, "%s\n", error.message);
    unlink(path);
    return lesson;
}

static inline const char *id_of(const Lesson *lesson, int number) {
    for (int s = 0; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (step->kind == STEP_QUESTION && !step->question->predicts &&
            step->number == number)
            return step->question->id;
    }
    return "";
}

static inline void remove_all(const char *path) {
    DIR *all = opendir(path);
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *name = file_join(&arena, path, entry->d_name);
        if (unlink(name) != 0) remove_all(name);
    }
    if (all) closedir(all);
    rmdir(path);
}

/* For cmocka: make the folder, and remove it. */
static inline int make_class(void **state) {
    (void)state;
    strcpy(class_folder, "/tmp/test_progress.XXXXXX");
    return mkdtemp(class_folder) ? 0 : -1;
}

static inline int end_class(void **state) {
    remove_all(class_folder);
    return reset(state);
}
