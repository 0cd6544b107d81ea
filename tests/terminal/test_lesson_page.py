"""A lesson as a page: what it prints, what can be opened, and that a browser runs, fetches and
reverses nothing in it."""

import base64
import html.parser
import os
import re
import unittest

from program import SENTENCE, ProgramTest, read, run, write

WEIGHTS = "encoder.0.self_attention.weights"
EMPTY = {"meta", "img", "hr", "br"}
TAGS = EMPTY | set("html head title style body main header h1 h2 h3 h4 h5 h6 p a code kbd pre span "
                   "strong em i ul ol li table tr th td div blockquote section details summary "
                   "figure figcaption".split())
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "href", "start", "style",
              "src", "alt", "tabindex", "open"}

HEAD = """---
title: %s
language: %s
minutes: 7
needs: 2, 3
model: ko-en
depth: numbers
---

"""

LESSON = HEAD % ("A small one", "en") + f"""# A small one

Prose with `code`, **strong `inside` strong**, *emphasis* and [lesson 3](03-positions.md).

- one
  - below one
- two

3. three
4. four

| what | how |
|---|---|
| `scores` | by a dot product |

> said by somebody

    1 + 1 = 2

```glassbox
> {SENTENCE}
...
>
...
> :why nothing
...
```

```predict
ask: What comes?
right: this
wrong: that
hint: Look.
why: So it is.
```

```figure heads.png
:draw {WEIGHTS}[head=1]
```

```figure again.svg
:draw {WEIGHTS} --as grid
```

```question
ask: How many heads, as in `attention_heads`?
number: = count head {WEIGHTS}
wrong: 5 -- one too many
hint: first hint
hint: second hint
why: Four.
```

```question
ask: Which?
wrong: 가 -- not this one
right: 나
hint: none
why: Because.
```

```question
ask: Make it true.
true: count batch {WEIGHTS} = 2
answer: 나는 학생입니다. | 친구를 만났다.
hint: two sentences
why: A batch.
```
"""

EVIL = "<script>alert(1)</script><img src=http://a.b/c onerror=x>\"'&amp;\u202e\x1b[31m"
HOSTILE = HEAD % (EVIL, "en") + f"""# {EVIL}

{EVIL} `{EVIL}` **{EVIL}** <b>x</b>

[a](javascript:alert(1)) [b](http://a.b/c.md) [c](//a.b/c.md) [d](../d.md) [e](/e.md)
[f](data:text/html,x.md) [g](java&#115;cript:x.md) <http://a.b/c> ![h](http://a.b/h.png)
[i](a"onclick=x.md) [j](&#106;avascript&colon;x.md) [k](.md) [l](x.md#"onclick=y)

- {EVIL}

> {EVIL}

| {EVIL} | {EVIL} |
|---|---|
| {EVIL} | {EVIL} |

```html
{EVIL}
</pre>
```

```glassbox
> {EVIL}
...
> :{EVIL}
...
> :draw {WEIGHTS}
...
```

```figure "onload=x.png
:draw {EVIL}
```

```figure b.png
:draw {EVIL}
```

```question
ask: {EVIL}
wrong: {EVIL} -- {EVIL}
right: b {EVIL}
hint: {EVIL} `{EVIL}`
why: {EVIL}
```

```question
ask: {EVIL}
text: {EVIL}
hint: {EVIL}
why: {EVIL}
```
"""


