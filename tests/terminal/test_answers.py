"""What the program first answers to a sentence, and the three depths of a walk."""

import os
import re
import shutil
import unittest

from program import ProgramTest, SENTENCE, prompt, run, write
from terminal import TerminalTest

LESSON = """---
title: Small
language: en
minutes: 1
needs: none
model: stories
---

```glassbox
> Tom had a red ball.
...
```

```glassbox
> Anna had a red kite.
...
```
"""
WALK = 22 * [""]


def headings(text):
    return re.findall(r"^([\d.]+)/(\d+)  (.*?)(?:\s{2,}(\S+))?$", text, re.M)


class Answers(ProgramTest):
    def test_the_answer_comes_first(self):
        found = run(text=SENTENCE + "\n")
        self.assert_done(found)
        self.assertRegex(found.out, r"I met a friend in Busan yesterday\. +confidence: 9\d% per token")
        self.assertIn("Enter shows how, in 19 stages", found.out)
        self.assertEqual(headings(found.out), [])
        self.assertNotIn("guess", found.out)

    def test_a_label_is_an_answer(self):
        found = run("--model", "classifier", text="시험에 합격해서 정말 행복해요.\n")
        self.assertRegex(found.out, r"joy +confidence: \d+%\n")

    def test_labels_are_called_as_the_language_does(self):
        """Both names mean a label in an address; files keep the model's names."""
        sentence = "시험에 합격해서 정말 행복해요."
        for language, shown in (("en", "worry +joy +anger +sadness"),
                                ("ko", "걱정 +기쁨 +분노 +슬픔")):
            lines = [f":show probabilities[label={name}]" for name in ("joy", "기쁨")]
            found = run("--language", language, "--model", "classifier",
                        text="\n".join([sentence, ":show logits", *lines]))
            self.assert_done(found)
            self.assertRegex(found.out, shown)
            one, other = found.out.split("probabilities [")[1:]
            self.assertEqual(one.strip(), other.strip())
        found = run("--model", "classifier", text=f"{sentence}\n:learn joy\n:learn delight")
        self.assertRegex(found.out, r"0 +joy +0\.99\d+ .* joy ")
        self.assertIn("labels of this model are worry, joy, anger, sadness", found.err)
        path = self.path("run.json")
        self.assert_done(run("trace", "--model", "classifier", "--source", sentence, "-o", path))
        with open(path, encoding="utf-8") as file:
            self.assertIn('"기쁨"', file.read())

    def test_each_sentence_of_a_batch_is_answered(self):
        found = run(text="배고파요. | 이것은 책입니다.\n")
        self.assertLess(found.out.index("I am hungry."), found.out.index("This is a book."))

    def test_a_guess_is_called_one(self):
        found = run(text="블록체인이 뭐야?\n")
        self.assertIn("This is a guess", found.out)

    def test_known_words_in_a_sentence_of_another_kind_carry_a_warning(self):
        found = run(text="친구가 나를 만났다.\n비가 오고 눈이 온다.\n나는 어제 부산에서 친구를 만났다.\n")
        first, second, known = found.out.replace("\n  ", " ").split("Enter shows how")[:3]
        self.assertIn('"·bu" has a probability of only 27%: it may be wrong', first)
        self.assertIn("only 3 words for 4 in the sentence", second)
        self.assertNotRegex(known, "may be|guess")

    def test_a_word_that_was_never_learned_is_named(self):
        found = run(text="나는 qzx를 만났다.\n")
        self.assertIn("'qzx를' was not in the training data", found.out.replace("\n  ", " "))

    def test_a_model_that_has_not_learned_says_so(self):
        found = run("--model", "pytorch", text="배고파요.\n")
        self.assertIn("is untrained", found.out.split("Type a sentence")[1])

    def test_a_model_without_words_says_so(self):
        found = run("--model", "minimal", text="배고파요.\n")
        self.assertIn("outputs no words", found.out)


