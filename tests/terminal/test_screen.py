"""The full screen, compared with the recorded screens in tests/terminal/screens.

    RECORD=1 ... test_screen.py    record them again: look at the differences
"""

import os
import re
import unittest

from program import SENTENCE, ProgramTest, prompt, sample
from screen import Tmux

SCREENS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "screens")
SIZES = ((80, 24), (120, 40), (200, 60))

# Keys, and the name of the picture after them.
WALK = (
    (("i", SENTENCE, "Enter"), "answer"),
    (("n",), "tokens"),
    (("n", "n", "n"), "attention"),
    (("]",), "head"),
    (("Right", "Down", "Enter"), "why"),
    (("Tab", "Down", "Down", "Enter"), "followed"),
    (("BSpace",), "back"),
    (("BTab", "w", "+", "n", "n", "n"), "steps"),
    (("t",), "table"),
    (("t", "+", ":", "goto embedding", "Enter", "End"), "numbers"),
    (("/", "model.encoder.layers.0.fc1.weight", "Enter", "PageDown"), "weight"),
    (("-", "-", ":", "goto encoder.0.self_attention.context", "Enter"), "context"),
    (("w", ":", "mask encoder.0 head 2", "Enter"), "changed"),
    (("u",), "undone"),
    ((":", "goto decoding", "Enter"), "decoding"),
    ((":", "because", "Enter"), "because"),
    ((":", "goto enc", "Tab"), "completed"),
    (("Escape",), "given-up"),
    ((":", "nonsense", "Enter"), "refused"),
    ((":", "help draw", "Enter"), "long"),
    (("Enter", "?"), "keys"),
)
LESSON = (
    (("Enter", ":", "lesson 0", "Enter"), "lesson"),
    (("Enter",), "example"),
    (("Enter",) * 4, "question"),
    (("3", "Enter"), "answered"),
)
SCENES = {"en": WALK + LESSON, "ko": WALK}


WIDE = {"answer", "attention", "why", "numbers", "changed", "example"}  # also at 200 columns


def path_of(language, size, name):
    return os.path.join(SCREENS, f"{name}.{language}.{size[0]}x{size[1]}.txt")


def is_kept(size, name):
    return size != SIZES[-1] or name in WIDE


LONG_NUMBER = re.compile(r"-?\d+\.\d{4,}")


def same_picture(seen, wanted):
    """Processors round differently: the last digit of a number with four or more decimals may
    differ by one."""
    ours, theirs = LONG_NUMBER.findall(seen), LONG_NUMBER.findall(wanted)
    return LONG_NUMBER.sub(lambda number: "#" * len(number[0]), seen) == \
        LONG_NUMBER.sub(lambda number: "#" * len(number[0]), wanted) and \
        all(abs(float(a) - float(b)) < 1.01 * 10.0 ** -len(b.split(".")[1])
            for a, b in zip(ours, theirs))