class Page(html.parser.HTMLParser):
    """Fail if elements are not properly nested; collect the contents."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.words = [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attributes]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
        self.open.pop()

    def handle_data(self, data):
        if "style" not in self.open:
            self.words += data

    def all(self, name):
        return [value for _, attribute, value in self.attributes if attribute == name]


class LessonPage(ProgramTest):
    def page(self, lesson, **environment):
        write(self.path("04-small.md"), lesson)
        outcome = run("lesson", "page", "04-small.md", "-o", "out.html", folder=self.folder,
                      **environment)
        self.assertEqual(outcome.status, 0, outcome.err)
        self.said = outcome.err
        self.text = read(self.path("out.html")).decode()
        page = Page(self.text)
        self.assertLessEqual(set(page.tags), TAGS)
        self.assertLessEqual({name for _, name, _ in page.attributes}, ATTRIBUTES)
        for _, name, value in page.attributes:
            if name == "src":
                self.assertRegex(value, r"^data:image/(png|svg\+xml);base64,[A-Za-z0-9+/]+=*$")
            if name == "href":
                self.assertRegex(value, r"^[A-Za-z0-9][A-Za-z0-9._-]*\.html$")
            if name == "style":
                self.assertRegex(value, r"^width:\d+ch$")
        self.assertNotRegex(self.text, "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
        return page

    def test_holds_the_words_and_their_marks(self):
        page = self.page(LESSON)
        self.assertEqual(self.said, "")
        self.assertIn("<title>Lesson 4: A small one</title>", self.text)
        self.assertIn('<html lang="en">', self.text)
        self.assertIn("7 minutes", page.words)
        self.assertIn("2, 3", page.words)
        self.assertEqual(page.tags.count("h1"), 1)
        self.assertIn("<strong>strong </strong><code>inside</code><strong> strong</strong>",
                      self.text)
        self.assertIn('<a href="03-positions.html">lesson 3</a>', self.text)
        self.assertIn("<li>one<ul>\n<li>below one</li></ul>\n</li>\n<li>two</li></ul>", self.text)
        self.assertIn('<ol start="3">\n<li>three</li>\n<li>four</li></ol>', self.text)
        self.assertIn("<tr><td><code>scores</code></td><td>by a dot product</td></tr>", self.text)
        self.assertIn("<blockquote>\n<p>said by somebody</p>\n</blockquote>", self.text)
        self.assertIn("1 + 1 = 2", page.words)

    def test_shows_what_lines_print_now(self):
        page = self.page(LESSON)
        self.assertIn("> " + SENTENCE, page.words)
        self.assertIn("I met a friend", page.words)
        self.assertIn("> (Enter)", page.words)
        self.assertIn("there is no address 'nothing'", page.words)  # of the line that fails
        self.assertNotIn("\n...\n", page.words)

    def test_hangul_takes_the_columns_of_a_terminal(self):
        self.page(LESSON)
        self.assertIn("&gt; <i>나</i><i>는</i> <i>어</i><i>제</i> <i>부</i>", self.text)
        self.assertIn('<span style="width:1ch">·</span><i>어</i><i>제</i>  ', self.text)

    def test_figures_are_in_their_place_and_described(self):
        page = self.page(LESSON)
        png, svg = page.all("src")
        self.assertTrue(base64.b64decode(png.partition(",")[2]).startswith(b"\x89PNG"))
        self.assertIn(b"<svg", base64.b64decode(svg.partition(",")[2])[:200])
        first, second = page.all("alt")
        self.assertIn(f"{WEIGHTS}[head=1]", first)
        self.assertIn(f":draw {WEIGHTS} --as grid", second)
        self.assertNotIn("--force", page.words)
        self.assertEqual(sorted(os.listdir(self.folder)), ["04-small.md", "out.html"])

    def test_questions_open_step_by_step(self):
        page = self.page(LESSON)
        self.assertEqual(page.all("open"), [])
        self.assertRegex(self.text, r"(?s)<details><summary>Hint 1 of 2</summary>\n<p>first hint</p>\n"
                                    r"<details><summary>Hint 2 of 2</summary>\n<p>second hint</p>\n"
                                    r"</details>\n</details>\n<details><summary>Answer</summary>\n"
                                    r"<p>The answer: 4</p>\n<p>5: one too many</p>\n<p>Four.</p>\n</details>")
        for part in ("Predict first", "Question 1", "a) 가", "The answer: b) 나", "a) not this one",
                     "> 나는 학생입니다. | 친구를 만났다.", "in <code>attention_heads</code>"):
            self.assertIn(part, page.words if "<" not in part and ">" not in part[1:]
                          else self.text)

    def test_speaks_the_language_of_the_lesson(self):
        page = self.page(LESSON.replace("language: en", "language: ko"), LANGUAGE="en")
        self.assertIn('<html lang="ko">', self.text)
        self.assertIn("힌트", page.words)

    def test_nothing_of_a_lesson_is_run_or_fetched(self):
        page = self.page(HOSTILE)
        self.assertEqual(page.all("href"), ["x.html"])
        self.assertIn("<script>alert(1)</script>", page.words)
        self.assertIn("<U+202E>", page.words)
        self.assertEqual(sorted(os.listdir(self.folder)), ["04-small.md", "out.html"])

    def test_a_file_is_needed_and_none_is_lost(self):
        write(self.path("a.md"), LESSON)
        self.assert_says(run("lesson", "page", "a.md", folder=self.folder), "-o", status=2)
        self.assert_says(run("lesson", "page", "-o", "x.html", folder=self.folder), "one lesson",
                         status=2)
        self.assert_says(run("lesson", "page", "a.md", "-o", "mine.pdf", folder=self.folder),
                         "mine.pdf: expected a name ending in .html")
        self.assertEqual(os.listdir(self.folder), ["a.md"])
        self.assert_says(run("lesson", "check", "a.md", "-o", "x", folder=self.folder), "--output",
                         status=2)
        write(self.path("kept.html"), "kept")
        self.assert_says(run("lesson", "page", "a.md", "-o", "kept.html", folder=self.folder),
                         "kept.html already exists")
        self.assertEqual(read(self.path("kept.html")), b"kept")
        done = run("lesson", "page", "a.md", "-o", "kept.html", "--force", folder=self.folder)
        self.assertEqual((done.status, done.out), (0, "wrote kept.html\n"))
        self.assertIn(b"<!DOCTYPE html>", read(self.path("kept.html")))

    def test_without_its_model_no_page_is_written(self):
        write(self.path("a.md"), LESSON.replace("model: ko-en", "model: nothing-like-it"))
        outcome = run("lesson", "page", "a.md", "-o", "x.html", folder=self.folder)
        self.assert_says(outcome, "nothing-like-it")
        self.assertEqual(os.listdir(self.folder), ["a.md"])

    def test_invalid_parts_are_left_out_and_reported(self):
        write(self.path("a.md"), LESSON + "\n```question\nask: half\n```\n")
        outcome = run("lesson", "page", "a.md", "-o", "x.html", folder=self.folder)
        self.assertEqual(outcome.status, 0)
        self.assertRegex(outcome.err, r"^a\.md: \d+ problems")

    def test_an_answer_that_its_question_does_not_accept_is_reported(self):
        for old, new, words in (
                ("answer: 나는 학생입니다. | 친구를 만났다.", "answer: 나는 학생입니다.",
                 f"its answer does not make the condition true. Not yet: count batch {WEIGHTS} is 1"),
                ("number: = count head", "number: = count heads", "no axis 'heads'")):
            with self.subTest(new=new):
                lesson = LESSON.replace(old, new)
                write(self.path("a.md"), lesson)
                outcome = run("lesson", "page", "a.md", "-o", "x.html", "--force", folder=self.folder)
                self.assertEqual((outcome.status, outcome.out), (0, "wrote x.html\n"))
                at = new if new.startswith("answer") else "ask: How many heads"
                line = lesson[:lesson.index(at)].count("\n") + 1
                self.assertTrue(outcome.err.startswith(f"a.md:{line}: "), outcome.err)
                self.assertIn(words, outcome.err)
                self.assertEqual(outcome.err.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