class About(ProgramTest):
    def model(self, about):
        folder = self.path("model")
        shutil.copytree("assets/models/ko-en", folder)
        os.chmod(folder, 0o755)
        write(os.path.join(folder, "about.json"), about)
        return run("--model", folder, text="")

    def test_a_model_says_what_it_is_for(self):
        self.assertIn("translates everyday Korean to English", run(text="").out)
        self.assertIn("영어로", run("--language", "ko", text="").out)

    def test_what_cannot_be_read_is_said(self):
        for about in ("", "[]", "{"):
            with self.subTest(about=about):
                shutil.rmtree(self.path("model"), ignore_errors=True)
                found = self.model(about)
                self.assertEqual(found.status, 0)
                self.assertIn("about.json", found.err)
                self.assertIn("model " + self.path("model"), found.out)

    def test_what_it_does_not_hold_is_left_out(self):
        for about in ('{"purpose": 3}', '{"purpose": {"en": [1]}}',
                      '{"examples": {"a": 1}}', '{"purpose": {"fr": "x"}}'):
            with self.subTest(about=about):
                shutil.rmtree(self.path("model"), ignore_errors=True)
                found = self.model(about)
                self.assert_done(found)
                self.assertIn("model " + self.path("model"), found.out)

    def test_its_words_are_shown_escaped(self):
        found = self.model('{"purpose": {"en": "a\\u001b[31mb"}}')
        self.assertNotIn("\x1b", found.out)


class Depths(ProgramTest):
    def test_a_stop_keeps_its_number(self):
        """A finer walk numbers the stops after stop 8 as 8.1, 8.2 ...; a coarser one leaves them
        out."""
        numbers = {}
        for depth in ("boxes", "path", "steps", "numbers"):
            found = headings(run("--depth", depth, text="\n".join([SENTENCE] + 99 * [""])).out)
            self.assertEqual({count for _, count, *_ in found}, {"19"})
            if depth == "path":
                self.assertEqual([number for number, *_ in found],
                                 [str(n) for n in range(1, 20)])
            for number, _, _, name in found:
                if name:  # there was room for it
                    self.assertEqual(numbers.setdefault(name, number), number)

    def test_a_number_goes_to_its_stop(self):
        found = headings(run(text="\n".join([SENTENCE, ":goto 8", ":goto 8.2", "", "+",
                                               ":goto 12.1"])).out)
        self.assertEqual([number for number, *_ in found], ["8", "8.2", "9", "9", "12.1"])

    def test_more_and_less_stay_at_the_place(self):
        found = headings(prompt(SENTENCE, ":options depth=boxes",
                                ":goto encoder.0.feed-forward", "+", "+", "+", "-", "-",
                                "-").out)
        self.assertEqual({(number, name) for number, _, _, name in found},
                         {("11", "encoder.0.feed-forward")})
        self.assertEqual(len(found), 7)

    def test_less_goes_to_the_box_around(self):
        found = headings(prompt(SENTENCE, ":goto encoder.0.scaled", "-", "-", "-").out)
        self.assertEqual([name for *_, name in found],
                         3 * ["encoder.0.scaled"] + ["encoder.0.weights"])

    def test_the_ends_of_depth_are_reported(self):
        found = prompt(SENTENCE, "+", "-", "-", "-", "-")
        self.assert_done(found)
        self.assertIn("this is the finest depth", found.out)
        self.assertIn("this is the coarsest depth", found.out)

    def test_a_finer_depth_explains_the_numbers(self):
        """Once, when the first steps are added; in later layers the numbers are not complete."""
        for model, source in (("ko-en", SENTENCE), ("stories", "Anna had a red kite")):
            found = run("--model", model, text=f"{source}\n+\n+\n-\n-\n+\n:goto 1.1\n")
            self.assertIn("\n1.1/", found.out)
            self.assertEqual(re.findall(r"stages keep their numbers, 1 to (\d+); 1\.1 is", found.out),
                             2 * re.findall(r"shows how, in (\d+) stages", found.out))
            jump = run("--model", model, "--depth", "steps", text=source + 40 * "\n").out
            first = re.search(r"Layer 1 of \d+, counted from 0", jump).start()
            self.assertIn("so numbers are skipped", " ".join(jump[first:].split())[:200])

    def test_a_stage_beyond_the_depth_can_be_gone_to(self):
        found = run(text=f"{SENTENCE}\n:goto encoder.1.scaled\n\n")
        first, second = headings(found.out)
        self.assertEqual(first[3], "encoder.1.scaled")
        self.assertEqual(second[3], "encoder.encoder-output")

    def test_back_ends_at_the_answer(self):
        found = run(text=f"{SENTENCE}\n\n:back\n:back\n")
        self.assert_done(found)
        self.assertEqual(found.out.count("confidence:"), 3)


