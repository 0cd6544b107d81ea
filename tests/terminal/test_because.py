"""Why, automatically: :because, :why without an address, and :up."""

import os
import re
import unittest

from program import CHECKS_ALL, SENTENCE, ProgramTest, prompt, run, sample

MODELS_FOLDER = os.path.join(os.path.dirname(__file__), "../../assets/models")
MODELS = ("ko-en", "en-ko", "chatbot", "classifier", "seq2seq-ko-en")
WEIGHTS = "encoder.0.self_attention.weights"
BRANCH = re.compile(r"^([ │]*)[├└]─ +(?:(\d+)\) +)?(−?)(\d+)%  (.+)$", re.M)


def branches(text):
    """Each branch as (depth, number or None, share, text)."""
    return [(len(before) // 3, int(number) if number else None, int(share), what)
            for before, number, _, share, what in BRANCH.findall(text)]


def presets():
    """The names that :models lists as presets."""
    listed = run("models").out.split("Presets", 1)[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z0-9][a-z0-9-]*) ", listed, re.M)


class Words(ProgramTest):
    """Ask about a word, or at a decoding step."""

    def asked(self, *lines, model="ko-en", sentence=SENTENCE):
        said = run("--model", model, text="\n".join((sentence,) + lines) + "\n").out
        return re.findall(r"^((?:step\.\d+\.)?probabilities\[[^\]]*\]) = ", said, re.M)

    def test_a_step_asks_about_what_it_chose(self):
        said = run(text=f"{SENTENCE}\n:decode\n").out
        chosen = re.findall(r"^  step\.\d+ +(\S+)", said, re.M)
        for step, token in enumerate(chosen):
            for line in (":why", ":because"):
                asked = self.asked(f":decode {step}", line)
                self.assertRegex(asked[0], rf"^step\.{step}\..*vocabulary={re.escape(token)}\]$")

    def test_a_word_is_one_of_the_prompt_or_of_the_answer(self):
        story = {"model": "stories", "sentence": "Lily had a red ball."}
        asked = self.asked(":because museum", ":because ball", ":because ball#1",
                           ":because ball#2", ":because had", **story)
        self.assertEqual([re.search(r"vocabulary=([^\]]*)", one)[1] for one in asked],
                         ["·mus", "·ball", "·ball", "·ball", "·had"])
        self.assertEqual(asked[1], asked[3])  # the second is the first of the answer
        self.assertNotEqual(asked[1], asked[2])

    def test_without_a_word_it_is_the_choice_that_was_least_sure(self):
        asked = self.asked(":because", model="stories", sentence="Lily had a red ball.")
        steps = run("--model", "stories", text="Lily had a red ball.\n:decode\n").out
        shares = re.findall(r"^  step\.\d+ +(\S+) +\d+  (\d\.\d+)", steps, re.M)
        worded = [(float(share), token) for token, share in shares if token.strip("·").isalnum()]
        self.assertIn(f"vocabulary={min(worded)[1]}]", asked[0])


    def test_tokens_that_look_the_same_say_which_sentence_they_are_of(self):
        asked = ":because decoder.0.cross_attention.scores[head=0, query=., key=.]"
        said = run("--model", "ko-en", text=f"{SENTENCE}\n{asked}\n").out
        told = re.search(r"it comes from the tokens (.*?)\.\n", said, re.S)[1]
        for side in ("source", "target"):
            self.assertRegex(" ".join(told.split()), rf"\b{side}=\. −?\d+%")


