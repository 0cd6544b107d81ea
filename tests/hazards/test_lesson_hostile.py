"""Lessons are untrusted. Whatever a lesson contains, nothing is executed or fetched,
and nothing is written outside the lesson's output folder."""

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import unittest

from program import (
    CHECKS_ALL, PATIENCE, PROGRAM, SENTENCE, Outcome, ProgramTest, is_sanitized, lesson_key, read, sample, write)
from test_hostile_text import HOSTILE, SAFE, forbidden

HEAD = """---
title: Any
language: en
minutes: 5
needs: none
model: ko-en
"""
QUESTION = """```question
ask: What is 1 + 1?
number: 2
hint: Count.
why: So it is.
```
"""
# The leak sanitizer cannot run under a tracer.
STRACE = None if is_sanitized() else shutil.which("strace")
WATCHED = "execve,socket,connect,open,openat,creat,unlink,unlinkat,rename,renameat," \
          "renameat2,mkdir,mkdirat,symlink,symlinkat,link,linkat,chmod,truncate"
CHANGES = re.compile(r"^\d+ +(?:(?:open|openat)\(.*O_(?:WRONLY|RDWR|CREAT)|creat|unlink|rename|"
                     r"mkdir|symlink|link|chmod|truncate)")
MODEL = os.path.realpath("assets/models/classifier")
RECIPE = {"model": {"d_model": 8, "attention_heads": 2, "d_ff": 8, "encoder_layers": 1,
                    "decoder_layers": 1, "max_length": 16},
          "data": "pairs.tsv", "steps": 2, "batch": 4, "threads": 1, "plot": "none",
          "samples": 0, "output": "small"}
PAIRS = "a b\tb a\nc d\td c\n" * 4

# Only users may type these.
KEPT_BACK = (":lesson", ":lesson 1", ":lesson check x.md", ":read secret.tsv", ":quit", ":q",
             "quit", "exit", ":exit", "：quit", "  :quit", ": quit", ':"quit"', ":'read' x",
             ":stop", ":answer", ":hint", ":skip", ":where",
             ":options digits=1 --save --force")

# Paths out of the folder.
LEADING_AWAY = (
    ":show encoder.input -o ../x.csv", ":show encoder.input -o=../x.csv",
    ":show encoder.input --output=../x.csv", ":show encoder.input --o ../x.csv",
    ":show encoder.input -output ../x.csv", ':show encoder.input "-o" "../x.csv"',
    ":show encoder.input '--output=../x.csv'", ":show encoder.input -o a/../../x.csv",
    ":show encoder.input -o ~/x.csv", ":show encoder.input -o /tmp/x.csv",
    ":draw encoder.input -o ../x.png", ":trace -o ../x.npz", ":trace -o ..",
    ":model /etc", ":model ../../../work", ":model ~", ":tokens --model=/etc",
    ":tokens --model ../work", ":data /etc/passwd", ":data ../../../../work/secret.tsv",
    ":learn-words /etc/passwd -o w", ":learn-words \"/etc/passwd\" -o w",
    ":learn-bpe pairs.tsv -o ../w", ":new --tokenizer=/etc -o n", ":new --tokenizer ko-en -o ../n",
    ":evaluate /etc", ":evaluate ko-en /etc/passwd", ":grammar /etc/passwd -o g",
    ":grammar grammar.json -o ../g", ":train /etc/passwd", ":train ../recipe.json",
    ":train recipe.json --set data=/etc/passwd", ":train recipe.json --set=output=../x",
    ":train recipe.json --set \"tokenizer=/etc\"", ":train recipe.json --set validation=../x",
    ":patch encoder.0.norm_1[source=0] from /etc/passwd")

# Text that a shell would interpret.
SHELL = ("!rm -rf .", "`touch touched`", "$(touch touched)", "a; touch touched",
         "a | touch touched", "a && touch touched", "a > touched", ":version; touch touched",
         ":version | sh", ":version > touched", ":!touch touched", ":show encoder.input -o $HOME/x.csv",
         ":show encoder.input -o../x.csv", ":show encoder.input -o *.csv", ":data secret.tsv",
         ":data *", ":model `id`", ":show encoder.input -o 'a;b.csv'", "\\:quit")