class Unknown(ProgramTest):
    """Words that a model cannot know are named, with a model that knows them."""

    def said(self, sentence, model="ko-en"):
        return " ".join(run("--model", model, text=sentence + "\n").out.split())

    def test_each_word_that_was_never_met_is_named(self):
        said = self.said("철수는 영희를 좋아한다.")
        self.assertIn("guess: '철수는', '영희를' were not in the training data", said)
        self.assertIn("guess: '학생에게' was not in the training data",
                      self.said("선생님이 학생에게 책을 주셨다."))
        self.assertIn("'안녕', '뭐해' were not", self.said("안녕 뭐해?", "classifier"))
        self.assertNotIn("guess", self.said("나는 어제 부산에서 친구를 만났다."))

    def test_a_clause_that_is_left_out_is_named(self):
        said = self.said("저는 커피를 좋아하지만 친구는 차를 마십니다.")
        self.assertIn("The last attention to the source hardly attends to '친구는 차를 마십니다'", said)

    def test_the_model_that_knows_the_words_is_named(self):
        self.assertIn("in the training data of en-ko, passive, stories;", self.said("I met a friend."))
        said = self.said("나는 어제 친구를 만났다.", "en-ko")
        self.assertRegex(said, r"in the training data of [a-z0-9, -]*\bko-en\b")
        self.assertNotIn("in the training data of", self.said("철수는 갔다."))

    def test_two_sentences_are_said_to_be_two(self):
        two = "This looks like 2 sentences."
        self.assertIn(two, self.said("나는 학생입니다. 너는 선생님입니다."))
        for one in ("나는 학생입니다.", "나는 학생입니다. | 배고파요.", "3.5 원입니다...", "네!?"):
            self.assertNotIn("This looks like", self.said(one))
        self.assertNotIn("This looks like", self.said("Tom was sad. He cried.", "stories"))

    def test_a_beginning_that_is_unlike_the_training_is_said_to_be(self):
        self.assertIn("unlike the training texts", self.said("how are you?", "stories"))
        self.assertNotIn("guess", self.said("Tom had a red ball.", "stories"))


class Offers(TerminalTest):
    """Offer a model that can read what the current one cannot."""

    KOREAN = "This model reads English. :model ko-en reads Korean; Enter opens it."
    UNKNOWN = "'만났다' were not in the training data"

    def said(self, *lines, model="stories"):
        """Return what the prompt prints for each line."""
        child = self.start("--model", model)
        return [" ".join(self.ask(child, line).split()) for line in lines]

    def test_enter_opens_it_and_reads_the_sentence(self):
        offer, answer, stop = self.said(SENTENCE, "", "")
        self.assertIn(self.KOREAN, offer)
        self.assertNotIn("Enter shows", offer)
        self.assertIn("I met a friend in Busan yesterday.", answer)
        self.assertIn("1/19", stop)

    def test_typed_again_the_sentence_is_read_all_the_same(self):
        offer, answer = self.said(SENTENCE, SENTENCE)
        self.assertNotIn("Enter opens it", answer)
        self.assertIn(self.UNKNOWN, answer)

    def test_a_model_of_another_name_reads_it(self):
        self.assertIn(f"read again: {SENTENCE}", self.said(SENTENCE, ":model seq2seq-ko-en")[1])

    def test_what_is_done_meanwhile_ends_the_offer(self):
        *_, offer, third, fourth = self.said("Tom had a red ball.", SENTENCE, ":goto 3", "")
        self.assertIn(self.KOREAN, offer)
        self.assertIn("3/16", third)
        self.assertIn("4/16", fourth)

    def test_a_lesson_continues(self):
        write(self.path("a.md"), LESSON)
        child = self.start("lesson", self.path("a.md"), names_model=False)
        self.assertIn(self.UNKNOWN, " ".join(self.ask(child, SENTENCE).split()))
        self.assertIn("> Anna had a red kite.", self.ask(child, ""))

    def test_a_pipe_is_asked_nothing(self):
        found = " ".join(run("--model", "stories", text=SENTENCE + "\n").out.split())
        self.assertIn(self.UNKNOWN, found)
        self.assertIn("in the training data of ko-en, seq2seq-ko-en;", found)

    def test_a_model_that_names_no_language_offers_as_well(self):
        folder = self.path("model")
        shutil.copytree("assets/models/stories", folder)
        os.remove(os.path.join(folder, "about.json"))
        self.assertIn("trained on other scripts. :model ko-en reads Korean; Enter opens it.",
                      self.said(SENTENCE, model=folder)[0])


if __name__ == "__main__":
    unittest.main()
