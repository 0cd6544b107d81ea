"""Figures for a given place: flags and figures.json, and the command stored in a figure."""

import html
import json
import os
import re
import shlex
import unittest
import xml.etree.ElementTree as ElementTree

from program import SENTENCE, ProgramTest, prompt, read, run, sample, write

WEIGHTS = "encoder.0.self_attention.weights[head=0]"
ENDINGS = ("png", "svg", "pdf", "tex", "txt")


def letter_points(svg):
    """The size of body text on the page."""
    body = float(re.search('sans-serif" font-size="([0-9.]+)"', svg).group(1))
    width = float(re.search(' width="([0-9.]+)"', svg).group(1))
    page = float(re.search('viewBox="0 0 ([0-9.]+) ', svg).group(1))
    return body * width / page * 0.75


class Place(ProgramTest):
    def draw(self, *words):
        return run("draw", WEIGHTS, "--source", SENTENCE, *words, "--force", folder=self.folder)

    def set_once(self, **keys):
        write(self.path("figures.json"), json.dumps(keys))

    def forget(self):
        self.set_once()

    def carried(self, path):
        """The command stored in a picture, as words of a shell."""
        facts = {fact.get("name"): fact.text
                 for fact in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}fact")}
        return shlex.split(facts["command"])


class Flags(Place):
    def test_the_command_draws_the_same_bytes(self):
        flags = ["--width", "12cm", "--font-size", "8", "--theme", "dark", "--caption", "short",
                 "--title", "그림 'a' $x$", "--labels", "plain", "--font", "NanumGothic"]
        self.assert_done(self.draw("-o", "a.svg", *flags))
        before = read(self.path("a.svg"))
        words = self.carried(self.path("a.svg"))
        self.assertEqual(words[0], "glassbox")
        for flag in flags:
            self.assertIn(flag, words)
        self.assert_done(run(*words[1:], "--force", folder=self.folder))
        self.assertEqual(read(self.path("a.svg")), before)

    def test_a_figure_asks_for_its_language(self):
        self.assert_done(run("draw", WEIGHTS, "--source", SENTENCE, "-o", "a.svg",
                             folder=self.folder, LANGUAGE="ko", LC_ALL="ko_KR.UTF-8"))
        before = read(self.path("a.svg"))
        self.assertIn("키를 보는 쪽", before.decode())
        self.assert_done(run(*self.carried(self.path("a.svg"))[1:], "--force",
                             folder=self.folder))
        self.assertEqual(read(self.path("a.svg")), before)

    def test_invalid_values_are_explained(self):
        for flags, said in (
                (["--width", "12km"], "--width is '12km'; expected a length such as 12cm"),
                (["--width", "12"], "--width is '12'; expected a length such as 12cm"),
                (["--width", "33"], "a number without a unit means columns of text"),
                (["--width", "0cm"], "a length such as"),
                (["--dpi", "3"], "--dpi is '3'; expected a whole number from 30 to 2400"),
                (["--dpi", "300", "--scale", "2"], "--dpi and --scale set the same thing"),
                (["--theme", "drak"], "one of light, dark, transparent, print"),
                (["--caption", "long"], "one of full, short, none"),
                (["--labels", ""], "one of marked, plain"),
                (["--text", "curves"], "one of text, outlines"),
                (["--font-size", "nan"], "--font-size is 'nan'"),
                (["--font", "Nanum Gothik"], "there is no font 'Nanum Gothik'"),
                (["--title", ""], "--title is ''")):
            with self.subTest(flags=flags):
                status = 1 if "--font" in flags else 2
                self.assert_says(self.draw("-o", "no.png", *flags), said, status=status)
                self.assertEqual(os.listdir(self.folder), [])

    def test_columns_are_not_centimeters(self):
        self.assert_says(run("tokens", "--source", "a", "--width", "12cm"),
                         "whole number from 20 to 10000", status=2)
        self.assert_done(self.draw("-o", "a.txt", "--width", "100"))

    def test_letters_that_cannot_be_so_large_or_small(self):
        for width, part in (("100in", "would be larger"), ("2cm", "6-point text does not fit")):
            self.assert_says(self.draw("-o", "a.svg", "--width", width, "--font-size", "6"), part)
        # The size that is said to fit does.
        outcome = self.draw("-o", "a.svg", "--width", "10cm", "--font-size", "40")
        fits = re.search("but ([0-9.]+)-point text does", outcome.err).group(1)
        self.assertIn("wrote a.svg", self.draw("-o", "a.svg", "--width", "10cm", "--font-size",
                                               fits).out)

    def test_large_letters_keep_the_labels(self):
        # A width, a size, and whether the cells keep their numbers.
        cases = (("16cm", 12, True), ("20cm", 18, False), ("33cm", 30, False),
                 ("25cm", 18, True), ("33cm", 24, True))
        for place, (width, size, numbers) in enumerate(cases):
            for caption in sample(("none", "full"), 2, place % 2):
                with self.subTest(width=width, size=size, caption=caption):
                    outcome = run("draw", WEIGHTS, "--model", "en-ko", "--source",
                                  "I met a friend in Busan yesterday.", "--width", width,
                                  "--font-size", str(size), "--caption", caption, "-o", "a.svg",
                                  "--force", folder=self.folder)
                    self.assertEqual(outcome.status, 0, outcome.err)
                    lost = f"at {size} points in width {width} there is no room for the numbers"
                    (self.assertNotIn if numbers else self.assertIn)(lost, outcome.err)
                    text = read(self.path("a.svg")).decode()
                    self.assertEqual(">0.59<" in text, numbers)
                    for label in ("·friend", "·Busan", "·yesterday", "&lt;end&gt;"):
                        self.assertEqual(text.count(f">{label}<"), 2, label)
                    self.assertLess(abs(letter_points(text) - size), 0.04 * size)

    def test_a_title_becomes_narrower_for_large_letters(self):
        self.assert_done(run("draw", "position", "--dimensions", "0,20,40", "--width", "16cm",
                             "--font-size", "18", "--caption", "none", "-o", "a.svg",
                             folder=self.folder))
        self.assertLess(abs(letter_points(read(self.path("a.svg")).decode()) - 18), 0.7)

    def test_labels_that_large_letters_leave_out(self):
        outcome = self.draw("-o", "a.svg", "--width", "8cm", "--font-size", "12")
        self.assertEqual(outcome.status, 0)
        self.assertIn("no room for the numbers of the cells and some of the labels above them; "
                      "widen the figure or shrink the font", outcome.err)

    def test_every_kind_of_figure_takes_them(self):
        figures = (["draw", "map"], ["draw", "schedule"], ["draw", "beam"],
                   ["draw", "encoder.*.self_attention.weights"],
                   ["draw", "encoder.0.norm_1", "--dimensions", "0,1"],
                   ["draw", "decoding"], ["beam"], ["lens", "rollout"])
        for place, words in enumerate(figures):
            sentence = [] if words[1:] == ["schedule"] else ["--source", SENTENCE]
            for ending in sample(ENDINGS, len(ENDINGS), place % len(ENDINGS)):
                with self.subTest(words=words, ending=ending):
                    outcome = run(*words, *sentence, "--theme", "dark", "--width", "15cm",
                                  "--labels", "plain", "--caption", "short", "--title", "none",
                                  "-o", f"a.{ending}", "--force", folder=self.folder)
                    self.assert_done(outcome)
                    self.assertTrue(read(self.path(f"a.{ending}")))
        text = read(self.path("a.svg")).decode()
        self.assertIn(' width="566.93"', text)

    def test_more_pixels_than_there_may_be(self):
        self.assert_says(self.draw("-o", "no.png", "--width", "100in", "--dpi", "2400"),
                         "240000 x", "or a smaller size")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_plain_title_has_no_dots(self):
        self.assert_done(run("draw", "encoder.0.self_attention.weights[head=0, key=1:4]",
                             "--source", SENTENCE, "--labels", "plain", "--caption", "none",
                             "-o", "a.txt", folder=self.folder))
        text = read(self.path("a.txt")).decode()
        self.assertIn("key 어제 to 에서", text)
        self.assertNotRegex(text, r"·\w")

    def test_hostile_words_stay_xml_and_tex(self):
        hostile = "<end> & \"x\" ]]> % $ \\ { } # ~ ^ \ufffe 😀 가나다"
        outcome = run("draw", WEIGHTS, "--source", hostile, "--title", hostile, "-o", "a.svg",
                      folder=self.folder)
        self.assertEqual(outcome.status, 0, outcome.err)
        texts = "".join(ElementTree.parse(self.path("a.svg")).getroot().itertext())
        self.assertIn('"x" ]]>', texts)
        outcome = run("draw", WEIGHTS, "--source", hostile, "--title", hostile, "-o", "a.tex",
                      folder=self.folder)
        self.assertEqual(outcome.status, 0, outcome.err)
        for line in read(self.path("a.tex")).decode().splitlines():
            if line.startswith("%"):
                continue
            self.assertIsNone(re.search(r"(?<!\\)(\\\\)*[%$&#~^]", line), line)

    def test_a_comparison(self):
        outcome = prompt(SENTENCE, ":compare now encoder.0.self_attention.weights --theme dark "
                         "--width 10cm -o c.svg", folder=self.folder)
        self.assertIn("wrote c.svg", outcome.out)
        self.assertIn(' width="377.95"', read(self.path("c.svg")).decode())