class Everywhere(ProgramTest):
    """One stage in twelve of every model in `make test`."""

    stage = 0

    def ask_at_each_stage(self, *arguments):
        first = ":options limit=3 depth=numbers\n" + SENTENCE + "\n"
        stages = run(*arguments, text=first + ":stages\n").out.rsplit("1  tokens")[-1]
        numbers = ["1"] + re.findall(r"^[> ] *([\d.]+) +\S", stages, re.M)
        self.assertGreater(len(numbers), 5, stages)
        lines = [":because", ":why"]
        for number in sample(numbers, 12, self.stage % 12):
            lines += [f":goto {number}", ":why", ":because"]
        outcome = run(*arguments, text=first + "".join(line + "\n" for line in lines))
        notes = {line for line in outcome.err.splitlines() if "reads the source again" not in line}
        self.assertEqual((outcome.status, notes), (0, set()), arguments)
        self.stage += 5  # other stages of the next model
        return outcome.out

    def test_each_stage_of_each_model_has_an_answer(self):
        for model in MODELS:
            with self.subTest(model):
                out = self.ask_at_each_stage("--model", model)
                self.assertGreater(len(branches(out)), 100 if CHECKS_ALL else 10)

    def test_each_stage_of_each_preset_has_an_answer(self):
        names = presets()
        self.assertGreater(len(names), 10)
        for preset in sample(names, 3):
            with self.subTest(preset):
                width = "24" if preset in ("gpt2", "llama", "bert") else "16"  # 12 heads
                made = run("new", "--preset", preset, "--d-model", width, "--seed", "3",
                           "--tokenizer", MODELS_FOLDER + "/ko-en", "-o", self.path(preset))
                self.assertEqual(made.status, 0, made.err)
                self.ask_at_each_stage("--model", self.path(preset))

    def test_each_line_fits_and_shares_add_up(self):
        for width in ("40", "80", "120"):
            out = prompt(SENTENCE, f":because --width={width}").out.split("\n")
            first = next(i for i, line in enumerate(out) if line.startswith("└─ 100%"))
            tree = [line for line in out[first:] if line.lstrip(" │").startswith(("├─", "└─"))]
            self.assertGreater(len(tree), 5)
            for line in tree:
                wide = sum(2 if "가" <= letter <= "힣" else 1 for letter in line)
                self.assertLessEqual(wide, int(width), line)
        found = branches(prompt(SENTENCE, ":because").out)
        for depth in {row[0] for row in found}:
            shares, group = [], []
            for row in found + [(0, None, 0, "")]:
                if row[0] == depth:
                    group.append(row[2])
                elif row[0] < depth and group:
                    shares.append(sum(group))
                    group = []
            for share in shares:
                self.assertAlmostEqual(share, 100, delta=4)


class Following(ProgramTest):
    def test_a_branch_is_opened_and_left_again(self):
        out = prompt(SENTENCE, ":because", ":why 1", ":because 1", ":up", ":up").out
        trees = re.split(r"^  open a branch.*$", out, flags=re.M)[:-1]
        self.assertEqual(len(trees), 5)
        tails = [branches(tree) for tree in trees]
        self.assertNotEqual(tails[0], tails[1])
        self.assertNotEqual(tails[1], tails[2])
        self.assertEqual(tails[1], tails[3])
        self.assertEqual(tails[0], tails[4])

    def test_a_shell_names_no_next_line(self):
        typed = prompt(SENTENCE, f":because {WEIGHTS}[head=1, query=0, key=1]").out
        alone = run("because", f"{WEIGHTS}[head=1, query=0, key=1]", "--source", SENTENCE).out
        tree, branch = typed[typed.index("└─"):].split("\n  open a branch: :why 1")
        self.assertTrue(branch)
        self.assertEqual(alone[alone.index("└─"):].rstrip("\n"), tree)

    def test_terms_are_followed_and_left_again(self):
        cell = f":why {WEIGHTS}[head=1, query=0, key=1]"
        outcome = prompt(SENTENCE, cell, ":why 2", ":why 1", ":up", ":up", ":up")
        asked = re.findall(r"^(encoder\S+\[.*\]) = ", outcome.out, re.M)
        self.assertEqual(len(asked), 5)
        self.assertEqual(asked[0], asked[4])
        self.assertEqual(asked[1], asked[3])
        self.assertEqual(len(set(asked)), 3)
        self.assertIn("this is the first question", outcome.out)

    def test_a_term_is_followed_as_a_tree_and_back_to_terms(self):
        out = prompt(SENTENCE, f":why {WEIGHTS}[head=1, query=0, key=1]", ":because 2", ":up").out
        self.assertTrue(branches(out))
        self.assertEqual(out.count(f"{WEIGHTS}[head=1"), 2)

    def test_what_cannot_be_followed_is_one_sentence(self):
        for lines, part in (
                ([SENTENCE, ":because", ":why 99"], "'99'"),
                ([SENTENCE, ":because", ":why 0"], "'0'"),
                ([SENTENCE, ":because", ":because 1b"], "'1b'"),
                ([SENTENCE, ":because encoder.ids[0]", ":why 1"], "no branch"),
                ([SENTENCE, ":why [0]"], "needs an address before it"),
                ([SENTENCE, ":goto scores", ":why [0, 1, 2, 3, 4]"], "more labels than axes"),
                ([SENTENCE, ":goto scores", ":why [너는, 0]"], "there is no such label"),
                ([SENTENCE, ":goto scores", ":why [0"], "cannot read"),
                ([SENTENCE, ":because", "나는 " * 100, ":batch 7"], "batch has"),
                ([":because"], "no sentence to run")):
            outcome = prompt(*lines)
            self.assertIn(part, outcome.err, lines)

    def test_a_chain_of_questions_has_an_end(self):
        outcome = prompt(SENTENCE, ":why encoder.output[0, 0]", *[":why 1", ":up"] * 90)
        self.assertEqual(outcome.err, "")
        outcome = prompt(SENTENCE, ":because", *[":because 1"] * 90)
        self.assertTrue("no branch" in outcome.err or "in a row are the limit" in outcome.err)

    def test_another_sentence_forgets_the_questions(self):
        for lines in ([":up"], [SENTENCE, ":up"], [SENTENCE, ":because", "나는", ":up"],
                      ["a b | c", ":because", ":batch 1", ":up"]):
            outcome = prompt(*lines)
            self.assertIn("no question yet", outcome.out, lines)
            self.assertEqual(outcome.err, "")


