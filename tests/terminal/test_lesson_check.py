"""`glassbox lesson check`: a correct lesson, and planted errors. Each error is found at its line,
both separately and among all others."""

import os
import re
import tempfile
import unittest

from program import ProgramTest, read, run, sample, write
from sentences import read_messages

WEIGHTS = "encoder.0.self_attention.weights"
HEAD = """---
title: Right
language: en
minutes: 5
needs: 1
model: ko-en
depth: numbers
files: pairs.tsv
---
"""

RIGHT = f"""
# Right

As [lesson 1](01-first.md) said, attention looks *back* and **forth**.

```predict
ask: Will it be said in the past tense?
right: yes
wrong: no -- 어제 is yesterday
hint: 어제 is yesterday.
why: It met.
```

```glassbox
> 나는 어제 친구를 만났다.
...
  I met a friend yesterday. ...
...
```

## Weights

```text
1 + 1 = 2
```

`{WEIGHTS}[head=1]` holds a row for each query, and `{WEIGHTS}`
all heads. A link to the same [part](#weights) is fine. What is worked out, √24 = 4.899, is not
quoted, nor about 6.28, nor `0.123`.

| head | what |
|---|---|
| 0 | `{WEIGHTS}[head=0]` |

```glassbox
> :tokens
...
   0  나는              332  0-6        EB 82 98 EB 8A 94
...
> :heat {WEIGHTS}[head=1, query=나는]
...
> :data pairs.tsv
pairs.tsv: 8 pairs, no header
...
```

```figure heads.png
:draw {WEIGHTS}
```

```figure rows.svg
:draw {WEIGHTS}[head=0]
```

```question
ask: What is 나는?
wrong: a verb
wrong: an adverb -- it says who, not how
right: the topic
hint: Look at 는.
why: 는 marks the topic.
```

```question
ask: How many keys are there?
number: = count key {WEIGHTS}
hint: `:tokens` lists them.
hint: The end counts, too.
why: Each token is a key.
```

```question
ask: What do the weights of a row
  sum to?
number: 1 +- 0.001
hint: They are shares.
why: Softmax divides by the sum.
```

```question
ask: What makes shares of scores?
text: softmax | soft max | 소프트맥스
hint: It divides by the sum.
why: Softmax.
```

```question
ask: Which key does 나는 look at most in head 1?
token: = largest key {WEIGHTS}[head=1, query=나는]
hint: The darkest cell of the row.
why: So it is.
```

```question
ask: Which cell is the largest of head 1?
cell: = largest {WEIGHTS}[head=1]
hint: The darkest cell.
why: So it is.
```

```question
ask: Make 나는 hide from all.
true: max {WEIGHTS}[key=나는] < 0.001
answer: :mask key 나는
hint: `:help mask`
why: A masked key has no share.
```

```question
ask: Show it again.
true: max {WEIGHTS}[key=나는] > 0.001
answer: :undo
hint: `:help undo`
why: A change can be taken back.
```
"""

# The error, the replaced line, and the words of the finding at that line; a line of None is
# missing, and reported at line 1.
HEADS = (
    ("a missing key", "title: Right", None, "have no title:"),
    ("a wrong number", "minutes: 5", "minutes: soon", "minutes is 'soon'"),
    ("a key twice", "language: en", "language: en\nlanguage: en", "language is there twice"),
    ("a wrong depth", "depth: numbers", "depth: deep", "depth is 'deep'"),
    ("a lesson that is not there", "needs: 1", "needs: 1, 7", "needs lesson 7"),
    ("a model that is not there", "model: ko-en", "model: kko-en", "no model 'kko-en'; did you"),
    ("a file that is not there", "files: pairs.tsv", "files: pairs.tsv, none.tsv",
     "comes with none.tsv"),
    ("an unknown key", "---\n", "---\nauthor: x\n", "a lesson has no 'author'"),
)


def typed(*lines):
    return "```glassbox\n" + "\n".join(lines) + "\n```\n"


def question(*lines, ask="ask: a", hint="hint: b", why="why: c", kind="question"):
    return "\n".join(("```" + kind, *(line for line in (ask, *lines, hint, why) if line), "```\n"))