class Once(Place):
    def test_the_file_holds_for_every_figure(self):
        self.set_once(theme="print", width="9cm", title="A b", palette="cividis", dpi=200)
        for ending in ENDINGS:
            self.assert_done(self.draw("-o", f"a.{ending}"))
        before = {ending: read(self.path(f"a.{ending}")) for ending in ENDINGS}
        words = self.carried(self.path("a.svg"))
        for word in ("print", "9cm", "A b", "cividis", "200"):
            self.assertIn(word, words)
        self.forget()
        for ending in ENDINGS:
            again = [word.replace("a.svg", f"a.{ending}") for word in words[1:]]
            self.assert_done(run(*again, "--force", folder=self.folder))
            self.assertEqual(read(self.path(f"a.{ending}")), before[ending], ending)

    def test_what_is_typed_wins(self):
        self.set_once(theme="dark", dpi=200, **{"font-size": 9})
        self.assert_done(self.draw("-o", "a.svg", "--theme", "print", "--scale", "2"))
        words = self.carried(self.path("a.svg"))
        self.assertIn("print", words)
        self.assertIn("9", words)
        self.assertNotIn("dark", words)
        self.assertNotIn("--dpi", words)

    def test_marks_in_what_is_set_once(self):
        for title in ('a "b" c', 'plain"q', "back\\slash", "[head=0]"):
            self.set_once(title=title)
            prompt(SENTENCE, ":keep one", ":mask encoder.0 head 1",
                   f":compare one {WEIGHTS} -o a.svg --force", folder=self.folder)
            before = read(self.path("a.svg"))
            facts = dict(re.findall('<fact name="(.*?)">(.*?)</fact>', before.decode()))
            self.forget()
            prompt(SENTENCE, ":keep one", ":mask encoder.0 head 1",
                   html.unescape(facts["command"]), folder=self.folder)
            self.assertEqual(read(self.path("a.svg")), before, title)

    def test_at_the_prompt(self):
        self.set_once(theme="dark")
        outcome = prompt(SENTENCE, ":draw weights -o a.svg", ":beam 2 -o b.svg",
                         ":compare now encoder.0.self_attention.weights -o c.svg",
                         folder=self.folder)
        for name in ("a.svg", "b.svg", "c.svg"):
            self.assertIn(f"wrote {name}", outcome.out)
            self.assertIn("--theme dark", read(self.path(name)).decode())

    def test_what_is_wrong_in_it_is_named(self):
        for text, said in (
                ('{"them": "dark"}', 'figures.json: unknown key "them"; did you mean theme?'),
                ('{"dpi": 3}', 'figures.json: "dpi" is 3; expected a whole number'),
                ('{"dpi": "many"}', '"dpi" is "many"'),
                ('{"width": 12}', '"width" is 12; expected a length such as 12cm'),
                ('{"theme": "drak"}', '"theme" is "drak"; expected one of light, dark'),
                ('{"title": null}', '"title" is null'),
                ('{"title": ""}', '"title" is ""'),
                ('{"palette": "rainbow"}', '"palette" is "rainbow"; expected one of viridis'),
                ('{"font": "No Such Font"}', "there is no font 'No Such Font'"),
                ('[]', "figures.json has a list; expected an object with keys"),
                ('{', "figures.json:1:"),
                ('', "figures.json")):
            with self.subTest(text=text):
                write(self.path("figures.json"), text)
                self.assert_says(self.draw("-o", "no.png"), said)
        self.assertEqual(os.listdir(self.folder), ["figures.json"])

    def test_only_a_file_is_read(self):
        for make, said in ((os.mkdir, "it is a folder"), (os.mkfifo, "it is a pipe")):
            make(self.path("figures.json"))
            self.assert_says(self.draw("-o", "no.png"), "cannot read figures.json", said)
            (os.rmdir if make is os.mkdir else os.remove)(self.path("figures.json"))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