def typed(*lines):
    return "".join(f"```glassbox\n> {line}\n...\n```\n" for line in lines)


def question(*lines):
    return "```question\nask: a\n" + "\n".join(lines) + "\nhint: b\nwhy: c\n```\n"


class Hostile(ProgramTest):
    """A user's folder "work" with a secret in it, and lessons next to it."""

    def setUp(self):
        super().setUp()
        for name in ("work", "home", "data", "lessons/en", "lessons/files", "outside"):
            os.makedirs(self.path(name))
        write(self.path("work/secret.tsv"), "vertraulich words\tsecret\n")
        write(self.path("outside/victim"), "untouched\n")
        self.key = lesson_key(self.path("lessons/en/01-any.md"))
        self.out = self.path(f"data/glassbox/lessons/{self.key}")

    def lesson(self, body, more="", head=HEAD, name="01-any.md"):
        with open(self.path(f"lessons/en/{name}"), "w", errors="surrogateescape") as file:
            file.write(f"{head}{more}---\n\n# Any\n\n{body}")
        return self.path(f"lessons/en/{name}")

    def bring(self, name, content):
        write(self.path(f"lessons/files/{name}"),
              content if isinstance(content, str) else json.dumps(content))
        copy = os.path.join(self.out, name)
        if os.path.isfile(copy):
            os.remove(copy)  # otherwise it counts as the user's and is kept
        return f"files: {name}\n"

    def outside(self):
        """Return everything except the program's own state: names, links, contents."""
        found = {}
        for place, folders, names in os.walk(self.folder):
            if place == self.folder:
                folders.remove("data")
            for name in folders + names:
                path = os.path.join(place, name)
                found[path] = (os.readlink(path) if os.path.islink(path) else
                               read(path) if os.path.isfile(path) else None)
        found.pop(self.path("log"), None)
        return found

    def check_calls(self):
        """Check that nothing was started or fetched, and that only the folder was
        written to."""
        calls = read(self.path("log")).decode(errors="replace").split("\n")
        self.assertEqual(sum(" execve(" in call for call in calls), 1)
        for call in calls:
            self.assertNotRegex(call, r" (socket|connect)\(")
            self.assertNotRegex(call, r'"/etc/passwd"|/secret\.tsv"')
            if not CHANGES.match(call) or "= -1 EEXIST" in call:
                continue
            for path in re.findall(r'"([^"]*)"', call):
                self.assertTrue(path.startswith(self.path("data")) or path == "/dev/null" or
                                not path.startswith(("/", "~")) and ".." not in path, call)

    is_watched = CHECKS_ALL  # by strace; it takes longer than the program

    def run_program(self, *arguments, text=""):
        before = self.outside()
        surroundings = {**os.environ, "TERM": "dumb", "HOME": self.path("home"),
                        "XDG_DATA_HOME": self.path("data"), "TMPDIR": self.path("data"),
                        "XDG_STATE_HOME": self.path("data/state")}
        shutil.rmtree(self.path("data/state"), ignore_errors=True)
        watch = [STRACE, "-f", "-qq", "-s", "4096", "-o", self.path("log"), "-e",
                 f"trace={WATCHED}"] if STRACE and self.is_watched else []
        outcome = Outcome(subprocess.run(
            [*watch, PROGRAM, *arguments], input=text.encode(), capture_output=True,
            cwd=self.path("work"), env=surroundings, timeout=PATIENCE))
        self.assertEqual(self.outside(), before)
        if watch:
            self.check_calls()
        self.assertIn(outcome.status, (0, 1), outcome.err)
        self.assertNotRegex(outcome.out + outcome.err, "root:|vertraulich")
        return outcome

    def play(self, path, *lines, enters=9):
        return self.run_program(
            text="".join(line + "\n" for line in (f":lesson {path}", *lines, *[""] * enters)))

    def check(self, path):
        outcome = self.run_program("lesson", "check", path)
        self.assertEqual(outcome.status, 1, outcome.out)
        return outcome.out

    def written(self):
        return sorted(os.path.relpath(os.path.join(place, name), self.out)
                      for place, _, names in os.walk(self.out) for name in names)


