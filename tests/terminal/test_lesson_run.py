"""A lesson that runs without a user: to its end, with the answers of a file or its own, without
changing the student's folders."""

import os
import unittest

from program import SENTENCE, ProgramTest, lesson_key, run, write

WEIGHTS = "encoder.0.self_attention.weights"

LESSON = f"""---
title: A small one
language: en
minutes: 7
needs: none
model: ko-en
depth: numbers
---

# A small one

Read this.

```glassbox
> {SENTENCE}
...
> :why nothing
...
```

```predict
ask: What comes?
wrong: that -- it does not
right: this
hint: hint of the prediction
why: So it was.
```

```figure heads.png
:draw {WEIGHTS}
```

```question
ask: How many heads?
number: = count head {WEIGHTS}
wrong: 5 -- one too many
hint: first hint
hint: second hint
why: Four, indeed.
```

```question
ask: Which?
right: 나
wrong: 가 -- not this one
hint: the other
why: Because.
```

```question
ask: Make it two.
true: count batch {WEIGHTS} = 2
answer: 나는 학생입니다. | 친구를 만났다.
hint: two sentences
why: A batch.
```

The end of it.
"""

ANSWERS = ["", "", "2", "", "", "4", "", ":hint", "1", "", "나는 학생입니다. | 친구를 만났다.", ""]


class LessonRun(ProgramTest):
    def setUp(self):
        super().setUp()
        for folder in ("home", "data", "temporary", "here"):
            os.mkdir(self.path(folder))
        write(self.path("04-small.md"), LESSON)

    def run_lesson(self, *arguments, **options):
        outcome = run("lesson", "run", "../04-small.md", *arguments, folder=self.path("here"),
                      HOME=self.path("home"), XDG_DATA_HOME=self.path("data"),
                      TMPDIR=self.path("temporary"), LANGUAGE="en", **options)
        for folder in ("home", "data", "temporary", "here"):
            self.assertEqual(os.listdir(self.path(folder)), [], folder)
        return outcome

    def answer(self, lines):
        write(self.path("answers"), "".join(line + "\n" for line in lines))
        return self.run_lesson("--answers", "../answers")

    def assert_in_order(self, text, *parts):
        at = 0
        for part in parts:
            found = text.find(part, at)
            self.assertGreaterEqual(found, 0, f"{part!r} does not follow in\n{text[at:]}")
            at = found + len(part)

    def test_without_a_file_it_gives_wrong_answers_hints_and_right_ones(self):
        outcome = self.run_lesson()
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assert_in_order(
            outcome.out, "Lesson 4: A small one", "Read this.", "> " + SENTENCE, "I met a friend",
            "What comes?", "> :hint", "hint of the prediction", "> a", "The result is different: b) this", "it does not",
            "So it was.", "> :draw " + WEIGHTS, "heads.png",
            "How many heads?", "> 5", "Not quite.", "one too many", "> :hint", "first hint", "> :hint",
            "second hint", "> 4", "Right.", "Four, indeed.",
            "Which?", "> b", "not this one", "> :hint", "> a", "Right.",
            "Make it two.", "> :hint", "> 나는 학생입니다. | 친구를 만났다.", "Right.", "A batch.",
            "The end of it.", "done.", "3 of 3 questions right, 1 of them at the first try.")
        self.assertNotIn(") 5", outcome.out)  # a wrong number is not a choice
        self.assertEqual(outcome.err, "there is no address 'nothing'\n")

    def test_types_the_lines_of_a_file(self):
        outcome = self.answer(ANSWERS)
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assert_in_order(outcome.out, "> 2", "Right.", "> 4", "Right.", "> :hint", "the other",
                             "> 1", "Right.", "done.", "3 of 3 questions right, 3 of them")
        self.assertNotIn("second hint", outcome.out)

    def test_lines_after_the_end_are_not_typed(self):
        outcome = self.answer([*ANSWERS, ":nothing"])
        self.assertEqual((outcome.status, outcome.err), (0, "there is no address 'nothing'\n"))

    def test_says_where_it_stopped(self):
        for count in range(len(ANSWERS)):
            outcome = self.answer(ANSWERS[:count])
            self.assertEqual(outcome.status, 1)
            self.assertRegex(outcome.err.splitlines()[-1],
                             r"04-small\.md:\d+: the lesson stopped here, after step \d of 7$")
        line = LESSON[:LESSON.index("```question\nask: Which")].count("\n") + 1
        outcome = self.answer([*ANSWERS[:8], "2", "2"])
        self.assertIn(f"04-small.md:{line}: the lesson stopped here, after step 5 of 7", outcome.err)
        for line in (":stop", ":quit"):
            outcome = self.answer(["", line])
            self.assertEqual(outcome.status, 1)
            self.assertIn("the lesson stopped here, after step 2 of 7", outcome.err)

    def test_a_failed_line_does_not_end_the_run(self):
        outcome = self.answer(["\x1b[31m", ":heat nothing", ":lesson 0", *ANSWERS])
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assertNotIn("\x1b", outcome.out + outcome.err)
        self.assertIn("a lesson is open", outcome.err)

    def test_the_users_commands_run_in_the_folder_of_the_lesson(self):
        os.mkdir(self.path("en"))
        os.mkdir(self.path("files"))
        write(self.path("files/mine.txt"), "")
        lesson = LESSON.replace("depth:", "files: mine.txt\ndepth:")
        write(self.path("en/05-files.md"), lesson)
        drawn = [f":draw {WEIGHTS} -o mine.png"]
        outcome = run(text="\n".join([":lesson en/05-files.md", *drawn, ":stop"]) + "\n",
                      folder=self.folder, HOME=self.path("home"), XDG_DATA_HOME=self.path("data"),
                      LANGUAGE="en")
        folder = self.path(f"data/glassbox/lessons/{lesson_key(self.path('en/05-files.md'))}")
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assertEqual(sorted(os.listdir(folder)), ["mine.png", "mine.txt"])
        self.assertIn("wrote mine.png", outcome.out)
        self.assertNotIn("mine.png", os.listdir(self.folder))

    def test_an_answer_that_is_not_accepted_is_reported(self):
        write(self.path("04-small.md"),
              LESSON.replace("answer: 나는 학생입니다. | 친구를 만났다.", "answer: 나는 학생입니다."))
        outcome = self.run_lesson()
        self.assertEqual(outcome.status, 1)
        self.assertRegex(outcome.err, r"04-small\.md:\d+: its answer is not accepted as right\n$")

    def test_what_it_needs_is_named(self):
        self.assert_says(run("lesson", "run"), "one lesson", status=2)
        self.assert_says(run("lesson", "run", "1", "2"), "one lesson", status=2)
        self.assert_says(run("lesson", "page", "1", "--answers", "x"), "--answers", status=2)
        self.assert_says(run("lesson", "run", "1", "-o", "x"), "--output", status=2)
        self.assert_says(self.run_lesson("--answers", "nowhere"), "nowhere")
        os.remove(self.path("04-small.md"))
        self.assert_says(self.run_lesson(), "04-small.md")

    def test_leaves_a_lesson_that_is_open_as_it_is(self):
        text = f":lesson 04-small.md\n:lesson run {self.path('04-small.md')}\n\n:where\n"
        outcome = run(text=text, folder=self.folder, HOME=self.path("home"),
                      XDG_DATA_HOME=self.path("data"), LANGUAGE="en")
        self.assertIn("done.", outcome.out)
        self.assertIn("2 of 7, 0 of 3 questions right", outcome.out)


if __name__ == "__main__":
    unittest.main()
