"""The walk of the Enter key: every stage of the paper once, with its shapes, in stops that fit a
small terminal."""

import re
import struct
import unittest

from program import SENTENCE, ProgramTest, read, run, sample
from test_moving import chunks_of, pixels_of

# At 80 columns a terminal has 24 lines, of which the prompt takes two; at 120 it has 40.
LINES = {80: 22, 120: 38}
SHAPE = re.compile(r"^    .*\[[\d, ]+\]", re.M)
ENGLISH = "I met my friend in Busan yesterday."

# For an encoder-decoder, in this order: how shapes are printed.
MISSION = (
    ("tokens", r"ids \[11\]: source"),
    ("encoder.embedding", r"ids \[11\] → embedding \[11, 96\]"),
    ("encoder.position", r"position \[11, 96\]"),
    ("encoder.input", r"position \[11, 96\] → input \[11, 96\]"),
    ("encoder.0.heads", r"input \[11, 96\] → query, key, value \[4, 11, 24\]"),
    ("encoder.0.scaled", r"query, key \[4, 11, 24\] → scaled \[4, 11, 11\]"),
    ("encoder.0.masked", r"→ masked \[4, 11, 11\]"),
    ("encoder.0.weights", r"masked \[4, 11, 11\] → weights \[4, 11, 11\]"),
    ("encoder.0.output", r"weights \[4, 11, 11\], value \[4, 11, 24\] → output \[11, 96\]"),
    ("encoder.0.add-norm-1", r"input, output \[11, 96\] → norm_1 \[11, 96\]"),
    ("encoder.0.feed-forward", r"\[11, 96\] → activated \[11, 192\] → output \[11, 96\]"),
    ("encoder.0.add-norm-2", r"norm_1, output \[11, 96\] → norm_2 \[11, 96\]"),
    ("encoder.encoder-output", r"→ output \[11, 96\]"),
    ("decoder.0.weights", r"input \[10, 96\] → weights \[4, 10, 10\]"),
    ("decoder.0.cross_attention.weights",
     r"norm_1 \[10, 96\], encoder.output \[11, 96\] → weights \[4, 10, 11\]"),
    ("decoder.0.feed-forward", r"\[10, 96\] → activated \[10, 192\] → output \[10, 96\]"),
    ("decoder.decoder-output", r"→ output \[10, 96\]"),
    ("probabilities", r"decoder.output \[10, 96\] → probabilities \[10, 1600\]"),
    ("decoding", r"step t: ids \[1 \+ t\] → probabilities \[1600\]"),
)


def stops(text):
    """The pages of a walk, from heading to heading."""
    return re.split(r"^(?=[\d.]+/\d+  )", text, flags=re.M)[1:]


def walk(model, sentence, **environment):
    outcome = run("--model", model, text=sentence + 40 * "\n", **environment)
    return outcome, stops(outcome.out)


