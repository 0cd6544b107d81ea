"""One term for one thing: `:define` knows every term of lessons/TERMS.md, and neither messages nor
lessons use the words that it refuses."""

import glob
import os
import re
import unittest

from program import prompt, read
from sentences import read_messages

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def sections():
    """The tables of TERMS.md, by their titles."""
    text = read(os.path.join(ROOT, "lessons/TERMS.md")).decode()
    found = {}
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in rest.split("\n") if line.startswith("| ") or line.startswith("|--")]
        found[title] = rows[2:]
    return found


def names(cell):
    """The names in a cell, without backticks."""
    return [name.strip().strip("`") for name in cell.split(",") if name.strip()]


def defined(language, words):
    """The sections that `:define` prints for the words."""
    setting = f":options language={language}"
    before = prompt(setting).out
    found = prompt(setting, *(f":define {word}" for word in words))
    return found.out.removeprefix(before).strip("\n").split("\n\n"), found.err


class Terms(unittest.TestCase):
    maxDiff = None

    def rows(self):
        for title, rows in sections().items():
            if title != "Not used":
                yield from ((title, row) for row in rows)

    def test_each_term_is_defined_in_both_languages(self):
        rows = [row for _, row in self.rows()]
        self.assertGreater(len(rows), 100)
        words = [name for row in rows for name in names(row[0]) + names(row[1])]
        for language in ("en", "ko"):
            shown, errors = defined(language, words)
            self.assertEqual("", errors)
            self.assertEqual(len(words), len(shown))

    def test_all_names_of_a_term_lead_to_it(self):
        words = [(row[0], name) for title, row in self.rows()
                 if title != "This program" and "," not in row[0]
                 for name in (row[0], row[1], *names(row[2]))]
        shown, errors = defined("en", [name for _, name in words])
        self.assertEqual("", errors)
        self.assertEqual([], [(term, name, text) for (term, name), text
                              in zip(words, shown, strict=True) if text.split("\n")[0] != term])

    def test_a_definition_has_the_name_of_the_table(self):
        rows = [row for _, row in self.rows() if "," not in row[0]]
        shown, _ = defined("en", [row[0] for row in rows])
        self.assertEqual([row[0] for row in rows], [text.split("\n")[0] for text in shown])
        shown, _ = defined("ko", [row[0] for row in rows])
        self.assertEqual([], [(row[1], text.split("\n")[0]) for row, text in zip(rows, shown)
                              if re.sub(r"\(.*", "", row[1]) not in text])

    def test_refused_words_are_not_used(self):
        texts = {}
        for message in read_messages(os.path.join(ROOT, "assets/language/ko.po")):
            texts[f"message {message.text!r}"] = message.text + "\n" + message.translation
        for path in (*glob.glob("lessons/*/*.md", root_dir=ROOT), "README.md",
                     ".github/README.ko.md", "lessons/WRITING.md", "lessons/WRITING.ko.md"):
            texts[path] = read(os.path.join(ROOT, path)).decode()
        self.assertGreater(len(texts), 2000)
        found = []
        for refused, better in sections()["Not used"]:
            word, _, meant = refused.partition(" / ")
            for place, text in texts.items():
                for other in names(meant):
                    text = text.replace(other, "")
                if word in " ".join(text.split()):
                    found.append(f"{place}: {word}; better: {better}")
        self.assertEqual([], found)


if __name__ == "__main__":
    unittest.main()
