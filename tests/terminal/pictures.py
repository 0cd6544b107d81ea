"""Draw the pictures of README again: figures by the commands that they contain, and a screenshot
of the full screen."""

import html
import os
import re
import shlex
import struct
import subprocess
import tempfile
import zlib

from browser import Browser
from program import PROGRAM, SENTENCE, width
from screen import Tmux

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
CELL = (9, 18)  # pixels
INK, PAPER = "#dcdce0", "#18181c"
STYLE = (f"body {{margin: 8px; background: {PAPER}; color: {INK}; font: 15px/18px "
         "'DejaVu Sans Mono', 'Noto Sans Mono CJK KR', monospace}"
         "div {white-space: pre; height: 18px} span {display: inline-block; height: 18px; "
         "vertical-align: top}")


def command_of(path):
    """The command in the text of a PNG."""
    with open(path, "rb") as file:
        held = file.read()
    at = 8
    while at < len(held):
        size, kind = struct.unpack(">I4s", held[at:at + 8])
        name, _, rest = held[at + 8:at + 8 + size].partition(b"\0")
        if kind == b"iTXt" and name == b"command":
            packed, text = rest[0], rest[2:].split(b"\0", 2)[2]
            return shlex.split((zlib.decompress(text) if packed else text).decode())
        at += 12 + size
    raise ValueError(f"{path}: no command")


def draw_again(path):
    words = command_of(os.path.join(ROOT, path))
    words[words.index("--output") + 1] = path  # it is part of the footer
    subprocess.run([PROGRAM, *words[1:], "--force"], cwd=ROOT, check=True)


def color(number):
    """One of xterm's 256 colors, without the first 16."""
    if number > 231:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    parts = (number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6
    return "#" + "".join(f"{55 + 40 * part if part else 0:02x}" for part in parts)


def styled(line):
    """A line with escape sequences, as HTML: each letter has its number of cells."""
    parts, ink, paper, bold, faint, turned = [], None, None, False, False, False
    for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", line):
        if text:
            back, front = (ink or INK, paper or PAPER) if turned else (paper, ink)
            look = (f"width: {CELL[0] * width(text)}px; " + (f"color: {front}; " if front else "") +
                    (f"background: {back}; " if back else "") + ("font-weight: bold; " if bold else "") +
                    ("opacity: .6" if faint else ""))
            parts.append(f'<span style="{look}">{html.escape(text)}</span>')
            continue
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                ink = paper = None
                bold = faint = turned = False
            elif code in (38, 48):
                chosen = color(codes[1]) if codes[0] == 5 else "#%02x%02x%02x" % tuple(codes[1:4])
                del codes[:2 if codes[0] == 5 else 4]
                ink, paper = (chosen, paper) if code == 38 else (ink, chosen)
            elif code in (39, 49):
                ink, paper = (None, paper) if code == 39 else (ink, None)
            elif code == 22:
                bold = faint = False
            elif code in (1, 2, 7, 27):
                bold, faint, turned = bold or code == 1, faint or code == 2, \
                    code == 7 or turned and code != 27
    return "<div>" + "".join(parts) + "</div>"


def draw_screen(path, columns, rows, *keys):
    with tempfile.TemporaryDirectory() as folder:
        screen = Tmux("picture", (columns, rows), folder,
                      "--screen --model ko-en --language en", TERM="xterm-256color")
        for key in keys:
            screen.settle()
            screen.type(*key)
        screen.settle()
        lines = screen.capture("-e").split("\n")[:rows]
        screen.close()
        page = os.path.join(folder, "page.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(f"<meta charset=utf-8><style>{STYLE}</style>" +
                       "\n".join(map(styled, lines)))
        with Browser(16 + CELL[0] * columns, 16 + CELL[1] * rows) as browser:
            browser.open(page)
            browser.picture(path)


if __name__ == "__main__":
    for name in "assets/cross-attention.png", "assets/figures/lines.png":
        draw_again(name)
    draw_screen(os.path.join(ROOT, "assets/screens/wide-dark.png"), 120, 36,
                ("i",), (SENTENCE, "Enter"), (":goto weights", "Enter"), ("Enter",))