class Typed(Hostile):
    is_watched = True

    def test_nothing_is_executed_or_written_outside(self):
        self.bring("grammar.json", {"source": "a", "target": "b", "files": []})
        self.bring("pairs.tsv", PAIRS)
        more = "files: grammar.json, pairs.tsv, recipe.json\n"
        self.bring("recipe.json", RECIPE)
        lines = (SENTENCE, *SHELL, *LEADING_AWAY, *KEPT_BACK, ":version")
        outcome = self.play(self.lesson(typed(*lines), more), enters=len(lines) + 3)
        self.assertIn("> :version", outcome.out)  # none of them ended it
        self.assertIn("GPL-3.0-or-later", outcome.out)
        self.assertEqual([name for name in self.written() if name.endswith(".csv")],
                         ["*.csv", "a;b.csv"])

    def test_the_checker_refuses_each(self):
        lines = (*LEADING_AWAY, *KEPT_BACK)
        path = self.lesson(typed(SENTENCE, *lines))
        found = self.check(path).strip().split("\n")
        self.assertEqual(len(found), len(lines), "\n".join(found))
        for n, line in enumerate(found):
            self.assertIn("cannot use" if n < len(LEADING_AWAY) else "only you can type it", line)
            self.assertTrue(line.startswith(f"{path}:{16 + 4 * n}: "), line)

    def test_answers_are_treated_the_same(self):
        lines = ("quit", ":read secret.tsv", ":show encoder.input -o ../x.csv", ":data /etc/passwd")
        body = "".join(question("true: answer = x", f"answer: {line}") for line in lines)
        found = self.check(self.lesson(typed(SENTENCE) + body))
        self.assertEqual(len(re.findall("cannot use|only you can type it", found)), 4, found)

    def test_a_rehearsal_types_no_more(self):
        lines = ("quit", ":read secret.tsv", ":show encoder.input -o ../x.csv",
                 ":data /etc/passwd", ":data secret.tsv")
        bodies = ("true: answer = x\nanswer: {}", "text: {}")
        for n, (line, body) in enumerate(itertools.product(lines, bodies)):
            if CHECKS_ALL or n % 4 in (0, 3):  # each line with one of both
                body = question(body.format(line))
                outcome = self.run_program("lesson", "run", self.lesson(typed(SENTENCE) + body))
                self.assertEqual(outcome.status, 1, outcome.out)
        writes = question("true: answer = x", "answer: :draw encoder.input -o x.png")
        self.run_program("lesson", "run", self.lesson(typed(SENTENCE) + writes))

    def test_a_page_of_a_lesson_is_treated_the_same(self):
        lines = (SENTENCE, *LEADING_AWAY, *KEPT_BACK)
        body = ("<script>alert(1)</script> [x](javascript:alert(1)) ![i](http://example.org/i)\n\n"
                + typed(*lines) + "```figure ../x.png\n:draw encoder.input\n```\n")
        path = self.lesson(body)
        self.run_program("lesson", "page", path, "-o", self.path("data/page.html"))
        page = read(self.path("data/page.html")).decode()
        self.assertNotRegex(page, r'<script>alert|(href|src)="?(javascript|http://ex)')
        self.assertNotRegex(page, "root:|vertraulich")

    def test_a_figure_has_a_plain_name(self):
        body = "".join(f"```figure {name}\n:draw encoder.input\n```\n" for name in (
            "../x.png", "/tmp/x.png", "~x.png", "a/b.png", "$HOME.png", ".x.png", "a b.png", ""))
        body += "```figure a.png\n:draw encoder.input -o ../x.png\n```\n"
        body += "```figure b.png\n:draw encoder.input --output=../x.png\n```\n"
        body += "```figure c.png\n:trace -o x.npz\n```\n"
        found = self.check(self.lesson(typed(SENTENCE) + body))
        self.assertEqual(len(found.strip().split("\n")), 11, found)

    def test_a_figure_without_a_name_stays_in_the_folder(self):
        self.play(self.lesson(typed(SENTENCE, ":draw encoder.input")))
        self.assertEqual(self.written(), ["encoder.input.png"])

    def test_what_is_read_comes_from_the_folder(self):
        outcome = self.play(self.lesson(typed(":data secret.tsv")))
        self.assertIn("cannot read secret.tsv", outcome.err)

    def test_every_lesson_has_its_own_folder(self):
        """Including an example whose lines name files in unusual ways."""
        shutil.copytree(MODEL, self.path("work/own"))
        write(self.path("work/secret.tsv"), "vertraulich\tsecret\n" * 4)
        for line, found in ((":evaluate ko-en secret.tsv", "cannot read secret.tsv"),
                            (":model own", "there is no model 'own'"),
                            (":tokens --model own", "there is no model 'own'")):
            path = self.lesson(typed(SENTENCE, line))
            self.assertIn(found, self.play(path).err, line)
            checked = self.run_program("lesson", "check", self.lesson(
                f"```glassbox\n> {line}\n{found}...\n```\n"))
            self.assertIn("no problems", checked.out, line)

    def test_a_lesson_that_wants_no_files_needs_no_folder(self):
        write(self.path("data/glassbox"), "a file in the way")
        self.assertIn("> :version", self.play(self.lesson(typed(":version"))).out)
        found = self.play(self.lesson(typed(":model own", ":draw encoder.input")))
        self.assertIn("cannot create the folder", found.err)

    def test_files_of_the_user_hide_no_model(self):
        """Only a folder with a config.json is a model, and in a lesson the program's
        own models take precedence."""
        write(self.path("work/ko-en"), "a file")
        os.makedirs(self.path("work/kit"))
        os.makedirs(self.path("work/empty"))
        shutil.copytree(MODEL, self.path("work/chatbot"))
        for name in ("ko-en", "kit", "chatbot"):
            head = HEAD.replace("ko-en", name)
            played = self.play(self.lesson(typed(":model"), head=head))
            self.assertRegex(played.out, f"> :model\n[^\n]*{name}: (?!classifier)")
        played = self.run_program(text="".join(
            f":model {name}\n" for name in ("chatbot", "kit", "ko-en", "empty")))
        for opened in ("chatbot: recognizes joy", "model kit\n", "ko-en: translates"):
            self.assertIn(opened, played.out)
        self.assertIn("empty/config.json", played.err)

    def test_a_model_is_not_a_path(self):
        os.makedirs(self.path("work/own"))
        for model in ("/etc", "../work", "~/x", ".", "a/b"):
            head = HEAD.replace("ko-en", model)
            found = self.check(self.lesson("Words.\n", head=head))
            self.assertIn(f":6: model is '{model}'", found)

    def test_a_language_is_not_a_path(self):
        path = self.lesson(QUESTION, head=HEAD.replace("language: en", "language: ../../x/y"))
        self.assertIn("language is '../../x/y'", self.check(path))
        self.play(path, "", "2")
        self.assertEqual(os.listdir(self.path("data/state/glassbox/lessons")),
                         [f"{self.key}.en.json"])

    def test_a_lesson_named_by_dots_writes_nowhere(self):
        path = self.lesson(typed(SENTENCE, ":draw encoder.input"), name="...md")
        self.assertIn("does not start with a dot", self.play(path).err)
        self.assertFalse(os.path.exists(self.path("data/glassbox")))