class AtHand(ProgramTest):
    def asked(self, *lines, model="ko-en"):
        outcome = run("--model", model, text="".join(line + "\n" for line in lines))
        self.assertEqual(outcome.err, "")
        return [re.sub(r"\s+", " ", address) for address in
                re.findall(r"^(\S+\[[^\]]*\])\s+=\s", outcome.out, re.M)]

    def test_labels_refer_to_the_current_stage(self):
        at_hand = self.asked(SENTENCE, ":goto encoder.0.weights", ":why [친구, 를]")
        self.assertEqual(at_hand, [f"{WEIGHTS}[head=2, query=·친구, key=를]"])
        at_hand = self.asked(SENTENCE, ":goto encoder.0.weights", ":why [1, 친구, 를]")
        self.assertEqual(at_hand, [f"{WEIGHTS}[head=1, query=·친구, key=를]"])

    def test_the_comma_of_a_label_ends_no_item(self):
        at_hand = self.asked("The dog, the cat.", ":goto encoder.0.weights", ":why [3, 1, 0]",
                             ':why [",", 0]', ':why [query=",", key=0]', model="passive")
        self.assertEqual([re.search(r"head=\d", address)[0] for address in at_hand], ["head=3"] * 3)

    def test_of_a_batch_the_sentence_that_is_shown(self):
        at_hand = self.asked("나는 | 친구를 만났다", ":batch 1", ":goto encoder.0.weights",
                             ":why [1, 0]", ":why", ":because [1, 0]")
        self.assertEqual(len(at_hand), 3)
        for address in at_hand:
            self.assertIn("[batch=1, head=2, ", address)

    def test_the_largest_weight_is_asked_about(self):
        out = prompt(SENTENCE, ":goto encoder.0.weights", ":why", f":show {WEIGHTS}[head=0]").out
        value = float(re.search(r"^encoder\S+\[.*\] = (\S+)", out, re.M).group(1))
        shown = out.split("[batch 1, head 4", 2)[-1]
        largest = max(float(number) for number in re.findall(r" (0\.\d+)", shown))
        self.assertAlmostEqual(value, largest, places=2)

    def test_at_a_step_the_choice_is_asked_about(self):
        asked = self.asked(SENTENCE, ":decode 1", ":because")
        self.assertEqual(len(asked), 1)
        self.assertTrue(asked[0].startswith("step.1.probabilities["), asked)

    def test_a_fresh_sentence_is_asked_about_a_word(self):
        asked = self.asked(SENTENCE, ":because")
        self.assertTrue(asked[0].startswith("probabilities[target="), asked)
        asked = self.asked(SENTENCE, ":because", model="classifier")
        self.assertTrue(asked[0].startswith("probabilities[label="), asked)

    def test_a_toy_is_followed(self):
        toy = ":toy query=1,0 keys=1,0|0,1 values=1,2|3,4"
        out = prompt(toy, ":because context[0, 0]", ":because").out
        self.assertIn("with weight", out)
        self.assertIn("weights[", out)


if __name__ == "__main__":
    unittest.main()