class Pictures(ProgramTest):
    def compare(self, terminal, language, size, name):
        path = path_of(language, size, name)
        if "RECORD" in os.environ:
            os.makedirs(SCREENS, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(terminal.settle())
            return
        with open(path, encoding="utf-8") as file:
            wanted = file.read()
        seen = terminal.wait(lambda seen: same_picture(seen, wanted))
        if not same_picture(seen, wanted):
            self.assertEqual(seen, wanted, name)

    def play(self, language, size):
        terminal = Tmux(f"{language}{size[0]}", size, self.folder,
                        f"--screen --language {language}", COLORTERM="")
        self.addCleanup(terminal.close)
        terminal.wait(lambda seen: "q" in seen.splitlines()[-1])
        for keys, name in SCENES[language]:
            with self.subTest(language=language, size=size, name=name):
                terminal.type(*keys)
                if is_kept(size, name):
                    self.compare(terminal, language, size, name)
                else:
                    terminal.settle()

    def test_each_view_in_each_size(self):
        """In `make test`, each size in one of the languages."""
        for size in sample(SIZES, 2):
            self.play("en", size)

    def test_korean(self):
        for size in sample(SIZES[:2], 2, 1):
            self.play("ko", size)

    def test_every_recorded_file_belongs_to_a_scene(self):
        wanted = {path_of("en", size, name) for size in SIZES for _, name in SCENES["en"]
                  if is_kept(size, name)}
        wanted |= {path_of("ko", size, name) for size in SIZES[:2] for _, name in SCENES["ko"]}
        self.assertEqual({os.path.join(SCREENS, name) for name in os.listdir(SCREENS)}, wanted)


class Use(ProgramTest):
    def start(self, size=(120, 40), command="--screen", **surroundings):
        terminal = Tmux(f"use{len(self._cleanups)}", size, self.folder, command, **surroundings)
        self.addCleanup(terminal.close)
        terminal.wait(lambda seen: "q" in seen)
        return terminal

    def see(self, terminal, *texts):
        seen = terminal.wait(lambda seen: all(text in seen for text in texts))
        for text in texts:
            self.assertIn(text, seen)
        return seen

    def test_the_prompt_and_back(self):
        terminal = self.start(command="")
        terminal.type(SENTENCE, "Enter", ":screen", "Enter")
        self.see(terminal, "source  {나는}", "decoder.1.cross_attention.weights")
        terminal.type("n", "n")
        self.see(terminal, "2/19", "encoder.embedding")
        terminal.type("q")
        seen = terminal.wait(lambda seen: seen.rstrip().endswith("\n>"))
        self.assertIn("> :screen", seen)
        terminal.type(":next", "Enter")
        self.see(terminal, "3/19")

    def test_letters_in_hangul_mode_are_keys(self):
        """A syllable combines keys: "ㅞ" is n and p."""
        terminal = self.start(command="")
        terminal.type(":screen", "Enter", "ㅑ", SENTENCE, "Enter", "ㅜ", "ㅜ", "ㅜ")
        self.see(terminal, "3/19")
        terminal.type("ㅔ")
        self.see(terminal, "2/19")
        terminal.type("ㅜ", "ㅜ", "ㅞ", "ㅞ")
        self.see(terminal, "4/19")
        terminal.type("ㅂ", ":next", "Enter")
        self.see(terminal, "> :next", "5/19")

    def test_a_small_screen_shows_one_pane(self):
        terminal = self.start(size=(40, 12))
        terminal.type("i", SENTENCE, "Enter")
        self.see(terminal, "I met a friend in Busan", "source")
        terminal.type("Tab")
        self.see(terminal, "map: path")
        terminal.type("Tab")
        self.see(terminal, "decoder.1.cross_attention.weights")
        terminal.type("BTab")
        terminal.resize(39, 12)
        self.see(terminal, "40 x 12")
        terminal.resize(100, 30)
        self.see(terminal, "map: path", "decoder.1.cross_attention.weights")

    def test_no_number_of_a_long_text_is_cut(self):
        """The numbers of a cell in the panes are those of a wide :why, rounded."""
        cases = (("stories", "Lily had a red ball and a small brown dog that liked to run.",
                  "decoder.3.self_attention.weights"),
                 ("en-ko", "I met a friend in Busan yesterday and we went to the library.",
                  "encoder.0.self_attention.weights"))
        number = re.compile(r"(?<![\w.])\d+(?:\.\d+(?:e[-+]\d+)?|e[-+]\d+)")
        for (model, text, address), size in zip(cases * 2, ((80, 24), (120, 40), (120, 40), (80, 24)),
                                                strict=True):
            with self.subTest(model=model, size=size):
                terminal = self.start(size, f"--screen --model {model}")
                terminal.type("i", text, "Enter", ":", "goto " + address, "Enter")
                self.see(terminal, "▸ " + address, "Softmax: attention weights")
                terminal.type("Enter")
                seen = self.see(terminal, " why ", "exp(this number)").splitlines()
                top = next(i for i, line in enumerate(seen) if " why " in line)
                low = next(i for i, line in enumerate(seen) if line.startswith("─ sentence"))
                pane = [line.rpartition("│")[2].strip(" ▼") for line in seen[top + 1:low]]
                cell = " ".join(pane).split(" = ")[0].replace(" [", "[")
                self.assertRegex(cell, r"^[\w.]+\[head=\d, .*\]$")
                wide = prompt(":options width=200", f":model {model}", text, f":why {cell}").out
                known = [float(n) for n in number.findall(wide.partition(cell + " = ")[2])]
                shown = [n for line in pane for n in number.findall(line)]
                self.assertGreaterEqual(len(shown), 2)
                for n in shown:
                    digits, _, power = n.partition("e")
                    unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
                    self.assertTrue(any(abs(float(n) - k) < 0.51 * unit for k in known), (n, pane))
                # the number of the cell, and both ends of the color bar if there is one
                lines = [line.split("│")[-1 if size[0] < 118 else 1] for line in seen[1:low]]
                self.assertTrue(any(re.match(r"\d\.\d{4}  query=", line) for line in lines))
                bars = [line for line in lines if re.match(r"0\.00 ", line)]
                self.assertEqual(len(bars), size[1] == 40)
                self.assertTrue(all(" 1.00  " in bar for bar in bars), bars)

    def test_the_mouse_chooses(self):
        terminal = self.start()
        terminal.type("i", SENTENCE, "Enter")
        seen = self.see(terminal, "decoder.1.cross_attention.weights").splitlines()
        row = next(i for i, line in enumerate(seen) if "Positional" in line)
        terminal.click(row, 8)
        self.see(terminal, "3/19", "encoder.position")
        seen = self.see(terminal, "encoder.position").splitlines()
        row = next(i for i, line in enumerate(seen) if "│ 5 " in line)
        terminal.click(row, seen[row].index("│ 5 ") + 8)
        self.see(terminal, "source=5, d_model=2")

    def test_the_walk_plays_automatically(self):
        terminal = self.start()
        terminal.type("i", SENTENCE, "Enter", "Space")
        self.see(terminal, "1/19")
        self.see(terminal, "2/19")
        terminal.type("Space")
        self.see(terminal, "encoder")

    def test_a_figure_is_drawn(self):
        terminal = self.start()
        terminal.type("i", SENTENCE, "Enter", "e", "Enter")
        self.see(terminal, "wrote figure.png")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "figure.png")))
        os.remove(os.path.join(self.folder, "figure.png"))


if __name__ == "__main__":
    unittest.main()