class Links(Hostile):
    def setUp(self):
        super().setUp()
        os.makedirs(self.out)
        os.symlink(self.path("outside"), os.path.join(self.out, "away"))
        os.symlink(self.path("outside/victim"), os.path.join(self.out, "x.png"))
        os.symlink("/dev/stdout", os.path.join(self.out, "x.csv"))

    def test_links_in_the_folder_are_not_followed(self):
        lines = (":show encoder.input -o away/x.csv --force", ":data away/victim",
                 ":draw encoder.input -o x.png --force", ":new -o away/n", ":model away/n",
                 ":show encoder.input -o x.csv --force", ":learn-words away/victim -o w")
        outcome = self.play(self.lesson(typed(SENTENCE, *lines)))
        self.assertEqual(outcome.err.count("that link leads out of its folder"), len(lines),
                         outcome.err)

    def test_the_folder_cannot_be_a_link(self):
        shutil.rmtree(self.out)
        os.symlink(self.path("outside"), self.out)
        outcome = self.play(self.lesson(typed(SENTENCE, ":draw encoder.input")))
        self.assertIn("is a link; a lesson writes only into its own folder", outcome.err)

    def test_a_recipe_passes_no_link(self):
        write(self.path("outside/pairs.tsv"), PAIRS)
        more = self.bring("recipe.json", {**RECIPE, "data": "away/pairs.tsv"})
        outcome = self.play(self.lesson(typed(":train recipe.json"), more))
        self.assertIn("'away/pairs.tsv', because that link", outcome.err)


