"""A lesson at the prompt: Enter continues, plain lines answer, and experiments in between cost
nothing."""

import json
import os
import tempfile
import unittest

import pexpect

from lesson_text import LESSON
from program import PATIENCE, PROGRAM, ProgramTest, lesson_key, read, run, sample, write

BEGIN = [":lesson lesson.md", "", "yes", "", ""]  # up to the question about heads


class Player(ProgramTest):
    def setUp(self):
        super().setUp()
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        write(os.path.join(self.place.name, "lesson.md"), LESSON)

    def outcome(self, *lines, state=None):
        """Run the prompt with these lines, for a new user or with the progress in `state`."""
        home = self.place.name
        state = state or tempfile.mkdtemp(dir=home)
        return run(text="".join(line + "\n" for line in lines), folder=home,
                   XDG_STATE_HOME=state, XDG_DATA_HOME=home + "/data")

    def play(self, *lines, **options):
        """Return what is printed, and standard error."""
        outcome = self.outcome(*lines, **options)
        return outcome.out + outcome.err

    def behind(self, *lines):
        """Return what is printed from the last line on."""
        if not lines[-1]:  # after a command, Enter asks again
            return self.play(*lines)[len(self.play(*lines[:-1])):]
        outcome = self.outcome(*lines[:-1], ":version", lines[-1])
        return outcome.out.rpartition("GPL-3.0")[2] + outcome.err

    def test_enter_continues_to_the_end(self):
        said = self.play(*BEGIN, "4", "", ":no mask", "", "", "", "")
        self.assertLess(said.index("First words."), said.index("> 나는 어제"))
        self.assertIn("confidence: 93% per token", said)
        self.assertIn("The last words.", said)
        self.assertIn("2 of 2 questions right, 2 of them at the first try.", said)

    def test_a_wrong_answer_gets_a_reason_and_another_try(self):
        said = self.behind(":lesson lesson.md", "", "", "no")
        self.assertIn("The result is different: a) yes", said)
        self.assertIn("look at the map", said)
        self.assertIn("There are.", said)  # a prediction has one try
        said = self.behind(*BEGIN, "5")
        self.assertIn("Not quite.", said)
        self.assertNotIn("divided among", said)
        self.assertIn("divided among", self.behind(*BEGIN, "5", "4"))

    def test_model_sentence_and_place_are_given_back(self):
        own = [":model en-ko", "My mother waited for my sister.", "", ""]
        for last in sample(([":stop"], ["4", "", ":no mask", *[""] * 4]), 2):
            said = self.behind(*own, *(BEGIN if len(last) > 1 else BEGIN[:2]), *last, "")
            self.assertRegex(said, r"(?m)^3/\d+ ")
            self.assertIn("your own sentence again: My mother", self.play(*own, *BEGIN, *last))
            self.assertIn("assets/models/en-ko:", self.play(*own, *BEGIN, *last, ":model"))

    def test_the_list_offers_to_go_on(self):
        self.assertNotIn("continue where you stopped with", self.play(":lesson"))
        said = self.play(":lesson 3", "", "", ":stop", ":lesson")
        self.assertRegex(said, "continue where you stopped with: +:lesson 3")

    def test_the_greeting_offers_to_go_on(self):
        state = tempfile.mkdtemp(dir=self.place.name)
        self.assertNotIn("continue with", self.play(state=state))
        self.assertEqual(os.listdir(state), [], "nothing is made to find that out")
        self.play(":lesson 3", "", "", ":stop", state=state)
        self.assertRegex(self.play(state=state), 'continue with "Positions: .*": +:lesson 3')

    def test_another_lesson_may_be_begun_at_once(self):
        said = self.behind(*BEGIN, ":lesson 0")
        self.assertIn("A small lesson: left; next time it continues where you stopped", said)
        self.assertIn("Lesson 0:", said)
        self.assertNotIn("your own sentence", self.play("나는 갔다.", *BEGIN, ":lesson 0"))
        said = self.behind(*BEGIN, ":lesson 99")
        self.assertNotIn("left", said)
        self.assertIn("there is no lesson 99", said)

    def test_the_last_one_promises_no_other(self):
        for name, promised in (("21-small.md", True), ("22-small.md", False)):
            write(os.path.join(self.place.name, name), LESSON)
            said = self.play(f":lesson {name}", *BEGIN[1:], "4", "", ":no mask", *[""] * 4)
            self.assertIn("2 of 2 questions right", said)
            self.assertEqual(":lesson 22" in said or ":lesson 23" in said, promised)

    def test_a_second_guess_is_not_a_sentence(self):
        said = self.play(*BEGIN, "4", "5").rpartition("Right.")[2]
        self.assertIn("this question is answered; Enter continues", said)
        self.assertNotIn("confidence:", said)
        for sentence in ("나는 갔다.", "이 책은 크다."):
            self.assertIn("confidence:", self.behind(*BEGIN, "4", sentence))

    def test_an_unmet_condition_is_reported_after_each_change(self):
        begin = [*BEGIN, "4", ""]
        cell = "decoder.0.self_attention.weights[head=0, query=0, key=2]"
        self.assertNotIn("Not yet", self.behind(*begin, ":tokens"))
        self.assertIn("Not yet", self.behind(*begin, f":set {cell} = 0.5"))
        self.assertNotIn("Not yet", self.behind(*begin, f":set {cell} = 0.5", ":tokens"))
        said = self.behind(*begin, f":set {cell[:-2]}1] = -1")
        self.assertIn(f"Not yet: {cell[:-2]}1] is -1;\n  expected more than 0.", said)
        self.assertNotIn("Not quite", said)
        self.assertNotIn("Not yet", self.behind(*begin, f":set {cell[:-2]}1] = -1", ":tokens"))

    def test_a_change_that_does_not_reach_the_condition_is_a_try(self):
        begin = [*BEGIN, "4", ""]
        end = ["", "", "", ""]
        tries = (([":tokens", ":reset", ":no mask"], 1),
                 ([":swap 0 1", ":reset", ":no mask"], 2),
                 (["나는 갔다.", ":no mask"], 2),
                 ([":no position", ":swap 0 1", ":undo", ":no mask"], 3))
        for lines, count in tries:
            with self.subTest(lines=lines):
                state = tempfile.mkdtemp(dir=self.place.name)
                said = self.play(*begin, *lines, *end, state=state)
                self.assertIn(f"2 of 2 questions right, {1 + (count == 1)} of them", said)
                kept = json.loads(self.text(self.kept(state)))["answers"]
                self.assertEqual([one["tries"] for one in kept if "row 0" in one["ask"]], [count])
        state = tempfile.mkdtemp(dir=self.place.name)
        self.play(*begin, ":swap 0 1", state=state)
        self.assertIn("not yet right: tries 1", self.play(":lesson review", state=state))

    def test_a_try_has_as_many_changes_as_the_answer(self):
        path = os.path.join(self.place.name, "lesson.md")
        write(path, LESSON.replace("answer: :no mask", "answer: :reset\nanswer: :swap 0 1\n"
                                                       "answer: :no mask"))
        for lines, count in (([":swap 0 1", ":no mask"], 2),
                             ([":swap 0 1", ":reset", ":swap 1 2", ":no mask"], 1)):
            said = self.play(*BEGIN, "4", "", *lines, "", "", "", "")
            self.assertIn(f"2 of 2 questions right, {count} of them", said)

    def test_input_that_is_not_an_answer_costs_nothing(self):
        self.assertIn("Answer with a number", self.behind(*BEGIN, "many"))
        said = self.play(*BEGIN, "many", ":heat weights", ":undo", "4", "", ":no mask",
                         "", "", "", "")
        self.assertIn("2 of 2 questions right, 2 of them at the first try.", said)

    def test_hints_come_one_after_the_other(self):
        hints = [line for _ in range(3) for line in (":version", ":hint")]
        said = self.play(*BEGIN, *hints).split("GPL-3.0")[1:]
        for page, words in zip(said, ("called head", "less than five", "last hint"), strict=True):
            self.assertIn(words, page)

    def test_an_answer_that_was_shown_is_not_right(self):
        said = self.play(*BEGIN, ":answer", "", ":answer", "", "", "", "")
        self.assertIn("The answer: 4", said)
        self.assertIn("    :no mask", said)
        self.assertIn("0 of 2 questions right", said)

    def test_a_question_can_be_skipped_and_come_back_to(self):
        self.assertIn("Let row 0", self.behind(*BEGIN, ":skip"))
        self.assertIn("How many heads", self.behind(*BEGIN, ":skip", ":back"))

    def test_back_goes_back_page_by_page(self):
        back = (*BEGIN, "4", "", ":no mask", "")
        said = self.play(*back, *[line for _ in range(12) for line in (":version", ":back")])
        pages = said.split("GPL-3.0")[1:]
        for page, words in zip(pages, ("Let row 0", "How many heads", "> :show encoder")):
            self.assertIn(words, page)
        self.assertIn("First words", pages[-1])

    def test_enter_asks_again(self):
        said = self.play(*BEGIN, ":heat weights", "")
        self.assertEqual(said.count("Question: How many heads"), 2)

    def test_what_was_missed_is_listed(self):
        state = tempfile.mkdtemp(dir=self.place.name)
        self.play(*BEGIN, "5", "4", "", ":skip", state=state)
        said = self.play(":lesson review", state=state)
        self.assertIn("A small lesson", said)
        self.assertRegex(said, r"How many heads[^\n]*\n +right at try 2")
        self.assertRegex(said, r"Let row 0[^\n]*\n +not yet right")

    def test_experiments_are_undone_when_the_lesson_continues(self):
        said = self.play(*BEGIN, ":swap 0 1", ":model en-ko", "I like bread.", "4")
        self.assertIn("Right.", said)
        said = self.behind(*BEGIN, ":swap 0 1", "4", "", ":no mask", "", "")
        self.assertIn("1  :no mask   (undone)", said)

    def test_a_state_may_be_reached_by_any_way(self):
        said = self.behind(*BEGIN, "4", "", ":option causal false")
        self.assertIn("Right.", said)
        said = self.behind(*BEGIN, "4", "", ":no position")
        self.assertNotIn("Right.", said)
        self.assertNotIn("Not quite.", said)

    def test_figures_go_into_the_folder_of_the_lesson(self):
        said = self.play(*BEGIN, "4", "", ":no mask", "", "", "")
        folder = os.path.join(self.place.name, "data/glassbox/lessons", self.key())
        self.assertIn(folder, said)
        self.assertTrue(os.path.exists(os.path.join(folder, "heads.png")))
        self.assertFalse(os.path.exists(os.path.join(self.place.name, "heads.png")))

    def test_where_and_stop(self):
        self.assertIn("1 of 2 questions right", self.behind(*BEGIN, "4", ":where"))
        said = self.behind(*BEGIN, ":stop", ":hint")
        self.assertIn("no lesson is open", said)
        commands = (":hint", ":answer", ":skip", ":where", ":stop")
        self.assertEqual(self.play(*commands).count("no lesson is open"), len(commands))

    def test_the_session_is_restored_after_the_lesson(self):
        said = self.play(":options depth=boxes language=ko", ":lesson lesson.md", ":stop",
                         ":options")
        self.assertRegex(said.split("\n")[-3] + said, r"depth +boxes")
        self.assertIn("language", said)

    def key(self):
        return lesson_key(os.path.join(self.place.name, "lesson.md"))

    def test_a_lesson_named_like_one_of_ours_has_its_own_progress(self):
        home = self.place.name
        state = tempfile.mkdtemp(dir=home)
        ours = "01-tokens" if os.path.exists("lessons/en/01-tokens.md") else next(
            name[:-3] for name in sorted(os.listdir("lessons/en")) if name.startswith("01-"))
        self.play(":lesson 1", "", ":stop", state=state)
        folder = os.path.join(state, "glassbox/lessons")
        before = read(os.path.join(folder, f"{ours}.en.json"))
        for place in ("one", "other"):
            os.mkdir(os.path.join(home, place))
            path = os.path.join(home, place, f"{ours}.md")
            write(path, LESSON)
            self.play(f":lesson {place}/{ours}.md", "", "yes", ":stop", state=state)
            self.assertIn(f"{lesson_key(path)}.en.json", os.listdir(folder))
        self.assertEqual(read(os.path.join(folder, f"{ours}.en.json")), before)
        self.assertEqual(len(os.listdir(folder)), 3)

    def test_two_at_a_time_lose_no_answer(self):
        """The second starts before the first has answered, and stops after it."""
        environment = dict(os.environ, XDG_STATE_HOME=tempfile.mkdtemp(dir=self.place.name),
                           XDG_DATA_HOME=self.place.name + "/data", TERM="dumb")
        first, second = (pexpect.spawn(PROGRAM, ["--model", "ko-en"], timeout=PATIENCE,
                                       cwd=self.place.name, dimensions=(40, 120),
                                       encoding="utf-8", env=environment)
                         for _ in range(2))

        def type_in(child, *lines):
            for line in lines:
                child.expect(r"[>?] ")
                child.sendline(line)

        type_in(second, ":lesson lesson.md", "", "yes")
        type_in(first, ":lesson lesson.md", "", "yes", "", "", "5", "4", "")
        type_in(first, ":stop", ":quit")
        first.expect(pexpect.EOF)
        kept = json.loads(self.text(self.kept(environment["XDG_STATE_HOME"])))
        type_in(second, ":stop", ":quit")
        second.expect(pexpect.EOF)
        after = json.loads(self.text(self.kept(environment["XDG_STATE_HOME"])))
        self.assertEqual(after["step"], kept["step"])
        self.assertGreater(kept["step"], 0)
        self.assertEqual(
            [(one["id"], one["tries"], one["right"]) for one in after["answers"]],
            [(one["id"], one["tries"], one["right"]) for one in kept["answers"]])
        self.assertIn((2, True), [(one["tries"], one["right"]) for one in kept["answers"]])

    def test_what_was_changed_of_the_files_brought_along_is_kept(self):
        """Lesson 20 comes with a recipe and says: open it in an editor."""
        self.play(":lesson 20", ":stop")
        folder = os.path.join(self.place.name, "data/glassbox/lessons")
        folder = os.path.join(folder, os.listdir(folder)[0])
        recipe = os.path.join(folder, "clock-recipe.json")
        own = read(recipe)
        for kept in ("clock-recipe.json.kept", "clock-recipe.json.kept-2"):
            write(recipe, f"mine, {kept}")
            said = self.play(":lesson 20", ":stop")
            self.assertIn(f"{kept}, and the lesson's file is restored", said)
            self.assertEqual(read(os.path.join(folder, kept)).decode(), f"mine, {kept}")
            self.assertEqual(read(recipe), own)
        files = sorted(os.listdir(folder))
        self.assertNotIn("is kept as", self.play(":lesson 20", ":stop"))
        self.assertEqual(sorted(os.listdir(folder)), files)

    def kept(self, state):
        return os.path.join(state, f"glassbox/lessons/{self.key()}.en.json")

    def text(self, path):
        return read(path).decode()

    def test_it_resumes_where_it_was_left(self):
        state = tempfile.mkdtemp(dir=self.place.name)
        self.play(*BEGIN, "5", "4", state=state)
        said = self.play(":lesson lesson.md", state=state)
        self.assertIn("You were here before", said)
        self.assertIn("Let row 0", said)
        self.assertNotIn("First words", said)
        said = self.play(":lesson lesson.md", ":no mask", "", "", "", "", state=state)
        self.assertIn("2 of 2 questions right, 1 of them at the first try.", said)
        said = self.play(":lesson lesson.md", state=state)
        self.assertIn("First words", said)

    def test_a_lesson_that_changed_is_noticed(self):
        state = tempfile.mkdtemp(dir=self.place.name)
        self.play(*BEGIN, "4", state=state)
        write(os.path.join(self.place.name, "lesson.md"),
              LESSON.replace("First words.", "Other words."))
        said = self.play(":lesson lesson.md", state=state)
        self.assertIn("has changed since you were here", said)
        self.assertIn("Other words.", said)
        self.assertIn('"right": true', self.text(self.kept(state)))

    def test_unreadable_progress_is_kept_under_another_name(self):
        good = tempfile.mkdtemp(dir=self.place.name)
        self.play(*BEGIN, "4", state=good)
        valid = self.text(self.kept(good))
        for noise in sample(("", "\0\1\2", "{}", valid.replace("progress 1", "progress 2"),
                             valid.replace('"lesson": "lesson"', '"lesson": "other"'),
                             valid[:len(valid) // 2]), 2, 1):
            with self.subTest(noise=noise[:60]):
                state = tempfile.mkdtemp(dir=self.place.name)
                os.makedirs(os.path.dirname(self.kept(state)))
                write(self.kept(state), noise)
                said = self.play(":lesson lesson.md", state=state)
                self.assertIn(self.kept(state) + ".refused", said)
                self.assertIn("First words", said)
                self.assertEqual(self.text(self.kept(state) + ".refused"), noise)

    def test_a_folder_that_cannot_be_written_costs_only_the_progress(self):
        state = os.path.join(self.place.name, "file")
        write(state, "")
        said = self.play(*BEGIN, "4", state=state)
        self.assertEqual(said.count("your progress cannot be kept"), 1)
        self.assertIn("divided among", said)

    def test_a_shell_begins_with_a_lesson(self):
        outcome = run("lesson", "lesson.md", text="\n", folder=self.place.name,
                      XDG_STATE_HOME=self.place.name, XDG_DATA_HOME=self.place.name)
        self.assertEqual(outcome.status, 0)
        self.assertIn("confidence: 93% per token", outcome.out)


if __name__ == "__main__":
    unittest.main()
