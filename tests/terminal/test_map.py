"""The map as users request it: what it shows of the model, the sentence and the current position.
"""

import re
import unittest

from program import SENTENCE, ProgramTest, prompt, read, run, sample, width


def map_in(out):
    """The map, from its title on."""
    return out[re.search(r"The\s+map\s+of\s", out).start():]


class Map(ProgramTest):
    def map(self, *words):
        outcome = run("map", *words)
        self.assertEqual((outcome.status, outcome.err), (0, ""))
        return map_in(outcome.out)

    def test_without_a_sentence_the_axes_have_names(self):
        text = map_in(prompt(":map").out)
        self.assertIn("[head 4, target, source]", text)
        self.assertIn("[source, d_model 96]", text)
        self.assertNotIn("In brackets", text)
        self.assertNotIn("you are here", text)

    def test_with_one_it_has_its_shapes(self):
        text = self.map("--source-ids", "5,7,9,2", "--target-ids", "1,6,8,9,10,11")
        self.assertRegex(text, r"cross-attention +\[4, 6, 4\]")
        self.assertRegex(text, r"self-attention +\[4, 4, 4\]")
        self.assertRegex(text, r"linear: logits +\[6, 1600\]")
        self.assertIn("for attention head, query, key", text)
        text = self.map("--source-ids", "5,7,2|9,2", "--target-ids", "1,6|1,6")
        self.assertRegex(text, r"source tokens +\[2, 3\]")
        self.assertIn("batch, head, query, key", text)

    def test_it_marks_the_current_stop(self):
        marked = re.compile("▶ │|│ ◀")
        places = {
            "tokens": ("▶   source tokens", None),
            "encoder.1.scores": ("self-attention", "you are here: layer 1"),
            "decoder.0.add-norm-3": ("add & norm", "you are here: layer 0"),
            "encoder-output": ("add & norm", "you are here: layer 1"),
            "step.1": ("softmax: probabilities", None),
        }
        for stage, (box, here) in places.items():
            with self.subTest(stage=stage):
                text = map_in(prompt(SENTENCE, f":goto {stage}", ":map").out)
                lines = [line for line in text.split("\n")
                         if marked.search(line) or line.startswith("▶") or line.endswith("◀")]
                self.assertEqual(len(lines), 1, text)
                self.assertIn(box, lines[0])
                self.assertEqual(here is not None, "you are here" in text)
                self.assertIn(here or "", text)

    def test_a_token_of_an_lstm_is_named(self):
        text = self.map("--model", "seq2seq-ko-en", "--source-ids", "5,7,2", "--at",
                        "encoder.lstm.2.step")
        self.assertIn("you are here: token 2", text)

    def test_at_is_a_stage_of_a_sentence(self):
        self.assert_says(run("map", "--at", "scores"), "--at", "--source")
        self.assert_says(run("map", "--source-ids", "5,2", "--at", "nowhere"), "'nowhere'")
        self.assert_says(run("draw", "map", "--source-ids", "5,2", "--at", "\u202e",
                             "-o", self.path("a.svg")), "no stage")

    def test_no_line_is_longer_than_the_terminal(self):
        for place, columns in enumerate(("20", "40", "50", "63", "64", "72", "80", "120")):
            models = ("ko-en", "prenorm", "seq2seq-as-written", "classifier")
            for model in sample(models, 4, place % 4):
                for words in ((), ("--source-ids", "5,7,2", "--limit", "2")):
                    with self.subTest(columns=columns, model=model):
                        if model == "classifier":
                            words = words[:2]
                        text = self.map("--model", model, "--width", columns, *words)
                        most = max(int(columns), 40)
                        for line in text.split("\n"):
                            self.assertLessEqual(width(line), most, text)

    def test_frames_are_side_by_side_if_there_is_room(self):
        for columns, beside in (("80", True), ("60", False)):
            text = self.map("--width", columns, "--source-ids", "5,2", "--limit", "2")
            both = [line for line in text.split("\n") if line.count("└") >= 2]
            self.assertEqual(len(both) > 0, beside, text)

    def test_one_layer_used_twice_is_said(self):
        self.assertEqual(self.map("--model", "chatbot").count("one layer used twice"), 2)
        self.assertNotIn("used", self.map("--model", "ko-en"))
        made = self.path("three")
        self.assert_done(run("new", "--preset", "kit", "--encoder-layers", "3", "--d-model", "8",
                             "--attention-heads", "2", "-o", made))
        self.assertIn("one layer used 3 times", self.map("--model", made))


class Drawn(ProgramTest):
    def draw(self, name, *words):
        self.assert_done(run("draw", "map", "-o", self.path(name), *words))
        return read(self.path(name))

    def test_each_format(self):
        begins = {"a.png": b"\x89PNG", "a.svg": b"<?xml", "a.pdf": b"%PDF", "a.txt": b"The map"}
        for name, beginning in begins.items():
            self.assertTrue(self.draw(name, "--source", "갔다.").startswith(beginning), name)

    def test_without_a_sentence_it_says_none(self):
        facts = dict(re.findall('<fact name="(.*?)">(.*?)</fact>', self.draw("a.svg").decode()))
        self.assertEqual(facts["model"], "ko-en")
        self.assertNotIn("sentence", facts)
        self.assertNotIn("address", facts)

    def test_the_file_is_what_the_prompt_shows(self):
        drawn = self.draw("a.txt", "--source-ids", "5,2", "--limit", "2").decode()
        shown = map_in(run("map", "--source-ids", "5,2", "--limit", "2", "--width", "120").out)
        self.assertEqual(drawn[:len(shown)].split("\n\n")[1], shown.split("\n\n")[1])

    def test_the_map_rejects_flags_for_numbers(self):
        for flags in (("--as", "grid"), ("--dimensions", "0")):
            self.assert_says(run("draw", "map", *flags, "-o", self.path("a.png")), "--as")
        self.assert_says(run("draw", "map", "--length", "3", "-o", self.path("a.png")), "--length")
        self.assert_says(run("draw", "map", "--toy", "query=1 keys=1 values=1", "-o",
                             self.path("a.png")), "--toy")
        self.assert_says(run("draw", "position", "--at", "scores"), "--at")


if __name__ == "__main__":
    unittest.main()
