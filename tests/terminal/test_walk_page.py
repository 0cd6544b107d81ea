"""The walk as a page: it is complete, its numbers are those of the run, and it runs and fetches
nothing except its own script; in a browser, each number says what it is."""

import base64
import hashlib
import html.parser
import math
import os
import re
import shlex
import tempfile
import time
import unittest

import numpy

import browser
from program import (
    CHECKS_ALL, PROGRAM, SENTENCE, ProgramTest, in_test_all, prompt, read, run, sample, write)

EMPTY = {"meta", "br", "path", "polyline", "rect"}
TAGS = EMPTY | set("html head title style body header nav main section footer h1 h2 h3 h4 p a ol ul "
                   "li div span table thead tr th td code b i figure details summary dl dt dd pre "
                   "svg defs pattern text script".split())
EVIL = "<script>alert(1)</script><img src=http://a.b/c onerror=x>\"'&amp;"


class Page(html.parser.HTMLParser):
    """Fail if elements are not properly nested; collect the contents."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.words = [], [], [], ""
        self.tables, self.cell = [], None
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attributes]
        known = dict(attributes)
        if tag == "table":
            self.tables.append({"about": known, "head": [], "rows": []})
        if tag == "tr" and "thead" not in self.open:
            self.tables[-1]["rows"].append([])
        if tag in ("th", "td"):
            self.cell = {"about": known, "text": "", "is_head": tag == "th"}
            rows = self.tables[-1]["rows"]
            (self.tables[-1]["head"] if "thead" in self.open else rows[-1]).append(self.cell)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in EMPTY, tag
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            return
        self.words += data
        if self.cell is not None and self.open and self.open[-1] in ("th", "td"):
            self.cell["text"] += data

    def all(self, name):
        return [value for _, attribute, value in self.attributes if attribute == name]

    def numbers(self):
        """Address, text and explanation of each number, as found by the script, with its indices.
        """
        for table in self.tables:
            if table["about"].get("class") != "numbers":
                continue
            columns = [cell["about"]["data-item"] for cell in table["head"]
                       if "data-item" in cell["about"]]
            for r, row in enumerate(table["rows"]):
                items = [cell["about"].get("data-item", "") for cell in row if cell["is_head"]]
                cells = [cell for cell in row if not cell["is_head"]]
                for c, (item, cell) in enumerate(zip(columns, cells)):
                    parts = [table["about"]["data-fixed"], *items, item]
                    yield (f"{table['about']['data-name']}[{', '.join(filter(None, parts))}]",
                           cell["text"], cell["about"].get("data-why"), (table, r, c))


def page_of(path):
    return Page(read(path).decode())


PAGES = {}  # cache of the pages written by a command, shared by several tests


class WalkPage(ProgramTest):
    def page(self, *words, source=SENTENCE, name="walk.html"):
        about = (source, words, name)
        if about not in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                self.assert_done(run("page", "--source", source, "-o", name, *words, folder=folder))
                written = read(os.path.join(folder, name))
            PAGES[about] = written, Page(written.decode())
        written, page = PAGES[about]
        with open(self.path(name), "wb") as file:
            file.write(written)
        return page

    def assert_whole(self, page, text):
        self.assertLessEqual(set(page.tags), TAGS)
        names = page.all("id")
        self.assertEqual(len(names), len(set(names)))
        for link in page.all("href"):
            self.assertIn(link.removeprefix("#"), names)
        for data in page.all("data-of"):
            self.assertIn(data, names)
        self.assertEqual(page.all("src"), [])
        self.assertEqual([name for _, name, _ in page.attributes if name.startswith("on")], [])
        self.assertNotIn("http://www", text)
        self.assertNotIn("(null)", text)
        self.assertNotRegex(text, "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200c\u200e-\u200f\u202a-\u202e]")

    def test_is_whole_at_every_depth_and_for_every_kind_of_model(self):
        for number, (model, source) in enumerate((
                ("ko-en", SENTENCE), ("ko-en", "가"), ("classifier", "정말 기뻐요."),
                ("seq2seq-ko-en", SENTENCE), ("chatbot", "안녕"),
                ("ko-en", f"{SENTENCE} | 안녕."))):
            for depth in sample(("boxes", "steps", "numbers"), 3, number % 3):
                page = self.page("--model", model, "--depth", depth, source=source)
                self.assert_whole(page, read(self.path("walk.html")).decode())

    def test_every_stop_is_a_section_and_a_link(self):
        for depth in sample(("boxes", "path", "steps", "numbers"), 4, 1):
            page = self.page("--depth", depth)
            listed = run("--depth", depth, text=f"{SENTENCE}\n:stages\n").out
            names = re.findall(r"^ +[\d.]+ +(\S+)", listed, re.M)
            sections = [value for tag, name, value in page.attributes
                        if tag == "section" and name == "id"]
            self.assertEqual(len(sections), len(names))
            for section, name in zip(sections, names):
                self.assertTrue(section.startswith(name.removesuffix("…")), (section, name))
            links = [link.removeprefix("#") for link in page.all("href") if link != "#stops"]
            self.assertEqual(links[:len(names)], sections, "the list of stops")
            self.assertEqual(sorted(links[len(names):]), sorted(sections[1:] + sections[:-1]),
                             "before and behind")
            self.assertIn("19/19", page.words)

    def test_begins_with_sentence_and_answer(self):
        page = self.page("--depth", "boxes")
        begin = page.words.index(SENTENCE)
        answer = page.words.index("I met a friend in Busan yesterday.")
        self.assertLess(begin, answer)
        self.assertLess(answer, page.words.index("Tokens: the sentence in pieces"))
        self.assertIn("confidence: 93% per token", page.words)

    def test_says_what_the_prompt_says(self):
        page = self.page("--depth", "steps")
        words = re.sub(r"\s+", " ", page.words)
        said = run("--depth", "steps", text=SENTENCE + "\n" * 14).out
        said = said[re.search(r"\b1/\d+ ", said).start():]
        lines = re.findall(r"^  ([A-Za-z(√].*)$", said, re.M)
        sentences = re.findall(r"[A-Z][^:=\[\].]{40,}\.", " ".join(lines))
        self.assertGreater(len(sentences), 12)
        for sentence in sentences:
            self.assertIn(sentence, words)

    def test_a_whole_walk_takes_less_than_two_megabytes(self):
        self.page("--depth", "numbers")
        self.assertLess(os.path.getsize(self.path("walk.html")), 2e6)

    def test_its_numbers_are_those_of_the_run(self):
        page = self.page("--depth", "numbers")
        self.assert_done(run("trace", "--source", SENTENCE, "-o", self.path("run.npz")))
        tensors = numpy.load(self.path("run.npz"))
        compared = 0
        for address, text, _, (table, row, column) in sample(page.numbers(), 4):
            name = table["about"]["data-name"]
            if name.startswith("step."):  # of the decoding, which is not in a trace
                continue
            values = tensors[name]
            head = re.fullmatch(r"head=(\d+)", table["about"]["data-fixed"])
            matrices = values.reshape(-1, *values.shape[-2:])
            counted = re.search(r"=(\d+)\]$", address)  # a table may start at a later column
            column = int(counted[1]) if counted else column
            value = matrices[int(head[1]) if head else 0][row][column]
            half = 0.51 * 10.0 ** -len(text.partition(".")[2])
            if math.isfinite(value):
                self.assertAlmostEqual(float(text), float(value), delta=half, msg=address)
            else:
                self.assertEqual(text, str(value), address)
            compared += 1
        self.assertGreater(compared, 5000 if CHECKS_ALL else 1250)

    def test_each_address_is_one_and_each_reason_adds_up(self):
        page = self.page("--depth", "numbers")
        found = list(page.numbers())
        self.assertEqual(len({address for address, *_ in found if ".weights[" in address}),
                         len([1 for address, *_ in found if ".weights[" in address]))
        for address, text, why, _ in found[:: len(found) // (12 if CHECKS_ALL else 3)]:
            asked = run("why", address, "--source", SENTENCE)
            self.assert_done(asked)
            value = re.search(r" = (\S+)$", asked.out.split("\n")[0])[1]
            self.assertAlmostEqual(float(value), float(text), delta=0.00051)
        quotients = [(text, why) for address, text, why, _ in found
                     if "self_attention.weights[" in address and why and "/ Σ" in why]
        self.assertGreater(len(quotients), 100)
        for text, why in quotients:
            over, under = map(float, re.search(r"= (\S+) / (\S+)$", why).groups())
            self.assertAlmostEqual(over / under, float(text), delta=0.0006)

    def test_masked_cells_say_so(self):
        page = self.page("--depth", "steps")
        reasons = {address: why for address, _, why, _ in page.numbers()}
        masked = re.compile(r"decoder\.0\.self_attention\.masked\[head=\d, query=<start>, key=I\]")
        told = [why for address, why in reasons.items() if masked.fullmatch(address)]
        self.assertEqual(len(told), 1)
        self.assertIn("look-ahead", told[0])

    def test_the_command_writes_the_same_bytes(self):
        for words in sample((["--palette", "cividis", "--language", "ko"], ["--depth", "boxes"], []), 3):
            page = self.page(*words)
            command = re.search(r"command\n(glassbox page .*)", page.words) or re.search(
                r"(glassbox page .*)", page.words)
            first = read(self.path("walk.html"))
            again = shlex.split(command[1])
            self.assertIn("--depth", again)
            self.assert_done(run(*again[1:], "--force", folder=self.folder))
            self.assertEqual(read(self.path("walk.html")), first)
            self.assertTrue(again[0] == "glassbox" and PROGRAM)

    def test_speaks_both_languages(self):
        self.page("--language", "ko")
        text = read(self.path("walk.html")).decode()
        self.assertIn('<html lang="ko">', text)
        self.assertIn("소프트맥스", text)
        self.page()
        self.assertIn('<html lang="en">', read(self.path("walk.html")).decode())

    def test_only_its_own_script_may_run(self):
        self.page()
        text = read(self.path("walk.html")).decode()
        script = re.search(r"<script>(.*?)</script>", text, re.S)[1]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        self.assertIn("default-src 'none'", policy)
        self.assertIn(f"script-src 'sha256-{digest}'", policy)
        self.assertEqual(text.count("<script"), 1)

    def test_nothing_of_a_sentence_becomes_a_tag(self):
        page = self.page("--depth", "numbers" if CHECKS_ALL else "steps", source=EVIL[:60] + "\u202e")
        text = read(self.path("walk.html")).decode()
        self.assert_whole(page, text)
        self.assertEqual(text.count("<script"), 1)
        self.assertIn("<script>alert(1)", page.words)
        self.assertIn("<U+202E>", page.words)

    def test_broken_numbers_are_numbers(self):
        self.assert_done(run("new", "--preset", "minimal", "--d-model", "8", "--attention-heads",
                             "2", "-o", self.path("m")))
        for value in ("nan", "inf", "-1e30"):
            text = f":set encoder.input[0, 0] {value}\n:page -o walk.html --depth numbers --force\n"
            outcome = run("--model", self.path("m"), text="5,6,7\n" + text, folder=self.folder)
            if os.path.exists(self.path("walk.html")):
                self.assert_whole(page_of(self.path("walk.html")),
                                  read(self.path("walk.html")).decode())
            self.assertNotIn("Traceback", outcome.err)

    def test_the_prompt_stays_where_it_is(self):
        lines = [SENTENCE, "", "", ":less", ":stages"]
        before = prompt(*lines, folder=self.folder)
        after = prompt(*lines[:-1], ":page -o a.html --depth numbers", ":stages", "",
                       folder=self.folder)
        self.assertEqual(after.err, "")
        stages = before.out[before.out.rindex("\n", 0, before.out.index("> ")):]
        self.assertIn(before.out.split("\n")[-3], after.out)
        self.assertIn("wrote a.html", after.out)
        self.assertIn(stages.strip().split("\n")[0], after.out)
        self.assertIn("--depth numbers", page_of(self.path("a.html")).words)

    def test_wrong_usage_writes_nothing(self):
        self.assert_says(run("page", "--source", SENTENCE), "-o walk.html", status=2)
        self.assert_says(run("page", "-o", self.path("a.html")), "no sentence")
        self.assert_says(run("page", "--source", SENTENCE, "-o", self.path("a.html"), "--depth",
                             "deep"), "numbers", "boxes", status=2)
        self.assert_says(run("page", "--source", SENTENCE, "-o", self.path("a.html"), "--palette",
                             "mud"), "viridis", status=2)
        self.assertEqual(os.listdir(self.folder), [])
        write(self.path("kept.html"), "kept")
        self.assert_says(run("page", "--source", SENTENCE, "-o", self.path("kept.html")), "exists")
        self.assertEqual(read(self.path("kept.html")), b"kept")


@in_test_all
@unittest.skipUnless(browser.PROGRAM, "there is no chromium")
class InBrowser(ProgramTest):
    """As displayed on a phone and on a desktop, light and dark."""

    def setUp(self):
        super().setUp()
        self.file = self.path("walk.html")
        self.assert_done(run("page", "--source", SENTENCE, "--depth", "steps", "-o", self.file))

    def middle(self, opened, what):
        return opened.value(f"(() => {{ const cell = {what}; cell.scrollIntoView({{block: 'center'}});"
                            " const box = cell.getBoundingClientRect();"
                            " return [box.left + box.width / 2, box.top + box.height / 2]; })()")

    def said(self, opened):
        return opened.value("document.getElementById('why').hidden ? '' : "
                            "document.getElementById('why').innerText")

    def test_nothing_is_wider_than_the_window(self):
        for width, height in ((360, 800), (1280, 900)):
            with browser.Browser(width, height) as opened:
                opened.open(self.file)
                self.assertEqual(opened.errors, [])
                self.assertLessEqual(opened.value("document.documentElement.scrollWidth"), width)
                self.assertGreater(opened.value("document.documentElement.scrollHeight"), 5000)

    def test_dark_is_dark_and_letters_can_be_read(self):
        script = """(() => {
            const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number);
                const part = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
                return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
            const paper = light(getComputedStyle(document.body).backgroundColor);
            return [paper, ...[...document.querySelectorAll(
                'h1, p, code, .drawing text:not(.k):not(.w), summary, a, dd')].map(part => {
                    const style = getComputedStyle(part);
                    const ink = light(part.closest('svg') ? style.fill : style.color);
                    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); })];
            })()"""
        for dark in (False, True):
            with browser.Browser(dark=dark) as opened:
                opened.open(self.file)
                paper, *contrasts = opened.value(script)
                self.assertEqual(paper < 0.1, dark)
                self.assertGreater(len(contrasts), 300)
                self.assertGreaterEqual(min(contrasts), 4.5)

    def test_no_letter_is_outside_of_its_drawing(self):
        script = """[...document.querySelectorAll('.drawing svg')].flatMap(svg => {
            const all = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < all.left - 1 || box.right > all.right + 1 ||
                    box.top < all.top - 1 || box.bottom > all.bottom + 1;
            }).map(text => text.textContent); })"""
        with browser.Browser() as opened:
            for source in ("가", SENTENCE, "나는 친구를 만났다. " * 4 + "👩 pneumonoultramicroscopic"):
                self.assert_done(run("page", "--source", source, "--depth", "steps", "-o", self.file,
                                     "--force"))
                opened.open(self.file)
                self.assertEqual(opened.value(script), [], source)

    def test_a_cell_under_the_pointer_says_its_number_and_why(self):
        with browser.Browser() as opened:
            opened.open(self.file)
            opened.value("document.querySelectorAll('.drawing svg')[3].scrollIntoView()")
            left, top, width, height = opened.value(
                "(() => { const box = document.querySelectorAll('.cells')[3].getBoundingClientRect();"
                " return [box.left, box.top, box.width, box.height]; })()")
            opened.point(left + width * 1.5 / 11, top + height * 4.5 / 11)
            said = self.said(opened)
            name = opened.value("document.getElementById(document.querySelectorAll('.cells')[3]"
                                ".dataset.of).dataset.name")
            self.assertTrue(said.startswith(name + "[head="), said)
            self.assertIn("query=·친구, key=·어제] = ", said)
            self.assertRegex(said, r"\nexp\(.*\) / Σ = \S+ / \S+$")
            opened.point(1, 1)
            self.assertEqual(self.said(opened), "")
            self.assertEqual(opened.errors, [])

    def test_tables_and_drawings_are_reached_by_keys(self):
        with browser.Browser() as opened:
            opened.open(self.file)
            opened.value("document.querySelector('.drawing svg').focus({focusVisible: true})")
            opened.key("ArrowRight")
            first = self.said(opened)
            opened.key("ArrowDown")
            second = self.said(opened)
            self.assertIn("query=나는, key=·어제] = ", first)
            self.assertIn("query=·어제, key=·어제] = ", second)
            opened.key("Escape")
            self.assertEqual(self.said(opened), "")
            opened.key("Tab")
            self.assertEqual(opened.value("document.activeElement.tagName"), "SUMMARY")
            opened.value("document.activeElement.parentNode.open = true")
            opened.key("Tab")
            self.assertEqual(opened.value("document.activeElement.tagName"), "TD")
            opened.key("ArrowDown")
            self.assertEqual(self.said(opened).split(" = ")[0],
                             second.split(" = ")[0].replace("key=·어제", "key=나는"))
            self.assertEqual(opened.value("document.querySelectorAll('table.numbers')[1]"
                                          ".querySelectorAll('td[tabindex=\"0\"]').length"), 1)

    def test_the_list_shows_where_one_is(self):
        with browser.Browser() as opened:
            opened.open(self.file)
            current = "document.querySelectorAll('nav a[aria-current]')"
            self.assertEqual(opened.value(current + "[0].hash"), "#tokens")
            opened.value("document.getElementById('encoder.0.scores').scrollIntoView()")
            opened.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
            time.sleep(0.3)
            self.assertEqual(opened.value(current + "[0].hash"), "#encoder.0.scores")
            self.assertEqual(opened.value(current + ".length"), 1)


if __name__ == "__main__":
    unittest.main()
