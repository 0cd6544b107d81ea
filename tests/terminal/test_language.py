"""Every sentence of the program exists in every language, and users who choose Korean get Korean,
in well-formed lines and tables."""

import functools
import itertools
import glob
import os
import re
import subprocess
import tempfile
import unittest

from program import ProgramTest, SENTENCE, prompt, read, run, sample, width
from sentences import literals, read_messages
from terminal import TerminalTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
HANGUL = re.compile("[가-힣]")
WEIGHTS = "encoder.0.self_attention.weights"


@functools.cache
def all_literals():
    """The literals of all sources."""
    paths = glob.glob("src/*.c", root_dir=ROOT) + glob.glob("src/*/*.[ch]", root_dir=ROOT)
    found = []
    for path in sorted(paths):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            found += literals(path, file.read())
    return found


@functools.cache
def template():
    """The sentences of the sources, as collected by `make language`."""
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(["make", "-s", f"BUILD={folder}", f"{folder}/glassbox.pot"],
                              cwd=ROOT, capture_output=True, text=True)
        if made.returncode:
            raise AssertionError(made.stderr)
        return read_messages(f"{folder}/glassbox.pot")


def conversions(text):
    """The conversions of a format, by the number of their argument; and $0, $y, $token."""
    found, place = [], 0
    for match in re.finditer(r"%(?:(\d+)\$)?([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d+))?"
                             r"(hh|h|ll|l|z)?([a-zA-Z%])", text):
        if match.group(6) == "%":
            continue
        place += 1 + (match.group(4) == "*")
        number = int(match.group(1) or place)
        found.append((number, match.group(5) or "", match.group(6)))
    return sorted(found), sorted(set(re.findall(r"(?<!\d)\$(?:token|\w)", text)))


