"""Follow one head and one pair of tokens through an attention, with its numbers from stage to
stage."""

import re
import sys
import unittest

sys.dont_write_bytecode = True

from program import prompt, run

SENTENCE = "나는 어제 부산에서 친구를 만났다."
STAGES = ["projections", "heads", "scores", "scaled", "masked", "weights", "context", "concat"]


def walk(*lines, place="encoder.0"):
    """The output of each stage of the attention, as one line each."""
    said = prompt(":options depth=numbers", SENTENCE, *lines,
                  *(f":goto {place}.{stage}" for stage in STAGES), COLUMNS="100")
    assert said.status == 0, said.err
    parts = re.split(r"^[\d.]+/\d+  .*\S  +(\S+)$", said.out, flags=re.M)[1:]
    return {name.rpartition(".")[2]: text for name, text in zip(parts[::2], parts[1::2])}


def here(text):
    return re.sub(r"\s+", " ", text[text.index("Here: "):text.index("Try: ")])


class Follow(unittest.TestCase):
    def check_chain(self, stages, head, query, key):
        """Each number appears again in the next stage, in the marked cell."""
        said = {name: here(text) for name, text in stages.items()}
        score = re.search(r"have the score (-?\d+\.\d+)", said["scores"])[1]
        before, after = re.search(r"(-?\d+\.\d+) / √24 = (-?\d+\.\d+)", said["scaled"]).groups()
        self.assertEqual(before, score)
        self.assertIn(f"{after} does not change", said["masked"])
        weight = re.search(r"puts the weight (\d\.\d+) on", said["weights"])[1]
        self.assertIn(f"whose weight is {weight}", said["context"])
        for name in ("heads", "scores", "weights", "context", "concat"):
            self.assertIn(f"head {head}", said[name].replace("In head", "in head"), name)
            self.assertIn(f'"{query}"', said[name], name)
        for name in ("projections", "heads", "scores", "masked", "weights", "context"):
            self.assertIn(f'"{key}"', said[name], name)
        for name in ("scores", "scaled", "masked", "weights"):
            marked = re.findall(r"\[(-?\d+\.\d+)\]", stages[name])
            self.assertEqual(len(marked), 1, name)
            exact = {"scores": score, "weights": weight}.get(name, after)
            digits = len(marked[0].partition(".")[2])
            self.assertAlmostEqual(float(marked[0]), float(exact), delta=0.51 * 10 ** -digits)
            row = next(line for line in stages[name].split("\n") if f"[{marked[0]}]" in line)
            self.assertTrue(row.split()[0].endswith(query), name)
        for name, rows in (("projections", [query, key, key]), ("heads", [query, key, key]),
                           ("context", [query]), ("concat", [query])):
            marked = re.findall(r"^> ·?(\S+)", stages[name], re.M)
            self.assertEqual(marked, rows, name)

    def test_the_most_informative_pair_is_followed(self):
        self.check_chain(walk(), 2, "만", "났")

    def test_another_pair_is_followed_if_it_is_chosen(self):
        self.check_chain(walk(":follow [head=1, query=어제, key=친구]"), 1, "어제", "친구")

    def test_what_is_left_out_is_the_largest(self):
        self.check_chain(walk(":follow [head=1, query=부산, key=에서]", ":follow best"), 2, "만", "났")
        said = here(walk(":follow [head=3, query=에서]")["weights"])
        shown = prompt(SENTENCE, ":show encoder.0.self_attention.weights[head=3, query=에서]").out
        numbers = re.findall(r"0\.\d{3}", shown)
        self.assertIn(f"puts the weight {max(map(float, numbers)):.2f} on", said)

    def test_a_word_is_all_its_tokens(self):
        said = here(walk(":follow [head=0, query=만났다, key=부산에서]")["scores"])
        self.assertRegex(said, r'query of "(만|났|다)" and the key of "(부산|에서)"')

    def test_the_choice_holds_where_its_words_are(self):
        said = here(walk(":follow [head=1, query=어제, key=친구]", place="decoder.0")["scores"])
        self.assertNotIn("어제", said)
        table = prompt(SENTENCE, ":follow [head=1, query=어제, key=친구]").out
        self.assertEqual(len(re.findall(r"_attention\.weights +1 +어제 +친구 ", table)), 2)

    def test_heads_that_share_a_key_show_it(self):
        """The four heads of the model stories share two keys and two values."""
        slices = [f"decoder.0.self_attention.{name}[head=1, d_head=0:6]" for name in ("key", "value")]
        told = run("--model", "stories", "--depth", "numbers", text="\n".join((
            "Lily had a red ball.", ":follow [head=3]", ":goto decoder.0.heads",
            *(f":show {part}" for part in slices))) + "\n")
        self.assertEqual((told.status, told.err), (0, ""))
        for name in ("key", "value"):
            told_of, shown = re.findall(
                rf"^(?:{name}|.*\.{name} \[.*\]), head 1\n.*\n((?:.* -?\d\.\d+\n)+)", told.out, re.M)
            self.assertEqual(told_of.replace("> ", "").split(), shown.replace("> ", "").split(), name)

    def test_what_cannot_be_followed_is_refused(self):
        for line, reason in ((":follow [head=9]", "4 along head"),
                             (":follow [query=서울]", "서울"),
                             (":follow 3", "in brackets")):
            with self.subTest(line=line):
                said = prompt(SENTENCE, line)
                self.assertEqual(said.status, 1)
                self.assertIn(reason, said.err)


if __name__ == "__main__":
    unittest.main()