class Brought(Hostile):
    def test_files_are_plain(self):
        os.symlink("/etc/passwd", self.path("lessons/files/link.tsv"))
        os.mkdir(self.path("lessons/files/folder"))
        os.mkfifo(self.path("lessons/files/pipe"))
        write(self.path("lessons/files/large"), "a" * ((1 << 20) + 1))
        for name, part in sample((
                ("link.tsv", "is not a file"), ("folder", "is not a file"), ("pipe", "is not a file"),
                ("none", "is not a file"), ("large", "the limit here is 1048576"),
                ("/etc/passwd", "plain names"), ("../en/01-any.md", "plain names"),
                ("..", "plain names"), (".hidden", "plain names"), ("~x", "plain names"),
                ("$HOME", "plain names"), ("x" * 300, "is not a file")), 2):
            with self.subTest(name=name):
                self.assertIn(part, self.check(self.lesson("Words.\n", f"files: {name}\n")))
                self.play(self.lesson("Words.\n", f"files: {name}\n"))
                self.assertEqual(self.written(), [])

    def test_the_folder_of_files_cannot_be_a_link(self):
        os.rmdir(self.path("lessons/files"))
        os.symlink("/etc", self.path("lessons/files"))
        path = self.lesson("Words.\n", "files: passwd\n")
        self.assertIn("is not a folder", self.check(path))
        self.assertIn("is not a folder", self.play(path).err)
        self.assertEqual(self.written(), [])

    def test_recipes_stay_in_the_folder(self):
        self.bring("pairs.tsv", PAIRS)
        self.bring("recipe.json", "")
        for place, key in enumerate(("data", "validation", "tokenizer", "output")):
            for value in sample(("/etc/passwd", "../x", "a/../../x", "~/x"), 4, place):
                with self.subTest(key=key, value=value):
                    self.bring("recipe.json", {**RECIPE, key: value})
                    path = self.lesson(typed(":train recipe.json"),
                                       "files: recipe.json, pairs.tsv\n")
                    self.assertIn(f"a lesson cannot use '{value}'", self.play(path).err)
                    self.assertEqual(self.written(), ["pairs.tsv", "recipe.json"])

    def test_a_training_has_an_end(self):
        self.bring("pairs.tsv", PAIRS)
        for steps in ({"steps": 3001}, {"steps": 0, "epochs": 1501}):
            self.bring("recipe.json", {**RECIPE, **steps})
            path = self.lesson(typed(":train recipe.json --force"), "files: recipe.json, pairs.tsv\n")
            self.assertRegex(self.play(path).err, r"has 300\d steps, but a lesson may take at most 3000")
        self.bring("recipe.json", RECIPE)
        self.assertIn("wrote small: 2 steps", self.play(path).out)
        self.assertIn("small/config.json", self.written())

    def test_grammars_stay_in_the_folder(self):
        for name in ("/etc/passwd", "../x.json", "a/b.json"):
            self.bring("grammar.json", {"source": "a", "target": "b", "files": [name]})
            path = self.lesson(typed(":grammar grammar.json -o g"), "files: grammar.json\n")
            self.assertIn(f"'files' has '{name}'", self.play(path).err)

    def test_a_grammar_has_an_end(self):
        self.bring("words.json", {"sentence": {"rules": [{"a": "x", "b": "y"}]}})
        self.bring("grammar.json", {"source": "a", "target": "b", "files": ["words.json"],
                                    "sentences": {"training": 100001}})
        path = self.lesson(typed(":grammar grammar.json -o g"), "files: grammar.json, words.json\n")
        self.assertIn("asks for 100001 sentences; a lesson can generate at most 100000", self.play(path).err)


    def test_snapshots_stay_in_the_folder(self):
        """Text between an axis and its sign used to become part of a file name."""
        self.bring("pairs.tsv", PAIRS)
        address = "encoder.0.self_attention.weights[head {}=0]"
        away = "/../../../../../../outside/stolen"
        for name, done in ((away, False), ("", True)):
            self.bring("recipe.json", {**RECIPE, "plot": "png",
                                       "snapshots": [address.format(name)]})
            # The folder that ".." would have led out of.
            lines = (":new --d-model 4 --attention-heads 2 --d-ff 4 --encoder-layers 1 "
                     "--decoder-layers 1 -o 'small/encoder.0.self_attention.weights[head '",
                     ":train recipe.json --force")
            played = self.play(self.lesson(typed(*lines), "files: recipe.json, pairs.tsv\n"))
            self.assertEqual("wrote small: 2 steps" in played.out, done, played.out)
            self.assertEqual("cannot read 'encoder" in played.err, not done, played.err)
        self.assertIn("small/encoder.0.self_attention.weights-head-0.png", self.written())

    def test_links_below_the_folder_are_not_followed(self):
        """Files that no word of the line names."""
        os.makedirs(os.path.join(self.out, "n"))
        os.makedirs(self.path("outside/n"))
        write(self.path("outside/words.json"), '{"vertraulich": "words"}')
        os.symlink(self.path("outside/words.json"), os.path.join(self.out, "words.json"))
        for name in os.listdir(MODEL):
            os.symlink(os.path.join(MODEL, name), os.path.join(self.out, "n", name))
        self.bring("grammar.json", {"source": "a", "target": "b", "files": ["words.json"]})
        played = self.play(self.lesson(typed(
            SENTENCE, ":grammar grammar.json -o g", ":model n/", ":evaluate n/",
            ":new --tokenizer n -o m"), "files: grammar.json\n"))
        self.assertEqual(played.err.count("no link out of it"), 4, played.err)