class Translations(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.wanted = {message.text for message in template()}
        cls.languages = {}
        for path in glob.glob(os.path.join(ROOT, "assets/language/*.po")):
            cls.languages[os.path.basename(path)] = read_messages(path)

    def check(self, is_right):
        """Check every translation; list those that fail."""
        self.assertEqual([], [f"{name}: {message.text!r} -> {message.translation!r}"
                              for name, messages in self.languages.items()
                              for message in messages if not is_right(message)])

    def test_there_are_languages_and_sentences(self):
        self.assertIn("ko.po", self.languages)
        self.assertGreater(len(self.wanted), 900)

    def test_every_sentence_is_translated_and_none_is_gone(self):
        for name, messages in self.languages.items():
            said = {message.text for message in messages if message.translation}
            self.assertEqual(([], []), (sorted(self.wanted - said), sorted(said - self.wanted)),
                             f"{name}: run `make language`, then translate what is new")

    def test_no_translation_is_a_guess(self):
        self.check(lambda message: "fuzzy" not in message.flags)

    def test_translations_take_what_the_sentences_take(self):
        self.check(lambda message: conversions(message.translation) == conversions(message.text))

    def test_translations_end_a_line_where_the_sentences_do(self):
        self.check(lambda message: message.translation.endswith("\n")
                   == message.text.endswith("\n"))

    def test_particles_are_pairs_that_the_program_knows(self):
        known = {"{은/는}", "{이/가}", "{을/를}", "{과/와}", "{으로/로}", "{이어야/여야}"}
        self.check(lambda message:
                   set(re.findall("{[^{}]*/[^{}]*}", message.translation)) <= known
                   and not re.search("[을은이과][(](?:를|는|가|와)[)]", message.translation))

    def test_korean_is_korean(self):
        """Except names and formulas."""
        self.assertEqual([], [message.text for message in self.languages["ko.po"]
                              if len([word for word in words_of(message.text)
                                      if word.islower()]) > 2
                              and not HANGUL.search(message.translation)])


# Printed text that is not a sentence, by its place; or text that is never printed.
STAYS = [
    ("src/base/arena.c", r"out of memory"),        # there may be none to look it up with
    ("src/why/code", r"^import |\$y|load_weights"),        # Python
    ("src/explain/export.c", r'"axes"|"words"'),   # JSON of a trace
    ("src/walk/glossary.c", r"[a-z가-힣]+\|[a-z가-힣]"),  # words that find a term
    ("src/walk/glossary.c", r"^[a-z가-힣 A-Z_-]{,30}$"),  # a term, and words that find it
    ("src/walk/glossary_terms.c", r"^[^.]*$"),  # the same; definitions end with a full stop
    ("src/kernel/blas.c", r"^map segment$"),            # an error of the loader
    ("src/commands/change.c", r"^:mask "),      # commands, as typed
    ("src/commands/help.c", r"^:draw "),       # the same
    ("src/walk/stage.c", r"^[a-z_]+!?=[a-z0-9]+"),   # options
    ("src/walk/stage_remarks.c", r"^[a-z_]+!?=[a-z0-9]+"),
    ("src/walk/depth.c", r"^[a-z_]+!?=[a-z0-9]+"),   # options
    ("src/walk/map.c", r"=|^second label$"),  # options, an axis
    ("src/explain/npy.c", r"fortran_order"),       # the format of NumPy
    ("src/change/toy.c", r"^Attention\(Q, K, V\)"),  # the paper's formula
    ("src/learn/checkpoint.c", r"^glassbox checkpoint"),  # the type of a file
    ("src/lesson/progress.c", r"^glassbox progress"),  # the type of a file
    ("src/lesson/typed_number.c", r"^(square root|per cent)$"),  # typed, not printed
    ("src/lesson/html", r'^<|^">|^default-src'),   # HTML, and its style
    ("src/player/lesson_page.c", r"^<"),                   # HTML
    
    ("src/present/walk_page.c", r'^<|^p class="'),           # HTML
    ("src/window/html", r'^</?[a-z]|^(td|th|p) [a-z]+="'),  # HTML
    ("src/figure/web.c", r"<[a-z]|=\""),                        # SVG
    ("src/ops/", r"^\$y([^a-z]|sin|cos|exp|softmax|token|d_model|[ipy])*$"),  # formulas
    ("src/ops/", r"numpy|torch|^hidden = hidden|\$y = (F\.|\$0\[|.*\.reshape)"),  # Python
    ("src/commands/evaluate.c", r'"[a-z_]+": '),    # JSON
    ("src/text/decode.c", r"^ do not$"),            # text of tokens
    ("src/present/draw_alone.c", r"^d_model\^-0.5"),        # the paper's formula
    ("src/commands/manual.c", r"^\[head=|^[A-Z][\w-]+, [A-Z]"),  # addresses, names of models
    ("src/commands/manual.c", r"^\."),                      # man
    ("src/commands/completion.c", r"%c|^#|else case|_describe|compgen|_files"),  # shells
    ("src/player/lesson_exec.c", r"^options --save$"),       # a command
    ("src/canvas/letters.c", r"Noto Sans"),                 # names of fonts
    ("src/canvas/svg.c", r"Noto Sans"),
    ("src/canvas/svg.c", r"<|=\""),                         # SVG
    ("src/canvas/tikz.c", r"^base |^dash |^line |[{=(][%\\(]|\\[a-z]+{"),         # TeX
    ("src/canvas/image.c", r"/"),                      # PDF
    ("src/store/family_keys.c", r"^model_type "),           # keys of config.json
    ("src/canvas/palette.c", r""),                          # for readers of the table
]
# Fields and arguments with names, options or examples as they are typed.
NO_SENTENCE_FIELDS = {"when", "options", "example", "arguments", "part", "sets", "needs",
                      "without_effect"}
NO_SENTENCE_ARGUMENTS = {("shape_rank", 4), ("page_hint", 3)}


def words_of(text):
    plain = re.sub(r"%[-\d.*$]*(?:ll|l|z)?[a-zA-Z]", "", text)
    return [word for word in plain.split() if re.search(r"[^\W\d_]{2}", word)]


def stays(literal):
    if literal.field in NO_SENTENCE_FIELDS:
        return True
    if literal.calls and literal.calls[-1] in NO_SENTENCE_ARGUMENTS:
        return True
    return any(literal.path.startswith(path) and re.search(pattern, literal.text)
               for path, pattern in STAYS)


class Literals(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.wanted = {message.text for message in template()}
        with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
            says = re.search(r"^SAYS = ((?:.*\\\n)*.*)", file.read(), re.MULTILINE).group(1)
        self.says = {(name, int(number or 1))
                     for name, number in re.findall(r"(\w+)(?::(\d+))?", says)}

    def check(self, matters):
        self.assertEqual([], [f"{literal.path}:{literal.line}: {literal.text!r}: mark it with N_()"
                              for literal in all_literals()
                              if matters(literal) and literal.text not in self.wanted])

    def test_every_printed_sentence_can_be_translated(self):
        self.check(lambda literal: len(words_of(literal.text)) > 1 and not stays(literal))

    def test_no_halves_of_sentences_are_glued(self):
        """Rejects " or " between two others. A grammar's "a " and a file's "step " are fine."""
        self.check(lambda literal: re.search("^[,;]? [a-z]+ ?$|^[a-z]+ $", literal.text)
                   and literal.text not in ("a ", "step "))

    def test_what_stays_is_there(self):
        for path, pattern in STAYS:
            self.assertTrue([literal for literal in all_literals() if literal.path.startswith(path)
                             and re.search(pattern, literal.text)], (path, pattern))

    def test_the_other_branch_of_a_condition_is_also_marked(self):
        """xgettext takes only the first text of an argument."""
        self.check(lambda literal: literal.calls and literal.calls[-1] in self.says
                   and words_of(literal.text))


def columns(line):
    """Start and end of the cells in a line of a table, the last one first."""
    return [(width(line[:match.start()]), width(line[:match.end()]))
            for match in re.finditer(r"\S+(?: \S+)*", line)][::-1]


KOREAN = {"LC_ALL": "", "LANGUAGE": "", "LANG": "ko_KR.UTF-8"}


class Korean(ProgramTest):
    def session(self, *lines):
        return prompt(*lines, **KOREAN, COLUMNS="80")

    def test_a_walk_is_korean_and_fits_in_80_columns(self):
        listed = self.session(":models").out.splitlines()
        models = [line.split()[0] for line in listed if re.match("  [a-z]", line)]
        self.assertGreater(len(models), 20)
        depths = ("boxes", "path", "steps", "numbers")
        for model, depth in sample(itertools.product(models, depths), 11, 1):
            lines = [SENTENCE, *[""] * 500, ":stages", ":decode"]  # to the last stage
            found = run("--model", model, "--depth", depth, text="\n".join(lines) + "\n", **KOREAN, COLUMNS="80")
            for line in found.out.splitlines():
                self.assertLessEqual(width(line), 80, line)
            # A long answer stands on a line before its confidence.
            said = re.sub(r"^.*\n(?= +확신도: )", "", found.out, flags=re.M)
            prose = [line for line in said.splitlines() if re.search("[.?]$", line)
                     and re.match("  [^ ]", line)]
            self.assertGreater(len(prose), 5)
            self.assertIn("마지막 단계", found.err)
            for line in prose:
                self.assertNotRegex(line, r"\b(the|and|of|is|each) [a-z]+ [a-z]", model)

    def test_commands_and_their_help_are_korean(self):
        found = self.session(SENTENCE, ":help", ":help why", ":options", ":models", ":model",
                             ":version", f":why {WEIGHTS}[head=1,query=2,key=2]",
                             ":why encoder.0.norm_1[source=1,d_model=2]", ":tokens", ":merges",
                             ":batch", ":train --keys", ":help new",
                             ":toy query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4")
        self.assert_done(found)
        for line in found.out.splitlines():
            # Except for an example to copy, and the path of the current model.
            if "--d-model 16" not in line and "/assets/models/" not in line:
                self.assertLessEqual(width(line), 80, line)
        for said in ("수 하나를 식과 항으로", "소수점 아래 자릿수", "칸의 값", "바이트",
                     "쿼리 × 키", "학습한 모델", "행에 있는 수"):
            self.assertIn(said, found.out)

    def test_tables_are_aligned(self):
        found = self.session(SENTENCE, ":show encoder.0.norm_1[d_model=0:4]", ":tokens",
                             ":toy query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4")
        lines = found.out.splitlines()
        for heading, rows in (("source ↓", 11), ("   #  토큰", 9), ("key ↓", 2)):
            at = [i for i, line in enumerate(lines) if line.startswith(heading)][0]
            table = [columns(line) for line in lines[at:at + 1 + rows]]
            for column in range(min(map(len, table)) - 1):
                starts = {line[column][0] for line in table}
                ends = {line[column][1] for line in table}
                self.assertIn(1, (len(starts), len(ends)),
                              "\n".join(lines[at:at + 1 + rows]))

    def test_a_mean_has_its_korean_name(self):
        found = self.session(SENTENCE, ":show encoder.0.norm_1")
        self.assertRegex(found.out, "평균 +표준편차")

    def test_errors_say_what_is_wrong_and_what_to_do(self):
        for line, says in ((":nosuch", "명령 'nosuch'가 없습니다. :help로 목록을 보세요."),
                           (":hepl", "명령 'hepl'이 없습니다. 혹시 help 또는 heat인가요?"),
                           (":options digits=x", "digits가 'x'입니다. 0부터 9까지의 정수여야"),
                           (":goto 9999", "단계 '9999'가 없습니다."),
                           (":model /nowhere", "그런 파일이나 폴더가 없습니다")):
            with self.subTest(line=line):
                self.assertIn(says, self.session(SENTENCE, line).err)

    def test_a_figure_is_korean_and_its_command_is_as_it_was(self):
        path = self.path("weights.txt")
        drawn = run("draw", WEIGHTS + "[head=0]", "--source", SENTENCE, "-o", path, **KOREAN)
        self.assertEqual(drawn.status, 0, drawn.err)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for said in ("쿼리: 키를 보는 쪽", "가중치나 확률, 언제나 0부터 1까지", "명령: glassbox draw", "합"):
            self.assertIn(said, text)

    def test_the_manual_is_korean(self):
        manual = run("help", "--man", **KOREAN).out
        self.assertIn(".SH 이름\n", manual)
        self.assertNotIn("Without a command", manual)

    def test_what_files_hold_stays_as_it_is(self):
        held = []
        for language in ({}, KOREAN):
            for command in (["trace", "-o", "run.json"], ["show", WEIGHTS, "-o", "run.csv"]):
                found = run(*command, "--source", SENTENCE, "--force", folder=self.folder,
                            **language)
                self.assertEqual(found.status, 0, found.err)
            held.append((read(self.path("run.json")), read(self.path("run.csv"))))
        self.assertTrue(held[0] == held[1])


class Choice(ProgramTest):
    """The choice of the language."""

    def speaks_korean(self, *arguments, **environment):
        found = run("help", *arguments, **{"LC_ALL": "", "LANGUAGE": "", **environment})
        self.assertEqual(found.status, 0, found.err)
        return bool(HANGUL.search(found.out))

    def test_the_locale_decides_though_it_is_not_installed(self):
        for variables, korean in (({"LANG": "ko_KR.UTF-8"}, True), ({"LANG": "ko"}, True),
                                  ({"LANG": "C.UTF-8"}, False), ({"LANG": "de_DE.UTF-8"}, False),
                                  ({"LANG": "kok_IN"}, False), ({"LANG": ""}, False),
                                  ({"LANG": "C", "LC_MESSAGES": "ko_KR.UTF-8"}, True),
                                  ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, False),
                                  ({"LANG": "C", "LANGUAGE": "ko:en"}, True)):
            with self.subTest(variables=variables):
                self.assertEqual(self.speaks_korean(**variables), korean)

    def test_the_flag_wins(self):
        self.assertFalse(self.speaks_korean("--language", "en", LANG="ko_KR.UTF-8"))
        self.assertTrue(self.speaks_korean("--language", "ko", LANG="C.UTF-8"))
        self.assertTrue(self.speaks_korean("--language", "auto", LANG="ko_KR.UTF-8"))

    def test_an_option_changes_it_and_back(self):
        found = prompt(SENTENCE, ":options language=ko", ":goto 1.1", ":options language=en",
                       ":goto 1.1")
        self.assert_done(found)
        korean, english = found.out.index("토큰을 수로"), found.out.rindex("becomes a number")
        self.assertLess(korean, english)


class AtATerminal(TerminalTest):
    def test_a_prompt_speaks_korean(self):
        child = self.start(rows=60, LC_ALL=None, LANG="ko_KR.UTF-8")
        self.assertIn("문장을 입력하세요", child.before)
        self.ask(child, SENTENCE)
        self.assertIn("토큰: 문장을 조각으로", self.ask(child, ""))
        self.assertIn("없습니다", self.ask(child, ":nosuch"))
        child.sendline(":quit")
        self.end(child)


if __name__ == "__main__":
    unittest.main()