# The error, a block or some words, the line of the finding in it, from 0, and the words of the
# finding. None of them changes the run of the lesson.
BODIES = (
    ("a command that fails", typed("> :undo 1", "ok"), 2, "printed 'usage: undo'"),
    ("another output", typed("> :tokens", "...", "   0  너는              332 ...", "..."), 3,
     "expected '   0  너는              332 ...'"),
    ("a number that is off", typed("> :toy query=1,0 keys=1,0|0,1 values=1|2", "...", "0.99 ...",
                                   "..."), 3, "expected '0.99 ...'"),
    ("more than is expected", typed("> :data pairs.tsv", "pairs.tsv: 8 pairs, no header"), 1,
     "more is printed than expected"),
    ("less than is expected", typed("> :data pairs.tsv", "...", "nothing of this"), 3,
     "expected 'nothing of this'"),
    ("a line that is longer than expected", typed("> :data pairs.tsv", "...", "pairs.tsv: 8…"),
     3, "expected 'pairs.tsv: 8…', printed 'pairs.tsv: 8 pairs, no header'"),
    ("a block misspelt", "```quest\nask: a\n```\n", 0,
     "there is no block 'quest'; did you mean question?"),
    ("a block with a capital", "```Question\nask: a\n```\n", 0, "did you mean question?"),
    ("a block of no kind", "~~~python\n1 + 1\n~~~\n", 0, "there is no block 'python'"),
    ("a command misspelt", typed("> :heta weights", "a map"), 2, "did you mean heat"),
    ("an address misspelt", typed("> :heat encoder.0.self_atention.weights", "a map"), 2,
     "self_atention"),
    ("a label that is not there", typed(f"> :heat {WEIGHTS}[query=너는]", "a map"), 2, "너는"),
    ("a path that leads out", typed("> :show encoder.input -o ../x.csv", "..."), 1,
     "cannot use '../x.csv'"),
    ("an absolute path", typed("> :tokens", "...", "> :data /etc/passwd", "..."), 3,
     "cannot use '/etc/passwd'"),
    ("what only a person types", typed("> :quit", "..."), 1, ":quit; only you can type it"),
    ("words in front of >", typed("weights:", "> :tokens", "..."), 1, "starts with a line to type"),
    ("a line of 5 KiB", typed("> " + "a" * 5000, "..."), 1, "more than 4096 bytes"),
    ("a figure without a name", "```figure\n:draw encoder.input\n```\n", 0, "name of a picture"),
    ("a figure in a folder", "```figure a/b.png\n:draw encoder.input\n```\n", 0,
     "name of a picture"),
    ("a figure with -o", "```figure a.png\n:draw encoder.input -o b.png\n```\n", 1,
     "a :draw without -o"),
    ("a figure of two lines", "```figure a.png\n:draw encoder.input\n:tokens\n```\n", 2,
     "a figure is one line"),
    ("a figure of nothing", "```figure a.png\n:draw encoder.inptu\n```\n", 1,
     "the figure cannot be drawn"),
    ("no ask", question("number: 2", ask=""), 1, 'no "ask:"'),
    ("no hint", question("number: 2", hint=""), 1, 'no "hint:"'),
    ("no why", question("number: 2", why=""), 1, 'no "why:"'),
    ("no answer", question(), 1, "the question has no answer"),
    ("a key misspelt", question("nmber: 2"), 2, 'no "nmber:"; did you mean number'),
    ("a key twice", question("number: 2", "why: d"), 5, '"why:" is there twice'),
    ("an empty value", question("number:"), 2, 'nothing follows "number:"'),
    ("a line without a key", question("number: 2", "two"), 3, "'two' is not a line of a question"),
    ("a wrong number without a reply", question("number: 2", "wrong: 3"), 3,
     "a wrong number needs a reply"),
    ("a wrong number that is right", question("number: 2", "wrong: 2 -- no"), 1,
     "the wrong number '2' cannot be told from the others"),
    ("equal wrong numbers", question("number: 2", "wrong: 3 -- no", "wrong: 6/2 -- nor this"), 1,
     "the wrong number '6/2' cannot be told from the others"),
    ("no right choice", question("wrong: a", "wrong: b"), 1, "no choice is right"),
    ("no wrong choice", question("right: a", "right: b"), 1, "no choice is wrong"),
    ("equal choices", question("right: a", "wrong: b", "wrong: b -- no"), 4,
     "the choice 'b' is there twice"),
    ("choices alike", question("right: the key", "wrong: The `key`"), 1, "told from the others"),
    ("two kinds", question("number: 2", "text: two"), 3, "only one kind"),
    ("a prediction of nothing", question("number: 2", kind="predict"), 0, "a prediction must be followed"),
    ("a number that is none", question("number: many"), 1, "'many' is not a number"),
    ("a tolerance that is none", question("number: 2 +- few"), 2, "'few'"),
    ("a computed address that is not there", question("number: = encoder.9.input[0, 0, 0]"), 1,
     "there is no encoder.9"),
    ("an axis that is not there", question(f"number: = count row {WEIGHTS}"), 1, "no axis 'row'"),
    ("a number for a text", question(f"text: = sum {WEIGHTS}[head=0]"), 1, "is a number, not text"),
    ("a cell that is none", question("cell: encoder.input[source=0]"), 1, "encoder.input"),
    ("an answer that does not hold", question("true: answer = You met.", "answer: :tokens"), 3,
     "its answer does not make the condition true. Not yet: the model's answer is \"I met a"),
    ("an answer that fails", question("true: answer = You met.", "answer: :heta"), 3,
     "its answer fails: there is no command 'heta'"),
    ("an answer that is refused", question("true: answer = You met.", "answer: :trace -o ../x.npz"),
     3, "cannot use '../x.npz'"),
    ("what is true already", question(f"true: count key {WEIGHTS} > 1", "answer: :tokens"), 1,
     "is true already"),
    ("a condition without a sign", question("true: answer", "answer: :tokens"), 1,
     "compares nothing"),
    ("an option that is none", question("true: option nrom = pre", "answer: :tokens"), 1,
     "no option 'nrom'"),
    ("an option that is not larger", question("true: option d_model > 96", "answer: :tokens"), 3,
     "Not yet: option d_model is 96; expected more than 96."),
    ("an option that is larger", question("true: option d_model > 64", "answer: :tokens"), 1,
     "is true already"),
    ("an option that is equal", question("true: option d_model = 96.0", "answer: :tokens"), 1,
     "is true already"),
    ("an order of texts", question("true: answer > You met.", "answer: :tokens"), 1,
     "'answer > You met.' compares text, so its sign must be = or !="),
    ("an order of options in words", question("true: option norm < pre", "answer: :tokens"), 1,
     "compares text"),
    ("a text with a sign", question("true: answer = a != b", "answer: :tokens"), 3,
     'expected "a != b".'),
    ("a condition of no number", question(f"true: sum {WEIGHTS}[head=0] > much", "answer: :tokens"),
     1, "'much' is not a number"),
    ("a state without a way", question("true: answer = You met."), 1, 'no "answer:" gives'),
    ("an answer too many", question("number: 2", "answer: :tokens"), 1, '"answer:" goes with'),
    ("a link to no lesson", "Words, and\n[lesson 9](09-none.md) has more.\n", 0,
     "leads to 09-none.md"),
    ("a link to the network", "- [this](http://example.org/)\n", 0, "leads to http://example.org/"),
    ("an address in words", "See `encoder.9.self_attention.weights[head=1]`.\n", 0, "encoder.9"),
    ("a label in words", f"See `{WEIGHTS}[query=너는]`.\n", 0, "너는"),
    ("an address in a table", "| a | b |\n|---|---|\n| 1 | `decoder.7.input[0]` |\n", 2, "decoder.7"),
    ("a number that no output shows", "Words, and\na weight of 0.123456.\n", 0,
     "0.123456 is quoted, but no output"),
    ("a percentage that no output shows", "- a weight of 37.25 %\n", 0, "37.25 % is quoted"),
    ("a number that no output shows, in a question", question("number: 2", why="why: It is -0.7654."),
     1, "0.7654 is quoted"),
    ("a fence that is open", "```glassbox\n> :tokens\n...\n", 0, "is not closed by a line ```"),
)