class Path(ProgramTest):
    def test_every_stage_of_the_mission_is_a_stop_with_its_shape(self):
        _, pages = walk("ko-en", SENTENCE)
        self.assertEqual(len(pages), len(MISSION))
        for number, (page, (name, shape)) in enumerate(zip(pages, MISSION), 1):
            self.assertRegex(page, rf"^{number}/{len(MISSION)}  .*{name}\n")
            self.assertRegex(" ".join(page.split()), shape)

    def test_the_other_way_has_the_same_stages(self):
        _, pages = walk("en-ko", ENGLISH)
        names = [page.split("\n")[0].split()[-1] for page in pages]
        self.assertEqual(names, [name for name, _ in MISSION])

    def test_what_a_stop_shows_are_the_numbers_of_the_run(self):
        """A partial heatmap includes the cell that is described."""
        _, pages = walk("ko-en", SENTENCE)
        told = re.search(r"puts the weight (\d\.\d+) on", " ".join(pages[7].split()))
        self.assertIn(f"[{told.group(1)}]", pages[7])

    def test_rows_of_weights_add_up_or_show_where_columns_are_left_out(self):
        """The left end is left out only if the described cell is not near it."""
        for follow, begins in (("best", True), ("[head=2, query=9, key=9]", False)):
            outcome = run("--model", "ko-en",
                          text=f"{SENTENCE}\n:goto 8\n:goto 14\n:goto 15\n:follow {follow}\n")
            for page in stops(outcome.out):
                rows = re.findall(r"^ *\S+ ((?:.* )?\d\.\d\d.* )(\d\.\d\d)$", page, re.M)
                self.assertGreater(len(rows), 5, page)
                for cells, total in rows:
                    numbers = [float(number) for number in re.findall(r"\d\.\d\d", cells)]
                    missing = abs(float(total) - sum(numbers)) > 0.006 * len(numbers)
                    self.assertTrue(not missing or re.search(r"(^| )…|… $", cells), page)
            left = re.findall(r"^ *(?:I|·friend|\.) +… ", page, re.M)
            self.assertEqual(bool(left), not begins, page)

    def test_a_table_shows_the_row_of_its_remark(self):
        _, pages = walk("ko-en", "우리는 주말에 도서관에서 책을 읽었다.")
        told = re.search(r'row of "(\S+)" is most similar', " ".join(pages[1].split()))[1]
        self.assertRegex(pages[1], rf"\n> ·?{told} +-?\d\.")

    def test_one_token_can_be_followed_on_paper(self):
        """The marked rows belong to one token, from its first column on, including its embedding.
        """
        _, pages = walk("ko-en", SENTENCE)
        rows = {}
        token = re.search(r"^> (\S+) ", pages[3], re.M)[1]
        pages[1] = re.sub(rf"^{token} ", f"> {token} ", pages[1].replace("\n> ", "\n"), flags=re.M)
        for number in (2, 4, 9, 10, 12):
            columns = re.search(r"d_model → ([ \d]+)", pages[number - 1])[1].split()
            label, *values = re.search(r"^> (\S+)((?: +-?\d+\.\d+)+)$", pages[number - 1],
                                       re.M)[0].split()[1:]
            count = min(len(columns), 4)
            self.assertEqual(columns[:count], [str(i) for i in range(count)])
            rows[number] = label, [float(value) for value in values[:count]]
        self.assertEqual(len({label for label, _ in rows.values()}), 1)
        place = re.search(rf"^(?:> )?{self.index_of(rows[2][0], pages[0])}((?: +-?\d+\.\d+)+)$",
                          pages[2], re.M)[1].split()
        for i, value in enumerate(rows[4][1]):
            self.assertAlmostEqual(96 ** 0.5 * rows[2][1][i] + float(place[i]), value, delta=0.006)

    def test_rows_of_a_head_are_the_same_before_and_after_the_split(self):
        """Also where two heads share a key, whose row is shorter than that of the query."""
        for model, sentence, head in (("ko-en", SENTENCE, 2), ("stories", "Anna had a red kite", 0),
                                      ("stories", "Anna had a red kite", 3)):
            lines = [sentence, f":follow [head={head}, query=3, key=1]", *[""] * 8]
            outcome = run("--model", model, "--depth", "steps", text="\n".join(lines) + "\n")
            self.assertEqual(outcome.err, "")
            self.assertIn(f"\nhead {head} ↓  d_head →", outcome.out)
            tables = [re.findall(r"^(query|key|value)\S* (\S+)((?: +-?\d+\.\d+)+)$", page, re.M)
                      for page in stops(outcome.out)
                      if re.search(r"0\.(projections|heads)$", page.split("\n")[0])]
            before, after = [[(role, token, row.split()) for role, token, row in table]
                             for table in tables]
            self.assertEqual([role for role, _, _ in after], ["query", "key", "value"])
            self.assertEqual(before, after)

    def index_of(self, token, page):
        """The token's index in the sentence, from the table of tokens."""
        return re.search(rf"^ +(\d+)  {re.escape(token)} ", page, re.M)[1]

    def test_a_coarser_walk_continues_in_the_same_box(self):
        for stop, there in (("5", "encoder.0.weights"), ("6", "encoder.0.weights"),
                            ("9", "encoder.0.weights"), ("12", "encoder.0.feed-forward")):
            outcome = run("--model", "ko-en", text=f"{SENTENCE}\n:goto {stop}\n-\n")
            self.assertEqual(stops(outcome.out)[-1].split("\n")[0].split()[-1], there)

    def check_stops(self, model, sentence, columns, **language):
        outcome, pages = walk(model, sentence, COLUMNS=str(columns), **language)
        self.assertEqual(outcome.status, 1, outcome.err)  # Enter after the last stop
        self.assertGreater(len(pages), 5)
        for page in pages:
            lines = page.rstrip("\n").split("\n")
            # There is a blank line before the heading.
            self.assertLessEqual(len(lines) + 1, LINES[columns], f"{model}: {page}")
            self.assertRegex(page, SHAPE, model)

    def test_each_stop_of_each_model_fits_and_has_its_shape(self):
        listed = run("models").out.splitlines()
        models = [line.split()[0] for line in listed if re.match("  [a-z]+.*  ", line)]
        self.assertGreater(len(models), 20)
        cases = [(model, columns, language) for model in models for columns in LINES
                 for language in ("en", "ko")]
        for model, columns, language in sample(cases, 9, 1):
            with self.subTest(model, columns=columns, language=language):
                self.check_stops(model, SENTENCE, columns,
                                 LANGUAGE=language, LC_ALL="C.UTF-8")

    def colors_of(self, name):
        """The colors of a picture's pixels, decoded here."""
        chunks = chunks_of(read(self.path(name)))
        width, height = struct.unpack(">II", chunks[0][1][:8])
        data = b"".join(content for kind, content in chunks if kind == "IDAT")
        return {line[3 * x:3 * x + 3] for line in pixels_of(data, width, height)
                for x in range(width)}

    def test_its_figures_are_written(self):
        """A heatmap has a color per distinct weight, curves have one per line."""
        for model, sentence in (("ko-en", SENTENCE), ("en-ko", ENGLISH)):
            self.assert_done(run(
                "--model", model, folder=self.folder, text=f"{sentence}\n:goto 8\n"
                ":draw encoder.0.self_attention.weights[head=0] -o heat.png --force\n"
                ":draw position --as curves --dimensions 0,1,20 -o curves.png --force\n"))
            self.assertGreater(len(self.colors_of("heat.png")), 20)
            self.assertGreater(len(self.colors_of("curves.png")), 3)

    def test_long_texts_fit(self):
        for model, text in (("stories", "Once upon a time there was a"),
                            ("ko-en", 7 * "나는 어제 친구를 만났다 ")):
            self.check_stops(model, text, 80)


if __name__ == "__main__":
    unittest.main()