class Sizes(Hostile):
    def fill(self, size):
        """A sparse file, without bytes on the disk."""
        os.makedirs(self.out, exist_ok=True)
        with open(os.path.join(self.out, "much"), "w") as file:
            file.truncate(size)

    def test_work_that_is_too_large_is_not_started(self):
        self.fill(240 << 20)
        lines = (":new --preset paper --d-model 256 --attention-heads 2 --d-ff 4096 "
                 "--encoder-layers 2 --decoder-layers 2 -o large",)
        played = self.play(self.lesson(typed(*lines)))
        self.assertRegex(played.err, r"cannot write large: it needs \d+\.\d MiB, but of the 256 MiB")
        self.assertEqual(self.written(), ["much"])

    def test_a_training_of_too_large_a_model_is_not_begun(self):
        self.fill(240 << 20)
        more = self.bring("pairs.tsv", PAIRS)
        model = {**RECIPE["model"], "d_model": 256, "d_ff": 4096}
        self.bring("recipe.json", {**RECIPE, "model": model})
        played = self.play(self.lesson(typed(":train recipe.json"),
                                       "files: recipe.json, pairs.tsv\n"))
        self.assertRegex(played.err, r"cannot write small: it needs \d+\.\d MiB, but of the 256 MiB")
        self.assertEqual(self.written(), ["much", "pairs.tsv", "recipe.json"])

    def test_files_count_together(self):
        self.fill((256 << 20) - 1000)
        played = self.play(self.lesson(typed(SENTENCE, ":show encoder.input -o x.csv")))
        self.assertIn("cannot write x.csv: the lesson's files would exceed the "
                      "256 MiB", played.err)
        self.assertEqual(self.written(), ["much"])

    def played_and_checked(self, path, enters=5):
        played = self.play(path, enters=enters)
        checked = self.run_program("lesson", "check", path)
        return played.out + played.err + checked.out + checked.err

    def test_a_lesson_of_two_megabytes(self):
        path = self.lesson("```glassbox\n> a\n" + "b\n" * (1 << 20) + "```\n")
        self.assertIn("the limit here is 1048576", self.played_and_checked(path))

    def test_a_thousand_and_one_blocks(self):
        path = self.lesson("```x\na\n```\n" * 1001)
        self.assertIn(f"{path}:{11 + 3000}: more than 1000 blocks", self.check(path))

    def test_a_line_of_five_kilobytes(self):
        long = "a" * 5000
        path = self.lesson(typed(long) + question("true: answer = x", f"answer: {long}"))
        found = self.check(path)
        self.assertIn(f"{path}:12: the line has more than 4096 bytes", found)
        self.assertIn(f"{path}:18: the line has more than 4096 bytes", found)

    def test_dots_without_end(self):
        path = self.lesson("```glassbox\n> :version\n" + "...\n" * 200000 + "x" + "...a" * 20000
                           + "\n```\n")
        self.assertIn("expected", self.played_and_checked(path))

    def test_endless_texts(self):
        self.played_and_checked(self.lesson(question("text: a" + "\n  b" * 200000)))
        self.played_and_checked(self.lesson("```question\n" + "hint: a\n" * 100000 + "```\n"))
        self.played_and_checked(self.lesson("|a" * 3000 + "\n" + "|-" * 3000 + "\n" + "|\n" * 9000))

    def test_noise(self):
        noise = random.Random(7)
        for n in sample(range(8), 3):
            data = bytes(noise.randrange(256) for _ in range(20000))
            path = self.path(f"lessons/en/0{n}-noise.md")
            with open(path, "wb") as file:
                file.write(b"---\n" + data + (b"\n---\n" + data if n % 2 else b""))
            outcome = self.played_and_checked(path)
            self.assertEqual(forbidden(outcome), set())

    def test_markdown_that_is_nested_or_never_closed(self):
        for text in sample((
                "> " * 5000 + "a", "- " * 5000 + "a", "[" * 20000, "*a_" * 20000,
                "`" * 20000 + "a", "<!--" * 20000, "|" * 20000 + "\n" + "|-" * 20000,
                "```glassbox\n> :version\n", "![" * 20000, "&" * 20000, "\\" * 20000), 4, 2):
            with self.subTest(text=text[:8]):
                self.played_and_checked(self.lesson(text))

    def test_not_all_findings_are_shown_to_the_student(self):
        outcome = self.play(self.lesson("```question\n" + "x\n" * 5000 + "```\n"), enters=0)
        self.assertLess(len(outcome.err.split("\n")), 10)
        self.assertIn("more; lesson check", outcome.err)