class Check(ProgramTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("lessons/en"))
        os.makedirs(self.path("lessons/files"))
        write(self.path("lessons/files/pairs.tsv"), "a b\tb a\nc d\td c\n" * 4)
        write(self.path("lessons/en/01-first.md"), HEAD.replace("needs: 1", "needs: none"))
        self.lesson = self.path("lessons/en/02-right.md")

    def check(self, text):
        write(self.lesson, text)
        return run("lesson", "check", self.lesson, folder=self.folder)

    def found(self, text):
        """(line, words) of each finding, in order."""
        outcome = self.check(text)
        self.assertEqual(outcome.status, 1, outcome.out)
        lines = outcome.out.rstrip("\n").split("\n")
        self.assertEqual(outcome.err, f"glassbox: problems: {len(lines)}; files: 1\n")
        parts = [re.fullmatch(r"(.*?):(\d+): (.*)", line) for line in lines]
        self.assertTrue(all(part and part[1] == self.lesson for part in parts), outcome.out)
        return [(int(part[2]), part[3]) for part in parts]

    def head_line(self, head, fault):
        _, old, new, _ = fault
        if new is None:
            return 1
        return head[:head.index(new) + len(new.rstrip("\n"))].count("\n") + 1

    def with_fault(self, head, fault):
        _, old, new, _ = fault
        self.assertIn(old, head)
        return head.replace(old, new if new is not None else "", 1)

    def test_nothing_is_found_where_all_is_so(self):
        outcome = self.check(HEAD + RIGHT)
        self.assertEqual((outcome.status, outcome.err), (0, ""), outcome.out)
        self.assertEqual(outcome.out, "no problems; files: 1\n")
        self.assertEqual(os.listdir(self.folder), ["lessons"])

    def test_there_are_forty_faults(self):
        self.assertGreaterEqual(len(HEADS) + len(BODIES), 40)

    def test_each_fault_above_the_text(self):
        for fault in HEADS:
            with self.subTest(fault=fault[0]):
                head = self.with_fault(HEAD, fault)
                found = self.found(head + RIGHT)
                self.assertEqual([line for line, _ in found], [self.head_line(head, fault)], found)
                self.assertIn(fault[3], found[0][1])

    def test_each_fault_in_the_text(self):
        right = HEAD + RIGHT + "\n"
        for name, body, offset, words in sample(BODIES, 5):  # all together: the next test
            with self.subTest(fault=name):
                found = self.found(right + body)
                self.assertEqual([line for line, _ in found],
                                 [right.count("\n") + 1 + offset], found)
                self.assertIn(words, found[0][1])

    def test_no_fault_hides_another(self):
        text = HEAD
        heads = [fault for fault in HEADS if fault[1] != "model: ko-en"]  # the next test
        for fault in heads:
            text = self.with_fault(text, fault)
        wanted = [(self.head_line(text, fault), fault[3]) for fault in heads]
        text += RIGHT
        for _, body, offset, words in BODIES:
            text += "\n"
            wanted.append((text.count("\n") + 1 + offset, words))
            text += body
        found = self.found(text)
        for line, words in wanted:
            with self.subTest(words=words):
                self.assertTrue(any(at == line and words in said for at, said in found),
                                f"{line}: {words}\n" + "\n".join(map(str, found)))
        self.assertEqual(len(found), len(wanted),
                         [one for one in found if one[0] not in [line for line, _ in wanted]])

    def test_the_title_is_the_heading(self):
        said = "the heading is 'Wrong', but title: is 'Right'"
        line = HEAD.count("\n") + 2
        self.assertEqual(self.found(HEAD + RIGHT.replace("# Right", "# Wrong", 1)), [(line, said)])

    def test_nothing_is_run_without_its_model(self):
        body = RIGHT + typed("> :data pairs.tsv", "nothing of this")
        for head, line, words in (
                (HEAD.replace("ko-en", "nope"), 6, "no model 'nope'"),
                (HEAD.replace("ko-en", "../ko-en"), 6, "model is '../ko-en'"),
                (HEAD.replace("model: ko-en\n", ""), 1, "have no model:"),
                ("# No head\n", 1, "a lesson starts with ---")):
            with self.subTest(words):
                found = self.found(head + body)
                self.assertEqual([at for at, _ in found], [line], found)
                self.assertIn(words, found[0][1])

    def test_several_lessons(self):
        write(self.lesson, HEAD + RIGHT)
        first = self.path("lessons/en/01-first.md")
        outcome = run("lesson", "check", first, self.lesson, self.path("none.md"))
        self.assertEqual(outcome.status, 1)
        self.assertIn("none.md", outcome.out)
        self.assertEqual(outcome.err, "glassbox: problems: 1; files: 3\n")


