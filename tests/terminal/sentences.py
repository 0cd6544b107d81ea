"""Find the string literals of C sources, with the argument of a call or the field of a table that
contains them. Adjacent literals are joined, as in C."""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<letter>'(?:[^'\\\n]|\\.)*')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign>[^\s\w])""", re.VERBOSE | re.DOTALL | re.MULTILINE)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "'": "'", "a": "\a"}


@dataclass
class Literal:
    path: str
    line: int
    text: str
    calls: list   # of (name, argument), the innermost last
    field: str    # ".help" of a table, or ""
    function: str # the enclosing one, or ""


def value(token):
    def escape(match):
        kind = match.group(1)
        if kind[0] in "xu":
            return chr(int(kind[1:], 16))
        if kind[0] in "01234567":
            return chr(int(kind, 8))
        return ESCAPES[kind]
    return re.sub(r"\\(x[0-9A-Fa-f]+|u[0-9A-Fa-f]{4}|[0-7]{1,3}|.)", escape, token[1:-1])


@dataclass
class Bracket:
    sign: str
    name: str   # text before a "("
    count: int  # commas so far
    field: str  # the last one in a "{"


def literals(path, source):
    found = []
    brackets = []
    before = before_that = ""
    function = ""
    joined = None
    for token in TOKEN.finditer(source):
        kind, text = token.lastgroup, token.group()
        if kind in ("comment", "directive"):
            continue
        if kind == "text":
            if joined:
                joined.text += value(text)
                continue
            calls = [(b.name, b.count + 1) for b in brackets if b.sign == "("]
            fields = [b.field for b in brackets if b.sign == "{" and b.field]
            joined = Literal(path, source.count("\n", 0, token.start()) + 1, value(text),
                             calls, fields[-1] if fields else "", function)
            found.append(joined)
            continue
        joined = None
        if text in ("(", "{", "["):
            if text == "{" and not brackets and before == ")":
                function = called
            brackets.append(Bracket(text, before if text == "(" else "", 0, ""))
        elif text in (")", "}", "]") and brackets:
            closed = brackets.pop()
            if text == ")" and not brackets:
                called = closed.name
        elif text == "," and brackets:
            brackets[-1].count += 1
        elif kind == "word" and before == "." and brackets and brackets[-1].sign == "{" \
                and before_that in ("{", ",", ""):
            brackets[-1].field = text
        if text in (";", "}") and not brackets:
            function = ""
        before_that, before = before, text
    return found


@dataclass
class Message:
    text: str
    translation: str
    flags: str


def read_messages(path):
    """Return the messages of a .po or .pot file, without its header."""
    messages, flags, part = [], "", None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#,"):
                flags = line
            found = re.match(r'(?:(msgid|msgstr) )?("(?:.*)")$', line)
            if not found:
                continue
            if found.group(1) == "msgid":
                messages.append(Message("", "", flags))
                flags = ""
            part = {"msgid": "text", "msgstr": "translation"}.get(found.group(1), part)
            setattr(messages[-1], part, getattr(messages[-1], part) + value(found.group(2)))
    return [message for message in messages if message.text]