class Shown(Hostile):
    def assert_safe(self, *outcomes):
        for outcome in outcomes:
            self.assertEqual(forbidden(outcome.out + outcome.err), set())

    def test_markup_is_text(self):
        outcome = self.play(self.lesson(
            "<script>alert(1)</script> <b>bold</b>\n\n<http://example.org/>\n\n"
            "[click](http://example.org/x) ![picture](file:///etc/passwd) &lt;&#27;[31m\n"))
        self.assertIn("<script>alert(1)</script> <b>bold</b>", outcome.out)
        self.assertIn("click", outcome.out)
        self.assert_safe(outcome)

    def test_what_a_terminal_obeys_is_shown_escaped(self):
        h = HOSTILE
        body = (f"{h}\n\n## {h}\n\n- {h}\n\n1. {h}\n\n> {h}\n\n    {h}\n\n```{h}\n{h}\n```\n\n"
                f"| {h} | {h} |\n|---|---|\n| {h} | `{h}` |\n\n[{h}]({h})\n\n"
                f"```glassbox\n> {h}\n{h}\n> :{h}\n> :heat {h}\n> :goto {h}\n```\n\n"
                f"```figure {h}.png\n:draw {h}\n```\n```figure a.png\n:draw {h}\n```\n\n"
                + question(f"right: {h} 1", f"wrong: {h} 2 -- {h}").replace("ask: a", f"ask: {h}")
                .replace("hint: b", f"hint: {h}").replace("why: c", f"why: {h}")
                + question(f"text: {h}") + question(f"token: {h}") + question(f"cell: {h}")
                + question(f"number: = {h}") + question(f"true: {h} = {h}", f"answer: :{h}")
                + question(f"{h}: {h}") + f"```question\n{h}\n```\n")
        head = f"---\ntitle: {h}\nlanguage: {h}\nminutes: {h}\nneeds: {h}\nmodel: ko-en\n" \
               f"depth: {h}\n{h}: {h}\n"
        path = self.lesson(body, head=head)
        lines = []
        for _ in range(30):
            lines += ["", "2", "9", h, ":where", ":hint", ":answer"]
        played = self.play(path, *lines, enters=10)
        self.assertIn(SAFE, played.out)
        self.assertIn(SAFE, played.err)
        checked = self.run_program("lesson", "check", path)
        self.assertIn(SAFE, checked.out)
        self.assert_safe(played, checked)
        self.assert_safe(self.run_program("lesson", "check", self.lesson(
            "Words.\n", f"files: {h}, a{h}\nmodel: {h}\n")))

    def test_names_of_lessons(self):
        path = self.lesson(typed(SENTENCE, ":draw encoder.input"), name=f"01-{HOSTILE}.md")
        played = self.play(path, ":where")
        checked = self.run_program("lesson", "check", path, path + "x")
        self.assert_safe(played, checked)
        self.assertIn(SAFE, checked.out)

    def test_a_list_of_lessons_is_safe(self):
        """The program's folder of lessons is next to it."""
        folder = self.path("copy")
        os.makedirs(os.path.join(folder, "bin"))
        shutil.copy(PROGRAM, os.path.join(folder, "bin/glassbox"))
        os.makedirs(os.path.join(folder, "lessons/en"))
        write(os.path.join(folder, "lessons/en/01-a.md"), HEAD.replace("Any", HOSTILE) + "---\n")
        finished = subprocess.run([os.path.join(folder, "bin/glassbox"), "lesson"],
                                  capture_output=True, timeout=PATIENCE)
        outcome = Outcome(finished)
        self.assertIn("x<1B>[31m", outcome.out)
        self.assert_safe(outcome)


class Places(Hostile):
    def test_a_lesson_is_a_file(self):
        os.mkfifo(self.path("work/pipe.md"))
        for place, part in (("pipe.md", "a pipe or a device"), ("/dev/zero", "a pipe or a device"),
                            ("../lessons", "it is a folder"), ("none.md", "No such file")):
            self.assertIn(part, self.play(place, enters=0).err)


class Person(Hostile):
    """What a lesson is not allowed to do, the user who plays it is."""

    def test_a_person_may_type_anything(self):
        outcome = self.run_program(text="".join(line + "\n" for line in (
            f":lesson {self.lesson(QUESTION)}", "", ":data ../outside/victim", ":read none",
            "2")))
        self.assertIn("../outside/victim: 1 texts", outcome.out)
        self.assertIn("Right.", outcome.out)


if __name__ == "__main__":
    unittest.main()