def as_quoted(text):
    """A message as the guide quotes it: "..." for what differs, with the Korean particles that
    follow a vowel, and without the end."""
    return re.sub(r"\{[^}]*/([^}]*)\}", r"\1", text.replace("%s", "...")).rstrip(". ")


class Guide(unittest.TestCase):
    def rows(self, name):
        """The first cells of the table of messages, which is the first one after the command."""
        text = read(f"lessons/{name}").decode().partition("\n    glassbox lesson check my-lesson.md\n\n")[2]
        table = text.partition("|---|---|\n")[2].partition("\n\n")[0]
        return [as_quoted(line.split(" | ")[0].removeprefix("| ")) for line in table.splitlines()]

    def test_messages_are_quoted_as_they_are_printed(self):
        messages = {as_quoted(message.text): as_quoted(message.translation)
                    for message in read_messages("assets/language/ko.po")}
        rows, korean = self.rows("WRITING.md"), self.rows("WRITING.ko.md")
        self.assertGreaterEqual(len(rows), 6)
        self.assertEqual(len(korean), len(rows))
        for row, other in zip(rows, korean):
            with self.subTest(row):
                self.assertEqual(messages.get(row), other)

    def test_examples_have_no_problems(self):
        for name in ("WRITING.md", "WRITING.ko.md"):
            _, _, text = read(f"lessons/{name}").decode().partition("\n> 지수는 말이 많아요.\n...\n")
            blocks = re.findall(r"^````markdown\n(.*?)^````$", text, re.M | re.S)
            self.assertGreaterEqual(len(blocks), 8)
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                lesson = os.path.join(folder, "guide.md")
                head = HEAD.replace("files: pairs.tsv\n", "").replace("needs: 1", "needs: none")
                write(lesson, head + "\n".join(blocks))
                self.assertEqual(run("lesson", "check", lesson).out, "no problems; files: 1\n")


if __name__ == "__main__":
    unittest.main()
